#pragma once
// PyTorch's autocast as a rewrite: in an enabled region, operands of some operators are cast to the region's lower precision
// type, of others to float32, of others to the widest type among them. The lists are those of ATen/autocast_mode.h and its
// registrations for CPU and CUDA in PyTorch 2.13 (autocast_policy.cpp). The exporter records each result's type as it was
// under autocast, so a policy that leads to another type is detected: then the node is a finding, not a wrong program.
#include <string>
#include <string_view>
#include <vector>

#include "rewrite/transcription.h"

namespace fxs::rewrite {

/// The autocast state at a point of the program, for each device type that has it: only tensors on that device are cast.
struct AutocastState {
  struct Enabled {
    std::string device;
    DType dtype = DType::Unknown;
  };  ///< "cpu", "cuda"; the lower precision type
  std::vector<Enabled> devices;
  bool active() const { return !devices.empty(); }
};

enum class CastPolicy : std::uint8_t { None, LowerPrecision, Float32, Float32Result, Promote, Unsure };
/// What autocast does on `device` ("cpu" or "cuda") with calls of `target`. Unsure: a composite operator that meets listed
/// ones inside; its casts happen where the exported graph cannot show them.
CastPolicy castPolicy(std::string_view device, std::string_view target);

/// The state inside a wrap_with_autocast call.
AutocastState stateOf(const fx::Node& call, const AutocastState& outer);

struct AutocastPlan {
  std::vector<fx::NodeArgument> args;  ///< mapped, with casts emitted
  std::string finding;                 ///< why the casts of this node are not known; then nothing was emitted
};
/// The arguments of `node` (of the step's source) under autocast.
AutocastPlan planAutocast(Transcription&, const fx::Node& node, const AutocastState&);

}  // namespace fxs::rewrite
