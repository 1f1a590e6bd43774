// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What torch.export.default_decompositions() makes of activations, checked against PyTorch
// operation by operation.
#include "rewrite/default_parts.h"
#include "rewrite/rule.h"

namespace fxs::rewrite {

Tensor logSigmoidByDefault(Emitter& e, const Tensor& x) {
  const Tensor least = e.minimum(e.full({}, std::int64_t{0}, x.dtype()), x);
  return e.sub(least, e.log1p(e.exp(e.neg(e.abs(x)))));
}

namespace {

Results silu(Emitter& e) {
  const Tensor x = widened(e, "self");
  return one(e.asResult(e.mul(x, e.sigmoid(x))));
}

Results relu6ByDefault(Emitter& e) {
  const Tensor x = e.tensor("self");
  return one(e.op("aten.hardtanh.default", {x.value, std::int64_t{0}, std::int64_t{6}}, x.meta));
}

Tensor clampedToSix(Emitter& e, const Tensor& x) {
  const Tensor sum = e.add(x, 3);
  const Tensor low = e.op("aten.clamp.default", {sum.value, std::int64_t{0}}, sum.meta);
  return e.op("aten.clamp.default", {low.value, fx::None{}, std::int64_t{6}}, sum.meta);
}

Results hardswish(Emitter& e) {
  const Tensor x = widened(e, "self");
  return one(e.asResult(e.div(e.mul(x, clampedToSix(e, x)), 6)));
}

Results hardsigmoid(Emitter& e) {
  const Tensor x = widened(e, "self");
  return one(e.asResult(e.div(clampedToSix(e, x), 6)));
}

Tensor softplusOf(Emitter& e, const Tensor& x) {
  const Tensor soft = e.unary("log1p", e.exp(x));
  return e.where(e.compare("gt", x, 20), x, soft);
}

Results softplus(Emitter& e) {
  const Tensor x = widened(e, "self");
  e.require(isNumber(e.argument("beta"), 1) && isNumber(e.argument("threshold"), 20));
  return one(e.asResult(softplusOf(e, x)));
}

Results mish(Emitter& e) {
  const Tensor x = widened(e, "self");
  return one(e.asResult(e.mul(x, e.tanh(softplusOf(e, x)))));
}

Results glu(Emitter& e) {
  const Tensor x = widened(e, "self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const std::int64_t size = e.fixed(x, dim), half = size / 2;
  const Tensor first = e.slice(x, dim, 0, half), second = e.slice(x, dim, half, size);
  return one(e.asResult(e.mul(first, e.sigmoid(second))));
}

Results squareByDefault(Emitter& e) {
  const Tensor x = e.tensor("self");
  return one(e.op("aten.pow.Tensor_Scalar", {x.value, std::int64_t{2}}, e.result()));
}

Results preluByDefault(Emitter& e) {
  const Tensor x = e.tensor("self"), weight = e.tensor("weight");
  e.require(isFloating(x.dtype()) && weight.dtype() == x.dtype() && weight.rank() == 1 &&
            x.rank() > 0);
  e.require(x.rank() > 1 || weight.meta.sizes[0] == fx::SymInt(1));
  const Tensor slope = e.along(weight, e.size(weight, 0), x.rank() > 1 ? 1 : 0, x.rank());
  const Tensor isPositive = e.compare("gt", x, 0);
  return one(e.where(isPositive, x, e.mul(slope, x)));
}

Results logSigmoid(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(isWide(x));
  return one(logSigmoidByDefault(e, x));
}

Results celu(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(isWide(x) && isNumber(e.argument("alpha"), 1));
  const Tensor below = e.unary("expm1", x);
  return one(e.where(e.compare("gt", x, 0), x, below));
}

Results selu(Emitter& e) {
  const Tensor x = e.tensor("self");
  return one(e.op("aten.elu.default", {x.value, 1.6732632423543772, 1.0507009873554805}, x.meta));
}

}  // namespace

void addDefaultActivations(RewriteRules& forms) {
  addDefault(forms, {"aten.log_sigmoid.default"}, logSigmoid);
  addDefault(forms, {"aten.celu.default"}, celu);
  addDefault(forms, {"aten.selu.default"}, selu);
  addDefault(forms, {"aten.silu.default"}, silu);
  addDefault(forms, {"aten.relu6.default"}, relu6ByDefault);
  addDefault(forms, {"aten.hardswish.default"}, hardswish);
  addDefault(forms, {"aten.hardsigmoid.default"}, hardsigmoid);
  addDefault(forms, {"aten.softplus.default"}, softplus);
  addDefault(forms, {"aten.mish.default"}, mish);
  addDefault(forms, {"aten.glu.default"}, glu);
  addDefault(forms, {"aten.square.default"}, squareByDefault);
  addDefault(forms, {"aten.prelu.default"}, preluByDefault);
}

}  // namespace fxs::rewrite
