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

  void add(std::size_t length, std::size_t height) {
    longest = std::max(longest, length);
    total += height;
  }
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

Levels levelsIn(const GraphView& view) {
  std::vector<std::size_t> frameOfBox, parentOfFrame;
  for (const Box& box : view.boxes) frameOfBox.push_back(box.frame);
  for (const Frame& frame : view.frames) parentOfFrame.push_back(frame.parent);
  return Levels(frameOfBox, parentOfFrame);
}

class EdgeCutter {
 public:
  EdgeCutter(const GraphView& view, const std::vector<bool>& small)
      : view_(view),
        small_(small),
        levels_(levelsIn(view)),
        users_(view.boxes.size(), 0),
        inputs_(view.boxes.size(), 0) {
    std::set<std::pair<std::size_t, std::size_t>> distinct;
    for (const Edge& edge : view.edges) {
      const Levels::Crossing& crossing =
          crossings_.emplace_back(levels_.crossing(edge.from.index(), edge.to.index()));
      if (edge.from < edge.to) distinct.emplace(crossing.from, crossing.to);
      ++users_[edge.from.index()];
      ++inputs_[edge.to.index()];
    }
    rank_ = ranksOf(levels_, {distinct.begin(), distinct.end()});
    const Rows rows(levels_, rank_);
    for (std::size_t e = 0; e < view.edges.size(); ++e) spans_.push_back(spanOf(e, rows));
    kept_ = inputs_;
    cut_.edge.assign(view.edges.size(), false);
  }

  Cut cut(std::size_t longEdge) && {
    for (std::size_t e = 0; e < view_.edges.size(); ++e)
      if (spans_[e].longest > longEdge || spans_[e].total / kOpenFactor > longEdge) drop(e);
    // Cut the longest edges first, as long as the box keeps an edge, or is in a separate frame,
    // which is connected below.
    for (std::size_t e : beyondReach())
      if (kept_[view_.edges[e].to.index()] > 1 || !crossings_[e].enters.empty()) drop(e);
    holdItems();
    return std::move(cut_);
  }

 private:
  Span spanOf(std::size_t e, const Rows& rows) const {
    const Edge& edge = view_.edges[e];
    const Levels::Crossing& crossing = crossings_[e];
    const std::size_t from = rank_[crossing.from], to = rank_[crossing.to];
    // Always true for a verified program; but those of a series of modules (trace/graph_series.h)
    // may go back.
    const bool forward = edge.from < edge.to && to > from;
    Span span;
    span.outer = forward ? to - from : 0;
    span.add(forward ? to - from : std::numeric_limits<std::uint32_t>::max(),
             1 + rows.height(crossing.level, from + 1, to));
    std::size_t item = edge.from.index();
    for (std::size_t frame : crossing.leaves) {
      span.add(rows.count(frame) - 1 - rank_[item],
               rows.height(frame, rank_[item] + 1, rows.count(frame)));
      item = levels_.itemOfFrame(frame);
    }
    item = edge.to.index();
    for (std::size_t i = crossing.enters.size(); i-- > 0;) {
      span.add(rank_[item], rows.height(crossing.enters[i], 0, rank_[item]));
      item = levels_.itemOfFrame(crossing.enters[i]);
    }
    return span;
  }

  void drop(std::size_t e) {
    cut_.edge[e] = true;
    --kept_[view_.edges[e].to.index()];
  }

  /// The rows that an edge may span.
  std::size_t reachOf(std::size_t e) const {
    const std::size_t from = view_.edges[e].from.index();
    if (small_[e]) return kSmallReach;
    if (inputs_[from] == 0 && users_[from] > kConstantUsers && !view_.boxes[from].isInput)
      return kConstantReach;
    return users_[from] > kBusyUsers ? kBusyReach : std::numeric_limits<std::size_t>::max();
  }

  /// Edges not cut yet that span more rows than they may, the longest first.
  std::vector<std::size_t> beyondReach() const {
    std::vector<std::size_t> out;
    for (std::size_t e = 0; e < view_.edges.size(); ++e)
      if (!cut_.edge[e] && spans_[e].outer > reachOf(e)) out.push_back(e);
    std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
      return spans_[a].total > spans_[b].total;
    });
    return out;
  }

  /// An item without edges on its level would float to the top.
  void holdItems() {
    std::vector<bool> held(levels_.itemCount(), false);
    std::vector<std::size_t> nearest(levels_.itemCount(), view_.edges.size());
    for (std::size_t e = 0; e < view_.edges.size(); ++e) {
      const std::size_t to = crossings_[e].to;
      if (!cut_.edge[e]) held[to] = true;
      else if (isNearer(e, nearest[to])) nearest[to] = e;
    }
    for (std::size_t item = 0; item < levels_.itemCount(); ++item)
      if (!held[item] && nearest[item] < view_.edges.size())
        cut_.order.emplace_back(view_.edges[nearest[item]].from, view_.edges[nearest[item]].to);
  }

  /// `other`: an edge to the same item, or the number of edges for none.
  bool isNearer(std::size_t e, std::size_t other) const {
    if (view_.edges[e].from > view_.edges[e].to) return false;
    return other == view_.edges.size() || rank_[crossings_[e].from] > rank_[crossings_[other].from];
  }

  const GraphView& view_;
  const std::vector<bool>& small_;
  const Levels levels_;
  // By edge.
  std::vector<Levels::Crossing> crossings_;
  std::vector<Span> spans_;
  // By box, the number of edges; `kept_` without those cut.
  std::vector<std::size_t> users_, inputs_, kept_;
  std::vector<std::size_t> rank_;  // by item
  Cut cut_;
};

}  // namespace

Cut cutLongEdges(const GraphView& view, const std::vector<bool>& small, std::size_t longEdge) {
  return EdgeCutter(view, small).cut(longEdge);
}

}  // namespace fxs::layout
