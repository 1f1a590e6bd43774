// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// val: turns the recorded results of a node into fake tensors and symbolic numbers.
#include "normalize/rule.h"
#include "normalize/value_text.h"
#include "ops/schema.h"

namespace fxs::normalize {
namespace {

bool isListResult(const fx::Node& node) {
  if (node.op != fx::NodeOp::CallFunction) return false;
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  return schema && schema->returns.size() == 1 && schema->returns[0].type.isList();
}

/// What a fake tensor cannot keep.
std::string lost(const Values& values, const fx::Node& node, const fx::Value& part) {
  const fx::TensorMeta* tensor = part.tensor();
  if (!tensor) return "";
  if (tensor->kind == fx::TensorKind::Concrete)
    return "shape, dtype and stride are kept, the data is dropped";
  if (tensor->kind == fx::TensorKind::Meta) return "a meta tensor whose device is unknown";
  if (tensor->kind != fx::TensorKind::Subclass) return "";
  const std::optional<std::string_view> said = values.program().meta(node, "val_text");
  return (said ? std::string(*said) : std::string("a tensor subclass")) +
         ", whose shape, dtype and stride are kept";
}

void normalizeFakeTensor(const Values& values, const fx::Node& node, NodeMetadata& out,
                         std::vector<MetadataChange>& changes) {
  const bool hasResult = node.op != fx::NodeOp::Output && !node.subgraph.valid();
  if (!hasResult) return;
  if (std::holds_alternative<fx::NoneValue>(out.val)) return;
  if (values.inferred(node.id)) return;  // reported by the rule that inferred it
  if (const fx::ValueList* list = out.val.list()) {
    // The parts one by one; a Tensor[] result is a list, several results are a tuple.
    changes.push_back({"val", std::to_string(list->size()) + " values",
                       isListResult(node) ? "a list of " + std::to_string(list->size())
                                          : "a tuple of " + std::to_string(list->size()),
                       "", ""});
    forEachPart(node.val, [&](const std::string& position, const fx::Value& part) {
      changes.push_back({"val" + position, asFound(part), asFake(part), "",
                         std::holds_alternative<fx::Unknown>(part)
                             ? "the file does not list this element, which is unused"
                             : lost(values, node, part)});
    });
    return;
  }
  const bool isUnknown = std::holds_alternative<fx::Unknown>(out.val);
  if (isUnknown && node.target == fx::kGetitem)
    return;  // reported by tuple-element, or its tuple is unknown too
  changes.push_back(
      {"val", asFound(node.val), asFake(out.val), "",
       isUnknown ? "the file has no value for this node" : lost(values, node, node.val)});
}

}  // namespace

void registerFakeTensor(NormalizeRules& rules) {
  rules.add({"fake-tensor",
             "the importer derives types from fake tensors: dtype, shape, stride, device and "
             "layout, without data",
             20, normalizeFakeTensor});
}

}  // namespace fxs::normalize
