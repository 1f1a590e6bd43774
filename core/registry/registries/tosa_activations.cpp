// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unary functions, by operations of TOSA. Integers are converted to the type of the result first,
// and half types are computed in f32, as in PyTorch's kernels.
#include <cmath>
#include <numbers>

#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"
#include "registry/tosa/shapes.h"

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

/// A function of one operand made of several operations: computed in the type that `floating`
/// computes in.
struct Activation {
  OpBuilder& emit;
  Value x;
  Value constant(double value) const { return number(emit, x, value); }
};

tl::expected<Activation, Refusal> activation(Call& call) {
  FXS_TAKE(x, computedOperand(call, "self"));
  return Activation{call.emit, x};
}

Handled softplus(Call& call) {
  FXS_TAKE(a, activation(call));
  FXS_TAKE(beta, call.number("beta"));
  FXS_TAKE(threshold, call.number("threshold"));
  const Value inner = tosa::scaled(a.emit, a.x, realOf(beta));
  const Value curve = divide(a.emit, unary(a.emit, "math.log1p", unary(a.emit, "tosa.exp", inner)),
                             a.constant(realOf(beta)));
  return asResult(call, select(a.emit, compare(a.emit, "gt", inner, a.constant(realOf(threshold))),
                               a.x, curve));
}

Handled hardswish(Call& call) {
  FXS_TAKE(a, activation(call));
  const Value shifted = add(a.emit, a.x, a.constant(3.0));
  const Value bounded =
      binary(a.emit, "tosa.minimum", binary(a.emit, "tosa.maximum", shifted, a.constant(0.0)),
             a.constant(6.0));
  return asResult(call, divide(a.emit, mul(a.emit, a.x, bounded), a.constant(6.0)));
}

Handled leakyRelu(Call& call) {
  FXS_TAKE(a, activation(call));
  FXS_TAKE(slope, call.number("negative_slope"));
  const Value isPositive = compare(a.emit, "gt", a.x, a.constant(0.0));
  return asResult(call, select(a.emit, isPositive, a.x, scaled(a.emit, a.x, realOf(slope))));
}

Handled elu(Call& call) {
  FXS_TAKE(a, activation(call));
  FXS_TAKE(alpha, call.number("alpha"));
  FXS_TAKE(scale, call.number("scale"));
  FXS_TAKE(inputScale, call.number("input_scale"));
  const Value curve = unary(a.emit, "math.expm1", scaled(a.emit, a.x, realOf(inputScale)));
  const Value below = scaled(a.emit, curve, realOf(alpha) * realOf(scale));
  const Value above = scaled(a.emit, a.x, realOf(scale));
  return asResult(call, select(a.emit, compare(a.emit, "gt", a.x, a.constant(0.0)), above, below));
}

/// x times the normal CDF of x, or its tanh approximation.
Handled gelu(Call& call) {
  FXS_TAKE(a, activation(call));
  const fx::Argument approximate = call.argument("approximate");
  const auto* name = std::get_if<std::string>(&approximate);
  OpBuilder& emit = a.emit;
  Value share;
  if (name != nullptr && *name == "tanh") {
    const Value cube = mul(emit, mul(emit, a.x, a.x), a.x);
    const Value inner = mul(emit, add(emit, a.x, mul(emit, cube, a.constant(0.044715))),
                            a.constant(std::sqrt(2.0 / std::numbers::pi)));
    share = unary(emit, "tosa.tanh", inner);
  } else {
    share = unary(emit, "math.erf", mul(emit, a.x, a.constant(1.0 / std::numbers::sqrt2)));
  }
  return asResult(call,
                  mul(emit, mul(emit, a.x, a.constant(0.5)), add(emit, share, a.constant(1.0))));
}

/// -x log x; 0 at 0, -infinity below.
Handled entropy(Call& call) {
  FXS_TAKE(a, activation(call));
  OpBuilder& emit = a.emit;
  const Value product = mul(emit, negate(emit, a.x), unary(emit, "tosa.log", a.x));
  const Value atZero =
      select(emit, compare(emit, "eq", a.x, a.constant(0.0)), a.constant(0.0), product);
  return asResult(
      call, select(emit, compare(emit, "lt", a.x, a.constant(0.0)), a.constant(-HUGE_VAL), atZero));
}

/// The normal CDF.
Handled normalShare(Call& call) {
  FXS_TAKE(a, activation(call));
  const Value tail =
      unary(a.emit, "math.erfc", mul(a.emit, a.x, a.constant(-1.0 / std::numbers::sqrt2)));
  return asResult(call, mul(a.emit, tail, a.constant(0.5)));
}

/// The first half times the sigmoid of the second.
Handled glu(Call& call) {
  FXS_TAKE(a, activation(call));
  FXS_TAKE(dim, call.dim("dim", a.x.tensor.rank()));
  if (a.x.tensor.rank() == 0) return refuse("a scalar cannot be split in halves");
  const std::int64_t half = a.x.tensor.sizes[static_cast<std::size_t>(dim)] / 2;
  const Value gate = unary(a.emit, "tosa.sigmoid", slice(a.emit, a.x, dim, half, half));
  return asResult(call, mul(a.emit, slice(a.emit, a.x, dim, 0, half), gate));
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
  addTosa(registries, {"SoftplusOp"}, softplus);
  addTosa(registries, {"HardswishOp"}, hardswish);
  addTosa(registries, {"LeakyReluOp"}, leakyRelu);
  addTosa(registries, {"EluOp"}, elu);
  addTosa(registries, {"GeluOp"}, gelu);
  addTosa(registries, {"SpecialEntrOp"}, entropy, kAnySign);
  addTosa(registries, {"SpecialNdtrOp"}, normalShare, kAnySign);
  addTosa(registries, {"GluOp"}, glu);
  registries.anySizes("tosa", {"TanhOp", "ExpOp", "RsqrtOp", "SigmoidOp", "ReciprocalOp", "LogOp",
                               "ReluOp", "ErfcOp", "SoftplusOp", "HardswishOp", "LeakyReluOp",
                               "EluOp", "GeluOp", "SpecialEntrOp", "SpecialNdtrOp"});
}

}  // namespace fxs::registry
