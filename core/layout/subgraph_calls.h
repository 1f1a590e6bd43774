// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How higher-order ops pass values to their subgraphs: which node calls a subgraph, and which
// operand becomes which placeholder. Not recorded in the file, but inferred from argument counts:
// cond, map and while_loop pass lists of operands, wrap_with_* the arguments after the subgraph. If
// the counts differ, nothing is bound.
#include <utility>
#include <vector>

#include "fx/program.h"

namespace fxs::layout {

struct SubgraphCalls {
  struct Binding {
    fx::NodeId operand;
    fx::NodeId placeholder;
  };
  std::vector<fx::NodeId> callerOf;  ///< by GraphId: the first node that uses the subgraph; invalid
                                     ///< for main and for unused ones
  std::vector<std::vector<Binding>>
      bindings;  ///< by GraphId, for that caller; constants are omitted
};
SubgraphCalls subgraphCalls(const fx::Program&);

/// All operands of a node, in order, with repetitions.
std::vector<fx::NodeId> operandsOf(const fx::Node&);

}  // namespace fxs::layout
