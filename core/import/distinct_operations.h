// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The distinct operations of a program: calls that the engine cannot distinguish are one. Two calls
// are the same if they have equal targets, constants and types of operands and results, and if
// everything that the engine can see of their operands is equal (the values of a small weight, the
// computation of a scalar, the parts of a tuple that are used).
#include <vector>

#include "fx/program.h"

namespace fxs::import {

struct DistinctOperation {
  fx::NodeId first;               ///< the call that represents all
  std::vector<fx::NodeId> nodes;  ///< the equal calls, ascending, including `first`
};

/// In the order of their first calls; includes calls in subgraphs, but not getitem. Linear in the
/// size of the program.
std::vector<DistinctOperation> distinctOperations(const fx::Program&);

}  // namespace fxs::import
