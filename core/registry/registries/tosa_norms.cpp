// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Norms of rows, and the distances between rows.
#include <cmath>

#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"
#include "registry/tosa/reductions.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

/// (sum |x|^p)^(1/p) over `dims`; the greatest or least of |x| for p infinite, how many are not 0
/// for p = 0.
Value normOf(OpBuilder& emit, const Value& x, const Sizes& dims, double p, DType dtype) {
  const Value size = unary(emit, "tosa.abs", x);
  if (std::isinf(p)) return p > 0 ? reduceMax(emit, size, dims) : reduceMin(emit, size, dims);
  if (p == 0) {
    const Value counts =
        cast(emit, compare(emit, "ne", size, number(emit, size, 0.0)), DType::Bool, dtype);
    return reduce(emit, "tosa.reduce_sum", counts, dims);
  }
  if (p == 1) return reduce(emit, "tosa.reduce_sum", size, dims);
  if (p == 2)
    return unary(emit, "math.sqrt", reduce(emit, "tosa.reduce_sum", mul(emit, size, size), dims));
  const Value powers = whole(emit, "math.powf", {size, number(emit, size, p)});
  const Value total = reduce(emit, "tosa.reduce_sum", powers, dims);
  return whole(emit, "math.powf", {total, number(emit, total, 1.0 / p)});
}

Handled norm(Call& call) {
  FXS_TAKE(given, computedOperand(call, "self"));
  FXS_TAKE(result, call.result());
  FXS_TAKE(dims, dimsOf(call, "dim", given.tensor.rank()));
  FXS_TAKE(p, call.numberOr(2.0, "p"));
  const Value out =
      normOf(call.emit, atLeast1d(call.emit, given), dims, realOf(p), computedType(call));
  return asResult(call, reshape(call.emit, out, result.sizes));
}

/// x1: [.., P, M], x2: [.., R, M] -> [.., P, R].
Handled distances(Call& call) {
  FXS_TAKE(x1, computedOperand(call, "x1"));
  FXS_TAKE(x2, computedOperand(call, "x2"));
  FXS_TAKE(p, call.number("p"));
  FXS_TAKE(result, call.result());
  if (x1.tensor.rank() < 2 || x2.tensor.rank() < 2)
    return refuse("distances are between rows of matrices");
  OpBuilder& emit = call.emit;
  const Value difference = sub(emit, unsqueeze(emit, x1, x1.tensor.rank() - 1),
                               unsqueeze(emit, x2, x2.tensor.rank() - 2));
  const Value out =
      normOf(emit, difference, {difference.tensor.rank() - 1}, realOf(p), computedType(call));
  return asResult(call, reshape(emit, out, result.sizes));
}

}  // namespace

void registerTosaNorms(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"NormScalarOp", "NormScalarOptDimOp"}, norm);
  addTosa(registries, {"CdistForwardOp"}, distances);
}

}  // namespace fxs::registry
