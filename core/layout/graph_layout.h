#pragma once
// Where the boxes and edges of a GraphView go. The layout itself runs in a worker program (app/fxscope-layout, the one that
// links Graphviz): dot is neither thread-safe nor interruptible, a process can be killed and limited.
#include <string>
#include <vector>

#include "base/run_context.h"
#include "base/subprocess.h"
#include "layout/graph_view.h"

namespace fxs::layout {

struct Point { double x = 0, y = 0; };
struct Rect { double x = 0, y = 0, width = 0, height = 0; };   ///< top left origin, y down, points

struct PlacedEdge {
  std::size_t edge;                    ///< index into GraphView::edges
  std::vector<Point> spline;           ///< cubic Bezier: 1 + 3n points
  Point label;                         ///< centre of its label
};
struct GraphLayout {
  Rect bounds;
  std::vector<Rect> boxes;             ///< by BoxId
  std::vector<Rect> frames;            ///< by position in GraphView::expanded
  std::vector<PlacedEdge> edges;
  std::vector<Rect> stubs;             ///< by position in GraphView::stubs
};

struct LayoutWorker {
  std::string path;                    ///< of fxscope-layout
  std::chrono::milliseconds timeout{30'000};
  std::uint64_t memoryLimit = std::uint64_t{4} << 30;
};

/// Timeout, Cancelled, or EngineFailed with the worker's words.
Result<GraphLayout> layoutGraph(const GraphView&, const LayoutWorker&, CommandRunner&, const RunContext&);

}  // namespace fxs::layout
