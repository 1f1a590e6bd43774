#pragma once
// The layout worker's request and answer, and both as text: lines of numbers, one item a line, so that either side
// can be run and read by hand. Sizes are points, y goes down.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "layout/geometry.h"
#include "layout/graph_view.h"

namespace fxs::layout {

/// Boxes in nested frames, with links between boxes. Links go from a box to a later one.
struct LayoutProblem {
  struct Frame {
    std::size_t parent = kNoFrame;  ///< precedes its children
    double captionWidth = 0;
  };
  struct Box {
    std::size_t frame = kNoFrame;
    double width = 0, height = 0;
    double left = 0, right = 0;  ///< space kept free at its sides, for stubs
    double tall = 0;             ///< height of that space, when it is higher than the box
  };
  struct Link {
    std::size_t from = 0, to = 0;
    bool drawn = true;  ///< false: only keeps `to` below `from`
  };
  std::vector<Frame> frames;
  std::vector<Box> boxes;
  std::vector<Link> links;
};

struct LayoutAnswer {
  double width = 0, height = 0;
  std::vector<Rect> frames;
  std::vector<Point> boxes;               ///< top left corners of the boxes themselves
  std::vector<std::vector<Point>> links;  ///< 1 + 3n points; empty when not drawn
};

std::string requestText(const LayoutProblem&);
/// InvalidInput with the line.
Result<LayoutProblem> parseRequest(std::string_view text);
std::string answerText(const LayoutAnswer&);
/// InvalidInput with the line; also when the counts are not those of the problem.
Result<LayoutAnswer> parseAnswer(std::string_view text, const LayoutProblem&);

}  // namespace fxs::layout
