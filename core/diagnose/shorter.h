#pragma once
// A program with less in it: operations taken away, results no longer returned. What an operation that is gone gave is handed over
// by one of its operands where that is of the same type and sizes (it is stepped over), or comes in from outside.
#include <set>
#include <vector>

#include "fx/program.h"

namespace fxs::diagnose {

/// For a call of the main graph that gives a tensor of the type and sizes of one of its operands: that operand. Nothing otherwise.
fx::NodeId handsOn(const fx::Program&, const fx::Node&);

enum class Gone : std::uint8_t { SteppedOver, CutOut };  ///< SteppedOver: where an operand can stand for it, else cut out too

/// Without some calls of the main graph; the parts of their tuples and subgraphs that nobody else has go along. What remains is
/// returned where it was, and where nobody takes it any more. Every node keeps its origin; inputs that nobody takes are left out.
Result<fx::ProgramPtr> withoutOperations(const fx::ProgramPtr&, const std::set<fx::NodeId>& gone, Gone);

/// With only some of its results (by position in Program::outputs), and without what is dead then.
Result<fx::ProgramPtr> returningOnly(const fx::ProgramPtr&, const std::set<std::size_t>& outputs);

}  // namespace fxs::diagnose
