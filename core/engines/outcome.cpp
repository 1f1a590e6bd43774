// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engines/outcome.h"

#include <algorithm>
#include <tuple>

namespace fxs::engines {

Outcome outcomeOf(const lower::Lowering& lowering, const std::vector<fx::Finding>& findings,
                  bool right) {
  Outcome out;
  const lower::StageResult* stopped = nullptr;
  for (const lower::StageResult& stage : lowering.stages) {
    out.stages.push_back({stage.id, stage.status, stage.seconds});
    out.seconds += stage.seconds;
    if (stopped == nullptr && stage.status != lower::StageStatus::Ok) stopped = &stage;
  }
  const auto error = std::find_if(findings.begin(), findings.end(), [](const fx::Finding& f) {
    return f.severity == fx::Severity::Error;
  });
  const bool hasError = error != findings.end();
  if (right && stopped == nullptr && !hasError) return out;
  out.status = sweep::statusOf(lowering, right);
  if (stopped != nullptr) {
    out.stage = stopped->id;
    out.pass = stopped->failingPass;
  }
  if (!hasError) return out;
  if (out.stage.empty()) out.stage = error->stage;
  if (out.pass.empty()) out.pass = error->pass;
  out.op = error->op;
  out.node = error->node;
  out.nodeName = error->nodeName;
  out.target = error->target;
  out.message = error->message;
  return out;
}

bool isKnown(const Outcome& outcome) {
  return outcome.status != sweep::Status::Timeout && outcome.status != sweep::Status::Abandoned;
}

bool sameOutcome(const Outcome& a, const Outcome& b) {
  const auto said = [](const Outcome& o) {
    return std::tie(o.status, o.stage, o.pass, o.op, o.node);
  };
  return said(a) == said(b);
}

}  // namespace fxs::engines
