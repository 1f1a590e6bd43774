#include "layout/long_edges.h"

#include <algorithm>
#include <limits>
#include <set>

#include "layout/levels.h"

namespace fxs::layout {
namespace {

constexpr std::size_t kSmallReach = 2;       // rows that an edge of a size or other scalar may span
constexpr std::size_t kConstantReach = 2, kConstantUsers = 2;   // .. of a producer with no input and more users than this
constexpr std::size_t kBusyReach = 2, kBusyUsers = 7;           // .. of any box with more users than this

struct Span { std::size_t longest = 0, total = 0; };

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
    distinct.emplace(crossings.back().from, crossings.back().to);
  }
  const std::vector<std::size_t> rank = ranksOf(levels, {distinct.begin(), distinct.end()});
  std::vector<std::size_t> rows(levels.levelCount(), 0);
  for (std::size_t item = 0; item < levels.itemCount(); ++item) rows[levels.levelOf(item)] = std::max(rows[levels.levelOf(item)], rank[item] + 1);

  std::vector<Span> spans(view.edges.size());
  std::vector<std::size_t> users(view.boxes.size(), 0), inputs(view.boxes.size(), 0);
  for (std::size_t e = 0; e < view.edges.size(); ++e) {
    const Levels::Crossing& crossing = crossings[e];
    const auto add = [&](std::size_t length) {
      spans[e].longest = std::max(spans[e].longest, length);
      spans[e].total += length;
    };
    // Never the case for a verified program; a layout must not depend on it.
    const bool forward = rank[crossing.to] > rank[crossing.from];
    add(forward ? rank[crossing.to] - rank[crossing.from] : std::numeric_limits<std::uint32_t>::max());
    std::size_t item = view.edges[e].from.index();
    for (std::size_t frame : crossing.leaves) {
      add(rows[frame] - 1 - rank[item]);
      item = levels.itemOfFrame(frame);
    }
    item = view.edges[e].to.index();
    for (std::size_t i = crossing.enters.size(); i-- > 0;) {
      add(rank[item]);
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
    if (spans[e].longest > longEdge) drop(e);
  // The rest gives way longest first, as long as its box keeps an edge.
  std::vector<std::size_t> byLength;
  for (std::size_t e = 0; e < view.edges.size(); ++e) {
    const std::size_t from = view.edges[e].from.index();
    const std::size_t reach = small[e] ? kSmallReach
                              : inputs[from] == 0 && users[from] > kConstantUsers && !view.boxes[from].isInput ? kConstantReach
                              : users[from] > kBusyUsers                                                      ? kBusyReach
                                                                                                              : longEdge;
    if (!cut.edge[e] && spans[e].total > reach) byLength.push_back(e);
  }
  std::stable_sort(byLength.begin(), byLength.end(), [&](std::size_t a, std::size_t b) { return spans[a].total > spans[b].total; });
  for (std::size_t e : byLength)
    if (kept[view.edges[e].to.index()] > 1) drop(e);

  // An item whose edges on its own level are all cut would float to the top.
  std::vector<bool> held(levels.itemCount(), false);
  std::vector<std::size_t> nearest(levels.itemCount(), view.edges.size());
  for (std::size_t e = 0; e < view.edges.size(); ++e) {
    const std::size_t to = crossings[e].to;
    if (!cut.edge[e]) held[to] = true;
    else if (nearest[to] == view.edges.size() || rank[crossings[e].from] > rank[crossings[nearest[to]].from]) nearest[to] = e;
  }
  for (std::size_t item = 0; item < levels.itemCount(); ++item)
    if (!held[item] && nearest[item] < view.edges.size())
      cut.order.emplace_back(view.edges[nearest[item]].from, view.edges[nearest[item]].to);
  return cut;
}

}  // namespace fxs::layout
