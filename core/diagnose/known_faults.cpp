// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/known_faults.h"

#include <algorithm>

#include "base/json_form.h"
#include "base/safe_text.h"

namespace fxs::resource {
std::string_view knownFaults();
}

namespace fxs::diagnose {
namespace {

constexpr std::string_view kFaultsSchema = "fxscope-known-faults/1";

const JsonAnswer<KnownFaults>& faultsAnswer() {
  using K = KnownFault;
  static const JsonForm<K> fault = {
      {"issue", &K::issue, "owner/repository#number"},
      {"stage", &K::stage, absentIfEmpty, "in which it fails; any without"},
      {"op", &K::op, absentIfEmpty, "the MLIR operation: torch.aten.diff"},
      {"target", &K::fxTarget, absentIfEmpty, "of the FX node: higher_order.cond"},
      {"what", &K::what},
      {"way_out", &K::wayOut, absentIfEmpty}};
  static const JsonAnswer<KnownFaults> answer{
      kFaultsSchema,
      "Faults that were reported: resources/engine/known_faults.json, and --known FILE",
      {{"checked", &KnownFaults::checked, matches("^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
        "the day on which the issues were looked at"},
       {"faults", &KnownFaults::faults, fault, "the first that matches counts"}}};
  return answer;
}

Result<KnownFaults> faultsIn(std::string_view text, const std::string& label) {
  FXS_TRY(const auto document, JsonDocument::parse(text, label, {KnownFaults::kMaxBytes, 8}));
  KnownFaults out;
  FXS_CHECK(faultsAnswer().form.read(document->root(), out));
  for (KnownFault& fault : out.faults) {
    if (fault.op.empty() && fault.fxTarget.empty())
      return fail(ErrorCode::InvalidInput,
                  label + ": " + printable(fault.issue) + " has neither an 'op' nor a 'target'");
    for (std::string* line : {&fault.issue, &fault.what, &fault.wayOut}) *line = printable(*line);
  }
  return out;
}

}  // namespace

const KnownFaults& KnownFaults::builtin() {
  static const KnownFaults known = *faultsIn(resource::knownFaults(), "known_faults.json");
  return known;
}

Result<KnownFaults> KnownFaults::from(std::string_view text, const std::string& label) {
  FXS_TRY(KnownFaults out, faultsIn(text, label));
  const KnownFaults& more = builtin();
  out.faults.insert(out.faults.end(), more.faults.begin(), more.faults.end());
  return out;
}

const KnownFault* KnownFaults::find(std::string_view stage, std::string_view op,
                                    std::string_view fxTarget) const {
  const auto is = [](std::string_view wanted, std::string_view found) {
    return wanted.empty() || wanted == found;
  };
  const auto known = std::find_if(faults.begin(), faults.end(), [&](const KnownFault& fault) {
    return is(fault.stage, stage) && is(fault.op, op) && is(fault.fxTarget, fxTarget);
  });
  return known == faults.end() ? nullptr : &*known;
}

std::string KnownFaults::schema() { return faultsAnswer().schemaText(); }

}  // namespace fxs::diagnose
