#pragma once
// Extracts a few nodes as a program, to test without the rest what a pattern does to an operation, or whether a backend lowers it. Other
// values become inputs with the same name and value. Weights and constants are kept, and so are scalars computed from sizes, because
// lowering depends on what an engine knows about its operands. Every node keeps its origin, so that locations lead to the user's nodes.
#include <set>
#include <vector>

#include "fx/program.h"

namespace fxs::fx {

/// Limit of nodes that are included to compute scalars; beyond it scalars become inputs.
inline constexpr std::size_t kMaxScalarNodesOfCut = 64;

/// `nodes` are calls of one graph of `program`, in any order; results used elsewhere, or not at all, are returned. Nodes in `outside` are
/// never included: they become inputs if they are tensors or scalars. InvalidInput if `nodes` is empty or contains another kind of node.
Result<ProgramPtr> cutNodes(const ProgramPtr& program, const std::vector<NodeId>& nodes, const std::set<NodeId>& outside = {});

/// The nodes of a rewritten program that came from a node of the user's program, ascending; the node itself in a program as read.
std::vector<NodeId> nodesFrom(const Program&, NodeId original);

}  // namespace fxs::fx
