// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// aten.convolution. Non-transposed f32 convolutions of one or two dimensions use TOSA; all others
// are loop nests, because TOSA has no f64 or integer convolution, and its transposed form is not
// lowered by every backend.
#include <algorithm>

#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/loops.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"
#include "registry/tosa/shapes.h"
#include "registry/tosa/windows.h"

namespace fxs::registry {
namespace {
using namespace tosa;

// Each group is a separate operation; more groups use a loop.
constexpr std::int64_t kMostGroups = 32;

struct Convolution {
  Value x,
      weight;  // [N, C, sizes..], [O, C / groups, kernel..]; transposed: [C, O / groups, kernel..]
  std::optional<Value> bias;  // [O]
  Window window;
  Sizes outputPadding, positions;
  std::int64_t batch, channels, outputs, groups;
  DType computed;
};

Sizes spatial(const Sizes& sizes) { return {sizes.begin() + 2, sizes.end()}; }
Sizes with(Sizes head, const Sizes& tail) {
  head.insert(head.end(), tail.begin(), tail.end());
  return head;
}

tl::expected<Convolution, Refusal> convolutionOf(Call& call) {
  Convolution out;
  out.computed = computedType(call);
  FXS_TAKE(x, computedOperand(call, "input"));
  FXS_TAKE(weight, computedOperand(call, "weight"));
  FXS_TAKE(result, call.result());
  if (x.tensor.rank() < 3 || weight.tensor.rank() != x.tensor.rank() ||
      result.rank() != x.tensor.rank())
    return refuse("a convolution requires a batch, channels and at least one spatial dimension");
  const auto rank = static_cast<std::size_t>(x.tensor.rank() - 2);
  FXS_TAKE(stride, perDimension(call, "stride", rank));
  FXS_TAKE(padding, perDimension(call, "padding", rank));
  FXS_TAKE(dilation, perDimension(call, "dilation", rank));
  FXS_TAKE(outputPadding, perDimension(call, "output_padding", rank));
  FXS_TAKE(groups, call.integer("groups"));
  if (groups < 1 || x.tensor.sizes[1] % groups != 0 || result.sizes[1] % groups != 0)
    return refuse("the channels are not divisible into " + std::to_string(groups) + " groups");
  out.x = x;
  out.weight = weight;
  if (call.has("bias")) {
    FXS_TAKE(bias, computedOperand(call, "bias"));
    out.bias = bias;
  }
  out.window = {spatial(weight.tensor.sizes), stride, padding, {}, dilation};
  out.outputPadding = outputPadding;
  out.positions = spatial(result.sizes);
  out.batch = x.tensor.sizes[0];
  out.channels = x.tensor.sizes[1];
  out.outputs = result.sizes[1];
  out.groups = groups;
  return out;
}

Value biased(OpBuilder& emit, const Value& x, const Convolution& c) {
  if (!c.bias) return x;
  return add(emit, x, reshape(emit, *c.bias, with({1, c.outputs}, Sizes(c.positions.size(), 1))));
}

/// x: [N, C, sizes..] under a window with stride 1 or more, weight as [G, O/G, C/G, kernel..].
Value looped(OpBuilder& emit, const Convolution& c, Value x, const Value& weight) {
  const Sizes after = paddingAfter(c.window, spatial(x.tensor.sizes), c.positions);
  x = pad(emit, x, with({0, 0}, c.window.before), with({0, 0}, after),
          numberOf(std::int64_t{0}, c.computed));
  x = reshape(emit, x, with({c.batch, c.groups, c.channels / c.groups}, spatial(x.tensor.sizes)));
  const Value out = convolve(emit, x, weight, c.window, c.positions);
  return biased(emit, reshape(emit, out, with({c.batch, c.outputs}, c.positions)), c);
}

Value forward(OpBuilder& emit, const Convolution& c) {
  const Sizes& kernel = c.window.kernel;
  return looped(emit, c, c.x,
                reshape(emit, c.weight,
                        with({c.groups, c.outputs / c.groups, c.channels / c.groups}, kernel)));
}

/// The elements `stride` apart, zeros between them.
Value spread(OpBuilder& emit, const Value& x, const Sizes& stride) {
  Sizes sizes = x.tensor.sizes;
  Sizes steps{1, 1};
  for (std::size_t i = 0; i < stride.size(); ++i) {
    sizes[2 + i] = plus(times(sizes[2 + i] - 1, stride[i]), 1);
    steps.push_back(stride[i]);
  }
  if (sizes == x.tensor.sizes) return x;
  const TensorType type = withSizes(x.tensor, sizes);
  const Value zero =
      emit.splat(type, type.isFloat() ? Scalar(0.0) : Scalar(std::int64_t{0}), "arith.constant");
  return emit.op("tensor.insert_slice", {x, zero}, type,
                 "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = " +
                     arrayText("i64", Sizes(sizes.size(), 0)) +
                     ", static_sizes = " + arrayText("i64", x.tensor.sizes) +
                     ", static_strides = " + arrayText("i64", steps));
}

/// The gradient of a convolution: the input spread by the stride, under the mirrored kernel.
Value transposed(OpBuilder& emit, Convolution c) {
  const std::size_t rank = c.window.rank();
  const Sizes& kernel = c.window.kernel;
  Value x = spread(emit, c.x, c.window.stride);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t before =
        minus(times(kernel[i] - 1, c.window.dilation[i]), c.window.before[i]);
    // Padding larger than the kernel crops the input.
    const auto dim = static_cast<std::int64_t>(2 + i);
    if (before < 0) x = slice(emit, x, dim, -before, x.tensor.sizes[2 + i] + before);
    c.window.before[i] = std::max<std::int64_t>(0, before);
    c.window.stride[i] = 1;
    const std::int64_t reach =
        minus(plus(c.positions[i], times(kernel[i] - 1, c.window.dilation[i])), c.window.before[i]);
    if (x.tensor.sizes[2 + i] > reach) x = slice(emit, x, dim, 0, reach);
  }
  Value weight = reshape(emit, c.weight,
                         with({c.groups, c.channels / c.groups, c.outputs / c.groups}, kernel));
  Sizes order = firstDims(weight.tensor.rank());
  std::swap(order[1], order[2]);
  weight = permute(emit, weight, order);
  for (std::size_t i = 0; i < rank; ++i)
    weight = reverse(emit, weight, static_cast<std::int64_t>(3 + i));
  return looped(emit, c, x, weight);
}

/// One tosa operation; x is [N, H, W, C], weight [O, KH, KW, C] or, depthwise, [KH, KW, C, M].
Value tosaOp(OpBuilder& emit, std::string_view op, const Value& x, const Value& weight,
             const Value& bias, const Convolution& c, const Sizes& pads) {
  const Value zero = emit.splat({{1}, "f32"}, 0.0);
  return emit.op(op, {x, weight, bias, zero, zero},
                 {{c.batch, c.positions[0], c.positions[1], bias.tensor.sizes[0]}, "f32"},
                 "acc_type = f32, dilation = " + arrayText("i64", c.window.dilation) + ", pad = " +
                     arrayText("i64", pads) + ", stride = " + arrayText("i64", c.window.stride));
}

Value native(OpBuilder& emit, const Convolution& c) {
  Value x = permute(emit, c.x, {0, 2, 3, 1});
  // Reduce the padding, then crop, what no window reaches, because TOSA requires exact sizes.
  const Sizes after = paddingAfter(c.window, spatial(c.x.tensor.sizes), c.positions);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t used = std::min(
        x.tensor.sizes[1 + i], minus(reachOf(c.window, i, c.positions[i]), c.window.before[i]));
    x = slice(emit, x, static_cast<std::int64_t>(1 + i), 0, used);
  }
  const Sizes pads{c.window.before[0], after[0], c.window.before[1], after[1]};
  const Value bias = c.bias ? *c.bias : emit.splat({{c.outputs}, "f32"}, 0.0);
  const Sizes& kernel = c.window.kernel;
  const std::int64_t perGroup = c.channels / c.groups;
  std::vector<Value> parts;
  if (c.groups > 1 && perGroup == 1) {
    const Value weight = reshape(emit, permute(emit, c.weight, {2, 3, 0, 1}),
                                 {kernel[0], kernel[1], c.channels, c.outputs / c.channels});
    parts.push_back(tosaOp(emit, "tosa.depthwise_conv2d", x, weight, bias, c, pads));
  } else {
    const Value weight = permute(emit, c.weight, {0, 2, 3, 1});
    const std::int64_t outputs = c.outputs / c.groups;
    for (std::int64_t g = 0; g < c.groups; ++g)
      parts.push_back(tosaOp(emit, "tosa.conv2d", slice(emit, x, 3, g * perGroup, perGroup),
                             slice(emit, weight, 0, g * outputs, outputs),
                             slice(emit, bias, 0, g * outputs, outputs), c, pads));
  }
  return permute(emit, concat(emit, parts, 3), {0, 3, 1, 2});
}

