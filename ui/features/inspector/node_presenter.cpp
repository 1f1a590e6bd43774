// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/inspector/node_presenter.h"

#include "features/problems/blocked_state.h"
#include "fx/module_path.h"
#include "text/markdown.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

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
    : session_(services.get<SessionPresenter>()),
      stages_(services.get<StagePresenter>()),
      problems_(services.get<ProblemsPresenter>()) {
  connect(&session_, &SessionPresenter::programChanged, this, &NodePresenter::programChanged);
  connect(&session_, &SessionPresenter::snapshotChanged, this, &NodePresenter::refresh);
  connect(&problems_, &ProblemsPresenter::changed, this, [this] {
    if (state_ && messagesAt(node_) != state_->messages) refresh();
  });
  connect(&services.get<SelectionPresenter>(), &SelectionPresenter::changed, this,
          [this](const Selection& selected) { show(selected.inspected()); });
  connect(&stages_, &StagePresenter::textChanged, this, &NodePresenter::becomesChanged);
  connect(&stages_, &StagePresenter::stagesChanged, this, &NodePresenter::becomesChanged);
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
  const fx::ProgramPtr program = session_.program();
  state_.reset();
  if (program && node_.valid() && node_.index() < program->nodes.size()) {
    state_ =
        nodeState(*program, session_.snapshot()->normalized.get(), node_, users_[node_.index()]);
    state_->messages = messagesAt(node_);
  }
  Q_EMIT changed();
  Q_EMIT becomesChanged();
}

QStringList NodePresenter::messagesAt(fx::NodeId node) const {
  QStringList messages;
  for (const ProblemPart* part : problems_.at(node)) messages << part->message;
  return messages;
}

std::vector<BecomesRow> NodePresenter::becomes() const {
  std::vector<BecomesRow> rows;
  if (!state_) return rows;
  for (const Stage& stage : stages_.stages()) {
    if (stage.id == ShownText("fx")) continue;
    rows.push_back({stage.id, stage.title, stages_.linesOf(stage.id, {node_}).size(),
                    stages_.textOf(stage.id) != nullptr});
  }
  return rows;
}

QString NodePresenter::markdown() const {
  if (!state_) return {};
  QStringList out = summaryLines(*state_);
  for (const ProblemPart* part : problems_.at(node_))
    if (part->blocked < 0) out << "- **problem:** " + markdownText(part->message);
  out << argumentTable(state_->arguments);
  QStringList becomes;
  for (const BecomesRow& row : this->becomes())
    if (row.known) becomes << name(row.stage) + ": " + counted(row.ops, "op");
  if (!becomes.isEmpty()) out << QString() << "Becomes " + becomes.join(" · ");
  for (const ProblemPart* part : problems_.at(node_))
    if (part->blocked >= 0)
      out << QString()
          << ui::markdown(
                 blockedState(
                     problems_.diagnosis()->blocked[static_cast<std::size_t>(part->blocked)]))
                 .trimmed();
  return out.join('\n') + '\n';
}

}  // namespace fxs::ui
