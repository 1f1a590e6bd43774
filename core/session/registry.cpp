// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/registry.h"

#include <algorithm>
#include <tuple>

#include "base/byte_source.h"
#include "fx/origins.h"
#include "lower/engine_run.h"
#include "lower/findings.h"
#include "lower/no_answer.h"
#include "lower/pipeline_check.h"
#include "registry/user_registry.h"
#include "rewrite/rule.h"
#include "session/importing.h"
#include "session/linked_stages.h"

namespace fxs::session {
namespace {

/// Limit for rounds of decomposition: the result of one may need another.
constexpr int kMaxRounds = 16;
constexpr std::uint64_t kMaxRegistryBytes = std::uint64_t{16} << 20;

/// The operators that were not lowered and have a decomposition that is not applied yet.
std::set<std::string> decomposable(const fx::Program& program,
                                   const registry::DirectLowering& lowering,
                                   const std::set<std::string>& applied) {
  std::set<std::string> missing, out;
  for (const registry::NodeCoverage& each : lowering.coverage) {
    const bool lowered = each.status == registry::CoverageStatus::Lowered ||
                         each.status == registry::CoverageStatus::Structural;
    const fx::Node& node = program.node(each.node);
    if (!lowered && !applied.contains(node.target)) missing.insert(node.target);
  }
  for (const rewrite::Rule& rule : rewrite::builtinRules().rules())
    if (missing.contains(rule.target)) out.insert(rule.target);
  return out;
}

/// The built-in handlers that wrote what the engine rejects, by the nodes that it names. Others may
/// lower these nodes.
std::vector<registry::Rejection> rejectionsIn(const DirectResult& result,
                                              const registry::DirectOptions& options) {
  std::vector<registry::Rejection> out;
  const fx::Program& program = *result.rewritten->program;
  const auto isUsers = [&](const std::string& name) {
    return std::any_of(options.user.begin(), options.user.end(),
                       [&](const auto& registry) { return registry->name == name; });
  };
  for (const fx::Finding& finding : result.verified->findings)
    for (const registry::NodeCoverage& each : result.lowering->coverage) {
      const fx::Node& node = program.node(each.node);
      if (!finding.node.valid() || program.originOf(node).id != finding.node ||
          each.registry.empty() || isUsers(each.registry))
        continue;
      const bool isKnown = std::any_of(options.rejections.begin(), options.rejections.end(),
                                       [&](const registry::Rejection& known) {
                                         return known.node == finding.node &&
                                                known.target == node.target &&
                                                known.registry == each.registry;
                                       });
      if (!isKnown) out.push_back({finding.node, node.target, each.registry, finding.message});
    }
  return out;
}

Result<> verify(DirectResult& result, const fx::Program& user, const lower::Engine& engine,
                const lower::LowerOptions& options, CommandRunner& runner,
                const RunContext& context) {
  lower::EngineRun run = std::move(
      lower::runEngine(engine, {""}, result.lowering->text, options.limits, runner, context)
          .front());
  if (run.outcome == lower::RunOutcome::Cancelled) return fail(ErrorCode::Cancelled, "cancelled");
  const lower::StageStatus status = lower::statusOf(run.outcome);
  if (status == lower::StageStatus::Unknown ||
      (status == lower::StageStatus::Failed && !lower::saysWhere(run))) {
    result.notVerified = run.message;
    return {};
  }
  lower::StageSpec stage;
  stage.id = "registry";
  stage.title = "Registries";
  stage.keepsFunction = true;
  if (status == lower::StageStatus::Ok) {
    const std::string problem = lower::noAnswer(stage, result.lowering->text, run.out);
    if (!problem.empty()) result.notVerified = "the engine succeeded but " + problem;
  } else if (status == lower::StageStatus::Crashed) {
    const auto can = lower::checkPipeline(stage, engine, options.limits, runner, context);
    if (!can && endsAll(can.error())) return can;
    if (!can) result.notVerified = can.error().message;
  }
  if (!result.notVerified.empty()) return {};
  lower::StageResult read;
  read.id = stage.id;
  read.title = stage.title;
  read.seconds = run.seconds;
  read.argv = run.argv;
  read.status = status;
  if (status == lower::StageStatus::Ok) {
    // Keep the first line: it makes torch-mlir-opt load the dialects, but is not printed, and
    // without it the text cannot be parsed.
    const std::string& written = result.lowering->text;
    const std::size_t line = written.starts_with('#') ? written.find('\n') + 1 : 0;
    read.text = written.substr(0, line) + run.out;
  } else {
    read.stderrText = run.err;
    read.findings = lower::findingsOf(run, stage, user, false);
  }
  result.verified = std::move(read);
  return {};
}

Error notWritten(const Environment& environment) {
  std::vector<lower::OutputType> written = environment.outputTypes.all();
  std::erase_if(written, [](const lower::OutputType& type) { return type->registries.empty(); });
  return {ErrorCode::Usage,
          "--via " + std::string(kRegistries.name) + " supports " + lower::listed(written, " or ") +
              "; choose one with --to",
          {}};
}

/// The options of the request with the weights of the capture and the plan of its kernel.
Result<registry::DirectOptions> directOptionsOf(const Snapshot& snapshot,
                                                const fx::ProgramPtr& program,
                                                const DirectRequest& request,
                                                const Environment& environment,
                                                const RunContext& context) {
  registry::DirectOptions options = request.options;
  if (request.ofOutputType) {
    const auto known = directOptionsFor(snapshot.request, snapshot.request.lower.target);
    if (!known) return tl::unexpected<Error>(notWritten(environment));
    options = *known;
  }
  const read::Capture& capture = *snapshot.capture;
  if (const auto weights = capture.weights)
    options.weights = [weights, context](const fx::Weight& weight) {
      return weights->read(weight, kWeightBytes, context);
    };
  if (capture.kernel) {
    FXS_TRY(options.kernel,
            registry::planKernel(program, capture.kernel, request.blockSizes, context));
  } else if (!request.blockSizes.empty()) {
    return fail(ErrorCode::Usage, "only a Helion kernel has block sizes to choose; '" +
                                      capture.label + "' is not one");
  }
  return options;
}

rewrite::RewriteOptions rewritingFor(const Snapshot& snapshot, const DirectRequest& request) {
  rewrite::RewriteOptions out = rewriteOptionsOf(snapshot.request);
  out.decompose.insert(request.decompose.begin(), request.decompose.end());
  // Essential decompositions are those that torch-mlir's import requires; here the chain decides
  // what to decompose.
  if (request.decomposeAsNeeded) out.decompositions = rewrite::Decompositions::None;
  return out;
}

/// Why no engine verifies the module; "" if one does.
std::string reasonNotToVerify(const DirectRequest& request, const Environment& environment) {
  if (!request.verify) return "it was not requested";
  if (environment.runner != nullptr && !engineGivenOrInstalled(environment).empty()) return "";
  return environment.engineMissing.empty() ? "no engine was chosen" : environment.engineMissing;
}

bool isRejected(const DirectResult& result) {
  return result.verified && result.verified->status == lower::StageStatus::Failed;
}

}  // namespace

bool DirectResult::ok() const {
  const std::vector<fx::Finding> all = findings();  // errors first
  return lowering->complete && (!verified || verified->status == lower::StageStatus::Ok) &&
         (all.empty() || all.front().severity != fx::Severity::Error);
}

const std::string& DirectResult::text() const {
  return verified && !verified->text.empty() ? verified->text : lowering->text;
}

std::vector<fx::Finding> DirectResult::findings() const {
  std::vector<fx::Finding> out = rewritten->findings;
  out.insert(out.end(), lowering->findings.begin(), lowering->findings.end());
  if (verified) out.insert(out.end(), verified->findings.begin(), verified->findings.end());
  std::stable_sort(out.begin(), out.end(), [](const fx::Finding& a, const fx::Finding& b) {
    return std::tuple(-static_cast<int>(a.severity), a.node) <
           std::tuple(-static_cast<int>(b.severity), b.node);
  });
  return out;
}

Result<std::shared_ptr<const registry::Registry>> userRegistry(const std::string& path) {
  FXS_TRY(const std::string text, readWholeFile(path, kMaxRegistryBytes));
  return registry::readUserRegistry(text, path);
}

std::optional<registry::DirectOptions> directOptionsFor(const Request& request,
                                                        const lower::OutputType& to) {
  if (to->registries.empty()) return std::nullopt;
  registry::DirectOptions out;
  out.functionName = request.import.functionName;
  out.embedWeights = request.import.embedWeights;
  out.primary = to->registries.front();
  out.fallbacks.assign(to->registries.begin() + 1, to->registries.end());
  return out;
}

Result<std::shared_ptr<const registry::DirectLowering>> lowerByRegistries(
    const Snapshot& s, const fx::Program& program, const lower::OutputType& to,
    const RunContext& context) {
  auto options = directOptionsFor(s.request, to);
  if (!options) return nullptr;
  options->embedWeights = false;
  options->weights = importOptionsOf(s, context).weights;
  const fx::ProgramPtr given(fx::ProgramPtr(), &program);  // outlives what is made of it here
  rewrite::RewriteOptions rewriting;
  rewriting.decompositions = rewrite::Decompositions::None;
  fx::ProgramPtr lowered = given;
  for (int round = 0;; ++round) {
    FXS_TRY(auto lowering, registry::lowerByRegistries(*lowered, *options, context));
    if (lowering->complete || round == kMaxRounds) return lowering;
    const std::set<std::string> more = decomposable(*lowered, *lowering, rewriting.decompose);
    if (more.empty()) return lowering;
    rewriting.decompose.insert(more.begin(), more.end());
    FXS_TRY(const auto rewritten, rewrite::rewrite(fx::withOwnOrigins(given), rewriting, context));
    lowered = fx::inUsersTerms(rewritten->program, given, s.capture->program);
  }
}

namespace {

/// Lowers, and lowers again while the engine rejects something or something can be decomposed.
class Rounds {
 public:
  Rounds(const Snapshot& snapshot, const DirectRequest& request, const Environment& environment,
         const RunContext& context)
      : snapshot_(snapshot),
        request_(request),
        environment_(environment),
        context_(context),
        rewriting_(rewritingFor(snapshot, request)),
        notVerified_(reasonNotToVerify(request, environment)) {}

