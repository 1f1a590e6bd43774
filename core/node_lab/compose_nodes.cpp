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
        run.log.diagnostics.empty() ? run.what : run.log.diagnostics.front().message;
    finding.message =
        isUnknown
            ? "whether the engine accepts the module composed node by node is not known: it " +
                  run.what
            : "the engine rejects the module composed node by node: " + rejection;
    out.findings.insert(out.findings.begin(), std::move(finding));
  } else {
    out.why = kIncomplete;
  }
  lower::countCauses(out.findings);
  return out;
}

}  // namespace

Result<session::SnapshotPtr> composeByNodes(const session::SnapshotPtr& from,
                                            const session::Environment& env,
                                            const RunContext& context) {
  return guarded(from->request.file, [&]() -> Result<session::SnapshotPtr> {
    auto next = std::make_shared<session::Snapshot>(*from);
    session::Snapshot& s = *next;
    const lower::OutputType& target = s.request.lower.target;
    if (!s.capture || (!s.rewritten && !s.request.parity))
      return fail(ErrorCode::Usage,
                  "composing a program from its nodes requires the rewritten program");
    const fx::ProgramPtr program = s.request.parity ? s.capture->program : s.rewritten->program;
    auto out = std::make_shared<lower::Lowering>();
    out->target = target;
    FXS_TRY(out->engine, session::engineFor(s, env, context));
    FXS_TRY(const auto registered, session::registeredOpsFor(*program, out->engine, env, context));

    ComposeOptions options{session::importOptionsOf(s, context), s.request.lower,
                           lower::pathTo(target)};
    options.import.registeredOps = &registered;
    options.import.embedWeights = s.request.import.embedWeights;
    options.lower.target = target;
    context.report({"lowering each node by itself", -1});
    FXS_TRY(auto composed,
            compose(program, *s.capture->program, options, out->engine, *env.runner, context));
    context.report({"verifying the composed module", -1});
    std::set<std::pair<fx::NodeId, std::string>> said;
    for (std::size_t i = 0; i < composed.size(); ++i) {
      // Report each finding once, at the first stage that has it.
      std::erase_if(composed[i].findings,
                    [&](const fx::Finding& f) { return !said.emplace(f.node, f.message).second; });
      lower::EngineRun run;
      if (composed[i].complete())
        run = std::move(lower::runEngine(out->engine, {""}, composed[i].text,
                                         s.request.lower.limits, *env.runner, context)
                            .front());
      if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
      const bool nothingNew = i > 0 && !composed[i].complete() && composed[i].findings.empty();
      out->stages.push_back(
          stageOf(options.targets[i]->stage, std::move(composed[i]), std::move(run)));
      if (nothingNew) {
        out->stages.back().status = lower::StageStatus::Skipped;
        out->stages.back().why = out->stages[i - 1].id + " failed";
      }
    }
    s.lowering = out;
    FXS_CHECK(session::linkStages(s, context));
    const bool failed = !out->ok() && lower::isKnown(out->stages);
    if (failed || !s.keepsContract())
      FXS_CHECK(contract::ensureHonest(out->engine, options.lower, *env.runner, context));
    return session::SnapshotPtr(std::move(next));
  });
}

}  // namespace fxs::node_lab
