#pragma once
// The distinct operations of a program: calls that an engine cannot tell apart are one. Two calls are the same when their
// target, their constants, the types of their operands and results, and all that the engine can see of an operand (a small
// weight's values, a scalar's computation, which parts of a tuple are used) are the same.
#include <vector>

#include "fx/program.h"

namespace fxs::diagnose {

struct Operation {
  fx::NodeId first;               ///< the call that stands for all
  std::vector<fx::NodeId> nodes;  ///< calls of the program, ascending; `first` among them
};

/// In the order of their first calls; calls of every graph, without getitem. Linear in the program.
std::vector<Operation> distinctOperations(const fx::Program&);

}  // namespace fxs::diagnose
