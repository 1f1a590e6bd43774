#pragma once
// Composes a whole program node by node: each node is imported and lowered by itself, in as few engine processes as possible, and
// inlined under fresh names into one function with the program's own signature. Weights and constants are lowered like nodes without
// operands, elements of tuples are selected, scalars are values. The result is not verified here, and it is not optimized across nodes:
// that is what a whole lowering does better, and where the two can be compared.
#include <string>
#include <vector>

#include "fx/finding.h"
#include "import/import.h"
#include "lower/batch.h"

namespace fxs::node_lab {

struct Composed {
  lower::OutputType target;
  std::string text;                   ///< the module; "" when a node does not lower by itself
  std::vector<fx::Finding> findings;  ///< at nodes of the user's program; errors for those that do not lower, notes for those left out
  std::size_t pieces = 0;             ///< nodes and constants to lower
  std::size_t lowered = 0;            ///< of them
  bool complete() const { return !text.empty(); }
};

struct ComposeOptions {
  import::ImportOptions import;  ///< in lowering mode; embedded weights are carried along
  lower::LowerOptions lower;     ///< but for the target
  std::vector<lower::OutputType> targets;
};

/// `program` is functional, as it would be imported; `user` is the program that its origins point into. By target. EngineFailed when the
/// engine cannot be started, Cancelled on a stop; a program of which a node does not lower is a result.
Result<std::vector<Composed>> compose(const fx::ProgramPtr& program, const fx::Program& user, const ComposeOptions&, const lower::Engine&,
                                      CommandRunner&, const RunContext&);

}  // namespace fxs::node_lab
