// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/navigator/row_delegate.h"

#include <QPainter>

#include "features/navigator/node_list_model.h"

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
  const auto standing = static_cast<Standing>(index.data(kStandingRole).toInt());
  const auto note = static_cast<NoteSign>(index.data(kNoteRole).toInt());
  std::vector<QIcon> signs;  // from the right
  if (index.column() == 0 && standing != Standing::Neutral) {
    const bool blocked = standing == Standing::Blocked;
    signs.push_back(
        appearance_.icon(blocked ? "error" : "warning", blocked ? Role::Error : Role::Warning));
  }
  if (index.column() == 0 && note != NoteSign::None)
    signs.push_back(
        appearance_.icon(note == NoteSign::Text ? "comment" : "bookmarked", Role::Accent));
  const int side = appearance_.scaled(kSign), step = side + kGrid / 2;
  const int width = static_cast<int>(signs.size()) * step;
  QStyleOptionViewItem narrower = option;
  narrower.rect.setRight(option.rect.right() - width);
  QStyledItemDelegate::paint(painter, narrower, index);
  if (width > 0 && (option.state & QStyle::State_Selected))
    painter->fillRect(
        QRect(narrower.rect.right() + 1, option.rect.y(), width, option.rect.height()),
        appearance_.color(Role::AccentSoft));
  QRect at(option.rect.right() - side, option.rect.center().y() - side / 2, side, side);
  for (const QIcon& sign : signs) {
    sign.paint(painter, at);
    at.translate(-step, 0);
  }
}

}  // namespace fxs::ui
