#pragma once
// A program without some of its operations: their results come in from outside, and what they took goes out, so that all else
// stays alive and can be lowered by itself.
#include <set>

#include "fx/program.h"

namespace fxs::diagnose {

/// `blocked` are calls of `program`. One inside a subgraph takes the operation that holds the subgraph with it. Parts of a blocked
/// tuple become inputs one by one. Every node keeps its origin.
Result<fx::ProgramPtr> withoutNodes(const fx::ProgramPtr& program, const std::set<fx::NodeId>& blocked);

/// The call of the main graph that holds `node`'s graph, through any number of subgraphs; `node` itself in the main graph.
fx::NodeId mainCallOf(const fx::Program& program, fx::NodeId node, const std::vector<std::vector<fx::NodeId>>& users);

}  // namespace fxs::diagnose
