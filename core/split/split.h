// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A lowered program as many small ones, each with inputs and with the results that it computed in a
// run of the whole program: one for each dispatch, where a compiler divided the program into
// dispatches, else one for each distinct operation. Stock programs of IREE compile and run each by
// itself, as this does to verify what it wrote.
#include <memory>
#include <string>

#include "numbers/run.h"
#include "session/session.h"
#include "split/result.h"

namespace fxs::split {

struct SplitOptions {
  numbers::RunOptions run;  ///< the inputs of the whole program
  std::string folder;       ///< exists; each program gets a folder in it
};

/// Of a snapshot that was imported with an engine, for the output type of its request. Usage if
/// IREE is not installed; Unsupported for a program that IREE does not run.
Result<std::shared_ptr<const SplitResult>> splitProgram(const session::SnapshotPtr&,
                                                        const SplitOptions&,
                                                        const session::Environment&,
                                                        const RunContext&);

}  // namespace fxs::split
