// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The graphs of consecutive modules as one graph to lay out, so that an operation keeps its
// position from pass to pass. Each node of that graph is a position: of an operation as long as the
// structural diff (mlir/compare/diff.h) matches it without moving it, and of operations of the same
// FX nodes that replace it. A pass after which a module would be drawn with too many gaps begins a
// new graph.
#include <functional>
#include <memory>
#include <vector>

#include "trace/op_graph.h"

namespace fxs::trace {

struct GraphSeries {
  std::size_t first = 0;  ///< index of its first module
  /// As OpGraph::program. Texts are the longest of a position, operands those of all modules; an
  /// operand may be defined later.
  fx::ProgramPtr program;
  /// By module from `first`, by node of its OpGraph: the node of `program`, different for each;
  /// invalid for constants.
  std::vector<std::vector<fx::NodeId>> positionOf;
};

/// All modules in order; every one belongs to one of the results. `open` reads a module; its errors
/// end the function. Throws Abandoned on a stop request, or if the budget is exceeded.
Result<std::vector<GraphSeries>> graphSeries(
    std::size_t modules,
    const std::function<Result<std::shared_ptr<const OpenText>>(std::size_t)>& open,
    const fx::Program& user, const RunContext& = {});

}  // namespace fxs::trace