  Result<std::shared_ptr<const DirectResult>> run() {
    const auto begin = std::chrono::steady_clock::now();
    fx::ProgramPtr program = valuedProgram(snapshot_, context_);
    FXS_TRY(options_, directOptionsOf(snapshot_, program, request_, environment_, context_));
    if (snapshot_.capture->kernel) program = options_.kernel->sized;
    for (int round = 0;; ++round) {
      context_.report({"lowering by registries", -1});
      if (context_.stop.stop_requested()) return fail(ErrorCode::Cancelled, "cancelled");
      FXS_TRY(result_->rewritten, rewrite::rewrite(program, rewriting_, context_));
      FXS_TRY(result_->lowering,
              registry::lowerByRegistries(*result_->rewritten->program, options_, context_));
      FXS_TRY(const bool goesOn, result_->lowering->complete ? verifyIt() : decomposeMore(round));
      if (!goesOn || round == kMaxRounds) break;
      result_->verified.reset();
    }
    std::sort(result_->decomposed.begin(), result_->decomposed.end());
    result_->seconds = std::chrono::steady_clock::now() - begin;
    return std::shared_ptr<const DirectResult>(std::move(result_));
  }

 private:
  /// Whether the engine rejects what can be lowered otherwise.
  Result<bool> verifyIt() {
    result_->notVerified = notVerified_;
    if (!notVerified_.empty()) return false;
    FXS_TRY(result_->engine, engineFor(snapshot_, environment_, context_));
    FXS_CHECK(verify(*result_, *snapshot_.capture->program, *result_->engine,
                     snapshot_.request.lower, *environment_.runner, context_));
    if (!isRejected(*result_)) return false;
    const std::vector<registry::Rejection> rejected = rejectionsIn(*result_, options_);
    options_.rejections.insert(options_.rejections.end(), rejected.begin(), rejected.end());
    return !rejected.empty();
  }

