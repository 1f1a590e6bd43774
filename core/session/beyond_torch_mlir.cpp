#include "session/beyond_torch_mlir.h"

#include <set>

#include "import/torch_mlir_refusals.h"

namespace fxs::session {

Request asTorchMlir(Request request) {
  request.rewrite.decompositions = rewrite::Decompositions::TorchMlir;
  request.import.asTorchMlir = true;
  if (request.import.mode == import::Mode::Lowering) request.import.mode = import::Mode::Frozen;
  return request;
}

Result<std::optional<diagnose::BeyondTorchMlir>> beyondTorchMlir(const SnapshotPtr& snapshot, const std::vector<lower::OutputType>& targets,
                                                                 const Environment& env, const RunContext& context) {
  const Snapshot& s = *snapshot;
  if (!s.rewritten || s.request.parity || s.request.rewrite.decompositions == rewrite::Decompositions::TorchMlir)
    return std::optional<diagnose::BeyondTorchMlir>();
  diagnose::BeyondTorchMlir out;
  std::set<fx::NodeId> nodes;
  const auto add = [&](fx::NodeId node) {
    if (node.valid() && nodes.insert(node).second) ++out.operators[s.capture->program->node(node).target];
  };
  for (const rewrite::Applied& applied : rewrite::beyondTorchMlir(*s.rewritten)) add(applied.origin);
  for (const fx::Finding& refused : import::torchMlirRefusals(*s.rewritten->program)) add(refused.node);
  if (out.operators.empty()) return std::optional<diagnose::BeyondTorchMlir>();
  Request request = asTorchMlir(s.request);
  request.rewrite.decompose.clear();
  for (const lower::OutputType& target : targets) {
    request.lower.target = target;
    FXS_TRY(const SnapshotPtr theirs, advance(retarget(snapshot, request), Phase::Lower, env, context));
    std::string why;
    const std::vector<fx::Finding> findings = theirs->findings();  // errors first
    const bool refused = !findings.empty() && findings.front().severity == fx::Severity::Error;
    if (refused || !theirs->lowersRight())
      why = findings.empty() ? "it stops" : findings.front().target.empty() ? findings.front().message : findings.front().target;
    out.outcomes.emplace_back(target, std::move(why));
  }
  return std::optional(std::move(out));
}

}  // namespace fxs::session
