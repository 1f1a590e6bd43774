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
  const fx::TensorMeta* recorded = firstResult(node);
  for (const AutocastState::Enabled& enabled : state.devices) {
    const std::vector<const fx::TensorMeta*> tensors = tensorsOf(step, plan.args);
    const auto eligible = [&](const fx::TensorMeta* meta) {
      return isEligible(*meta, enabled.device);
    };
    if (std::none_of(tensors.begin(), tensors.end(), eligible)) continue;
    const bool hasLower = std::any_of(tensors.begin(), tensors.end(), [&](const auto* meta) {
      return meta->dtype == enabled.dtype;
    });
    const bool onlyEligible = std::all_of(tensors.begin(), tensors.end(), [&](const auto* meta) {
      return !isFloating(meta->dtype) || eligible(meta);
    });

    std::optional<DType> castDtype;
    switch (policyFor(node, enabled.device)) {
      case CastPolicy::None:
        if (recorded && recorded->dtype == enabled.dtype && !hasLower && !given(node, "dtype") &&
            node.target.starts_with("aten.") && packetOf(node.target) != "to")
          plan.finding = disagreement(enabled, tensors.front()->dtype, recorded->dtype);
        break;
      case CastPolicy::Unsure:
        plan.finding = fmt::format(
            "autocast({}) casts inside it, which the program does not record; decompose the "
            "program with run_decompositions() before "
            "saving it",
            enabled.device);
        break;
      case CastPolicy::LowerPrecision: castDtype = enabled.dtype; break;
      case CastPolicy::Float32: castDtype = DType::Float32; break;
      case CastPolicy::Promote: {
        const bool wide = std::any_of(tensors.begin(), tensors.end(), [&](const auto* meta) {
          return eligible(meta) && meta->dtype == DType::Float32;
        });
        castDtype = wide ? DType::Float32 : enabled.dtype;
        break;
      }
      case CastPolicy::Float32Result: {
        const bool asked = given(node, "dtype") && !given(node, "dtype")->isNone();
        if (!asked && eligible(tensors.front())) {
          std::erase_if(plan.args, [](const fx::NodeArgument& a) { return a.name == "dtype"; });
          plan.args.push_back({"dtype", DType::Float32, true});
        }
        break;
      }
    }
    if (castDtype && recorded && onlyEligible && isFloating(recorded->dtype) &&
        recorded->dtype != *castDtype)
      plan.finding = disagreement(enabled, *castDtype, recorded->dtype);
    if (!plan.finding.empty()) break;
    if (castDtype)
      for (fx::NodeArgument& argument : plan.args)
        argument.value = castTo(step, argument.value, *castDtype, enabled.device);
  }
  return plan;
}

}  // namespace fxs::rewrite
