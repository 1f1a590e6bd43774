// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pools as arithmetic on strided slices, one dimension after the other: TOSA pools in two
// dimensions, without dilation and divisor, and StableHLO without ceil_mode.
#include <algorithm>
#include <limits>

#include "rewrite/pool_windows.h"

namespace fxs::rewrite {
namespace {

/// One dimension of a pool, in elements; `after` is the padding at its end.
struct SlicedWindows {
  std::size_t dim;
  std::int64_t kernel, stride, dilation, before, after;
  std::int64_t reach() const { return (kernel - 1) * dilation + 1; }
  /// Whether each window has only elements of the tensor, and those of the padding that the pool
  /// was given.
  bool areInside(bool countsPadding) const {
    return after <= before && (countsPadding || (before == 0 && after == 0));
  }
};

/// With ceil_mode, windows may end beyond the padding, but begin before it does.
std::int64_t paddingAfter(Emitter& e, const Tensor& x, const SlicedWindows& w, bool ceil) {
  if (!ceil) return w.before;
  // Then the last one that ends there begins inside.
  if (w.before + w.stride <= w.reach()) return w.before + w.stride - 1;
  const std::int64_t size = e.fixed(x, w.dim);
  e.require(size <= kMaxNumber);
  const std::int64_t all = size + 2 * w.before - w.reach();
  std::int64_t last = (all + w.stride - 1) / w.stride;
  if (last * w.stride >= size + w.before) --last;
  return std::max<std::int64_t>(last * w.stride + w.reach() - size - w.before, 0);
}

std::vector<SlicedWindows> windowsOf(Emitter& e, const Tensor& x, std::size_t spatial,
                                     bool hasDilation) {
  const std::vector<PoolOptions> options = poolOptions(e, x, spatial, hasDilation);
  const bool ceil = e.flag("ceil_mode");
  std::vector<SlicedWindows> out;
  for (std::size_t i = 0; i < spatial; ++i) {
    const PoolOptions& o = options[i];
    SlicedWindows w{x.rank() - spatial + i, o.kernel, o.stride, o.dilation, o.padding, 0};
    w.after = paddingAfter(e, x, w, ceil);
    out.push_back(w);
  }
  return out;
}

Tensor padded(Emitter& e, const Tensor& x, const std::vector<SlicedWindows>& windows,
              double value) {
  std::vector<std::int64_t> pads;
  for (auto w = windows.rbegin(); w != windows.rend(); ++w)
    pads.insert(pads.end(), {w->before, w->after});
  return e.pad(x, pads, value);
}

/// All windows of dimension `dim` at once: slice k has the k-th element of each.
template <class Combine>
Tensor combined(Emitter& e, const Tensor& x, std::size_t dim, const SlicedWindows& w,
                Combine combine) {
  e.expectNodes(2 * static_cast<std::uint64_t>(w.kernel));
  Tensor out;
  for (std::int64_t k = 0; k < w.kernel; ++k) {
    const std::int64_t first = k * w.dilation, end = first + 1 - w.reach();
    const Tensor slice = e.slice(x, dim, first, end == 0 ? kToEnd : end, w.stride);
    out = k == 0 ? slice : combine(out, slice);
  }
  return out;
}

Tensor sums(Emitter& e, const Tensor& x, std::size_t dim, const SlicedWindows& w) {
  return combined(e, x, dim, w, [&](const Tensor& a, const Tensor& b) { return e.add(a, b); });
}

template <std::size_t spatial>
Results maxPool(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::vector<SlicedWindows> windows = windowsOf(e, x, spatial, true);
  Tensor out = padded(e, x, windows, -std::numeric_limits<double>::infinity());
  for (const SlicedWindows& w : windows)
    out = combined(e, out, w.dim, w,
                   [&](const Tensor& a, const Tensor& b) { return e.maximum(a, b); });
  return one(out);
}

/// How many elements each window averages along its dimension: those of the padded input, or of the
/// input.
Tensor countsOf(Emitter& e, const Tensor& x, const SlicedWindows& w, bool countsPadding) {
  Tensor ones = e.full({e.size(x, w.dim)}, 1.0, x.dtype());
  const std::int64_t counted = countsPadding ? w.before : 0;
  ones = e.pad(ones, {counted, std::min(counted, w.after)}, 1.0);
  ones = e.pad(ones, {w.before - counted, w.after - std::min(counted, w.after)}, 0.0);
  const Tensor counts = sums(e, ones, 0, w);
  Sizes shape(x.rank() - w.dim, Size::of(1));
  shape[0] = e.size(counts, 0);
  return e.reshape(counts, shape);
}

template <std::size_t spatial>
Results averagePool(Emitter& e) {
  const Tensor self = e.tensor("self");
  const bool hasDivisor = spatial > 1;
  const std::optional<std::int64_t> divisor =
      hasDivisor ? e.optionalInteger("divisor_override") : std::nullopt;
  const bool countsPadding = e.flag("count_include_pad");
  const std::vector<SlicedWindows> windows = windowsOf(e, self, spatial, false);
  e.require(!divisor || *divisor != 0);
  const Tensor x = e.cast(self, ops::computationType(self.dtype()));
  Tensor out = padded(e, x, windows, 0);
  double count = 1;
  for (const SlicedWindows& w : windows) {
    out = sums(e, out, w.dim, w);
    if (w.areInside(countsPadding)) count *= static_cast<double>(w.kernel);
    else if (!divisor) out = e.div(out, countsOf(e, x, w, countsPadding));
  }
  return one(e.cast(e.div(out, divisor ? static_cast<double>(*divisor) : count), self.dtype()));
}

}  // namespace

void registerSlicePools(RewriteRules& rules) {
  const std::string maxima = "becomes maxima of slices",
                    sums = "becomes sums of slices, divided by the elements of each window";
  rules.add({"aten.max_pool1d.default", maxima, false, maxPool<1>});
  rules.add({"aten.max_pool2d.default", maxima, false, maxPool<2>});
  rules.add({"aten.max_pool3d.default", maxima, false, maxPool<3>});
  rules.add({"aten.avg_pool1d.default", sums, false, averagePool<1>});
  rules.add({"aten.avg_pool2d.default", sums, false, averagePool<2>});
  rules.add({"aten.avg_pool3d.default", sums, false, averagePool<3>});
}

}  // namespace fxs::rewrite
