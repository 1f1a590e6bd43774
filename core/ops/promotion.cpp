// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ops/promotion.h"

#include <array>

namespace fxs::ops {

DType realType(DType t) {
  switch (t) {
    case DType::Complex32: return DType::Float16;
    case DType::Complex64: return DType::Float32;
    case DType::Complex128: return DType::Float64;
    default: return t;
  }
}

namespace {

bool isFloat8(DType t) { return isFloating(t) && facts(t).bytes == 1; }
/// c10 calls them barebones unsigned types.
bool isWideUnsigned(DType t) {
  return t == DType::UInt16 || t == DType::UInt32 || t == DType::UInt64;
}
bool isIntegralOrBool(DType t) { return isIntegral(t) || t == DType::Bool; }

/// c10::toComplexType, of a floating type.
std::optional<DType> complexType(DType t) {
  switch (t) {
    case DType::Float16: return DType::Complex32;
    case DType::Float32:
    case DType::BFloat16: return DType::Complex64;
    case DType::Float64: return DType::Complex128;
    default: return std::nullopt;
  }
}

DType wider(DType a, DType b) { return facts(a).bytes >= facts(b).bytes ? a : b; }

DType promoteFloats(DType a, DType b) {
  const bool halves = a != b && facts(a).bytes == facts(b).bytes;
  return halves ? DType::Float32 : wider(a, b);
}

DType promoteIntegers(DType a, DType b) {
  const bool signs =
      (a == DType::UInt8 && b == DType::Int8) || (a == DType::Int8 && b == DType::UInt8);
  if (signs) return DType::Int16;
  if (facts(a).bytes == facts(b).bytes)
    return a == DType::Bool ? b : a;  // bool with an integer of 8 bits
  return wider(a, b);
}

/// combine_categories of TypeProperties.cpp: `lower` has lower priority.
std::optional<DType> combined(DType higher, DType lower) {
  if (isComplex(higher)) return higher;
  if (isFloating(higher)) return isComplex(lower) ? complexType(higher) : higher;
  if (isComplex(lower)) return lower;
  return higher == DType::Bool || isFloating(lower) ? promoteTypes(higher, lower) : higher;
}

DType typeOfNumber(DType t) {
  if (isFloating(t)) return DType::Float32;
  if (isComplex(t)) return DType::Complex64;
  return isIntegral(t) ? DType::Int64 : t;
}

}  // namespace

std::optional<DType> promoteTypes(DType a, DType b) {
  if (a == DType::Unknown || b == DType::Unknown) return std::nullopt;
  if (a == b) return a;
  if (isFloat8(a) || isFloat8(b)) return std::nullopt;
  if (isWideUnsigned(a) || isWideUnsigned(b)) {
    if (isFloating(a)) return a;
    return isFloating(b) ? std::optional(b) : std::nullopt;
  }
  if (isIntegralOrBool(a) != isIntegralOrBool(b)) return isIntegralOrBool(a) ? b : a;
  if (isIntegralOrBool(a)) return promoteIntegers(a, b);
  const DType real = promoteFloats(realType(a), realType(b));
  return isComplex(a) || isComplex(b) ? complexType(real) : real;
}

std::optional<DType> resultType(const std::vector<TypedOperand>& operands) {
  std::array<std::optional<DType>, 3> byKind;
  for (const TypedOperand& operand : operands) {
    const DType dtype =
        operand.kind == OperandKind::Number ? typeOfNumber(operand.dtype) : operand.dtype;
    std::optional<DType>& slot = byKind[static_cast<std::size_t>(operand.kind)];
    slot = promoteTypes(slot.value_or(dtype), dtype);
    if (!slot) return std::nullopt;
  }
  std::optional<DType> out;
  for (const std::optional<DType>& dtype : byKind) {  // numbers first
    if (!dtype) continue;
    out = out ? combined(*dtype, *out) : dtype;
    if (!out) return std::nullopt;
  }
  return out;
}

DType integerToFloat(DType dtype) { return isIntegralOrBool(dtype) ? DType::Float32 : dtype; }

DType computationType(DType dtype) {
  if (dtype == DType::Float16 || dtype == DType::BFloat16) return DType::Float32;
  return dtype == DType::Complex32 ? DType::Complex64 : dtype;
}

}  // namespace fxs::ops
