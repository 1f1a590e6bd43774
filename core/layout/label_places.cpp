// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/label_places.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "layout/text_metrics.h"

namespace fxs::layout {
namespace {

constexpr double kCell = 96, kSample = 7, kBeside = 5;
constexpr double kLongest = 4'000;  // of a curve; the rest is ignored

/// A spatial index of rectangles.
class Occupied {
 public:
  void add(const Rect& rect) {
    cells(rect, [&](std::uint64_t cell) {
      grid_[cell].push_back(rect);
      return false;
    });
  }
  bool free(const Rect& rect) const {
    return !cells(rect, [&](std::uint64_t cell) {
      const auto found = grid_.find(cell);
      return found != grid_.end() &&
             std::any_of(found->second.begin(), found->second.end(),
                         [&](const Rect& other) { return other.overlaps(rect); });
    });
  }

 private:
  template <class Visit>
  static bool cells(const Rect& rect, Visit visit) {
    const auto cell = [](double at) { return static_cast<std::int64_t>(std::floor(at / kCell)); };
    for (std::int64_t y = cell(rect.y); y <= cell(rect.bottom()); ++y)
      for (std::int64_t x = cell(rect.x); x <= cell(rect.right()); ++x)
        if (visit((static_cast<std::uint64_t>(y) << 32) ^
                  (static_cast<std::uint64_t>(x) & 0xFFFFFFFFu)))
          return true;
    return false;
  }
  std::unordered_map<std::uint64_t, std::vector<Rect>> grid_;
};

Point on(const std::vector<Point>& spline, std::size_t piece, double t) {
  const Point* p = spline.data() + 3 * piece;
  const double s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
  return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
          a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

/// Points along a curve, about kSample apart.
std::vector<Point> samplesOf(const std::vector<Point>& spline) {
  std::vector<Point> samples;
  double length = 0;
  for (std::size_t piece = 0; 3 * piece + 3 < spline.size() && length < kLongest; ++piece) {
    const Point a = spline[3 * piece], b = spline[3 * piece + 3];
    const double chord = std::hypot(b.x - a.x, b.y - a.y);
    const int steps = std::clamp(static_cast<int>(chord / kSample) + 1, 1, 400);
    for (int i = samples.empty() ? 0 : 1; i <= steps; ++i)
      samples.push_back(on(spline, piece, static_cast<double>(i) / steps));
    length += chord;
  }
  return samples;
}

}  // namespace

void placeStubs(const GraphView& view, GraphLayout& layout) {
  for (std::size_t begin = 0; begin < view.stubs.size();) {
    const Stub& first = view.stubs[begin];
    std::size_t end = begin;
    double height = -kStubSpacing;
    for (; end < view.stubs.size() && view.stubs[end].at == first.at &&
           view.stubs[end].outgoing == first.outgoing;
         ++end)
      height += view.stubs[end].height + kStubSpacing;
    const Rect& box = layout.boxes[first.at.index()];
    double y = box.centreY() - height / 2;
    for (std::size_t i = begin; i < end; ++i) {
      const Stub& stub = view.stubs[i];
      const double x = stub.outgoing ? box.right() + kStubGap : box.x - kStubGap - stub.width;
      const Rect pill{x, y, stub.width, stub.height};
      layout.stubs.push_back({pill,
                              {stub.outgoing ? box.right() : box.x,
                               std::clamp(pill.centreY(), box.y + 6, box.bottom() - 6)}});
      y += stub.height + kStubSpacing;
    }
    begin = end;
  }
}

void placeLabels(const GraphView& view, GraphLayout& layout) {
  Occupied occupied;
  for (const Rect& box : layout.boxes) occupied.add(box);
  for (const PlacedStub& stub : layout.stubs) occupied.add(stub.pill);
  for (std::size_t i = 0; i < view.frames.size(); ++i)
    occupied.add(
        {layout.frames[i].x, layout.frames[i].y, view.frames[i].captionWidth, kCaptionHeight});
  std::vector<std::vector<Point>> samples;
  for (const PlacedEdge& edge : layout.edges) {
    samples.push_back(samplesOf(edge.spline));
    for (const Point& point : samples.back()) occupied.add({point.x - 1, point.y - 3, 2, 6});
  }
  std::set<std::pair<BoxId, std::string_view>> shown;
  for (std::size_t i = 0; i < layout.edges.size(); ++i) {
    PlacedEdge& placed = layout.edges[i];
    const Edge& edge = view.edges[placed.edge];
    placed.label = {};
    if (edge.label.empty() || shown.contains({edge.from, edge.label})) continue;
    const double width = textWidth(edge.label, kSmallSize);
    const std::vector<Point>& along = samples[i];
    for (std::size_t at = 1; at < along.size() && placed.label.width == 0; ++at) {
      const double y = along[at].y - kLabelHeight / 2;
      for (const double x : {along[at].x + kBeside, along[at].x - kBeside - width}) {
        const Rect rect{x, y, width, kLabelHeight};
        if (!occupied.free(rect)) continue;
        placed.label = rect;
        occupied.add(rect);
        shown.emplace(edge.from, edge.label);
        break;
      }
    }
  }
}

}  // namespace fxs::layout
