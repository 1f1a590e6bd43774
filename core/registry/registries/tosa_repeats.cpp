// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// repeat, tile, flip and unfold.
#include "registry/tosa/loops.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

/// Pads the shorter of repetitions and shape with 1 in front.
Handled repeated(Call& call, std::string_view name) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(repeats, call.integers(name));
  FXS_TAKE(result, call.result());
  if (repeats.size() < x.tensor.sizes.size())
    repeats.insert(repeats.begin(), x.tensor.sizes.size() - repeats.size(), 1);
  for (std::size_t d = 0; d < repeats.size(); ++d)
    if (repeats[d] < 1 || d >= result.sizes.size() || repeats[d] > result.sizes[d])
      return refuse("the repeats do not match the result");
  return Values{
      tile(call.emit, withRank(call.emit, x, static_cast<std::int64_t>(repeats.size())), repeats)};
}

Handled mirrored(Call& call, std::string_view operand) {
  FXS_TAKE(x, call.operand(operand));
  FXS_TAKE(dims, call.integers("dims"));
  for (const std::int64_t dim : dims) {
    FXS_TAKE(wrapped, Call::dim(dim, x.tensor.rank()));
    if (x.tensor.rank() != 0) x = reverse(call.emit, x, wrapped);
  }
  return Values{x};
}

/// Windows of `size` every `step` along a dimension; the index in the window becomes the last
/// dimension.
Handled unfold(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(dim, call.dim("dimension", x.tensor.rank()));
  FXS_TAKE(step, call.integer("step"));
  FXS_TAKE(result, call.result());
  if (x.tensor.rank() == 0) return Values{reshape(call.emit, x, result.sizes)};
  if (result.rank() != x.tensor.rank() + 1 || step < 1)
    return refuse("the program records no windows along a dimension");
  std::string map;
  for (std::int64_t d = 0; d < x.tensor.rank(); ++d) {
    map += (map.empty() ? "d" : ", d") + std::to_string(d);
    if (d == dim) map += " * " + std::to_string(step) + " + d" + std::to_string(result.rank() - 1);
  }
  return Values{loop(call.emit,
                     {std::string(result.sizes.size(), 'p'), {map, identityMap(result.rank())}},
                     std::vector{x}, emptyTensor(call.emit, result),
                     [](std::span<const Value> in) { return Values{in[0]}; })};
}

}  // namespace

void registerTosaRepeats(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"RepeatOp"}, with(repeated, "repeats"), kAnySign);
  addTosa(registries, {"TileOp"}, with(repeated, "dims"), kAnySign);
  addTosa(registries, {"FlipOp"}, with(mirrored, "self"), kAnySign);
  addTosa(registries, {"RevOp"}, with(mirrored, "a"), kAnySign);
  addTosa(registries, {"UnfoldOp"}, unfold, kAnySign);
}

}  // namespace fxs::registry
