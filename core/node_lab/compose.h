// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Composes a whole program node by node: each node is imported and lowered separately, in as few
// engine processes as possible, and inlined under fresh names into one function with the program's
// signature. Weights and constants are lowered like nodes without operands, elements of tuples are
// selected, scalars are values. The result is not verified here, and it is not optimized across
// nodes, unlike a lowering of the whole program.
#include <string>
#include <vector>

#include "fx/finding.h"
#include "import/import.h"
#include "lower/batch.h"

namespace fxs::node_lab {

struct Composed {
  lower::OutputType target;
  std::string text;                   ///< the module; "" if a node does not lower separately
  std::vector<fx::Finding> findings;  ///< at nodes of the user's program: errors for nodes that do
                                      ///< not lower, notes for omitted ones
  std::size_t pieces = 0;             ///< number of nodes and constants to lower
  std::size_t lowered = 0;            ///< number of `pieces` that lowered
  /// Failed if a node does not lower; else Ok, or the status of a node of which it is not known.
  lower::StageStatus status = lower::StageStatus::Ok;
  bool complete() const { return !text.empty(); }
};

struct ComposeOptions {
  import::ImportOptions import;  ///< in lowering mode; embedded weights are kept
  lower::LowerOptions lower;     ///< the target is ignored
  std::vector<lower::OutputType> targets;
};

/// `program` must be functional, as for the importer; its origins refer to nodes of `user`. One
/// result per target. EngineFailed if the engine cannot be started, Cancelled on a stop request. A
/// node that does not lower is not an error.
Result<std::vector<Composed>> compose(const fx::ProgramPtr& program, const fx::Program& user,
                                      const ComposeOptions&, const lower::Engine&, CommandRunner&,
                                      const RunContext&);

}  // namespace fxs::node_lab
