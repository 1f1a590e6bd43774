// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/levels.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "layout/graph_view.h"

namespace fxs::layout {

Levels::Levels(const std::vector<std::size_t>& frameOfBox,
               const std::vector<std::size_t>& parentOfFrame)
    : boxCount_(frameOfBox.size()), parents_(parentOfFrame) {
  const std::size_t topLevel = parents_.size();
  for (std::size_t& parent : parents_)
    if (parent == kNoFrame) parent = topLevel;
  levelOfItem_.resize(itemCount());
  for (std::size_t box = 0; box < boxCount_; ++box)
    levelOfItem_[box] = frameOfBox[box] == kNoFrame ? topLevel : frameOfBox[box];
  for (std::size_t frame = 0; frame < topLevel; ++frame)
    levelOfItem_[itemOfFrame(frame)] = parents_[frame];
  depth_.assign(levelCount(), 0);
  for (std::size_t frame = 0; frame < topLevel; ++frame)
    depth_[frame] = (parents_[frame] == topLevel ? 0 : depth_[parents_[frame]]) + 1;

  std::vector<std::size_t> first(itemCount(), std::numeric_limits<std::size_t>::max());
  std::iota(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(boxCount_), 0u);
  for (std::size_t box = 0; box < boxCount_; ++box)
    if (levelOfItem_[box] != topLevel)
      first[itemOfFrame(levelOfItem_[box])] = std::min(first[itemOfFrame(levelOfItem_[box])], box);
  for (std::size_t frame = topLevel; frame-- > 0;)
    if (parents_[frame] != topLevel) {
      std::size_t& outer = first[itemOfFrame(parents_[frame])];
      outer = std::min(outer, first[itemOfFrame(frame)]);
    }
  items_.resize(levelCount());
  for (std::size_t item = 0; item < itemCount(); ++item) items_[levelOfItem_[item]].push_back(item);
  for (std::vector<std::size_t>& items : items_)
    std::stable_sort(items.begin(), items.end(),
                     [&](std::size_t a, std::size_t b) { return first[a] < first[b]; });
}

Levels::Crossing Levels::crossing(std::size_t fromBox, std::size_t toBox) const {
  Crossing out{0, fromBox, toBox, {}, {}};
  std::size_t a = levelOfItem_[fromBox], b = levelOfItem_[toBox];
  while (a != b) {
    if (depth_[a] >= depth_[b]) {
      out.leaves.push_back(a);
      out.from = itemOfFrame(a);
      a = parents_[a];
    } else {
      out.enters.push_back(b);
      out.to = itemOfFrame(b);
      b = parents_[b];
    }
  }
  out.level = a;
  std::reverse(out.enters.begin(), out.enters.end());
  return out;
}

std::vector<std::size_t> ranksOf(const Levels& levels,
                                 const std::vector<std::pair<std::size_t, std::size_t>>& edges) {
  std::vector<std::vector<std::size_t>> after(levels.itemCount());
  std::vector<std::size_t> before(levels.itemCount(), 0);
  for (const auto& [from, to] : edges) {
    after[from].push_back(to);
    ++before[to];
  }
  std::vector<std::size_t> rank(levels.itemCount(), 0);
  for (std::size_t level = 0; level < levels.levelCount(); ++level) {
    const std::vector<std::size_t>& items = levels.itemsOf(level);
    for (std::size_t item : items)
      for (std::size_t to : after[item]) rank[to] = std::max(rank[to], rank[item] + 1);
    for (std::size_t i = items.size(); i-- > 0;) {
      const std::size_t item = items[i];
      if (after[item].empty() || (before[item] != 0 && after[item].size() <= before[item]))
        continue;
      std::size_t nearest = std::numeric_limits<std::size_t>::max();
      for (std::size_t to : after[item]) nearest = std::min(nearest, rank[to]);
      rank[item] = std::max(rank[item], nearest == 0 ? 0 : nearest - 1);
    }
  }
  return rank;
}

}  // namespace fxs::layout
