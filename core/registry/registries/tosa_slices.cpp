// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// select, slice, split and the like.
#include <optional>

#include "ops/shapes.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

struct Along {
  Value x;
  std::int64_t dim, size;
};

tl::expected<Along, Refusal> along(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(dim, call.dim("dim", x.tensor.rank()));
  if (x.tensor.rank() == 0) return refuse("a scalar cannot be sliced");
  return Along{x, dim, x.tensor.sizes[static_cast<std::size_t>(dim)]};
}

Handled chosen(Call& call) {
  FXS_TAKE(on, along(call));
  FXS_TAKE(given, call.integer("index"));
  const std::optional<std::size_t> index = ops::wrapIndex(given, static_cast<std::size_t>(on.size));
  if (!index)
    return refuse("index " + std::to_string(given) + " is out of range for size " +
                  std::to_string(on.size));
  return Values{dropDim(call.emit,
                        tosa::slice(call.emit, on.x, on.dim, static_cast<std::int64_t>(*index), 1),
                        on.dim)};
}

Handled range(Call& call) {
  FXS_TAKE(on, along(call));
  FXS_TAKE(first, call.integerOr(0, "start"));
  FXS_TAKE(stop, call.integerOr(on.size, "end"));
  const std::int64_t start = ops::sliceBound(first, on.size), end = ops::sliceBound(stop, on.size);
  FXS_TAKE(step, call.integer("step"));
  if (step <= 0) return refuse("a slice requires a positive step");
  if (end <= start) return refuse("the slice is empty");
  return Values{tosa::slice(call.emit, on.x, on.dim, start, (end - start - 1) / step + 1, step)};
}

Handled pieces(Call& call) {
  FXS_TAKE(on, along(call));
  FXS_TAKE(sizes, call.integers("split_sizes"));
  Values out;
  std::int64_t start = 0;
  for (const std::int64_t size : sizes) {
    if (size < 0 || size > on.size - start)
      return refuse("the pieces do not sum to size " + std::to_string(on.size));
    out.push_back(tosa::slice(call.emit, on.x, on.dim, start, size));
    start += size;
  }
  return out;
}

}  // namespace

void registerTosaSlices(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"SelectOp"}, chosen, kAnySign);
  addTosa(registries, {"SliceOp"}, range, kAnySign);
  addTosa(registries, {"SplitWithSizesOp"}, pieces, kAnySign);
}

}  // namespace fxs::registry
