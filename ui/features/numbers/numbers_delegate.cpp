// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/numbers/numbers_delegate.h"

#include <QPainter>
#include <algorithm>

#include "features/numbers/numbers_model.h"
#include "features/numbers/numbers_sign.h"

namespace fxs::ui {
namespace {

constexpr int kErrorText = 12 * kGrid;  ///< width of the number before its bar
constexpr int kBarHeight = 6;

tensor::Verdict verdictAt(const QModelIndex& index) {
  return static_cast<tensor::Verdict>(index.data(kVerdictRole).toInt());
}

}  // namespace

void NumbersDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
  SignDelegate::paint(painter, option, index);
  const double fraction = index.data(kErrorRole).toDouble();
  QRect track = option.rect.adjusted(appearance_.scaled(kErrorText), 0, -kGrid, 0);
  if (index.column() != columns_.error || !index.data(kErrorRole).isValid() || fraction < 0 ||
      track.width() < 2 * kGrid)
    return;
  track = QRect(track.left(), track.center().y() - kBarHeight / 2 + 1, track.width(), kBarHeight);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  painter->setBrush(appearance_.color(Role::Border));
  painter->drawRoundedRect(track, kBarHeight / 2.0, kBarHeight / 2.0);
  if (const int length = static_cast<int>(fraction * track.width()); length > 0) {
    painter->setBrush(appearance_.color(verdictRole(verdictAt(index), true)));
    painter->drawRoundedRect(
        QRect(track.topLeft(), QSize(std::max(length, kBarHeight), kBarHeight)), kBarHeight / 2.0,
        kBarHeight / 2.0);
  }
  painter->restore();
}

void NumbersDelegate::initStyleOption(QStyleOptionViewItem* option,
                                      const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const bool isHeading = index.model()->hasChildren(index);
  option->textElideMode =
      index.column() < columns_.names && !isHeading ? Qt::ElideMiddle : Qt::ElideRight;
  const bool first = index.data(kFirstRole).toBool();
  if (first || isHeading) option->font.setWeight(QFont::DemiBold);
  const bool hasVerdict = columns_.verdict < 0 ? index.data(kVerdictRole).isValid()
                                               : index.column() == columns_.verdict;
  if (hasVerdict) {
    const bool compared = index.data(kComparedRole).toBool();
    const Role role = verdictRole(verdictAt(index), compared);
    sign(option, verdictIcon(verdictAt(index), compared), role);
    const bool isName = index.column() < columns_.names;
    if (!isName) ink(option, role == Role::Success ? Role::TextMuted : role);
    return;
  }
  if (index.column() > 0 && !first) ink(option, Role::TextMuted);
}

}  // namespace fxs::ui
