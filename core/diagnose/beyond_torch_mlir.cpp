// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/beyond_torch_mlir.h"

#include <set>

#include "import/torch_mlir_refusals.h"

namespace fxs::diagnose {
namespace {

/// The part of the time limit for each stage, because the user did not ask for it.
constexpr int kTheirPart = 12;

BeyondTorchMlir::Outcome officialOutcome(const session::Snapshot& theirs) {
  if (theirs.lowersRight()) return {theirs.request.lower.target, true, {}};
  const std::vector<fx::Finding> findings = theirs.findings();
  for (const lower::StageResult& stage : theirs.lowering->stages)
    if (!lower::isKnown(stage.status) && stage.status != lower::StageStatus::Skipped)
      return {theirs.request.lower.target, std::nullopt, {}};
  std::string at;
  if (!findings.empty())
    at = findings.front().target.empty() ? findings.front().message : findings.front().target;
  return {theirs.request.lower.target, false, at.empty() ? "its end" : std::move(at)};
}

BeyondTorchMlir::Operators rewrittenBeyond(const session::Snapshot& s) {
  BeyondTorchMlir::Operators out;
  std::set<fx::NodeId> nodes;
  const auto add = [&](fx::NodeId node) {
    if (node.valid() && nodes.insert(node).second) ++out[s.capture->program->node(node).target];
  };
  for (const rewrite::Applied& applied : rewrite::beyondTorchMlir(*s.rewritten))
    add(applied.origin);
  for (const fx::Finding& refused : import::torchMlirRefusals(*s.rewritten->program))
    add(refused.node);
  for (const fx::Node& node : s.capture->program->nodes)
    if (import::isPermutedFromBack(node)) add(node.id);
  return out;
}

}  // namespace

session::Request asTorchMlir(session::Request request, rewrite::Decompositions decompositions) {
  request.rewrite.decompositions = decompositions;
  request.import = asTorchMlir(std::move(request.import));
  return request;
}

import::ImportChoices asTorchMlir(import::ImportChoices choices) {
  choices.asTorchMlir = true;
  if (choices.mode == import::Mode::Lowering) choices.mode = import::Mode::Frozen;
  return choices;
}

Result<std::optional<BeyondTorchMlir>> beyondTorchMlir(
    const std::vector<session::SnapshotPtr>& byTarget, const session::Environment& env,
    const RunContext& context) {
  BeyondTorchMlir out;
  session::SnapshotPtr
      theirs;  // for one output type after the other, with the stages that they share
  for (const session::SnapshotPtr& ours : byTarget) {
    const session::Snapshot& s = *ours;
    if (!s.rewritten || s.request.parity || s.capture->module ||
        rewrite::isAsTorchMlir(s.request.rewrite.decompositions))
      continue;
    BeyondTorchMlir::Operators operators = rewrittenBeyond(s);
    if (operators.empty()) continue;
    session::Request request = asTorchMlir(s.request);
    request.rewrite.decompose.clear();
    request.lower.limits.timeout = lower::shareOf(request.lower.limits.timeout, kTheirPart);
    FXS_TRY(theirs, session::advance(session::retarget(theirs ? theirs : ours, std::move(request)),
                                     session::Phase::Lower, env, context));
    // Stopped, it says nothing.
    out.outcomes.push_back(context.stop.stop_requested()
                               ? BeyondTorchMlir::Outcome{s.request.lower.target, std::nullopt, {}}
                               : officialOutcome(*theirs));
    out.outcomes.back().operators = std::move(operators);
  }
  return out.outcomes.empty() ? std::nullopt : std::optional(std::move(out));
}

}  // namespace fxs::diagnose
