// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pools as arithmetic on strided slices, one dimension after the other: TOSA pools in two
// dimensions, without dilation and divisor, and StableHLO without ceil_mode.
#include <limits>

#include "rewrite/pool_windows.h"

namespace fxs::rewrite {
namespace {

/// All windows of dimension `dim` at once: slice k has the k-th element of each.
template <class Combine>
Tensor combined(Emitter& e, const Tensor& x, std::size_t dim, const PoolWindow& w,
                Combine combine) {
  e.expectNodes(2 * static_cast<std::uint64_t>(w.kernel));
  Tensor out;
  for (std::int64_t k = 0; k < w.kernel; ++k) {
    const std::int64_t first = k * w.dilation;
    const Tensor slice = e.slice(x, dim, first, first + (w.outputs - 1) * w.stride + 1, w.stride);
    out = k == 0 ? slice : combine(out, slice);
  }
  return out;
}

template <std::size_t spatial>
Results maxPool(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::vector<PoolWindow> windows = poolWindows(e, x, e.result(), spatial, true);
  Tensor out = paddedForPool(e, x, windows, -std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < spatial; ++i)
    out = combined(e, out, x.rank() - spatial + i, windows[i],
                   [&](const Tensor& a, const Tensor& b) { return e.maximum(a, b); });
  return one(out);
}

/// How many elements each window averages along its dimension: those of the padded input, or of the
/// input.
Tensor countsOf(Emitter& e, const PoolWindow& w, bool padded, DType dtype) {
  const Tensor begin = e.sub(e.mul(e.arange(Size::of(w.outputs)), w.stride), w.padding);
  const auto size = static_cast<double>(w.size);
  const Tensor end = e.clamp(e.add(begin, w.kernel), {}, size + static_cast<double>(w.padding));
  return e.cast(padded ? e.sub(end, begin) : e.sub(e.clamp(end, {}, size), e.clamp(begin, 0.0, {})),
                dtype);
}

template <std::size_t spatial>
Results averagePool(Emitter& e) {
  const Tensor self = e.tensor("self");
  const bool hasDivisor = spatial > 1;
  const std::optional<std::int64_t> divisor =
      hasDivisor ? e.optionalInteger("divisor_override") : std::nullopt;
  const bool countsPadding = e.flag("count_include_pad");
  const std::vector<PoolWindow> windows = poolWindows(e, self, e.result(), spatial, false);
  e.require(!divisor || *divisor != 0);
  const Tensor x = e.cast(self, ops::computationType(self.dtype()));
  Tensor out = paddedForPool(e, x, windows, 0);
  double count = 1;
  for (std::size_t i = 0; i < spatial; ++i) {
    const PoolWindow& w = windows[i];
    const std::size_t dim = x.rank() - spatial + i;
    out = combined(e, out, dim, w, [&](const Tensor& a, const Tensor& b) { return e.add(a, b); });
    const std::int64_t reach = (w.outputs - 1) * w.stride + w.kernel - w.padding;
    if (w.padding == 0 ? reach <= w.size : countsPadding && reach <= w.size + w.padding) {
      count *= static_cast<double>(w.kernel);
    } else if (!divisor) {
      Sizes shape(x.rank() - dim, Size::of(1));
      shape[0] = Size::of(w.outputs);
      out = e.div(out, e.reshape(countsOf(e, w, countsPadding, x.dtype()), shape));
    }
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
