// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointwise functions that are not in the torch dialect, by others that are.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Tensor erf(Emitter& e, const Tensor& x) { return e.unary("erf", x); }
Tensor erfc(Emitter& e, const Tensor& x) { return e.sub(1.0, erf(e, x)); }
Tensor sinc(Emitter& e, const Tensor& x) {
  const Tensor y = e.mul(x, std::numbers::pi);
  return e.where(e.compare("eq", x, 0.0), 1.0, e.div(e.unary("sin", y), y));
}
Tensor entropy(Emitter& e, const Tensor& x) {
  const Tensor inside = e.where(e.compare("eq", x, 0.0), 0.0, e.neg(e.mul(x, e.log(x))));
  const Tensor belowOrNan = e.where(e.compare("lt", x, 0.0), -INFINITY, inside);
  return e.where(e.compare("ne", x, x), x, belowOrNan);
}
Tensor normalCdf(Emitter& e, const Tensor& x) {
  return e.mul(e.unary("erfc", e.mul(x, -std::numbers::sqrt2 / 2)), 0.5);
}

/// A polynomial by Horner's rule, highest coefficient first.
Tensor polynomial(Emitter& e, const Tensor& x, std::initializer_list<double> coefficients) {
  std::optional<Tensor> sum;
  double first = 0;
  std::size_t i = 0;
  for (const double c : coefficients) {
    if (i == 0) first = c;
    else if (i == 1) sum = e.add(e.mul(x, first), c);
    else sum = e.add(e.mul(*sum, x), c);
    ++i;
  }
  return *sum;
}

/// digamma for x >= 6 by its asymptotic series; smaller positive x are raised by psi(x) = psi(x +
/// 1) - 1/x, negative ones reflected by psi(1 - x) - pi / tan(pi x).
Tensor digamma(Emitter& e, const Tensor& x) {
  const Tensor negative = e.compare("lt", x, 0.0);
  Tensor z = e.where(negative, e.sub(1.0, x), x);
  std::optional<Tensor> lowered;
  for (int i = 0; i < 6; ++i) {
    const Tensor term = e.reciprocal(z);
    lowered = lowered ? e.add(*lowered, term) : term;
    z = e.add(z, 1.0);
  }
  const Tensor inverse = e.reciprocal(z), square = e.square(inverse);
  const Tensor series = e.mul(
      square, polynomial(e, square, {1.0 / 132, -1.0 / 240, 1.0 / 252, -1.0 / 120, 1.0 / 12}));
  const Tensor value = e.sub(e.sub(e.sub(e.log(z), e.mul(inverse, 0.5)), series), *lowered);
  const Tensor angle = e.mul(x, std::numbers::pi);
  const Tensor reflected =
      e.sub(value, e.mul(e.div(e.unary("cos", angle), e.unary("sin", angle)), std::numbers::pi));
  const Tensor result = e.where(negative, reflected, value);
  // A pole at every integer <= 0: -infinity at 0, NaN below.
  const Tensor isInteger = e.logicalAnd(negative, e.compare("eq", x, e.floor(x)));
  return e.where(isInteger, NAN, e.where(e.compare("eq", x, 0.0), -INFINITY, result));
}

/// log |gamma| for x >= 7 by Stirling's series; smaller x are raised by gamma(x + 1) = x gamma(x),
/// those below 0.5 reflected.
Tensor logGamma(Emitter& e, const Tensor& x) {
  const Tensor small = e.compare("lt", x, 0.5);
  Tensor z = e.where(small, e.sub(1.0, x), x);
  std::optional<Tensor> product;
  // Far from 0 no recurrence is needed, and the product would overflow.
  const Tensor raise = e.compare("lt", z, 7.0);
  const Tensor start = z;
  Tensor raised = z;
  for (int i = 0; i < 7; ++i) {
    product = product ? e.mul(*product, raised) : raised;
    raised = e.add(raised, 1.0);
  }
  z = e.where(raise, raised, start);
  const Tensor lowered = e.where(raise, e.log(e.where(raise, *product, 1.0)), 0.0);
  const Tensor inverse = e.reciprocal(z), square = e.square(inverse);
  const Tensor series = e.mul(
      inverse, polynomial(e, square, {1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12}));
  const Tensor main =
      e.add(e.sub(e.mul(e.sub(z, 0.5), e.log(z)), z), 0.5 * std::log(2 * std::numbers::pi));
  const Tensor value = e.sub(e.add(main, series), lowered);
  const Tensor sine = e.abs(e.unary("sin", e.mul(e.sub(x, e.floor(x)), std::numbers::pi)));
  const Tensor result =
      e.where(small, e.sub(e.sub(std::log(std::numbers::pi), e.log(sine)), value), value);
  return e.where(e.compare("eq", e.abs(x), INFINITY), INFINITY, result);
}

