#pragma once
// Extracts a few nodes as a program: what a pattern does to one operation, or whether a backend lowers it,
// can then be asked without the rest. Values that come from elsewhere become inputs of the same name and value; weights and
// constants stay weights and constants, and scalars computed from sizes keep their computation, because what an engine does
// depends on what it can see of an operand. Every node keeps its origin, so that locations lead to the user's nodes.
#include <set>
#include <vector>

#include "fx/program.h"

namespace fxs::fx {

/// Limit of nodes that are included to compute scalars; beyond it scalars become inputs.
inline constexpr std::size_t kMaxScalarNodesOfCut = 64;

/// `nodes` are calls of one graph of `program`, in any order; the results that are used elsewhere or by nobody are returned.
/// Of `outside` none comes along: they become inputs where they are tensors or scalars. InvalidInput when there is no node, or when one is
/// no call.
Result<ProgramPtr> cutNodes(const ProgramPtr& program, const std::vector<NodeId>& nodes, const std::set<NodeId>& outside = {});

/// The nodes of a rewritten program that came from a node of the user's program, ascending; the node itself in a program as read.
std::vector<NodeId> nodesFrom(const Program&, NodeId original);

}  // namespace fxs::fx
