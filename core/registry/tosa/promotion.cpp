#include "registry/tosa/promotion.h"

#include <algorithm>
#include <array>

#include "registry/tosa/numbers.h"

namespace fxs::registry::tosa {
namespace {

int category(DType dtype) { return dtype == DType::Bool ? 0 : isIntegral(dtype) ? 1 : isComplex(dtype) ? 3 : 2; }

DType numberDtype(const fx::Argument& argument) {
  if (std::holds_alternative<bool>(argument)) return DType::Bool;
  return argument.integer() != nullptr ? DType::Int64 : DType::Float32;
}

}  // namespace

DType promoted(DType a, DType b) {
  if (a == b || b == DType::Unknown) return a;
  if (a == DType::Unknown) return b;
  if (category(a) != category(b)) return category(a) > category(b) ? a : b;
  if (isFloating(a)) return facts(a).bytes == facts(b).bytes ? DType::Float32 : facts(a).bytes > facts(b).bytes ? a : b;
  if (isUnsigned(a) == isUnsigned(b)) return facts(a).bytes > facts(b).bytes ? a : b;
  const DType signedOne = isUnsigned(a) ? b : a;
  const DType unsignedOne = isUnsigned(a) ? a : b;
  if (facts(signedOne).bytes > facts(unsignedOne).bytes) return signedOne;
  return facts(unsignedOne).bytes == 1 ? DType::Int16 : facts(unsignedOne).bytes == 2 ? DType::Int32 : DType::Int64;
}

DType commonDtype(const Call& call, std::initializer_list<std::string_view> names) {
  std::array<DType, 3> byWeight{DType::Unknown, DType::Unknown, DType::Unknown};  // tensors, 0-d tensors, numbers
  for (const std::string_view name : names) {
    const fx::Argument argument = call.argument(name);
    if (argument.isNone()) continue;
    const fx::NodeId* id = argument.node();
    const fx::TensorMeta* meta = id != nullptr ? call.program().node(*id).val.tensor() : nullptr;
    const std::size_t weight = meta == nullptr ? 2 : meta->rank() == 0 ? 1 : 0;
    byWeight[weight] = promoted(byWeight[weight], meta == nullptr ? numberDtype(argument) : meta->dtype);
  }
  DType out = DType::Unknown;
  for (const DType lighter : byWeight) {
    if (lighter == DType::Unknown) continue;
    if (out == DType::Unknown) out = lighter;
    else if (category(lighter) > category(out)) out = promoted(out, lighter);
  }
  return out;
}

}  // namespace fxs::registry::tosa
