// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/batch.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "lower/engine_run.h"
#include "lower/findings.h"
#include "lower/no_answer.h"
#include "lower/pipeline_check.h"
#include "lower/split_run.h"
#include "lower/tool_run.h"

namespace fxs::lower {
namespace {

using Outcome = SplitPart::Outcome;

/// A process for fewer modules is not worth its start.
constexpr std::size_t kWorthAProcess = 8;
/// Timeout of a group: small modules take milliseconds, so one that takes longer is found by
/// bisection.
constexpr std::chrono::milliseconds kPatience{3'000};
/// The part of the time limit for a module run by itself.
constexpr int kSinglePart = 12;
constexpr std::chrono::milliseconds kPatiencePerModule{50};

struct BatchContext {
  const fx::Program& program;
  const Engine& engine;
  const LowerOptions& options;
  CommandRunner& runner;
  const RunContext& context;
};

/// A module in a pipeline.
struct Item {
  const std::string* module = nullptr;  ///< null if the previous stage failed
  SplitPart part;
};
/// A stage of some of the targets, for all modules.
struct Step {
  StageSpec spec;
  std::optional<std::size_t> before;  ///< the previous step; nullopt for the modules themselves
  std::size_t depth = 0;
  std::vector<std::size_t> targets;
  std::vector<Item> items;  ///< by module
  bool isSingle = false;    ///< its program takes one module at a time, or is missing
  mlir::TextForm reads = mlir::TextForm::Mlir;
};
struct Group {
  std::size_t step = 0;
  std::vector<Item*> items;
};

Limits batchLimits(const BatchContext& batch, std::size_t modules) {
  Limits limits = batch.options.limits;
  const std::chrono::milliseconds patience =
      kPatience + kPatiencePerModule * static_cast<std::int64_t>(modules);
  limits.timeout = limits.timeout.count() > 0 ? std::min(limits.timeout, patience) : patience;
  return limits;
}

std::vector<Group> halves(const Group& group) {
  const auto middle = group.items.begin() + static_cast<std::ptrdiff_t>(group.items.size() / 2);
  return {{group.step, {group.items.begin(), middle}}, {group.step, {middle, group.items.end()}}};
}

/// Runs a stage on every item by itself, for a tool that takes one module at a time.
Result<> runSingly(const Group& group, const Step& step, const BatchContext& batch) {
  for (Item* item : group.items) {
    if (batch.context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "cancelled");
    Limits limits = batch.options.limits;
    limits.timeout = shareOf(limits.timeout, kSinglePart);
    EngineRun run = runStage(step.spec, *item->module, step.reads, batch.engine, limits,
                             batch.runner, batch.context);
    if (run.outcome == RunOutcome::Cancelled) return fail(ErrorCode::Cancelled, "cancelled");
    // What failed is run again with all its stages, for the details.
    const bool ok =
        run.outcome == RunOutcome::Ok && noAnswer(step.spec, *item->module, run.out).empty();
    item->part.outcome = ok ? Outcome::Ok : Outcome::Unclear;
    item->part.out = std::move(run.out);
  }
  return {};
}

/// The groups as modules for the engines of their steps.
std::vector<SplitJob> jobsOf(const std::vector<Group>& groups, const std::vector<Step>& steps,
                             const std::vector<Engine>& engines) {
  std::vector<SplitJob> jobs;
  for (const Group& group : groups) {
    SplitJob& job =
        jobs.emplace_back(SplitJob{steps[group.step].spec.pipeline, {}, &engines[group.step]});
    for (const Item* item : group.items) job.modules.emplace_back(*item->module);
  }
  return jobs;
}

std::size_t mostItems(const std::vector<Group>& groups) {
  std::size_t most = 0;
  for (const Group& group : groups) most = std::max(most, group.items.size());
  return most;
}

/// Gives each item of a group its part. Returns whether the engine answered for all.
bool takeParts(const Group& group, std::vector<SplitPart> parts, const StageSpec& spec) {
  bool answered = true;
  for (std::size_t i = 0; i < group.items.size(); ++i) {
    Item& item = *group.items[i];
    item.part = std::move(parts[i]);
    answered &= item.part.outcome != Outcome::Unanswered;
    if (item.part.outcome == Outcome::Ok && !noAnswer(spec, *item.module, item.part.out).empty())
      item.part.outcome = Outcome::Unclear;
  }
  return answered;
}

/// Fills in the part of every item; a part stays Unanswered if the engine does not finish even with
/// that item by itself. EngineFailed if it cannot run a step's pipeline at all.
Result<> runGroups(std::vector<Group> groups, const std::vector<Step>& steps,
                   const BatchContext& batch) {
  std::vector<Engine> engines;  // by step
  for (const Step& step : steps)
    engines.push_back(engineOfStage(step.spec, batch.engine).value_or(batch.engine));
  for (const Group& group : groups)
    if (steps[group.step].isSingle) FXS_CHECK(runSingly(group, steps[group.step], batch));
  std::erase_if(groups, [&](const Group& group) { return steps[group.step].isSingle; });
  std::set<std::size_t> checked;  // steps whose pipeline can be run
  while (!groups.empty()) {
    FXS_TRY(auto parts,
            runSplit(batch.engine, jobsOf(groups, steps, engines),
                     batchLimits(batch, mostItems(groups)), batch.runner, batch.context));
    std::vector<Group> next;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const Group& group = groups[g];
      const StageSpec& spec = steps[group.step].spec;
      if (takeParts(group, std::move(parts[g]), spec)) continue;
      if (checked.insert(group.step).second)
        FXS_CHECK(checkPipeline(spec, engines[group.step], batchLimits(batch, 1), batch.runner,
                                batch.context));
      if (group.items.size() > 1)
        for (Group& half : halves(group)) next.push_back(std::move(half));
    }
    groups = std::move(next);
  }
  return {};
}

std::string errorsOf(const mlir::EngineLog& log) {
  std::string out;
  for (const mlir::EngineDiagnostic& d : log.diagnostics)
    if (d.severity == "error") out += (out.empty() ? "" : "\n") + d.message;
  return out;
}

/// Runs a module by itself through every stage, which gives the most detail about a crash, a limit,
/// or an invalid module.
Result<BatchResult> alone(const std::string& raw, const OutputType& target,
                          const BatchContext& batch) {
  LowerOptions options = batch.options;
  options.target = target;
  options.limits.timeout = shareOf(options.limits.timeout, kSinglePart);
  FXS_TRY(const auto lowering,
          lower(raw, batch.program, batch.engine, options, batch.runner, batch.context));
  BatchResult out;
  const std::string* input = &raw;
  for (const StageResult& stage : lowering->stages) {
    if (stage.status == StageStatus::Skipped) break;
    out.status = stage.status;
    out.stage = stage.id;
    if (stage.status == StageStatus::Ok) {
      input = &stage.text;
      continue;
    }
    out.pass = stage.failingPass;
    out.failureIr = stage.failureIr;
    out.message = errorsOf(mlir::parseEngineLog(stage.stderrText));
    out.findings = stage.findings;
  }
  if (batch.context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "cancelled");
  (out.ok() ? out.text : out.lastGood) = *input;
  return out;
}

/// The result of a module for which the engine reported errors; nullopt if it must be run by
/// itself.
std::optional<BatchResult> failedResult(const SplitPart& part, const std::string& input,
                                        const StageSpec& spec, const BatchContext& batch) {
  EngineRun run;
  run.outcome = RunOutcome::Failed;
  run.log = mlir::parseEngineLog(part.err);
  if (part.outcome != Outcome::Failed || run.log.crashed || !run.log.fatal.empty() ||
      !saysWhere(run))
    return std::nullopt;
  BatchResult out;
  out.status = StageStatus::Failed;
  out.stage = spec.id;
  out.pass = run.log.failingPass;
  for (mlir::DumpedIr& dump : run.log.dumps)
    if (dump.header.failed) out.failureIr = dump.ir;
  out.message = errorsOf(run.log);
  out.findings = findingsOf(run, spec, batch.program, !batch.options.extraLibrary.empty());
  out.lastGood = input;
  return out;
}

/// Distributes items among groups large enough to amortize the start of a process.
void deal(std::vector<Item*> items, std::size_t step, std::size_t most,
          std::vector<Group>& groups) {
  const std::size_t processes =
      std::clamp<std::size_t>(items.size() / kWorthAProcess, 1, std::max<std::size_t>(most, 1));
  for (std::size_t p = 0; p < processes && !items.empty(); ++p) {
    Group& group = groups.emplace_back(Group{step, {}});
    for (std::size_t i = p; i < items.size(); i += processes) group.items.push_back(items[i]);
  }
}

/// Whether a stage comes after another for a target.
bool isAfter(std::string_view stage, std::string_view other, const OutputType& target) {
  const std::vector<OutputType> way = pathTo(target);
  const auto at = [&](std::string_view id) {
    return std::find_if(way.begin(), way.end(),
                        [&](const OutputType& type) { return name(type) == id; });
  };
  return at(stage) > at(other);
}

/// The steps for all targets, each once, after the one that it continues.
Result<std::vector<Step>> stepsTo(const std::vector<OutputType>& targets, LowerOptions options,
                                  std::size_t modules, const Engine& engine) {
  std::vector<Step> steps;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    options.target = targets[t];
    FXS_TRY(std::vector<StageSpec> stages, filledStages(options));
    FXS_CHECK(checkPasses(stages, engine));
    // RAW is redundant before another stage, which parses and verifies too.
    if (stages.size() > 1) stages.erase(stages.begin());
    std::optional<std::size_t> before;
    for (StageSpec& stage : stages) {
      auto step = std::find_if(steps.begin(), steps.end(),
                               [&](const Step& known) { return known.spec.id == stage.id; });
      if (step == steps.end()) {
        const std::size_t depth = before ? steps[*before].depth + 1 : 0;
        const mlir::TextForm reads = before ? steps[*before].spec.writes : mlir::TextForm::Mlir;
        const bool single =
            !stage.tool.runsPasses() || !stage.prepare.empty() || !engineOfStage(stage, engine);
        steps.push_back(
            {std::move(stage), before, depth, {}, std::vector<Item>(modules), single, reads});
        step = std::prev(steps.end());
      }
      step->targets.push_back(t);
      before = static_cast<std::size_t>(step - steps.begin());
    }
  }
  return steps;
}

std::size_t depthsOf(const std::vector<Step>& steps) {
  std::size_t depths = 0;
  for (const Step& step : steps) depths = std::max(depths, step.depth + 1);
  return depths;
}

/// Whether a target of theirs is asked for, of a module.
using IsAsked = std::function<bool(std::size_t module, std::size_t target)>;

/// The modules that reach a step, with what they are there.
std::vector<Item*> itemsReaching(std::size_t s, std::vector<Step>& steps,
                                 const std::vector<std::string>& modules, const IsAsked& isAsked) {
  Step& step = steps[s];
  std::vector<Item*> out;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const Item* input = step.before ? &steps[*step.before].items[i] : nullptr;
    if (input != nullptr && input->part.outcome != Outcome::Ok) continue;
    if (isAsked && std::none_of(step.targets.begin(), step.targets.end(),
                                [&](std::size_t t) { return isAsked(i, t); }))
      continue;
    step.items[i].module = input != nullptr ? &input->part.out : &modules[i];
    out.push_back(&step.items[i]);
  }
  return out;
}