/// Modified Bessel functions by their Chebyshev-like expansions (Abramowitz and Stegun 9.8.1
/// to 9.8.4): good to about 2e-7.
Tensor besselScaled(Emitter& e, const Tensor& x, bool order1, bool scaled) {
  const Tensor size = e.abs(x);
  const Tensor t = e.square(e.mul(size, 1 / 3.75)), y = e.div(3.75, e.clamp(size, 3.75, {}));
  Tensor small =
      order1
          ? polynomial(
                e, t, {0.00032411, 0.00301532, 0.02658733, 0.15084934, 0.51498869, 0.87890594, 0.5})
          : polynomial(e, t,
                       {0.0045813, 0.0360768, 0.2659732, 1.2067492, 3.0899424, 3.5156229, 1.0});
  if (order1) small = e.mul(small, size);
  Tensor large = order1 ? polynomial(e, y,
                                     {-0.00420059, 0.01787654, -0.02895312, 0.02282967, -0.01031555,
                                      0.00163801, -0.00362018, -0.03988024, 0.39894228})
                        : polynomial(e, y,
                                     {0.00392377, -0.01647633, 0.02635537, -0.02057706, 0.00916281,
                                      -0.00157565, 0.00225319, 0.01328592, 0.39894228});
  large = e.mul(large, e.rsqrt(size));
  if (scaled) small = e.mul(small, e.exp(e.neg(size)));
  else large = e.mul(large, e.exp(size));
  const Tensor value = e.where(e.compare("lt", size, 3.75), small, large);
  return order1 ? e.mul(value, e.unary("sign", x)) : value;
}
template <bool order1, bool scaled>
Tensor bessel(Emitter& e, const Tensor& x) {
  return besselScaled(e, x, order1, scaled);
}

struct Operands {
  Tensor a, b;
  fx::TensorMeta result;
};
/// self and other, each a tensor.
Operands operandsOf(Emitter& e) { return {e.tensor("self"), e.tensor("other"), e.result()}; }

Results hypot(Emitter& e) {
  const Operands p = operandsOf(e);
  e.require(isFloating(p.result.dtype));
  const DType compute = ops::computationType(p.result.dtype);
  // Scaled by the larger one, so that neither square overflows.
  const Tensor a = e.abs(e.cast(p.a, compute)), b = e.abs(e.cast(p.b, compute));
  const Tensor large = e.maximum(a, b), small = e.minimum(a, b);
  const Tensor ratio = e.div(small, e.where(e.compare("eq", large, 0.0), 1.0, large));
  const Tensor value = e.mul(large, e.sqrt(e.add(e.square(ratio), 1.0)));
  // Infinity takes precedence over NaN.
  return one(e.asResult(e.where(
      e.logicalOr(e.compare("eq", a, INFINITY), e.compare("eq", b, INFINITY)), INFINITY, value)));
}

/// x * log(y) or x * log1p(y), 0 where x is 0, NaN where y is.
Results timesLogarithm(Emitter& e, Tensor (Emitter::*logarithm)(const Tensor&)) {
  const Operands p = operandsOf(e);
  e.require(isFloating(p.result.dtype));
  const Tensor a = e.cast(p.a, p.result.dtype), b = e.cast(p.b, p.result.dtype);
  const Tensor product = e.mul(a, (e.*logarithm)(b));
  const Tensor zeroed = e.where(e.compare("eq", a, 0.0), 0.0, product);
  return one(e.where(e.compare("ne", b, b), NAN, zeroed));
}
Results xlogy(Emitter& e) { return timesLogarithm(e, &Emitter::log); }
Results xlog1py(Emitter& e) { return timesLogarithm(e, &Emitter::log1p); }

