#pragma once
// One level of a picture: nodes of fixed size and edges between them, no nesting. Two engines place it: Graphviz's dot in the
// layout worker, and the simple one of simple_layers.h.
#include <cstddef>
#include <vector>

#include "base/result.h"
#include "layout/geometry.h"

namespace fxs::layout {

struct FlatGraph {
  enum class Row { Any, First, Last };  ///< where edges enter and leave the level
  struct Node {
    double width = 0, height = 0;
    double centre = 0;                      ///< x from the left, where edges without a port meet it
    std::vector<double> inPorts, outPorts;  ///< x from the left, ascending, on its top and bottom
    Row row = Row::Any;
  };
  static constexpr std::size_t kNoPort = static_cast<std::size_t>(-1);
  struct Edge {
    std::size_t from = 0, to = 0;
    std::size_t fromPort = kNoPort, toPort = kNoPort;
    bool drawn = true;
    int weight = 1;  ///< how much it wants to be short
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;  ///< from a node to a later one, or between First, others and Last
};

struct FlatPlacement {
  double width = 0, height = 0;
  std::vector<Point> nodes;               ///< top left corners
  std::vector<std::vector<Point>> edges;  ///< 1 + 3n points from bottom to top; empty when not drawn
};

class FlatEngine {
 public:
  virtual ~FlatEngine() = default;
  virtual Result<FlatPlacement> place(const FlatGraph&) = 0;
};

/// Space between neighbours in a row and between rows, points.
constexpr double kNodeGap = 22, kRowGap = 34;

}  // namespace fxs::layout
