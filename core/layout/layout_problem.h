// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The request and answer of the layout worker, and their text form: one item a line, as numbers, so
// that the worker can be run by hand. Sizes are in points, and y increases downwards.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "layout/geometry.h"
#include "layout/graph_view.h"

namespace fxs::layout {

/// Boxes in nested frames, with links from a box to a later one.
struct LayoutProblem {
  struct Frame {
    std::size_t parent = kNoFrame;  ///< index of an earlier frame
    double captionWidth = 0;
  };
  struct Box {
    std::size_t frame = kNoFrame;
    double width = 0, height = 0;
    double left = 0, right = 0;  ///< width of the space for stubs at its sides
    double tall = 0;             ///< height of that space, if larger than the box
  };
  struct Link {
    std::size_t from = 0, to = 0;
    bool drawn = true;  ///< false: not drawn, but keeps `to` below `from`
  };
  std::vector<Frame> frames;
  std::vector<Box> boxes;
  std::vector<Link> links;
};

struct LayoutAnswer {
  double width = 0, height = 0;
  std::vector<Rect> frames;
  std::vector<Point> boxes;  ///< top left corners of the boxes, without the space for stubs
  std::vector<std::vector<Point>> links;  ///< cubic Bezier, 1 + 3n points; empty if not drawn
};

std::string requestText(const LayoutProblem&);
/// InvalidInput with the line number.
Result<LayoutProblem> parseRequest(std::string_view text);
std::string answerText(const LayoutAnswer&);
/// InvalidInput with the line number; also if the counts differ from those of the problem.
Result<LayoutAnswer> parseAnswer(std::string_view text, const LayoutProblem&);

}  // namespace fxs::layout
