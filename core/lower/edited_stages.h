// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The stages of a lowering with edits: which text each starts from, and which passes it runs.
#include <optional>
#include <vector>

#include "base/run_context.h"
#include "base/subprocess.h"
#include "lower/lower.h"

namespace fxs::lower {

struct EditedStages {
  std::vector<StageSpec> specs;     ///< filledStages() without the passes that do not run
  std::optional<std::size_t> edit;  ///< index of the one that starts from LowerOptions::edit
};
/// Usage if an edit names a stage or a pass that does not exist, or if the program of a stage does
/// not run the passes that are left by their names. It is asked only for a pass of a pipeline.
Result<EditedStages> editedStages(const LowerOptions&, const Engine&, CommandRunner&,
                                  const RunContext&);

/// The text that an edit replaces, with locations: that of the stage, or after a pass of it.
/// `options` and `before` are those of lower(): of the lowering whose text it is. Usage if there is
/// no such stage or pass, EngineFailed if the lowering does not get there, Cancelled.
Result<std::string> textAt(const std::string& stage, std::optional<std::size_t> pass,
                           const std::string& raw, const fx::Program&, const Engine&,
                           LowerOptions options, CommandRunner&, const RunContext&,
                           const Lowering* before = nullptr);

}  // namespace fxs::lower
