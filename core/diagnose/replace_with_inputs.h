// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Replaces some operations of a program by inputs and outputs: their results become inputs, and
// their operands outputs, so that the rest of the program stays alive and can be lowered on its
// own.
#include <set>

#include "fx/program.h"

namespace fxs::diagnose {

/// `blocked` are calls of `program`; for a call in a subgraph, the operation that holds the
/// subgraph is replaced. The elements of a blocked tuple become separate inputs. Every node keeps
/// its origin.
Result<fx::ProgramPtr> replaceWithInputs(const fx::ProgramPtr& program,
                                         const std::set<fx::NodeId>& blocked);

/// The call of the main graph that holds `node`'s graph, through any number of subgraphs; `node`
/// itself in the main graph.
fx::NodeId mainCallOf(const fx::Program& program, fx::NodeId node,
                      const std::vector<std::vector<fx::NodeId>>& users);

}  // namespace fxs::diagnose
