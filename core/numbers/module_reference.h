// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a module computes in one executor at its first stage that one can run. Later stages and
// other executors are compared with that: nobody says what a module should compute.
#include <string>
#include <vector>

#include "numbers/reference.h"
#include "numbers/text_runner.h"

namespace fxs::numbers {

struct ModuleReference {
  std::string text;                   ///< of the stage
  std::string executor;               ///< id of the one that ran it
  std::vector<Reference> references;  ///< by inputs: "output#0" .. in order
};

/// Unsupported, with what each executor says, if none runs a stage on the way to the type.
Result<ModuleReference> moduleReference(const session::Snapshot&, const lower::OutputType&,
                                        const std::vector<compare::Inputs>&, TextRunner&,
                                        const session::Environment&, const RunContext&);

}  // namespace fxs::numbers
