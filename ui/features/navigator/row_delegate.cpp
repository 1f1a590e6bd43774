// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/navigator/row_delegate.h"

#include <QPainter>
#include <array>

#include "features/navigator/node_list_model.h"
#include "widgets/mark_sign.h"

namespace fxs::ui {
QSize RowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  return SignDelegate::sizeHint(option, index) + QSize(2 * appearance_.scaled(kSign) + kGrid, 0);
}

void RowDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  option->textElideMode = index.column() == 0 ? Qt::ElideMiddle : Qt::ElideRight;
  if (const QVariant isMatch = index.data(kMatchRole); isMatch.isValid()) {
    option->font.setBold(isMatch.toBool());
    if (isMatch.toBool()) option->backgroundBrush = appearance_.color(Role::FindMatch);
    else ink(option, Role::Skipped);
    if (!isMatch.toBool() && index.column() > 0) return;
  }
  if (index.column() > 0) return ink(option, Role::TextMuted);
  const QString icon = index.data(kIconRole).toString();
  if (!icon.isEmpty())
    sign(option, icon, icon == "input" || icon == "output" ? Role::Accent : Role::TextMuted);
}

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
  const auto* marks = index.data(kMarksRole).value<const NodeMarks*>();
  std::array<const Mark*, 2> signs{};  // from the right
  std::size_t count = 0;
  if (marks && index.column() == 0)
    for (const Mark* each : {&marks->status, &marks->flag})
      if (each->emphasis != Emphasis::None) signs[count++] = each;
  const int side = appearance_.scaled(kSign), step = side + kGrid / 2;
  const int width = static_cast<int>(count) * step;
  QStyleOptionViewItem narrower = option;
  narrower.rect.setRight(option.rect.right() - width);
  QStyledItemDelegate::paint(painter, narrower, index);
  if (width > 0 && (option.state & QStyle::State_Selected))
    painter->fillRect(
        QRect(narrower.rect.right() + 1, option.rect.y(), width, option.rect.height()),
        appearance_.color(Role::AccentSoft));
  QRect at(option.rect.right() - side, option.rect.center().y() - side / 2, side, side);
  for (std::size_t i = 0; i < count; ++i, at.translate(-step, 0))
    appearance_.icon(signs[i]->icon, roleOf(signs[i]->emphasis)).paint(painter, at);
}

}  // namespace fxs::ui