/// Runs every step on every module that reaches it, and whose target it leads to. `subject` is for
/// people.
Result<std::vector<Step>> stepsRun(const std::vector<std::string>& modules,
                                   const std::vector<OutputType>& targets,
                                   const std::string& subject, std::size_t processes,
                                   const BatchContext& batch, const IsAsked& isAsked = {}) {
  FXS_TRY(std::vector<Step> steps, stepsTo(targets, batch.options, modules.size(), batch.engine));
  const std::size_t depths = depthsOf(steps);
  for (std::size_t depth = 0; depth < depths; ++depth) {
    std::vector<Group> groups;
    for (std::size_t s = 0; s < steps.size(); ++s)
      if (steps[s].depth == depth)
        deal(itemsReaching(s, steps, modules, isAsked), s, processes, groups);
    batch.context.report(
        {subject, 0.1 + 0.8 * static_cast<double>(depth) / static_cast<double>(depths)});
    FXS_CHECK(runGroups(std::move(groups), steps, batch));
  }
  return steps;
}

/// The module after a step; null if it did not get there.
const std::string* textAfter(std::string_view id, std::size_t module,
                             const std::vector<Step>& steps) {
  const auto step = std::find_if(steps.begin(), steps.end(),
                                 [&](const Step& each) { return each.spec.id == id; });
  if (step == steps.end()) return nullptr;
  const SplitPart& part = step->items[module].part;
  return part.outcome == Outcome::Ok ? &part.out : nullptr;
}