/// One dimension as a row of two.
Convolution asRow(OpBuilder& emit, Convolution c) {
  c.x = unsqueeze(emit, c.x, 2);
  c.weight = unsqueeze(emit, c.weight, 2);
  for (Sizes* sizes : {&c.window.kernel, &c.window.stride, &c.window.dilation, &c.positions})
    sizes->insertAt(0, 1);
  c.window.before.insertAt(0, 0);
  return c;
}

Handled convolution(Call& call) {
  FXS_TAKE(c, convolutionOf(call));
  FXS_TAKE(isTransposed, call.flag("transposed"));
  OpBuilder& emit = call.emit;
  const std::size_t rank = c.window.rank();
  const auto finished = [&](const Value& out) { return asResult(call, out); };
  if (isTransposed) return finished(transposed(emit, c));
  const bool isDepthwise = c.channels == c.groups;
  if (c.computed != DType::Float32 || rank > 2 || (c.groups > kMostGroups && !isDepthwise))
    return finished(forward(emit, c));
  if (rank == 2) return finished(native(emit, c));
  return finished(dropDim(emit, native(emit, asRow(emit, c)), 2));
}

}  // namespace

void registerTosaConvolution(Registries& registries) {
  tosa::addTosa(registries, {"Conv2dOp"}, convolution, kAnySign);
}

}  // namespace fxs::registry
