#include "registry/tosa/takes.h"

#include "registry/tosa/numbers.h"

namespace fxs::registry::tosa {
namespace {

std::optional<Refusal> refusalOf(DType dtype, const Takes& takes) {
  const std::string name(facts(dtype).torchName);
  if (isUnsigned(dtype) && !takes.unsignedElements) return Refusal{"elements of type " + name + " would be taken as signed"};
  const bool isHeld =
      isWhole(dtype) || dtype == DType::Float16 || dtype == DType::BFloat16 || dtype == DType::Float32 || dtype == DType::Float64;
  if (!isHeld) return Refusal{"TOSA has no elements of type " + name};
  return std::nullopt;
}

std::optional<Refusal> refusalOf(const fx::Value& value, const Takes& takes) {
  if (const fx::ValueList* parts = value.list()) {
    for (const fx::Value& part : *parts)
      if (auto refusal = refusalOf(part, takes)) return refusal;
    return std::nullopt;
  }
  const fx::TensorMeta* meta = value.tensor();
  if (meta == nullptr) return std::nullopt;
  return refusalOf(meta->dtype, takes);
}

std::optional<Refusal> refusalOf(const Call& call, const Takes& takes) {
  std::optional<Refusal> out = refusalOf(call.node().val, takes);
  const auto look = [&](fx::NodeId id) {
    const fx::Value& value = call.program().node(id).val;
    if (!out) out = refusalOf(value, takes);  // a list is looked at part by part
    const fx::TensorMeta* meta = value.tensor();
    if (out || takes.emptyTensors || meta == nullptr) return;
    for (const fx::SymInt& size : meta->sizes)
      if (size.isStatic() && size.value() == 0) out = Refusal{"TOSA has no tensors without elements (" + meta->text() + ")"};
  };
  for (const fx::NodeArgument& argument : call.node().args) fx::forEachNode(argument.value, look);
  return out;
}

}  // namespace

void addTosa(Registries& registries, std::string_view opClass, Handler handler, Takes takes) {
  registries.add("tosa", opClass, [handler, takes](Call& call) -> Handled {
    if (auto refusal = refusalOf(call, takes)) return tl::unexpected<Refusal>(*std::move(refusal));
    return handler(call);
  });
}

}  // namespace fxs::registry::tosa
