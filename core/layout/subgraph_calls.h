#pragma once
// How higher-order ops hand values to their subgraphs: who calls a subgraph, and which operand becomes which placeholder. The
// file does not say it; it follows from the counts: cond, map and while_loop pass lists of operands, wrap_with_* the
// arguments after the subgraph. Where the counts do not agree, nothing is bound.
#include <utility>
#include <vector>

#include "fx/program.h"

namespace fxs::layout {

struct SubgraphCalls {
  struct Binding {
    fx::NodeId operand;
    fx::NodeId placeholder;
  };
  std::vector<fx::NodeId> callerOf;            ///< by GraphId: the first node that uses the subgraph; invalid for main and for unused ones
  std::vector<std::vector<Binding>> bindings;  ///< by GraphId, of that caller; constants are left out
};
SubgraphCalls subgraphCalls(const fx::Program&);

/// All operands of a node, in order, with repetitions.
std::vector<fx::NodeId> operandsOf(const fx::Node&);

}  // namespace fxs::layout
