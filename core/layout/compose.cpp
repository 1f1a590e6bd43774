// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/compose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>

#include "layout/levels.h"
#include "layout/smooth_curves.h"
#include "layout/split_levels.h"

namespace fxs::layout {
namespace {

constexpr std::size_t kMostItems = 180;  // per level; larger levels are split
// Edges to the next row are kept straight, and longer ones may curve around rows (dot does the
// opposite by default). Frames are aligned at their centres, because their ports can be anywhere
// and a stack of layers would drift sideways.
constexpr int kNextRowWeight = 6, kStackWeight = 9;
constexpr double kFramePadding = 16, kCaption = 26, kPortRow = 8, kMargin = 16;

/// One level, which becomes a FlatGraph: its items, and the values that enter and leave it, by
/// producing box.
struct Level {
  FlatGraph graph;
  std::map<std::size_t, std::size_t> enters, leaves;  // making box -> node
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t>
      edges;  // from, making box, to -> edge
  std::shared_ptr<const FlatPlacement> placed;
  double width = 0, height = 0;  // of the frame
  Point content;                 // where the placement begins in the frame
  Point origin;                  // where the placement begins in the picture
};

struct Step {
  std::size_t level, edge;
};

std::string keyOf(const FlatGraph& graph) {
  std::string key;
  auto to = std::back_inserter(key);
  for (const auto& node : graph.nodes) {
    fmt::format_to(to, "{:.1f},{:.1f},{:.1f},{}", node.width, node.height, node.centre,
                   static_cast<int>(node.row));
    for (double x : node.inPorts) fmt::format_to(to, "i{:.1f}", x);
    for (double x : node.outPorts) fmt::format_to(to, "o{:.1f}", x);
    key += ';';
  }
  for (const auto& edge : graph.edges)
    fmt::format_to(to, "{},{},{},{},{},{};", edge.from, edge.to, edge.fromPort, edge.toPort,
                   edge.drawn ? 1 : 0, edge.weight);
  return key;
}

class Composer {
 public:
  Composer(const LayoutProblem& problem, FlatEngine& engine)
      : split_(splitLevels(problem, kMostItems)),
        engine_(engine),
        levels_(levelsOf()),
        level_(levels_.levelCount()) {}

  Result<LayoutAnswer> run(const LayoutProblem& original) {
    addItems();
    addLinks();
    for (std::size_t level = levels_.levelCount() - 1; level-- > 0;) FXS_CHECK(place(level));
    FXS_CHECK(place(levels_.top()));
    return answer(original);
  }

 private:
  const LayoutProblem& problem() const { return split_.problem; }

  Levels levelsOf() const {
    std::vector<std::size_t> frames, parents;
    for (const auto& box : problem().boxes) frames.push_back(box.frame);
    for (const auto& frame : problem().frames) parents.push_back(frame.parent);
    return Levels(frames, parents);
  }

  void addItems() {
    node_.resize(levels_.itemCount());
    for (std::size_t level = 0; level < levels_.levelCount(); ++level) {
      for (std::size_t item : levels_.itemsOf(level)) {
        FlatGraph::Node node;
        if (!levels_.isFrame(item)) {
          const auto& box = problem().boxes[item];
          node.width = box.left + box.width + box.right;
          node.height = std::max(box.height, box.tall);
          node.centre = box.left + box.width / 2;
        }
        node_[item] = level_[level].graph.nodes.size();
        level_[level].graph.nodes.push_back(std::move(node));
      }
    }
  }

  std::size_t port(std::map<std::size_t, std::size_t>& ports, FlatGraph& graph, std::size_t maker,
                   FlatGraph::Row row) {
    const auto [entry, isNew] = ports.try_emplace(maker, graph.nodes.size());
    if (isNew) graph.nodes.push_back({2, 1, 1, {}, {}, row});
    return entry->second;
  }

  /// `fromFrame` and `toFrame`: the end is a frame, whose port is that of the maker's value.
  Step connect(std::size_t level, std::size_t from, bool fromFrame, std::size_t to, bool toFrame,
               std::size_t maker) {
    Level& at = level_[level];
    const auto [entry, isNew] = at.edges.try_emplace({from, maker, to}, at.graph.edges.size());
    // The maker identifies the port until the frame is placed.
    if (isNew)
      at.graph.edges.push_back({from, to, fromFrame ? maker : FlatGraph::kNoPort,
                                toFrame ? maker : FlatGraph::kNoPort, true, 1});
    return {level, entry->second};
  }

