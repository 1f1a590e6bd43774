// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/split_levels.h"

#include <algorithm>
#include <numeric>

#include "layout/levels.h"

namespace fxs::layout {
namespace {

Levels levelsOf(const LayoutProblem& problem) {
  std::vector<std::size_t> frames, parents;
  for (const auto& box : problem.boxes) frames.push_back(box.frame);
  for (const auto& frame : problem.frames) parents.push_back(frame.parent);
  return Levels(frames, parents);
}

/// Ends of runs of about `target` items. crossing[i]: values that pass between item i-1 and item i.
std::vector<std::size_t> runEnds(const std::vector<std::size_t>& crossing, std::size_t items,
                                 std::size_t target) {
  std::vector<std::size_t> ends;
  std::size_t begin = 0;
  while (items - begin > target + target / 2) {
    std::size_t best = begin + target;
    const auto cost = [&](std::size_t at) {
      const std::size_t off = at > begin + target ? at - begin - target : begin + target - at;
      return crossing[at] * target + off;
    };
    for (std::size_t at = begin + target / 2; at <= begin + target + target / 2; ++at)
      if (cost(at) < cost(best)) best = at;
    ends.push_back(best);
    begin = best;
  }
  ends.push_back(items);
  return ends;
}

/// Sorts frames by depth and renumbers them, since they may refer to later ones.
void sortFrames(SplitProblem& split) {
  auto& frames = split.problem.frames;
  std::vector<std::size_t> depth(frames.size(), 0);
  const auto depthOf = [&](std::size_t frame) {
    std::size_t d = 0;
    for (; frames[frame].parent != kNoFrame; frame = frames[frame].parent) ++d;
    return d;
  };
  for (std::size_t i = 0; i < frames.size(); ++i) depth[i] = depthOf(i);
  std::vector<std::size_t> order(frames.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return depth[a] < depth[b]; });
  std::vector<std::size_t> renamed(frames.size());
  for (std::size_t i = 0; i < order.size(); ++i) renamed[order[i]] = i;
  std::vector<LayoutProblem::Frame> sorted;
  std::vector<bool> invisible;
  for (std::size_t old : order) {
    sorted.push_back(frames[old]);
    if (sorted.back().parent != kNoFrame) sorted.back().parent = renamed[sorted.back().parent];
    invisible.push_back(split.invisible[old]);
  }
  frames = std::move(sorted);
  split.invisible = std::move(invisible);
  for (std::size_t& frame : split.frameNow) frame = renamed[frame];
  for (auto& box : split.problem.boxes)
    if (box.frame != kNoFrame) box.frame = renamed[box.frame];
}

bool hasLevelOver(std::size_t mostItems, const Levels& levels) {
  for (std::size_t level = 0; level < levels.levelCount(); ++level)
    if (levels.itemsOf(level).size() > mostItems) return true;
  return false;
}

/// By level and position: the position of the last user of the item there.
std::vector<std::vector<std::size_t>> lastUsersOf(const LayoutProblem& problem,
                                                  const Levels& levels) {
  std::vector<std::size_t> position(levels.itemCount());
  std::vector<std::vector<std::size_t>> out(levels.levelCount());
  for (std::size_t level = 0; level < levels.levelCount(); ++level) {
    const auto& items = levels.itemsOf(level);
    for (std::size_t i = 0; i < items.size(); ++i) position[items[i]] = i;
    out[level].resize(items.size());
    std::iota(out[level].begin(), out[level].end(), 0u);
  }
  for (const auto& link : problem.links) {
    const Levels::Crossing crossing = levels.crossing(link.from, link.to);
    std::size_t& last = out[crossing.level][position[crossing.from]];
    last = std::max(last, position[crossing.to]);
  }
  return out;
}

/// The values that pass between each item of a level and the one before it.
std::vector<std::size_t> crossingsOf(const std::vector<std::size_t>& lastUsers) {
  const std::size_t items = lastUsers.size();
  std::vector<std::size_t> crossing(items + 1, 0), ending(items + 1, 0);
  std::size_t open = 0;
  for (std::size_t i = 0; i < items; ++i) {
    open -= ending[i];
    crossing[i] = open;
    if (lastUsers[i] > i) {
      ++open;
      ++ending[lastUsers[i]];
    }
  }
  return crossing;
}

/// Moves each run of items of a level into a frame.
void addFrames(SplitProblem& split, const Levels& levels, std::size_t level,
               const std::vector<std::size_t>& ends) {
  const auto& items = levels.itemsOf(level);
  std::size_t begin = 0;
  for (std::size_t end : ends) {
    const std::size_t frame = split.problem.frames.size();
    split.problem.frames.push_back({level == levels.top() ? kNoFrame : level, 0});
    split.invisible.push_back(true);
    for (std::size_t i = begin; i < end; ++i) {
      if (levels.isFrame(items[i])) split.problem.frames[levels.frameOf(items[i])].parent = frame;
      else split.problem.boxes[items[i]].frame = frame;
    }
    begin = end;
  }
}

}  // namespace

SplitProblem splitLevels(const LayoutProblem& original, std::size_t mostItems) {
  SplitProblem split{original, std::vector<bool>(original.frames.size(), false),
                     std::vector<std::size_t>(original.frames.size())};
  std::iota(split.frameNow.begin(), split.frameNow.end(), 0u);
  for (bool again = true; again;) {
    again = false;
    const Levels levels = levelsOf(split.problem);
    if (!hasLevelOver(mostItems, levels)) break;
    const auto lastUsers = lastUsersOf(split.problem, levels);
    for (std::size_t level = 0; level < levels.levelCount(); ++level) {
      const std::size_t items = levels.itemsOf(level).size();
      if (items <= mostItems) continue;
      const std::vector<std::size_t> ends =
          runEnds(crossingsOf(lastUsers[level]), items, mostItems * 2 / 3);
      addFrames(split, levels, level, ends);
      again = again || ends.size() > mostItems;
    }
    sortFrames(split);
  }
  return split;
}

}  // namespace fxs::layout
