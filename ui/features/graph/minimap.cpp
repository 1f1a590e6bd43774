// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/minimap.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "features/graph/graph_painter.h"
#include "widgets/accessible_roles.h"

namespace fxs::ui {
namespace {

constexpr int kWidest = 160, kNarrowest = 36, kLowest = 36, kPadding = 4;
constexpr double kShare = 0.22;  // of the pane's width, at most
constexpr int kLeastPane =
    320;  // width, times GraphStyle::textScale: a narrower pane needs all of it for the graph

}  // namespace

Minimap::Minimap(const GraphScene& scene, const GraphStyle& style, QWidget* parent)
    : QWidget(parent), scene_(scene), style_(style) {
  setAccessibleRole(this, QAccessible::Canvas);
  setAccessibleName(tr("Minimap of the graph"));
  setToolTip(tr("Minimap: click to go there"));
  setCursor(Qt::PointingHandCursor);
}

void Minimap::refresh() {
  picture_ = {};
  update();
}

void Minimap::setView(const QRectF& view) {
  view_ = view;
  update();
}

QSize Minimap::wanted(const QSize& space) const {
  if (scene_.empty() || view_.contains(scene_.bounds()) ||
      space.width() < kLeastPane * style_.textScale)
    return {};
  const double high = space.height() * 0.55,
               ratio = scene_.bounds().width() / scene_.bounds().height();
  const double width = std::clamp(high * ratio, double(kNarrowest),
                                  std::min(double(kWidest), space.width() * kShare));
  const double height = std::clamp(width / ratio, double(kLowest), high);
  return {static_cast<int>(width) + 2 * kPadding, static_cast<int>(height) + 2 * kPadding};
}

QPointF Minimap::toScene(const QPointF& at) const {
  const QRectF& bounds = scene_.bounds();
  return {bounds.left() + (at.x() - kPadding) / (width() - 2 * kPadding) * bounds.width(),
          bounds.top() + (at.y() - kPadding) / (height() - 2 * kPadding) * bounds.height()};
}

void Minimap::paintEvent(QPaintEvent*) {
  if (scene_.empty()) return;
  QPainter painter(this);
  const QRectF inside = QRectF(rect()).adjusted(kPadding, kPadding, -kPadding, -kPadding);
  const double scaleX = inside.width() / scene_.bounds().width(),
               scaleY = inside.height() / scene_.bounds().height();
  const QSize pixels = (QSizeF(size()) * devicePixelRatioF()).toSize();
  if (picture_.size() != pixels) {
    picture_ = QPixmap(pixels);
    picture_.setDevicePixelRatio(devicePixelRatioF());
    picture_.fill(style_.background);
    QPainter inner(&picture_);
    inner.translate(inside.topLeft());
    GraphPainter(scene_, style_).paintOverview(inner, scaleX, scaleY);
  }
  painter.drawPixmap(0, 0, picture_);
  painter.setPen(style_.frameBorder);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
  const QRectF seen = view_.intersected(scene_.bounds());
  QRectF shown(inside.left() + seen.left() * scaleX, inside.top() + seen.top() * scaleY,
               seen.width() * scaleX, std::max(3.0, seen.height() * scaleY));
  QColor veil = style_.accent;
  veil.setAlpha(36);
  painter.fillRect(shown, veil);
  painter.setPen(QPen(style_.accent, 1.5));
  painter.drawRect(shown);
}

void Minimap::mousePressEvent(QMouseEvent* event) { Q_EMIT wentTo(toScene(event->position())); }

void Minimap::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) Q_EMIT wentTo(toScene(event->position()));
}

}  // namespace fxs::ui
