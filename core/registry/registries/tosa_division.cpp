// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding division, and remainders.
#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"

namespace fxs::registry {
namespace {
using namespace tosa;

struct Quotient {
  Value a, b;
  DType dtype, computed;
};

std::string_view remainderOp(DType dtype) {
  if (isFloating(dtype)) return "arith.remf";
  return isUnsigned(dtype) ? "arith.remui" : "arith.remsi";
}

/// The remainder with the sign of the dividend.
Value leftOver(OpBuilder& emit, const Quotient& q) {
  return tensorOp(emit, remainderOp(q.computed), {q.a, q.b});
}

/// True if the remainder and the divisor have different signs, so that the quotient was not rounded
/// down.
Value isRoundedUp(OpBuilder& emit, const Quotient& q, const Value& left) {
  const Value zero = number(emit, left, numberOf(std::int64_t{0}, q.computed));
  const Value signs = binary(emit, "tosa.logical_xor", compare(emit, "lt", left, zero),
                             compare(emit, "lt", q.b, zero));
  return binary(emit, "tosa.logical_and", compare(emit, "ne", left, zero), signs);
}

/// The remainder with the sign of the divisor, like Python's %.
Value modulo(OpBuilder& emit, const Quotient& q) {
  Value left = leftOver(emit, q);
  if (isUnsigned(q.dtype)) return left;
  return select(emit, isRoundedUp(emit, q, left), add(emit, left, q.b), left);
}

/// Python's //, computed from the remainder as in PyTorch, so that 1.0 // 0.1 is 9.
Value floorQuotient(OpBuilder& emit, const Quotient& q) {
  if (isUnsigned(q.dtype)) return tensorOp(emit, "arith.divui", {q.a, q.b});
  if (isIntegral(q.dtype)) return tensorOp(emit, "arith.floordivsi", {q.a, q.b});
  const Value left = leftOver(emit, q);
  const Value exact = divide(emit, sub(emit, q.a, left), q.b);
  const Value one = number(emit, exact, 1.0);
  const Value zero = number(emit, exact, 0.0);
  const Value lowered = select(emit, isRoundedUp(emit, q, left), sub(emit, exact, one), exact);
  const Value floor = unary(emit, "tosa.floor", lowered);
  const Value isFar = compare(emit, "gt", sub(emit, lowered, floor), number(emit, exact, 0.5));
  const Value nearest = select(emit, isFar, add(emit, floor, one), floor);
  const Value plain = divide(emit, q.a, q.b);
  const Value nothing = tensorOp(emit, "math.copysign", {zero, plain});
  const Value result = select(emit, compare(emit, "ne", lowered, zero), nearest, nothing);
  return select(emit, compare(emit, "eq", q.b, zero), plain, result);
}

Value truncatedQuotient(OpBuilder& emit, const Quotient& q) {
  if (isUnsigned(q.dtype)) return tensorOp(emit, "arith.divui", {q.a, q.b});
  if (isIntegral(q.dtype)) return tensorOp(emit, "arith.divsi", {q.a, q.b});
  return unary(emit, "math.trunc", divide(emit, q.a, q.b));
}

Handled wholeQuotient(Call& call, Value (*compute)(OpBuilder&, const Quotient&)) {
  FXS_TAKE(a, computedOperand(call, "self"));
  FXS_TAKE(b, computedOperand(call, "other"));
  return asResult(call, compute(call.emit, {a, b, call.resultDtype(), computedType(call)}));
}

Handled divideByMode(Call& call) {
  const fx::Argument mode = call.argument("rounding_mode");
  const auto* name = std::get_if<std::string>(&mode);
  if (mode.isNone())
    return wholeQuotient(call,
                         [](OpBuilder& emit, const Quotient& q) { return divide(emit, q.a, q.b); });
  if (name != nullptr && *name == "floor") return wholeQuotient(call, floorQuotient);
  if (name != nullptr && *name == "trunc") return wholeQuotient(call, truncatedQuotient);
  return refuse("the rounding mode is unknown");
}

}  // namespace

void registerTosaDivision(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"FmodOp"}, with(wholeQuotient, leftOver), kAnySign);
  addTosa(registries, {"RemainderOp"}, with(wholeQuotient, modulo), kAnySign);
  addTosa(registries, {"FloorDivideOp"}, with(wholeQuotient, floorQuotient), kAnySign);
  addTosa(registries, {"DivTensorModeOp", "DivScalarModeOp"}, divideByMode, kAnySign);
  registries.anySizes(
      "tosa", {"FmodOp", "RemainderOp", "FloorDivideOp", "DivTensorModeOp", "DivScalarModeOp"});
}

}  // namespace fxs::registry
