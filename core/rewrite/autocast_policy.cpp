// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which operators autocast casts for, by device type: resources/ops/operators.txt.
#include <map>
#include <string_view>

#include "ops/operators.h"
#include "rewrite/autocast.h"

namespace fxs::rewrite {

std::optional<CastPolicy> castPolicyNamed(std::string_view name) {
  using enum CastPolicy;
  static const std::map<std::string_view, CastPolicy> kPolicies{{"lower", LowerPrecision},
                                                                {"float32", Float32},
                                                                {"float32-result", Float32Result},
                                                                {"promote", Promote},
                                                                {"unsure", Unsure}};
  const auto found = kPolicies.find(name);
  return found == kPolicies.end() ? std::nullopt : std::optional(found->second);
}

CastPolicy castPolicy(std::string_view device, std::string_view target) {
  if (device != "cpu" && device != "cuda") return CastPolicy::Unsure;
  if (!target.starts_with("aten.")) return CastPolicy::None;
  target.remove_prefix(5);
  const ops::Operator& overload = ops::operatorNamed(target);
  return castPolicyNamed(overload.rule(device == "cpu" ? ops::Rule::Cpu : ops::Rule::Cuda))
      .value_or(CastPolicy::None);
}

}  // namespace fxs::rewrite
