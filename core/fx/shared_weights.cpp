// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/shared_weights.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace fxs::fx {
namespace {

bool sameLayout(const Weight& a, const Weight& b) {
  return a.dtype == b.dtype && a.sizes == b.sizes && a.strides == b.strides &&
         a.storageOffset == b.storageOffset;
}

__extension__ typedef __int128 Position;

/// The bytes of the storage from the first to the last that a weight views: [begin, end).
std::pair<Position, Position> extentOf(const Weight& weight) {
  Position first = weight.storageOffset, last = first;
  for (std::size_t i = 0; i < weight.sizes.size() && i < weight.strides.size(); ++i) {
    if (weight.sizes[i] <= 0) return {0, 0};
    const Position reach = static_cast<Position>(weight.sizes[i] - 1) * weight.strides[i];
    (reach < 0 ? first : last) += reach;
  }
  const Position width = std::max(facts(weight.dtype).bytes, 1);
  return {first * width, (last + 1) * width};
}

}  // namespace

bool isInUnreadFile(const Weight& weight) {
  return !weight.readable && weight.fileBytes > 0 && weight.file.ends_with(".pt");
}

std::string storedView(const Weight& weight) {
  if (weight.file.empty() || weight.fileBytes == 0 || isInUnreadFile(weight)) return {};
  std::string out = weight.file + '|' + std::to_string(static_cast<int>(weight.dtype)) + '|' +
                    std::to_string(weight.storageOffset);
  for (const std::int64_t size : weight.sizes) out += ',' + std::to_string(size);
  out += '|';
  for (const std::int64_t stride : weight.strides) out += ',' + std::to_string(stride);
  return out;
}

SharedWeights::SharedWeights(const Program& program) {
  std::unordered_map<std::string_view, const Weight*> byName;
  for (const Weight& weight : program.weights) byName.emplace(weight.fqn, &weight);
  std::map<std::string_view, std::vector<Input>> byFile;
  for (const InputSpec& input : program.inputs) {
    const auto weight = byName.find(input.target);
    if (input.target.empty() || weight == byName.end()) continue;
    if (isInUnreadFile(*weight->second)) {
      unread_[weight->second->file].push_back(input.node);
      unreadFile_.emplace(input.node, weight->second->file);
      continue;
    }
    // Weights saved without data all refer to one empty file.
    if (weight->second->file.empty() || weight->second->fileBytes == 0) continue;
    byFile[weight->second->file].push_back(
        {input.node, weight->second, input.kind == InputKind::ConstantTensor});
  }
  for (auto& [file, inputs] : byFile)
    if (inputs.size() > 1) addStorage(std::move(inputs));
}

void SharedWeights::addStorage(std::vector<Input> inputs) {
  std::map<NodeId, std::size_t> order;
  for (const Input& input : inputs) order.emplace(input.node, order.size());
  std::stable_sort(inputs.begin(), inputs.end(), [](const Input& a, const Input& b) {
    return extentOf(*a.weight).first < extentOf(*b.weight).first;
  });
  std::vector<Input> group;
  const auto finish = [&] {
    // In the order of the program.
    std::sort(group.begin(), group.end(),
              [&](const Input& a, const Input& b) { return order[a.node] < order[b.node]; });
    if (group.size() > 1) {
      for (const Input& input : group) group_.emplace(input.node, groups_.size());
      groups_.push_back(group);
    }
    group.clear();
  };
  Position end = 0;
  for (const Input& input : inputs) {
    const auto [begin, past] = extentOf(*input.weight);
    if (begin == past) continue;  // without elements
    if (!group.empty() && begin >= end) finish();
    end = group.empty() ? past : std::max(end, past);
    group.push_back(input);
  }
  finish();
}

const std::vector<SharedWeights::Input>* SharedWeights::groupOf(NodeId placeholder) const {
  const auto group = group_.find(placeholder);
  return group == group_.end() ? nullptr : &groups_[group->second];
}

std::vector<NodeId> SharedWeights::sameAs(NodeId placeholder) const {
  std::vector<NodeId> same;
  if (const std::vector<Input>* group = groupOf(placeholder))
    for (const Input& input : *group)
      if (input.node != placeholder) same.push_back(input.node);
  return same;
}

NodeId SharedWeights::overlaps(NodeId placeholder) const {
  const std::vector<Input>* group = groupOf(placeholder);
  if (!group) return {};
  for (const Input& a : *group)
    if (!sameLayout(*a.weight, *group->front().weight))
      return a.node != placeholder ? a.node : group->front().node;
  return {};
}

bool SharedWeights::standsForAll(NodeId placeholder) const {
  const std::vector<Input>* group = groupOf(placeholder);
  if (!group) return true;
  const Input* chosen = &group->front();
  for (const Input& input : *group)
    if (chosen->isConstant && !input.isConstant) chosen = &input;
  return chosen->node == placeholder;
}

std::vector<NodeId> SharedWeights::mayShareWith(NodeId placeholder) const {
  const auto file = unreadFile_.find(placeholder);
  if (file == unreadFile_.end()) return {};
  std::vector<NodeId> others = unread_.at(file->second);
  std::erase(others, placeholder);
  return others;
}

}  // namespace fxs::fx
