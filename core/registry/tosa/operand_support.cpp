// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/tosa/operand_support.h"

#include "registry/numbers.h"

namespace fxs::registry::tosa {
namespace {

std::optional<Refusal> refusalOf(DType dtype, const OperandSupport& support) {
  const std::string name(facts(dtype).torchName);
  if (isUnsigned(dtype) && !support.unsignedElements)
    return Refusal{"elements of type " + name + " would be treated as signed"};
  const bool isHeld = isIntegerOrBool(dtype) || dtype == DType::Float16 ||
                      dtype == DType::BFloat16 || dtype == DType::Float32 ||
                      dtype == DType::Float64;
  if (!isHeld) return Refusal{"TOSA does not support element type " + name};
  return std::nullopt;
}

std::optional<Refusal> refusalOf(const fx::Value& value, const OperandSupport& support) {
  if (const fx::ValueList* parts = value.list()) {
    for (const fx::Value& part : *parts)
      if (auto refusal = refusalOf(part, support)) return refusal;
    return std::nullopt;
  }
  const fx::TensorMeta* meta = value.tensor();
  if (meta == nullptr) return std::nullopt;
  return refusalOf(meta->dtype, support);
}

std::optional<Refusal> refusalOf(const Call& call, const OperandSupport& support) {
  std::optional<Refusal> out = refusalOf(call.node().val, support);
  const auto look = [&](fx::NodeId id) {
    const fx::Value& value = call.program().node(id).val;
    if (!out) out = refusalOf(value, support);  // for lists, checks every part
    const fx::TensorMeta* meta = value.tensor();
    if (out || support.emptyTensors || meta == nullptr) return;
    for (const fx::SymInt& size : meta->sizes)
      if (size.isStatic() && size.value() == 0)
        out = Refusal{"TOSA does not support empty tensors (" + meta->text() + ")"};
  };
  for (const fx::NodeArgument& argument : call.node().args) fx::forEachNode(argument.value, look);
  return out;
}

}  // namespace

void addTosa(Registries& registries, std::initializer_list<std::string_view> opClasses,
             const Handler& handler, OperandSupport support) {
  registries.add("tosa", opClasses, [handler, support](Call& call) -> Handled {
    if (auto refusal = refusalOf(call, support))
      return tl::unexpected<Refusal>(*std::move(refusal));
    return handler(call);
  });
}

}  // namespace fxs::registry::tosa
