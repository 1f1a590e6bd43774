// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What torch-mlir itself makes of a fixed program: export_and_import in a Python that has it, in
// the cage, given the file that fxscope writes.
#include <string>

#include "fix/fix.h"

namespace fxs::fix {

/// Sets what each target becomes there, in place of what was concluded here, and `askedOf` to the
/// versions, or to why there is no answer: then the targets stay as they are. Cancelled on a stop
/// request. `python`: a path, or "auto" for python3.
Result<> askTorchMlir(const std::string& python, FixedProgram&, const session::Environment&,
                      const RunContext&);

}  // namespace fxs::fix
