// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unary functions, by operations of TOSA. Integers are converted to the type of the result first,
// and half types are computed in f32, as in PyTorch's kernels.
#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"

namespace fxs::registry {
namespace {
using namespace tosa;

Handled floating(Call& call, std::string_view op) {
  FXS_TAKE(x, computedOperand(call, "self"));
  return asResult(call, unary(call.emit, op, x));
}

Handled relu(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  return Values{binary(call.emit, "tosa.maximum", x,
                       number(call.emit, x, numberOf(std::int64_t{0}, call.resultDtype())))};
}

}  // namespace

void registerTosaActivations(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"TanhOp"}, with(floating, "tosa.tanh"), kAnySign);
  addTosa(registries, {"ExpOp"}, with(floating, "tosa.exp"), kAnySign);
  addTosa(registries, {"RsqrtOp"}, with(floating, "tosa.rsqrt"), kAnySign);
  addTosa(registries, {"SigmoidOp"}, with(floating, "tosa.sigmoid"), kAnySign);
  addTosa(registries, {"ReciprocalOp"}, with(floating, "tosa.reciprocal"), kAnySign);
  addTosa(registries, {"LogOp"}, with(floating, "tosa.log"), kAnySign);
  addTosa(registries, {"ReluOp"}, relu);
  addTosa(registries, {"ErfcOp"}, with(floating, "math.erfc"), kAnySign);
  registries.anySizes("tosa", {"TanhOp", "ExpOp", "RsqrtOp", "SigmoidOp", "ReciprocalOp", "LogOp",
                               "ReluOp", "ErfcOp"});
}

}  // namespace fxs::registry
