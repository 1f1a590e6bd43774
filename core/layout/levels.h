// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The nesting of a graph as levels: the top level, and the content of each frame. A frame is one
// item on its level, like a box. An edge between boxes of different frames crosses the levels
// between them.
#include <cstddef>
#include <utility>
#include <vector>

namespace fxs::layout {

/// Items are boxes 0 .. boxCount-1, then frames boxCount .. boxCount+frameCount-1. Levels are
/// frames 0 .., and `top()`.
class Levels {
 public:
  /// frameOfBox and parentOfFrame hold frame indices or kNoFrame; parents precede their children.
  Levels(const std::vector<std::size_t>& frameOfBox, const std::vector<std::size_t>& parentOfFrame);

  std::size_t boxCount() const { return boxCount_; }
  std::size_t frameCount() const { return parents_.size(); }
  std::size_t itemCount() const { return boxCount_ + parents_.size(); }
  std::size_t levelCount() const { return parents_.size() + 1; }
  std::size_t top() const { return parents_.size(); }
  bool isFrame(std::size_t item) const { return item >= boxCount_; }
  std::size_t frameOf(std::size_t item) const { return item - boxCount_; }
  std::size_t itemOfFrame(std::size_t frame) const { return boxCount_ + frame; }
  std::size_t levelOf(std::size_t item) const { return levelOfItem_[item]; }
  /// Items of a level, sorted by their first box.
  const std::vector<std::size_t>& itemsOf(std::size_t level) const { return items_[level]; }

  struct Crossing {
    std::size_t level;                ///< the innermost level that contains both boxes
    std::size_t from, to;             ///< the items on that level that are or contain them
    std::vector<std::size_t> leaves;  ///< frames left, innermost first
    std::vector<std::size_t> enters;  ///< frames entered, outermost first
  };
  Crossing crossing(std::size_t fromBox, std::size_t toBox) const;

 private:
  std::size_t boxCount_;
  std::vector<std::size_t> parents_;  // level of each frame
  std::vector<std::size_t> levelOfItem_;
  std::vector<std::size_t> depth_;  // by level; the top is 0
  std::vector<std::vector<std::size_t>> items_;
};

/// The row of each item on its level: longest path from above, then pulled down to its consumers
/// where that shortens more edges than it lengthens. `edges` are pairs of items of one level, from
/// an earlier item to a later one.
std::vector<std::size_t> ranksOf(const Levels&,
                                 const std::vector<std::pair<std::size_t, std::size_t>>& edges);

}  // namespace fxs::layout
