// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/long_edges.h"

#include <algorithm>
#include <limits>
#include <set>

#include "layout/levels.h"

namespace fxs::layout {
namespace {

constexpr std::size_t kSmallReach = 2;  // rows that an edge of a scalar may span
constexpr std::size_t kConstantReach = 2,
                      kConstantUsers =
                          2;  // .. of a producer with no input and more users than this
constexpr std::size_t kBusyReach = 1, kBusyUsers = 7;  // .. of any box with more users than this

constexpr std::size_t kOpenFactor =
    4;  // an edge past expanded frames may span this many times the limit, counting the rows inside

/// `outer`: rows on the level that contains both ends. `longest`: most rows on one level, where a
/// frame is one row. `total`: visible rows, including those inside expanded frames.
struct Span {
  std::size_t outer = 0, longest = 0, total = 0;
};

/// The rows of every level with the height of each, in rows of boxes.
class Rows {
 public:
  Rows(const Levels& levels, const std::vector<std::size_t>& rank) : below_(levels.levelCount()) {
    for (std::size_t level = 0; level < levels.levelCount();
         ++level) {  // the top level is last, frames after their parents
      const std::size_t at =
          level + 1 < levels.levelCount() ? levels.levelCount() - 2 - level : levels.top();
      std::vector<std::size_t> height;
      for (std::size_t item : levels.itemsOf(at)) {
        if (height.size() <= rank[item]) height.resize(rank[item] + 1, 1);
        if (levels.isFrame(item))
          height[rank[item]] = std::max(
              height[rank[item]], std::max<std::size_t>(1, below_[levels.frameOf(item)].back()));
      }
      below_[at].assign(1, 0);
      for (std::size_t rows : height) below_[at].push_back(below_[at].back() + rows);
    }
  }
  std::size_t count(std::size_t level) const { return below_[level].size() - 1; }
  /// Height of rows first .. last-1.
  std::size_t height(std::size_t level, std::size_t first, std::size_t last) const {
    return last > first ? below_[level][last] - below_[level][first] : 0;
  }

 private:
  std::vector<std::vector<std::size_t>> below_;  // by level: heights summed up
};

}  // namespace

Cut cutLongEdges(const GraphView& view, const std::vector<bool>& small, std::size_t longEdge) {
  std::vector<std::size_t> frameOfBox, parentOfFrame;
  for (const Box& box : view.boxes) frameOfBox.push_back(box.frame);
  for (const Frame& frame : view.frames) parentOfFrame.push_back(frame.parent);
  const Levels levels(frameOfBox, parentOfFrame);

  std::vector<Levels::Crossing> crossings;
  std::set<std::pair<std::size_t, std::size_t>> distinct;
  for (const Edge& edge : view.edges) {
    crossings.push_back(levels.crossing(edge.from.index(), edge.to.index()));
    if (edge.from < edge.to) distinct.emplace(crossings.back().from, crossings.back().to);
  }
  const std::vector<std::size_t> rank = ranksOf(levels, {distinct.begin(), distinct.end()});
  const Rows rows(levels, rank);

  std::vector<Span> spans(view.edges.size());
  std::vector<std::size_t> users(view.boxes.size(), 0), inputs(view.boxes.size(), 0);
  for (std::size_t e = 0; e < view.edges.size(); ++e) {
    const Levels::Crossing& crossing = crossings[e];
    const auto add = [&](std::size_t length, std::size_t height) {
      spans[e].longest = std::max(spans[e].longest, length);
      spans[e].total += height;
    };
    // Always true for a verified program; but those of a series of modules (trace/graph_series.h)
    // may go back.
    const bool forward =
        view.edges[e].from < view.edges[e].to && rank[crossing.to] > rank[crossing.from];
    spans[e].outer = forward ? rank[crossing.to] - rank[crossing.from] : 0;
    add(forward ? rank[crossing.to] - rank[crossing.from]
                : std::numeric_limits<std::uint32_t>::max(),
        1 + rows.height(crossing.level, rank[crossing.from] + 1, rank[crossing.to]));
    std::size_t item = view.edges[e].from.index();
    for (std::size_t frame : crossing.leaves) {
      add(rows.count(frame) - 1 - rank[item],
          rows.height(frame, rank[item] + 1, rows.count(frame)));
      item = levels.itemOfFrame(frame);
    }
    item = view.edges[e].to.index();
    for (std::size_t i = crossing.enters.size(); i-- > 0;) {
      add(rank[item], rows.height(crossing.enters[i], 0, rank[item]));
      item = levels.itemOfFrame(crossing.enters[i]);
    }
    ++users[view.edges[e].from.index()];
    ++inputs[view.edges[e].to.index()];
  }

  Cut cut;
  cut.edge.assign(view.edges.size(), false);
  std::vector<std::size_t> kept = inputs;
  const auto drop = [&](std::size_t e) {
    cut.edge[e] = true;
    --kept[view.edges[e].to.index()];
  };
  for (std::size_t e = 0; e < view.edges.size(); ++e)
    if (spans[e].longest > longEdge || spans[e].total / kOpenFactor > longEdge) drop(e);
  // Cut the longest edges first, as long as the box keeps an edge, or is in a separate frame, which
  // is connected below.
  std::vector<std::size_t> byLength;
  for (std::size_t e = 0; e < view.edges.size(); ++e) {
    const std::size_t from = view.edges[e].from.index();
    std::size_t reach = std::numeric_limits<std::size_t>::max();
    if (small[e]) reach = kSmallReach;
    else if (inputs[from] == 0 && users[from] > kConstantUsers && !view.boxes[from].isInput)
      reach = kConstantReach;
    else if (users[from] > kBusyUsers) reach = kBusyReach;
    if (!cut.edge[e] && spans[e].outer > reach) byLength.push_back(e);
  }
  std::stable_sort(byLength.begin(), byLength.end(),
                   [&](std::size_t a, std::size_t b) { return spans[a].total > spans[b].total; });
  for (std::size_t e : byLength)
    if (kept[view.edges[e].to.index()] > 1 || !crossings[e].enters.empty()) drop(e);

  // An item without edges on its level would float to the top.
  std::vector<bool> held(levels.itemCount(), false);
  std::vector<std::size_t> nearest(levels.itemCount(), view.edges.size());
  for (std::size_t e = 0; e < view.edges.size(); ++e) {
    const std::size_t to = crossings[e].to;
    if (!cut.edge[e]) held[to] = true;
    else if (const Edge& edge = view.edges[e]; edge.from > edge.to) continue;
    else if (nearest[to] == view.edges.size() ||
             rank[crossings[e].from] > rank[crossings[nearest[to]].from])
      nearest[to] = e;
  }
  for (std::size_t item = 0; item < levels.itemCount(); ++item)
    if (!held[item] && nearest[item] < view.edges.size())
      cut.order.emplace_back(view.edges[nearest[item]].from, view.edges[nearest[item]].to);
  return cut;
}

}  // namespace fxs::layout
