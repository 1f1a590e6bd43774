// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One level of a graph: nodes of fixed size and edges between them, without nesting. There are two
// layout engines: Graphviz's dot in the layout worker, and SimpleLayers (simple_layers.h). Sizes
// are in points.
#include <cstddef>
#include <vector>

#include "base/result.h"
#include "layout/geometry.h"

namespace fxs::layout {

struct FlatGraph {
  enum class Row { Any, First, Last };  ///< First, Last: edges enter or leave the level here
  struct Node {
    double width = 0, height = 0;
    double centre = 0;  ///< x offset from the left where edges without a port end
    std::vector<double> inPorts,
        outPorts;  ///< x offsets from the left on the top and bottom, ascending
    Row row = Row::Any;
  };
  static constexpr std::size_t kNoPort = static_cast<std::size_t>(-1);
  struct Edge {
    std::size_t from = 0, to = 0;
    std::size_t fromPort = kNoPort, toPort = kNoPort;
    bool drawn = true;
    int weight = 1;  ///< edges with a larger weight are kept shorter
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;  ///< from a node to a later one, or between First, others and Last
};

struct FlatPlacement {
  double width = 0, height = 0;
  std::vector<Point> nodes;               ///< top left corners
  std::vector<std::vector<Point>> edges;  ///< cubic Bezier, 1 + 3n points, from a node's bottom to
                                          ///< the next one's top; empty if not drawn
};

class FlatEngine {
 public:
  virtual ~FlatEngine() = default;
  virtual Result<FlatPlacement> place(const FlatGraph&) = 0;
};

/// Space between neighbours in a row and between rows, in points.
constexpr double kNodeGap = 22, kRowGap = 34;

}  // namespace fxs::layout
