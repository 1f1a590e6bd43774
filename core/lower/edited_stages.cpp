// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/edited_stages.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/joined.h"
#include "base/safe_text.h"
#include "lower/tool_run.h"
#include "lower/trace_plan.h"

namespace fxs::lower {
namespace {

Result<std::size_t> stageNamed(const std::vector<StageSpec>& specs, const std::string& id) {
  const auto stage =
      std::find_if(specs.begin(), specs.end(), [&](const StageSpec& s) { return s.id == id; });
  if (stage != specs.end()) return static_cast<std::size_t>(stage - specs.begin());
  std::vector<std::string> ids;
  for (const StageSpec& spec : specs) ids.push_back(spec.id);
  return fail(ErrorCode::Usage,
              fmt::format("no stage '{}': the stages are {}", printable(id), joined(ids, " and ")));
}

/// What the options change of one stage.
struct StageEdits {
  std::optional<std::size_t> after;  ///< the pass after which it starts
  std::vector<std::size_t> skipped;
};

/// The pipeline of the passes that run.
Result<std::string> pipelineOf(const StageSpec& spec, const StageEdits& edits,
                               const LowerOptions& options, const Engine& engine,
                               CommandRunner& runner, const RunContext& context) {
  if (spec.pipeline.empty())
    return fail(ErrorCode::Usage, fmt::format("stage {}: it has no passes", spec.id));
  FXS_TRY(const Engine runs, engineOfStage(spec, engine));
  FXS_TRY(const FlatPipeline flat,
          flattened(runs, spec.pipeline, options.limits, "", runner, context));
  std::vector<std::size_t> named = edits.skipped;
  if (edits.after) named.push_back(*edits.after);
  for (const std::size_t pass : named)
    if (pass >= flat.passes.size())
      return fail(ErrorCode::Usage, fmt::format("stage {}: no pass {}: its {} passes begin at 0",
                                                spec.id, pass, flat.passes.size()));
  std::vector<PipelinePass> left;
  for (std::size_t i = edits.after ? *edits.after + 1 : 0; i < flat.passes.size(); ++i) {
    if (std::find(edits.skipped.begin(), edits.skipped.end(), i) != edits.skipped.end()) continue;
    if (!flat.restatable && !runs.passes.contains(flat.passes[i].pass))
      return fail(ErrorCode::Usage,
                  fmt::format("stage {}: {} does not run its pass '{}' by name: change the text of "
                              "a later pass, or of a stage",
                              spec.id, spec.tool.title(), flat.passes[i].pass));
    left.push_back(flat.passes[i]);
  }
  return left.empty() ? std::string() : restated(left);
}

}  // namespace

Result<EditedStages> editedStages(const LowerOptions& options, const Engine& engine,
                                  CommandRunner& runner, const RunContext& context) {
  EditedStages out;
  FXS_TRY(out.specs, filledStages(options));
  for (const auto& [stage, pipeline] : options.pipelines) FXS_CHECK(stageNamed(out.specs, stage));
  std::vector<StageEdits> edits(out.specs.size());
  for (const StagePass& skip : options.skipped) {
    FXS_TRY(const std::size_t stage, stageNamed(out.specs, skip.stage));
    edits[stage].skipped.push_back(skip.pass);
  }
  if (options.edit) {
    FXS_TRY(out.edit, stageNamed(out.specs, options.edit->stage));
    edits[*out.edit].after = options.edit->pass;
  }
  for (std::size_t i = 0; i < edits.size(); ++i) {
    StageSpec& spec = out.specs[i];
    const bool isResult = out.edit == i && !edits[i].after;
    if (!isResult && !edits[i].after && edits[i].skipped.empty()) continue;
    spec.survey.clear();  // which runs the same passes
    if (isResult) {
      spec.pipeline.clear();
      continue;
    }
    FXS_TRY(spec.pipeline, pipelineOf(spec, edits[i], options, engine, runner, context));
  }
  return out;
}

}  // namespace fxs::lower
