// Pointwise functions that are not in the torch dialect, by others that are.
#include <cmath>
#include <numbers>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// One floating operand; integers are cast first, as PyTorch does.
template <Tensor (*formula)(Emitter&, const Tensor&)>
Results unary(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const fx::TensorMeta result = e.result();
  e.require(isFloating(result.dtype));
  if (!e.valid()) return {};
  return one(e.cast(formula(e, e.cast(x, ops::computationType(result.dtype))), result.dtype));
}

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
Tensor normalCdf(Emitter& e, const Tensor& x) { return e.mul(e.add(erf(e, e.mul(x, std::numbers::sqrt2 / 2)), 1.0), 0.5); }

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

/// digamma for x >= 6 by its asymptotic series; smaller positive x are raised by psi(x) = psi(x + 1) - 1/x, negative ones
/// reflected by psi(1 - x) - pi / tan(pi x).
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
  const Tensor series = e.mul(square, polynomial(e, square, {1.0 / 132, -1.0 / 240, 1.0 / 252, -1.0 / 120, 1.0 / 12}));
  const Tensor value = e.sub(e.sub(e.sub(e.log(z), e.mul(inverse, 0.5)), series), *lowered);
  const Tensor angle = e.mul(x, std::numbers::pi);
  const Tensor reflected = e.sub(value, e.mul(e.div(e.unary("cos", angle), e.unary("sin", angle)), std::numbers::pi));
  const Tensor result = e.where(negative, reflected, value);
  // A pole at every integer <= 0: -infinity at 0, NaN below.
  const Tensor whole = e.logicalAnd(negative, e.compare("eq", x, e.floor(x)));
  return e.where(whole, NAN, e.where(e.compare("eq", x, 0.0), -INFINITY, result));
}

/// log |gamma| for x >= 7 by Stirling's series; smaller x are raised by gamma(x + 1) = x gamma(x), those below 0.5 reflected.
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
  const Tensor series = e.mul(inverse, polynomial(e, square, {1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12}));
  const Tensor main = e.add(e.sub(e.mul(e.sub(z, 0.5), e.log(z)), z), 0.5 * std::log(2 * std::numbers::pi));
  const Tensor value = e.sub(e.add(main, series), lowered);
  const Tensor sine = e.abs(e.unary("sin", e.mul(e.sub(x, e.floor(x)), std::numbers::pi)));
  const Tensor result = e.where(small, e.sub(e.sub(std::log(std::numbers::pi), e.log(sine)), value), value);
  return e.where(e.compare("eq", e.abs(x), INFINITY), INFINITY, result);
}

