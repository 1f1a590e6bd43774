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

Result<FlatPipeline> flatPipelineOf(const StageSpec& spec, const Engine& engine,
                                    const LowerOptions& options, CommandRunner& runner,
                                    const RunContext& context) {
  if (spec.pipeline.empty())
    return fail(ErrorCode::Usage, fmt::format("stage {}: it has no passes", spec.id));
  FXS_TRY(const Engine runs, engineOfStage(spec, engine));
  return flattened(runs, spec.pipeline, options.limits, "", runner, context);
}

Result<> checkPass(std::size_t pass, const StageSpec& spec, const FlatPipeline& flat) {
  if (pass < flat.passes.size()) return {};
  return fail(ErrorCode::Usage, fmt::format("stage {}: no pass {}: its {} passes begin at 0",
                                            spec.id, pass, flat.passes.size()));
}

/// The pipeline of the passes that run.
Result<std::string> pipelineOf(const StageSpec& spec, const StageEdits& edits,
                               const LowerOptions& options, const Engine& engine,
                               CommandRunner& runner, const RunContext& context) {
  FXS_TRY(const FlatPipeline flat, flatPipelineOf(spec, engine, options, runner, context));
  FXS_TRY(const Engine runs, engineOfStage(spec, engine));
  if (edits.after) FXS_CHECK(checkPass(*edits.after, spec, flat));
  for (const std::size_t pass : edits.skipped) FXS_CHECK(checkPass(pass, spec, flat));
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

/// For the lowering up to a stage and pass, which edits after them do not change.
LowerOptions optionsUpTo(std::size_t at, std::optional<std::size_t> pass,
                         const std::vector<StageSpec>& specs, LowerOptions options) {
  const std::vector<OutputType> path = pathTo(options.target);
  options.target = path[at];
  const auto isLater = [&](std::string_view stage) {
    return std::none_of(specs.begin(), specs.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                        [&](const StageSpec& spec) { return spec.id == stage; });
  };
  std::erase_if(options.skipped, [&](const StagePass& skip) { return isLater(skip.stage); });
  std::erase_if(options.pipelines, [&](const auto& entry) { return isLater(entry.first); });
  if (!options.edit) return options;
  const Edit& edit = *options.edit;
  const bool isAfter = edit.stage == specs[at].id && pass && (!edit.pass || *edit.pass > *pass);
  if (isAfter || isLater(edit.stage)) options.edit = nullptr;
  return options;
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
    spec.converts = false;
    if (isResult) {
      spec.pipeline.clear();
      continue;
    }
    FXS_TRY(spec.pipeline, pipelineOf(spec, edits[i], options, engine, runner, context));
  }
  return out;
}

Result<std::string> textAt(const std::string& stage, std::optional<std::size_t> pass,
                           const std::string& raw, const fx::Program& program, const Engine& engine,
                           LowerOptions options, CommandRunner& runner, const RunContext& context,
                           const Lowering* before) {
  FXS_TRY(const std::vector<StageSpec> specs, filledStages(options));
  FXS_TRY(const std::size_t at, stageNamed(specs, stage));
  options = optionsUpTo(at, pass, specs, std::move(options));
  if (pass) {
    FXS_TRY(const FlatPipeline flat, flatPipelineOf(specs[at], engine, options, runner, context));
    FXS_CHECK(checkPass(*pass, specs[at], flat));
    for (std::size_t i = *pass + 1; i < flat.passes.size(); ++i) options.skipped.insert({stage, i});
  }
  FXS_TRY(const auto lowering, lower(raw, program, engine, options, runner, context, {}, before));
  const StageResult& last = lowering->stages.back();
  if (last.status == StageStatus::Ok) return last.text;
  if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
  return fail(ErrorCode::EngineFailed,
              fmt::format("stage {}: {}; what it gives is not known", stage,
                          last.message.empty() ? name(last.status) : last.message));
}

}  // namespace fxs::lower
