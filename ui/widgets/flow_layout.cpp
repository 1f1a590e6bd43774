// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/flow_layout.h"

#include <QWidget>
#include <algorithm>

namespace fxs::ui {

FlowLayout::FlowLayout(int spacing, QMargins margins) {
  setSpacing(spacing);
  setContentsMargins(margins);
}

FlowLayout::~FlowLayout() {
  for (QLayoutItem* item : items_) delete item;
}

void FlowLayout::insertWidget(int index, QWidget* widget) {
  addChildWidget(widget);
  items_.insert(items_.begin() + std::min(index, count()), new QWidgetItem(widget));
  invalidate();
}

void FlowLayout::addFilling(QWidget* widget, int least) {
  filling_ = widget;
  least_ = least;
  addWidget(widget);
}

QLayoutItem* FlowLayout::itemAt(int index) const {
  return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)] : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
  QLayoutItem* item = itemAt(index);
  if (item) items_.erase(items_.begin() + index);
  return item;
}

QSize FlowLayout::sizeHint() const {
  int width = 0, height = 0;
  for (const QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;
    width += item->sizeHint().width() + spacing();
    height = std::max(height, item->sizeHint().height());
  }
  const QMargins around = contentsMargins();
  return {width + around.left() + around.right(), height + around.top() + around.bottom()};
}

QSize FlowLayout::minimumSize() const {
  QSize least;
  for (const QLayoutItem* item : items_)
    if (!item->isEmpty()) least = least.expandedTo(item->minimumSize());
  const QMargins around = contentsMargins();
  return least + QSize(around.left() + around.right(), around.top() + around.bottom());
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool moves) const {
  const QRect inner = rect.marginsRemoved(contentsMargins());
  std::vector<QLayoutItem*> row;
  int used = 0, top = inner.top();
  const auto isFilling = [this](const QLayoutItem* item) { return item->widget() == filling_; };
  const auto place = [&] {
    int height = 0;
    for (const QLayoutItem* item : row) height = std::max(height, item->sizeHint().height());
    int x = inner.left();
    for (QLayoutItem* item : row) {
      const int width = isFilling(item) ? least_ + std::max(0, inner.width() - used)
                                        : std::min(item->sizeHint().width(), inner.width());
      const int tall = item->sizeHint().height();
      if (moves)
        item->setGeometry(
            QRect(x, top + (height - tall) / 2, std::min(width, inner.width()), tall));
      x += width + spacing();
    }
    top += row.empty() ? 0 : height + spacing();
    row.clear();
    used = 0;
  };
  for (QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;
    const int width = isFilling(item) ? least_ : item->sizeHint().width();
    if (!row.empty() && used + spacing() + width > inner.width()) place();
    used += width + (row.empty() ? 0 : spacing());
    row.push_back(item);
  }
  place();
  return top - (top > inner.top() ? spacing() : 0) - rect.top() + contentsMargins().bottom();
}

}  // namespace fxs::ui
