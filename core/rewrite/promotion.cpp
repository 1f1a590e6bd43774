#include "rewrite/promotion.h"

#include <algorithm>
#include <array>

namespace fxs::rewrite {
namespace {

int category(DType t) {
  if (t == DType::Bool) return 0;
  if (isIntegral(t)) return 1;
  if (isFloating(t)) return 2;
  return isComplex(t) ? 3 : 4;
}

DType realPart(DType t) {
  if (t == DType::Complex32) return DType::Float16;
  if (t == DType::Complex64) return DType::Float32;
  if (t == DType::Complex128) return DType::Float64;
  return t;
}

DType complexOf(DType t) {
  if (t == DType::Float64) return DType::Complex128;
  return t == DType::Float16 ? DType::Complex32 : DType::Complex64;
}

DType promoteIntegers(DType a, DType b) {
  const bool unsignedA = a == DType::UInt8, unsignedB = b == DType::UInt8;
  if (unsignedA != unsignedB) {
    const DType other = unsignedA ? b : a;
    return other == DType::Int8 ? DType::Int16 : other;
  }
  return facts(a).bytes >= facts(b).bytes ? a : b;
}

DType promoteFloats(DType a, DType b) {
  const bool differ = a != b, halves = facts(a).bytes == facts(b).bytes && facts(a).bytes == 2;
  if (differ && halves) return DType::Float32;
  return facts(a).bytes >= facts(b).bytes ? a : b;
}

}  // namespace

DType promoteTypes(DType a, DType b) {
  if (a == b) return a;
  const int ca = category(a), cb = category(b);
  if (ca == 3 || cb == 3) {
    if (ca < 2) return b;
    if (cb < 2) return a;
    return complexOf(promoteFloats(realPart(a), realPart(b)));
  }
  if (ca != cb) return ca > cb ? a : b;
  return ca == 2 ? promoteFloats(a, b) : promoteIntegers(a, b);
}

DType resultType(const std::vector<TypedOperand>& operands) {
  std::array<std::optional<DType>, 3> byWeight;
  for (const TypedOperand& operand : operands) {
    auto& slot = byWeight[static_cast<std::size_t>(operand.weight)];
    slot = slot ? promoteTypes(*slot, operand.dtype) : operand.dtype;
  }
  std::optional<DType> result = byWeight[2];
  for (const std::size_t lighter : {std::size_t{1}, std::size_t{0}}) {
    if (!byWeight[lighter]) continue;
    if (!result) result = byWeight[lighter];
    else if (category(*byWeight[lighter]) > category(*result)) {
      // A number has no width of its own: it takes the default of its category.
      const bool complexNumber = lighter == 0 && category(*byWeight[lighter]) == 3;
      result = complexNumber && category(*result) == 2 ? complexOf(*result) : *byWeight[lighter];
    }
  }
  return result.value_or(DType::Unknown);
}

DType floatTypeOf(DType t) { return isFloating(t) || isComplex(t) ? t : DType::Float32; }

DType computeTypeOf(DType t) { return t == DType::Float16 || t == DType::BFloat16 ? DType::Float32 : t; }

std::vector<fx::SymInt> broadcastSizes(const std::vector<fx::SymInt>& a, const std::vector<fx::SymInt>& b) {
  const std::vector<fx::SymInt>& longer = a.size() >= b.size() ? a : b;
  const std::vector<fx::SymInt>& shorter = a.size() >= b.size() ? b : a;
  std::vector<fx::SymInt> out = longer;
  const std::size_t offset = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    fx::SymInt& size = out[offset + i];
    const bool one = size.isStatic() && size.value() == 1;
    // A static size beside a symbolic one is what the symbolic one must be.
    const bool settles = !size.isStatic() && shorter[i].isStatic() && shorter[i].value() != 1;
    if (one || settles) size = shorter[i];
  }
  return out;
}

std::optional<std::size_t> wrapDim(std::int64_t dim, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(std::max<std::size_t>(rank, 1));
  if (dim < -count || dim >= count) return std::nullopt;
  return static_cast<std::size_t>(dim < 0 ? dim + count : dim);
}

}  // namespace fxs::rewrite
