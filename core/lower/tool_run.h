// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One run of a stage's tool that is not called as the engine is: in a working directory of its own,
// in the cage, with the limits of an engine run. Its output counts only if it is what the stage
// promises to write.
#include <string>

#include "lower/engine_run.h"

namespace fxs::lower {

/// One run of a stage by whatever program it names, on its prepared input.
EngineRun runStage(const StageSpec&, const std::string& input, mlir::TextForm reads, const Engine&,
                   const Limits&, CommandRunner&, const RunContext&);
/// `input` is of the form `reads`. A tool that is missing, cannot be started or writes something
/// else is RunOutcome::NoEngine, with the reason and a way out in `message`.
EngineRun runTool(const StageSpec&, const std::string& input, mlir::TextForm reads, const Engine&,
                  const Limits&, CommandRunner&, const RunContext&);
/// As an Engine, the program that runs the passes of a stage. NotFound, with how to get it.
Result<Engine> engineOfStage(const StageSpec&, const Engine&);
/// The line of a program's `--version` that says one: "IREE compiler version 3.13.0"; "" if there
/// is none. Errors of runToEnd().
Result<std::string> versionLineOf(const Engine& tool, const Limits&, CommandRunner&,
                                  const RunContext&);
struct ToolOfStage {
  StageSpec spec;
  Engine tool;
};
/// Of filledStages(), by its id. Unsupported if it runs no passes; else as engineOfStage().
Result<ToolOfStage> toolOfStage(const LowerOptions&, std::string_view stage, const Engine&);
/// What keeps a text from being of the form, as a phrase: "printed no LLVM IR"; "" if nothing does.
std::string unlike(std::string_view text, mlir::TextForm);

}  // namespace fxs::lower
