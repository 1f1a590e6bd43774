// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Single-node lowering by the session, as text to show.
#include <algorithm>

#include "features/alone/alone_presenter.h"
#include "node_lab/node_lab.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

AloneLowering::Target targetOf(const lower::OutputType& type, const node_lab::NodeLowering& alone) {
  AloneLowering::Target target;
  target.type = type;
  std::vector<fx::Finding> findings = alone.findings;
  if (alone.lowering) {
    // The stage that failed, or the last one.
    const auto& stages = alone.lowering->stages;
    const auto stopped = std::find_if(
        stages.begin(), stages.end(),
        [](const lower::StageResult& stage) { return stage.status != lower::StageStatus::Ok; });
    const lower::StageResult& stage = stopped == stages.end() ? stages.back() : *stopped;
    target.status = stage.status;
    target.text = stage.ir();
    findings.insert(findings.end(), stage.findings.begin(), stage.findings.end());
  } else {
    target.status = lower::StageStatus::Failed;
    target.text = alone.raw;
  }
  target.inlined = alone.inlined;
  const auto error = std::find_if(findings.begin(), findings.end(), [](const fx::Finding& f) {
    return f.severity == fx::Severity::Error;
  });
  if (target.status != lower::StageStatus::Ok)
    target.note = error != findings.end() ? text(error->message) : QString("it failed");
  else if (!alone.verified && !alone.verifierSays.empty())
    target.note = "not inlined: " + lines(alone.verifierSays).section('\n', 0, 0);
  return target;
}

}  // namespace

AloneRunner sessionAlone(session::Environment environment) {
  return [environment = std::move(environment)](
             const session::SnapshotPtr& snapshot, fx::NodeId node,
             const RunContext& context) -> Result<AloneLoweringPtr> {
    auto lowering = std::make_shared<AloneLowering>();
    lowering->node = node;
    for (const lower::OutputType& type : environment.outputTypes.ofEngine()) {
      if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
      FXS_TRY(const auto alone, node_lab::lowerNode(*snapshot, node, type, environment, context));
      lowering->program = alone->program;
      lowering->targets.push_back(targetOf(type, *alone));
    }
    return AloneLoweringPtr(std::move(lowering));
  };
}

}  // namespace fxs::ui
