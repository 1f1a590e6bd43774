// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout worker: reads a request from stdin (core/layout/layout_problem.h) and writes the
// geometry to stdout. A separate program, because Graphviz cannot be interrupted or limited within
// a process.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <string>

#include "dot_engine.h"
#include "layout/compose.h"
#include "layout/layout_problem.h"
#include "layout/simple_layers.h"

namespace {

/// Uses dot, or the simple engine if dot would take too long, because its time grows with the rows
/// that edges cross, or if something is larger than dot can place: it aborts where a length is over
/// 65,535.
class WorkerEngine final : public fxs::layout::FlatEngine {
 public:
  fxs::Result<fxs::layout::FlatPlacement> place(const fxs::layout::FlatGraph& graph) override {
    constexpr std::size_t kMostEdges = 1'500;
    constexpr double kLargest = 30'000;
    if (graph.edges.size() > kMostEdges || graph.nodes.size() > kMostEdges)
      return simple_.place(graph);
    const auto isHuge = [](const fxs::layout::FlatGraph::Node& node) {
      return std::max(node.width, node.height) > kLargest;
    };
    if (std::any_of(graph.nodes.begin(), graph.nodes.end(), isHuge)) return simple_.place(graph);
    auto placed = dot_.place(graph);
    return placed ? std::move(placed) : simple_.place(graph);
  }

 private:
  fxs::layout::DotEngine dot_;
  fxs::layout::SimpleLayers simple_;
};

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  const std::string text{std::istreambuf_iterator<char>(std::cin),
                         std::istreambuf_iterator<char>()};
  const auto problem = fxs::layout::parseRequest(text);
  if (!problem) {
    std::cerr << "fxscope-layout: " << problem.error().message << '\n';
    return 2;
  }
  WorkerEngine engine;
  const auto answer = fxs::layout::composeLayout(*problem, engine);
  if (!answer) {
    std::cerr << "fxscope-layout: " << answer.error().message << '\n';
    return 1;
  }
  std::cout << fxs::layout::answerText(*answer) << std::flush;
  return std::cout ? 0 : 1;
}
