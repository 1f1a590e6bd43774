#pragma once
// The moving part of the graph pane: draws the scene under a zoom and an offset, and turns mouse, wheel and keys into intents.
#include <QPointF>
#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

#include "features/graph/graph_scene.h"
#include "features/graph/graph_style.h"

namespace fxs::ui {

class Minimap;

class GraphCanvas : public QWidget {
  Q_OBJECT

 public:
  explicit GraphCanvas(QWidget* parent);

  void setPicture(GraphPicture, layout::GroupId anchor);
  void setMessage(const QString&);
  void setGraphStyle(const GraphStyle&);
  void setStatuses(std::vector<NodeStatus>, std::vector<QString> reasons);
  void setSelection(std::vector<fx::NodeId>);

  const GraphScene& scene() const { return scene_; }
  const GraphStyle& graphStyle() const { return style_; }
  double zoom() const { return zoom_; }
  QRectF toWidget(const QRectF&) const;
  QPointF toScene(const QPointF&) const;
  QRectF visibleScene() const;

  /// Brings a rectangle of the scene into view when it is not; a far one into the middle.
  void reveal(const QRectF&);
  void fit();
  void zoomBy(double factor, std::optional<QPointF> at = std::nullopt);
  void zoomTo(double zoom, QPointF at);

 Q_SIGNALS:
  void nodeClicked(fxs::fx::NodeId node);
  void groupClicked(fxs::layout::GroupId group);
  void groupToggled(fxs::layout::GroupId group);
  void backgroundClicked();
  void zoomChanged(double factor);

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;
  void wheelEvent(QWheelEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void mouseDoubleClickEvent(QMouseEvent*) override;
  void leaveEvent(QEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  bool event(QEvent*) override;

 private:
  void click(const GraphHit&, const QPoint& globalPosition);
  void toggle(const GraphHit&);
  void chooseBox(std::size_t box);
  void jump(std::size_t stub, const QPoint& globalPosition);
  void walk(int key);
  void firstView();
  void moved();
  void placeMinimap();
  void drawMessage(QPainter&) const;

  GraphScene scene_;
  GraphStyle style_;
  QString message_;
  std::vector<NodeStatus> statuses_;
  std::vector<QString> reasons_;
  std::vector<fx::NodeId> selection_;
  std::optional<std::size_t> cursor_;  ///< the box that keys act on
  double zoom_ = 1;
  QPointF offset_;      ///< widget position of the scene's origin
  bool fitted_ = true;  ///< nothing moved yet: a resize fits again
  QPointF pressedAt_;
  QPointF draggedFrom_;
  bool pressed_ = false, dragging_ = false;
  Minimap* minimap_;
};

}  // namespace fxs::ui
