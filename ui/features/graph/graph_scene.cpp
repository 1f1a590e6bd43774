// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/graph_scene.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "layout/box_parts.h"
#include "text/node_text.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr double kBand = 400;
constexpr std::size_t kMostTips = 3, kMostListed = 12;
constexpr double kCoarse =
    9;  // above this tolerance (zoomed out), hits do not distinguish the parts of a box

QPainterPath pathOf(const std::vector<layout::Point>& spline) {
  QPainterPath path;
  if (spline.size() < 4) return path;
  path.moveTo(spline[0].x, spline[0].y);
  for (std::size_t i = 1; i + 2 < spline.size(); i += 3)
    path.cubicTo(spline[i].x, spline[i].y, spline[i + 1].x, spline[i + 1].y, spline[i + 2].x,
                 spline[i + 2].y - (i + 3 == spline.size() ? 5 : 0));
  return path;
}

/// Whether a curve passes within `reach` of a point; approximates each segment by a few lines.
bool passesBy(const std::vector<layout::Point>& spline, QPointF point, double reach) {
  constexpr int kLines = 12;
  for (std::size_t i = 0; i + 3 < spline.size(); i += 3) {
    QPointF from(spline[i].x, spline[i].y);
    for (int k = 1; k <= kLines; ++k) {
      const double t = static_cast<double>(k) / kLines, s = 1 - t;
      const double a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
      const QPointF to(
          a * spline[i].x + b * spline[i + 1].x + c * spline[i + 2].x + d * spline[i + 3].x,
          a * spline[i].y + b * spline[i + 1].y + c * spline[i + 2].y + d * spline[i + 3].y);
      const QPointF along = to - from, off = point - from;
      const double length = QPointF::dotProduct(along, along);
      const double at =
          length > 0 ? std::clamp(QPointF::dotProduct(off, along) / length, 0.0, 1.0) : 0;
      const QPointF away = off - along * at;
      if (QPointF::dotProduct(away, away) <= reach * reach) return true;
      from = to;
    }
  }
  return false;
}

bool contains(const layout::Rect& rect, QPointF point) { return toQt(rect).contains(point); }

}  // namespace

QRectF toQt(const layout::Rect& rect) { return {rect.x, rect.y, rect.width, rect.height}; }

GraphScene::GraphScene(GraphPicture picture) : picture_(std::move(picture)) {
  if (empty()) return;
  bounds_ = toQt(layout().bounds);
  marks_.resize(view().boxes.size());
  for (const layout::PlacedEdge& edge : layout().edges) {
    curves_.push_back(pathOf(edge.spline));
    QRectF around = curves_.back().controlPointRect().adjusted(-4, -4, 4, 8);
    if (edge.label.width > 0) around |= toQt(edge.label);
    curveBounds_.push_back(around);
  }
  index();
}

void GraphScene::index() {
  buckets_.resize(static_cast<std::size_t>(bounds_.height() / kBand) + 1);
  for (std::size_t i = 0; i < layout().boxes.size(); ++i)
    put(&Bucket::boxes, i, boxRect(i).adjusted(-12, -12, 12, 12));
  for (std::size_t i = 0; i < curveBounds_.size(); ++i) put(&Bucket::edges, i, curveBounds_[i]);
  for (std::size_t i = 0; i < layout().stubs.size(); ++i)
    put(&Bucket::stubs, i, toQt(layout().stubs[i].pill).adjusted(-16, -30, 16, 30));
  for (std::size_t i = 0; i < layout().frames.size(); ++i)
    put(&Bucket::frames, i, toQt(layout().frames[i]));
}

std::pair<std::size_t, std::size_t> GraphScene::bucketsOf(const QRectF& rect) const {
  const auto band = [&](double y) {
    return std::min(buckets_.size() - 1, static_cast<std::size_t>(std::max(0.0, y / kBand)));
  };
  return {band(rect.top()), band(rect.bottom())};
}

void GraphScene::put(std::vector<std::size_t> Bucket::* list, std::size_t item,
                     const QRectF& rect) {
  const auto [first, last] = bucketsOf(rect);
  for (std::size_t i = first; i <= last; ++i) (buckets_[i].*list).push_back(item);
}

