// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Extracts nodes as a program of their own, to test in isolation what a pattern does to an
// operation or whether a backend lowers it. Other values become inputs with the same name and
// value. Weights, constants and scalars computed from sizes are kept, because lowering depends on
// what is known about operands. Nodes keep their origins, so that locations lead to the user's
// nodes.
#include <set>
#include <vector>

#include "fx/program.h"

namespace fxs::fx {

/// Maximum number of nodes included to compute scalars; beyond it, scalars become inputs.
inline constexpr std::size_t kMaxScalarNodesOfCut = 64;

/// `nodes` are calls of one graph of `program`, in any order; results used elsewhere or not at all
/// become outputs. Nodes in `outside` are never included: they become inputs if they are tensors or
/// scalars. InvalidInput if `nodes` is empty or contains another kind of node.
Result<ProgramPtr> cutNodes(const ProgramPtr& program, const std::vector<NodeId>& nodes,
                            const std::set<NodeId>& outside = {});

/// The nodes of a rewritten program whose origin is `original`, ascending; `original` itself if the
/// program was not rewritten.
std::vector<NodeId> nodesFrom(const Program&, NodeId original);

}  // namespace fxs::fx
