// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Runs what a program was lowered to by the request's route and compares the results: with
// PyTorch's where a Python is given, otherwise the lowering paths with one another. Where results
// differ, finds the first node whose value does, the stage and the pass.
#include <functional>
#include <string>

#include "numbers/run.h"

namespace fxs::numbers {

struct CompareOptions : RunOptions {
  std::string python;  ///< a path, "auto" for python3, or "" for none
  /// Values to compare with instead, named as those of a Reference; `expectedBy` says whose they
  /// are.
  std::shared_ptr<const tensor::TensorFile> expected;
  std::string expectedBy;
  bool keepValues = false;  ///< the comparison also has the values
  bool findFirst = true;    ///< look at nodes where results differ
  bool findEvery =
      false;  ///< run every operation of a target that differs by itself; needs PyTorch
  std::size_t choices = 8;  ///< of symbolic sizes, at most
  std::function<void(const compare::ComparisonPtr&)>
      onPart;  ///< called with each target that is done
};
/// Errors as for runStages(). A Python that cannot be used is a note, and the lowering paths are
/// compared.
Result<compare::ComparisonPtr> compare(const session::SnapshotPtr&, const CompareOptions&,
                                       const session::Environment&, const RunContext&);

}  // namespace fxs::numbers
