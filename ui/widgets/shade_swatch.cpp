// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/shade_swatch.h"

#include <QPainter>

namespace fxs::ui {
namespace {

constexpr int kSwatchWidth = 3 * kGrid,
              kSwatchHeight = kGrid + kGrid / 2;  ///< times the text scale

Role borderOf(Shade shade) {
  switch (shade) {
    case Shade::Match:
    case Shade::Suspicious: return Role::Warning;
    case Shade::Blocked: return Role::Error;
    default: return Role::GraphNodeBorder;
  }
}

/// The role that is as far from `first` as the shade from `from`.
Role nth(Role first, Shade shade, Shade from) {
  return static_cast<Role>(static_cast<int>(first) + static_cast<int>(shade) -
                           static_cast<int>(from));
}

}  // namespace

Role roleOf(Shade shade) {
  switch (shade) {
    case Shade::Match: return Role::FindMatch;
    case Shade::Blocked: return Role::ErrorSoft;
    case Shade::Suspicious: return Role::WarningSoft;
    case Shade::None:
    case Shade::Dimmed: return Role::GraphNode;
    default: break;
  }
  if (shade >= Shade::Class1) return nth(Role::GraphClass1, shade, Shade::Class1);
  return nth(Role::GraphLevel1, shade, Shade::Level1);
}

QPixmap swatch(const Appearance& appearance, Shade shade, qreal ratio) {
  const QSize size(appearance.scaled(kSwatchWidth), appearance.scaled(kSwatchHeight));
  QPixmap out(size * ratio);
  out.setDevicePixelRatio(ratio);
  out.fill(Qt::transparent);
  QPainter painter(&out);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(appearance.color(roleOf(shade)));
  painter.setPen(appearance.color(borderOf(shade)));
  painter.drawRoundedRect(QRectF(0.5, 0.5, size.width() - 1, size.height() - 1), 3, 3);
  return out;
}

}  // namespace fxs::ui
