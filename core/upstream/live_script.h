// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Runs the script of a problem with a Python that has torch-mlir, in the cage, and judges whether
// it fails as the problem says.
#include "upstream/problem.h"

namespace fxs::upstream {

/// Sets `outcome` and `verified`. `pipeline`: that of the failing stage, "" if no engine was run.
/// Cancelled on a stop request. `python`: a path, or "auto" for python3.
Result<> runScript(const std::string& python, const std::string& pipeline,
                   std::chrono::milliseconds timeout, Problem&, const session::Environment&,
                   const RunContext&);

}  // namespace fxs::upstream
