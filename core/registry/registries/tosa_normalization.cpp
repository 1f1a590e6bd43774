// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalization: (x - mean) / sqrt(variance), scaled and shifted.

#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"
#include "registry/tosa/reductions.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

struct Moments {
  Value mean, scale;  // 1 / sqrt(variance + eps), both with the reduced dimensions as 1
};

tl::expected<Value, Refusal> inverseDeviation(Call& call, const Value& variance) {
  FXS_TAKE(eps, call.number("eps"));
  return unary(call.emit, "tosa.rsqrt",
               add(call.emit, variance, number(call.emit, variance, realOf(eps))));
}

tl::expected<Moments, Refusal> momentsOf(Call& call, const Value& x, const Sizes& dims) {
  OpBuilder& emit = call.emit;
  const double share = 1.0 / static_cast<double>(elementsIn(x.tensor.sizes, dims));
  const Value total = reduce(emit, "tosa.reduce_sum", x, dims);
  const Value mean = mul(emit, total, number(emit, total, share));
  const Value difference = sub(emit, x, mean);
  const Value squares = reduce(emit, "tosa.reduce_sum", mul(emit, difference, difference), dims);
  FXS_TAKE(scale, inverseDeviation(call, mul(emit, squares, number(emit, squares, share))));
  return Moments{mean, scale};
}

/// Applies weight and bias, if any, reshaped to broadcast.
tl::expected<Value, Refusal> scaledAndShifted(Call& call, Value x, const Sizes& sizes) {
  OpBuilder& emit = call.emit;
  if (call.has("weight")) {
    FXS_TAKE(weight, computedOperand(call, "weight"));
    x = mul(emit, x, reshape(emit, weight, sizes));
  }
  if (call.has("bias")) {
    FXS_TAKE(bias, computedOperand(call, "bias"));
    x = add(emit, x, reshape(emit, bias, sizes));
  }
  return x;
}

/// [1, C, 1 ..]: the shape to broadcast a value per channel.
Sizes perChannel(const Value& x) {
  Sizes out = ones(x.tensor.rank());
  if (x.tensor.rank() > 1) out[1] = x.tensor.sizes[1];
  return out;
}

/// Adds the statistics as results 1 and 2, in the recorded shapes and types; empty ones are
/// constants.
tl::expected<Values, Refusal> withStatistics(Call& call, const Value& out, const Moments& moments) {
  Values results = asResult(call, out);
  for (const std::size_t i : {1u, 2u}) {
    FXS_TAKE(type, call.result(i));
    const Value& statistic = i == 1 ? moments.mean : moments.scale;
    results.push_back(type.isEmpty() ? call.emit.constant(type, {}, "arith.constant")
                                     : cast(call.emit, reshape(call.emit, statistic, type.sizes),
                                            computedType(call), call.resultDtype(i)));
  }
  return results;
}

/// `sizes`: of weight and bias.
Handled normalized(Call& call, const Value& x, const Moments& moments, const Sizes& sizes) {
  const Value centred = mul(call.emit, sub(call.emit, x, moments.mean), moments.scale);
  FXS_TAKE(out, scaledAndShifted(call, centred, sizes));
  return withStatistics(call, out, moments);
}

/// With the running statistics, which do not change.
Handled batchNormByStatistics(Call& call) {
  FXS_TAKE(x, computedOperand(call, "input"));
  FXS_TAKE(mean, computedOperand(call, "running_mean"));
  FXS_TAKE(variance, computedOperand(call, "running_var"));
  FXS_TAKE(scale, inverseDeviation(call, reshape(call.emit, variance, perChannel(x))));
  return normalized(call, x, {reshape(call.emit, mean, perChannel(x)), scale}, perChannel(x));
}

/// With the statistics of the batch.
Handled batchNormByBatch(Call& call) {
  FXS_TAKE(x, computedOperand(call, "input"));
  Sizes dims = firstDims(x.tensor.rank());
  if (dims.size() < 2) return refuse("batch normalization requires a batch and channels");
  dims.eraseAt(1);
  FXS_TAKE(moments, momentsOf(call, x, dims));
  return normalized(call, x, moments, perChannel(x));
}

Handled batchNorm(Call& call) {
  FXS_TAKE(training, call.flag("training"));
  if (training && call.has("running_mean"))
    return refuse("training mutates the running statistics");
  return training ? batchNormByBatch(call) : batchNormByStatistics(call);
}

Handled groupNorm(Call& call) {
  FXS_TAKE(x, computedOperand(call, "input"));
  FXS_TAKE(groups, call.integer("group"));
  if (x.tensor.rank() < 2 || groups < 1 || groups > x.tensor.sizes[1] ||
      x.tensor.sizes[1] % groups != 0)
    return refuse("group normalization requires channels and groups");
  OpBuilder& emit = call.emit;
  const std::int64_t batch = x.tensor.sizes[0];
  const Value rows = reshape(emit, x, {batch, groups, x.tensor.elements() / times(batch, groups)});
  FXS_TAKE(moments, momentsOf(call, rows, {2}));
  const Value centred =
      reshape(emit, mul(emit, sub(emit, rows, moments.mean), moments.scale), x.tensor.sizes);
  FXS_TAKE(out, scaledAndShifted(call, centred, perChannel(x)));
  return withStatistics(call, out, moments);
}

Handled layerNorm(Call& call) {
  FXS_TAKE(x, computedOperand(call, "input"));
  FXS_TAKE(shape, call.integers("normalized_shape"));
  if (shape.size() > x.tensor.sizes.size())
    return refuse("the normalized shape has more dimensions than the input");
  Sizes dims = firstDims(x.tensor.rank());
  dims.erase(dims.begin(), dims.end() - static_cast<std::ptrdiff_t>(shape.size()));
  FXS_TAKE(moments, momentsOf(call, x, dims));
  return normalized(call, x, moments, shape);
}

/// The identity in evaluation mode; training mode, which is random, is refused.
Handled dropout(Call& call) {
  FXS_TAKE(x, call.operand("input"));
  FXS_TAKE(mask, call.result(1));
  FXS_TAKE(train, call.flagOr(false, "train"));
  if (train) return refuse("dropout in training is random");
  return Values{x, call.emit.splat(mask, true)};
}

}  // namespace

void registerTosaNormalization(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"NativeBatchNormLegitNoTrainingOp"}, batchNormByStatistics);
  addTosa(registries, {"NativeBatchNormLegitNoStatsOp"}, batchNormByBatch);
  addTosa(registries, {"NativeBatchNormLegitOp"}, batchNorm);
  addTosa(registries, {"NativeGroupNormOp"}, groupNorm);
  addTosa(registries, {"NativeLayerNormOp"}, layerNorm);
  addTosa(registries, {"NativeDropoutOp"}, dropout);
  registries.anySizes("tosa", {"NativeBatchNormLegitNoTrainingOp", "NativeBatchNormLegitNoStatsOp",
                               "NativeBatchNormLegitOp", "NativeLayerNormOp", "NativeDropoutOp"});
}

}  // namespace fxs::registry
