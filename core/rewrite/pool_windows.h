// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The windows of a pool, one for each spatial dimension.
#include <cstdint>
#include <string_view>
#include <vector>

#include "rewrite/emit.h"

namespace fxs::rewrite {

/// One spatial dimension of a pool. All in elements.
struct PoolWindow {
  std::int64_t size, kernel, stride, padding, dilation, outputs;
};

/// Those of the matched node, whose pooled tensor `x` has `spatial` dimensions after the others and
/// becomes `result`. Throws Misfit if a size is symbolic or out of bounds. `dilation` is 1 for a
/// node that has none.
std::vector<PoolWindow> poolWindows(Emitter&, const Tensor& x, const fx::TensorMeta& result,
                                    std::size_t spatial, bool hasDilation);
/// What the windows of one dimension read: int64 [outputs, elements], positions in the dimension.
/// A window of fewer elements has some of them twice.
struct WindowReads {
  Tensor positions;
  std::int64_t size, outputs, elements;
};
struct Maxima {
  Tensor values, positions;  ///< int64 positions in the plane of the pooled dimensions
};
/// The maximum of each window over the last dimensions of `x`, and its position, as PyTorch chooses
/// it: that of the first of equal elements, or of the last NaN.
Maxima maximaOf(Emitter&, const Tensor& x, const std::vector<WindowReads>&);
/// The same of the last dimension of `rows`, whose elements are at `places`, below `planeSize`.
Maxima maximaOfRows(Emitter&, const Tensor& rows, const Tensor& places, std::int64_t planeSize);
/// `x` padded with `value`, so that every window is in it; with ceil_mode the last ones reach
/// beyond the padding.
Tensor paddedForPool(Emitter&, const Tensor& x, const std::vector<PoolWindow>&, double value);

}  // namespace fxs::rewrite
