// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A GraphPicture indexed for drawing and hit testing: edges as painter paths, a spatial index, and
// marks per box. Independent of widgets. Lengths are layout units, one pixel each at zoom 1.
#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "features/graph/graph_picture.h"
#include "session/marks.h"

namespace fxs::ui {

QRectF toQt(const layout::Rect&);

/// The topmost item at a point.
struct GraphHit {
  enum class Kind : std::uint8_t { Nothing, Box, BoxBadge, Chip, Stub, FrameCaption, Edge };
  Kind kind = Kind::Nothing;
  std::size_t index = 0;  ///< of the box, stub, frame or edge
  std::size_t chip = 0;   ///< index into the box's chips
};

struct BoxMark {
  Emphasis status = Emphasis::None;
  std::size_t count = 0;  ///< nodes in the box with this status
  bool selected = false;
  Shade shade = Shade::None;
  Emphasis flag = Emphasis::None;
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

  void setMarks(const MarksByNode&);
  /// By NodeId index; nodes past the end have none.
  void setShades(const std::vector<Shade>&);
  void setSelection(const std::vector<fx::NodeId>&);
  const BoxMark& mark(std::size_t box) const { return marks_[box]; }
  const QPainterPath& curve(std::size_t edge) const { return curves_[edge]; }

  /// Indices of the items that intersect a rectangle, in drawing order.
  struct Visible {
    std::vector<std::size_t> boxes, edges, stubs, frames;
  };
  Visible visible(const QRectF&) const;
  /// `tolerance`: how far from an edge still hits it, in scene units.
  GraphHit at(QPointF, double tolerance) const;

  QRectF boxRect(std::size_t box) const { return toQt(layout().boxes[box]); }
  std::optional<QRectF> nodeRect(fx::NodeId) const;
  std::optional<QRectF> groupRect(layout::GroupId) const;
  /// Boxes that use the results of a box, or whose results it uses, nearest first; includes cut
  /// edges.
  std::vector<std::size_t> consumers(std::size_t box) const;
  std::vector<std::size_t> producers(std::size_t box) const;
  /// The next box in the same row; nullopt at its end.
  std::optional<std::size_t> beside(std::size_t box, bool right) const;

  /// Plain text for a tool tip; `marks` by NodeId index.
  QString describe(const GraphHit&, const MarksByNode& marks) const;

 private:
  struct Bucket {
    std::vector<std::size_t> boxes, edges, stubs, frames;
  };
  void index();
  void put(std::vector<std::size_t> Bucket::* list, std::size_t item, const QRectF&);
  std::pair<std::size_t, std::size_t> bucketsOf(const QRectF&) const;
  /// The badge or a chip of a box, or else the box.
  GraphHit hitIn(std::size_t box, QPointF) const;
  QStringList linesAbout(const GraphHit&, const MarksByNode& marks) const;
  QStringList describeBox(std::size_t box, const MarksByNode& marks) const;
  QStringList describeChip(const layout::Chip&) const;
  QStringList describeStub(const layout::Stub&) const;
  QStringList describeFrame(const layout::Frame&) const;
  QStringList describeEdge(const layout::Edge&) const;
  QStringList groupLines(const layout::Box&) const;
  QStringList nodeLines(const layout::Box&) const;
  QStringList tipLines(std::size_t box, const MarksByNode& marks) const;
  QString valueLine(fx::NodeId) const;
  void sortByDistance(std::vector<std::size_t>& boxes, std::size_t from) const;

  GraphPicture picture_;
  QRectF bounds_;
  std::vector<QPainterPath> curves_;
  std::vector<QRectF> curveBounds_;
  std::vector<BoxMark> marks_;
  bool anyMark_ = false;
  std::vector<Bucket> buckets_;  // horizontal bands of equal height
};

}  // namespace fxs::ui
