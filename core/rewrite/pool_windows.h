// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The windows of a pool, one for each spatial dimension.
#include <cstdint>
#include <string_view>
#include <vector>

#include "rewrite/emit.h"

namespace fxs::rewrite {

/// What a pool is told of one spatial dimension. All in elements.
struct PoolOptions {
  std::int64_t kernel, stride, padding, dilation;
};
struct PoolWindow : PoolOptions {
  std::int64_t size, outputs;
};

/// Those of the matched node, whose pooled tensor `x` has `spatial` dimensions after the others.
/// Throws Misfit if one is out of bounds. `dilation` is 1 for a node that has none.
std::vector<PoolOptions> poolOptions(Emitter&, const Tensor& x, std::size_t spatial,
                                     bool hasDilation);

/// poolOptions() with the sizes; `x` becomes `result`. Throws Misfit if one is symbolic, too.
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

}  // namespace fxs::rewrite