/// The stages of a module that ended well, and skipped ones; null if nothing after RAW ended well.
std::shared_ptr<const Lowering> loweringOf(const OutputType& target, const std::string& raw,
                                           std::size_t module, const std::vector<Step>& steps,
                                           const Engine& engine) {
  auto lowering = std::make_shared<Lowering>();
  lowering->target = target;
  lowering->engine = engine;
  std::size_t ended = 0;
  for (const StageSpec& spec : stagesFor(target)) {
    StageResult& result = lowering->stages.emplace_back();
    result.id = spec.id;
    result.title = spec.title;
    result.form = spec.writes;
    if (ended + 1 != lowering->stages.size()) continue;
    const std::string* text = ended == 0 ? &raw : textAfter(spec.id, module, steps);
    if (text == nullptr) continue;
    result.text = *text;
    result.status = StageStatus::Ok;
    ++ended;
  }
  if (ended <= 1) return nullptr;
  return lowering;
}

/// By target: the results of the modules.
using Results = std::vector<std::vector<BatchResult>>;

/// What ended well in a step is the result of the target that it is the last step of.
void takeOk(std::size_t module, Step& step, const std::vector<OutputType>& targets, Results& out) {
  for (const std::size_t t : step.targets) {
    if (name(targets[t]) != step.spec.id) continue;
    out[t][module].status = StageStatus::Ok;
    out[t][module].stage = step.spec.id;
    out[t][module].text = std::move(step.items[module].part.out);
  }
}

