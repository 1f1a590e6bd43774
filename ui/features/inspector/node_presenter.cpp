// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/inspector/node_presenter.h"

#include "fx/module_path.h"
#include "text/markdown.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

// Places of its parts in the Markdown of a node.
constexpr int kSummaryPlace = 10, kArgumentsPlace = 30;

QStringList summaryLines(const NodeState& s) {
  QStringList out{QString("### %1 (%2)").arg(markdownCode(s.name), markdownCode(s.target)),
                  QString()};
  if (!s.result.isEmpty()) out << "- result: " + markdownCode(s.result);
  if (!s.module.isEmpty())
    out << QString("- module: %1 (%2)").arg(markdownCode(s.module), markdownText(s.moduleType));
  if (s.python)
    out << QString("- Python: %1%2")
               .arg(markdownCode(QString("%1:%2").arg(s.python->file).arg(s.python->line)),
                    s.python->code.isEmpty() ? QString() : ' ' + markdownCode(s.python->code));
  return out;
}

/// No lines without arguments.
QStringList argumentTable(const std::vector<ArgumentRow>& rows) {
  if (rows.empty()) return {};
  QStringList out{QString(), "| argument | value | type |", "|---|---|---|"};
  for (const ArgumentRow& row : rows)
    out << QString("| %1 | %2%3 | %4 |")
               .arg(markdownText(row.name), markdownCode(row.value).replace('|', "\\|"),
                    row.isDefault ? QString(" (default)") : QString(), markdownText(row.type));
  return out;
}

}  // namespace

NodePresenter::NodePresenter(Services& services)
    : session_(services.get<SessionPresenter>()), markdown_(services.get<NodeMarkdown>()) {
  connect(&session_, &SessionPresenter::programChanged, this, &NodePresenter::programChanged);
  connect(&session_, &SessionPresenter::snapshotChanged, this, &NodePresenter::refresh);
  const auto lines = [](const QStringList& all) {
    return all.isEmpty() ? QString() : all.join('\n') + '\n';
  };
  markdown_.add(kSummaryPlace, [this, lines](fx::NodeId) { return lines(summaryLines(*state_)); });
  markdown_.add(kArgumentsPlace,
                [this, lines](fx::NodeId) { return lines(argumentTable(state_->arguments)); });
  connect(&services.get<SelectionPresenter>(), &SelectionPresenter::changed, this,
          [this](const Selection& selected) { show(selected.inspected()); });
}

void NodePresenter::programChanged() {
  users_ = fx::usersOf(*session_.program());
  show({});
}

void NodePresenter::show(fx::NodeId node) {
  node_ = node;
  refresh();
}

void NodePresenter::refresh() {
  program_ = session_.program();
  state_.reset();
  if (program_ && node_.valid() && node_.index() < program_->nodes.size()) {
    state_ =
        nodeState(*program_, session_.snapshot()->normalized.get(), node_, users_[node_.index()]);
  }
  Q_EMIT changed();
}

}  // namespace fxs::ui
