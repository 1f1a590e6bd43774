// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resampling of images: the source elements of each result element are computed here and written as
// constants.
#include <algorithm>
#include <array>
#include <cmath>

#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

constexpr std::int64_t kMostPlaces = 1 << 14;

/// The elements of `dim` at `indices`.
Value picked(OpBuilder& emit, const Value& x, std::int64_t dim,
             const std::vector<Scalar>& indices) {
  std::int64_t before = 1;
  std::int64_t after = 1;
  for (std::int64_t d = 0; d < x.tensor.rank(); ++d)
    if (d != dim) {
      std::int64_t& side = d < dim ? before : after;
      side = times(side, x.tensor.sizes[static_cast<std::size_t>(d)]);
    }
  const auto count = static_cast<std::int64_t>(indices.size());
  const Value rows =
      reshape(emit, x, {before, x.tensor.sizes[static_cast<std::size_t>(dim)], after});
  const Value index = tile(emit, emit.constant({{1, count}, "i32"}, indices), {before, 1});
  const Value out =
      emit.op("tosa.gather", {rows, index}, withSizes(x.tensor, {before, count, after}));
  Sizes sizes = x.tensor.sizes;
  sizes[static_cast<std::size_t>(dim)] = count;
  return reshape(emit, out, sizes);
}

/// A position as an integer; a factor near 0 makes positions infinite or NaN.
std::int64_t atMost(double place, std::int64_t last) {
  return place < static_cast<double>(last) ? static_cast<std::int64_t>(place) : last;
}

/// The source step per result element, for each resized dimension: 1 / the given factor, or the
/// ratio of sizes. Factors are a list or separate arguments.
tl::expected<std::vector<double>, Refusal> stepsOf(Call& call, const Sizes& from, const Sizes& to) {
  static constexpr std::array kOwn{"scales_d", "scales_h", "scales_w"};
  std::vector<double> out;
  const fx::Argument factors = call.argument("scale_factors");
  const fx::ArgumentList* given = factors.list();
  for (std::size_t i = 0; i < from.size(); ++i) {
    double step = static_cast<double>(from[i]) / static_cast<double>(to[i]);
    fx::Argument factor = fx::None{};
    if (given != nullptr && i < given->size()) factor = (*given)[i];
    else if (given == nullptr) factor = call.argument(kOwn[kOwn.size() - from.size() + i]);
    if (given != nullptr || !factor.isNone()) {
      const auto* number = std::get_if<double>(&factor);
      if (number == nullptr || *number <= 0)
        return refuse("the scale factors are not positive constants");
      step = 1.0 / *number;
    }
    out.push_back(step);
  }
  return out;
}

struct Resized {
  Value x;
  Sizes from, to;
};

tl::expected<Resized, Refusal> resizedOf(Call& call, std::string_view name, std::size_t dims,
                                         DType computed) {
  FXS_TAKE(x, operandAs(call, name, computed));
  FXS_TAKE(result, call.result());
  if (x.tensor.sizes.size() != dims + 2 || result.sizes.size() != dims + 2)
    return refuse("an image requires a batch, channels and " + std::to_string(dims) +
                  " dimensions");
  Resized out{x,
              {x.tensor.sizes.begin() + 2, x.tensor.sizes.end()},
              {result.sizes.begin() + 2, result.sizes.end()}};
  if (*std::max_element(out.to.begin(), out.to.end()) > kMostPlaces)
    return refuse("the image is too large to unroll its positions");
  return out;
}

Handled nearest(Call& call) {
  FXS_TAKE(image, resizedOf(call, "input", 2, call.resultDtype()));
  FXS_TAKE(steps, stepsOf(call, image.from, image.to));
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<Scalar> indices;
    // PyTorch computes positions in f32.
    for (std::int64_t place = 0; place < image.to[i]; ++place)
      indices.emplace_back(atMost(
          std::floor(static_cast<float>(place) * static_cast<float>(steps[i])), image.from[i] - 1));
    image.x = picked(call.emit, image.x, static_cast<std::int64_t>(2 + i), indices);
  }
  return Values{image.x};
}

/// Interpolates between the two nearest elements, one dimension after the other.
Handled linear(Call& call, std::string_view operand, std::size_t dims) {
  FXS_TAKE(image, resizedOf(call, operand, dims, computedType(call)));
  FXS_TAKE(alignsCorners, call.flag("align_corners"));
  FXS_TAKE(steps, stepsOf(call, image.from, image.to));
  if (isWhole(call.resultDtype()))
    return refuse("PyTorch's rounding of interpolated integers is not supported");
  OpBuilder& emit = call.emit;
  for (std::size_t i = 0; i < dims; ++i) {
    const std::int64_t last = image.from[i] - 1;
    std::vector<Scalar> low;
    std::vector<Scalar> high;
    std::vector<Scalar> shares;
    for (std::int64_t place = 0; place < image.to[i]; ++place) {
      const auto at = static_cast<double>(place);
      double step = steps[i];
      if (alignsCorners)
        step = image.to[i] > 1 ? static_cast<double>(last) / static_cast<double>(image.to[i] - 1)
                               : 0.0;
      const double source = alignsCorners ? at * step : std::max(0.0, (at + 0.5) * step - 0.5);
      const std::int64_t first = atMost(source, last);
      low.emplace_back(first);
      high.emplace_back(std::min(first + 1, last));
      shares.emplace_back(std::clamp(source - static_cast<double>(first), 0.0, 1.0));
    }
    const auto dim = static_cast<std::int64_t>(2 + i);
    Sizes sizes = ones(image.x.tensor.rank());
    sizes[2 + i] = image.to[i];
    const Value share = emit.constant(withSizes(image.x.tensor, sizes), shares);
    const Value rest = sub(emit, number(emit, share, 1.0), share);
    const Value from = picked(emit, image.x, dim, low);
    const Value to = picked(emit, image.x, dim, high);
    image.x = add(emit, mul(emit, from, rest), mul(emit, to, share));
  }
  return asResult(call, image.x);
}

}  // namespace

void registerTosaResampling(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"UpsampleNearest2dVecOp"}, nearest, kAnySign);
  addTosa(registries, {"UpsampleBilinear2dVecOp"}, with(linear, "input", 2));
  addTosa(registries, {"UpsampleTrilinear3dOp"}, with(linear, "self", 3));
}

}  // namespace fxs::registry