GraphScene::Visible GraphScene::visible(const QRectF& rect) const {
  Visible seen;
  if (empty()) return seen;
  const auto [first, last] = bucketsOf(rect);
  const auto collect = [&](std::vector<std::size_t> Bucket::* list, std::vector<std::size_t>& out,
                           auto&& rectOf) {
    for (std::size_t i = first; i <= last; ++i)
      for (std::size_t item : buckets_[i].*list)
        if (rectOf(item).intersects(rect)) out.push_back(item);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  };
  collect(&Bucket::boxes, seen.boxes,
          [&](std::size_t i) { return boxRect(i).adjusted(-12, -12, 12, 12); });
  collect(&Bucket::edges, seen.edges, [&](std::size_t i) { return curveBounds_[i]; });
  collect(&Bucket::stubs, seen.stubs,
          [&](std::size_t i) { return toQt(layout().stubs[i].pill).adjusted(-16, -30, 16, 30); });
  collect(&Bucket::frames, seen.frames, [&](std::size_t i) { return toQt(layout().frames[i]); });
  return seen;
}

GraphHit GraphScene::hitIn(std::size_t box, QPointF point) const {
  using Kind = GraphHit::Kind;
  const layout::BoxParts parts = layout::partsOf(view().boxes[box], layout().boxes[box]);
  if (parts.badge && toQt(*parts.badge).adjusted(-4, -4, 4, 4).contains(point))
    return {Kind::BoxBadge, box, 0};
  for (std::size_t chip = 0; chip < parts.chips.size(); ++chip)
    if (parts.chips[chip].node.valid() && contains(parts.chips[chip].pill, point))
      return {Kind::Chip, box, chip};
  return {Kind::Box, box, 0};
}

GraphHit GraphScene::at(QPointF point, double tolerance) const {
  using Kind = GraphHit::Kind;
  const Visible near =
      visible(QRectF(point.x() - tolerance, point.y() - tolerance, 2 * tolerance, 2 * tolerance));
  for (std::size_t stub : near.stubs)
    if (contains(layout().stubs[stub].pill, point)) return {Kind::Stub, stub, 0};
  for (std::size_t box : near.boxes) {
    if (!boxRect(box).contains(point)) continue;
    return tolerance > kCoarse ? GraphHit{Kind::Box, box, 0} : hitIn(box, point);
  }
  for (std::size_t i = near.frames.size(); i-- > 0;) {
    const std::size_t frame = near.frames[i];
    if (contains(layout::partsOf(view().frames[frame], layout().frames[frame]).caption, point))
      return {Kind::FrameCaption, frame, 0};
  }
  for (std::size_t edge : near.edges) {
    const layout::Rect& label = layout().edges[edge].label;
    if (label.width > 0 && contains(label, point)) return {Kind::Edge, edge, 0};
    if (passesBy(layout().edges[edge].spline, point, tolerance)) return {Kind::Edge, edge, 0};
  }
  return {};
}

void GraphScene::setMarks(const MarksByNode& marks) {
  if (empty()) return;
  anyMark_ = false;
  for (BoxMark& mark : marks_) {
    mark.status = mark.flag = Emphasis::None;
    mark.count = 0;
  }
  for (std::size_t node = 0; node < std::min(marks.size(), view().boxOf.size()); ++node) {
    const layout::BoxId box = view().boxOf[node];
    if (!box.valid()) continue;
    BoxMark& mark = marks_[box.index()];
    mark.flag = std::max(mark.flag, marks[node].flag.emphasis);
    const Emphasis status = marks[node].status.emphasis;
    if (status == Emphasis::None) continue;
    if (status > mark.status) mark.count = 0;
    if (status >= mark.status) ++mark.count;
    mark.status = std::max(mark.status, status);
    anyMark_ = true;
  }
}

void GraphScene::setShades(const std::vector<Shade>& shades) {
  if (empty()) return;
  for (BoxMark& mark : marks_) mark.shade = Shade::None;
  std::map<std::pair<std::size_t, Shade>, std::size_t> counts;  // of classes, by box
  for (std::size_t node = 0; node < std::min(shades.size(), view().boxOf.size()); ++node) {
    const layout::BoxId box = view().boxOf[node];
    if (!box.valid()) continue;
    Shade& shade = marks_[box.index()].shade;
    if (isClass(shades[node])) {
      const std::size_t count = ++counts[{box.index(), shades[node]}];
      if (!isClass(shade) || count > counts[{box.index(), shade}]) shade = shades[node];
    } else {
      shade = std::max(shade, shades[node]);
    }
  }
}