/// Modified Bessel functions by their Chebyshev-like expansions (Abramowitz and Stegun 9.8.1 to 9.8.4): good to about 2e-7.
Tensor besselScaled(Emitter& e, const Tensor& x, bool order1, bool scaled) {
  const Tensor size = e.abs(x);
  const Tensor t = e.square(e.mul(size, 1 / 3.75)), y = e.div(3.75, e.clamp(size, 3.75, {}));
  Tensor small = order1 ? polynomial(e, t, {0.00032411, 0.00301532, 0.02658733, 0.15084934, 0.51498869, 0.87890594, 0.5})
                        : polynomial(e, t, {0.0045813, 0.0360768, 0.2659732, 1.2067492, 3.0899424, 3.5156229, 1.0});
  if (order1) small = e.mul(small, size);
  Tensor large =
      order1 ? polynomial(e, y,
                          {-0.00420059, 0.01787654, -0.02895312, 0.02282967, -0.01031555, 0.00163801, -0.00362018, -0.03988024, 0.39894228})
             : polynomial(e, y,
                          {0.00392377, -0.01647633, 0.02635537, -0.02057706, 0.00916281, -0.00157565, 0.00225319, 0.01328592, 0.39894228});
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

Results hypot(RuleContext& context) {
  Emitter e(context);
  const Operands p = operandsOf(e);
  e.require(isFloating(p.result.dtype));
  if (!e.valid()) return {};
  // Scaled by the larger one, so that neither square overflows.
  const Tensor a = e.abs(p.a), b = e.abs(p.b);
  const Tensor large = e.maximum(a, b), small = e.minimum(a, b);
  const Tensor ratio = e.div(small, e.where(e.compare("eq", large, 0.0), 1.0, large));
  const Tensor value = e.mul(large, e.sqrt(e.add(e.square(ratio), 1.0)));
  // Infinity takes precedence over NaN.
  return one(e.where(e.logicalOr(e.compare("eq", a, INFINITY), e.compare("eq", b, INFINITY)), INFINITY, value));
}

/// x * log1p(y), 0 where x is 0, NaN where y is.
Results xlog1py(RuleContext& context) {
  Emitter e(context);
  const Operands p = operandsOf(e);
  e.require(isFloating(p.a.dtype()) && isFloating(p.b.dtype()));
  if (!e.valid()) return {};
  const Tensor product = e.mul(p.a, e.unary("log1p", p.b));
  const Tensor zeroed = e.where(e.compare("eq", p.a, 0.0), 0.0, product);
  return one(e.where(e.compare("ne", p.b, p.b), NAN, zeroed));
}

Results trueDivide(RuleContext& context) {
  Emitter e(context);
  const Tensor a = e.tensor("self");
  const fx::Argument other = e.argument("other");
  if (!e.valid()) return {};
  return one(e.op("aten.div.Tensor", {a.value, other}, e.result()));
}

/// other - alpha * self.
Results reverseSubtract(RuleContext& context) {
  Emitter e(context);
  const Operands p = operandsOf(e);
  const fx::Argument alpha = e.argument("alpha");
  if (!e.valid()) return {};
  const bool plain = alpha == fx::Argument(std::int64_t{1}) || alpha == fx::Argument(1.0);
  return one(e.sub(p.b, plain ? p.a : e.mul(p.a, alpha)));
}

template <bool tensors>
Results clip(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const fx::Argument low = e.argument("min"), high = e.argument("max");
  if (!e.valid()) return {};
  return one(e.op(tensors ? "aten.clamp.Tensor" : "aten.clamp.default", {x.value, low, high}, e.result()));
}

Results isFinite(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  e.require(isFloating(x.dtype()));
  if (!e.valid()) return {};
  return one(e.compare("lt", e.abs(x), INFINITY));
}

/// -0.0 counts as negative: its reciprocal is minus infinity.
Tensor isNegative(Emitter& e, const Tensor& x) {
  const Tensor below = e.compare("lt", x, 0.0);
  return e.logicalOr(below, e.compare("eq", e.reciprocal(x), -INFINITY));
}
Results signBit(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  e.require(isFloating(x.dtype()));
  if (!e.valid()) return {};
  return one(isNegative(e, x));
}
Results copySign(RuleContext& context) {
  Emitter e(context);
  const Operands p = operandsOf(e);
  e.require(isFloating(p.a.dtype()) && isFloating(p.b.dtype()));
  if (!e.valid()) return {};
  const Tensor size = e.abs(p.a);
  return one(e.where(isNegative(e, p.b), e.neg(size), size));
}

/// The larger or smaller one; ignores NaN.
template <bool larger>
Results numberOver(RuleContext& context) {
  Emitter e(context);
  const Operands p = operandsOf(e);
  e.require(isFloating(p.result.dtype));
  if (!e.valid()) return {};
  const Tensor a = e.cast(p.a, p.result.dtype), b = e.cast(p.b, p.result.dtype);
  const Tensor both = larger ? e.maximum(a, b) : e.minimum(a, b);
  const Tensor orA = e.where(e.compare("ne", b, b), a, both);
  return one(e.where(e.compare("ne", a, a), b, orA));
}

/// x log y, 0 where x is 0, NaN where y is.
Results xlogy(RuleContext& context) {
  Emitter e(context);
  const Operands p = operandsOf(e);
  e.require(isFloating(p.a.dtype()) && isFloating(p.b.dtype()));
  if (!e.valid()) return {};
  const Tensor product = e.mul(p.a, e.log(p.b));
  const Tensor zeroed = e.where(e.compare("eq", p.a, 0.0), 0.0, product);
  return one(e.where(e.compare("ne", p.b, p.b), NAN, zeroed));
}

/// The shift operators with a number are those with a tensor.
template <bool left>
Results shift(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const std::int64_t amount = e.integer("other");
  e.require(isIntegral(x.dtype()) && amount >= 0 && amount < 63);
  if (!e.valid()) return {};
  const Tensor by = e.full({}, amount, x.dtype());
  return one(
      e.op(left ? "aten.bitwise_left_shift.Tensor" : "aten.bitwise_right_shift.Tensor", {x.value, by.value}, x.dtype(), x.meta.sizes));
}

Results remainderOfNumber(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const double other = e.number("other");
  const fx::TensorMeta result = e.result();
  e.require(isFloating(x.dtype()) && result.dtype == x.dtype());
  if (!e.valid()) return {};
  return one(e.op("aten.fmod.Tensor", {x.value, e.full({}, other, x.dtype()).value}, x.dtype(), x.meta.sizes));
}

/// Compares every element with every test element.
Results isIn(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("elements"), tested = e.tensor("test_elements");
  const bool invert = e.flag("invert");
  e.require(isIntegral(x.dtype()) || isFloating(x.dtype()));
  if (!e.valid()) return {};
  const Tensor equal = e.compare("eq", e.unsqueeze(x, x.rank()), e.flatten(tested));
  const Tensor found = e.compare("gt", e.sum(e.cast(equal, DType::Int64), {equal.rank() - 1}, false), std::int64_t{0});
  return one(invert ? e.logicalNot(found) : found);
}

}  // namespace

