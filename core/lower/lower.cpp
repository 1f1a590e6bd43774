// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "lower/edited_stages.h"
#include "lower/engine_run.h"
#include "lower/findings.h"
#include "lower/no_answer.h"
#include "lower/pipeline_check.h"
#include "lower/stopped.h"
#include "lower/tool_run.h"
#include "mlir/text/without_locations.h"

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
  bool isEdit;       ///< the input is the user's
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

std::string_view ending(StageStatus status) {
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

/// A run that ended well gave no answer if its output cannot be a lowering of the input.
void checkOutput(const Job& job, EngineRun& run) {
  std::string problem = noAnswer(job.stage, job.input, run.out);
  if (problem.empty()) return;
  run.outcome = job.stage.tool.runsPasses() ? RunOutcome::NoEngine : RunOutcome::NoTool;
  run.message = "succeeded but " + std::move(problem);
}

/// Whether the program could be run, and nobody killed it.
bool ranToItsEnd(const EngineRun& run) {
  return run.outcome != RunOutcome::Killed && run.outcome != RunOutcome::NoEngine &&
         run.outcome != RunOutcome::NoTool;
}

/// Of a program that a user's file names, nobody knows whether it works at all.
bool mayNotWork(const StageTool& tool, RunOutcome outcome) {
  return outcome == RunOutcome::Failed || (outcome == RunOutcome::Crashed && tool.isPath());
}

/// Blames the engine, not the module, if the stage's pipeline fails on an empty one too.
Result<> checkOnEmptyModule(const Job& job, EngineRun& run) {
  // An engine that fails to read a module says so in its stage; with a pipeline, that is wrong
  // first.
  const bool reads = job.stage.pipeline.empty();
  if (job.input == kEmptyModule || (reads && run.outcome == RunOutcome::Failed)) return {};
  Result<> can = checkPipeline(job.stage, job.engine, job.options.limits, job.runner, job.context);
  if (can || !reads || endsAll(can.error())) return can;
  run.outcome = RunOutcome::NoEngine;
  run.message += ", also on an empty module";
  return {};
}

/// The errors of a text that a user edited and the tool does not read, each at its line.
std::vector<fx::Finding> editFindings(const Job& job, const EngineRun& run) {
  // The verifier names the location of an operation: without one, its line. Definitions of
  // locations have lines of their own, so that a text with them is left as it is.
  const bool movesLines =
      job.input.starts_with("#loc") || job.input.find("\n#loc") != job.input.npos;
  EngineRun plain;
  if (!movesLines)
    plain = std::move(runEngine(job.engine, {""}, mlir::withoutLocations(job.input),
                                job.options.limits, job.runner, job.context)
                          .front());
  std::vector<fx::Finding> out;
  for (const mlir::EngineDiagnostic& d :
       plain.outcome == RunOutcome::Failed ? plain.log.diagnostics : run.log.diagnostics) {
    if (d.severity != "error") continue;
    fx::Finding& finding = out.emplace_back();
    finding.stage = job.stage.id;
    finding.kind = "edit";
    finding.op = d.op;
    const std::string message = d.message.substr(0, d.message.find('\n'));
    finding.message = d.line > 0 ? fmt::format("line {}: {}", d.line, message) : message;
  }
  return out;
}

/// Ensures that what stopped the run is about the module. EngineFailed if the stage's pipeline
/// cannot be run at all; a failure of which nothing shows why becomes one that is not known.
Result<> understand(const Job& job, EngineRun& run) {
  if (run.outcome == RunOutcome::Ok) {
    checkOutput(job, run);
    return {};
  }
  if (run.outcome == RunOutcome::Failed && job.readsItself && stopsReading(run)) {
    run.outcome = RunOutcome::NoEngine;
    run.message = "does not read what it printed before: " + errorLine(run);
    return {};
  }
  const bool isError =
      job.isEdit && run.outcome == RunOutcome::Failed && firstError(run) != nullptr;
  if (!ranToItsEnd(run) || isError || saysWhere(run)) return {};
  if (!job.stage.tool.runsPasses()) {
    if (mayNotWork(job.stage.tool, run.outcome)) run.outcome = RunOutcome::NoTool;
    return {};
  }
  FXS_CHECK(checkOnEmptyModule(job, run));
  if (run.outcome == RunOutcome::Failed) {
    run.outcome = RunOutcome::NoEngine;
    run.message += " without saying where";
    if (const std::string error = errorLine(run); !error.empty()) run.message += ": " + error;
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
  if (run.outcome == RunOutcome::Failed && job.isEdit && run.log.failingPass.empty()) {
    result.findings = editFindings(job, run);
  } else if (run.outcome == RunOutcome::Failed && !job.stage.tool.runsPasses()) {
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

/// Whether the options and a lowering have the same edits of a stage.
bool isSameEdited(const LowerOptions& options, const Lowering& before, std::string_view stage) {
  const auto pipeline = [&](const std::map<std::string, std::string>& of) {
    const auto at = of.find(std::string(stage));
    return at == of.end() ? std::string_view() : std::string_view(at->second);
  };
  const auto skips = [&](const std::set<StagePass>& all) {
    std::vector<std::size_t> out;
    for (const StagePass& skip : all)
      if (skip.stage == stage) out.push_back(skip.pass);
    return out;
  };
  const auto edits = [&](const EditPtr& edit) { return edit != nullptr && edit->stage == stage; };
  const bool isSameText =
      options.edit == before.edit || (!edits(options.edit) && !edits(before.edit));
  return isSameText && pipeline(options.pipelines) == pipeline(before.pipelines) &&
         skips(options.skipped) == skips(before.skipped);
}

/// How many stages of a lowering are those of the options, from the first on.
std::size_t commonStages(const LowerOptions& options, const Lowering& before) {
  const std::vector<OutputType> to = pathTo(options.target), other = pathTo(before.target);
  const auto differ = std::mismatch(to.begin(), to.end(), other.begin(), other.end(),
                                    [&](const OutputType& a, const auto& b) {
                                      return a == b && isSameEdited(options, before, name(a));
                                    });
  return static_cast<std::size_t>(differ.first - to.begin());
}

/// A lowering under way, stage by stage.
class LoweringRun {
 public:
  LoweringRun(const std::string& raw, const fx::Program& program, const Engine& engine,
              const LowerOptions& options, CommandRunner& runner, const RunContext& context,
              const LowerCallbacks& callbacks, const EditedStages& stages)
      : program_(program),
        engine_(engine),
        options_(options),
        runner_(runner),
        context_(context),
        callbacks_(callbacks),
        stages_(stages),
        specs_(stages.specs),
        edit_(stages.edit),
        input_(&raw) {
    lowering_->target = options.target;
    lowering_->edit = options.edit;
    lowering_->skipped = options.skipped;
    lowering_->pipelines = options.pipelines;
    lowering_->engine = engine;
    lowering_->stages.reserve(specs_.size());
  }

  Result<std::shared_ptr<const Lowering>> run(const Lowering* before) {
    const std::size_t common = before ? commonStages(options_, *before) : 0;
    for (std::size_t i = 0; i < specs_.size(); ++i) {
      StageResult& result = lowering_->stages.emplace_back();
      if (i < common && before->stages[i].status == StageStatus::Ok) {
        result = before->stages[i];
        goOnFrom(result, specs_[i]);
      } else {
        FXS_CHECK(lowerStage(i, result));
      }
      if (callbacks_.onStage) callbacks_.onStage(result);
    }
    return std::shared_ptr<const Lowering>(std::move(lowering_));
  }

 private:
  void goOnFrom(const StageResult& result, const StageSpec& spec) {
    input_ = &result.text;
    reads_ = spec.writes;
  }

  /// Runs the stage, unless one before it stopped the lowering.
  Result<> lowerStage(std::size_t i, StageResult& result) {
    result.id = specs_[i].id;
    result.title = specs_[i].title;
    result.form = specs_[i].writes;
    if (edit_ == i && stopped_ != kStopped) stopped_.clear();  // what is before does not matter
    if (stopped_.empty() && !ahead_ && context_.stop.stop_requested()) stopped_ = kStopped;
    if (stopped_.empty()) FXS_CHECK(runAndConclude(i, result));
    if (!stopped_.empty() && result.argv.empty() && result.findings.empty()) {
      result.status = StageStatus::Skipped;
      result.message = stopped_;
    }
    return {};
  }

  Result<> runAndConclude(std::size_t i, StageResult& result) {
    const StageSpec& spec = specs_[i];
    if (edit_ == i) {
      FXS_CHECK(checkAgain(stages_, options_, engine_, runner_, context_));
      startFromEdit(spec);
    }
    context_.report(
        {"lowering to " + spec.title, static_cast<double>(i) / static_cast<double>(specs_.size())});
    // Of a failure, the details are asked of the program that ran.
    const Engine ran = engineOfStage(spec, engine_).value_or(engine_);
    const bool readsItself = i > 1 && edit_ != i && isPlain(spec) && isPlain(specs_[i - 1]);
    const Job job{spec, *input_,  readsItself, edit_ == i, program_,
                  ran,  options_, callbacks_,  runner_,    context_};
    EngineRun run = runOf(i);
    if (run.outcome == RunOutcome::Cancelled) {
      stopped_ = kStopped;
    } else if (const Result<> done = conclude(job, std::move(run), result); !done) {
      if (done.error().code != ErrorCode::Cancelled) return tl::unexpected<Error>(done.error());
      stopped_ = kStopped;
    } else if (result.status != StageStatus::Ok) {
      stopped_ = spec.id + " " + std::string(ending(result.status));
    } else {
      goOnFrom(result, spec);
    }
    return {};
  }

  void startFromEdit(const StageSpec& spec) {
    input_ = &options_.edit->text;
    reads_ = options_.edit->pass ? mlir::TextForm::Mlir : spec.writes;
    ahead_.reset();  // of the text that the edit replaces
  }

  EngineRun runOf(std::size_t i) {
    if (edit_ == i && !specs_[i].tool.runsPasses()) {  // and is not there to read it
      EngineRun run;
      run.out = *input_;
      return run;
    }
    if (ahead_) return *std::exchange(ahead_, std::nullopt);
    if (isPlain(specs_[i])) return runByEngine(i);
    if (isLast(i) && callbacks_.whileLastRuns) callbacks_.whileLastRuns();
    return runStage(specs_[i], *input_, reads_, engine_, options_.limits, runner_, context_);
  }

  EngineRun runByEngine(std::size_t i) {
    std::vector<std::string> pipelines{specs_[i].pipeline};
    if (changesNothing(i)) {
      const std::string& next = specs_[i + 1].pipeline;
      if (options_.parsesRaw || edit_ == i) pipelines.push_back(next);
      else ahead_ = std::move(runPipelines({next}).front());
    }
    if (ahead_ && ahead_->outcome == RunOutcome::Ok) {
      EngineRun run;
      run.out = *input_;  // which the engine parsed
      return run;
    }
    std::vector<EngineRun> runs =
        runPipelines(pipelines, isLast(i) ? callbacks_.whileLastRuns : nullptr);
    if (runs.size() > 1) ahead_ = std::move(runs.back());
    return std::move(runs.front());
  }

  std::vector<EngineRun> runPipelines(const std::vector<std::string>& pipelines,
                                      std::function<void()> meanwhile = {}) {
    return runEngine(engine_, pipelines, *input_, options_.limits, runner_, context_,
                     std::move(meanwhile));
  }

  /// Whether the stage only parses and prints, so that the next one runs concurrently on the same
  /// module.
  bool changesNothing(std::size_t i) const {
    return specs_[i].pipeline.empty() && i + 1 < specs_.size() && edit_ != i + 1 &&
           isPlain(specs_[i + 1]);
  }
  bool isLast(std::size_t i) const { return i > 0 && i + 1 == specs_.size(); }

  const fx::Program& program_;
  const Engine& engine_;
  const LowerOptions& options_;
  CommandRunner& runner_;
  const RunContext& context_;
  const LowerCallbacks& callbacks_;
  const EditedStages& stages_;
  const std::vector<StageSpec>& specs_;
  const std::optional<std::size_t> edit_;  ///< index of the stage that starts from the edit
  std::shared_ptr<Lowering> lowering_ = std::make_shared<Lowering>();
  const std::string* input_;                     ///< of the next stage
  mlir::TextForm reads_ = mlir::TextForm::Mlir;  ///< the form of *input_
  std::string stopped_;                          ///< the reason to skip what follows
  std::optional<EngineRun> ahead_;               ///< of the next stage, if it ran already
};

}  // namespace

Result<std::shared_ptr<const Lowering>> lower(const std::string& raw, const fx::Program& program,
                                              const Engine& engine, const LowerOptions& options,
                                              CommandRunner& runner, const RunContext& context,
                                              const LowerCallbacks& callbacks,
                                              const Lowering* before) {
  FXS_TRY(const EditedStages stages, editedStages(options, engine, runner, context));
  FXS_CHECK(checkPasses(stages.specs, engine));
  return LoweringRun(raw, program, engine, options, runner, context, callbacks, stages).run(before);
}

}  // namespace fxs::lower
