#pragma once
// The whole graph in a corner, with the part in view outlined; a click or drag goes there. Scales each direction by itself, so
// that a graph a hundred times as high as wide is still a picture.
#include <QPixmap>
#include <QWidget>

#include "features/graph/graph_scene.h"
#include "features/graph/graph_style.h"

namespace fxs::ui {

class Minimap : public QWidget {
  Q_OBJECT

 public:
  Minimap(const GraphScene& scene, const GraphStyle& style, QWidget* parent);

  /// After a change of scene, marks or style.
  void refresh();
  /// The part in view, in scene coordinates.
  void setView(const QRectF&);
  /// The size it wants inside a canvas of `space`; empty when all is in view or there is nothing.
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
