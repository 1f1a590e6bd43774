// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/problems/problems_page.h"

#include <set>

#include "text/words.h"
#include "widgets/sign_delegate.h"

namespace fxs::ui {
namespace {

/// The colour of an operation's icon and class.
Role severityRole(fx::Severity severity) {
  if (severity == fx::Severity::Error) return Role::Error;
  return severity == fx::Severity::Warning ? Role::Warning : Role::TextMuted;
}

class ProblemDelegate final : public SignDelegate {
 public:
  using SignDelegate::SignDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    // A name keeps its number; a sentence is read from its start.
    const bool isName = index.column() == ProblemsModel::Operation &&
                        !(index.data(ProblemsModel::kPartRole).toInt() == ProblemsModel::kNoPart &&
                          option->text.contains(' '));
    option->textElideMode = isName ? Qt::ElideMiddle : Qt::ElideRight;
    const auto severity =
        static_cast<fx::Severity>(index.data(ProblemsModel::kSeverityRole).toInt());
    const Role role = severityRole(severity);
    switch (index.column()) {
      case ProblemsModel::Operation: return sign(option, exact(fx::name(severity)), role);
      case ProblemsModel::Class:
        // The icon alone says it where the words do not fit.
        if (option->rect.width() < appearance_.scaled(kSign) + 3 * kGrid +
                                       option->fontMetrics.horizontalAdvance(option->text))
          option->text.clear();
        ink(option, role);
        return sign(option, index.data(ProblemsModel::kClassIconRole).toString(), role);
      case ProblemsModel::Count:
        option->displayAlignment = Qt::AlignRight | Qt::AlignVCenter;
        break;
      case ProblemsModel::Help:
        if (!index.data(ProblemsModel::kVerifiedRole).toBool()) break;
        ink(option, Role::Success);
        return sign(option, index.data(ProblemsModel::kProvedRole).toBool() ? "proved" : "done",
                    Role::Success);
      default: break;
    }
    ink(option, Role::TextMuted);
  }
};

}  // namespace

ProblemsPage::ProblemsPage(Appearance& appearance, ProblemsPresenter& problems,
                           DiagnosisPresenter& diagnosis, SelectionPresenter& selection,
                           QWidget* parent)
    : TablePage(appearance, "Problems", {}, {}, parent),
      problems_(problems),
      diagnosis_(diagnosis),
      selection_(selection) {
  progress_ = makeProgress("Progress of the diagnosis", this);
  progress_->setFixedWidth(kProgressWidth);
  bar_->addWidget(progress_);
  diagnose_ =
      addButton("Diagnose", "Lowers every operation by itself and tries fixes (Ctrl+Shift+D)");
  survey_ = addButton(
      "Survey all targets",
      QString("Also tests which operations %1 support (Ctrl+Shift+A)").arg(diagnosis.allTargets()));
  messageButton()->hide();
  setRows(model_);
  view()->setRootIsDecorated(true);
  view()->setIndentation(appearance.scaled(2 * kGrid));
  view()->setItemDelegate(new ProblemDelegate(appearance, view()));
  setWidths({{ProblemsModel::Operation, 56},
             {ProblemsModel::Class, 16},
             {ProblemsModel::Count, 7},
             {ProblemsModel::Targets, 18}},
            15);
  connect(&problems, &ProblemsPresenter::changed, this, &ProblemsPage::refresh);
  connect(&problems, &ProblemsPresenter::textChanged, this, &ProblemsPage::refreshText);
  connect(&selection, &SelectionPresenter::changed, this, &ProblemsPage::follow);
  connect(this, &TablePage::chosen, this, &ProblemsPage::select);
  refresh();
}

QToolButton* ProblemsPage::addToBar(QAction* action) {
  QToolButton* button = addButton({}, {});
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonTextOnly);
  return button;
}

void ProblemsPage::refresh() {
  std::set<QString> open;
  for (int row = 0; row < model_.rowCount(); ++row)
    if (view()->isExpanded(model_.index(row, 0)))
      open.insert(model_.index(row, 0).data(ProblemsModel::kOperationRole).toString());
  quiet_ = true;
  model_.setProblems(problems_.problems());
  for (const QString& operation : open) view()->expand(model_.indexOf(operation));
  quiet_ = false;
  refreshText();
  follow(selection_.current());
}

void ProblemsPage::refreshText() {
  setMessage(problems_.emptyText());
  const WorkState& state = diagnosis_.state();
  setSummary(problems_.summary());
  QStringList tip{problems_.summary()};
  tip += problems_.conclusions();
  summary_->setToolTip(tip.join('\n'));
  showProgress(*progress_, state.running, state.fraction);
  const QString diagnoseText = diagnosis_.diagnosis() ? "Diagnose again" : "Diagnose";
  diagnose_->setText(state.running ? "Cancel" : diagnoseText);
  diagnose_->setEnabled(state.running || diagnosis_.possible());
  survey_->setEnabled(diagnosis_.possible());
}

void ProblemsPage::step(int direction) {
  const int count = model_.rowCount();
  if (count == 0) return;
  QModelIndex now = view()->currentIndex();
  if (now.parent().isValid()) now = now.parent();
  const int first = direction > 0 ? 0 : count - 1;
  select(model_.index(now.isValid() ? (now.row() + direction + count) % count : first, 0));
}

void ProblemsPage::select(const QModelIndex& index) {
  if (!index.isValid()) return;
  Selection selection;
  selection.problem = index.data(ProblemsModel::kOperationRole).toString();
  selection.part = index.data(ProblemsModel::kPartRole).toInt();
  selection.nodes = model_.nodesOf(index);
  selection.origin = Origin::Problem;
  selection_.select(selection);
}

void ProblemsPage::follow(const Selection& selection) {
  QModelIndex at;
  if (!selection.problem.isEmpty()) at = model_.indexOf(selection.problem, selection.part);
  else if (const int row = selection.nodes.size() == 1 ? problems_.indexAt(selection.node()) : -1;
           row >= 0)
    at = model_.index(row, 0);
  showRow(at, selection_.following());
}

}  // namespace fxs::ui
