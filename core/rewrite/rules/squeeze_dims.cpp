// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// aten.squeeze.dims is not in the torch dialect, but prims.squeeze is, with exactly the dimensions
// to remove.
#include <algorithm>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Results squeezeDims(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::vector<std::int64_t> given = e.integers("dim");
  std::vector<std::size_t> gone;
  for (const std::int64_t d : given) {
    const std::size_t dim = e.dim(d, x);
    // A symbolic size is not 1: torch.export specializes sizes that squeeze tests.
    if (dim < x.rank() && x.meta.sizes[dim] == fx::SymInt(1)) gone.push_back(dim);
  }
  if (gone.empty()) return one(x);
  std::sort(gone.begin(), gone.end());
  return one(e.op("prims.squeeze.default", {x.value, integersOf(gone)}, e.result()));
}

/// Of symbolic sizes: the engine does not know that these are not 1.
Results squeezeAll(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(!x.meta.isStaticShape());
  std::vector<std::size_t> gone;
  for (std::size_t dim = 0; dim < x.rank(); ++dim)
    if (x.meta.sizes[dim] == fx::SymInt(1)) gone.push_back(dim);
  e.require(e.result().rank() + gone.size() == x.rank());
  if (gone.empty()) return one(x);
  return one(e.op("prims.squeeze.default", {x.value, integersOf(gone)}, e.result()));
}

}  // namespace

void registerSqueezeDims(RewriteRules& rules) {
  rules.add({"aten.squeeze.dims", "becomes prims.squeeze of the dimensions of size 1", true,
             squeezeDims});
  rules.add({"aten.squeeze.default",
             "becomes prims.squeeze of the dimensions of size 1, if a size is symbolic", true,
             squeezeAll});
}

}  // namespace fxs::rewrite
