#pragma once
// Removes operations and outputs from a program, for reduction. The users of a removed operation use one of its operands of the same type
// and sizes instead (the operation is bypassed), or a new input.
#include <set>
#include <vector>

#include "fx/program.h"

namespace fxs::diagnose {

/// For a call of the main graph whose result has the type and sizes of one of its operands: that operand. Invalid otherwise.
fx::NodeId passthroughOperand(const fx::Program&, const fx::Node&);

/// Bypass: users use one of its operands where possible, else as Replace. Replace: its results become inputs.
enum class Removal : std::uint8_t { Bypass, Replace };

/// Removes calls of the main graph, with their getitems and the subgraphs that no other node uses. What remains is returned where it
/// was, and where it has no users left. Every node keeps its origin; unused inputs are removed.
Result<fx::ProgramPtr> removeOperations(const fx::ProgramPtr&, const std::set<fx::NodeId>& removed, Removal);

/// Keeps only some outputs (by position in Program::outputs), and removes the code that is then dead.
Result<fx::ProgramPtr> keepOutputs(const fx::ProgramPtr&, const std::set<std::size_t>& outputs);

}  // namespace fxs::diagnose
