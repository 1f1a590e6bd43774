// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Max and average pooling, and adaptive max pooling.
#include <algorithm>

#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"
#include "registry/tosa/reductions.h"
#include "registry/tosa/shapes.h"
#include "registry/tosa/windows.h"

namespace fxs::registry {
namespace {
using namespace tosa;

constexpr std::int64_t kMostPlaces = 1 << 14;
constexpr std::int64_t kMostParts = 256;  // each is a few operations

/// The operand with the leading dimensions flattened: [N, sizes..].
struct Pooled {
  Value x;
  TensorType result;
  Sizes sizes, outputs;
};

tl::expected<Pooled, Refusal> pooledOf(Call& call, std::size_t rank, DType dtype) {
  FXS_TAKE(x, operandAs(call, "self", dtype));
  FXS_TAKE(result, call.result());
  if (x.tensor.sizes.size() <= rank || result.sizes.size() <= rank)
    return refuse("pooling over " + std::to_string(rank) +
                  " dimensions requires a channel dimension");
  const auto tail = static_cast<std::ptrdiff_t>(rank);
  Pooled out{x,
             result,
             {x.tensor.sizes.end() - tail, x.tensor.sizes.end()},
             {result.sizes.end() - tail, result.sizes.end()}};
  Sizes flat{1};
  for (std::size_t d = 0; d + rank < x.tensor.sizes.size(); ++d)
    flat[0] = times(flat[0], x.tensor.sizes[d]);
  flat.insert(flat.end(), out.sizes.begin(), out.sizes.end());
  out.x = reshape(call.emit, x, flat);
  return out;
}

Value padded(OpBuilder& emit, const Pooled& pooled, const Window& window, const Scalar& value) {
  Sizes before = window.before;
  Sizes after = paddingAfter(window, pooled.sizes, pooled.outputs);
  before.insertAt(0, 0);
  after.insertAt(0, 0);
  return pad(emit, pooled.x, before, after, value);
}

Handled greatestOverLoops(Call& call, const Window& window) {
  const DType dtype = call.resultDtype();
  FXS_TAKE(pooled, pooledOf(call, window.rank(), dtype));
  const Value x = padded(call.emit, pooled, window, lowest(dtype));
  std::string_view op = "arith.maximumf";
  if (isIntegerOrBool(dtype)) op = isUnsigned(dtype) ? "arith.maxui" : "arith.maxsi";
  return Values{reshape(call.emit, slide(call.emit, x, window, pooled.outputs, op, lowest(dtype)),
                        pooled.result.sizes)};
}

/// tosa.max_pool2d of x: [N, H, W, C].
Value maxPool2d(OpBuilder& emit, const Value& x, const Window& window, const Sizes& outputs,
                const Sizes& pads) {
  return emit.op(
      "tosa.max_pool2d", {x},
      withSizes(x.tensor, {x.tensor.sizes[0], outputs[0], outputs[1], x.tensor.sizes[3]}),
      "kernel = " + arrayText("i64", window.kernel) + ", pad = " + arrayText("i64", pads) +
          ", stride = " + arrayText("i64", window.stride));
}

/// TOSA's pooling starts from the lowest finite number, so windows with only -infinity are detected
/// by pooling a mask.
Handled greatestByTosa(Call& call, const Window& window, const Value& input,
                       const TensorType& result) {
  OpBuilder& emit = call.emit;
  const Sizes sizes{input.tensor.sizes[2], input.tensor.sizes[3]};
  const Sizes outputs{result.sizes[2], result.sizes[3]};
  const Sizes after = paddingAfter(window, sizes, outputs);
  Value x = permute(emit, input, {0, 2, 3, 1});
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t used = minus(reachOf(window, i, outputs[i]), window.before[i]);
    x = slice(emit, x, static_cast<std::int64_t>(1 + i), 0, std::min(sizes[i], used));
  }
  const Sizes pads{window.before[0], after[0], window.before[1], after[1]};
  const Value lowestOnes =
      binary(emit, "tosa.equal", x, number(emit, x, lowest(DType::Float32)), "i1");
  const Value others = select(emit, lowestOnes, number(emit, x, 0.0), number(emit, x, 1.0));
  const Value hasOthers =
      binary(emit, "tosa.greater", maxPool2d(emit, others, window, outputs, pads),
             number(emit, x, 0.0), "i1");
  const Value greatest = select(emit, hasOthers, maxPool2d(emit, x, window, outputs, pads),
                                number(emit, x, lowest(DType::Float32)));
  return Values{permute(emit, greatest, {0, 3, 1, 2})};
}

Handled maxPool(Call& call, std::size_t rank) {
  FXS_TAKE(window, poolingWindow(call, rank));
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(result, call.result());
  const bool isHeld = call.resultDtype() == DType::Float32 || call.resultDtype() == DType::Float16;
  bool fits = isHeld && rank == 2 && x.tensor.rank() == 4 && result.rank() == 4 &&
              window.dilation == Sizes{1, 1};
  if (fits) {
    const Sizes after = paddingAfter(window, {x.tensor.sizes[2], x.tensor.sizes[3]},
                                     {result.sizes[2], result.sizes[3]});
    for (std::size_t i = 0; i < 2; ++i)
      fits = fits && window.before[i] < window.kernel[i] && after[i] < window.kernel[i];
  }
  return fits ? greatestByTosa(call, window, x, result) : greatestOverLoops(call, window);
}

/// The divisor of a window along one dimension: the number of its elements in the padded input, or
/// in the input only.
std::int64_t counted(const Window& window, std::size_t i, std::int64_t size, std::int64_t position,
                     bool withPadding) {
  const std::int64_t first = minus(times(position, window.stride[i]), window.before[i]);
  const std::int64_t end = std::min(plus(first, window.kernel[i]), plus(size, window.before[i]));
  return withPadding ? end - first : std::min(end, size) - std::max<std::int64_t>(first, 0);
}

Handled avgPool(Call& call, std::size_t rank) {
  FXS_TAKE(window, poolingWindow(call, rank));
  FXS_TAKE(withPadding, call.flag("count_include_pad"));
  if (isIntegerOrBool(call.resultDtype())) return refuse("the mean of integers is not an integer");
  FXS_TAKE(pooled, pooledOf(call, rank, computedType(call)));
  OpBuilder& emit = call.emit;
  const Value x = padded(emit, pooled, window, 0.0);
  const Value sums = slide(emit, x, window, pooled.outputs, "arith.addf", 0.0);
  const bool isGiven = call.has("divisor_override");
  FXS_TAKE(divisor, call.numberOr(1.0, "divisor_override"));
  Value divisors = number(emit, sums, realOf(divisor));
  for (std::size_t i = 0; i < rank && !isGiven; ++i) {
    const std::int64_t outputs = pooled.outputs[i];
    const auto countAt = [&](std::int64_t position) {
      return counted(window, i, pooled.sizes[i], position, withPadding);
    };
    // Only windows over the ends have fewer elements.
    const bool allFull = countAt(0) == window.kernel[i] && countAt(outputs - 1) == window.kernel[i];
    if (!allFull && outputs > kMostPlaces)
      return refuse("too many windows to unroll their divisors");
    std::vector<Scalar> counts;
    for (std::int64_t position = 0; position < (allFull ? 1 : outputs); ++position)
      counts.emplace_back(static_cast<double>(countAt(position)));
    Sizes sizes = ones(sums.tensor.rank());
    sizes[1 + i] = static_cast<std::int64_t>(counts.size());
    const Value along = emit.constant(withSizes(sums.tensor, sizes), counts);
    divisors = i == 0 ? along : mul(emit, divisors, along);
  }
  return asResult(call, reshape(emit, divide(emit, sums, divisors), pooled.result.sizes));
}

/// Window i of n over a size: from floor(i * size / n) to ceil((i + 1) * size / n).
struct Span {
  std::int64_t first, length;
};
Span spanOf(std::int64_t i, std::int64_t size, std::int64_t outputs) {
  const std::int64_t first = times(i, size) / outputs;
  return {first, plus(times(i + 1, size), outputs - 1) / outputs - first};
}

/// The maximum of each window and its index in the plane; with one dimension, a plane of one row.
Handled adaptiveGreatest(Call& call, std::size_t rank) {
  FXS_TAKE(pooled, pooledOf(call, rank, call.resultDtype()));
  FXS_TAKE(indices, call.result(1));
  OpBuilder& emit = call.emit;
  const std::int64_t height = rank == 2 ? pooled.sizes[0] : 1;
  const std::int64_t width = pooled.sizes.back();
  const std::int64_t rows = rank == 2 ? pooled.outputs[0] : 1;
  const std::int64_t columns = pooled.outputs.back();
  if (rows > kMostParts || columns > kMostParts || rows * columns > kMostParts)
    return refuse("too many windows of different sizes to unroll");
  const std::int64_t batch = pooled.x.tensor.sizes[0];
  const Value plane = reshape(emit, pooled.x, {batch, height, width});
  std::vector<Value> values;
  std::vector<Value> outputs;
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    const Span row = spanOf(i / columns, height, rows);
    const Span column = spanOf(i % columns, width, columns);
    const Value part =
        slice(emit, slice(emit, plane, 1, row.first, row.length), 2, column.first, column.length);
    const Value flat = reshape(emit, part, {batch, row.length * column.length});
    values.push_back(reduceMax(emit, flat, {1}));
    const Value at = reshape(emit, positions(emit, flat, 1, Extreme::Greatest), {batch, 1});
    const auto constant = [&](std::int64_t number) { return emit.splat(at.tensor, number); };
    const Value inRow = tensorOp(emit, "arith.divsi", {at, constant(column.length)});
    const Value inColumn = tensorOp(emit, "arith.remsi", {at, constant(column.length)});
    const Value line = mul(emit, add(emit, inRow, constant(row.first)), constant(width));
    outputs.push_back(add(emit, line, add(emit, inColumn, constant(column.first))));
  }
  return Values{reshape(emit, concat(emit, values, 1), pooled.result.sizes),
                reshape(emit, concat(emit, outputs, 1), indices.sizes)};
}

}  // namespace

void registerTosaPooling(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"MaxPool1dOp"}, with(maxPool, 1), kAnySign);
  addTosa(registries, {"MaxPool2dOp"}, with(maxPool, 2), kAnySign);
  addTosa(registries, {"AvgPool1dOp"}, with(avgPool, 1));
  addTosa(registries, {"AvgPool2dOp"}, with(avgPool, 2));
  addTosa(registries, {"AvgPool3dOp"}, with(avgPool, 3));
  addTosa(registries, {"AdaptiveMaxPool1dOp"}, with(adaptiveGreatest, 1));
  addTosa(registries, {"AdaptiveMaxPool2dOp"}, with(adaptiveGreatest, 2));
}

}  // namespace fxs::registry