void GraphScene::setSelection(const std::vector<fx::NodeId>& nodes) {
  if (empty()) return;
  for (BoxMark& mark : marks_) mark.selected = false;
  for (fx::NodeId node : nodes)
    if (node.valid() && node.index() < view().boxOf.size() && view().boxOf[node.index()].valid())
      marks_[view().boxOf[node.index()].index()].selected = true;
}

std::optional<QRectF> GraphScene::nodeRect(fx::NodeId node) const {
  if (empty() || !node.valid() || node.index() >= view().boxOf.size()) return std::nullopt;
  const layout::BoxId box = view().boxOf[node.index()];
  if (!box.valid()) return std::nullopt;
  return boxRect(box.index());
}

std::optional<QRectF> GraphScene::groupRect(layout::GroupId group) const {
  if (empty() || !group.valid()) return std::nullopt;
  for (std::size_t i = 0; i < view().frames.size(); ++i)
    if (view().frames[i].group == group) return toQt(layout().frames[i]);
  for (const layout::Box& box : view().boxes)
    if (box.group == group) return boxRect(box.id.index());
  return std::nullopt;
}

void GraphScene::sortByDistance(std::vector<std::size_t>& boxes, std::size_t from) const {
  std::sort(boxes.begin(), boxes.end());
  boxes.erase(std::unique(boxes.begin(), boxes.end()), boxes.end());
  const QPointF centre = boxRect(from).center();
  std::stable_sort(boxes.begin(), boxes.end(), [&](std::size_t a, std::size_t b) {
    const QPointF da = boxRect(a).center() - centre, db = boxRect(b).center() - centre;
    return std::hypot(da.x(), da.y()) < std::hypot(db.x(), db.y());
  });
}

std::vector<std::size_t> GraphScene::consumers(std::size_t box) const {
  std::vector<std::size_t> found;
  for (const layout::Edge& edge : view().edges)
    if (edge.from.index() == box) found.push_back(edge.to.index());
  for (const layout::Stub& stub : view().stubs)
    if (stub.outgoing && stub.at.index() == box)
      for (layout::BoxId other : stub.others) found.push_back(other.index());
  sortByDistance(found, box);
  return found;
}

std::vector<std::size_t> GraphScene::producers(std::size_t box) const {
  std::vector<std::size_t> found;
  for (const layout::Edge& edge : view().edges)
    if (edge.to.index() == box) found.push_back(edge.from.index());
  for (const layout::Stub& stub : view().stubs)
    if (!stub.outgoing && stub.at.index() == box)
      for (layout::BoxId other : stub.others) found.push_back(other.index());
  sortByDistance(found, box);
  return found;
}

std::optional<std::size_t> GraphScene::beside(std::size_t box, bool right) const {
  const QRectF from = boxRect(box);
  std::optional<std::size_t> best;
  double nearest = 0;
  for (std::size_t other :
       visible(QRectF(bounds_.left(), from.top(), bounds_.width(), from.height())).boxes) {
    const QRectF rect = boxRect(other);
    const double distance = right ? rect.left() - from.right() : from.left() - rect.right();
    if (other == box || distance < 0 || rect.bottom() < from.top() || rect.top() > from.bottom())
      continue;
    if (best && distance >= nearest) continue;
    best = other;
    nearest = distance;
  }
  return best;
}

QString GraphScene::valueLine(fx::NodeId id) const {
  const fx::Node& node = picture_.program->node(id);
  const std::string label = layout::valueLabel(node.val);
  return text(node.name + (label.empty() ? "" : " : " + label));
}

QStringList GraphScene::groupLines(const layout::Box& box) const {
  const layout::Group& group = picture_.tree->group(box.group);
  QStringList lines{text(group.path.empty() ? group.label : group.path), text(box.subtitle)};
  if (!box.chipText.empty()) lines << text(box.chipText);
  return lines;
}

