// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A module as a graph to draw: its operations as nodes of an fx::Program, which layout and views
// take as they take the user's program. Each is in the modules of the user's model that its FX
// nodes are in. Constants, `tensor.empty`, `linalg.fill` and arithmetic on indices are folded into
// the operations that use them; the body of a `linalg.generic` is shown by what it computes; other
// regions
// (`scf.for`), and functions that are called, are subgraphs.
#include <memory>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "fx/finding.h"
#include "fx/program.h"
#include "mlir/compare/diff.h"
#include "trace/origins.h"

namespace fxs::trace {

struct OpGraph {
  fx::ProgramPtr
      program;  ///< not verified: names repeat, and values of outer graphs are used in subgraphs
  /// By OpId: the node that shows an operation; invalid for modules and functions, and where
  /// nothing uses it.
  std::vector<fx::NodeId> nodeOf;
  std::vector<fx::NodeId> nodeOfValue;  ///< by ValueId: the node that shows it; invalid if it is
                                        ///< folded
  std::vector<std::vector<mlir::OpId>>
      opsOf;  ///< by node of `program`: the operations that it shows, its own first
  std::vector<std::vector<fx::NodeId>> fxNodesOf;  ///< by node of `program`: the nodes of the
                                                   ///< user's program that it comes from, sorted
};

/// `user`: the program whose nodes `text.origins` name; it says which modules they are in. Throws
/// Abandoned if the budget is exceeded.
OpGraph opGraph(const OpenText& text, const fx::Program& user, const RunContext& = {});
/// Of a module that no program was lowered to.
OpGraph opGraph(const mlir::Module&, const RunContext& = {});

/// The findings at nodes of the user's program, at the nodes of the graph that come from them.
std::vector<fx::Finding> findingsIn(const OpGraph&, const std::vector<fx::Finding>&);

/// By node of the graph: how its own operation differs, or Changed if only one that is folded into
/// it does. `diff`: of the graph's module and another; `pairOf`: its Diff::pairOfA or pairOfB,
/// whichever is of the graph's.
std::vector<mlir::OpChange> changesIn(const OpGraph&, const mlir::Diff& diff,
                                      const std::vector<std::uint32_t>& pairOf);

}  // namespace fxs::trace
