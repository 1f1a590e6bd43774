// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices.
#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/loops.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

/// Integers narrower than TOSA's accumulators wrap, as PyTorch's do.
Value integerProduct(OpBuilder& emit, const Value& a, const Value& b, const TensorType& type) {
  const Value zero = emit.splat(type, std::int64_t{0});
  return loop(emit, {"pppr", {"d0, d1, d3", "d0, d3, d2", "d0, d1, d2"}}, std::vector{a, b}, zero,
              [&](std::span<const Value> in) {
                return Values{element(emit, "arith.addi",
                                      {in[2], element(emit, "arith.muli", {in[0], in[1]})})};
              });
}

/// [B, M, K] x [B, K, N] -> [B, M, N]; floating elements are summed in at least f32 and given in
/// `ops::computationType(dtype)`.
Value batchMatmul(OpBuilder& emit, const Value& a, const Value& b, DType dtype) {
  const TensorType type{{a.tensor.sizes[0], a.tensor.sizes[1], b.tensor.sizes[2]},
                        elementOf(ops::computationType(dtype))};
  if (a.tensor.isEmpty() || b.tensor.isEmpty())
    return emit.splat(type, numberOf(std::int64_t{0}, dtype));
  if (isIntegerOrBool(dtype)) return integerProduct(emit, a, b, type);
  const Value zeroA = emit.splat({{1}, a.tensor.element}, 0.0);
  const Value zeroB = emit.splat({{1}, b.tensor.element}, 0.0);
  return emit.op("tosa.matmul", {a, b, zeroA, zeroB}, type);
}

std::optional<std::string> wrongRanks(const Value& a, const Value& b, std::int64_t rank) {
  if (a.tensor.rank() == rank && b.tensor.rank() == rank) return std::nullopt;
  return "both factors have " + std::to_string(rank) + " dimensions";
}

Handled bmm(Call& call) {
  FXS_TAKE(a, call.operand("self"));
  FXS_TAKE(b, call.operand("mat2"));
  if (const auto wrong = wrongRanks(a, b, 3)) return refuse(*wrong);
  return asResult(call, batchMatmul(call.emit, a, b, call.resultDtype()));
}

/// beta * self + alpha * product; a beta of 0 ignores self, as in PyTorch.
Handled addmm(Call& call) {
  FXS_TAKE(a, call.operand("mat1"));
  FXS_TAKE(b, call.operand("mat2"));
  FXS_TAKE(result, call.result());
  if (const auto wrong = wrongRanks(a, b, 2)) return refuse(*wrong);
  const bool isEmpty = a.tensor.isEmpty();  // no reshape of nothing
  const Value zeroRows =
      isEmpty
          ? call.emit.constant(withSizes(a.tensor, {1, a.tensor.sizes[0], 0}), {}, "arith.constant")
          : unsqueeze(call.emit, a, 0);
  const Value zeroColumns =
      isEmpty
          ? call.emit.constant(withSizes(b.tensor, {1, 0, b.tensor.sizes[1]}), {}, "arith.constant")
          : unsqueeze(call.emit, b, 0);
  OpBuilder& emit = call.emit;
  const DType computed = computedType(call);
  FXS_TAKE(beta, call.number("beta"));
  FXS_TAKE(alpha, call.number("alpha"));
  Value out = reshape(emit, batchMatmul(emit, zeroRows, zeroColumns, computed), result.sizes);
  if (realOf(alpha) != 1) out = scaled(emit, out, numberOf(alpha, computed));
  if (realOf(beta) != 0) {
    FXS_TAKE(self, computedOperand(call, "self"));
    out = add(emit, out, realOf(beta) == 1 ? self : scaled(emit, self, numberOf(beta, computed)));
  }
  return asResult(call, out);
}

}  // namespace

void registerTosaMatmul(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"BatchMatmulOp"}, bmm, kAnyOperand);
  addTosa(registries, {"AddMMOp"}, addmm, kAnyOperand);
  registries.anySizes("tosa", {"BatchMatmulOp", "AddMMOp"});
}

}  // namespace fxs::registry
