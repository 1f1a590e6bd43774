// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/edited_stages.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/joined.h"
#include "base/safe_text.h"
#include "lower/engine_run.h"
#include "lower/printed_passes.h"
#include "lower/tool_run.h"
#include "lower/trace_plan.h"
#include "mlir/compare/same_ir.h"
#include "mlir/logs/diagnostics.h"
#include "mlir/logs/printed_ops.h"

namespace fxs::lower {
namespace {

Result<std::size_t> stageNamed(const std::vector<StageSpec>& specs, const std::string& id) {
  const auto stage =
      std::find_if(specs.begin(), specs.end(), [&](const StageSpec& s) { return s.id == id; });
  if (stage != specs.end()) return static_cast<std::size_t>(stage - specs.begin());
  std::vector<std::string> ids;
  for (const StageSpec& spec : specs) ids.push_back(spec.id);
  return fail(ErrorCode::Usage,
              fmt::format("no stage '{}': the stages are {}", printable(id), joined(ids)));
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

/// The first of the passes after the edit that the program does not take by its name; "" if it
/// takes all.
std::string unnamedPass(const FlatPipeline& flat, std::size_t first, const Engine& runs) {
  if (flat.restatable) return {};
  for (std::size_t i = first; i < flat.passes.size(); ++i)
    if (!runs.passes.contains(flat.passes[i].pass)) return flat.passes[i].pass;
  return {};
}

tl::unexpected<Error> notByName(const StageSpec& spec, const std::string& pass,
                                std::string_view consequence) {
  return fail(ErrorCode::Usage, fmt::format("stage {}: {} does not run its pass '{}' by name, {}",
                                            spec.id, spec.tool.title(), pass, consequence));
}

/// Sets the pipeline to that of the passes that run.
Result<> leaveOut(const StageEdits& edits, StageSpec& spec, std::vector<PipelinePass>& again,
                  const LowerOptions& options, const Engine& engine, CommandRunner& runner,
                  const RunContext& context) {
  FXS_TRY(const FlatPipeline flat, flatPipelineOf(spec, engine, options, runner, context));
  FXS_TRY(const Engine runs, engineOfStage(spec, engine));
  if (edits.after) FXS_CHECK(checkPass(*edits.after, spec, flat));
  for (const std::size_t pass : edits.skipped) FXS_CHECK(checkPass(pass, spec, flat));
  const std::size_t first = edits.after ? *edits.after + 1 : 0;
  if (const std::string unnamed = unnamedPass(flat, first, runs); !unnamed.empty()) {
    if (!edits.skipped.empty()) return notByName(spec, unnamed, "so that none can be left out");
    again.assign(flat.passes.begin(), flat.passes.begin() + static_cast<std::ptrdiff_t>(first));
    return {};
  }
  std::vector<PipelinePass> left;
  for (std::size_t i = first; i < flat.passes.size(); ++i)
    if (std::find(edits.skipped.begin(), edits.skipped.end(), i) == edits.skipped.end())
      left.push_back(flat.passes[i]);
  spec.pipeline = left.empty() ? std::string() : restated(left);
  return {};
}

/// What the pipeline of a stage prints after its passes.
struct PrintedLog {
  std::vector<mlir::DumpedIr> dumps;
  std::vector<PrintedStep> steps;
  bool ended = false;  ///< well: all passes ran on all operations
};

Result<PrintedLog> printedBy(const std::vector<PipelinePass>& passes, Command command,
                             bool moduleScope, CommandRunner& runner, const RunContext& context) {
  command.argv.insert(command.argv.end(),
                      {"--mlir-print-ir-after-all", "--mlir-disable-threading"});
  if (moduleScope) command.argv.push_back("--mlir-print-ir-module-scope");
  FXS_TRY(const Exit exit, runToEnd(command, runner, context.stop));
  PrintedLog out;
  out.dumps = std::move(mlir::parseEngineLog(exit.err).dumps);
  out.steps = stepsOf(printedPasses(out.dumps), passes);
  out.ended = exit.ok();
  return out;
}

/// The module after the last step; the first steps start from `text`.
Result<std::string> moduleAfter(PrintedLog log, std::string text, bool moduleScope) {
  for (const PrintedStep& step : log.steps) {
    if (moduleScope || step.isOfModule()) {
      text = std::move(log.dumps[step.printed.back().index].ir);
      continue;
    }
    std::vector<mlir::PrintedOp> ops;
    for (const PrintedPass& printed : step.printed)
      ops.push_back({printed.path, std::move(log.dumps[printed.index].ir)});
    FXS_TRY(text, mlir::withPrintedOps(text, ops));
  }
  return text;
}

/// The module after the last of `passes`, with which the pipeline of the stage begins, printed
/// while all of it runs.
Result<std::string> printedAfter(const std::vector<PipelinePass>& passes, const StageSpec& spec,
                                 const std::string& input, const LowerOptions& options,
                                 const Engine& engine, CommandRunner& runner,
                                 const RunContext& context) {
  FXS_TRY(const Engine runs, engineOfStage(spec, engine));
  Command command = engineCommand(runs, spec.pipeline, input, options.limits);
  std::erase(command.argv, "--mlir-print-ir-after-failure");  // which prints after nothing else
  bool moduleScope = !mayRunOnSeveral(passes, input);
  FXS_TRY(PrintedLog log, printedBy(passes, command, moduleScope, runner, context));
  if (moduleScope && ranOnSeveral(log.steps)) {
    moduleScope = false;
    FXS_TRY(log, printedBy(passes, command, moduleScope, runner, context));
  }
  const bool isAsPlanned = !passes.empty() && log.steps.size() == passes.size() &&
                           (moduleScope || log.ended) &&
                           std::none_of(log.steps.begin(), log.steps.end(),
                                        [](const PrintedStep& step) { return step.failed(); });
  if (!isAsPlanned)
    return fail(ErrorCode::EngineFailed,
                fmt::format("stage {}: {} did not print the module after its pass {}", spec.id,
                            spec.tool.title(), passes.empty() ? "" : passes.back().pass));
  return moduleAfter(std::move(log), input, moduleScope);
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

/// textAt(), where the program does not take the passes by their names.
Result<std::string> printedTextAt(std::size_t at, std::size_t pass, const FlatPipeline& flat,
                                  const std::vector<StageSpec>& specs, const std::string& raw,
                                  const fx::Program& program, const Engine& engine,
                                  const LowerOptions& options, CommandRunner& runner,
                                  const RunContext& context, const Lowering* before) {
  if (options.edit && options.edit->stage == specs[at].id)
    return notByName(specs[at], unnamedPass(flat, 0, engine), "so that one edit of it is possible");
  std::string input = raw;
  if (at > 0) {
    FXS_TRY(input, textAt(specs[at - 1].id, std::nullopt, raw, program, engine, options, runner,
                          context, before));
  }
  const std::vector<PipelinePass> passes(
      flat.passes.begin(), flat.passes.begin() + static_cast<std::ptrdiff_t>(pass) + 1);
  return printedAfter(passes, specs[at], input, options, engine, runner, context);
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
    FXS_CHECK(leaveOut(edits[i], spec, out.again, options, engine, runner, context));
  }
  return out;
}

Result<> checkAgain(const EditedStages& stages, const LowerOptions& options, const Engine& engine,
                    CommandRunner& runner, const RunContext& context) {
  if (stages.again.empty()) return {};
  const StageSpec& spec = stages.specs[*stages.edit];
  FXS_TRY(const Engine runs, engineOfStage(spec, engine));
  const EngineRun read =
      std::move(runEngine(runs, {""}, options.edit->text, options.limits, runner, context).front());
  if (read.outcome != RunOutcome::Ok) return {};  // which the stage says
  FXS_TRY(const std::string after,
          printedAfter(stages.again, spec, options.edit->text, options, engine, runner, context));
  if (mlir::sameButLocations(after, read.out)) return {};
  FXS_TRY(const FlatPipeline flat, flatPipelineOf(spec, engine, options, runner, context));
  return notByName(spec, unnamedPass(flat, stages.again.size(), runs),
                   "so that the passes before it run again, and they change the edited text: edit "
                   "the text of an earlier stage, or of a later pass");
}

bool isStep(const StageSpec& spec) { return !spec.tool.runsPasses() || !spec.prepare.empty(); }

Result<std::vector<ListedPass>> listedPasses(const LowerOptions& options, const Engine& engine,
                                             CommandRunner& runner, const RunContext& context) {
  FXS_TRY(const std::vector<StageSpec> specs, filledStages(options));
  bool isReached = options.edit == nullptr, areSteps = false;
  std::vector<ListedPass> out;
  for (const StageSpec& spec : specs) {
    areSteps = areSteps || isStep(spec) || (!spec.tool.isEngine() && !engineOfStage(spec, engine));
    FlatPipeline flat;
    if (areSteps) flat.passes.push_back({{}, spec.tool.title(), {}});
    if (!areSteps && !spec.pipeline.empty()) {
      FXS_TRY(flat, flatPipelineOf(spec, engine, options, runner, context));
    }
    const bool isEdited = options.edit && options.edit->stage == spec.id;
    for (std::size_t i = 0; i < flat.passes.size(); ++i) {
      const StagePass at{spec.id, i};
      out.push_back(
          {at, std::move(flat.passes[i]), areSteps, isReached && !options.skipped.contains(at)});
      isReached = isReached || (isEdited && options.edit->pass == i);
    }
    isReached = isReached || isEdited;
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
    FXS_TRY(const Engine runs, engineOfStage(specs[at], engine));
    if (!unnamedPass(flat, 0, runs).empty())
      return printedTextAt(at, *pass, flat, specs, raw, program, engine, options, runner, context,
                           before);
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
