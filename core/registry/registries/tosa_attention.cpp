// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scaled dot product attention of [batch, heads, length, features].
#include <cmath>

#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"
#include "registry/tosa/products.h"
#include "registry/tosa/reductions.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

// Bounds the two index constants from which a causal mask is computed.
constexpr std::int64_t kLongest = 1 << 14;

std::vector<Scalar> upTo(std::int64_t count) {
  std::vector<Scalar> out;
  for (std::int64_t i = 0; i < count; ++i) out.emplace_back(i);
  return out;
}

/// Sets the scores of later keys to -infinity.
Value causal(OpBuilder& emit, const Value& scores) {
  const std::int64_t queries = scores.tensor.sizes[2];
  const std::int64_t keys = scores.tensor.sizes[3];
  const Value query = emit.constant({{1, 1, queries, 1}, "i32"}, upTo(queries));
  const Value key = emit.constant({{1, 1, 1, keys}, "i32"}, upTo(keys));
  return select(emit, compare(emit, "ge", query, key), scores, number(emit, scores, -HUGE_VAL));
}

tl::expected<Value, Refusal> masked(Call& call, const Value& scores, DType computed) {
  OpBuilder& emit = call.emit;
  FXS_TAKE(isCausal, call.flag("is_causal"));
  Value out = isCausal ? causal(emit, scores) : scores;
  if (!call.has("attn_mask")) return out;
  const fx::Argument argument = call.argument("attn_mask");
  FXS_TAKE(mask, call.operandOf(argument));
  if (mask.tensor.rank() > 4) return refuse("the mask has more than four dimensions");
  if (mask.tensor.isBool()) return select(emit, mask, out, number(emit, out, -HUGE_VAL));
  return add(emit, out, cast(emit, mask, call.dtypeOf(argument), computed));
}

Value flattened(OpBuilder& emit, const Value& x) {
  const Sizes& sizes = x.tensor.sizes;
  return reshape(emit, x, {times(sizes[0], sizes[1]), sizes[2], sizes[3]});
}

/// The attention output, and the logsumexp of each row; both are 0 for a fully masked row.
Handled attention(Call& call) {
  OpBuilder& emit = call.emit;
  const DType computed = computedType(call);
  FXS_TAKE(query, computedOperand(call, "query"));
  FXS_TAKE(key, computedOperand(call, "key"));
  FXS_TAKE(value, computedOperand(call, "value"));
  FXS_TAKE(dropout, call.number("dropout_p"));
  FXS_TAKE(result, call.result());
  FXS_TAKE(sums, call.result(1));
  if (query.tensor.rank() != 4 || key.tensor.rank() != 4 || value.tensor.rank() != 4)
    return refuse("attention requires a batch, heads, a length and features");
  if (realOf(dropout) != 0) return refuse("dropout is random");
  const Sizes& sizes = query.tensor.sizes;
  if (key.tensor.sizes[0] != sizes[0] || key.tensor.sizes[1] != sizes[1] ||
      value.tensor.sizes[1] != sizes[1])
    return refuse("queries and keys have different numbers of heads");
  if (sizes[2] > kLongest || key.tensor.sizes[2] > kLongest)
    return refuse("the row is too long to be unrolled");
  FXS_TAKE(scale, call.numberOr(1.0 / std::sqrt(static_cast<double>(sizes[3])), "scale"));
  const Value keys = permute(emit, flattened(emit, key), {0, 2, 1});
  const Value products = batchMatmul(emit, flattened(emit, query), keys, computed);
  const Value scaled = mul(emit, products, number(emit, products, realOf(scale)));
  FXS_TAKE(scores,
           masked(call, reshape(emit, scaled, {sizes[0], sizes[1], sizes[2], key.tensor.sizes[2]}),
                  computed));

  const Value greatest = reduceMax(emit, scores, {3});
  const Value seesNothing = compare(emit, "eq", greatest, number(emit, greatest, -HUGE_VAL));
  const Value zero = number(emit, greatest, 0.0);
  const Value shift = select(emit, seesNothing, zero, greatest);
  const Value weights = unary(emit, "tosa.exp", sub(emit, scores, shift));
  const Value total = reduce(emit, "tosa.reduce_sum", weights, {3});
  const Value divisor = select(emit, seesNothing, number(emit, total, 1.0), total);
  const Value attended =
      reshape(emit, batchMatmul(emit, flattened(emit, weights), flattened(emit, value), computed),
              result.sizes);
  const Value logarithm =
      select(emit, seesNothing, zero, add(emit, shift, unary(emit, "tosa.log", divisor)));
  return Values{cast(emit, divide(emit, attended, divisor), computed, call.resultDtype()),
                cast(emit, reshape(emit, logarithm, sums.sizes), computed, call.resultDtype(1))};
}

}  // namespace

void registerTosaAttention(Registries& registries) {
  tosa::addTosa(registries, {"ScaledDotProductFlashAttentionForCpuOp"}, attention);
}

}  // namespace fxs::registry
