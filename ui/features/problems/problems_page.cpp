#include "features/problems/problems_page.h"

#include <QHeaderView>
#include <QVBoxLayout>
#include <set>

#include "text/words.h"
#include "widgets/sign_delegate.h"

namespace fxs::ui {
namespace {

constexpr int kProgressWidth = 10 * kGrid;

class ProblemDelegate final : public SignDelegate {
 public:
  using SignDelegate::SignDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = index.column() == ProblemsModel::Operation ? Qt::ElideMiddle : Qt::ElideRight;
    const auto severity = static_cast<fx::Severity>(index.data(ProblemsModel::kSeverityRole).toInt());
    const Role role = severity == fx::Severity::Error ? Role::Error : severity == fx::Severity::Warning ? Role::Warning : Role::TextMuted;
    switch (index.column()) {
      case ProblemsModel::Operation:
        return sign(option, severity == fx::Severity::Error ? "error" : severity == fx::Severity::Warning ? "warning" : "note", role);
      case ProblemsModel::Class: ink(option, role); return sign(option, index.data(ProblemsModel::kClassIconRole).toString(), role);
      case ProblemsModel::Count: option->displayAlignment = Qt::AlignRight | Qt::AlignVCenter; break;
      case ProblemsModel::Help:
        if (option->text.isEmpty()) break;
        ink(option, Role::Success);
        return sign(option, index.data(ProblemsModel::kProvedRole).toBool() ? "proved" : "done", Role::Success);
      default: break;
    }
    ink(option, Role::TextMuted);
  }
};

QToolButton* boxed(const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setProperty("boxed", true);
  button->setText(text);
  button->setToolTip(tip);
  return button;
}

}  // namespace

ProblemsPage::ProblemsPage(Appearance& appearance, ProblemsPresenter& problems, DiagnosisPresenter& diagnosis,
                           SelectionPresenter& selection, QWidget* parent)
    : QWidget(parent), problems_(problems), diagnosis_(diagnosis), selection_(selection) {
  auto* box = makeBox<QVBoxLayout>(0);
  bar_ = makeBox<QHBoxLayout>(kGrid);
  bar_->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
  summary_ = new ElidedLabel(this, Qt::ElideRight);
  summary_->setProperty("ink", "muted");
  progress_ = new QProgressBar(this);
  progress_->setTextVisible(false);
  progress_->setFixedWidth(kProgressWidth);
  progress_->setAccessibleName("Progress of the diagnosis");
  diagnose_ = boxed("Diagnose", "Runs every operation by itself and tries what helps (Ctrl+Shift+D)", this);
  survey_ = boxed("Survey all targets", "Also asks which operations linalg-on-tensors, tosa and stablehlo take (Ctrl+Shift+T)", this);
  bar_->addWidget(summary_, 1);
  bar_->addWidget(progress_);
  bar_->addWidget(diagnose_);
  bar_->addWidget(survey_);
  view_ = makeTable(model_, "Problems", this);
  view_->setRootIsDecorated(true);
  view_->setIndentation(2 * kGrid);
  view_->setItemDelegate(new ProblemDelegate(appearance, view_));
  empty_ = makeLabel(appearance, {}, TextSize::Body, "muted", this);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  box->addLayout(bar_);
  box->addWidget(view_, 1);
  box->addWidget(empty_, 1);
  setLayout(box);
  view_->header()->setStretchLastSection(true);
  view_->header()->resizeSection(ProblemsModel::Operation, 48 * kGrid);
  view_->header()->resizeSection(ProblemsModel::Class, 18 * kGrid);
  view_->header()->resizeSection(ProblemsModel::Count, 8 * kGrid);
  view_->header()->resizeSection(ProblemsModel::Targets, 26 * kGrid);
  connect(&problems, &ProblemsPresenter::changed, this, &ProblemsPage::refresh);
  connect(&problems, &ProblemsPresenter::textChanged, this, &ProblemsPage::refreshText);
  connect(&selection, &SelectionPresenter::changed, this, &ProblemsPage::follow);
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
    if (!quiet_ && current.isValid()) select(current);
  });
  connect(view_, &QTreeView::clicked, this, &ProblemsPage::select);
  setFocusProxy(view_);
  refresh();
}

void ProblemsPage::addToBar(QAction* action) {
  QToolButton* button = boxed({}, {}, this);
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonTextOnly);
  bar_->addWidget(button);
}

void ProblemsPage::refresh() {
  std::set<QString> open;
  for (int row = 0; row < model_.rowCount(); ++row)
    if (view_->isExpanded(model_.index(row, 0))) open.insert(model_.index(row, 0).data(ProblemsModel::kOperationRole).toString());
  quiet_ = true;
  model_.setProblems(problems_.problems());
  for (const QString& operation : open) view_->expand(model_.indexOf(operation));
  quiet_ = false;
  refreshText();
  follow(selection_.current());
}

void ProblemsPage::refreshText() {
  const QString why = problems_.emptyText();
  empty_->setText(why);
  empty_->setVisible(!why.isEmpty());
  view_->setVisible(why.isEmpty());
  const DiagnosisState& state = diagnosis_.state();
  summary_->setFullText(problems_.summary());
  QStringList tip{problems_.summary()};
  tip += problems_.conclusions();
  summary_->setToolTip(tip.join('\n'));
  progress_->setVisible(state.running);
  progress_->setRange(0, state.fraction < 0 ? 0 : 1000);
  if (state.fraction >= 0) progress_->setValue(static_cast<int>(state.fraction * 1000));
  diagnose_->setText(state.running ? "Stop" : diagnosis_.diagnosis() ? "Diagnose again" : "Diagnose");
  diagnose_->setEnabled(state.running || diagnosis_.possible());
  survey_->setEnabled(diagnosis_.possible());
}

void ProblemsPage::step(int direction) {
  const int count = model_.rowCount();
  if (count == 0) return;
  QModelIndex now = view_->currentIndex();
  if (now.parent().isValid()) now = now.parent();
  select(model_.index(!now.isValid() ? (direction > 0 ? 0 : count - 1) : (now.row() + direction + count) % count, 0));
}

void ProblemsPage::select(const QModelIndex& index) {
  if (!index.isValid()) return;
  Selection selection;
  selection.problem = index.data(ProblemsModel::kOperationRole).toString();
  selection.part = index.data(ProblemsModel::kPartRole).toInt();
  selection.nodes = model_.nodesOf(index);
  selection.place = Place::Problem;
  selection_.select(std::move(selection));
}

void ProblemsPage::follow(const Selection& selection) {
  quiet_ = true;
  QModelIndex at;
  if (!selection.problem.isEmpty()) at = model_.indexOf(selection.problem, selection.part);
  else if (const int row = selection.nodes.size() == 1 ? problems_.indexAt(selection.node()) : -1; row >= 0) at = model_.index(row, 0);
  if (!at.isValid()) {
    view_->selectionModel()->clear();
  } else {
    view_->selectionModel()->setCurrentIndex(at, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (selection_.following()) view_->scrollTo(at);
  }
  quiet_ = false;
}

}  // namespace fxs::ui
