// argmax and argmin.
#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"
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
    FXS_TAKE(given, call.integer("dim"));
    FXS_TAKE(wrapped, Call::dim(given, x.tensor.rank()));
    dim = wrapped;
    x = atLeast1d(call.emit, x);
  } else {
    x = reshape(call.emit, x, {x.tensor.elements()});
  }
  return Values{reshape(call.emit, positions(call.emit, x, dim, extreme), result.sizes)};
}
Handled argMax(Call& call) { return position(call, Extreme::Greatest); }
Handled argMin(Call& call) { return position(call, Extreme::Least); }

Handled extremeAndPosition(Call& call, Extreme extreme) {
  FXS_TAKE(given, call.operand("self"));
  FXS_TAKE(dimGiven, call.integer("dim"));
  FXS_TAKE(dim, Call::dim(dimGiven, given.tensor.rank()));
  FXS_TAKE(result, call.result());
  OpBuilder& emit = call.emit;
  const Value x = atLeast1d(emit, given);
  const Value values = extreme == Extreme::Greatest ? reduceMax(emit, x, {dim}) : reduceMin(emit, x, {dim});
  return Values{reshape(emit, values, result.sizes), reshape(emit, positions(emit, x, dim, extreme), result.sizes)};
}
Handled maxAlong(Call& call) { return extremeAndPosition(call, Extreme::Greatest); }
Handled minAlong(Call& call) { return extremeAndPosition(call, Extreme::Least); }

}  // namespace

void registerTosaPositions(Registries& registries) {
  using namespace tosa;
  addTosa(registries, "ArgMaxOp", argMax);
  addTosa(registries, "ArgMinOp", argMin);
  addTosa(registries, "MaxDimOp", maxAlong);
  addTosa(registries, "MinDimOp", minAlong);
}

}  // namespace fxs::registry
