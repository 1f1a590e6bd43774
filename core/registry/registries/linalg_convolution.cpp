// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution and padding with a constant, of numbers and of symbolic sizes, element by element:
// the text decides what lies outside of the input.
#include <algorithm>
#include <optional>

#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"
#include "registry/numbers.h"
#include "registry/registry.h"
#include "registry/tosa/windows.h"

namespace fxs::registry {
namespace {
using namespace linalg;

struct Convolution {
  Value x, weight;  ///< [N, C, sizes..], [O, C / groups, kernel..]; transposed: [C, O / groups, ..]
  std::optional<Value> bias;
  Sizes kernel, stride, padding, dilation;
  std::int64_t channels = 0, outputs = 0, groups = 1;
  bool isTransposed = false;
  DType dtype = DType::Unknown;  ///< of the operands and the result
  std::int64_t channelsOfGroup() const { return channels / groups; }
  std::int64_t outputsOfGroup() const { return outputs / groups; }
};

/// How many windows fit along the dimension `d`, of numbers.
std::int64_t windowsOf(const Convolution& c, std::size_t d, std::int64_t size,
                       std::int64_t outputPadding) {
  const std::int64_t reach = plus(times(c.kernel[d] - 1, c.dilation[d]), 1),
                     around = times(2, c.padding[d]);
  if (c.isTransposed)
    return plus(minus(plus(times(size - 1, c.stride[d]), reach), around), outputPadding);
  const std::int64_t last = minus(plus(size, around), reach);  // where a window may begin
  return c.stride[d] < 1 || last < 0 ? 0 : last / c.stride[d] + 1;
}

/// Whether the sizes that the program records are those of the operands, where they are numbers.
bool isConsistent(const Convolution& c, const Sizes& outputPadding, const Sizes& result) {
  for (std::size_t d = 0; d < c.kernel.size(); ++d) {
    const std::int64_t size = c.x.tensor.sizes[d + 2], recorded = result[d + 2];
    if (isSymbolic(size) || isSymbolic(recorded)) continue;
    if (recorded != windowsOf(c, d, size, outputPadding[d])) return false;
  }
  return c.weight.tensor.sizes[0] == (c.isTransposed ? c.channels : c.outputs) &&
         c.weight.tensor.sizes[1] == (c.isTransposed ? c.outputsOfGroup() : c.channelsOfGroup());
}

tl::expected<Convolution, Refusal> convolutionOf(Call& call) {
  Convolution out;
  FXS_TAKE(x, call.operand("input"));
  FXS_TAKE(weight, call.operand("weight"));
  FXS_TAKE(result, call.result());
  out.dtype = call.resultDtype();
  const bool sameTypes = call.dtypeOf(call.argument("input")) == out.dtype &&
                         weight.tensor.element == x.tensor.element;
  if (!sameTypes || !isArithmetic(out.dtype) || out.dtype == DType::Bool)
    return refuse("a convolution of " + x.type + " with " + weight.type + " is not supported");
  if (x.tensor.rank() < 3 || weight.tensor.rank() != x.tensor.rank() ||
      result.rank() != x.tensor.rank())
    return refuse("a convolution requires a batch, channels and at least one spatial dimension");
  const auto rank = static_cast<std::size_t>(x.tensor.rank() - 2);
  FXS_TAKE(stride, tosa::perDimension(call, "stride", rank));
  FXS_TAKE(padding, tosa::perDimension(call, "padding", rank));
  FXS_TAKE(dilation, tosa::perDimension(call, "dilation", rank));
  FXS_TAKE(outputPadding, tosa::perDimension(call, "output_padding", rank));
  FXS_TAKE(groups, call.integer("groups"));
  FXS_TAKE(isTransposed, call.flag("transposed"));
  out.channels = x.tensor.sizes[1];
  out.outputs = result.sizes[1];
  if (isSymbolic(out.channels) || isSymbolic(out.outputs) || !weight.tensor.isStatic())
    return refuse("the number of channels is symbolic");
  if (groups < 1 || out.channels % groups != 0 || out.outputs % groups != 0)
    return refuse("the channels are not divisible into " + std::to_string(groups) + " groups");
  if (call.has("bias")) {
    FXS_TAKE(bias, call.operand("bias"));
    out.bias = bias;
  }
  out.x = x;
  out.weight = weight;
  out.kernel = {weight.tensor.sizes.begin() + 2, weight.tensor.sizes.end()};
  out.stride = stride;
  out.padding = padding;
  out.dilation = dilation;
  out.groups = groups;
  out.isTransposed = isTransposed;
  if (!isConsistent(out, outputPadding, result.sizes))
    return refuse("the recorded sizes are not those of the windows");
  return out;
}

/// An index of a dimension of `size` elements, clamped, and whether it was one.
struct Place {
  Value index, inside;
};
Place placed(const Arith& arith, const Value& i, const Value& size, const Value& inside) {
  const Value low = arith.constant(i, std::int64_t{0});
  const Value high = arith.sub(size, arith.constant(i, std::int64_t{1}));
  const Value isIn = arith.both(arith.compare(Relation::GreaterEqual, i, low),
                                arith.compare(Relation::LessEqual, i, high));
  return {arith.maximum(arith.minimum(i, high), low), arith.both(inside, isIn)};
}

/// Where in the input the element of the window at `window` lies for the output `out`.
Place source(OpBuilder& emit, const Convolution& c, std::size_t d, const Value& out,
             const Value& window, const Value& inside) {
  const Arith arith(emit, DType::Int64);
  const auto times = [&](const Value& v, std::int64_t by) {
    return by == 1 ? v : arith.mul(v, index(emit, by));
  };
  const Value size = index(emit, c.x.tensor.sizes[d + 2]);
  const Value offset = times(window, c.dilation[d]);
  if (!c.isTransposed) {
    const Value at =
        arith.sub(arith.add(times(out, c.stride[d]), offset), index(emit, c.padding[d]));
    return placed(arith, at, size, inside);
  }
  const Value at = arith.sub(arith.add(out, index(emit, c.padding[d])), offset);
  const Value step = index(emit, c.stride[d]);
  const Value quotient = arith.floorDiv(at, step);
  const Value exact = arith.compare(Relation::Equal, arith.mul(quotient, step), at);
  return placed(arith, quotient, size, arith.both(inside, exact));
}

/// One product of a sum: the element under the window times its weight, 0 outside of the input.
Value term(OpBuilder& emit, const Convolution& c, DType sum, Elements out, Elements window) {
  const Arith arith(emit, sum), places(emit, DType::Int64);
  Value channel = window[0], output = out[1];
  if (c.groups > 1) {
    const Value perGroup = index(emit, c.outputsOfGroup());
    const Value group = places.div(out[1], perGroup);
    channel = places.add(places.mul(group, index(emit, c.channelsOfGroup())), window[0]);
    if (c.isTransposed) output = places.remainder(out[1], perGroup);
  }
  std::vector<Value> from{out[0], channel}, weight{output, window[0]};
  if (c.isTransposed) weight = {channel, output};
  Value inside = emit.scalar("i1", true);
  for (std::size_t d = 0; d < c.kernel.size(); ++d) {
    const Place place = source(emit, c, d, out[d + 2], window[d + 1], inside);
    from.push_back(place.index);
    weight.push_back(window[d + 1]);
    inside = place.inside;
  }
  const Value product = arith.mul(convert(emit, extract(emit, c.x, from), c.dtype, sum),
                                  convert(emit, extract(emit, c.weight, weight), c.dtype, sum));
  return arith.select(inside, product, arith.constant(numberOf(std::int64_t{0}, sum)));
}

Handled convolution(Call& call) {
  FXS_TAKE(c, convolutionOf(call));
  FXS_TAKE(result, call.result());
  OpBuilder& emit = call.emit;
  const DType sum = ops::computationType(c.dtype);
  const Arith arith(emit, sum);
  Sizes window = c.kernel;
  window.insertAt(0, c.channelsOfGroup());
  return Values{generate(emit, result, [&](Elements out) {
    const std::vector<Value> output{out[1]};
    const Value start = c.bias ? convert(emit, extract(emit, *c.bias, output), c.dtype, sum)
                               : arith.constant(numberOf(std::int64_t{0}, sum));
    const Values done = loop(emit, window, {start}, [&](Elements at, Elements soFar) -> Values {
      return {arith.add(soFar[0], term(emit, c, sum, out, at))};
    });
    return convert(emit, done[0], sum, c.dtype);
  })};
}

Handled padded(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(amounts, call.integers("pad"));
  FXS_TAKE(number, call.number("value"));
  FXS_TAKE(result, call.result());
  const std::size_t rank = x.tensor.sizes.size();
  if (amounts.size() % 2 != 0 || amounts.size() / 2 > rank || rank == 0)
    return refuse("the padding has " + std::to_string(amounts.size()) + " entries");
  if (!isArithmetic(call.resultDtype())) return refuse("padding of " + x.type);
  for (std::size_t d = 0; d < rank; ++d) {
    const std::size_t pair = 2 * (rank - 1 - d);
    const std::int64_t size = x.tensor.sizes[d];
    const std::int64_t more =
        pair < amounts.size() ? plus(amounts[pair], amounts[pair + 1]) : std::int64_t{0};
    if (!isSymbolic(size) && result.sizes[d] != plus(size, more))
      return refuse("the recorded sizes are not those of the padding");
  }
  OpBuilder& emit = call.emit;
  const Arith arith(emit, call.resultDtype()), places(emit, DType::Int64);
  return Values{generate(emit, result, [&](Elements out) {
    std::vector<Value> from;
    Value inside = emit.scalar("i1", true);
    for (std::size_t d = 0; d < rank; ++d) {
      // PyTorch lists (before, after) pairs from the last dimension.
      const std::size_t pair = 2 * (rank - 1 - d);
      if (pair >= amounts.size()) {
        from.push_back(out[d]);
        continue;
      }
      const Value at = places.sub(out[d], index(emit, amounts[pair]));
      const Place place = placed(places, at, index(emit, x.tensor.sizes[d]), inside);
      from.push_back(place.index);
      inside = place.inside;
    }
    const Value value = arith.constant(numberOf(number, call.resultDtype()));
    return arith.select(inside, extract(emit, x, from), value);
  })};
}

}  // namespace

void registerLinalgConvolution(Registries& registries) {
  registries.add("linalg", {"Conv2dOp"}, convolution);
  registries.add("linalg", {"ConstantPadNdOp"}, padded);
  registries.anySizes("linalg", {"Conv2dOp", "ConstantPadNdOp"});
}

}  // namespace fxs::registry
