// Unary functions, by operations of TOSA. Integers are converted to the type of the result first, and half types are computed in f32, as in
// PyTorch's kernels.
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
  const DType dtype = call.resultDtype();
  FXS_TAKE(x, operandAs(call, "self", ops::computationType(dtype)));
  return Values{cast(call.emit, unary(call.emit, op, x), ops::computationType(dtype), dtype)};
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

/// A function of one operand made of several operations: computed in the type that `floating` computes in.
struct Activation {
  OpBuilder& emit;
  Value x;
  DType computed, dtype;
  Value constant(double value) const { return number(emit, x, value); }
  Values rounded(const Value& out) const { return {cast(emit, out, computed, dtype)}; }
};

tl::expected<Activation, Refusal> activation(Call& call) {
  const DType dtype = call.resultDtype();
  FXS_TAKE(x, operandAs(call, "self", ops::computationType(dtype)));
  return Activation{call.emit, x, ops::computationType(dtype), dtype};
}

Handled erfcOf(Call& call) { return floating(call, "math.erfc"); }

Handled softplus(Call& call) {
  FXS_TAKE(a, activation(call));
  FXS_TAKE(beta, call.number("beta"));
  FXS_TAKE(threshold, call.number("threshold"));
  const Value inner = tosa::scaled(a.emit, a.x, realOf(beta));
  const Value curve = divide(a.emit, unary(a.emit, "math.log1p", unary(a.emit, "tosa.exp", inner)), a.constant(realOf(beta)));
  return a.rounded(select(a.emit, compare(a.emit, "gt", inner, a.constant(realOf(threshold))), a.x, curve));
}

Handled hardswish(Call& call) {
  FXS_TAKE(a, activation(call));
  const Value shifted = add(a.emit, a.x, a.constant(3.0));
  const Value bounded = binary(a.emit, "tosa.minimum", binary(a.emit, "tosa.maximum", shifted, a.constant(0.0)), a.constant(6.0));
  return a.rounded(divide(a.emit, mul(a.emit, a.x, bounded), a.constant(6.0)));
}

Handled leakyRelu(Call& call) {
  FXS_TAKE(a, activation(call));
  FXS_TAKE(slope, call.number("negative_slope"));
  const Value isPositive = compare(a.emit, "gt", a.x, a.constant(0.0));
  return a.rounded(select(a.emit, isPositive, a.x, scaled(a.emit, a.x, realOf(slope))));
}

Handled elu(Call& call) {
  FXS_TAKE(a, activation(call));
  FXS_TAKE(alpha, call.number("alpha"));
  FXS_TAKE(scale, call.number("scale"));
  FXS_TAKE(inputScale, call.number("input_scale"));
  const Value curve = unary(a.emit, "math.expm1", scaled(a.emit, a.x, realOf(inputScale)));
  const Value below = scaled(a.emit, curve, realOf(alpha) * realOf(scale));
  const Value above = scaled(a.emit, a.x, realOf(scale));
  return a.rounded(select(a.emit, compare(a.emit, "gt", a.x, a.constant(0.0)), above, below));
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
    const Value inner = mul(emit, add(emit, a.x, mul(emit, cube, a.constant(0.044715))), a.constant(std::sqrt(2.0 / std::numbers::pi)));
    share = unary(emit, "tosa.tanh", inner);
  } else {
    share = unary(emit, "math.erf", mul(emit, a.x, a.constant(1.0 / std::numbers::sqrt2)));
  }
  return a.rounded(mul(emit, mul(emit, a.x, a.constant(0.5)), add(emit, share, a.constant(1.0))));
}

/// -x log x; 0 at 0, -infinity below.
Handled entropy(Call& call) {
  FXS_TAKE(a, activation(call));
  OpBuilder& emit = a.emit;
  const Value product = mul(emit, negate(emit, a.x), unary(emit, "tosa.log", a.x));
  const Value atZero = select(emit, compare(emit, "eq", a.x, a.constant(0.0)), a.constant(0.0), product);
  return a.rounded(select(emit, compare(emit, "lt", a.x, a.constant(0.0)), a.constant(-HUGE_VAL), atZero));
}

/// The normal CDF.
Handled normalShare(Call& call) {
  FXS_TAKE(a, activation(call));
  const Value tail = unary(a.emit, "math.erfc", mul(a.emit, a.x, a.constant(-1.0 / std::numbers::sqrt2)));
  return a.rounded(mul(a.emit, tail, a.constant(0.5)));
}

/// The first half times the sigmoid of the second.
Handled glu(Call& call) {
  FXS_TAKE(a, activation(call));
  FXS_TAKE(given, call.integer("dim"));
  FXS_TAKE(dim, Call::dim(given, a.x.tensor.rank()));
  if (a.x.tensor.rank() == 0) return refuse("a scalar cannot be split in halves");
  const std::int64_t half = a.x.tensor.sizes[static_cast<std::size_t>(dim)] / 2;
  const Value gate = unary(a.emit, "tosa.sigmoid", slice(a.emit, a.x, dim, half, half));
  return a.rounded(mul(a.emit, slice(a.emit, a.x, dim, 0, half), gate));
}

}  // namespace

void registerTosaActivations(Registries& registries) {
  using namespace tosa;
  const OperandSupport anySign{.unsignedElements = true};
  addTosa(registries, "TanhOp", tanhOf, anySign);
  addTosa(registries, "ExpOp", expOf, anySign);
  addTosa(registries, "RsqrtOp", rsqrtOf, anySign);
  addTosa(registries, "SigmoidOp", sigmoidOf, anySign);
  addTosa(registries, "ReciprocalOp", reciprocalOf, anySign);
  addTosa(registries, "LogOp", logOf, anySign);
  addTosa(registries, "ReluOp", relu);
  addTosa(registries, "ErfcOp", erfcOf, anySign);
  addTosa(registries, "SoftplusOp", softplus);
  addTosa(registries, "HardswishOp", hardswish);
  addTosa(registries, "LeakyReluOp", leakyRelu);
  addTosa(registries, "EluOp", elu);
  addTosa(registries, "GeluOp", gelu);
  addTosa(registries, "SpecialEntrOp", entropy, anySign);
  addTosa(registries, "SpecialNdtrOp", normalShare, anySign);
  addTosa(registries, "GluOp", glu);
}

}  // namespace fxs::registry
