// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An overview of the whole graph with the visible part outlined; clicking or dragging moves the
// view. Width and height are scaled independently, because a graph can be a hundred times as tall
// as wide.
#include <QPixmap>
#include <QWidget>

#include "features/graph/graph_scene.h"
#include "features/graph/graph_style.h"

namespace fxs::ui {

class Minimap : public QWidget {
  Q_OBJECT

 public:
  Minimap(const GraphScene& scene, const GraphStyle& style, QWidget* parent);

  /// Call after a change of scene, marks or style.
  void refresh();
  /// The visible part, in scene coordinates.
  void setView(const QRectF&);
  /// The size in pixels for a canvas of size `space`; empty if everything is in view or there is no
  /// graph.
  QSize wanted(const QSize& space) const;

 Q_SIGNALS:
  void wentTo(QPointF scenePoint);

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;

 private:
  QPointF toScene(const QPointF&) const;
  const GraphScene& scene_;
  const GraphStyle& style_;
  QRectF view_;
  QPixmap picture_;
};

}  // namespace fxs::ui
