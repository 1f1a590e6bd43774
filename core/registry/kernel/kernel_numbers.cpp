// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/kernel/kernel_numbers.h"

#include <algorithm>
#include <array>

#include "ops/schema.h"

namespace fxs::registry {
namespace {

struct SameOperator {
  std::string_view helion, pytorch, approximate;
};
constexpr std::array kSameOperators{
    SameOperator{"helion.language._gelu_tanh_approx._gelu_erf", "aten.gelu.default", "none"},
    SameOperator{"helion.language._gelu_tanh_approx._gelu_tanh_approx", "aten.gelu.default",
                 "tanh"},
};

/// The symbol of a number that is known at run time only.
const fx::SymValue* runTimeNumber(const fx::Value& val) {
  const fx::SymValue* symbol = val.symbol();
  return symbol != nullptr && symbol->expr ? symbol : nullptr;
}

/// 0 of bool, 1 of integers, 2 of floating types: a number of a higher category changes the type
/// that PyTorch computes in.
int categoryOf(DType dtype) {
  if (dtype == DType::Bool) return 0;
  return isFloating(dtype) ? 2 : 1;
}
DType dtypeOf(fx::SymKind kind) {
  if (kind == fx::SymKind::Int) return DType::Int64;
  return kind == fx::SymKind::Float ? DType::Float64 : DType::Bool;
}

/// The overload that takes a tensor for the number `argument`, and otherwise the same.
const ops::Schema* overloadOnTensors(const ops::Schema& from, std::string_view argument) {
  for (const std::string_view overload : {"Tensor", "Tensor_Tensor"}) {
    const ops::Schema* to = ops::SchemaTable::builtin().find(
        std::string(from.ns) + "." + std::string(from.packet) + "." + std::string(overload));
    if (to == nullptr || to->arguments.size() != from.arguments.size()) continue;
    bool isSame = true;
    for (std::size_t i = 0; i < to->arguments.size(); ++i) {
      const ops::SchemaArgument &a = from.arguments[i], &b = to->arguments[i];
      isSame &= a.name == b.name &&
                (a.name == argument ? b.type.isTensor() : a.type.spelling == b.type.spelling);
    }
    if (isSame) return to;
  }
  return nullptr;
}

/// Takes the form on tensors if one number of the node is known at run time only.
void takeOverload(fx::Program& program, fx::Node& node) {
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  if (schema == nullptr || node.args.empty()) return;
  const fx::NodeId* self = node.args.front().value.node();
  const fx::TensorMeta* meta = self != nullptr ? program.node(*self).val.tensor() : nullptr;
  for (const fx::NodeArgument& each : node.args) {
    const ops::SchemaArgument* formal = schema->find(each.name);
    const fx::NodeId* id = each.value.node();
    const fx::SymValue* number = id != nullptr ? runTimeNumber(program.node(*id).val) : nullptr;
    if (number == nullptr || formal == nullptr || formal->type.spelling.find("Scalar") != 0)
      continue;
    const ops::Schema* to = overloadOnTensors(*schema, each.name);
    if (to == nullptr || meta == nullptr ||
        categoryOf(meta->dtype) < categoryOf(dtypeOf(number->kind)))
      return;
    node.target = to->fxName();
    return;
  }
}

/// aten.scalar_tensor(x) of a number that is known at run time only is a conversion of it.
void takeScalarTensor(const fx::Program& program, fx::Node& node) {
  const fx::TensorMeta* meta = node.val.tensor();
  if (node.target != "aten.scalar_tensor.default" || meta == nullptr || node.args.empty()) return;
  const fx::NodeId* id = node.args.front().value.node();
  if (id == nullptr || runTimeNumber(program.node(*id).val) == nullptr) return;
  const fx::NodeId of = *id;
  node.target = "prims.convert_element_type.default";
  node.args.clear();
  node.args.push_back({"a", of});
  node.args.push_back({"dtype", meta->dtype});
}

/// Whether an operator of this target reads numbers that are tensors of rank 0.
bool readsEither(const std::string& target) {
  return target.starts_with("_operator.") || target.starts_with("helion.language.");
}

}  // namespace

void usePyTorchOperators(fx::Program& program) {
  for (fx::Node& node : program.nodes) {
    const auto same =
        std::find_if(kSameOperators.begin(), kSameOperators.end(),
                     [&](const SameOperator& each) { return each.helion == node.target; });
    if (same == kSameOperators.end() || node.args.size() != 1) continue;
    node.target = same->pytorch;
    node.args.front().name = "self";
    node.args.push_back({"approximate", std::string(same->approximate)});
  }
}

void useTensorsForNumbers(fx::Program& program) {
  for (fx::Node& node : program.nodes) takeScalarTensor(program, node);
  for (fx::Node& node : program.nodes) takeOverload(program, node);
  std::vector<char> asTensor(program.nodes.size(), 0), otherwise(program.nodes.size(), 0);
  for (const fx::Node& node : program.nodes) {
    const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
    for (const fx::NodeArgument& argument : node.args) {
      const ops::SchemaArgument* formal = schema != nullptr ? schema->find(argument.name) : nullptr;
      const fx::NodeId* id = argument.value.node();
      const bool isTensor = id != nullptr && formal != nullptr && formal->type.isTensor();
      if (!isTensor && readsEither(node.target)) continue;
      fx::forEachNode(argument.value, [&](fx::NodeId each) {
        (isTensor ? asTensor : otherwise)[each.index()] = 1;
      });
    }
  }
  for (fx::Node& node : program.nodes) {
    const fx::SymValue* number = runTimeNumber(node.val);
    if (number == nullptr || asTensor[node.id.index()] == 0 || otherwise[node.id.index()] != 0)
      continue;
    fx::TensorMeta meta;
    meta.dtype = dtypeOf(number->kind);
    node.val = std::move(meta);
  }
}

}  // namespace fxs::registry
