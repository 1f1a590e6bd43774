// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/smooth_curves.h"

#include <algorithm>
#include <cmath>

namespace fxs::layout {
namespace {

constexpr double kClearance = 7;         // from other nodes
constexpr std::size_t kManyEdges = 600;  // per level; more are not smoothed
constexpr double kProbeStep = 12;        // between tested points of a curve
double at(double a, double b, double c, double d, double t) {
  const double s = 1 - t;
  return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
}

/// Straight down, sideways between `begin` and `end`, and straight down again; empty if these are
/// not between the two points.
std::vector<Point> bend(Point from, Point to, double begin, double end) {
  if (begin < from.y || end > to.y) return {};
  std::vector<Point> curve{from};
  const auto lineTo = [&](Point next) {
    const double y = curve.back().y;
    if (next.y - y > 0.5)
      curve.insert(curve.end(),
                   {{next.x, y + (next.y - y) / 3}, {next.x, y + (next.y - y) * 2 / 3}, next});
  };
  lineTo({from.x, begin});
  const double top = curve.back().y,
               lever = (end - top) * (std::abs(to.x - from.x) > (end - top) + 40 ? 0.62 : 0.5);
  const double bottom = to.y - end > 0.5 ? end : to.y;
  curve.insert(curve.end(), {{from.x, top + lever}, {to.x, bottom - lever}, {to.x, bottom}});
  lineTo(to);
  return curve;
}

std::vector<Point> probesOf(const std::vector<Point>& curve) {
  std::vector<Point> samples;
  for (std::size_t piece = 0; piece + 3 < curve.size(); piece += 3) {
    const Point* p = &curve[piece];
    const int count = std::clamp(
        static_cast<int>((std::abs(p[3].x - p[0].x) + p[3].y - p[0].y) / kProbeStep), 8, 400);
    for (int i = 0; i <= count; ++i) {
      const double t = static_cast<double>(i) / count;
      samples.push_back(
          {at(p[0].x, p[1].x, p[2].x, p[3].x, t), at(p[0].y, p[1].y, p[2].y, p[3].y, t)});
    }
  }
  return samples;
}

struct Obstacle {
  std::size_t node;
  Rect rect;
};

/// All nodes with their clearance, sorted by top.
std::vector<Obstacle> obstaclesOf(const FlatGraph& graph, const FlatPlacement& placed) {
  std::vector<Obstacle> out;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    out.push_back({i,
                   {placed.nodes[i].x - kClearance, placed.nodes[i].y + 1,
                    graph.nodes[i].width + 2 * kClearance, graph.nodes[i].height - 2}});
  std::sort(out.begin(), out.end(),
            [](const Obstacle& a, const Obstacle& b) { return a.rect.y < b.rect.y; });
  return out;
}

/// Those that a curve of the edge could touch.
std::vector<Rect> obstaclesNear(const std::vector<Obstacle>& all, const FlatGraph::Edge& edge,
                                Point from, Point to) {
  const double left = std::min(from.x, to.x), right = std::max(from.x, to.x);
  std::vector<Rect> out;
  for (const auto& [node, rect] : all) {
    if (rect.y > to.y) break;
    const bool isNear = rect.bottom() > from.y && rect.right() > left && rect.x < right;
    if (isNear && node != edge.from && node != edge.to) out.push_back(rect);
  }
  return out;
}

bool isInside(Point point, const Rect& rect) {
  return point.x > rect.x && point.x < rect.right() && point.y > rect.y && point.y < rect.bottom();
}

bool isBlocked(const std::vector<Point>& curve, const std::vector<Rect>& obstacles) {
  if (obstacles.empty()) return false;
  for (const Point& point : probesOf(curve))
    for (const Rect& rect : obstacles)
      if (isInside(point, rect)) return true;
  return false;
}

}  // namespace

void smoothCurves(const FlatGraph& graph, FlatPlacement& placed) {
  if (graph.edges.size() > kManyEdges) return;
  const std::vector<Obstacle> all = obstaclesOf(graph, placed);
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    std::vector<Point>& curve = placed.edges[e];
    if (curve.size() < 4) continue;
    const Point from = curve.front(), to = curve.back();
    const double down = to.y - from.y;
    if (down <= 0) continue;
    const std::vector<Rect> near = obstaclesNear(all, graph.edges[e], from, to);
    // Try one bend over the whole length, a bend at the end, and a bend at the beginning.
    const double aside = std::abs(to.x - from.x);
    for (const std::vector<Point>& tried :
         {bend(from, to, from.y, to.y), bend(from, to, to.y - std::max(kRowGap, aside * 0.6), to.y),
          bend(from, to, to.y - kRowGap, to.y),
          bend(from, to, from.y, from.y + std::max(kRowGap, aside * 0.6)),
          bend(from, to, from.y, from.y + kRowGap)}) {
      if (tried.empty() || isBlocked(tried, near)) continue;
      curve = tried;
      break;
    }
  }
}

}  // namespace fxs::layout
