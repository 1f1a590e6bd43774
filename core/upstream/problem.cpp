// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "upstream/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/joined.h"
#include "base/safe_text.h"
#include "diagnose/beyond_torch_mlir.h"
#include "diagnose/reduced_failure.h"
#include "import/torch_mlir_refusals.h"
#include "lower/engine_run.h"
#include "lower/known_engines.h"
#include "lower/patterns.h"
#include "lower/tool_run.h"
#include "mlir/text/without_locations.h"
#include "upstream/live_script.h"
#include "upstream/problem_parts.h"
#include "upstream/script.h"

namespace fxs::upstream {
namespace {

using diagnose::FailureSignature;

/// The part of the time limit for a run that only explains.
constexpr int kExplainingPart = 12;
/// Of a message in a title.
constexpr std::size_t kTitleBytes = 80;

/// "[tosa] torch.aten.erfinv is not lowered by convert-torch-to-tosa". `error`: as of a problem.
/// `tool`: that continues torch-mlir's stages and fails; "" for torch-mlir.
std::string titleOf(const FailureSignature& s, const std::string& error, const std::string& tool) {
  const std::string subject = s.op.empty() || s.op == "torch.operator" ? s.fxTarget : s.op;
  const std::string what = subject.empty() ? "the program" : subject;
  const std::string runs = tool.empty() ? "the pipeline" : tool;
  const std::string pass = s.pass.empty() ? runs : s.pass;
  std::string text = what + " is not lowered by " + pass;
  if (s.stage == "raw" || s.stage == "rewrite") text = "the FX importer does not import " + what;
  else if (s.kind == "crash") text = pass + " crashes on " + what;
  else if (s.kind == "verifier") text = pass + " makes invalid IR of " + what;
  else if (s.kind == "timeout") text = pass + " does not end for " + what;
  else if (s.kind == "memory") text = pass + " takes all memory for " + what;
  else if (!tool.empty() && !error.empty())
    text = tool + " fails" + (s.op.empty() ? "" : " on " + what) + ": " +
           error.substr(0, std::min(error.find(" ("), kTitleBytes));
  else if (s.op.empty() && !error.empty())
    text = pass + ": " + error.substr(0, std::min(error.find(": %"), kTitleBytes));
  return printable("[" + s.stage + "] " + text);
}

/// Takes the problem together step by step.
class Collector {
 public:
  Collector(const session::Snapshot& s, const diagnose::ReducedFailure& reduced,
            const session::Environment& env, const RunContext& context)
      : s_(s), reduced_(reduced), env_(env), context_(context) {}

  Result<Problem> collected(const ProblemOptions& options) {
    problem_.target = s_.request.lower.target;
    problem_.signature = reduced_.signature;
    problem_.reduced = reduced_.statement;
    if (!reduced_.minimal.empty()) FXS_CHECK(addModule());
    else addMessage();
    const FailureSignature& signature = reduced_.signature;
    if (const diagnose::KnownFault* known =
            options.known.find(signature.stage, signature.op, signature.fxTarget))
      problem_.known = known->issue + ": " + known->what;
    problem_.title = problem_.isOfPyTorch
                         ? printable("[raw] " + problem_.error.substr(0, problem_.error.find(": ")))
                         : titleOf(reduced_.signature, problem_.error, tool());
    FXS_CHECK(addScript());
    if (!options.python.empty() && !problem_.script.empty())
      FXS_CHECK(runScript(options.python, pipelineName(), s_.request.lower.limits.timeout, problem_,
                          env_, context_));
    if (problem_.verified.empty())
      problem_.verified =
          problem_.script.empty()
              ? "There is no script: " + problem_.scriptStop
              : "The script was not run, as no Python with torch-mlir was named; fxscope imports "
                "and lowers its program as torch-mlir does, and it fails";
    problem_.versions = versionsOf(s_) + toolVersion_;
    clean(problem_, env_.identity);
    return std::move(problem_);
  }

 private:
  /// The stage that fails; null if no engine was run.
  const lower::StageResult* failing() const {
    return lowering_ ? diagnose::failingStage(*lowering_) : nullptr;
  }
  lower::LowerOptions lowerOptions() const {
    lower::LowerOptions options = s_.request.lower;
    options.edit = nullptr;
    return options;
  }
  /// The named pipeline of the failing stage, as torch-mlir's message has it.
  std::string pipelineName() const {
    if (path_.empty()) return "";
    const std::vector<std::string> passes = lower::passesOf(path_.back());
    return passes.empty() ? "" : passes.back();
  }

