// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The graph widget: shows a laid-out GraphView, with a minimap in the corner. The wheel zooms at
// the cursor, dragging pans, Space fits, arrows follow edges, + and - zoom, Enter or a double click
// expands or collapses a group. GraphPresenter computes the layout.
#include <QString>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "features/graph/graph_picture.h"
#include "features/graph/graph_style.h"
#include "session/marks.h"

namespace fxs::ui {

class GraphCanvas;

class GraphPane : public QWidget {
  Q_OBJECT

 public:
  explicit GraphPane(QWidget* parent = nullptr);
  ~GraphPane() override;

  /// Shows a picture. `anchor`: the group just expanded or collapsed, which keeps its place on the
  /// screen; without one the view is reset, then scrolled to the selected node.
  void setPicture(GraphPicture, layout::GroupId anchor = {});
  /// Shows the next of a series of pictures, such as one pass after another, in the same view: in
  /// place if both are parts of one whole, else `now` is where `before` was, if both are drawn.
  void setNextPicture(GraphPicture, fx::NodeId before, fx::NodeId now);
  /// Shows a centred line ("Laying out 2,369 nodes …") over the dimmed picture, if there is one; ""
  /// removes it.
  void setMessage(const QString&);
  const QString& message() const;
  void setGraphStyle(const GraphStyle&);
  const GraphStyle& graphStyle() const;
  /// Of the nodes of the picture.
  void setMarks(MarksByNode);
  /// By NodeId index; nodes past the end have no colour of their own.
  void setShades(std::vector<Shade>);
  /// A node inside a collapsed group marks the group. Emits no signal.
  void setSelection(std::vector<fx::NodeId>, layout::GroupId group = {});
  /// Scrolls to the selected group, else to the first selected node, if it is not in view.
  void revealSelection();
  /// Scrolls to the box of a node if it is not in view.
  void centreOn(fx::NodeId);
  void centreOnGroup(layout::GroupId);

  const GraphPicture& picture() const;
  double zoom() const;  ///< pixels per unit of the layout; GraphStyle::textScale is actual size
  /// Where a node is drawn, in widget pixels; nullopt if it is not drawn.
  std::optional<QRectF> nodeRect(fx::NodeId) const;
  std::optional<QRectF> groupRect(
      layout::GroupId) const;  ///< of its box when collapsed, else of its frame

  /// Writes the whole graph to a file. On failure returns false and sets `reason`.
  bool saveSvg(const QString& path, QString* reason = nullptr) const;
  /// `scale`: pixels per scene unit, reduced where a side would exceed 16384 pixels.
  bool savePng(const QString& path, double scale = 2, QString* reason = nullptr) const;

 public Q_SLOTS:
  void fit();
  void zoomIn();
  void zoomOut();
  void zoomToActualSize();

 Q_SIGNALS:
  void nodeClicked(fxs::fx::NodeId node);
  void groupClicked(fxs::layout::GroupId group);
  /// Asks to expand a collapsed group or collapse an expanded one.
  void groupToggled(fxs::layout::GroupId group);
  void backgroundClicked();
  /// `node`: under the cursor; invalid if there is none.
  void menuRequested(fxs::fx::NodeId node, const QPoint& globalPosition);
  void zoomChanged(double factor);  ///< 1: actual size

 private:
  GraphCanvas* canvas_;
};

}  // namespace fxs::ui
