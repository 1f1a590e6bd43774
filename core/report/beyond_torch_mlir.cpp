// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/beyond_torch_mlir.h"

#include "base/json.h"

namespace fxs::report {

void writeBeyond(JsonWriter& json, const diagnose::BeyondTorchMlir* beyond) {
  json.key("rewritten_beyond_torch_mlir");
  if (beyond == nullptr) {
    json.null();
    return;
  }
  const auto write = [&](const diagnose::BeyondTorchMlir::Operators& operators) {
    json.key("operators").beginArray();
    for (const auto& [target, nodes] : operators)
      json.beginObject().member("operator", target).member("nodes", nodes).endObject();
    json.endArray();
  };
  const diagnose::BeyondTorchMlir::Operators all = beyond->operators();
  json.beginObject();
  write(all);
  json.key("outcomes").beginArray();
  for (const auto& outcome : beyond->outcomes) {
    json.beginObject().member("to", lower::name(outcome.target));
    json.memberOrNull("lowers", outcome.lowers).textOrNull("fails_at", outcome.failsAt);
    if (outcome.operators != all) write(outcome.operators);
    json.endObject();
  }
  json.endArray().endObject();
}

}  // namespace fxs::report
