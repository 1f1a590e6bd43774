// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/tosa/products.h"

#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/loops.h"
#include "registry/tosa/pointwise.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry::tosa {
namespace {

/// Integers narrower than TOSA's accumulators wrap, as PyTorch's do.
Value integerProduct(OpBuilder& emit, const Value& a, const Value& b, const TensorType& type) {
  const Value zero = emit.splat(type, std::int64_t{0});
  return loop(emit, {"pppr", {"d0, d1, d3", "d0, d3, d2", "d0, d1, d2"}}, std::vector{a, b}, zero,
              [&](std::span<const Value> in) {
                return Values{element(emit, "arith.addi",
                                      {in[2], element(emit, "arith.muli", {in[0], in[1]})})};
              });
}

}  // namespace

Value batchMatmul(OpBuilder& emit, const Value& a, const Value& b, DType dtype) {
  const TensorType type{{a.tensor.sizes[0], a.tensor.sizes[1], b.tensor.sizes[2]},
                        elementOf(ops::computationType(dtype))};
  if (a.tensor.isEmpty() || b.tensor.isEmpty())
    return emit.splat(type, numberOf(std::int64_t{0}, dtype));
  if (isWhole(dtype)) return integerProduct(emit, a, b, type);
  const Value zeroA = emit.splat({{1}, a.tensor.element}, 0.0);
  const Value zeroB = emit.splat({{1}, b.tensor.element}, 0.0);
  return emit.op("tosa.matmul", {a, b, zeroA, zeroB}, type);
}

Handled addProduct(Call& call, const Value& product, DType dtype) {
  OpBuilder& emit = call.emit;
  const DType computed = ops::computationType(dtype);
  FXS_TAKE(beta, call.number("beta"));
  FXS_TAKE(alpha, call.number("alpha"));
  Value out = product;
  if (realOf(alpha) != 1) out = scaled(emit, out, numberOf(alpha, computed));
  if (realOf(beta) != 0) {
    FXS_TAKE(self, operandAs(call, "self", computed));
    out = add(emit, out, realOf(beta) == 1 ? self : scaled(emit, self, numberOf(beta, computed)));
  }
  return Values{cast(emit, out, computed, dtype)};
}

}  // namespace fxs::registry::tosa