Results trueDivide(Emitter& e) {
  return one(e.op("aten.div.Tensor", {e.tensor("self").value, e.argument("other")}, e.result()));
}

/// other - alpha * self.
Results reverseSubtract(Emitter& e) {
  const Operands p = operandsOf(e);
  const fx::Argument alpha = e.argument("alpha");
  return one(e.sub(p.b, isNumber(alpha, 1) ? p.a : e.mul(p.a, alpha)));
}

template <bool tensors>
Results clip(Emitter& e) {
  return one(e.op(tensors ? "aten.clamp.Tensor" : "aten.clamp.default",
                  {e.tensor("self").value, e.argument("min"), e.argument("max")}, e.result()));
}

Results isFinite(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(!isComplex(x.dtype()));
  return one(isFloating(x.dtype()) ? e.compare("lt", e.abs(x), INFINITY) : e.compare("eq", x, x));
}

/// -0.0 counts as negative: its reciprocal is minus infinity.
Tensor isNegative(Emitter& e, const Tensor& x) {
  const Tensor below = e.compare("lt", x, 0.0);
  return e.logicalOr(below, e.compare("eq", e.reciprocal(x), -INFINITY));
}
Results signBit(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(isFloating(x.dtype()));
  return one(isNegative(e, x));
}
Results copySign(Emitter& e) {
  const Operands p = operandsOf(e);
  e.require(isFloating(p.a.dtype()) && isFloating(p.b.dtype()));
  const Tensor size = e.abs(p.a);
  return one(e.where(isNegative(e, p.b), e.neg(size), size));
}

/// The engine's maximum compares operands of different shapes without broadcasting them.
template <bool greatest>
Results numberOver(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("other");
  const Tensor over = e.where(e.compare(greatest ? "ge" : "le", a, b), a, b);
  if (!isFloating(over.dtype())) return one(over);
  return one(e.where(e.compare("ne", a, a), b, e.where(e.compare("ne", b, b), a, over)));
}

/// The shift operators with a number are those with a tensor. 8 and 16 bits are shifted in int32,
/// which backends have, and cut off by the cast back. All bits may be shifted out.
template <bool left>
Results shift(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::int64_t amount = e.integer("other");
  e.require(isIntegral(x.dtype()) && amount >= 0);
  const bool isSmall = facts(x.dtype()).bytes < 4;
  const Tensor wide = isSmall ? e.cast(x, DType::Int32) : x;
  const std::int64_t bits = std::int64_t{8} * facts(wide.dtype()).bytes;
  if (left && amount >= bits) return one(e.zeros(e.sizes(x), x.dtype()));
  const Tensor by = e.full({}, std::min(amount, bits - 1), wide.dtype());
  return one(
      e.cast(e.op(left ? "aten.bitwise_left_shift.Tensor" : "aten.bitwise_right_shift.Tensor",
                  {wide.value, by.value}, wide.dtype(), x.meta.sizes),
             x.dtype()));
}

/// With a number, torch-mlir has aten.bitwise_and alone.
template <bool exclusive>
Results bitwiseOrOfNumber(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::int64_t number = e.integer("other");
  const bool isBool = x.dtype() == DType::Bool;
  e.require((isBool || isIntegral(x.dtype())) && e.result().dtype == x.dtype());
  const DType dtype = !isBool && facts(x.dtype()).bytes < 4 ? DType::Int32 : x.dtype();
  const Tensor wide = e.cast(x, dtype),
               with = e.full({}, isBool ? fx::Argument(number != 0) : fx::Argument(number), dtype);
  return one(e.cast(e.op(exclusive ? "aten.bitwise_xor.Tensor" : "aten.bitwise_or.Tensor",
                         {wide.value, with.value}, dtype, x.meta.sizes),
                    x.dtype()));
}

Results remainderOfNumber(Emitter& e) {
  const Tensor x = e.tensor("self");
  const double other = e.number("other");
  const fx::TensorMeta result = e.result();
  e.require(isFloating(x.dtype()) && result.dtype == x.dtype());
  return one(e.op("aten.fmod.Tensor", {x.value, e.full({}, other, x.dtype()).value}, x.dtype(),
                  x.meta.sizes));
}

