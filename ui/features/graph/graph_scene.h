#pragma once
// A GraphPicture made ready for drawing and asking: curves as painter paths, everything found by place, marks and selection per
// box. Knows nothing of widgets; lengths are the layout's units, a pixel each at a zoom of 1.
#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "features/graph/graph_picture.h"

namespace fxs::ui {

QRectF toQt(const layout::Rect&);

/// What is at a point, the topmost.
struct GraphHit {
  enum class Kind : std::uint8_t { Nothing, Box, BoxBadge, Chip, Stub, FrameCaption, Edge };
  Kind kind = Kind::Nothing;
  std::size_t index = 0;  ///< of the box, stub, frame or edge
  std::size_t chip = 0;   ///< index into the box's chips
};

struct BoxMark {
  NodeStatus status = NodeStatus::Neutral;
  std::size_t count = 0;  ///< nodes in the box with that status
  bool selected = false;
};

class GraphScene {
 public:
  GraphScene() = default;
  explicit GraphScene(GraphPicture);

  const GraphPicture& picture() const { return picture_; }
  bool empty() const { return picture_.empty(); }
  QRectF bounds() const { return bounds_; }
  const layout::GraphView& view() const { return *picture_.view; }
  const layout::GraphLayout& layout() const { return *picture_.layout; }

  void setStatuses(const std::vector<NodeStatus>&);
  void setSelection(const std::vector<fx::NodeId>&);
  const BoxMark& mark(std::size_t box) const { return marks_[box]; }
  const QPainterPath& curve(std::size_t edge) const { return curves_[edge]; }

  /// Boxes, edges, stubs and frames that meet a rectangle, each in drawing order.
  struct Visible {
    std::vector<std::size_t> boxes, edges, stubs, frames;
  };
  Visible visible(const QRectF&) const;
  GraphHit at(QPointF, double tolerance) const;

  QRectF boxRect(std::size_t box) const { return toQt(layout().boxes[box]); }
  std::optional<QRectF> nodeRect(fx::NodeId) const;
  std::optional<QRectF> groupRect(layout::GroupId) const;
  /// The boxes that a box feeds, or is fed by, nearest first; cut edges too.
  std::vector<std::size_t> consumers(std::size_t box) const;
  std::vector<std::size_t> producers(std::size_t box) const;
  /// The next box in the same row; nothing at its end.
  std::optional<std::size_t> beside(std::size_t box, bool right) const;

  /// Plain text for a tooltip; `reasons` by NodeId.
  QString describe(const GraphHit&, const std::vector<QString>& reasons) const;

 private:
  struct Bucket {
    std::vector<std::size_t> boxes, edges, stubs, frames;
  };
  void index();
  void put(std::vector<std::size_t> Bucket::* list, std::size_t item, const QRectF&);
  std::pair<std::size_t, std::size_t> bucketsOf(const QRectF&) const;
  QString describeBox(std::size_t box, const std::vector<QString>& reasons) const;
  QString valueLine(fx::NodeId) const;
  void sortByDistance(std::vector<std::size_t>& boxes, std::size_t from) const;

  GraphPicture picture_;
  QRectF bounds_;
  std::vector<QPainterPath> curves_;
  std::vector<QRectF> curveBounds_;
  std::vector<BoxMark> marks_;
  bool anyMark_ = false;
  std::vector<Bucket> buckets_;  // bands of equal height
};

}  // namespace fxs::ui
