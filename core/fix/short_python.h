// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Leaves out of the Python of a fixed program what its lowering does not need.
#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "diagnose/python_changes.h"

namespace fxs::fix {

struct LongPython {
  diagnose::RewriteBase base;  ///< with the changes that make the program lower
  std::vector<diagnose::PythonDecomposition> decompositions;
  std::set<std::string> leftOut;  ///< operators that a decomposition table does not replace
  std::set<fx::NodeId> changed;   ///< the user's nodes that the changes are for
};
struct ShortPython {
  std::vector<diagnose::PythonDecomposition> decompositions;
  bool runDecompositions = false;  ///< PyTorch decomposes the program first
};

/// Tries no decomposition, then PyTorch's own, then as few of these as suffice, where these are
/// several also after PyTorch's own, until `budget` is spent. `lowers`: whether torch-mlir lowers a
/// program as it did with all. One that corrects what the engine computes stays, with all others.
/// Cancelled; errors that end everything.
Result<ShortPython> shortened(LongPython,
                              const std::function<Result<bool>(const fx::Program&)>& lowers,
                              std::chrono::milliseconds budget, const RunContext&);

}  // namespace fxs::fix