  /// Whether something that is not lowered can be decomposed.
  Result<bool> decomposeMore(int round) {
    result_->notVerified = request_.verify ? "the module is incomplete" : notVerified_;
    if (!request_.decomposeAsNeeded || round == kMaxRounds) return false;
    const std::set<std::string> more =
        decomposable(*result_->rewritten->program, *result_->lowering, rewriting_.decompose);
    rewriting_.decompose.insert(more.begin(), more.end());
    result_->decomposed.insert(result_->decomposed.end(), more.begin(), more.end());
    return !more.empty();
  }

  const Snapshot& snapshot_;
  const DirectRequest& request_;
  const Environment& environment_;
  const RunContext& context_;
  rewrite::RewriteOptions rewriting_;
  const std::string notVerified_;
  registry::DirectOptions options_;
  std::shared_ptr<DirectResult> result_ = std::make_shared<DirectResult>();
};

/// The result as a lowering with one stage, "registry", with the text or the errors.
std::shared_ptr<const lower::Lowering> asLowering(const DirectResult& result,
                                                  const lower::OutputType& target) {
  auto out = std::make_shared<lower::Lowering>();
  out->target = target;
  if (result.engine) out->engine = *result.engine;
  lower::StageResult stage;
  if (result.verified) stage = *result.verified;
  stage.id = "registry";
  stage.title = "Registries";
  stage.seconds = result.seconds;
  if (!result.verified) {
    stage.status = result.lowering->complete ? lower::StageStatus::Ok : lower::StageStatus::Failed;
    if (result.lowering->complete) stage.warnings.push_back("not verified: " + result.notVerified);
  }
  const bool ok = stage.status == lower::StageStatus::Ok;
  if (ok) stage.text = result.text();
  else stage.failureIr = result.lowering->text;
  stage.findings.insert(stage.findings.end(), result.lowering->findings.begin(),
                        result.lowering->findings.end());
  out->stages.push_back(std::move(stage));
  return out;
}

Result<> lowerDirectly(Snapshot& s, const Environment& env, const RunContext& context,
                       const OnStage& onStage) {
  DirectRequest ofOutputType;
  ofOutputType.ofOutputType = true;
  const DirectRequest& request = s.request.registries ? *s.request.registries : ofOutputType;
  FXS_TRY(s.direct, Rounds(s, request, env, context).run());
  s.rewritten = s.direct->rewritten;
  s.imported.reset();
  s.registeredOps.reset();
  s.lowering = asLowering(*s.direct, s.request.lower.target);
  FXS_CHECK(linkStages(s, context));
  if (onStage) onStage(s.lowering->stages.front());
  return {};
}

}  // namespace

constinit const Route kRegistries{"registry", "Registries (direct)",
                                  "directly through op registries", Phase::Read, lowerDirectly};

}  // namespace fxs::session
