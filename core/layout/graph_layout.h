#pragma once
// Where the boxes and edges of a GraphView go. The layout itself runs in a worker program (app/fxscope-layout, the one that
// links Graphviz): dot is neither thread-safe nor interruptible, a process can be killed and limited.
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "base/subprocess.h"
#include "layout/geometry.h"
#include "layout/graph_view.h"

namespace fxs::layout {

struct PlacedEdge {
  std::size_t edge = 0;       ///< index into GraphView::edges
  std::vector<Point> spline;  ///< cubic Bezier: 1 + 3n points, from the producer's bottom to the consumer's top
  Rect label;                 ///< where its label fits without touching anything; width 0: nowhere, show it on hover
};
struct PlacedStub {
  Rect pill;
  Point anchor;  ///< where its short line meets the box
};
struct GraphLayout {
  Rect bounds;
  std::vector<Rect> boxes;        ///< by BoxId
  std::vector<Rect> frames;       ///< by position in GraphView::frames
  std::vector<PlacedEdge> edges;  ///< one per edge, in order
  std::vector<PlacedStub> stubs;  ///< by position in GraphView::stubs
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/// A worker with sanitizers reserves terabytes of address space: no limit.
inline constexpr std::uint64_t kWorkerMemory = 0;
#else
/// Address space of the layout worker, in bytes.
inline constexpr std::uint64_t kWorkerMemory = std::uint64_t{4} << 30;
#endif

struct LayoutWorker {
  std::string path;  ///< of fxscope-layout
  std::chrono::milliseconds timeout{30'000};
  std::uint64_t memoryLimit = kWorkerMemory;
};

/// NotFound when the worker cannot be started, Timeout, Cancelled, or EngineFailed with the worker's words.
Result<GraphLayout> layoutGraph(const GraphView&, const LayoutWorker&, CommandRunner&, const RunContext&);

}  // namespace fxs::layout
