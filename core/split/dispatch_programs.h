// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The two ways to split a program.
#include "execute/iree_module.h"
#include "split/program_writer.h"
#include "split/split.h"

namespace fxs::split {

/// What splitting works with; outlives it.
struct SplitWork {
  const session::Snapshot& snapshot;  ///< imported for the output type
  const SplitOptions& options;
  const session::Environment& env;
  const execute::Tools& tools;
  execute::IreeModules& iree;
  ProgramWriter& writer;
  const std::string& scratch;  ///< a folder for files
};

/// Whether a stage is IREE's program of calls of dispatches, which iree-compile goes on with.
bool hasDispatches(const lower::StageResult&);
/// Each dispatch of the stage.
Result<> splitDispatches(const lower::StageResult&, SplitWork&, SplitResult&, const RunContext&);
/// Each distinct operation of the program, lowered by itself.
Result<> splitNodes(SplitWork&, SplitResult&, const RunContext&);

}  // namespace fxs::split
