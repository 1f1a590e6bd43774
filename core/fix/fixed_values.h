// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What PyTorch computes with a fixed program, compared with what it computes with the user's: on
// the sets of inputs of a comparison, by the one rule.
#include <string>

#include "fix/fix.h"

namespace fxs::fix {

/// Sets `values` of the fixed program, also where they could not be compared. Where the change is
/// for static sizes, the inputs have these. `user`: the program that was fixed, imported. Cancelled
/// on a stop request. `python`: a path, or "auto" for python3.
Result<> compareFixedValues(const std::string& python, const session::SnapshotPtr& user,
                            FixedProgram&, const session::Environment&, const RunContext&);

}  // namespace fxs::fix