/// Compares every element with every test element.
Results isIn(Emitter& e) {
  const Tensor x = e.tensor("elements"), tested = e.tensor("test_elements");
  const bool invert = e.flag("invert");
  e.require(isIntegral(x.dtype()) || isFloating(x.dtype()));
  const Tensor equal = e.compare("eq", e.unsqueeze(x, x.rank()), e.flatten(tested));
  const Tensor found = e.compare(
      "gt", e.sum(e.cast(equal, DType::Int64), {equal.rank() - 1}, false), std::int64_t{0});
  return one(invert ? e.logicalNot(found) : found);
}

Results fill(Emitter& e) {
  const Tensor self = e.tensor("self");
  return one(e.expandAs(e.cast(e.tensor("value"), self.dtype()), self));
}

/// Numbers as tensors without dimensions, of the result's type.
Results whereOfNumbers(Emitter& e) {
  const fx::TensorMeta result = e.result();
  const auto operand = [&](const char* name) {
    const fx::Argument given = e.argument(name);
    return given.node() ? e.tensor(name) : e.full({}, given, result.dtype);
  };
  const Tensor a = operand("self"), b = operand("other");
  return one(e.op("aten.where.self", {e.tensor("condition").value, a.value, b.value}, result));
}

/// Near enough, equal, or both NaN if asked.
Results isClose(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("other");
  const double rtol = e.number("rtol"), atol = e.number("atol");
  const bool equalNan = e.flag("equal_nan");
  e.require((isFloating(a.dtype()) || isIntegral(a.dtype())) && a.dtype() == b.dtype());
  const Tensor apart = e.abs(e.sub(a, b)), allowed = e.add(e.abs(e.mul(b, rtol)), atol);
  if (!isFloating(a.dtype()))
    return one(e.logicalOr(e.compare("eq", a, b), e.compare("le", apart, allowed)));
  const Tensor isFiniteDistance = e.compare("ne", apart, std::numeric_limits<double>::infinity());
  Tensor close = e.logicalOr(e.compare("eq", a, b),
                             e.logicalAnd(isFiniteDistance, e.compare("le", apart, allowed)));
  if (equalNan)
    close = e.logicalOr(close, e.logicalAnd(e.compare("ne", a, a), e.compare("ne", b, b)));
  return one(close);
}

/// Of real numbers: 0 or pi.
Results angle(Emitter& e) {
  const Tensor self = e.tensor("self");
  const fx::TensorMeta result = e.result();
  e.require(isFloating(result.dtype) && (isFloating(self.dtype()) || isIntegral(self.dtype())));
  const Tensor x = e.cast(self, result.dtype), zero = e.zeros({}, x.dtype());
  const Tensor turned =
      e.where(e.compare("lt", x, 0.0), e.full({}, std::numbers::pi, x.dtype()), zero);
  return one(e.where(e.compare("ne", x, x), x, turned));
}

/// By squaring: the engine's power of integers is one of floats.
Results powerOfIntegers(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(isIntegral(x.dtype()) && e.result().dtype == x.dtype());
  std::int64_t n = e.integer("exponent");
  e.require(n >= 1);
  std::optional<Tensor> out;
  for (Tensor square = x;; square = e.mul(square, square)) {
    if (n & 1) out = out ? e.mul(*out, square) : square;
    n >>= 1;
    if (n == 0) return one(*out);
  }
}

/// Giles' polynomials of -log(1 - x^2), and two steps of Newton's method.
Tensor erfinv(Emitter& e, const Tensor& x) {
  static constexpr double kCentral[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                        -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                        -0.00417768164,  0.246640727,    1.50140941};
  static constexpr double kTail[] = {-0.000200214257, 0.000100950558, 0.00134934322,
                                     -0.00367342844,  0.00573950773,  -0.0076224613,
                                     0.00943887047,   1.00167406,     2.83297682};
  const Tensor size = e.neg(e.log(e.mul(e.sub(1, x), e.add(x, 1))));
  const auto polynomial = [&](const auto& coefficients, const Tensor& at) {
    Tensor out = e.add(e.mul(at, coefficients[0]), coefficients[1]);
    for (std::size_t i = 2; i < std::size(coefficients); ++i)
      out = e.add(e.mul(out, at), coefficients[i]);
    return out;
  };
  const Tensor central = polynomial(kCentral, e.sub(e.clamp(size, {}, 5.0), 2.5));
  const Tensor tail = polynomial(kTail, e.sub(e.sqrt(e.clamp(size, 5.0, {})), 3.0));
  Tensor y = e.mul(e.where(e.compare("lt", size, 5.0), central, tail), x);
  for (int step = 0; step < 2; ++step) {
    const Tensor slope = e.mul(e.exp(e.neg(e.square(y))), 2 / std::sqrt(std::numbers::pi));
    y = e.sub(y, e.div(e.sub(e.unary("erf", y), x), slope));
  }
  const Tensor isEnd = e.compare("eq", e.abs(x), 1.0);
  return e.where(isEnd, e.mul(x, std::numeric_limits<double>::infinity()), y);
}

