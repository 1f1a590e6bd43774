// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/lit/lit_detail.h"

#include <QHeaderView>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

#include "widgets/sign_delegate.h"

namespace fxs::ui {
namespace {

constexpr int kCheckWidth = 34 * kGrid, kLineWidth = 6 * kGrid;

class CheckDelegate final : public SignDelegate {
 public:
  using SignDelegate::SignDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const auto outcome =
        static_cast<CheckRow::Outcome>(index.data(ChecksModel::kOutcomeRole).toInt());
    const bool failed = outcome == CheckRow::Outcome::Failed;
    if (index.column() == ChecksModel::Check) {
      if (failed) sign(option, "error", Role::Error);
      else if (outcome == CheckRow::Outcome::Waiting) sign(option, "skipped", Role::Skipped);
      else sign(option, "done", Role::Success);
      option->font = appearance_.mono(TextSize::Small);
      return ink(option, failed ? Role::Error : Role::Text);
    }
    if (index.column() == ChecksModel::Output) option->font = appearance_.mono(TextSize::Small);
    option->textElideMode = Qt::ElideRight;
    ink(option, failed ? Role::Error : Role::TextMuted);
  }
};

}  // namespace

LitDetail::LitDetail(Appearance& appearance, QWidget* parent) : QSplitter(parent) {
  setChildrenCollapsible(false);
  checks_ = makeTable("CHECK lines and what they match", this);
  checks_->setModel(&model_);
  checks_->setItemDelegate(new CheckDelegate(appearance, checks_));
  checks_->header()->setStretchLastSection(true);
  checks_->header()->resizeSection(ChecksModel::Line, appearance.scaled(kLineWidth));
  checks_->header()->resizeSection(ChecksModel::Check, appearance.scaled(kCheckWidth));
  addWidget(checks_);

  auto* right = new QSplitter(Qt::Vertical, this);
  right->setChildrenCollapsible(false);
  auto* top = new QWidget(right);
  auto* column = makeBox<QVBoxLayout>(0);
  title_ = makeElided({}, appearance.sans(TextSize::Small), "muted", top, Qt::ElideRight);
  auto* heading = makeBox<QHBoxLayout>(0);
  heading->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
  heading->addWidget(title_);
  column->addLayout(heading);
  output_ = new CodeView(appearance, top);
  output_->setAccessibleName("Output of the RUN line");
  column->addWidget(output_, 1);
  top->setLayout(column);
  right->addWidget(top);
  message_ = new CodeView(appearance, right);
  message_->setAccessibleName("What failed, or why nothing ran");
  message_->setPlain(true);
  message_->setWrap(true);
  right->addWidget(message_);
  right->setStretchFactor(0, 3);
  right->setStretchFactor(1, 2);
  addWidget(right);
  setStretchFactor(0, 1);
  setStretchFactor(1, 1);

  connect(
      checks_->selectionModel(), &QItemSelectionModel::currentChanged, this,
      [this](const QModelIndex& current) { showMatch(current.isValid() ? current.row() : -1); });
  connect(output_, &CodeView::lineClicked, this,
          [this](std::uint32_t line) { choose(model_.rowOfOutput(line)); });
}

void LitDetail::show(const LitResult& result) {
  model_.setResult(result);
  output_->setCode(result.output);
  title_->setFullText(result.title);
  message_->setCode(CodeText::of(result.message.toStdString()));
  message_->setVisible(!result.message.isEmpty());

  // Marks ascend; rows of CHECK-DAG need not.
  std::vector<int> rows;
  for (int row = 0; row < model_.rowCount(); ++row)
    if (model_.check(row).output) rows.push_back(row);
  const auto rangeOf = [this](int row) { return *model_.check(row).output; };
  std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) {
    return std::pair(rangeOf(a).line, rangeOf(a).begin) <
           std::pair(rangeOf(b).line, rangeOf(b).begin);
  });
  matchOf_.assign(static_cast<std::size_t>(model_.rowCount()), -1);
  std::vector<FindMatch> marks;
  for (const int row : rows) {
    matchOf_[static_cast<std::size_t>(row)] = static_cast<int>(marks.size());
    marks.push_back(rangeOf(row));
  }
  output_->setMatches(std::move(marks));
  choose(model_.failedRow());
}

void LitDetail::choose(int row) {
  if (row < 0) return;
  checks_->setCurrentIndex(model_.index(row, ChecksModel::Check));
  checks_->scrollTo(checks_->currentIndex());
}

void LitDetail::showMatch(int row) {
  if (row < 0 || row >= static_cast<int>(matchOf_.size())) return;
  output_->setCurrentMatch(matchOf_[static_cast<std::size_t>(row)]);
}

}  // namespace fxs::ui
