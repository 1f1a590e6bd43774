// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "normalize/values.h"

#include <set>
#include <vector>

#include "fx/cost.h"
#include "normalize/tensor_meta_text.h"
#include "ops/shapes.h"

namespace fxs::normalize {
namespace {

constexpr std::uint64_t kCharactersOfMeta = 4, kCostOfInferred = 10;

bool isUnknown(const fx::Value& value) { return std::holds_alternative<fx::Unknown>(value); }

std::optional<Inferred> partOfTuple(const Values& values, const fx::Node& node) {
  if (node.target != fx::kGetitem || node.args.size() != 2) return std::nullopt;
  const fx::NodeId* of = node.args[0].value.node();
  const std::int64_t* index = node.args[1].value.integer();
  const fx::ValueList* parts = of && index ? values.of(*of).list() : nullptr;
  if (!parts) return std::nullopt;
  const std::optional<std::size_t> at = ops::wrapIndex(*index, parts->size());
  if (!at || isUnknown((*parts)[*at])) return std::nullopt;
  return Inferred{(*parts)[*at], "tuple-element",
                  "an element of a tuple has the value recorded in the tuple"};
}

/// The value from tensor_meta, the record of shape propagation.
std::optional<Inferred> fromTensorMeta(const fx::Program& program, const fx::Node& node) {
  const auto text = program.meta(node, "tensor_meta");
  if (!text) return std::nullopt;
  fx::Value val = valueOfTensorMeta(*text);
  if (isUnknown(val)) return std::nullopt;
  return Inferred{
      std::move(val), "inferred-val",
      "tensor_meta has its shape, dtype and stride; the device is assumed to be the CPU"};
}

std::optional<Inferred> fromWeight(const fx::Weight* weight) {
  if (!weight || weight->dtype == DType::Unknown || weight->sizes.size() != weight->strides.size())
    return std::nullopt;
  fx::TensorMeta meta;
  meta.dtype = weight->dtype;
  meta.sizes.assign(weight->sizes.begin(), weight->sizes.end());
  meta.strides.assign(weight->strides.begin(), weight->strides.end());
  meta.storageOffset = weight->storageOffset;
  meta.requiresGrad = weight->isParameter;
  meta.device.type = "cpu";
  meta.kind = fx::TensorKind::Fake;
  return Inferred{std::move(meta), "inferred-val",
                  "it reads the stored tensor '" + weight->fqn + "'"};
}

}  // namespace

void Values::infer(const fx::Node& node) {
  if (!isUnknown(node.val) || node.subgraph.valid()) return;
  // Comparing and broadcasting take time proportional to the operands' sizes.
  std::uint64_t cost = 1;
  for (const fx::NodeArgument& argument : node.args)
    if (const fx::NodeId* operand = argument.value.node(); operand && !of(*operand).list())
      cost += fx::costOf(of(*operand));
  if (const auto text = program_.meta(node, "tensor_meta"))
    cost += text->size() / kCharactersOfMeta;
  context_.spend(Resource::Values, cost, node.name);
  std::optional<Inferred> found = partOfTuple(*this, node);
  if (!found) found = fromTensorMeta(program_, node);
  if (!found && node.op == fx::NodeOp::GetAttr)
    found = fromWeight(weight(program_.meta(node, "attribute").value_or(node.target)));
  if (!found && node.op == fx::NodeOp::CallFunction) found = inferredByOperator(*this, node);
  if (!found) return;
  context_.spend(Resource::Values, kCostOfInferred + fx::costOf(found->val), node.name);
  inferred_.insert_or_assign(node.id, *std::move(found));
}

const fx::Weight* Values::weight(std::string_view fqn) {
  if (weights_.empty())
    for (const fx::Weight& each : program_.weights) weights_.emplace(each.fqn, &each);
  const auto found = weights_.find(fqn);
  return found == weights_.end() ? nullptr : found->second;
}

void Values::inferAll() {
  for (const fx::Node& node : program_.nodes) infer(node);
}

void Values::inferFor(const fx::Node& node) {
  std::set<fx::NodeId> needed;
  std::vector<fx::NodeId> pending{node.id};
  while (!pending.empty()) {
    const fx::NodeId id = pending.back();
    pending.pop_back();
    if (!isUnknown(program_.node(id).val) || !needed.insert(id).second) continue;
    for (const fx::NodeArgument& a : program_.node(id).args)
      fx::forEachNode(a.value, [&](fx::NodeId used) { pending.push_back(used); });
  }
  for (const fx::NodeId id : needed) infer(program_.node(id));  // operands precede their users
}

}  // namespace fxs::normalize