QStringList GraphScene::nodeLines(const layout::Box& box) const {
  const fx::Node& node = picture_.program->node(box.node);
  QStringList lines{valueLine(box.node)};
  if (node.op == fx::NodeOp::CallFunction) lines << inTipWidth(callText(*picture_.program, node));
  const layout::Group& group = picture_.tree->group(picture_.tree->groupOf[box.node.index()]);
  if (!group.path.empty())
    lines << text("in " + group.path + (group.type.empty() ? "" : " (" + group.type + ")"));
  for (fx::NodeId folded : box.folded) lines << QStringLiteral("  ") + valueLine(folded);
  if (const QString python = pythonLine(*picture_.program, box.node); !python.isEmpty())
    lines << inTipWidth(python);
  return lines;
}

QStringList GraphScene::tipLines(std::size_t box, const MarksByNode& marks) const {
  const std::vector<layout::BoxId>& boxOf = view().boxOf;
  const bool isGroup = view().boxes[box].collapsed();
  QStringList lines;
  std::size_t more = 0;
  for (std::size_t node = 0; node < std::min(marks.size(), boxOf.size()); ++node) {
    if (!boxOf[node].valid() || boxOf[node].index() != box) continue;
    const QString tip = marks[node].tip();
    if (tip.isEmpty()) continue;
    const QString name = isGroup ? text(picture_.program->nodes[node].name) + ": " : QString();
    if (static_cast<std::size_t>(lines.size()) < kMostTips) lines << name + tip;
    else ++more;
  }
  if (more) lines << QStringLiteral(".. and %1 more").arg(more);
  return lines;
}

QStringList GraphScene::describeBox(std::size_t index, const MarksByNode& marks) const {
  const layout::Box& box = view().boxes[index];
  QStringList lines = box.collapsed() ? groupLines(box) : nodeLines(box);
  lines << tipLines(index, marks);
  if (box.collapsed()) lines << QStringLiteral("Double-click to expand");
  return lines;
}

QStringList GraphScene::describeChip(const layout::Chip& chip) const {
  const fx::InputSpec* input = picture_.program->inputOf(chip.node);
  QStringList lines;
  if (input && !input->target.empty()) lines << text(input->target);
  lines << valueLine(chip.node);
  if (input) lines << text(fx::name(input->kind)).replace(QLatin1Char('_'), QLatin1Char(' '));
  if (chip.shared) lines << QStringLiteral("used more than once: shown at each use");
  return lines;
}

QStringList GraphScene::describeStub(const layout::Stub& stub) const {
  QStringList lines{valueLine(stub.value),
                    stub.outgoing ? QStringLiteral("used by:") : QStringLiteral("defined by:")};
  for (std::size_t i = 0; i < std::min(stub.others.size(), kMostListed); ++i)
    lines << QStringLiteral("  ") + text(view().boxes[stub.others[i].index()].title);
  if (stub.others.size() > kMostListed)
    lines << QStringLiteral("  .. and %1 more").arg(stub.others.size() - kMostListed);
  lines << QStringLiteral("Click to go there");
  return lines;
}

QStringList GraphScene::describeFrame(const layout::Frame& frame) const {
  return {text(picture_.tree->group(frame.group).path), text(frame.subtitle),
          QStringLiteral("Double-click to collapse")};
}

QStringList GraphScene::describeEdge(const layout::Edge& edge) const {
  QStringList lines;
  for (std::size_t i = 0; i < std::min(edge.values.size(), kMostListed); ++i)
    lines << valueLine(edge.values[i]);
  if (edge.values.size() > kMostListed)
    lines << QStringLiteral(".. and %1 more").arg(edge.values.size() - kMostListed);
  lines << text(view().boxes[edge.from.index()].title + " → " +
                view().boxes[edge.to.index()].title);
  return lines;
}

QString GraphScene::describe(const GraphHit& hit, const MarksByNode& marks) const {
  return linesAbout(hit, marks).join(QLatin1Char('\n'));
}

QStringList GraphScene::linesAbout(const GraphHit& hit, const MarksByNode& marks) const {
  using Kind = GraphHit::Kind;
  switch (hit.kind) {
    case Kind::Nothing: break;
    case Kind::Box:
    case Kind::BoxBadge: return describeBox(hit.index, marks);
    case Kind::Chip: return describeChip(view().boxes[hit.index].chips[hit.chip]);
    case Kind::Stub: return describeStub(view().stubs[hit.index]);
    case Kind::FrameCaption: return describeFrame(view().frames[hit.index]);
    case Kind::Edge: return describeEdge(view().edges[hit.index]);
  }
  return {};
}

}  // namespace fxs::ui
