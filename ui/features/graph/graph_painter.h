#pragma once
// Draws a GraphScene: in the window, the minimap and exported files alike. What would be too small to read is left out, so that a
// picture from afar is a map of modules and not a grey smear.
#include <QRectF>

#include "features/graph/graph_scene.h"
#include "features/graph/graph_style.h"

class QPainter;

namespace fxs::ui {

class GraphPainter {
 public:
  GraphPainter(const GraphScene& scene, const GraphStyle& style) : scene_(scene), style_(style) {}

  /// The painter's transform maps the scene onto the device with `zoom` pixels a unit; only `visible` is drawn. `cursor`: the box
  /// under keyboard or mouse, drawn raised.
  void paint(QPainter&, const QRectF& visible, double zoom, std::optional<std::size_t> cursor = std::nullopt) const;
  /// Frames, boxes and marks as plain rectangles, for a picture of a few hundred pixels.
  void paintOverview(QPainter&, double scaleX, double scaleY) const;

 private:
  struct Sharpness {
    bool titles, details, edges, rounded;
  };
  void frames(QPainter&, const std::vector<std::size_t>&, double zoom) const;
  void captions(QPainter&, const std::vector<std::size_t>&, double zoom, const QRectF& visible) const;
  void edges(QPainter&, const std::vector<std::size_t>&, double zoom) const;
  void stub(QPainter&, std::size_t, Sharpness) const;
  void box(QPainter&, std::size_t, Sharpness, double zoom, bool cursor) const;
  void sign(QPainter&, const QPointF& at, const BoxMark&, bool group, double size) const;
  void badge(QPainter&, const QRectF&, bool plus) const;

  const GraphScene& scene_;
  const GraphStyle& style_;
};

}  // namespace fxs::ui
