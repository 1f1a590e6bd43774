// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What is computed with a fixed program, compared with what is computed with the user's, by PyTorch
// or by executors: on the sets of inputs of a comparison, by the one rule.
#include <string>

#include "fix/fix.h"

namespace fxs::fix {

/// Sets `values` of the fixed program, also where they could not be compared. Where the change is
/// for static sizes, the inputs have these. `user`: the program that was fixed, imported. Cancelled
/// on a stop request. `python`: a path, "auto" for python3,
/// or "" for the installed executors.
Result<> compareFixedValues(const std::string& python, const session::SnapshotPtr& user,
                            FixedProgram&, const session::Environment&, const RunContext&);

}  // namespace fxs::fix
