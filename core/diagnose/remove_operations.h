// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Removes operations and outputs from a program, for reduction. The users of a removed operation
// use one of its operands of the same type and sizes instead (the operation is bypassed), or a new
// input.
#include <set>
#include <vector>

#include "fx/program.h"

namespace fxs::diagnose {

/// The operand of a main-graph call that has the type and sizes of its result; invalid if there is
/// none.
fx::NodeId passthroughOperand(const fx::Program&, const fx::Node&);

/// Bypass: users use passthroughOperand() if there is one, otherwise as Replace. Replace: the
/// results become inputs.
enum class Removal : std::uint8_t { Bypass, Replace };

/// Removes calls of the main graph, with their getitems and the subgraphs that no other node uses.
/// Remaining nodes stay outputs, and those without users become outputs. Every node keeps its
/// origin; unused inputs are removed.
Result<fx::ProgramPtr> removeOperations(const fx::ProgramPtr&, const std::set<fx::NodeId>& removed,
                                        Removal);

/// Keeps only the `outputs` (indices into Program::outputs), and removes dead code.
Result<fx::ProgramPtr> keepOutputs(const fx::ProgramPtr&, const std::set<std::size_t>& outputs);

}  // namespace fxs::diagnose
