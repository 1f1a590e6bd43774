// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The zoomable viewport of the graph pane: draws the scene at a zoom and offset, and turns mouse,
// wheel and key events into signals.
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
  void setNextPicture(GraphPicture, fx::NodeId before, fx::NodeId now);
  void setMessage(const QString&);
  const QString& message() const { return message_; }
  void setGraphStyle(const GraphStyle&);
  void setMarks(MarksByNode marks);
  void setShades(std::vector<Shade>);
  void setSelection(std::vector<fx::NodeId>, layout::GroupId group);

  const GraphScene& scene() const { return scene_; }
  const GraphStyle& graphStyle() const { return style_; }
  double zoom() const { return zoom_; }  ///< pixels per scene unit
  QRectF toWidget(const QRectF&) const;
  QPointF toScene(const QPointF&) const;
  QRectF visibleScene() const;

  /// Scrolls to a rectangle of the scene if it is not in view; centres it if it is far away.
  void reveal(const QRectF&);
  /// Of the selected group, else of the first node.
  void revealSelection();
  void fit();
  /// `at`: the point that stays fixed, in widget pixels; the centre by default.
  void zoomBy(double factor, std::optional<QPointF> at = std::nullopt);
  void zoomTo(double zoom, QPointF at);

 Q_SIGNALS:
  void nodeClicked(fxs::fx::NodeId node);
  void groupClicked(fxs::layout::GroupId group);
  void groupToggled(fxs::layout::GroupId group);
  void backgroundClicked();
  void menuRequested(fxs::fx::NodeId node, const QPoint& globalPosition);
  void zoomChanged(double factor);  ///< 1: actual size

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;
  void wheelEvent(QWheelEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void mouseMoveEvent(QMouseEvent*) override;
  void mouseReleaseEvent(QMouseEvent*) override;
  void mouseDoubleClickEvent(QMouseEvent*) override;
  void contextMenuEvent(QContextMenuEvent*) override;
  void leaveEvent(QEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  bool event(QEvent*) override;

 private:
  void click(const GraphHit&, const QPoint& globalPosition);
  void toggle(const GraphHit&);
  void chooseBox(std::size_t box);
  void jump(std::size_t stub, const QPoint& globalPosition);
  void walk(int key);
  void scrollPages(double pages);
  /// Expands or collapses the group at the keyboard cursor; false without one.
  bool toggleAtCursor();
  void take(GraphPicture);
  void firstView();
  void moved();
  void placeMinimap();
  void drawMessage(QPainter&) const;

  GraphScene scene_;
  GraphStyle style_;
  QString message_;
  MarksByNode marks_;
  std::vector<Shade> shades_;
  std::vector<fx::NodeId> selection_;
  layout::GroupId selectedGroup_;
  std::optional<std::size_t> cursor_;  ///< index of the box that keys act on
  double zoom_ = 1;
  QPointF offset_;      ///< widget position of the scene's origin
  bool fitted_ = true;  ///< not moved since fit(): a resize fits again
  QPointF pressedAt_;
  QPointF draggedFrom_;
  bool pressed_ = false, dragging_ = false;
  Minimap* minimap_;
};

}  // namespace fxs::ui
