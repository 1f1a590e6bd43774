#pragma once
// The engine as a caged program: it may read itself, its libraries and the files named in its pipeline, and write nothing.
#include <string>
#include <vector>

#include "base/subprocess.h"
#include "lower/engine.h"

namespace fxs::lower {

/// The command of every run of the engine; time, memory and input are left to the caller. An engine that is a script reads everything and
/// may start programs: what it consists of cannot be known.
Command engineProgram(const Engine&, std::vector<std::string> arguments);

/// The files that the options of a pipeline name: "a.mlir" of "..{extra-library=a.mlir}".
std::vector<std::string> filesNamedIn(const std::vector<std::string>& arguments);

}  // namespace fxs::lower
