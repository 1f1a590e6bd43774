// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Draws a GraphScene in the window, the minimap and exported files. Text and edges too small to
// read are left out, so that a zoomed-out graph is a map of its modules.
#include <QRectF>

#include "features/graph/graph_scene.h"
#include "features/graph/graph_style.h"

class QPainter;

namespace fxs::ui {

class GraphPainter {
 public:
  GraphPainter(const GraphScene& scene, const GraphStyle& style) : scene_(scene), style_(style) {}

  /// Draws what intersects `visible`. The painter's transform maps scene units to `zoom` device
  /// pixels each. `cursor`: index of the box with the keyboard cursor, drawn raised.
  void paint(QPainter&, const QRectF& visible, double zoom,
             std::optional<std::size_t> cursor = std::nullopt) const;
  /// Draws frames, boxes and marks as plain rectangles, for an image of a few hundred pixels.
  void paintOverview(QPainter&, double scaleX, double scaleY) const;

 private:
  struct Sharpness {
    bool titles, details, edges, rounded;
  };
  void frames(QPainter&, const std::vector<std::size_t>&, double zoom) const;
  void captions(QPainter&, const std::vector<std::size_t>&, double zoom,
                const QRectF& visible) const;
  void edges(QPainter&, const std::vector<std::size_t>&, double zoom) const;
  void stub(QPainter&, std::size_t, Sharpness) const;
  void box(QPainter&, std::size_t, Sharpness, double zoom, bool cursor) const;
  struct Outline {
    QColor color;
    double width;
  };
  Outline outlineOf(const layout::Box&, const BoxMark&, bool cursor) const;
  QColor farFill(const layout::Box&, const BoxMark&, const Outline&) const;
  void glow(QPainter&, const QRectF& box, double radius, double zoom) const;
  void contents(QPainter&, std::size_t index, Sharpness, const QColor& muted) const;
  void signs(QPainter&, const QRectF& box, const BoxMark&, bool group, double size) const;
  QColor colorOf(Emphasis) const;
  std::optional<QColor> fillOf(Shade) const;
  void sign(QPainter&, const QPointF& at, const BoxMark&, bool group, double size) const;
  void flagSign(QPainter&, const QPointF& at, Emphasis, double size) const;
  void badge(QPainter&, const QRectF&, bool plus) const;

  const GraphScene& scene_;
  const GraphStyle& style_;
};

}  // namespace fxs::ui
