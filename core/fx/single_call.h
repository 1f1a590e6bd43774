// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One call as a program of its own, to print or rewrite it apart from the program that it is from.
#include "fx/program.h"

namespace fxs::fx {

/// The operands of the call, also scalars, are the inputs, in the order of its arguments; a value
/// that is two of them is two inputs. Every part of the result is an output. Nodes keep their names
/// and origins. InvalidInput if the node is not a call, or has a subgraph or no known results.
Result<ProgramPtr> singleCall(const ProgramPtr& program, NodeId call);

}  // namespace fxs::fx
