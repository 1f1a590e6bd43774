// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, differences, products and quotients. Operands are converted to the recorded type of the
// result first.
#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"

namespace fxs::registry {
namespace {
using namespace tosa;

bool isZero(const Scalar& value) {
  return value == Scalar(std::int64_t{0}) || value == Scalar(0.0);
}
bool isOne(const Scalar& value) { return value == Scalar(std::int64_t{1}) || value == Scalar(1.0); }

/// self + alpha * other, or with a minus. Half types round once: PyTorch's vectorized kernels do,
/// its scalar ones also the product.
Handled sum(Call& call, Value (*combine)(OpBuilder&, const Value&, const Value&)) {
  OpBuilder& emit = call.emit;
  const DType dtype = call.resultDtype();
  FXS_TAKE(alpha, call.number("alpha"));
  FXS_TAKE(self, operandAs(call, "self", dtype));
  FXS_TAKE(other, operandAs(call, "other", dtype));
  if (isOne(alpha)) return Values{combine(emit, self, other)};
  const DType computed = ops::computationType(dtype);
  const Value product = scaled(emit, cast(emit, other, dtype, computed), numberOf(alpha, computed));
  return Values{
      cast(emit, combine(emit, cast(emit, self, dtype, computed), product), computed, dtype)};
}

/// Rounded once; a number is not rounded to a half type before.
Handled combined(Call& call, Value (*combine)(OpBuilder&, const Value&, const Value&)) {
  FXS_TAKE(self, computedOperand(call, "self"));
  FXS_TAKE(other, computedOperand(call, "other"));
  return asResult(call, combine(call.emit, self, other));
}

Handled multiply(Call& call) {
  const auto factor = call.number("other");
  if (factor && isFloating(call.resultDtype()) && isZero(*factor))
    return refuse("TOSA folds a product with zero to zero, even for NaN, infinity and -0.0");
  return combined(call, mul);
}

}  // namespace

void registerTosaArithmetic(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"AddOp", "AddScalarOp"}, with(sum, add), kAnySign);
  addTosa(registries, {"SubOp", "SubScalarOp"}, with(sum, sub), kAnySign);
  addTosa(registries, {"MulOp"}, multiply, kAnySign);
  addTosa(registries, {"DivOp", "DivScalarOp"}, with(combined, divide), kAnySign);
  registries.anySizes(
      "tosa", {"AddOp", "AddScalarOp", "SubOp", "SubScalarOp", "MulOp", "DivOp", "DivScalarOp"});
}

}  // namespace fxs::registry
