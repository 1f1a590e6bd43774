// Functions of one operand that TOSA has itself. Integers are converted to the type of the result first, and half types are computed
// in f32, as PyTorch's kernels do.
#include "registry/tosa/casts.h"
#include "registry/tosa/numbers.h"
#include "registry/tosa/pointwise.h"
#include "registry/tosa/takes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

Handled floating(Call& call, std::string_view op) {
  const DType dtype = call.resultDtype();
  FXS_TAKE(x, operandAs(call, "self", computeDtype(dtype)));
  return Values{cast(call.emit, unary(call.emit, op, x), computeDtype(dtype), dtype)};
}

Handled tanhOf(Call& call) { return floating(call, "tosa.tanh"); }
Handled expOf(Call& call) { return floating(call, "tosa.exp"); }
Handled rsqrtOf(Call& call) { return floating(call, "tosa.rsqrt"); }
Handled sigmoidOf(Call& call) { return floating(call, "tosa.sigmoid"); }
Handled reciprocalOf(Call& call) { return floating(call, "tosa.reciprocal"); }
Handled logOf(Call& call) { return floating(call, "tosa.log"); }

Handled relu(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  return Values{binary(call.emit, "tosa.maximum", x, number(call.emit, x, numberOf(std::int64_t{0}, call.resultDtype())))};
}

}  // namespace

void registerTosaActivations(Registries& registries) {
  using namespace tosa;
  const Takes anySign{.unsignedElements = true};
  addTosa(registries, "TanhOp", tanhOf, anySign);
  addTosa(registries, "ExpOp", expOf, anySign);
  addTosa(registries, "RsqrtOp", rsqrtOf, anySign);
  addTosa(registries, "SigmoidOp", sigmoidOf, anySign);
  addTosa(registries, "ReciprocalOp", reciprocalOf, anySign);
  addTosa(registries, "LogOp", logOf, anySign);
  addTosa(registries, "ReluOp", relu);
}

}  // namespace fxs::registry