  void addLinks() {
    std::map<std::tuple<std::size_t, std::size_t, std::size_t>, bool>
        kept;  // hidden, by level and both ends
    for (const auto& link : problem().links) {
      const Levels::Crossing crossing = levels_.crossing(link.from, link.to);
      steps_.emplace_back();
      if (!link.drawn) {
        kept[{crossing.level, node_[crossing.from], node_[crossing.to]}] = true;
        continue;
      }
      std::size_t from = node_[link.from];
      bool fromFrame = false;
      for (std::size_t frame : crossing.leaves) {
        Level& inside = level_[frame];
        const std::size_t out = port(inside.leaves, inside.graph, link.from, FlatGraph::Row::Last);
        steps_.back().push_back(connect(frame, from, fromFrame, out, false, link.from));
        from = node_[levels_.itemOfFrame(frame)];
        fromFrame = true;
      }
      steps_.back().push_back(connect(crossing.level, from, fromFrame, node_[crossing.to],
                                      levels_.isFrame(crossing.to), link.from));
      for (std::size_t i = 0; i < crossing.enters.size(); ++i) {
        Level& inside = level_[crossing.enters[i]];
        const std::size_t in = port(inside.enters, inside.graph, link.from, FlatGraph::Row::First);
        const bool innermost = i + 1 == crossing.enters.size();
        const std::size_t to =
            innermost ? node_[link.to] : node_[levels_.itemOfFrame(crossing.enters[i + 1])];
        steps_.back().push_back(connect(crossing.enters[i], in, false, to, !innermost, link.from));
      }
    }
    for (const auto& [ends, unused] : kept) {
      const auto& [level, from, to] = ends;
      level_[level].graph.edges.push_back(
          {from, to, FlatGraph::kNoPort, FlatGraph::kNoPort, false, 0});
    }
  }

  /// Places a level, after its frames: sets the sizes of the frames and the ports of their edges.
  Result<> place(std::size_t level) {
    Level& at = level_[level];
    std::vector<std::pair<std::map<std::size_t, std::size_t>, std::map<std::size_t, std::size_t>>>
        ports(at.graph.nodes.size());
    for (std::size_t item : levels_.itemsOf(level)) {
      if (!levels_.isFrame(item)) continue;
      const Level& inside = level_[levels_.frameOf(item)];
      FlatGraph::Node& node = at.graph.nodes[node_[item]];
      node.width = inside.width;
      node.height = inside.height;
      node.centre = inside.width / 2;
      const auto sorted = [&](const std::map<std::size_t, std::size_t>& makers,
                              std::vector<double>& xs, std::map<std::size_t, std::size_t>& index) {
        std::vector<std::pair<double, std::size_t>> positions;
        for (const auto& [maker, port] : makers)
          positions.emplace_back(inside.content.x + inside.placed->nodes[port].x + 1, maker);
        std::sort(positions.begin(), positions.end());
        for (const auto& [x, maker] : positions) {
          index[maker] = xs.size();
          xs.push_back(x);
        }
      };
      sorted(inside.enters, node.inPorts, ports[node_[item]].first);
      sorted(inside.leaves, node.outPorts, ports[node_[item]].second);
    }
    for (FlatGraph::Edge& edge : at.graph.edges) {
      if (edge.fromPort != FlatGraph::kNoPort)
        edge.fromPort = ports[edge.from].second.at(edge.fromPort);
      if (edge.toPort != FlatGraph::kNoPort) edge.toPort = ports[edge.to].first.at(edge.toPort);
    }
    weigh(at.graph);
    std::shared_ptr<const FlatPlacement>& known = placed_[keyOf(at.graph)];
    if (!known) {
      FXS_TRY(FlatPlacement placement, engine_.place(at.graph));
      smoothCurves(at.graph, placement);
      known = std::make_shared<const FlatPlacement>(std::move(placement));
    }
    at.placed = known;
    at.width = known->width;
    at.height = known->height;
    if (level == levels_.top() || split_.invisible[level]) return {};
    const double above = at.enters.empty() ? kCaption + kPortRow : kPortRow,
                 below = at.leaves.empty() ? kFramePadding : 0;
    at.width = std::max(known->width + 2 * kFramePadding, problem().frames[level].captionWidth);
    at.height = above + known->height + below;
    at.content = {(at.width - known->width) / 2, above};
    return {};
  }

