#include "features/graph/path_bar.h"

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kWidestStep = 22 * kGrid, kArrow = 12;

}  // namespace

PathBar::PathBar(Appearance& appearance, QWidget* parent) : QWidget(parent), appearance_(appearance) {
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
    button->setText(withoutMnemonic(button->fontMetrics().elidedText(step.label, Qt::ElideMiddle, kWidestStep)));
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

void PathBar::fit() {
  const auto widthOf = [](const Part& part) { return part.button->sizeHint().width() + (part.arrow ? kArrow : 0); };
  int needed = 0;
  for (const Part& part : parts_) needed += widthOf(part);
  std::size_t left = 1;  // steps 1 to left - 1 are hidden
  for (; needed > width() && left + 1 < parts_.size(); ++left) {
    if (left == 1) needed += more_->sizeHint().width();
    needed -= widthOf(parts_[left]);
  }
  if (more_) more_->setVisible(left > 1);
  const bool both = needed <= width() || parts_.size() == 1;  // else only the last
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const bool shown = (i == 0 && both) || i >= left;
    parts_[i].button->setVisible(shown);
    if (parts_[i].arrow) parts_[i].arrow->setVisible(shown);
  }
}

void PathBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

}  // namespace fxs::ui
