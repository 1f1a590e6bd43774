// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Whether an engine can run the pipeline of a stage at all: asked without the user's program, so
// that a pass that is misspelt, an option that does not exist, or an engine that always fails is
// never taken for something that is wrong with the program.
#include <string_view>

#include "base/result.h"
#include "lower/engine.h"
#include "lower/lower.h"

namespace fxs::lower {

inline constexpr std::string_view kEmptyModule = "module {\n}\n";

/// EngineFailed, with "did you mean", if a pipeline for the engine names a pass that it does not
/// register. Starts no program.
Result<> checkPasses(const std::vector<StageSpec>&, const Engine&);

/// For an output type that is chosen: checkPasses(), and checkPipeline() for stages that a user's
/// file defines. EngineFailed, Cancelled; NotFound if there is no file of that extra library.
Result<> checkOutputType(const LowerOptions&, const Engine&, CommandRunner&, const RunContext&);

/// Runs the stage's pipeline on an empty module with `runs`, the engine of that stage.
/// EngineFailed, with what is wrong with the pipeline, if it does not end well; Cancelled on a stop
/// request.
Result<> checkPipeline(const StageSpec&, const Engine& runs, const Limits&, CommandRunner&,
                       const RunContext&);

}  // namespace fxs::lower