  /// Assigns rows by longest path; items are in topological order, and ports have a separate row.
  static void weigh(FlatGraph& graph) {
    std::vector<std::vector<std::size_t>> after(graph.nodes.size());
    for (const auto& edge : graph.edges) after[edge.from].push_back(edge.to);
    std::vector<std::size_t> row(graph.nodes.size(), 0);
    for (std::size_t node = 0; node < graph.nodes.size(); ++node)
      if (graph.nodes[node].row == FlatGraph::Row::Any)
        for (std::size_t to : after[node]) row[to] = std::max(row[to], row[node] + 1);
    std::set<std::pair<std::size_t, std::size_t>> stacked;
    for (FlatGraph::Edge& edge : graph.edges) {
      if (!edge.drawn || (graph.nodes[edge.from].row == FlatGraph::Row::First
                              ? row[edge.to] != 0
                              : row[edge.to] != row[edge.from] + 1))
        continue;
      edge.weight = kNextRowWeight;
      if (edge.fromPort == FlatGraph::kNoPort || edge.toPort == FlatGraph::kNoPort) continue;
      edge.weight = 1;
      stacked.emplace(edge.from, edge.to);
    }
    for (const auto& [from, to] : stacked)
      graph.edges.push_back(
          {from, to, FlatGraph::kNoPort, FlatGraph::kNoPort, false, kStackWeight});
  }

  LayoutAnswer answer(const LayoutProblem& original) {
    LayoutAnswer out;
    Level& top = level_[levels_.top()];
    top.origin = {kMargin, kMargin};
    out.width = top.width + 2 * kMargin;
    out.height = top.height + 2 * kMargin;
    std::vector<Rect> frames;
    for (std::size_t frame = 0; frame < levels_.frameCount(); ++frame) {
      Level& inside = level_[frame];
      const std::size_t item = levels_.itemOfFrame(frame);
      const Level& around = level_[levels_.levelOf(item)];
      const Point corner = around.placed->nodes[node_[item]];
      frames.push_back(
          {around.origin.x + corner.x, around.origin.y + corner.y, inside.width, inside.height});
      inside.origin = {frames.back().x + inside.content.x, frames.back().y + inside.content.y};
    }
    for (std::size_t i = 0; i < original.frames.size(); ++i)
      out.frames.push_back(frames[split_.frameNow[i]]);
    for (std::size_t box = 0; box < levels_.boxCount(); ++box) {
      const Level& around = level_[levels_.levelOf(box)];
      const Point corner = around.placed->nodes[node_[box]];
      const auto& size = problem().boxes[box];
      out.boxes.push_back(
          {around.origin.x + corner.x + size.left,
           around.origin.y + corner.y + (std::max(size.height, size.tall) - size.height) / 2});
    }
    for (std::size_t i = 0; i < original.links.size(); ++i) {
      out.links.emplace_back();
      if (original.links[i].drawn) out.links.back() = path(original.links[i], steps_[i], out);
    }
    return out;
  }

  /// The steps of a link in the picture's coordinates, joined by straight pieces where frames have
  /// a border.
  std::vector<Point> path(const LayoutProblem::Link& link, const std::vector<Step>& steps,
                          const LayoutAnswer& out) const {
    const auto& from = problem().boxes[link.from];
    const auto& to = problem().boxes[link.to];
    std::vector<Point> path{
        {out.boxes[link.from].x + from.width / 2, out.boxes[link.from].y + from.height}};
    const auto lineTo = [&](Point end) {
      const Point begin = path.back();
      if (std::abs(begin.x - end.x) < 0.05 && std::abs(begin.y - end.y) < 0.05) return;
      path.push_back({begin.x + (end.x - begin.x) / 3, begin.y + (end.y - begin.y) / 3});
      path.push_back({begin.x + (end.x - begin.x) * 2 / 3, begin.y + (end.y - begin.y) * 2 / 3});
      path.push_back(end);
    };
    for (const Step& step : steps) {
      const Level& level = level_[step.level];
      const std::vector<Point>& curve = level.placed->edges[step.edge];
      for (std::size_t p = 0; p < curve.size(); ++p) {
        const Point at{curve[p].x + level.origin.x, curve[p].y + level.origin.y};
        if (p == 0) lineTo(at);
        else path.push_back(at);
      }
    }
    lineTo({out.boxes[link.to].x + to.width / 2, out.boxes[link.to].y});
    return path;
  }

  SplitProblem split_;
  FlatEngine& engine_;
  Levels levels_;
  std::vector<Level> level_;
  std::vector<std::size_t> node_;         // by item: its node on its level
  std::vector<std::vector<Step>> steps_;  // by link
  std::unordered_map<std::string, std::shared_ptr<const FlatPlacement>> placed_;
};

}  // namespace

Result<LayoutAnswer> composeLayout(const LayoutProblem& problem, FlatEngine& engine) {
  return Composer(problem, engine).run(problem);
}

}  // namespace fxs::layout
