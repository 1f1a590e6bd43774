// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The stages of a lowering with edits: which text each starts from, and which passes it runs.
#include <optional>
#include <vector>

#include "base/run_context.h"
#include "base/subprocess.h"
#include "lower/lower.h"
#include "lower/pipeline_text.h"

namespace fxs::lower {

struct EditedStages {
  std::vector<StageSpec> specs;     ///< filledStages() without the passes that do not run
  std::optional<std::size_t> edit;  ///< index of the one that starts from LowerOptions::edit
  /// Of it, if its program does not take the passes that follow by their names: the passes up to
  /// the edit, which run again, and must not change its text.
  std::vector<PipelinePass> again;
};
/// Whether a trace shows the stage as one step: its tool runs no passes, or its input is prepared.
bool isStep(const StageSpec&);
/// Usage if an edit names a stage or a pass that does not exist, or if a pass is skipped of a stage
/// whose program does not take the others by their names. It is asked only for a pass of a
/// pipeline.
Result<EditedStages> editedStages(const LowerOptions&, const Engine&, CommandRunner&,
                                  const RunContext&);

/// A pass as a trace lists it.
struct ListedPass {
  StagePass at;
  PipelinePass pass;
  bool isStep = false;  ///< a stage that is not divided into passes
  bool runs = true;     ///< false: skipped, or before the edit
};
/// All passes of the stages, in order; a trace numbers them from 1. Of a stage whose tool is
/// missing, and those after it, one step each. Errors as above.
Result<std::vector<ListedPass>> listedPasses(const LowerOptions&, const Engine&, CommandRunner&,
                                             const RunContext&);

/// Usage, with the way out, if the passes of EditedStages::again change the text of the edit.
Result<> checkAgain(const EditedStages&, const LowerOptions&, const Engine&, CommandRunner&,
                    const RunContext&);

/// The text that an edit replaces, with locations: that of the stage, or after a pass of it.
/// `options` and `before` are those of lower(): of the lowering whose text it is. Usage if there is
/// no such stage or pass, EngineFailed if the lowering does not get there, Cancelled.
Result<std::string> textAt(const std::string& stage, std::optional<std::size_t> pass,
                           const std::string& raw, const fx::Program&, const Engine&,
                           LowerOptions options, CommandRunner&, const RunContext&,
                           const Lowering* before = nullptr);

}  // namespace fxs::lower
