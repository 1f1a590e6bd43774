// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bundle/bundle.h"

#include <fmt/format.h>

#include <optional>

#include "base/scratch_directory.h"
#include "base/work_time.h"
#include "bundle/bundle_writer.h"
#include "bundle/recorded_options.h"
#include "bundle/replay.h"
#include "bundle/stages.h"
#include "diagnose/engine_probe.h"
#include "diagnose/reduce_module.h"
#include "diagnose/reduced_failure.h"
#include "fx/cut.h"
#include "lower/tool_run.h"
#include "mlir/text/without_locations.h"

namespace fxs::bundle {
namespace {

/// Time limits for reduction, on processors; when they are exceeded, the best result so far is
/// used. They grow with the time limit of stages, as does that of the script's own work.
constexpr std::chrono::milliseconds kReduceBudget{20'000};
constexpr std::chrono::milliseconds kModuleBudget{6'000};
constexpr std::chrono::milliseconds kScriptStart{30'000};
constexpr std::uint64_t kScriptOutput = std::uint64_t{1} << 20;

/// Whether more is lowered than the program as it is.
bool isChanged(const session::Request& request) {
  const auto& nodes = request.rewrite;
  const lower::LowerOptions& stages = request.lower;
  return !nodes.arguments.empty() || !nodes.decomposeNodes.empty() || !nodes.keepNodes.empty() ||
         stages.edit || !stages.skipped.empty() || !stages.pipelines.empty();
}

class Exporter {
 public:
  Exporter(session::SnapshotPtr original, const BundleOptions& options,
           const session::Environment& env, const RunContext& context)
      : snapshot_(std::move(original)),
        original_(*snapshot_),
        options_(options),
        env_(env),
        context_(context),
        writer_(original_, options_, env_, context_) {}

  Result<BundleResult> run() {
    FXS_TRY(Failure failure, chooseFailure());
    // Private names are replaced in the written program, so replace them in the signature too.
    failure.signature.op = writer_.filter().name(failure.signature.op);
    failure.signature.fxTarget = writer_.filter().name(failure.signature.fxTarget);
    FXS_TRY(BundledProgram candidate, smallest(failure));
    lowered_ = candidate.snapshot;
    FXS_CHECK(writer_.fillIn(failure.signature, std::nullopt, std::move(candidate)));
    FXS_CHECK(addMinimalModule());
    return writer_.write([this](NewFile& file) { return holdToIt(file); });
  }

 private:
  bool isModule() const { return original_.capture->module != nullptr; }
  /// Whether no part of the program can stand for it.
  bool isFixed() const { return isModule() || isChanged(original_.request); }
  const std::string& file() const { return original_.request.file; }
  std::string target() const { return std::string(lower::name(original_.request.lower.target)); }

  Result<Failure> chooseFailure() {
    const lower::Lowering& lowering = *original_.lowering;
    FXS_CHECK(lower::ensureAnswered(lowering));
    for (const std::vector<fx::Finding>* findings :
         {&original_.imported->findings,
          original_.rewritten ? &original_.rewritten->findings : &original_.imported->findings})
      for (const fx::Finding& finding : *findings)
        if (finding.severity == fx::Severity::Error && failingStage(lowering) == nullptr)
          return fail(ErrorCode::Unsupported, file() +
                                                  ": stops before any engine runs, so there is "
                                                  "nothing for an engine to reproduce: " +
                                                  finding.message);
    if (auto failure = failureOf(lowering, options_.node)) return *failure;
    if (!options_.node.valid())
      return fail(ErrorCode::Usage,
                  file() + ": reaches " + target() + ": there is no failure to bundle");
    // Another operation failed first; see whether this one fails when extracted.
    const fx::Node& node = original_.capture->program->node(options_.node);
    for (const fx::ProgramPtr& cut :
         isFixed() ? std::vector<fx::ProgramPtr>() : cuts(options_.node)) {
      FXS_TRY(const BundledProgram candidate, writer_.prepared(*cut, session::Phase::Lower));
      if (const auto failure = failureOf(*candidate.snapshot->lowering))
        return Failure{failure->signature, options_.node};
    }
    return fail(ErrorCode::Usage, "node '" + node.name + "' (" + node.target +
                                      ") does not keep the program from " + target() +
                                      (isFixed() ? "" : ", and lowers by itself"));
  }

  /// One operation extracted from the user's program and from the rewritten one.
  std::vector<fx::ProgramPtr> cuts(fx::NodeId node) const {
    std::vector<fx::ProgramPtr> out;
    const auto add = [&](const fx::ProgramPtr& program, std::vector<fx::NodeId> nodes) {
      std::erase_if(
          nodes, [&](fx::NodeId id) { return program->node(id).op != fx::NodeOp::CallFunction; });
      if (nodes.empty()) return;
      if (auto cut = fx::cutNodes(program, nodes)) out.push_back(*std::move(cut));
    };
    add(original_.capture->program, {node});
    if (original_.rewritten)
      add(original_.rewritten->program, fx::nodesFrom(*original_.rewritten->program, node));
    return out;
  }

  /// The first of the candidates, fewest operations first, that fails in the same way when it is
  /// read back.
  Result<BundledProgram> smallest(const Failure& failure) {
    if (isModule()) return smallestModule(failure.signature);
    if (options_.reduce) {
      // A failure by time or memory limit costs that much in every trial, so do not reduce it, and
      // try only one cut.
      if (!dependsOnMachine(failure.signature)) {
        FXS_TRY(auto few, reduced(failure));
        if (few) return *std::move(few);
      }
      if (failure.node.valid())
        context_.report({"extracting " + original_.capture->program->node(failure.node).name, -1});
      for (const fx::ProgramPtr& cut :
           failure.node.valid() ? cuts(failure.node) : std::vector<fx::ProgramPtr>()) {
        auto candidate = writer_.prepared(*cut, session::Phase::Lower);
        if (!candidate && candidate.error().code != ErrorCode::Unsupported &&
            candidate.error().code != ErrorCode::InvalidInput)
          return tl::unexpected<Error>(candidate.error());
        if (candidate && fails(*candidate->snapshot->lowering, failure.signature))
          return *std::move(candidate);
      }
    }
    FXS_TRY(BundledProgram candidate,
            writer_.prepared(*original_.capture->program, session::Phase::Lower));
    FXS_CHECK(checkFails(candidate, failure.signature));
    return candidate;
  }

  Result<> checkFails(const BundledProgram& candidate, const FailureSignature& signature) const {
    if (fails(*candidate.snapshot->lowering, signature)) return {};
    const auto other = failureOf(*candidate.snapshot->lowering);
    return fail(
        ErrorCode::Unsupported,
        file() +
            ": after being written to a file and read again, the program fails in another way" +
            (other ? ": " + text(other->signature) : std::string()) +
            "; it was: " + text(signature));
  }

  /// The module without operations that the failure does not need.
  Result<BundledProgram> smallestModule(const FailureSignature& signature) {
    const read::SourceModule& module = *original_.capture->module;
    FXS_TRY(BundledProgram all,
            writer_.preparedModule(module.source.empty() ? mlir::withoutLocations(module.text)
                                                         : module.source));
    FXS_CHECK(checkFails(all, signature));
    if (!options_.reduce || dependsOnMachine(signature)) return all;
    lowered_ = all.snapshot;
    FXS_TRY(const std::string minimal, minimalModule(signature));
    if (minimal.empty()) return all;
    auto smaller = writer_.preparedModule(mlir::withoutLocations(minimal));
    if (!smaller && endsAll(smaller.error())) return tl::unexpected<Error>(smaller.error());
    if (smaller && fails(*smaller->snapshot->lowering, signature)) return *std::move(smaller);
    return all;
  }

  /// The reduced program. nullopt if nothing could be removed, or if it fails in another way after
  /// being written and read.
  Result<std::optional<BundledProgram>> reduced(const Failure& failure) {
    const auto smaller = diagnose::reduce(
        snapshot_, {original_.request.lower.target, failure.node, kReduceBudget}, env_, context_);
    if (!smaller && endsAll(smaller.error())) return tl::unexpected<Error>(smaller.error());
    if (!smaller || (*smaller)->reduction.calls >= (*smaller)->reduction.originalCalls)
      return std::optional<BundledProgram>();
    auto candidate = writer_.prepared(*(*smaller)->reduction.program, session::Phase::Lower);
    if (!candidate && endsAll(candidate.error())) return tl::unexpected<Error>(candidate.error());
    if (!candidate || !fails(*candidate->snapshot->lowering, failure.signature))
      return std::optional<BundledProgram>();
    return std::optional(*std::move(candidate));
  }

  /// The reduced RAW module of the bundle's program; "" if nothing can be removed.
  Result<std::string> minimalModule(const FailureSignature& signature) const {
    const session::Request& request = lowered_->request;
    diagnose::Question question;
    question.user = lowered_->capture->program;
    question.lower = request.lower;
    question.engine = lowered_->lowering->engine;
    WorkTime work(*env_.runner);
    question.runner = &work;
    const TimeLimit budget(lower::grownWith(request.lower.limits.timeout, kModuleBudget), work);
    const std::string& raw = lowered_->imported->text;
    const diagnose::ModuleProbe probe = [&](const std::vector<std::string>& modules,
                                            const RunContext& run) {
      return diagnose::failuresOf(question, modules, run);
    };
    context_.report({"reducing the module", -1});
    auto minimal = diagnose::reduceModule(raw, signature, probe, budget, context_);
    if (!minimal && endsAll(minimal.error())) return tl::unexpected<Error>(minimal.error());
    return minimal && *minimal != raw ? *std::move(minimal) : std::string();
  }

  Result<> addMinimalModule() {
    const FailureSignature& signature = writer_.content.manifest.signature;
    if (isModule() || !options_.reduce || dependsOnMachine(signature)) return {};
    FXS_TRY(const std::string minimal, minimalModule(signature));
    FXS_TRY(const bool same, minimal.empty()
                                 ? Result<bool>(false)
                                 : moduleFails(minimal, *lowered_, signature, env_, context_));
    if (same) writer_.content.minimal = minimal;
    return {};
  }

  /// Replays the written bundle, then runs its script in a scratch directory. "" if both fail in
  /// the same way, otherwise what is wrong.
  Result<std::string> holdToIt(NewFile& file) {
    context_.report({"replaying the bundle", -1});
    FXS_TRY(Bundle bundle, writer_.reopened(file));
    ReplayOptions options{original_.request.lower.limits, options_.describe};
    const auto again = [&] {
      return replay(bundle, file.path(), lowered_->lowering->engine, options, env_, context_);
    };
    auto replayed = again();
    if (!replayed && replayed.error().code == ErrorCode::InvalidInput) {
      // The engine's output may differ between runs; if so, record that and do not compare it.
      writer_.content.manifest.engineRepeats = false;
      FXS_CHECK(writer_.store(file, true, std::string(kHolds)));
      FXS_TRY(bundle, writer_.reopened(file));
      replayed = again();
    }
    if (!replayed && replayed.error().code != ErrorCode::InvalidInput)
      return tl::unexpected<Error>(replayed.error());
    const std::string no(kDoesNotHold);
    if (!replayed)
      return no + "its files cannot be regenerated: " +
             replayed.error().message.substr(file.path().size() + 2);
    if (replayed->outcome == ReplayOutcome::Unknown)
      return std::string(kNotKnown) + "when run again, it " + replayed->statement;
    if (replayed->outcome == ReplayOutcome::Fixed) return no + "when run again, it does not fail";
    if (replayed->outcome == ReplayOutcome::OtherFailure)
      return no + "when run again, it " + replayed->statement;
    FXS_TRY(const ScratchDirectory scratch,
            ScratchDirectory::make(env_.temporaryDir, "the files of a bundle"));
    for (const auto& [member, bytes] : bundle.files)
      FXS_CHECK(writeWholeFile(scratch.path() + "/" + member, bytes));
    Command command;
    FXS_TRY(const std::vector<lower::StageSpec> stages, stagesOf(writer_.content.manifest));
    FXS_TRY(const lower::Engine engine,
            lower::engineOfStage(stages.back(), lowered_->lowering->engine));
    command.argv = {"/bin/sh", std::string(kScriptFile), engine.path};
    Cage& cage = command.cage.emplace();
    cage.reading = Cage::Reading::Everything;  // as for an engine that is a script
    cage.processes = Cage::Processes::Programs;
    cage.writes = {scratch.path()};
    command.directory = scratch.path();
    // The script limits CPU time; on a busy machine the wall-clock time is much longer.
    const std::chrono::milliseconds limit = original_.request.lower.limits.timeout;
    command.timeout = limit * 8 + lower::grownWith(limit, kScriptStart);
    command.memoryLimit = original_.request.lower.limits.memory;
    command.outputLimit = kScriptOutput;
    FXS_TRY(const Exit exit, env_.runner->run(command, context_.stop));
    if (exit.reason == ExitReason::TimedOut)
      return std::string(kNotKnown) +
             "its run.sh did not end within the time limit, which --timeout raises";
    if (exit.reason != ExitReason::Exited) return no + "its run.sh does not terminate";
    if (!exit.ok()) {
      const std::string line = exit.out.substr(0, exit.out.find('\n'));
      return no + "its run.sh " +
             (line.empty() ? "ended with status " + std::to_string(exit.status)
                           : "prints: " + line);
    }
    return std::string();
  }

  const session::SnapshotPtr snapshot_;
  const session::Snapshot& original_;
  const BundleOptions& options_;
  const session::Environment& env_;
  const RunContext& context_;
  BundleWriter writer_;
  session::SnapshotPtr lowered_;
};

/// A bundle of it keeps the whole program, to which the changes belong.
Result<> checkChanged(const BundleOptions& options) {
  const auto refused = [](std::string_view message) {
    return fail(ErrorCode::Usage, fmt::format("a bundle of a program that is lowered with changes "
                                              "(edited text, passes left out, choices of nodes) {}",
                                              message));
  };
  if (options.wrong) return refused("is one of a failure, not of a wrong result");
  if (options.reduce) return refused("is not reduced: leave out --reduce");
  return {};
}

/// The snapshot with what was changed of its stages as a bundle records it.
Result<session::SnapshotPtr> recorded(const session::SnapshotPtr& lowered,
                                      const session::Environment& env, const RunContext& context) {
  session::Request request = lowered->request;
  const lower::LowerOptions& options = request.lower;
  if (!options.edit && options.skipped.empty() && options.pipelines.empty()) return lowered;
  FXS_TRY(request.lower, recordedOptions(options, lowered->lowering->engine, *env.runner, context));
  return session::advance(session::retarget(lowered, std::move(request)), session::Phase::Lower,
                          env, context);
}

/// Its script runs the engine only, of a module also known programs that run passes: no file that
/// is handed on may name another program.
Result<> checkPrograms(const lower::OutputType& target, bool isModule) {
  const auto other = firstNotReplayed(target, isModule);
  if (!other) return {};
  std::string message = "a bundle replays stages of the engine, but " +
                        (*other)->stage.tool.title() + " runs " + std::string(lower::name(*other));
  if ((*other)->after)
    message +=
        "; choose an output type before it, such as " + std::string(lower::name(*(*other)->after));
  return fail(ErrorCode::Usage, std::move(message));
}

}  // namespace

std::string_view name(BundleWeights weights) {
  switch (weights) {
    case BundleWeights::None: return "none";
    case BundleWeights::Used: return "used";
    case BundleWeights::All: break;
  }
  return "all";
}

Result<BundleWeights> bundleWeightsFrom(std::string_view word) {
  for (const BundleWeights weights : {BundleWeights::None, BundleWeights::Used, BundleWeights::All})
    if (word == name(weights)) return weights;
  return fail(ErrorCode::Usage,
              "unknown choice of weights '" + std::string(word) + "'; expected none, used or all");
}

Result<BundleResult> exportBundle(const session::SnapshotPtr& snapshot,
                                  const BundleOptions& options, const session::Environment& env,
                                  const RunContext& context) {
  return guarded(snapshot->request.file, [&]() -> Result<BundleResult> {
    if (env.runner == nullptr)
      return fail(ErrorCode::Usage, "a bundle requires an engine that can be run");
    if (options.path.empty()) return fail(ErrorCode::Usage, "a bundle requires an output file");
    const bool isModule = snapshot->capture && snapshot->capture->module;
    if (options.wrong) FXS_CHECK(session::requirePyTorchProgram(*snapshot, "bundle --wrong"));
    if (isChanged(snapshot->request)) FXS_CHECK(checkChanged(options));
    FXS_CHECK(checkPrograms(snapshot->request.lower.target, isModule));
    if (const session::Route& route = *snapshot->request.route; &route != &session::kPipelines)
      return fail(ErrorCode::Usage, "a bundle replays --via " +
                                        std::string(session::kPipelines.name) + ", not " +
                                        std::string(route.name));
    if (options.wrong) {
      session::Request request = snapshot->request;
      request.askEngine = true;
      FXS_TRY(const session::SnapshotPtr imported,
              session::advance(session::retarget(snapshot, std::move(request)),
                               session::Phase::Import, env, context));
      return exportWrongResult(imported, options, env, context);
    }
    FXS_TRY(session::SnapshotPtr lowered,
            session::advance(snapshot, session::Phase::Lower, env, context));
    FXS_TRY(lowered, recorded(lowered, env, context));
    if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
    return Exporter(lowered, options, env, context).run();
  });
}

}  // namespace fxs::bundle
