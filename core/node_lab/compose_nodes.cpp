// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <set>

#include "contract/lower_kept.h"
#include "lower/engine_run.h"
#include "lower/findings.h"
#include "node_lab/compose.h"
#include "node_lab/node_lab.h"
#include "session/importing.h"
#include "session/linked_stages.h"

namespace fxs::node_lab {
namespace {

constexpr std::string_view kIncomplete = "incomplete: not every node lowers by itself";

/// The composed module as a stage, after verification by the engine.
lower::StageResult stageOf(const lower::StageSpec& spec, Composed composed, lower::EngineRun run) {
  lower::StageResult out;
  out.id = spec.id;
  out.title = spec.title + ", node by node";
  out.findings = std::move(composed.findings);
  for (fx::Finding& finding : out.findings)
    if (finding.stage.empty()) finding.stage = spec.id;
  out.argv = std::move(run.argv);
  out.seconds = run.seconds;
  // For unknown sizes, the StableHLO lowering prints operations of the shape dialect, which the
  // engine cannot parse.
  const bool unreadable = run.err.find("Dialect `shape' not found") != std::string::npos;
  if (unreadable)
    out.warnings.emplace_back(
        "not verified: the engine cannot parse the shape dialect, which its own lowering prints");
  const bool taken = composed.complete() && (run.outcome == lower::RunOutcome::Ok || unreadable);
  const lower::StageStatus status =
      composed.complete() ? lower::statusOf(run.outcome) : composed.status;
  const bool isUnknown = !lower::isKnown(status);
  out.status = isUnknown ? status : lower::StageStatus::Failed;
  if (taken) out.status = lower::StageStatus::Ok;
  if (taken) {
    out.text = std::move(composed.text);
  } else if (composed.complete()) {
    out.failureIr = std::move(composed.text);
    out.stderrText = std::move(run.err);
    fx::Finding finding;
    finding.stage = spec.id;
    finding.kind = isUnknown ? "engine" : "verifier";
    const std::string& rejection =
        run.log.diagnostics.empty() ? run.message : run.log.diagnostics.front().message;
    finding.message =
        isUnknown
            ? "whether the engine accepts the module composed node by node is not known: it " +
                  run.message
            : "the engine rejects the module composed node by node: " + rejection;
    out.findings.insert(out.findings.begin(), std::move(finding));
  } else {
    out.message = kIncomplete;
  }
  lower::countCauses(out.findings);
  return out;
}

/// Why a request cannot be lowered node by node.
Result<> checkRequest(const session::Request& request) {
  const std::string via = "--via " + std::string(kNodes.name);
  if (!lower::keepsFunction(*request.lower.target.operator->()))
    return fail(ErrorCode::Usage,
                via + " requires an output type that keeps the program's function");
  if (request.import.mode != import::Mode::Lowering || request.import.symbolicShapes)
    return fail(ErrorCode::Usage, via + " requires --mode lowering, without --symbolic-shapes");
  return {};
}

/// The composed modules as stages, each verified by the engine.
Result<std::vector<lower::StageResult>> verifiedStages(std::vector<Composed> composed,
                                                       const lower::Engine& engine,
                                                       const lower::LowerOptions& options,
                                                       CommandRunner& runner,
                                                       const RunContext& context) {
  context.report({"verifying the composed module", -1});
  std::vector<lower::StageResult> out;
  std::set<std::pair<fx::NodeId, std::string>> said;
  for (Composed& each : composed) {
    // Report each finding once, at the first stage that has it.
    std::erase_if(each.findings,
                  [&](const fx::Finding& f) { return !said.emplace(f.node, f.message).second; });
    lower::EngineRun run;
    if (each.complete())
      run = std::move(
          lower::runEngine(engine, {""}, each.text, options.limits, runner, context).front());
    if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
    const bool nothingNew = !out.empty() && !each.complete() && each.findings.empty();
    const lower::StageSpec& spec = each.target->stage;
    lower::StageResult stage = stageOf(spec, std::move(each), std::move(run));
    if (nothingNew) {
      stage.status = lower::StageStatus::Skipped;
      stage.message = out.back().id + " failed";
    }
    out.push_back(std::move(stage));
  }
  return out;
}

Result<> lowerByNodes(session::Snapshot& s, const session::Environment& env,
                      const RunContext& context, const session::OnStage& onStage) {
  FXS_CHECK(checkRequest(s.request));
  const fx::ProgramPtr program = s.request.parity ? s.capture->program : s.rewritten->program;
  auto out = std::make_shared<lower::Lowering>();
  out->target = s.request.lower.target;
  FXS_TRY(out->engine, session::engineFor(s, env, context));
  FXS_TRY(const auto registered, session::registeredOpsFor(*program, out->engine, env, context));

  ComposeOptions options{session::importOptionsOf(s, context), s.request.lower,
                         lower::pathTo(out->target)};
  options.import.registeredOps = &registered;
  options.import.embedWeights = s.request.import.embedWeights;
  context.report({"lowering each node by itself", -1});
  FXS_TRY(auto composed,
          compose(program, *s.capture->program, options, out->engine, *env.runner, context));
  FXS_TRY(out->stages,
          verifiedStages(std::move(composed), out->engine, s.request.lower, *env.runner, context));
  s.lowering = out;
  FXS_CHECK(session::linkStages(s, context));
  const bool failed = !out->ok() && lower::isKnown(out->stages);
  if (failed || !s.keepsContract())
    FXS_CHECK(contract::ensureHonest(out->engine, s.request.lower, *env.runner, context));
  if (onStage)
    for (const lower::StageResult& stage : out->stages) onStage(stage);
  return {};
}

}  // namespace

constinit const session::Route kNodes{"nodes", "Node by node",
                                      "each node separately, then composed",
                                      session::Phase::Rewrite, lowerByNodes};

}  // namespace fxs::node_lab
