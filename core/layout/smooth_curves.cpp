#include "layout/smooth_curves.h"

#include <algorithm>
#include <cmath>

namespace fxs::layout {
namespace {

constexpr double kClearance = 7;      // from other nodes
constexpr int kProbes = 24;
constexpr double kSteep = 1.1;        // a bend may run sideways this many times as far as it goes down, and a little

double at(double a, double b, double c, double d, double t) {
  const double s = 1 - t;
  return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
}

}  // namespace

void smoothCurves(const FlatGraph& graph, FlatPlacement& placed) {
  std::vector<Rect> nodes;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    nodes.push_back({placed.nodes[i].x - kClearance, placed.nodes[i].y - 1, graph.nodes[i].width + 2 * kClearance, graph.nodes[i].height + 2});
  std::vector<std::size_t> byTop(nodes.size());
  for (std::size_t i = 0; i < byTop.size(); ++i) byTop[i] = i;
  std::sort(byTop.begin(), byTop.end(), [&](std::size_t a, std::size_t b) { return nodes[a].y < nodes[b].y; });

  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    std::vector<Point>& curve = placed.edges[e];
    if (curve.size() < 4) continue;
    const Point from = curve.front(), to = curve.back();
    const double down = to.y - from.y;
    if (down <= 0) continue;
    // Far sideways, a bend that fills the whole height is nearly flat in its middle; still better than one that turns back.
    const double lever = down * (std::abs(to.x - from.x) > kSteep * down + 40 ? 0.62 : 0.5);
    const Point a{from.x, from.y + lever}, b{to.x, to.y - lever};
    const auto blocked = [&] {
      for (std::size_t i : byTop) {
        const Rect& node = nodes[i];
        if (node.y > to.y) break;
        if (node.bottom() < from.y || i == graph.edges[e].from || i == graph.edges[e].to) continue;
        for (int p = 0; p <= kProbes; ++p) {
          const double t = static_cast<double>(p) / kProbes;
          const double x = at(from.x, a.x, b.x, to.x, t), y = at(from.y, a.y, b.y, to.y, t);
          if (x > node.x && x < node.right() && y > node.y && y < node.bottom()) return true;
        }
      }
      return false;
    };
    if (!blocked()) curve = {from, a, b, to};
  }
}

}  // namespace fxs::layout
