// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/lower.h"

#include <algorithm>
#include <optional>

#include "lower/engine_run.h"
#include "lower/findings.h"
#include "lower/no_answer.h"
#include "lower/pipeline_check.h"
#include "lower/stopped.h"
#include "lower/tool_run.h"

namespace fxs::lower {
namespace {

constexpr std::size_t kStderrKept = std::size_t{1} << 20;
/// The survey is optional: its part of the time limit.
constexpr int kSurveyPart = 6;

/// One stage being lowered.
struct Job {
  const StageSpec& stage;
  const std::string& input;
  bool readsItself;  ///< the engine printed the input
  const fx::Program& program;
  const Engine& engine;
  const LowerOptions& options;
  const LowerCallbacks& callbacks;
  CommandRunner& runner;
  const RunContext& context;
};

/// Runs the stage's survey pipeline on the same input, to find operations that the failing
/// conversion did not reach.
void survey(const Job& job, StageResult& result) {
  if (job.stage.survey.empty()) return;
  const bool illegal = std::any_of(
      result.findings.begin(), result.findings.end(),
      [](const fx::Finding& f) { return f.kind == "illegal-op" || f.kind == "not-registered"; });
  if (!illegal) return;
  Limits limits = job.options.limits;
  limits.timeout = shareOf(limits.timeout, kSurveyPart);
  const EngineRun run = std::move(
      runEngine(job.engine, {job.stage.survey}, job.input, limits, job.runner, job.context)
          .front());
  // If the survey fails too, its dump is the IR before the conversion and useless.
  std::vector<fx::Finding> more;
  for (const mlir::DumpedIr& dump : run.log.dumps)
    if (dump.header.failed && isFinalPass(run.log.failingPass))
      more = leftovers(dump.ir, result.failingPass, job.stage, job.program);
  if (run.outcome == RunOutcome::Ok)
    more = leftovers(run.out, result.failingPass, job.stage, job.program);
  merge(result.findings, std::move(more));
  countCauses(result.findings);
}

std::string_view howItEnded(StageStatus status) {
  if (status == StageStatus::Timeout) return "timed out";
  return status == StageStatus::Unknown ? "is not known" : name(status);
}

/// Whether the engine runs the stage as it is.
bool isPlain(const StageSpec& spec) { return spec.tool == StageTool{} && spec.prepare.empty(); }

const mlir::EngineDiagnostic* firstError(const EngineRun& run) {
  const auto& all = run.log.diagnostics;
  const auto error = std::find_if(all.begin(), all.end(), [](const mlir::EngineDiagnostic& d) {
    return d.severity == "error";
  });
  return error == all.end() ? nullptr : &*error;
}

/// One line; "" if it says none.
std::string errorLine(const EngineRun& run) {
  const mlir::EngineDiagnostic* error = firstError(run);
  return error == nullptr ? std::string() : error->message.substr(0, error->message.find('\n'));
}

/// Whether a line of the input stopped it: passes that fail are named, and operations are at nodes.
bool stopsReading(const EngineRun& run) {
  const mlir::EngineDiagnostic* error = firstError(run);
  return run.log.failingPass.empty() && error != nullptr && error->located && !error->node.valid();
}

/// Ensures that what stopped the run is about the module. EngineFailed if the stage's pipeline
/// cannot be run at all; a failure of which nothing shows why becomes one that is not known.
Result<> understand(const Job& job, EngineRun& run) {
  if (run.outcome == RunOutcome::Ok) {
    if (std::string problem = noAnswer(job.stage, job.input, run.out); !problem.empty()) {
      run.outcome = job.stage.tool.runsPasses() ? RunOutcome::NoEngine : RunOutcome::NoTool;
      run.what = "succeeded but " + std::move(problem);
    }
    return {};
  }
  const bool ran = run.outcome != RunOutcome::Killed && run.outcome != RunOutcome::NoEngine &&
                   run.outcome != RunOutcome::NoTool;
  if (run.outcome == RunOutcome::Failed && job.readsItself && stopsReading(run)) {
    run.outcome = RunOutcome::NoEngine;
    run.what = "does not read what it printed before: " + errorLine(run);
    return {};
  }
  if (!ran || saysWhere(run)) return {};
  if (!job.stage.tool.runsPasses()) {
    // Of a program that a user's file names, nobody knows whether it works at all.
    const bool isUnclear = run.outcome == RunOutcome::Failed ||
                           (run.outcome == RunOutcome::Crashed && job.stage.tool.isPath());
    if (isUnclear) run.outcome = RunOutcome::NoTool;
    return {};
  }
  // An engine that fails to read a module says so in its stage; with a pipeline, that is wrong
  // first.
  const bool reads = job.stage.pipeline.empty();
  if (job.input != kEmptyModule && !(reads && run.outcome == RunOutcome::Failed)) {
    const Result<> can =
        checkPipeline(job.stage, job.engine, job.options.limits, job.runner, job.context);
    if (!can && (!reads || can.error().code == ErrorCode::Cancelled)) return can;
    if (!can) {
      run.outcome = RunOutcome::NoEngine;
      run.what += ", also on an empty module";
    }
  }
  if (run.outcome == RunOutcome::Failed) {
    run.outcome = RunOutcome::NoEngine;
    run.what += " without saying where";
    if (const std::string error = errorLine(run); !error.empty()) run.what += ": " + error;
  }
  return {};
}

/// Fills in the stage's result from its run, with further runs to explain a failure.
Result<> conclude(const Job& job, EngineRun run, StageResult& result) {
  FXS_CHECK(understand(job, run));
  result.status = statusOf(run.outcome);
  result.seconds = run.seconds;
  result.argv = run.argv;
  for (const mlir::EngineDiagnostic& d : run.log.diagnostics)
    if (d.severity == "warning") result.warnings.push_back(d.message);
  if (run.outcome == RunOutcome::Ok) {
    result.text = std::move(run.out);
    result.stderrText = run.err.substr(0, kStderrKept);
    return {};
  }
  result.failingPass = run.log.failingPass;
  for (const mlir::DumpedIr& dump : run.log.dumps)
    if (dump.header.failed) result.failureIr = dump.ir;
  if (run.outcome == RunOutcome::Failed && !job.stage.tool.runsPasses()) {
    result.findings = toolFindings(run, job.stage, job.program);
  } else if (run.outcome == RunOutcome::Failed) {
    result.findings = findingsOf(run, job.stage, job.program, !job.options.extraLibrary.empty());
    survey(job, result);
    offerDecompositions(result.findings, job.callbacks.decomposable);
  } else {
    LastAction last;
    const bool couldRun = run.outcome == RunOutcome::Crashed ||
                          run.outcome == RunOutcome::TimedOut ||
                          run.outcome == RunOutcome::OutOfMemory;
    if (couldRun && job.stage.tool.runsPasses() && !job.stage.pipeline.empty()) {
      job.context.report({"looking for the node at which " + job.stage.title + " stopped", -1});
      FXS_TRY(last, findLastAction(job.engine, job.stage.pipeline, job.input, job.options.limits,
                                   job.runner, job.context));
      if (result.failureIr.empty()) result.failureIr = last.irBefore;
    }
    result.findings.push_back(stageFinding(run, last, job.stage, job.program));
  }
  // Dumps can be large and are kept as failureIr.
  const std::size_t dump = std::min(run.err.find("// -----// IR Dump"), run.err.size());
  result.stderrText = run.err.substr(0, std::min(dump, kStderrKept));
  return {};
}

/// How many stages two output types have in common, from raw on.
std::size_t commonStages(const OutputType& a, const OutputType& b) {
  const std::vector<OutputType> to = pathTo(a), other = pathTo(b);
  return static_cast<std::size_t>(
      std::mismatch(to.begin(), to.end(), other.begin(), other.end()).first - to.begin());
}

}  // namespace

Result<std::shared_ptr<const Lowering>> lower(const std::string& raw, const fx::Program& program,
                                              const Engine& engine, const LowerOptions& options,
                                              CommandRunner& runner, const RunContext& context,
                                              const LowerCallbacks& callbacks,
                                              const Lowering* before) {
  FXS_TRY(const std::vector<StageSpec> specs, filledStages(options));
  FXS_CHECK(checkPasses(specs, engine));
  auto lowering = std::make_shared<Lowering>();
  lowering->target = options.target;
  lowering->engine = engine;
  lowering->stages.reserve(specs.size());
  const std::string* input = &raw;
  mlir::TextForm reads = mlir::TextForm::Mlir;  // of `input`
  std::string stopped;                          // why what follows is skipped
  std::optional<EngineRun> ahead;               // of the next stage, if it ran already
  const std::size_t common = before ? commonStages(options.target, before->target) : 0;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const StageSpec& spec = specs[i];
    StageResult& result = lowering->stages.emplace_back();
    if (i < common && before->stages[i].status == StageStatus::Ok) {
      result = before->stages[i];
      input = &result.text;
      reads = spec.writes;
      if (callbacks.onStage) callbacks.onStage(result);
      continue;
    }
    result.id = spec.id;
    result.title = spec.title;
    result.form = spec.writes;
    if (stopped.empty() && !ahead && context.stop.stop_requested()) stopped = kStopped;
    if (stopped.empty()) {
      context.report({"lowering to " + spec.title,
                      static_cast<double>(i) / static_cast<double>(specs.size())});
      // Of a failure, the details are asked of the program that ran.
      const Engine ran = engineOfStage(spec, engine).value_or(engine);
      const bool readsItself = i > 1 && isPlain(spec) && isPlain(specs[i - 1]);
      const Job job{spec, *input, readsItself, program, ran, options, callbacks, runner, context};
      const bool last = i > 0 && i + 1 == specs.size();
      EngineRun run;
      if (ahead) {
        run = std::move(*ahead);
        ahead.reset();
      } else if (isPlain(spec)) {
        // A stage that only parses and prints changes nothing, so the next one runs concurrently on
        // the same module.
        std::vector<std::string> pipelines{spec.pipeline};
        const bool twoStages =
            spec.pipeline.empty() && i + 1 < specs.size() && isPlain(specs[i + 1]);
        if (twoStages && !options.parsesRaw)
          ahead = std::move(
              runEngine(engine, {specs[i + 1].pipeline}, *input, options.limits, runner, context)
                  .front());
        else if (twoStages) pipelines.push_back(specs[i + 1].pipeline);
        if (ahead && ahead->outcome == RunOutcome::Ok) {
          run.out = *input;  // which the engine parsed
        } else {
          std::vector<EngineRun> runs =
              runEngine(engine, pipelines, *input, options.limits, runner, context,
                        last ? callbacks.whileLastRuns : nullptr);
          run = std::move(runs.front());
          if (runs.size() > 1) ahead = std::move(runs.back());
        }
      } else {
        if (last && callbacks.whileLastRuns) callbacks.whileLastRuns();
        run = runStage(spec, *input, reads, engine, options.limits, runner, context);
      }
      if (run.outcome == RunOutcome::Cancelled) {
        stopped = kStopped;
      } else if (const Result<> done = conclude(job, std::move(run), result); !done) {
        if (done.error().code != ErrorCode::Cancelled) return tl::unexpected<Error>(done.error());
        stopped = kStopped;
      } else if (result.status != StageStatus::Ok) {
        stopped = spec.id + " " + std::string(howItEnded(result.status));
      } else {
        input = &result.text;
        reads = spec.writes;
      }
    }
    if (!stopped.empty() && result.argv.empty() && result.findings.empty()) {
      result.status = StageStatus::Skipped;
      result.why = stopped;
    }
    if (callbacks.onStage) callbacks.onStage(result);
  }
  return std::shared_ptr<const Lowering>(std::move(lowering));
}

}  // namespace fxs::lower
