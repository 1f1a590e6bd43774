#include "lower/batch.h"

#include <algorithm>

#include "lower/engine_run.h"
#include "lower/findings.h"
#include "lower/split_run.h"

namespace fxs::lower {
namespace {

using Outcome = SplitPart::Outcome;

/// Processes that a pipeline's modules are dealt to, and with how few one is enough.
constexpr std::size_t kProcesses = 2;
constexpr std::size_t kWorthTwo = 16;
/// A small module takes milliseconds: one that takes this long holds the others up, and is found by halving.
constexpr std::chrono::milliseconds kPatience{3'000};
/// By itself, where it does not end with the others.
constexpr std::chrono::milliseconds kSingleTimeout{10'000};
constexpr std::chrono::milliseconds kPatiencePerModule{50};

struct World {
  const fx::Program& program;
  const Engine& engine;
  const LowerOptions& options;
  CommandRunner& runner;
  const RunContext& context;
};

/// A module on its way through a pipeline.
struct Item {
  const std::string* module = nullptr;
  SplitPart part;
};
struct Group {
  std::size_t pipeline = 0;
  std::vector<Item*> items;
};

Limits batchLimits(const World& world, std::size_t modules) {
  Limits limits = world.options.limits;
  const std::chrono::milliseconds patience = kPatience + kPatiencePerModule * static_cast<std::int64_t>(modules);
  limits.timeout = limits.timeout.count() > 0 ? std::min(limits.timeout, patience) : patience;
  return limits;
}

std::vector<Group> halves(const Group& group) {
  const auto middle = group.items.begin() + static_cast<std::ptrdiff_t>(group.items.size() / 2);
  return {{group.pipeline, {group.items.begin(), middle}}, {group.pipeline, {middle, group.items.end()}}};
}

/// Fills in the part of every item; what stays Unanswered did not let the engine end even by itself.
Result<> runGroups(std::vector<Group> groups, const std::vector<std::string>& pipelines, const World& world) {
  while (!groups.empty()) {
    std::vector<SplitJob> jobs;
    std::size_t most = 0;
    for (const Group& group : groups) {
      SplitJob& job = jobs.emplace_back(SplitJob{pipelines[group.pipeline], {}});
      for (const Item* item : group.items) job.modules.emplace_back(*item->module);
      most = std::max(most, group.items.size());
    }
    FXS_TRY(auto parts, runSplit(world.engine, jobs, batchLimits(world, most), world.runner, world.context));
    std::vector<Group> next;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      bool unanswered = false;
      for (std::size_t i = 0; i < groups[g].items.size(); ++i) {
        groups[g].items[i]->part = std::move(parts[g][i]);
        unanswered |= groups[g].items[i]->part.outcome == Outcome::Unanswered;
      }
      if (unanswered && groups[g].items.size() > 1)
        for (Group& half : halves(groups[g])) next.push_back(std::move(half));
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

/// By itself, through every stage: the way that tells most about a crash, a limit, or a module that is not valid.
Result<BatchResult> alone(const std::string& raw, OutputType target, const World& world) {
  LowerOptions options = world.options;
  options.target = target;
  options.onStage = nullptr;
  std::chrono::milliseconds& timeout = options.limits.timeout;
  timeout = timeout.count() > 0 ? std::min(timeout, kSingleTimeout) : kSingleTimeout;
  FXS_TRY(const auto lowering, lower(raw, world.program, world.engine, options, world.runner, world.context));
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
    out.words = errorsOf(mlir::parseEngineLog(stage.stderrText));
    out.findings = stage.findings;
  }
  if (world.context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
  (out.ok() ? out.text : out.lastGood) = *input;
  return out;
}

/// The result of a module that the engine ended with and said why; nothing when it has to be asked by itself.
std::optional<BatchResult> failedResult(const SplitPart& part, const std::string& input, const StageSpec& spec, const World& world) {
  EngineRun run;
  run.outcome = RunOutcome::Failed;
  run.log = mlir::parseEngineLog(part.err);
  if (part.outcome != Outcome::Failed || run.log.crashed || !run.log.fatal.empty()) return std::nullopt;
  BatchResult out;
  out.status = StageStatus::Failed;
  out.stage = spec.id;
  out.pass = run.log.failingPass;
  for (mlir::DumpedIr& dump : run.log.dumps)
    if (dump.header.failed) out.failureIr = dump.ir;
  out.words = errorsOf(run.log);
  out.findings = findingsOf(run, spec, world.program, !world.options.extraLibrary.empty());
  offerDecompositions(out.findings, world.options.decomposable);
  out.lastGood = input;
  return out;
}

/// Deals items to groups, few enough of them that starting a process pays.
void deal(std::vector<Item*> items, std::size_t pipeline, std::vector<Group>& groups) {
  const std::size_t processes = items.size() >= kWorthTwo ? kProcesses : 1;
  for (std::size_t p = 0; p < processes && !items.empty(); ++p) {
    Group& group = groups.emplace_back(Group{pipeline, {}});
    for (std::size_t i = p; i < items.size(); i += processes) group.items.push_back(items[i]);
  }
}

}  // namespace

Result<std::vector<std::vector<BatchResult>>> lowerBatch(const std::vector<std::string>& modules, const std::vector<OutputType>& targets,
                                                         const fx::Program& program, const Engine& engine, const LowerOptions& options,
                                                         CommandRunner& runner, const RunContext& context) {
  const World world{program, engine, options, runner, context};
  const std::size_t count = modules.size();
  std::vector<std::vector<BatchResult>> out(targets.size(), std::vector<BatchResult>(count));
  if (count == 0 || targets.empty()) return out;

  // The first stage that does something: torch. What it does not parse or verify leaves its part empty.
  std::vector<std::vector<StageSpec>> specs;
  for (const OutputType target : targets) {
    LowerOptions filled = options;
    filled.target = target;
    FXS_TRY(std::vector<StageSpec> stages, filledStages(filled));
    std::erase_if(stages, [](const StageSpec& s) { return s.pipeline.empty() && s.id != "raw"; });
    if (stages.size() > 1) stages.erase(stages.begin());
    specs.push_back(std::move(stages));
  }

  std::vector<Item> first(count);
  for (std::size_t i = 0; i < count; ++i) first[i].module = &modules[i];
  const auto addresses = [](std::vector<Item>& items) {
    std::vector<Item*> pointers;
    for (Item& item : items) pointers.push_back(&item);
    return pointers;
  };
  context.report({"lowering operations one by one", 0.1});
  std::vector<Group> groups;
  deal(addresses(first), 0, groups);
  FXS_CHECK(runGroups(std::move(groups), {specs.front().front().pipeline}, world));

  std::vector<std::vector<Item>> second(targets.size());
  std::vector<std::vector<std::size_t>> whose(targets.size());
  std::vector<std::string> pipelines;
  groups.clear();
  for (std::size_t t = 0; t < targets.size(); ++t) {
    pipelines.push_back(specs[t].back().pipeline);
    if (specs[t].size() < 2) continue;
    for (std::size_t i = 0; i < count; ++i) {
      if (first[i].part.outcome != Outcome::Ok) continue;
      second[t].push_back({&first[i].part.out, {}});
      whose[t].push_back(i);
    }
    deal(addresses(second[t]), t, groups);
  }
  context.report({"lowering operations one by one", 0.5});
  FXS_CHECK(runGroups(std::move(groups), pipelines, world));

  const auto conclude = [&](Item& item, const StageSpec& spec, std::size_t t, std::size_t i) -> Result<> {
    BatchResult& result = out[t][i];
    if (item.part.outcome == Outcome::Ok) {
      result.status = StageStatus::Ok;
      result.stage = spec.id;
      result.text = std::move(item.part.out);
    } else if (auto failed = failedResult(item.part, *item.module, spec, world)) {
      result = std::move(*failed);
    } else {
      context.report({"isolating an operation that crashes the engine", 0.8});
      FXS_TRY(result, alone(modules[i], targets[t], world));
    }
    return {};
  };
  for (std::size_t t = 0; t < targets.size(); ++t)
    for (std::size_t n = 0; n < second[t].size(); ++n) FXS_CHECK(conclude(second[t][n], specs[t].back(), t, whose[t][n]));
  // What failed in the first stage fails there for every target.
  for (std::size_t i = 0; i < count; ++i) {
    std::optional<BatchResult> shared;
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (first[i].part.outcome == Outcome::Ok && specs[t].size() > 1) continue;
      if (!shared) {
        FXS_CHECK(conclude(first[i], specs[t].front(), t, i));
        shared = out[t][i];
      } else {
        out[t][i] = *shared;
      }
    }
  }
  return out;
}

Result<std::vector<BatchResult>> lowerBatch(const std::vector<std::string>& modules, const fx::Program& program, const Engine& engine,
                                            const LowerOptions& options, CommandRunner& runner, const RunContext& context) {
  FXS_TRY(auto results, lowerBatch(modules, std::vector{options.target}, program, engine, options, runner, context));
  return std::move(results.front());
}

}  // namespace fxs::lower
