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

/// The Python of maximaOfRows(), as the end of a function: `rows` are elements of `self`, whose
/// positions in the dimensions from `lead` on are `places`.
inline constexpr std::string_view kPythonMaximaOfRows =
    "    best, none = rows.amax([-1]), torch.full([], -1, dtype=torch.int64)\n"
    "    beyond = torch.full([], self.shape[lead:].numel(), dtype=torch.int64)\n"
    "    first = torch.where(rows == best.unsqueeze(-1), places, beyond).amin([-1])\n"
    "    last = torch.where(rows != rows, places, none).amax([-1])\n"
    "    return best, torch.where(last >= 0, last, first)\n";
/// What comes before it in that of maximaOf(): `reads` are the positions of each dimension.
inline constexpr std::string_view kPythonRows =
    "    n, lead = len(reads), self.dim() - len(reads)\n"
    "    read, places, outputs = self, None, [at.shape[0] for at in reads]\n"
    "    for i, at in enumerate(reads):\n"
    "        read = aten.index(read, [None] * (lead + 2 * i) + [at])\n"
    "        own = [1] * (2 * n)\n"
    "        own[i], own[n + i] = at.shape\n"
    "        at = at.reshape(own)\n"
    "        places = at if places is None else places * self.shape[lead + i] + at\n"
    "    order = [*range(lead), *range(lead, lead + 2 * n, 2), *range(lead + 1, lead + 2 * n, 2)]\n"
    "    rows = read.permute(order).reshape([*self.shape[:lead], *outputs, -1])\n"
    "    places = places.reshape([*outputs, -1])\n";

}  // namespace fxs::rewrite
