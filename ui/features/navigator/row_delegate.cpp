// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/navigator/row_delegate.h"

#include <QPainter>
#include <array>

#include "features/navigator/node_list_model.h"
#include "widgets/mark_sign.h"

namespace fxs::ui {
namespace {

Role softOf(Emphasis emphasis) {
  if (emphasis == Emphasis::Error) return Role::ErrorSoft;
  return emphasis == Emphasis::Warning ? Role::WarningSoft : Role::AccentSoft;
}

}  // namespace

QSize RowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  return SignDelegate::sizeHint(option, index) +
         QSize(2 * appearance_.scaled(kSign) + kGrid + widthOf(index.data(kBadgeRole).toString()),
               0);
}

int RowDelegate::widthOf(const QString& badge) const {
  if (badge.isEmpty()) return 0;
  const QFontMetrics metrics(appearance_.sans(TextSize::Small, QFont::DemiBold));
  return metrics.horizontalAdvance(badge) + 2 * kGrid;
}

void RowDelegate::drawBadge(QPainter& painter, const QRect& at, const QString& badge,
                            Emphasis emphasis) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(appearance_.color(softOf(emphasis)));
  const QFont font = appearance_.sans(TextSize::Small, QFont::DemiBold);
  const int high = QFontMetrics(font).height();
  const QRect pill(at.left() + kGrid / 2, at.center().y() - high / 2, at.width() - kGrid, high);
  painter.drawRoundedRect(pill, high / 2.0, high / 2.0);
  painter.setFont(font);
  painter.setPen(appearance_.color(roleOf(emphasis)));
  painter.drawText(pill, Qt::AlignCenter, badge);
  painter.restore();
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
  const QString badge = index.column() == 0 ? index.data(kBadgeRole).toString() : QString();
  const int badgeWidth = widthOf(badge);
  const int width = static_cast<int>(count) * step + badgeWidth;
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
  if (badgeWidth == 0) return;
  const QRect right(narrower.rect.right() + 1, option.rect.y(), badgeWidth, option.rect.height());
  drawBadge(*painter, right, badge, marks ? marks->status.emphasis : Emphasis::None);
}

}  // namespace fxs::ui
