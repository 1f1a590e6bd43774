// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activations by their formulas, on request: for backends that support fewer of them.
#include <cmath>
#include <numbers>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Tensor gelu(Emitter& e, const Tensor& x) {
  const std::string form = e.text("approximate");
  e.require(form == "none" || form == "tanh");
  const Tensor half = e.mul(x, 0.5);
  if (form == "none")
    return e.mul(half, e.add(e.unary("erf", e.mul(x, std::numbers::sqrt2 / 2)), 1.0));
  const Tensor inner =
      e.mul(e.add(x, e.mul(e.mul(e.square(x), x), 0.044715)), std::sqrt(2 / std::numbers::pi));
  return e.mul(half, e.add(e.tanh(inner), 1.0));
}
Tensor silu(Emitter& e, const Tensor& x) { return e.mul(x, e.sigmoid(x)); }
/// log(1 + exp(x)) without overflow.
Tensor logOnePlusExp(Emitter& e, const Tensor& x) {
  return e.add(e.relu(x), e.unary("log1p", e.exp(e.neg(e.abs(x)))));
}
Tensor mish(Emitter& e, const Tensor& x) { return e.mul(x, e.tanh(logOnePlusExp(e, x))); }
Tensor softplus(Emitter& e, const Tensor& x) {
  const double beta = e.number("beta"), threshold = e.number("threshold");
  e.require(beta != 0);
  const Tensor scaled = e.mul(x, beta);
  return e.where(e.compare("gt", scaled, threshold), x, e.div(logOnePlusExp(e, scaled), beta));
}
Tensor logSigmoid(Emitter& e, const Tensor& x) { return e.neg(logOnePlusExp(e, e.neg(x))); }
Tensor hardSigmoid(Emitter& e, const Tensor& x) {
  return e.div(e.clamp(e.add(x, 3.0), 0.0, 6.0), 6.0);
}
Tensor hardSwish(Emitter& e, const Tensor& x) { return e.mul(x, hardSigmoid(e, x)); }
Tensor leakyRelu(Emitter& e, const Tensor& x) {
  return e.where(e.compare("gt", x, 0.0), x, e.mul(x, e.number("negative_slope")));
}
/// scale * (x for positive x, alpha * (exp(inputScale * x) - 1) otherwise).
Tensor exponentialUnit(Emitter& e, const Tensor& x, double alpha, double scale, double inputScale) {
  const Tensor below = e.mul(e.unary("expm1", e.mul(x, inputScale)), alpha * scale);
  return e.where(e.compare("gt", x, 0.0), scale == 1 ? x : e.mul(x, scale), below);
}
Tensor elu(Emitter& e, const Tensor& x) {
  return exponentialUnit(e, x, e.number("alpha"), e.number("scale"), e.number("input_scale"));
}
Tensor celu(Emitter& e, const Tensor& x) {
  const double alpha = e.number("alpha");
  e.require(alpha != 0);
  return exponentialUnit(e, x, alpha, 1, 1 / alpha);
}
Tensor selu(Emitter& e, const Tensor& x) {
  return exponentialUnit(e, x, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946,
                         1);
}
Tensor softShrink(Emitter& e, const Tensor& x) {
  const double bound = e.number("lambd");
  const Tensor inside = e.where(e.compare("lt", x, -bound), e.add(x, bound), e.mul(x, 0.0));
  return e.where(e.compare("gt", x, bound), e.sub(x, bound), inside);
}
Tensor hardShrink(Emitter& e, const Tensor& x) {
  return e.where(e.compare("le", e.abs(x), e.number("lambd")), 0.0, x);
}
Tensor tanhShrink(Emitter& e, const Tensor& x) { return e.sub(x, e.tanh(x)); }
Tensor softSign(Emitter& e, const Tensor& x) { return e.div(x, e.add(e.abs(x), 1.0)); }
Tensor glu(Emitter& e, const Tensor& x) {
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const std::int64_t size = e.fixed(x, dim);
  return e.mul(e.slice(x, dim, 0, size / 2), e.sigmoid(e.slice(x, dim, size / 2, size)));
}
Tensor logit(Emitter& e, const Tensor& x) {
  const std::optional<double> eps = e.optionalNumber("eps");
  const Tensor p = eps ? e.clamp(x, eps, 1 - *eps) : x;
  return e.log(e.div(p, e.sub(1.0, p)));
}
Results hardTanh(Emitter& e) {
  return one(e.clamp(e.tensor("self"), e.number("min_val"), e.number("max_val")));
}
/// The weight has one element, or one for each channel.
Results prelu(Emitter& e) {
  const Tensor x = e.tensor("self"), weight = e.tensor("weight");
  e.require(isFloating(x.dtype()) && weight.rank() <= 1);
  Sizes shape(x.rank(), Size::of(1));
  if (weight.rank() == 1 && x.rank() > 0) shape[x.rank() > 1 ? 1 : 0] = e.size(weight, 0);
  return one(e.where(e.compare("gt", x, 0.0), x, e.mul(x, e.reshape(weight, shape))));
}

}  // namespace

void registerActivations(RewriteRules& rules) {
  const auto add = [&](const std::string& packet, Tensor (*formula)(Emitter&, const Tensor&)) {
    rules.addFormula({"aten." + packet + ".default"}, "becomes its formula", false, formula);
  };
  add("gelu", gelu);
  add("silu", silu);
  add("mish", mish);
  add("softplus", softplus);
  add("log_sigmoid", logSigmoid);
  add("hardsigmoid", hardSigmoid);
  add("hardswish", hardSwish);
  add("leaky_relu", leakyRelu);
  add("elu", elu);
  add("celu", celu);
  add("selu", selu);
  add("softshrink", softShrink);
  add("hardshrink", hardShrink);
  add("tanhshrink", tanhShrink);
  add("softsign", softSign);
  add("glu", glu);
  add("logit", logit);
  rules.add({"aten.hardtanh.default", "becomes aten.clamp", false, hardTanh});
  rules.add({"aten.prelu.default", "becomes its formula", true, prelu});
}

}  // namespace fxs::rewrite
