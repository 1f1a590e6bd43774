// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/lit/lit_page.h"

#include "widgets/sign_delegate.h"

namespace fxs::ui {
namespace {

Role roleOf(LitMark mark) {
  switch (mark) {
    case LitMark::Passed: return Role::Success;
    case LitMark::Failed: return Role::Error;
    case LitMark::Running: return Role::Accent;
    case LitMark::Waiting:
    case LitMark::NotRun: break;
  }
  return Role::Skipped;
}

class RunLineDelegate final : public SignDelegate {
 public:
  using SignDelegate::SignDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const auto mark = static_cast<LitMark>(index.data(LitRunsModel::kMarkRole).toInt());
    if (index.column() == LitRunsModel::Outcome) {
      sign(option, iconOf(mark), roleOf(mark));
      option->textElideMode = Qt::ElideRight;
      return ink(option, mark == LitMark::Failed ? Role::Error : Role::TextMuted);
    }
    if (index.column() != LitRunsModel::Command) return ink(option, Role::TextMuted);
    option->font = appearance_.mono(TextSize::Small);
    ink(option, Role::Text);
  }
};

}  // namespace

LitPage::LitPage(Appearance& appearance, LitPresenter& lit, QWidget* parent)
    : TablePage(appearance, "RUN lines", {}, "Run the test", parent), lit_(lit) {
  progress_ = makeProgress("Progress of the test", this);
  progress_->setFixedWidth(kProgressWidth);
  bar_->addWidget(progress_);
  all_ = addButton("Run all", "Runs every RUN line whose programs are known");
  one_ = addButton("Run this line", "Runs the chosen RUN line, after those that write its files");
  lower_ = addButton("Lower with this pipeline",
                     "Lowers the module with the pass pipeline of the chosen RUN line");
  setSecondary(lower_);
  setRows(model_);
  view()->setItemDelegate(new RunLineDelegate(appearance, view()));
  setWidths({{LitRunsModel::Line, 6}, {LitRunsModel::Outcome, 20}}, 8);
  detail_ = new LitDetail(appearance, this);
  addBeside(detail_);
  // Commands are read once, results again and again.
  if (auto* both = qobject_cast<QSplitter*>(detail_->parentWidget())) both->setSizes({2000, 5000});

  connect(this, &TablePage::chosen, this, [this](const QModelIndex& row) {
    if (row.isValid()) lit_.choose(row.row());
  });
  connect(&lit, &LitPresenter::rowsChanged, this, &LitPage::refresh);
  connect(&lit, &LitPresenter::stateChanged, this, &LitPage::refreshBar);
  connect(&lit, &LitPresenter::resultChanged, this, [this] {
    detail_->show(lit_.result());
    refresh();
  });
  detail_->show(lit.result());
  refresh();
}

void LitPage::refresh() {
  model_.setRows(lit_.rows());
  setMessage(lit_.emptyText());
  messageButton()->hide();
  if (lit_.current() >= 0 && view()->currentIndex().row() != lit_.current())
    view()->setCurrentIndex(model_.index(lit_.current(), LitRunsModel::Line));
  refreshBar();
}

void LitPage::refreshBar() {
  const WorkState& state = lit_.state();
  QString summary = lit_.summary();
  if (!state.running && !state.message.isEmpty()) summary = "Not run: " + state.message;
  setSummary(summary);
  showProgress(*progress_, state.running, state.fraction);
  all_->setText(state.running ? "Cancel" : "Run all");
  all_->setEnabled(lit_.hasTest());
  const QString reason = lit_.notRunReason(lit_.current());
  one_->setEnabled(!state.running && reason.isEmpty());
  lower_->setEnabled(lit_.hasPipeline(lit_.current()));
}

}  // namespace fxs::ui
