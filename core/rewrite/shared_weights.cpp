#include "rewrite/shared_weights.h"

#include <map>
#include <string_view>
#include <utility>

namespace fxs::rewrite {
namespace {

bool sameLayout(const fx::Weight& a, const fx::Weight& b) {
  return a.dtype == b.dtype && a.sizes == b.sizes && a.strides == b.strides && a.storageOffset == b.storageOffset;
}

}  // namespace

SharedWeights::SharedWeights(const fx::Program& program) {
  std::unordered_map<std::string_view, const fx::Weight*> byName;
  for (const fx::Weight& weight : program.weights) byName.emplace(weight.fqn, &weight);
  std::map<std::string_view, std::vector<Input>> byFile;
  for (const fx::InputSpec& input : program.inputs) {
    const auto weight = byName.find(input.target);
    // Weights saved without data all refer to one empty file.
    if (input.target.empty() || weight == byName.end() || weight->second->file.empty() || weight->second->fileBytes == 0) continue;
    byFile[weight->second->file].push_back({input.node, weight->second, input.kind == fx::InputKind::ConstantTensor});
  }
  for (auto& [file, inputs] : byFile) {
    if (inputs.size() < 2) continue;
    for (const Input& input : inputs) group_.emplace(input.node, groups_.size());
    groups_.push_back(std::move(inputs));
  }
}

const std::vector<SharedWeights::Input>* SharedWeights::groupOf(fx::NodeId placeholder) const {
  const auto group = group_.find(placeholder);
  return group == group_.end() ? nullptr : &groups_[group->second];
}

std::vector<fx::NodeId> SharedWeights::sameAs(fx::NodeId placeholder) const {
  std::vector<fx::NodeId> same;
  if (const std::vector<Input>* group = groupOf(placeholder))
    for (const Input& input : *group)
      if (input.node != placeholder) same.push_back(input.node);
  return same;
}

fx::NodeId SharedWeights::overlaps(fx::NodeId placeholder) const {
  const std::vector<Input>* group = groupOf(placeholder);
  if (!group) return {};
  for (const Input& a : *group)
    if (!sameLayout(*a.weight, *group->front().weight)) return a.node != placeholder ? a.node : group->front().node;
  return {};
}

bool SharedWeights::standsForAll(fx::NodeId placeholder) const {
  const std::vector<Input>* group = groupOf(placeholder);
  if (!group) return true;
  const Input* chosen = &group->front();
  for (const Input& input : *group)
    if (chosen->isConstant && !input.isConstant) chosen = &input;
  return chosen->node == placeholder;
}

}  // namespace fxs::rewrite
