#include "session/fixed_form.h"

#include <algorithm>
#include <map>

#include "fx/shared_weights.h"

namespace fxs::session {
namespace {

constexpr std::string_view kCpu = "cpu";
bool isElsewhere(const Device& device) { return !device.type.empty() && device.type != kCpu; }

bool moveToCpu(Device& device) {
  if (!isElsewhere(device)) return false;
  device = {std::string(kCpu), {}};
  return true;
}

bool moveToCpu(fx::Value& value) {
  if (auto* tensor = std::get_if<fx::TensorMeta>(&value)) return moveToCpu(tensor->device);
  bool moved = false;
  if (auto* parts = std::get_if<fx::ValueList>(&value))
    for (fx::Value& part : *parts) moved = moveToCpu(part) || moved;
  return moved;
}

bool moveToCpu(fx::Argument& argument) {
  if (auto* device = std::get_if<Device>(&argument)) return moveToCpu(*device);
  bool moved = false;
  if (auto* items = std::get_if<fx::ArgumentList>(&argument))
    for (fx::Argument& item : *items) moved = moveToCpu(item) || moved;
  if (auto* entries = std::get_if<fx::ArgumentDict>(&argument))
    for (auto& entry : *entries) moved = moveToCpu(entry.second) || moved;
  return moved;
}

}  // namespace

fx::ProgramPtr withConstantBuffers(const fx::Program& program, std::vector<fx::NodeId>& changed) {
  auto out = std::make_shared<fx::Program>(program);
  for (fx::InputSpec& spec : out->inputs) {
    const bool isMutated = std::any_of(out->outputs.begin(), out->outputs.end(), [&](const fx::OutputSpec& o) {
      return o.kind == fx::OutputKind::BufferMutation && o.target == spec.target;
    });
    if (spec.kind != fx::InputKind::Buffer || isMutated) continue;
    spec.kind = fx::InputKind::ConstantTensor;
    changed.push_back(program.originOf(program.node(spec.node)).id);
  }
  return out;
}

fx::ProgramPtr withOneNamePerTensor(const fx::ProgramPtr& program) {
  const fx::SharedWeights shared(*program);
  std::map<fx::NodeId, fx::NodeId> chosen;
  for (const fx::InputSpec& spec : program->inputs) {
    if (shared.standsForAll(spec.node) || shared.overlaps(spec.node).valid()) continue;
    for (const fx::NodeId other : shared.sameAs(spec.node))
      if (shared.standsForAll(other)) chosen[spec.node] = other;
  }
  if (chosen.empty()) return program;
  auto out = std::make_shared<fx::Program>(*program);
  const auto renamed = [&](const fx::Argument& argument) {
    return fx::mapNodes(argument, [&](fx::NodeId id) -> fx::Argument {
      const auto found = chosen.find(id);
      return found == chosen.end() ? id : found->second;
    });
  };
  for (fx::Node& node : out->nodes)
    for (fx::NodeArgument& argument : node.args) argument.value = renamed(argument.value);
  for (fx::OutputSpec& output : out->outputs) output.value = renamed(output.value);
  return out;
}

fx::ProgramPtr onCpu(const fx::ProgramPtr& program) {
  auto out = std::make_shared<fx::Program>(*program);
  bool moved = false;
  for (fx::Node& node : out->nodes) {
    moved = moveToCpu(node.val) || moved;
    for (fx::NodeArgument& argument : node.args) moved = moveToCpu(argument.value) || moved;
  }
  return moved ? out : program;
}

fx::ProgramPtr withAtenViews(const fx::ProgramPtr& program) {
  auto out = std::make_shared<fx::Program>(*program);
  bool changed = false;
  for (fx::Node& node : out->nodes) {
    if (node.op != fx::NodeOp::CallFunction || node.target != "prims.squeeze.default" || node.args.size() != 2) continue;
    node.target = "aten.squeeze.dims";
    node.args[0].name = "self";
    node.args[1].name = "dim";
    changed = true;
  }
  return changed ? out : program;
}

WeightsWithoutValues weightsWithoutValues(const fx::Program& program) {
  WeightsWithoutValues out;
  for (const fx::InputSpec& spec : program.inputs) {
    const fx::Weight* weight = spec.target.empty() ? nullptr : program.findWeight(spec.target);
    if (weight == nullptr || weight->readable) continue;
    if (out.nodes.empty()) out.whyNot = weight->whyNot;
    out.nodes.push_back(program.originOf(program.node(spec.node)).id);
  }
  return out;
}

}  // namespace fxs::session
