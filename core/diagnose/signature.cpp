// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/signature.h"

#include <algorithm>
#include <span>

#include "base/safe_text.h"

namespace fxs::diagnose {
namespace {

FailureSignature signatureOf(const lower::StageResult& stage, const fx::Finding& finding) {
  // printable(): the manifest requires printable text without line breaks.
  return {stage.id, printable(stage.failingPass), finding.kind, printable(finding.op),
          printable(finding.target)};
}

/// Where the engine runs out of time or memory, and what it reports then, differs between runs.
bool sameFailure(const FailureSignature& found, const FailureSignature& wanted) {
  if (!dependsOnMachine(wanted)) return found == wanted;
  return found.stage == wanted.stage && found.kind == wanted.kind &&
         (found.op == wanted.op || found.op.empty() || wanted.op.empty());
}

/// The stages that run from the edited text on; all without one.
std::span<const lower::StageResult> fromEdit(const lower::Lowering& lowering) {
  const auto first = std::find_if(lowering.stages.begin(), lowering.stages.end(),
                                  [&](const lower::StageResult& stage) {
                                    return !lowering.edit || stage.id == lowering.edit->stage;
                                  });
  return {first, lowering.stages.end()};
}

bool isError(const fx::Finding& finding) { return finding.severity == fx::Severity::Error; }

}  // namespace

const lower::StageResult* failingStage(const lower::Lowering& lowering) {
  for (const lower::StageResult& stage : fromEdit(lowering))
    if (stage.status != lower::StageStatus::Ok && stage.status != lower::StageStatus::Skipped)
      return &stage;
  return nullptr;
}

const std::string& inputOfFailure(const lower::Lowering& lowering, const std::string& raw) {
  const std::string* input = lowering.edit ? &lowering.edit->text : &raw;
  for (const lower::StageResult& stage : fromEdit(lowering)) {
    if (stage.status != lower::StageStatus::Ok) break;
    input = &stage.text;
  }
  return *input;
}

std::optional<Failure> failureOf(const lower::Lowering& lowering, fx::NodeId node) {
  const lower::StageResult* stage = failingStage(lowering);
  if (stage == nullptr) return std::nullopt;
  const fx::Finding* found = nullptr;
  for (const fx::Finding& finding : stage->findings) {
    if (!isError(finding) || (node.valid() && finding.node != node)) continue;
    // Prefer a failure at a node to one without, and the first node in the program.
    const bool better = found == nullptr || (finding.node.valid() &&
                                             (!found->node.valid() || finding.node < found->node));
    if (better) found = &finding;
  }
  if (found != nullptr) return Failure{signatureOf(*stage, *found), found->node};
  return std::nullopt;
}

bool fails(const lower::Lowering& lowering, const FailureSignature& wanted) {
  const lower::StageResult* stage = failingStage(lowering);
  return stage != nullptr && std::any_of(stage->findings.begin(), stage->findings.end(),
                                         [&](const fx::Finding& finding) {
                                           return isError(finding) &&
                                                  sameFailure(signatureOf(*stage, finding), wanted);
                                         });
}

bool dependsOnMachine(const FailureSignature& s) {
  return s.kind == "timeout" || s.kind == "memory" || s.kind == "output";
}

}  // namespace fxs::diagnose
