// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/tosa/windows.h"

#include <algorithm>

#include "registry/tosa/loops.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry::tosa {
namespace {

constexpr std::int64_t kMostPerDimension = 1 << 20;

/// "d3 * 2 + d5 * 1, ..": where element (place, offset) of each window is.
std::string positions(const Window& window, std::size_t firstPlace, std::size_t firstOffset) {
  std::string out;
  for (std::size_t i = 0; i < window.rank(); ++i)
    out += (out.empty() ? "d" : ", d") + std::to_string(firstPlace + i) + " * " +
           std::to_string(window.stride[i]) + " + d" + std::to_string(firstOffset + i) + " * " +
           std::to_string(window.dilation[i]);
  return out;
}

std::string dimensions(std::size_t first, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i)
    out += (out.empty() ? "d" : ", d") + std::to_string(first + i);
  return out;
}

Sizes joined(Sizes a, const Sizes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

tl::expected<Sizes, Refusal> perDimension(Call& call, std::string_view name, std::size_t rank) {
  FXS_TAKE(given, call.integers(name));
  for (const std::int64_t entry : given)
    if (entry < 0 || entry > kMostPerDimension)
      return refuse("argument '" + std::string(name) + "' has the entry " + std::to_string(entry));
  if (given.size() == 1) return Sizes(rank, given.front());
  if (given.size() != rank)
    return refuse("argument '" + std::string(name) + "' has " + std::to_string(given.size()) +
                  " entries for " + std::to_string(rank) + " dimensions");
  return given;
}

tl::expected<Window, Refusal> poolingWindow(Call& call, std::size_t rank) {
  Window out;
  FXS_TAKE(kernel, perDimension(call, "kernel_size", rank));
  out.kernel = kernel;
  out.stride = kernel;
  if (call.has("stride")) {
    FXS_TAKE(given, call.integers("stride"));
    if (!given.empty()) {
      FXS_TAKE(stride, perDimension(call, "stride", rank));
      out.stride = stride;
    }
  }
  FXS_TAKE(padding, perDimension(call, "padding", rank));
  out.before = padding;
  out.dilation = Sizes(rank, 1);
  if (call.has("dilation")) {
    FXS_TAKE(dilation, perDimension(call, "dilation", rank));
    out.dilation = dilation;
  }
  return out;
}

std::int64_t reachOf(const Window& window, std::size_t i, std::int64_t outputs) {
  return plus(
      plus(times(outputs - 1, window.stride[i]), times(window.kernel[i] - 1, window.dilation[i])),
      1);
}

Sizes paddingAfter(const Window& window, const Sizes& sizes, const Sizes& outputs) {
  Sizes out;
  for (std::size_t i = 0; i < window.rank(); ++i) {
    out.push_back(std::max<std::int64_t>(
        0, minus(reachOf(window, i, outputs[i]), plus(sizes[i], window.before[i]))));
  }
  return out;
}

Value slide(OpBuilder& emit, const Value& x, const Window& window, const Sizes& outputs,
            std::string_view op, Scalar start) {
  const std::size_t rank = window.rank();
  const TensorType type = withSizes(x.tensor, joined({x.tensor.sizes[0]}, outputs));
  const Value shape =
      emptyTensor(emit, withSizes(x.tensor, window.kernel));  // only its sizes are read
  const LoopNest nest{"p" + std::string(rank, 'p') + std::string(rank, 'r'),
                      {"d0, " + positions(window, 1, 1 + rank), dimensions(1 + rank, rank),
                       dimensions(0, 1 + rank)}};
  return loop(emit, nest, std::vector{x, shape}, emit.splat(type, start, "arith.constant"),
              [&](std::span<const Value> in) { return Values{element(emit, op, {in[2], in[0]})}; });
}

Value convolve(OpBuilder& emit, const Value& x, const Value& weight, const Window& window,
               const Sizes& outputs) {
  const std::size_t rank = window.rank();
  const bool floats = x.tensor.isFloat();
  const TensorType type = withSizes(
      x.tensor, joined({x.tensor.sizes[0], x.tensor.sizes[1], weight.tensor.sizes[1]}, outputs));
  // d0 batch, d1 group, d2 channel of the result, the places, the channel that is summed over, the
  // offsets.
  const std::string channel = "d" + std::to_string(3 + rank);
  const LoopNest nest{
      "ppp" + std::string(rank, 'p') + "r" + std::string(rank, 'r'),
      {"d0, d1, " + channel + ", " + positions(window, 3, 4 + rank),
       "d1, d2, " + channel + ", " + dimensions(4 + rank, rank), dimensions(0, 3 + rank)}};
  const Value zero =
      emit.splat(type, floats ? Scalar(0.0) : Scalar(std::int64_t{0}), "arith.constant");
  return loop(emit, nest, std::vector{x, weight}, zero, [&](std::span<const Value> in) {
    const Value product = element(emit, floats ? "arith.mulf" : "arith.muli", {in[0], in[1]});
    return Values{element(emit, floats ? "arith.addf" : "arith.addi", {in[2], product})};
  });
}

}  // namespace fxs::registry::tosa
