// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inverse and hyperbolic functions by those that TOSA has, on request. Integers are cast first.
#include <algorithm>
#include <numbers>

#include "ops/operators.h"
#include "ops/promotion.h"
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// The arc tangent of a number in [0, 1], by halving the angle once, and 13 terms of the series
/// (error below 1e-11).
Tensor arcTangentOfUnit(Emitter& e, const Tensor& x) {
  const Tensor half =
      e.div(x, e.add(e.sqrt(e.add(e.square(x), 1.0)), 1.0));  // tan(a / 2), at most sqrt(2) - 1
  const Tensor square = e.square(half);
  constexpr int kTerms = 13;
  Tensor sum = e.full({}, 1.0 / (2 * kTerms - 1), x.dtype());
  for (int k = kTerms - 2; k >= 0; --k) sum = e.sub(1.0 / (2 * k + 1), e.mul(square, sum));
  return e.mul(e.mul(half, sum), 2.0);
}

/// The angle of (x, y), in the quadrant of their signs.
Tensor angle(Emitter& e, const Tensor& y, const Tensor& x) {
  const Tensor high = e.abs(y), wide = e.abs(x);
  const Tensor isSteep = e.compare("gt", high, wide);
  const Tensor small = e.where(isSteep, wide, high), large = e.where(isSteep, high, wide);
  const Tensor isZero = e.compare("eq", large, 0.0), isSame = e.compare("eq", small, large);
  const Tensor one = e.full({}, 1.0, y.dtype()), zero = e.full({}, 0.0, y.dtype());
  // Both zero or both infinite: there is no quotient.
  const Tensor ratio =
      e.where(isZero, zero, e.where(isSame, one, e.div(small, e.where(isZero, one, large))));
  const Tensor first = arcTangentOfUnit(e, ratio);
  const Tensor quarter = e.where(isSteep, e.sub(std::numbers::pi / 2, first), first);
  const Tensor upper = e.where(e.compare("lt", x, 0.0), e.sub(std::numbers::pi, quarter), quarter);
  return e.where(e.compare("lt", y, 0.0), e.neg(upper), upper);
}

Tensor unit(Emitter& e, const Tensor& like) { return e.full({}, 1.0, like.dtype()); }
Tensor complement(Emitter& e, const Tensor& x) {
  return e.sqrt(e.mul(e.sub(1.0, x), e.add(x, 1.0)));
}

Tensor arcTangent(Emitter& e, const Tensor& x) { return angle(e, x, unit(e, x)); }
Tensor arcSine(Emitter& e, const Tensor& x) { return angle(e, x, complement(e, x)); }
Tensor arcCosine(Emitter& e, const Tensor& x) { return angle(e, complement(e, x), x); }
Tensor hyperbolicSine(Emitter& e, const Tensor& x) {
  return e.mul(e.sub(e.exp(x), e.exp(e.neg(x))), 0.5);
}
Tensor hyperbolicCosine(Emitter& e, const Tensor& x) {
  return e.mul(e.add(e.exp(x), e.exp(e.neg(x))), 0.5);
}
Tensor tangent(Emitter& e, const Tensor& x) { return e.div(e.unary("sin", x), e.unary("cos", x)); }
/// Of the absolute value, so that nothing cancels.
Tensor areaSine(Emitter& e, const Tensor& x) {
  const Tensor size = e.abs(x);
  const Tensor root = e.sqrt(e.add(e.square(size), 1.0));
  const Tensor value = e.unary("log1p", e.add(size, e.div(e.square(size), e.add(root, 1.0))));
  return e.where(e.compare("lt", x, 0.0), e.neg(value), value);
}
Tensor areaCosine(Emitter& e, const Tensor& x) {
  return e.log(e.add(x, e.mul(e.sqrt(e.sub(x, 1.0)), e.sqrt(e.add(x, 1.0)))));
}
Tensor areaTangent(Emitter& e, const Tensor& x) {
  return e.mul(e.sub(e.unary("log1p", x), e.unary("log1p", e.neg(x))), 0.5);
}
Tensor logarithmTo2(Emitter& e, const Tensor& x) { return e.mul(e.log(x), std::numbers::log2e); }

Results angleOf(Emitter& e) {
  const fx::TensorMeta result = e.result();
  e.require(isFloating(result.dtype));
  const DType dtype = ops::computationType(result.dtype);
  return one(e.cast(angle(e, e.cast(e.tensor("self"), dtype), e.cast(e.tensor("other"), dtype)),
                    result.dtype));
}

/// An operator that PyTorch computes in float32 for integers, with the cast written out.
Results ofIntegers(Emitter& e) {
  const Tensor x = e.tensor("self");
  const fx::TensorMeta result = e.result();
  e.require(!isFloating(x.dtype()) && !isComplex(x.dtype()) && isFloating(result.dtype));
  const std::string& target = e.matched().target;
  return one(e.op(target, {e.cast(x, result.dtype).value}, result));
}

/// Packets of floating functions of one number for which `rules` have no other rule, sorted.
std::vector<std::string> functionsWithoutFormula(const RewriteRules& rules) {
  std::vector<std::string> out;
  for (const auto& [packet, row] : ops::OperatorTable::builtin().rows) {
    const std::string target = "aten." + std::string(packet) + ".default";
    const bool hasRule = std::any_of(rules.rules().begin(), rules.rules().end(),
                                     [&](const Rule& rule) { return rule.target == target; });
    if (!row.rule(ops::Rule::Function).empty() && row.rule(ops::Rule::Value) == "floating" &&
        !hasRule)
      out.emplace_back(packet);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

void registerTrigonometry(RewriteRules& rules) {
  const auto add = [&](const std::string& name, const char* reason,
                       const decltype(Rule::apply)& apply) {
    rules.add({"aten." + name + ".default", reason, false, apply});
  };
  const auto real = [&](const std::string& packet, const char* reason,
                        Tensor (*formula)(Emitter&, const Tensor&)) {
    rules.addFormula({"aten." + packet + ".default"}, reason, false, formula);
  };
  const char* series = "becomes a series";
  const char* exponentials = "becomes exponentials";
  const char* logarithms = "becomes logarithms";
  real("atan", series, arcTangent);
  real("asin", series, arcSine);
  real("acos", series, arcCosine);
  add("atan2", series, angleOf);
  real("tan", "becomes a quotient of sine and cosine", tangent);
  real("sinh", exponentials, hyperbolicSine);
  real("cosh", exponentials, hyperbolicCosine);
  real("asinh", logarithms, areaSine);
  real("acosh", logarithms, areaCosine);
  real("atanh", logarithms, areaTangent);
  real("log2", logarithms, logarithmTo2);
  for (const std::string& name : functionsWithoutFormula(rules))
    add(name, "casts integers to float32 first", ofIntegers);
}

}  // namespace fxs::rewrite
