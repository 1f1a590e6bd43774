// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/reading_order.h"

#include <algorithm>

#include "theme/appearance.h"

namespace fxs::ui {
namespace {

bool isBefore(const QWidget* a, const QWidget* b) {
  const QRect first = a->geometry(), second = b->geometry();
  if (first.bottom() <= second.top()) return true;
  if (second.bottom() <= first.top()) return false;
  return first.left() != second.left() ? first.left() < second.left() : first.top() < second.top();
}

/// Of a strip, only the title is.
bool isSeen(const QWidget* widget) {
  return widget->isVisible() && std::min(widget->width(), widget->height()) >= kGrid;
}

void collect(const QWidget* within, std::vector<QWidget*>& found) {
  std::vector<QWidget*> children;
  for (QObject* each : within->children())
    if (auto* child = qobject_cast<QWidget*>(each); child && !child->isWindow() && isSeen(child))
      children.push_back(child);
  for (QWidget* child : inReadingOrder(std::move(children))) {
    if (child->isEnabled() && (child->focusPolicy() & Qt::TabFocus) && !child->focusProxy())
      found.push_back(child);
    collect(child, found);
  }
}

}  // namespace

std::vector<QWidget*> inReadingOrder(std::vector<QWidget*> widgets) {
  // No sort: where three overlap, isBefore() need not be transitive.
  for (std::size_t i = 0; i + 1 < widgets.size(); ++i) {
    const auto rest = widgets.begin() + static_cast<std::ptrdiff_t>(i);
    const auto isFirst = [&](QWidget* each) {
      return std::none_of(rest, widgets.end(), [each](const QWidget* other) {
        return other != each && isBefore(other, each);
      });
    };
    if (const auto first = std::find_if(rest, widgets.end(), isFirst); first != widgets.end())
      std::rotate(rest, first, first + 1);
  }
  return widgets;
}

std::vector<QWidget*> tabOrder(const QWidget* within) {
  std::vector<QWidget*> found;
  collect(within, found);
  return found;
}

}  // namespace fxs::ui
