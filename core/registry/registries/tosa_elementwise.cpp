// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise signs, extrema, bounds, and sums of products.
#include <cmath>

#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"

namespace fxs::registry {
namespace {
using namespace tosa;

Handled negated(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  return Values{negate(call.emit, x)};
}

Handled absolute(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  return Values{
      isUnsigned(call.resultDtype()) || x.tensor.isBool() ? x : unary(call.emit, "tosa.abs", x)};
}

/// The identity on integers.
Handled rounded(Call& call, std::string_view op) {
  FXS_TAKE(x, call.operand("self"));
  return Values{x.tensor.isFloat() ? unary(call.emit, op, x) : x};
}

/// (0 < x) - (x < 0): NaN has no sign.
Handled signOf(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  const DType dtype = call.resultDtype();
  if (x.tensor.isBool()) return Values{x};
  OpBuilder& emit = call.emit;
  const Value zero = number(emit, x, numberOf(std::int64_t{0}, dtype));
  const Value positive =
      cast(emit, compare(emit, "gt", x, zero, isUnsigned(dtype)), DType::Bool, dtype);
  const Value negative =
      cast(emit, compare(emit, "lt", x, zero, isUnsigned(dtype)), DType::Bool, dtype);
  return Values{sub(emit, positive, negative)};
}

Value greatest(OpBuilder& emit, const Value& a, const Value& b, DType dtype) {
  if (dtype == DType::Bool) return binary(emit, "tosa.logical_or", a, b);
  return isUnsigned(dtype) ? whole(emit, "arith.maxui", {a, b})
                           : binary(emit, "tosa.maximum", a, b);
}
Value least(OpBuilder& emit, const Value& a, const Value& b, DType dtype) {
  if (dtype == DType::Bool) return binary(emit, "tosa.logical_and", a, b);
  return isUnsigned(dtype) ? whole(emit, "arith.minui", {a, b})
                           : binary(emit, "tosa.minimum", a, b);
}

Handled extreme(Call& call, Value (*chosen)(OpBuilder&, const Value&, const Value&, DType)) {
  FXS_TAKE(self, operandAs(call, "self", call.resultDtype()));
  FXS_TAKE(other, operandAs(call, "other", call.resultDtype()));
  return Values{chosen(call.emit, self, other, call.resultDtype())};
}

/// The upper bound takes precedence over the lower; NaN is kept.
Handled bounded(Call& call, std::string_view low, std::string_view high) {
  const DType dtype = call.resultDtype();
  FXS_TAKE(x, operandAs(call, "self", dtype));
  if (call.has(low)) {
    FXS_TAKE(bound, operandAs(call, low, dtype));
    x = greatest(call.emit, x, bound, dtype);
  }
  if (call.has(high)) {
    FXS_TAKE(bound, operandAs(call, high, dtype));
    x = least(call.emit, x, bound, dtype);
  }
  return Values{x};
}

/// self + value * tensor1 * tensor2.
Handled addcmul(Call& call) {
  FXS_TAKE(self, computedOperand(call, "self"));
  FXS_TAKE(first, computedOperand(call, "tensor1"));
  FXS_TAKE(second, computedOperand(call, "tensor2"));
  FXS_TAKE(factor, call.number("value"));
  OpBuilder& emit = call.emit;
  if (realOf(factor) != 1) first = scaled(emit, first, numberOf(factor, computedType(call)));
  return asResult(call, add(emit, self, mul(emit, first, second)));
}

/// Computed from the nearer end, so that both ends are exact.
Handled lerp(Call& call) {
  FXS_TAKE(self, computedOperand(call, "self"));
  FXS_TAKE(end, computedOperand(call, "end"));
  FXS_TAKE(weight, computedOperand(call, "weight"));
  OpBuilder& emit = call.emit;
  const Value distance = sub(emit, end, self);
  const Value fromStart = add(emit, self, mul(emit, weight, distance));
  const Value fromEnd =
      sub(emit, end, mul(emit, distance, sub(emit, number(emit, weight, 1.0), weight)));
  const Value isNearStart =
      compare(emit, "lt", unary(emit, "tosa.abs", weight), number(emit, weight, 0.5));
  return asResult(call, select(emit, isNearStart, fromStart, fromEnd));
}

/// Computed from the larger operand and the ratio, so that no square overflows. Infinity takes
/// precedence over NaN.
Handled hypotenuse(Call& call) {
  FXS_TAKE(self, computedOperand(call, "self"));
  FXS_TAKE(other, computedOperand(call, "other"));
  OpBuilder& emit = call.emit;
  const Value a = unary(emit, "tosa.abs", self);
  const Value b = unary(emit, "tosa.abs", other);
  const Value large = binary(emit, "tosa.maximum", a, b);
  const Value ratio = divide(emit, binary(emit, "tosa.minimum", a, b), large);
  const Value root =
      unary(emit, "math.sqrt", add(emit, mul(emit, ratio, ratio), number(emit, ratio, 1.0)));
  const Value isZero = compare(emit, "eq", large, number(emit, large, 0.0));
  const Value infinity = number(emit, large, HUGE_VAL);
  const Value isInfinite = binary(emit, "tosa.logical_or", compare(emit, "eq", a, infinity),
                                  compare(emit, "eq", b, infinity));
  const Value finite = select(emit, isZero, large, mul(emit, large, root));
  return asResult(call, select(emit, isInfinite, infinity, finite));
}

Handled copySign(Call& call) {
  FXS_TAKE(self, operandAs(call, "self", call.resultDtype()));
  FXS_TAKE(other, operandAs(call, "other", call.resultDtype()));
  return Values{whole(call.emit, "math.copysign", {self, other})};
}

Handled maskedFill(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  FXS_TAKE(mask, call.operand("mask"));
  FXS_TAKE(value, operandAs(call, "value", call.resultDtype()));
  return Values{select(call.emit, mask, value, self)};
}

/// A number to the power of a tensor.
Handled powerOf(Call& call) {
  if (!isFloating(call.resultDtype()))
    return refuse("integer powers of integers are not supported by math or TOSA");
  FXS_TAKE(self, computedOperand(call, "self"));
  FXS_TAKE(exponent, computedOperand(call, "exponent"));
  return asResult(call, whole(call.emit, "math.powf", {self, exponent}));
}

}  // namespace

void registerTosaElementwise(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"NegOp"}, negated, kAnySign);
  addTosa(registries, {"AbsOp"}, absolute, kAnySign);
  addTosa(registries, {"CeilOp"}, with(rounded, "tosa.ceil"), kAnySign);
  addTosa(registries, {"FloorOp"}, with(rounded, "tosa.floor"), kAnySign);
  addTosa(registries, {"SignOp"}, signOf, kAnySign);
  addTosa(registries, {"MaximumOp"}, with(extreme, greatest), kAnySign);
  addTosa(registries, {"MinimumOp"}, with(extreme, least), kAnySign);
  addTosa(registries,
          {"ClampOp", "ClampMinOp", "ClampMaxOp", "ClampTensorOp", "ClampMinTensorOp",
           "ClampMaxTensorOp"},
          with(bounded, "min", "max"), kAnySign);
  addTosa(registries, {"HardtanhOp"}, with(bounded, "min_val", "max_val"), kAnySign);
  addTosa(registries, {"AddCMulOp"}, addcmul, kAnySign);
  addTosa(registries, {"LerpOp"}, lerp);
  addTosa(registries, {"HypotOp"}, hypotenuse);
  addTosa(registries, {"CopysignOp"}, copySign, kAnySign);
  addTosa(registries, {"MaskedFillOp"}, maskedFill, kAnySign);
  addTosa(registries, {"PowScalarOp"}, powerOf);
  registries.anySizes("tosa", {"NegOp",
                               "AbsOp",
                               "CeilOp",
                               "FloorOp",
                               "SignOp",
                               "MaximumOp",
                               "MinimumOp",
                               "ClampOp",
                               "ClampMinOp",
                               "ClampMaxOp",
                               "ClampTensorOp",
                               "ClampMinTensorOp",
                               "ClampMaxTensorOp",
                               "HardtanhOp",
                               "AddCMulOp",
                               "LerpOp",
                               "HypotOp",
                               "CopysignOp",
                               "MaskedFillOp",
                               "PowScalarOp"});
}

}  // namespace fxs::registry
