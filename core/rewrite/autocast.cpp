// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/autocast.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace fxs::rewrite {
namespace {

/// Autocast ignores integers, double, and tensors of other devices.
bool isEligible(const fx::TensorMeta& meta, const std::string& device) {
  return isFloating(meta.dtype) && meta.dtype != DType::Float64 && meta.device.type == device;
}

/// The tensors of a call in the draft, including those in lists.
std::vector<const fx::TensorMeta*> tensorsOf(const Transcription& step,
                                             const std::vector<fx::NodeArgument>& args) {
  std::vector<const fx::TensorMeta*> tensors;
  for (const fx::NodeArgument& argument : args)
    fx::forEachNode(argument.value, [&](fx::NodeId id) {
      if (const fx::TensorMeta* meta = step.tensor(id)) tensors.push_back(meta);
    });
  return tensors;
}

fx::Argument castTo(Transcription& step, const fx::Argument& argument, DType dtype,
                    const std::string& device) {
  return fx::mapNodes(argument, [&](fx::NodeId id) -> fx::Argument {
    const fx::TensorMeta* meta = step.tensor(id);
    if (!meta || !isEligible(*meta, device) || meta->dtype == dtype) return id;
    fx::TensorMeta cast = *meta;
    cast.dtype = dtype;
    cast.storageOffset = 0;
    return step.emit("aten._to_copy.default", {{"self", id, false}, {"dtype", dtype, true}},
                     std::move(cast));
  });
}

const fx::TensorMeta* firstResult(const fx::Node& node) {
  if (const fx::TensorMeta* meta = node.val.tensor()) return meta;
  const fx::ValueList* parts = node.val.list();
  return parts && !parts->empty() ? parts->front().tensor() : nullptr;
}

/// aten.pad calls listed operators only if it does not pad with a constant.
CastPolicy policyFor(const fx::Node& node, const std::string& device) {
  const CastPolicy policy = castPolicy(device, node.target);
  if (node.target == "aten.pad.default") {
    const fx::Argument mode = argumentOf(node, "mode");
    const std::string* text = std::get_if<std::string>(&mode);
    if (text && *text == "constant") return CastPolicy::None;
  }
  return policy;
}

std::string disagreement(const AutocastState::Enabled& enabled, DType expected, DType recorded) {
  return fmt::format(
      "under autocast({}, {}) its result would be {}, but the program records {}; no casts are "
      "inserted",
      enabled.device, facts(enabled.dtype).torchName, facts(expected).torchName,
      facts(recorded).torchName);
}

/// A call under autocast for one device.
struct CastCall {
  const fx::Node& node;
  const AutocastState::Enabled& enabled;
  std::vector<const fx::TensorMeta*> tensors;

  bool casts(const fx::TensorMeta* meta) const { return isEligible(*meta, enabled.device); }
  bool castsAny() const {
    return std::any_of(tensors.begin(), tensors.end(),
                       [&](const auto* meta) { return casts(meta); });
  }
  bool castsAllFloating() const {
    return std::all_of(tensors.begin(), tensors.end(),
                       [&](const auto* meta) { return !isFloating(meta->dtype) || casts(meta); });
  }
  bool hasLower() const {
    return std::any_of(tensors.begin(), tensors.end(),
                       [&](const auto* meta) { return meta->dtype == enabled.dtype; });
  }
  bool castsFloat32() const {
    return std::any_of(tensors.begin(), tensors.end(), [&](const auto* meta) {
      return casts(meta) && meta->dtype == DType::Float32;
    });
  }
};

/// The type to which the operands are cast.
std::optional<DType> castDtype(const CastCall& call, CastPolicy policy) {
  switch (policy) {
    case CastPolicy::LowerPrecision: return call.enabled.dtype;
    case CastPolicy::Float32: return DType::Float32;
    case CastPolicy::Promote: return call.castsFloat32() ? DType::Float32 : call.enabled.dtype;
    case CastPolicy::None:
    case CastPolicy::Unsure:
    case CastPolicy::Float32Result: break;
  }
  return std::nullopt;
}

/// Whether a call without a policy has a lower-precision result that its operands do not explain.
bool isUnexplained(const CastCall& call, DType recorded) {
  return recorded == call.enabled.dtype && !call.hasLower() && !given(call.node, "dtype") &&
         call.node.target.starts_with("aten.") && packetOf(call.node.target) != "to";
}

/// The reason why the casts of a call are unknown; else "".
std::string castMessage(const CastCall& call, CastPolicy policy) {
  if (policy == CastPolicy::Unsure)
    return fmt::format(
        "autocast({}) casts inside it, which the program does not record; decompose the "
        "program with run_decompositions() before "
        "saving it",
        call.enabled.device);
  const fx::TensorMeta* result = firstResult(call.node);
  if (!result) return {};
  const DType recorded = result->dtype;
  if (policy == CastPolicy::None && isUnexplained(call, recorded))
    return disagreement(call.enabled, call.tensors.front()->dtype, recorded);
  const std::optional<DType> expected = castDtype(call, policy);
  if (expected && call.castsAllFloating() && isFloating(recorded) && recorded != *expected)
    return disagreement(call.enabled, *expected, recorded);
  return {};
}

/// Whether CastPolicy::Float32Result passes the dtype to the call.
bool getsFloat32Result(const CastCall& call) {
  const fx::Argument* dtype = given(call.node, "dtype");
  return (!dtype || dtype->isNone()) && call.casts(call.tensors.front());
}

}  // namespace

AutocastState stateOf(const fx::Node& call, const AutocastState& outer) {
  AutocastState state = outer;
  const std::string* device = std::get_if<std::string>(&call.args[0].value);
  const DType* dtype = std::get_if<DType>(&call.args[1].value);
  const bool* enabled = std::get_if<bool>(&call.args[2].value);
  const std::string type = device ? *device : "";
  std::erase_if(state.devices,
                [&](const AutocastState::Enabled& known) { return known.device == type; });
  const DType byDefault = type == "cpu" ? DType::BFloat16 : DType::Float16;
  if (!enabled || *enabled) state.devices.push_back({type, dtype ? *dtype : byDefault});
  return state;
}

AutocastPlan planAutocast(Transcription& step, const fx::Node& node, const AutocastState& state) {
  AutocastPlan plan{step.mapped(node.args), {}};
  for (const AutocastState::Enabled& enabled : state.devices) {
    const CastCall call{node, enabled, tensorsOf(step, plan.args)};
    if (!call.castsAny()) continue;
    const CastPolicy policy = policyFor(node, enabled.device);
    plan.finding = castMessage(call, policy);
    if (!plan.finding.empty()) break;
    if (policy == CastPolicy::Float32Result && getsFloat32Result(call)) {
      std::erase_if(plan.args, [](const fx::NodeArgument& a) { return a.name == "dtype"; });
      plan.args.push_back({"dtype", DType::Float32, true});
    }
    if (const std::optional<DType> dtype = castDtype(call, policy))
      for (fx::NodeArgument& argument : plan.args)
        argument.value = castTo(step, argument.value, *dtype, enabled.device);
  }
  return plan;
}

}  // namespace fxs::rewrite