void registerPointwise(RewriteRules& rules) {
  const auto add = [&](const std::string& packet, std::string reason, decltype(Rule::apply) apply) {
    rules.add({"aten." + packet + ".default", "decompose:aten." + packet, std::move(reason), true, apply});
  };
  for (const char* packet : {"erfc", "special_erfc"}) add(packet, "becomes 1 - erf", unary<erfc>);
  for (const char* packet : {"sinc", "special_sinc"}) add(packet, "becomes sin(pi x) / (pi x)", unary<sinc>);
  for (const char* packet : {"digamma", "special_digamma", "special_psi"}) add(packet, "becomes its asymptotic series", unary<digamma>);
  for (const char* packet : {"lgamma", "special_gammaln"}) add(packet, "becomes Stirling's series", unary<logGamma>);
  for (const char* packet : {"i0", "special_i0"}) add(packet, "becomes polynomials", unary<bessel<false, false>>);
  add("special_i0e", "becomes polynomials", unary<bessel<false, true>>);
  add("special_i1", "becomes polynomials", unary<bessel<true, false>>);
  add("special_i1e", "becomes polynomials", unary<bessel<true, true>>);
  add("special_entr", "becomes -x log x", unary<entropy>);
  add("special_ndtr", "becomes erf", unary<normalCdf>);
  add("hypot", "becomes the root of squares, scaled", hypot);
  add("special_xlog1py", "becomes x log1p y", xlog1py);
  add("clip", "becomes aten.clamp", clip<false>);
  add("isfinite", "becomes a comparison with infinity", isFinite);
  rules.add({"aten.signbit.default", "decompose:aten.signbit", "becomes comparisons with 0", true, signBit});
  rules.add({"aten.copysign.Tensor", "decompose:aten.copysign.Tensor", "becomes aten.where of both signs", true, copySign});
  add("fmax", "becomes aten.maximum, with NaN left out", numberOver<true>);
  add("fmin", "becomes aten.minimum, with NaN left out", numberOver<false>);
  for (const char* target : {"aten.xlogy.Tensor", "aten.special_xlogy.default"}) {
    const std::string name(target);
    rules.add({name, "decompose:" + name, "becomes x log y", true, xlogy});
  }
  rules.add({"aten.__lshift__.Scalar", "decompose:aten.__lshift__.Scalar", "becomes aten.bitwise_left_shift", true, shift<true>});
  rules.add({"aten.__rshift__.Scalar", "decompose:aten.__rshift__.Scalar", "becomes aten.bitwise_right_shift", true, shift<false>});
  rules.add({"aten.fmod.Scalar", "decompose:aten.fmod.Scalar", "becomes aten.fmod with a tensor", true, remainderOfNumber});
  rules.add({"aten.clip.Tensor", "decompose:aten.clip.Tensor", "becomes aten.clamp.Tensor", true, clip<true>});
  rules.add({"aten.true_divide.Tensor", "decompose:aten.true_divide.Tensor", "becomes aten.div", true, trueDivide});
  rules.add({"aten.rsub.Tensor", "decompose:aten.rsub.Tensor", "becomes aten.sub", true, reverseSubtract});
  rules.add({"aten.isin.Tensor_Tensor", "decompose:aten.isin.Tensor_Tensor", "becomes comparisons of all pairs", true, isIn});
}

}  // namespace fxs::rewrite
