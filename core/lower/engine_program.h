// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The engine as a sandboxed program: it may read its executable, its libraries and the files named
// in its pipeline, and write nothing.
#include <string>
#include <vector>

#include "base/subprocess.h"
#include "lower/engine.h"

namespace fxs::lower {

/// The command for a run of the engine; the caller sets limits and input. An engine that is a
/// script may read every file and start programs, because its dependencies are unknown.
Command engineProgram(const Engine&, std::vector<std::string> arguments);

/// The files named in pipeline options: "a.mlir" in "..{extra-library=a.mlir}".
std::vector<std::string> filesNamedIn(const std::vector<std::string>& arguments);

}  // namespace fxs::lower
