// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the installed executors compute with a fixed program, compared with what they compute with
// the user's: both lowered the same way, by the first that takes the user's program as it is. What
// differs is due to the changes, and not to the output type.
#include <vector>

#include "compare/inputs.h"
#include "fix/fix.h"

namespace fxs::fix {

/// Sets `values` of the fixed program. `user`: the program that was fixed, imported.
Result<> compareExecuted(const session::SnapshotPtr& user, const std::vector<compare::Inputs>&,
                         FixedProgram&, const session::Environment&, const RunContext&);

}  // namespace fxs::fix
