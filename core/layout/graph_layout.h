// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Places the boxes and edges of a GraphView. The layout runs in a worker program
// (app/fxscope-layout, the only one that links Graphviz), because dot is neither thread-safe nor
// interruptible, whereas a process can be limited and killed.
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "base/worker.h"
#include "layout/geometry.h"
#include "layout/graph_view.h"

namespace fxs::layout {

struct PlacedEdge {
  std::size_t edge = 0;  ///< index into GraphView::edges
  std::vector<Point>
      spline;  ///< cubic Bezier: 1 + 3n points, from the producer's bottom to the consumer's top
  Rect label;  ///< position of the label without overlaps; width 0 if there is none: show it on
               ///< hover
};
struct PlacedStub {
  Rect pill;
  Point anchor;  ///< where its line meets the box
};
struct GraphLayout {
  Rect bounds;
  std::vector<Rect> boxes;        ///< by BoxId
  std::vector<Rect> frames;       ///< by position in GraphView::frames
  std::vector<PlacedEdge> edges;  ///< one per edge, in order
  std::vector<PlacedStub> stubs;  ///< by position in GraphView::stubs
};

struct LayoutWorker {
  std::string path;  ///< of the program fxscope-layout
  std::chrono::milliseconds timeout{30'000};
  std::uint64_t memoryLimit = kWorkerMemory;
};

/// NotFound if the worker cannot be started, Timeout, Cancelled, or EngineFailed with the worker's
/// error message.
Result<GraphLayout> layoutGraph(const GraphView&, const LayoutWorker&, CommandRunner&,
                                const RunContext&);

}  // namespace fxs::layout