  /// Why the program is not imported.
  void addMessage() {
    for (const fx::Finding& finding : s_.findings())
      if (finding.severity == fx::Severity::Error && finding.kind == reduced_.signature.kind &&
          finding.target == reduced_.signature.fxTarget) {
        problem_.error = finding.message;
        problem_.isOfPyTorch = import::isOfPyTorch(finding);
        given_ = import::isOfLoaded(finding) ? Given::Loaded : Given::Module;
        return;
      }
  }

  Result<> addModule() {
    context_.report({"lowering the reduced module", -1});
    FXS_TRY(lowering_, lower::lower(reduced_.minimal, *s_.capture->program, *s_.engine,
                                    lowerOptions(), *env_.runner, context_));
    const std::string& printed = lowering_->stages.front().text;
    problem_.module = mlir::withoutLocations(printed.empty() ? reduced_.minimal : printed);
    if (failing() == nullptr) return {};
    FXS_TRY(path_, lower::filledStages(lowerOptions()));
    const auto last = std::find_if(path_.begin(), path_.end(), [&](const lower::StageSpec& stage) {
      return stage.id == failing()->id;
    });
    if (last != path_.end()) path_.erase(last + 1, path_.end());
    for (const fx::Finding& finding : failing()->findings)
      if (finding.severity == fx::Severity::Error && finding.op == reduced_.signature.op)
        node_ = finding.node;
    for (const mlir::EngineDiagnostic& found :
         mlir::parseEngineLog(failing()->stderrText).diagnostics) {
      if (found.severity != "error" || !problem_.error.empty()) continue;
      problem_.error =
          found.message.substr(0, std::min(found.message.find('\n'), found.message.find(" loc(")));
    }
    if (problem_.error.empty() && !failing()->findings.empty())
      problem_.error = failing()->findings.front().message;
    if (!tool().empty()) FXS_CHECK(addToolCommand());
    if (problem_.command.empty())
      problem_.command =
          commandText(path_, [this](const lower::StageSpec& stage) { return wordsOf(stage); });
    FXS_CHECK(addLitTest());
    FXS_CHECK(addPatterns());
    return addOtherEngines();
  }

  /// The program after torch-mlir's that fails; "" if that is torch-mlir.
  std::string tool() const {
    return path_.empty() || path_.back().tool.isEngine() ? "" : path_.back().tool.title();
  }

