// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/path_bar.h"

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kWidestStep = 22 * kGrid, kArrow = 12;  ///< pixels, times the text scale
constexpr int kLeastLetters = 3;                      ///< of a step that is elided

}  // namespace

PathBar::PathBar(Appearance& appearance, QWidget* parent)
    : QWidget(parent), appearance_(appearance) {
  row_ = makeBox<QHBoxLayout>(0);
  setLayout(row_);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void PathBar::setSteps(std::vector<PathStep> steps) {
  while (QLayoutItem* item = row_->takeAt(0)) {
    if (item->widget()) {
      item->widget()->hide();
      item->widget()->deleteLater();
    }
    delete item;
  }
  parts_.clear();
  more_ = nullptr;
  steps_ = std::move(steps);
  for (const PathStep& step : steps_) {
    QLabel* arrow = nullptr;
    if (!parts_.empty()) {
      arrow = new QLabel(this);
      arrow->setPixmap(pixmap(appearance_, "chevron-right", Role::TextMuted, kArrow, this));
      row_->addWidget(arrow);
    }
    if (parts_.size() == 1) {
      more_ = makeLabel(appearance_, " … ", TextSize::Body, "muted", this);
      more_->setToolTip(labels().join(" › "));
      row_->addWidget(more_);
    }
    auto* button = new QToolButton(this);
    button->setToolTip(step.tip.isEmpty() ? step.label : step.tip);
    button->setAccessibleName("Module " + step.label);
    connect(button, &QToolButton::clicked, this, step.chosen);
    row_->addWidget(button);
    parts_.push_back({arrow, button});
  }
  row_->addStretch(1);
  fit();
}

QStringList PathBar::labels() const {
  QStringList all;
  for (const PathStep& step : steps_) all << step.label;
  return all;
}

void PathBar::setLabel(std::size_t step, int width) {
  QToolButton* button = parts_[step].button;
  button->setText(withoutMnemonic(
      button->fontMetrics().elidedText(steps_[step].label, Qt::ElideMiddle, width)));
}

void PathBar::fit() {
  const int arrow = appearance_.scaled(kArrow);
  const auto widthOf = [arrow](const Part& part) {
    return part.button->sizeHint().width() + (part.arrow ? arrow : 0);
  };
  int needed = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    setLabel(i, appearance_.scaled(kWidestStep));
    needed += widthOf(parts_[i]);
  }
  std::size_t left = 1;  // steps 1 to left - 1 are hidden
  for (; needed > width() && left + 1 < parts_.size(); ++left) {
    if (left == 1) needed += more_->sizeHint().width();
    needed -= widthOf(parts_[left]);
  }
  if (more_) more_->setVisible(left > 1);
  const bool both = needed <= width() || parts_.size() == 1;  // else only the last
  for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i].show((i == 0 && both) || i >= left);
  if (needed <= width() || parts_.empty()) return;
  if (!both) needed -= widthOf(parts_.front());
  shortenLast(needed - width());
}

/// Not even the last step fits: shortened, or hidden, which "…" says.
void PathBar::shortenLast(int excess) {
  const Part& last = parts_.back();
  setLabel(parts_.size() - 1,
           last.button->fontMetrics().horizontalAdvance(last.button->text()) - excess);
  if (parts_.size() > 1 && last.button->text().size() < kLeastLetters) last.show(false);
}

void PathBar::Part::show(bool on) const {
  button->setVisible(on);
  if (arrow) arrow->setVisible(on);
}

void PathBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

}  // namespace fxs::ui
