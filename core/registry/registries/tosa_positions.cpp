// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// argmax and argmin.
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/reductions.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

Handled position(Call& call, Extreme extreme) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(result, call.result());
  std::int64_t dim = 0;
  if (call.has("dim")) {
    FXS_TAKE(given, call.dim("dim", x.tensor.rank()));
    dim = given;
    x = atLeast1d(call.emit, x);
  } else {
    x = reshape(call.emit, x, {x.tensor.elements()});
  }
  return Values{reshape(call.emit, positions(call.emit, x, dim, extreme), result.sizes)};
}

Handled extremeAndPosition(Call& call, Extreme extreme) {
  FXS_TAKE(given, call.operand("self"));
  FXS_TAKE(dim, call.dim("dim", given.tensor.rank()));
  FXS_TAKE(result, call.result());
  OpBuilder& emit = call.emit;
  const Value x = atLeast1d(emit, given);
  const Value values =
      extreme == Extreme::Greatest ? reduceMax(emit, x, {dim}) : reduceMin(emit, x, {dim});
  return Values{reshape(emit, values, result.sizes),
                reshape(emit, positions(emit, x, dim, extreme), result.sizes)};
}

}  // namespace

void registerTosaPositions(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"ArgMaxOp"}, with(position, Extreme::Greatest));
  addTosa(registries, {"ArgMinOp"}, with(position, Extreme::Least));
  addTosa(registries, {"MaxDimOp"}, with(extremeAndPosition, Extreme::Greatest));
  addTosa(registries, {"MinDimOp"}, with(extremeAndPosition, Extreme::Least));
}

}  // namespace fxs::registry