/// A failure in a step is one of all steps after it.
Result<> takeFailed(std::size_t module, const std::string& text, const Step& step,
                    const std::vector<OutputType>& targets, const BatchContext& batch,
                    Results& out) {
  const Item& item = step.items[module];
  std::optional<BatchResult> shared = failedResult(item.part, *item.module, step.spec, batch);
  for (const std::size_t t : step.targets) {
    BatchResult& result = out[t][module];
    if (shared) {
      result = *shared;
      continue;
    }
    batch.context.report({"isolating an operation that crashes the engine", 0.8});
    FXS_TRY(result, alone(text, targets[t], batch));
    // If it gets further by itself, the others are run too.
    if (!result.ok() && !isAfter(result.stage, step.spec.id, targets[t])) shared = result;
  }
  return {};
}

}  // namespace

Result<std::vector<std::vector<BatchResult>>> lowerBatch(
    const std::vector<std::string>& modules, const std::vector<OutputType>& targets,
    const fx::Program& program, const Engine& engine, const LowerOptions& options,
    CommandRunner& runner, const RunContext& context, std::size_t processes) {
  const BatchContext batch{program, engine, options, runner, context};
  Results out(targets.size(), std::vector<BatchResult>(modules.size()));
  if (modules.empty() || targets.empty()) return out;

  FXS_TRY(std::vector<Step> steps,
          stepsRun(modules, targets, "lowering operations one by one", processes, batch));

  // Last steps first.
  for (std::size_t depth = depthsOf(steps); depth-- > 0;)
    for (Step& step : steps) {
      if (step.depth != depth) continue;
      for (std::size_t i = 0; i < modules.size(); ++i) {
        if (step.items[i].module == nullptr) continue;
        if (step.items[i].part.outcome == Outcome::Ok) takeOk(i, step, targets, out);
        else FXS_CHECK(takeFailed(i, modules[i], step, targets, batch, out));
      }
    }
  return out;
}

Result<std::vector<BatchResult>> lowerBatch(const std::vector<std::string>& modules,
                                            const fx::Program& program, const Engine& engine,
                                            const LowerOptions& options, CommandRunner& runner,
                                            const RunContext& context) {
  FXS_TRY(auto results, lowerBatch(modules, std::vector{options.target}, program, engine, options,
                                   runner, context));
  return std::move(results.front());
}

Result<std::vector<std::vector<std::shared_ptr<const Lowering>>>> lowerTogether(
    const std::vector<ModuleFor>& modules, const Engine& engine, const LowerOptions& options,
    CommandRunner& runner, const RunContext& context) {
  std::vector<std::vector<std::shared_ptr<const Lowering>>> out;
  std::vector<std::string> texts;
  std::vector<OutputType> byEngine;
  for (const ModuleFor& module : modules) {
    out.emplace_back(module.targets.size());
    texts.push_back(module.text);
    for (const OutputType& target : module.targets)
      if (target->after && !firstOfOtherTools(target) &&
          std::find(byEngine.begin(), byEngine.end(), target) == byEngine.end())
        byEngine.push_back(target);
  }
  if (byEngine.empty()) return out;
  const auto isAsked = [&](std::size_t i, std::size_t t) {
    const std::vector<OutputType>& targets = modules[i].targets;
    return std::find(targets.begin(), targets.end(), byEngine[t]) != targets.end();
  };
  const fx::Program none;  // what fails is lowered again, for its findings
  FXS_TRY(const std::vector<Step> steps,
          stepsRun(texts, byEngine, "lowering small programs together", 1,
                   BatchContext{none, engine, options, runner, context}, isAsked));
  for (std::size_t i = 0; i < modules.size(); ++i)
    for (std::size_t t = 0; t < modules[i].targets.size(); ++t) {
      const OutputType& target = modules[i].targets[t];
      if (std::find(byEngine.begin(), byEngine.end(), target) == byEngine.end()) continue;
      out[i][t] = loweringOf(target, texts[i], i, steps, engine);
    }
  return out;
}

}  // namespace fxs::lower