/// Each slice along `axis` by its own scale and zero point.
Results fakeQuantizePerChannel(Emitter& e) {
  const Tensor self = e.tensor("self"), scale = e.tensor("scale"),
               zeroPoint = e.tensor("zero_point");
  const std::size_t axis = e.dim(e.integer("axis"), self);
  const double low = e.number("quant_min"), high = e.number("quant_max");
  e.require(isFloating(self.dtype()) && self.rank() > 0 && scale.rank() == 1 &&
            zeroPoint.rank() == 1);
  const Size size = e.size(scale, 0);
  const Tensor step = e.along(scale, size, axis, self.rank()),
               zero = e.cast(e.along(zeroPoint, size, axis, self.rank()), scale.dtype());
  const Tensor x = e.cast(self, scale.dtype());
  const Tensor steps = e.unary("round", e.add(e.mul(x, e.reciprocal(step)), zero));
  return one(e.cast(e.mul(e.sub(e.clamp(steps, low, high), zero), step), self.dtype()));
}

/// PyTorch decomposes it to an operator that torch.export cannot trace, in a loaded program always.
Results fakeQuantizePerTensor(Emitter& e) {
  const Tensor self = e.tensor("self");
  const double scale = e.number("scale"), zero = e.number("zero_point");
  e.require(isFloating(self.dtype()) && scale != 0);
  const Tensor x = e.cast(self, DType::Float32);
  const auto inverse = static_cast<double>(1 / static_cast<float>(scale));
  const Tensor steps = e.clamp(e.unary("round", e.add(e.mul(x, inverse), zero)),
                               e.number("quant_min"), e.number("quant_max"));
  return one(e.cast(e.mul(e.sub(steps, zero), scale), self.dtype()));
}

template <bool isMost>
Results clampedBy(Emitter& e) {
  const Tensor x = e.tensor("self"), bound = e.tensor(isMost ? "max" : "min");
  return one(isMost ? e.minimum(x, bound) : e.maximum(x, bound));
}

/// Integers have no NaN and no infinity.
Results nanToNumOfIntegers(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(isIntegral(x.dtype()) || x.dtype() == DType::Bool);
  return one(e.clone(x));
}

}  // namespace