  /// The module that torch-mlir gives such a program, and one call of it instead of one for each
  /// stage: with the arguments that its stages have in common, if it fails alike.
  Result<> addToolCommand() {
    const auto last = std::find_if(path_.rbegin(), path_.rend(), [](const lower::StageSpec& stage) {
      return stage.tool.isEngine();
    });
    if (last == path_.rend()) return {};
    for (const lower::StageResult& stage : lowering_->stages)
      if (stage.id == last->id && !stage.text.empty())
        problem_.module = mlir::withoutLocations(stage.text);
    const std::vector<lower::StageSpec> own(last.base(), path_.end());
    lower::StageSpec once = own.back();
    if (std::any_of(own.begin(), own.end(), [&](const lower::StageSpec& stage) {
          return stage.tool.program != once.tool.program || stage.tool.runsPasses();
        }))
      return {};
    std::erase_if(once.tool.arguments, [&](const std::string& argument) {
      return std::any_of(own.begin(), own.end(), [&](const lower::StageSpec& stage) {
        const auto& arguments = stage.tool.arguments;
        return std::find(arguments.begin(), arguments.end(), argument) == arguments.end();
      });
    });
    const std::string output = "minimal.out";
    once.tool.arguments.insert(once.tool.arguments.end(), {"-o", output});
    once.tool.output = output;
    once.prepare.clear();
    context_.report({"running " + tool() + " on the module", -1});
    const lower::EngineRun run =
        lower::runTool(once, problem_.module, mlir::TextForm::Mlir, *s_.engine,
                       lowerOptions().limits, *env_.runner, context_);
    if (context_.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
    if (!saysTheSame(run)) return {};
    std::vector<std::string> words{once.tool.program};
    for (const std::string& argument : once.tool.arguments)
      words.push_back(argument == "${input}" ? "minimal.mlir" : argument);
    problem_.command = shellWords(words);
    problem_.outcome = ScriptOutcome::FailsAlike;
    problem_.verified = "The command fails in the same way when it is run here";
    addPrintedBefore(run.err);
    const auto program = lower::engineOfStage(once, *s_.engine);
    if (!program) return {};
    const auto version =
        lower::versionLineOf(*program, lowerOptions().limits, *env_.runner, context_);
    if (!version && endsAll(version.error())) return tl::unexpected<Error>(version.error());
    if (version && !version->empty()) toolVersion_ = tool() + ": " + *version + "\n";
    return {};
  }

  /// The first error of another program that the tool ran, as a linker's.
  void addPrintedBefore(const std::string& printed) {
    std::istringstream lines(printed);
    for (std::string line; std::getline(lines, line);)
      if (line.find(": error: ") != std::string::npos && line.find(".mlir:") == std::string::npos &&
          line.find("<stdin>:") == std::string::npos && line.find("loc(") == std::string::npos) {
        problem_.facts.push_back(tool() + " also printed: " + line);
        return;
      }
  }

  /// The program of a stage, with the arguments of one that runs no passes.
  std::vector<std::string> wordsOf(const lower::StageSpec& stage) const {
    std::vector<std::string> words;
    if (!stage.tool.isEngine() && stage.pipeline.empty())
      for (const lower::StageResult& result : lowering_->stages)
        if (result.id == stage.id) words = result.argv;
    words.resize(std::max<std::size_t>(words.size(), 1));
    words.front() = stage.tool.isEngine() ? "torch-mlir-opt" : stage.tool.program;
    return words;
  }

  /// The failing pass alone if it fails with the same message, else its pipeline.
  Result<> addLitTest() {
    const lower::StageSpec& stage = path_.back();
    if (!stage.tool.isEngine()) return {};
    const std::string& input = diagnose::inputOfFailure(*lowering_, reduced_.minimal);
    LitTest test{"torch-mlir-opt", stage.pipeline, mlir::withoutLocations(input),
                 problem_.signature.op, problem_.error};
    std::vector<std::string> shorter;
    const std::string& pass = problem_.signature.pass;
    if (!pass.empty() && s_.engine->passes.contains(pass))
      shorter = {"builtin.module(func.func(" + pass + "))", "builtin.module(" + pass + ")"};
    if (!shorter.empty()) {
      const auto runs = lower::runEngine(*s_.engine, shorter, test.input, lowerOptions().limits,
                                         *env_.runner, context_);
      if (context_.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
      for (std::size_t i = runs.size(); i-- > 0;)
        if (saysTheSame(runs[i])) test.pipeline = shorter[i];
    }
    problem_.litTest = litTestText(test);
    return {};
  }
  bool saysTheSame(const lower::EngineRun& run) const {
    if (run.outcome != lower::RunOutcome::Failed || problem_.error.empty()) return false;
    return std::any_of(run.log.diagnostics.begin(), run.log.diagnostics.end(),
                       [&](const mlir::EngineDiagnostic& found) {
                         return found.severity == "error" &&
                                found.message.starts_with(problem_.error);
                       });
  }

  Result<> addPatterns() {
    if (problem_.signature.kind == "not-registered")
      problem_.facts.push_back("the torch dialect has no operation " + problem_.signature.op);
    if (!node_.valid() || problem_.signature.kind != "illegal-op") return {};
    lower::LowerOptions options = lowerOptions();
    options.limits.timeout = lower::shareOf(options.limits.timeout, kExplainingPart);
    context_.report({"looking up the patterns that were tried", -1});
    const auto trace =
        lower::tracePatterns(reduced_.minimal, node_, lower::LogScope::EveryOperation, options,
                             *s_.engine, *env_.runner, context_);
    if (!trace && endsAll(trace.error())) return tl::unexpected<Error>(trace.error());
    if (!trace) return {};
    for (const lower::PatternStop& stop : trace->stops) {
      if (stop.op != problem_.signature.op || (trace->cutOff && stop.tried.empty())) continue;
      problem_.facts.push_back(
          stop.tried.empty() ? fmt::format("no pattern of {} is tried on {}", stop.pass, stop.op)
                             : fmt::format("{} tries {} on it, which does not match", stop.pass,
                                           joined(stop.tried)));
      for (const std::string& refused : stop.refusedBefore)
        problem_.facts.push_back("before, " + refused + " does not match either");
      break;
    }
    return {};
  }

  /// What other engines that are known here make of the module.
  Result<> addOtherEngines() {
    auto engines = lower::knownEngines(env_.enginesFolder);
    if (!engines) return {};
    for (const lower::KnownEngine& known : *engines) {
      if (known.sha256 == s_.engine->sha256) continue;
      context_.report({"asking the engine " + known.name, -1});
      const auto engine = lower::probeEngine(known.path, env_.cacheDir, *env_.runner, context_,
                                             {.sha256 = known.sha256, .name = known.name});
      if (!engine && endsAll(engine.error())) return tl::unexpected<Error>(engine.error());
      if (!engine) continue;
      FXS_TRY(const auto other, lower::lower(reduced_.minimal, *s_.capture->program, *engine,
                                             lowerOptions(), *env_.runner, context_));
      if (!lower::isKnown(other->stages)) continue;
      const auto failure = diagnose::failureOf(*other);
      const std::string name = "torch-mlir " + known.source;
      if (other->ok()) problem_.facts.push_back(name + " lowers it");
      else if (diagnose::fails(*other, problem_.signature))
        problem_.facts.push_back(name + " fails in the same way");
      else if (failure)
        problem_.facts.push_back(name + " fails in another way: " + text(failure->signature));
    }
    return {};
  }

  Result<> addScript() {
    if (!tool().empty()) {
      problem_.scriptStop = tool() + " fails, not torch-mlir, which the command shows";
      return {};
    }
    const auto lacking = import::missingValues(*s_.capture->program);
    const bool isLacking = lacking && lacking->message == problem_.error;
    const auto model = pythonModel(*reduced_.reduction.program, s_.capture->weights.get(), context_,
                                   isLacking ? WrittenWeights::Lacking : WrittenWeights::Integers,
                                   s_.capture->program.get());
    if (!model && endsAll(model.error())) return tl::unexpected<Error>(model.error());
    if (!model) {
      problem_.scriptStop = "Python source cannot say " + model.error().message;
      return {};
    }
    problem_.script = scriptText(*model, s_.request.lower, given_);
    // The suite exports its modules, and gives them values.
    if (given_ == Given::Module && !isLacking)
      problem_.e2eTest = e2eTestText(*model, problem_.signature.fxTarget);
    return {};
  }

  const session::Snapshot& s_;
  const diagnose::ReducedFailure& reduced_;
  const session::Environment& env_;
  const RunContext& context_;
  std::shared_ptr<const lower::Lowering> lowering_;
  std::vector<lower::StageSpec> path_;  ///< up to the failing stage; empty if no engine was run
  Given given_ = Given::Module;
  fx::NodeId node_;
  std::string toolVersion_;  ///< a line; "" if none is known
  Problem problem_;
};

/// Of a program that torch-mlir lowers; Usage if nothing is known to be wrong.
Result<std::shared_ptr<const Problem>> wrongValues(const session::SnapshotPtr& snapshot,
                                                   const ProblemOptions& options,
                                                   const session::Environment& env,
                                                   const RunContext& context) {
  const std::string& file = snapshot->request.file;
  const auto to = lower::name(snapshot->request.lower.target);
  const std::string nothing =
      fmt::format("{}: torch-mlir lowers it to {}: there is no failure to report", file, to);
  if (!options.values) return fail(ErrorCode::Usage, nothing);
  auto wrong = wrongProblemOf(snapshot, options, env, context);
  if (wrong) return std::make_shared<const Problem>(*std::move(wrong));
  if (endsAll(wrong.error())) return tl::unexpected<Error>(wrong.error());
  const std::string& why = wrong.error().message;
  const std::string who = fmt::format("{}: {}: ", file, to);
  return fail(ErrorCode::Usage,
              nothing + "; " + (why.starts_with(who) ? why.substr(who.size()) : why));
}

}  // namespace

std::string_view name(ScriptOutcome outcome) {
  switch (outcome) {
    case ScriptOutcome::NotRun: return "not-run";
    case ScriptOutcome::FailsAlike: return "fails-alike";
    case ScriptOutcome::FailsOtherwise: return "fails-otherwise";
    case ScriptOutcome::DoesNotFail: break;
  }
  return "does-not-fail";
}

Result<std::shared_ptr<const Problem>> problemOf(const session::SnapshotPtr& snapshot,
                                                 const ProblemOptions& options,
                                                 const session::Environment& env,
                                                 const RunContext& context) {
  return guarded(snapshot->request.file, [&]() -> Result<std::shared_ptr<const Problem>> {
    FXS_CHECK(session::requirePyTorchProgram(*snapshot, "a report"));
    if (snapshot->capture->kernel)
      return fail(ErrorCode::Usage, snapshot->request.file +
                                        ": is a Helion kernel, which torch-mlir has no path for");
    session::Request request = diagnose::asTorchMlir(snapshot->request);
    request.askEngine = true;
    request.route = &session::kPipelines;
    FXS_TRY(const session::SnapshotPtr theirs,
            session::advance(session::retarget(snapshot, std::move(request)),
                             session::Phase::Import, env, context));
    const lower::OutputType& target = theirs->request.lower.target;
    const auto smaller = diagnose::reduce(theirs, {target, options.node}, env, context);
    if (!smaller && smaller.error().code == ErrorCode::InvalidInput && !options.node.valid())
      return wrongValues(snapshot, options, env, context);
    FXS_TRY(const auto reduced, smaller);
    if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
    FXS_TRY(Problem problem, Collector(*theirs, *reduced, env, context).collected(options));
    return std::make_shared<const Problem>(std::move(problem));
  });
}

}  // namespace fxs::upstream
