// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// PyTorch's autocast as a rewrite: in an enabled region, operands of some operators are cast to the
// region's lower-precision type, of others to float32, of others to the widest type among them. The
// operator lists (resources/ops/operators.txt) are those of ATen/autocast_mode.h and its
// registrations for CPU and CUDA in PyTorch 2.13. The exporter records result types under autocast,
// so a policy that gives another type is detected and becomes a finding instead of a wrong program.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rewrite/transcription.h"

namespace fxs::rewrite {

/// The autocast state at a point of the program, by device type. Only tensors on that device are
/// cast.
struct AutocastState {
  struct Enabled {
    std::string device;
    DType dtype = DType::Unknown;
  };  ///< "cpu" or "cuda", and the lower-precision type
  std::vector<Enabled> devices;
  bool active() const { return !devices.empty(); }
};

enum class CastPolicy : std::uint8_t {
  None,
  LowerPrecision,
  Float32,
  Float32Result,
  Promote,
  Unsure
};
/// As rows of resources/ops/operators.txt name them: "lower".
std::optional<CastPolicy> castPolicyNamed(std::string_view name);
/// The policy for calls of `target` on `device` ("cpu" or "cuda"). Unsure: a composite operator
/// that calls listed operators, so that its casts are not visible in the exported graph.
CastPolicy castPolicy(std::string_view device, std::string_view target);

/// The state inside a wrap_with_autocast call.
AutocastState stateOf(const fx::Node& call, const AutocastState& outer);

struct AutocastPlan {
  std::vector<fx::NodeArgument> args;  ///< mapped, with casts emitted
  std::string
      finding;  ///< why the casts of this node are unknown, nothing was emitted then; else ""
};
/// Casts the arguments of `node`, a node of the source, as autocast does.
AutocastPlan planAutocast(Transcription&, const fx::Node& node, const AutocastState&);

}  // namespace fxs::rewrite
