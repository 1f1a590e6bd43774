// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise signs, extrema and bounds.
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
  return isUnsigned(dtype) ? tensorOp(emit, "arith.maxui", {a, b})
                           : binary(emit, "tosa.maximum", a, b);
}
Value least(OpBuilder& emit, const Value& a, const Value& b, DType dtype) {
  if (dtype == DType::Bool) return binary(emit, "tosa.logical_and", a, b);
  return isUnsigned(dtype) ? tensorOp(emit, "arith.minui", {a, b})
                           : binary(emit, "tosa.minimum", a, b);
}

Handled extreme(Call& call, Value (*chosen)(OpBuilder&, const Value&, const Value&, DType)) {
  FXS_TAKE(self, operandAs(call, "self", call.resultDtype()));
  FXS_TAKE(other, operandAs(call, "other", call.resultDtype()));
  return Values{chosen(call.emit, self, other, call.resultDtype())};
}

/// The upper bound takes precedence over the lower; NaN is kept.
Handled bounded(Call& call) {
  const DType dtype = call.resultDtype();
  FXS_TAKE(x, operandAs(call, "self", dtype));
  if (call.has("min")) {
    FXS_TAKE(bound, operandAs(call, "min", dtype));
    x = greatest(call.emit, x, bound, dtype);
  }
  if (call.has("max")) {
    FXS_TAKE(bound, operandAs(call, "max", dtype));
    x = least(call.emit, x, bound, dtype);
  }
  return Values{x};
}

Handled copySign(Call& call) {
  FXS_TAKE(self, operandAs(call, "self", call.resultDtype()));
  FXS_TAKE(other, operandAs(call, "other", call.resultDtype()));
  return Values{tensorOp(call.emit, "math.copysign", {self, other})};
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
  return asResult(call, tensorOp(call.emit, "math.powf", {self, exponent}));
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
          bounded, kAnySign);
  addTosa(registries, {"CopysignOp"}, copySign, kAnySign);
  addTosa(registries, {"MaskedFillOp"}, maskedFill, kAnySign);
  addTosa(registries, {"PowScalarOp"}, powerOf);
  registries.anySizes(
      "tosa", {"NegOp", "AbsOp", "CeilOp", "FloorOp", "SignOp", "MaximumOp", "MinimumOp", "ClampOp",
               "ClampMinOp", "ClampMaxOp", "ClampTensorOp", "ClampMinTensorOp", "ClampMaxTensorOp",
               "CopysignOp", "MaskedFillOp", "PowScalarOp"});
}

}  // namespace fxs::registry
