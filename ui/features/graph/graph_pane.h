#pragma once
// The graph of the window: shows a laid-out GraphView as a map. Wheel zooms at the cursor, drag pans, Space fits, arrows walk
// along edges, + and - zoom, Enter or double click opens or closes a group; a minimap in the corner. It shows what it is given
// and says what the person wants; laying out is the presenter's job.
#include <QString>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "features/graph/graph_picture.h"
#include "features/graph/graph_style.h"

namespace fxs::ui {

class GraphCanvas;

class GraphPane : public QWidget {
  Q_OBJECT

 public:
  explicit GraphPane(QWidget* parent = nullptr);
  ~GraphPane() override;

  /// A new picture. `anchor`: the group that was just opened or closed stays where it is on the screen; without one the picture
  /// is fitted when the program is a new one, and the view is kept otherwise.
  void setPicture(GraphPicture, layout::GroupId anchor = {});
  /// A line in the middle that says why there is no picture ("Laying out 2369 nodes .."). An existing picture stays, dimmed, below it; ""
  /// ends it.
  void setMessage(const QString&);
  void setGraphStyle(const GraphStyle&);
  const GraphStyle& graphStyle() const;
  /// By NodeId; shorter than the program means Neutral for the rest. `reasons` (same index, may be empty) show on hover.
  void setStatuses(std::vector<NodeStatus> statuses, std::vector<QString> reasons = {});
  /// Nodes inside collapsed groups mark their group. Emits nothing.
  void setSelection(std::vector<fx::NodeId>);
  /// Brings the box of a node into view when it is not; does nothing when it is.
  void centreOn(fx::NodeId);
  void centreOnGroup(layout::GroupId);

  const GraphPicture& picture() const;
  double zoom() const;
  /// Where a node is drawn, in this widget's pixels; nothing when it is not drawn.
  std::optional<QRectF> nodeRect(fx::NodeId) const;
  std::optional<QRectF> groupRect(layout::GroupId) const;  ///< its box, or its frame

  /// The whole picture as a file; false with the reason in `why` when it could not be written.
  bool saveSvg(const QString& path, QString* why = nullptr) const;
  /// Large pictures are scaled down to 16384 pixels a side.
  bool savePng(const QString& path, double scale = 2, QString* why = nullptr) const;

 public Q_SLOTS:
  void fit();
  void zoomIn();
  void zoomOut();
  void zoomToActualSize();

 Q_SIGNALS:
  void nodeClicked(fxs::fx::NodeId node);
  void groupClicked(fxs::layout::GroupId group);
  /// Open it when it is collapsed, close it when it is expanded.
  void groupToggled(fxs::layout::GroupId group);
  void backgroundClicked();
  void zoomChanged(double factor);

 private:
  GraphCanvas* canvas_;
};

}  // namespace fxs::ui