void registerPointwise(RewriteRules& rules) {
  rules.add(
      {"aten.nan_to_num.default", "is its tensor, if it has integers", true, nanToNumOfIntegers});
  const auto add = [&](std::initializer_list<std::string_view> targets, std::string_view reason,
                       const decltype(Rule::apply)& apply) {
    rules.addEach(targets, reason, true, apply);
  };
  add({"aten.clamp_max.Tensor"}, "becomes aten.minimum", clampedBy<true>);
  add({"aten.clamp_min.Tensor"}, "becomes aten.maximum", clampedBy<false>);
  const std::string polynomials = "becomes polynomials";
  rules.addFormula({"aten.erfc.default", "aten.special_erfc.default"}, "becomes 1 - erf", true,
                   erfc);
  rules.addFormula({"aten.erfinv.default"}, "becomes polynomials and two steps of Newton's method",
                   true, erfinv);
  add({"aten.angle.default"}, "becomes 0 or pi", angle);
  rules.add({"aten.isclose.default", "becomes comparisons", false, isClose});
  rules.add(
      {"aten.pow.Tensor_Scalar", "becomes products, if it has integers", false, powerOfIntegers});
  rules.add({"aten.fake_quantize_per_tensor_affine.default",
             "becomes rounding and a clamp",
             true,
             fakeQuantizePerTensor,
             {},
             "    inverse = torch.full((), scale, dtype=torch.float32).reciprocal()\n"
             "    steps = (self.to(torch.float32) * inverse + zero_point).round()\n"
             "    steps = steps.clamp(quant_min, quant_max) - zero_point\n"
             "    return (steps * scale).to(self.dtype)\n"});
  rules.add({"aten.fake_quantize_per_channel_affine.default",
             "becomes rounding and a clamp",
             true,
             fakeQuantizePerChannel,
             {},
             "    shape = [1] * self.dim()\n"
             "    shape[axis] = -1\n"
             "    step, zero = scale.reshape(shape), zero_point.reshape(shape).to(scale.dtype)\n"
             "    steps = (self.to(scale.dtype) * step.reciprocal() + zero).round()\n"
             "    return ((steps.clamp(quant_min, quant_max) - zero) * step).to(self.dtype)\n"});
  rules.addFormula({"aten.sinc.default", "aten.special_sinc.default"}, "becomes sin(pi x) / (pi x)",
                   true, sinc);
  rules.addFormula(
      {"aten.digamma.default", "aten.special_digamma.default", "aten.special_psi.default"},
      "becomes its asymptotic series", true, digamma);
  rules.addFormula({"aten.lgamma.default", "aten.special_gammaln.default"},
                   "becomes Stirling's series", true, logGamma);
  rules.addFormula({"aten.i0.default", "aten.special_i0.default"}, polynomials, true,
                   bessel<false, false>);
  rules.addFormula({"aten.special_i0e.default"}, polynomials, true, bessel<false, true>);
  rules.addFormula({"aten.special_i1.default"}, polynomials, true, bessel<true, false>);
  rules.addFormula({"aten.special_i1e.default"}, polynomials, true, bessel<true, true>);
  rules.addFormula({"aten.special_entr.default"}, "becomes -x log x", true, entropy);
  rules.addFormula({"aten.special_ndtr.default"}, "becomes erfc", true, normalCdf);
  add({"aten.hypot.default"}, "becomes the root of squares, scaled", hypot);
  add({"aten.special_xlog1py.default"}, "becomes x log1p y", xlog1py);
  add({"aten.clip.default"}, "becomes aten.clamp", clip<false>);
  add({"aten.isfinite.default"}, "becomes a comparison with infinity", isFinite);
  add({"aten.signbit.default"}, "becomes comparisons with 0", signBit);
  add({"aten.copysign.Tensor"}, "becomes aten.where of both signs", copySign);
  add({"aten.fmax.default"}, "becomes comparisons, with NaN left out", numberOver<true>);
  add({"aten.fmin.default"}, "becomes comparisons, with NaN left out", numberOver<false>);
  add({"aten.xlogy.Tensor"}, "becomes x log y", xlogy);
  rules.add({"aten.special_xlogy.default", "becomes x log y", true, xlogy,
             "decompose:aten.special_xlogy.default"});
  add({"aten.__lshift__.Scalar"}, "becomes aten.bitwise_left_shift", shift<true>);
  add({"aten.__rshift__.Scalar"}, "becomes aten.bitwise_right_shift", shift<false>);
  add({"aten.bitwise_or.Scalar"}, "becomes aten.bitwise_or with a tensor",
      bitwiseOrOfNumber<false>);
  add({"aten.bitwise_xor.Scalar"}, "becomes aten.bitwise_xor with a tensor",
      bitwiseOrOfNumber<true>);
  add({"aten.fmod.Scalar"}, "becomes aten.fmod with a tensor", remainderOfNumber);
  add({"aten.clip.Tensor"}, "becomes aten.clamp.Tensor", clip<true>);
  add({"aten.true_divide.Tensor"}, "becomes aten.div", trueDivide);
  add({"aten.rsub.Tensor"}, "becomes aten.sub", reverseSubtract);
  rules.addEach({"aten.where.ScalarOther", "aten.where.ScalarSelf", "aten.where.Scalar"},
                "becomes aten.where of tensors", false, whereOfNumbers);
  rules.add({"aten.fill.Tensor",
             "becomes its value, expanded",
             false,
             fill,
             {},
             "    return value.to(self.dtype).expand(self.shape)\n"});
  add({"aten.isin.Tensor_Tensor"}, "becomes comparisons of all pairs", isIn);
}

}  // namespace fxs::rewrite
