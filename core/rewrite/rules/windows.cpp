// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors computed from constants: logspace, windows, affine grids, empty_permuted.
#include <numbers>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Tensor ramp(Emitter& e, std::int64_t n, DType dtype) {
  return e.cast(e.arange(Size::of(n)), dtype);
}

Results logspace(Emitter& e) {
  const double start = e.number("start"), end = e.number("end"), base = e.number("base");
  const std::int64_t steps = e.integer("steps");
  const fx::TensorMeta result = e.result();
  e.require(steps >= 1 && base > 0 && isFloating(result.dtype));
  const double step = steps > 1 ? (end - start) / static_cast<double>(steps - 1) : 0;
  const Tensor exponent = e.add(e.mul(ramp(e, steps, result.dtype), step), start);
  return one(e.op("aten.pow.Scalar", {base, exponent.value}, exponent.meta));
}

/// a0 - a1 cos(2 pi n / N): periodic windows have N = length, symmetric ones length - 1.
Results cosineWindow(Emitter& e, double a0, double a1, bool periodic) {
  const std::int64_t n = e.integer("window_length");
  const fx::TensorMeta result = e.result();
  e.require(n >= 1 && isFloating(result.dtype));
  if (n == 1) return one(e.full({Size::of(1)}, 1.0, result.dtype));
  const double turn = 2 * std::numbers::pi / static_cast<double>(periodic ? n : n - 1);
  const Tensor wave = e.unary("cos", e.mul(ramp(e, n, result.dtype), turn));
  return one(e.add(e.mul(wave, -a1), a0));
}

template <bool asked>
Results hann(Emitter& e) {
  return cosineWindow(e, 0.5, 0.5, asked ? e.flag("periodic") : true);
}

template <bool asked>
Results hamming(Emitter& e) {
  const bool weighted = e.matched().target.find("alpha") != std::string::npos;
  const double alpha = weighted ? e.number("alpha") : 0.54;
  const double beta =
      e.matched().target.find("beta") != std::string::npos ? e.number("beta") : 0.46;
  return cosineWindow(e, alpha, beta, asked ? e.flag("periodic") : true);
}

/// -1 .. 1 in `n` steps: at the pixels' centres, or from corner to corner.
Tensor coordinates(Emitter& e, std::int64_t n, bool corners, DType dtype) {
  if (corners && n == 1) return e.zeros({Size::of(1)}, dtype);
  const auto count = static_cast<double>(n);
  const double step = corners ? 2 / (count - 1) : 2 / count;
  return e.add(e.mul(ramp(e, n, dtype), step), corners ? -1.0 : -1.0 + 1 / count);
}

/// theta applied to the homogeneous coordinates of every output pixel.
Results affineGrid(Emitter& e) {
  const Tensor theta = e.tensor("theta");
  const std::vector<std::int64_t> size = e.integers("size");
  const bool corners = e.flag("align_corners");
  e.require((size.size() == 4 || size.size() == 5) && theta.rank() == 3 &&
            isFloating(theta.dtype()));
  for (const std::int64_t s : size) e.require(s > 0 && s <= 1 << 20);
  const std::size_t spatial = size.size() - 2;
  Sizes grid;
  for (std::size_t i = 0; i < spatial; ++i) grid.push_back(Size::of(size[i + 2]));
  Sizes wide = grid;
  wide.push_back(Size::of(1));
  std::vector<Tensor> columns;
  // x, the innermost dimension, comes first.
  for (std::size_t i = spatial; i-- > 0;) {
    Sizes own(spatial, Size::of(1));
    own[i] = grid[i];
    columns.push_back(e.reshape(
        e.expand(e.reshape(coordinates(e, size[i + 2], corners, theta.dtype()), own), grid), wide));
  }
  columns.push_back(e.full(wide, 1.0, theta.dtype()));
  const Size points = e.product(grid), rank = Size::of(static_cast<std::int64_t>(spatial) + 1);
  const Tensor base = e.expand(e.reshape(e.cat(columns, spatial), {Size::of(1), points, rank}),
                               {e.size(theta, 0), points, rank});
  const Tensor moved = e.matmul(base, e.transpose(theta, 1, 2));
  Sizes shape{e.size(theta, 0)};
  shape.insert(shape.end(), grid.begin(), grid.end());
  shape.push_back(Size::of(static_cast<std::int64_t>(spatial)));
  return one(e.reshape(moved, shape));
}

/// The contents of empty tensors are unspecified: use zeros.
Results emptyPermuted(Emitter& e) {
  return one(e.zeros(sizesOf(e.integers("size")), e.result().dtype));
}

}  // namespace

void registerWindows(RewriteRules& rules) {
  rules.add({"aten.logspace.default", "becomes a power of a ramp", true, logspace});
  rules.add({"aten.hann_window.default", "becomes a cosine of a ramp", true, hann<false>});
  rules.add({"aten.hann_window.periodic", "becomes a cosine of a ramp", true, hann<true>});
  rules.add({"aten.hamming_window.default", "becomes a cosine of a ramp", true, hamming<false>});
  rules.addEach({"aten.hamming_window.periodic", "aten.hamming_window.periodic_alpha",
                 "aten.hamming_window.periodic_alpha_beta"},
                "becomes a cosine of a ramp", true, hamming<true>);
  rules.add({"aten.affine_grid_generator.default",
             "becomes a product of pixel coordinates with theta", true, affineGrid});
  rules.add({"aten.empty_permuted.default", "becomes zeros: its contents are not defined", true,
             emptyPermuted});
}

}  // namespace fxs::rewrite
