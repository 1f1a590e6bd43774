#include "features/navigator/row_delegate.h"

#include <QPainter>

#include "features/navigator/node_list_model.h"

namespace fxs::ui {
QSize RowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  return SignDelegate::sizeHint(option, index) + QSize(appearance_.scaled(kSign) + kGrid, 0);
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
  if (!icon.isEmpty()) sign(option, icon, icon == "input" || icon == "output" ? Role::Accent : Role::TextMuted);
}

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const auto standing = static_cast<Standing>(index.data(kStandingRole).toInt());
  const bool marked = index.column() == 0 && standing != Standing::Neutral;
  const int side = appearance_.scaled(kSign);
  QStyleOptionViewItem narrower = option;
  if (marked) narrower.rect.setRight(option.rect.right() - side - kGrid / 2);
  QStyledItemDelegate::paint(painter, narrower, index);
  if (!marked) return;
  if (option.state & QStyle::State_Selected)
    painter->fillRect(QRect(narrower.rect.right() + 1, option.rect.y(), side + kGrid / 2, option.rect.height()),
                      appearance_.color(Role::AccentSoft));
  const QRect at(option.rect.right() - side, option.rect.center().y() - side / 2, side, side);
  const bool blocked = standing == Standing::Blocked;
  appearance_.icon(blocked ? "error" : "warning", blocked ? Role::Error : Role::Warning).paint(painter, at);
}

}  // namespace fxs::ui
