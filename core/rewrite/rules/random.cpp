// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random tensors by aten.rand and aten.randn, which backends support.

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Results normal(Emitter& e) {
  const Tensor x = e.tensor("self");
  const double mean = e.number("mean"), deviation = e.number("std");
  e.require(isFloating(x.dtype()));
  return one(e.add(e.mul(e.random("randn", e.sizes(x), x.dtype()), deviation), mean));
}

Results normalAround(Emitter& e) {
  const Tensor mean = e.tensor("mean");
  const double deviation = e.number("std");
  return one(e.add(mean, e.mul(e.random("randn", e.sizes(mean), mean.dtype()), deviation)));
}

Results normalTensors(Emitter& e) {
  const Tensor mean = e.tensor("mean"), deviation = e.tensor("std");
  Tensor like = mean;
  like.meta.sizes = e.broadcastSizes(mean.meta.sizes, deviation.meta.sizes);
  e.require(like.meta.isStaticShape());
  return one(e.add(mean, e.mul(e.random("randn", e.sizes(like), mean.dtype()), deviation)));
}

Results normalSpread(Emitter& e) {
  const Tensor deviation = e.tensor("std");
  const double mean = e.number("mean");
  return one(
      e.add(e.mul(e.random("randn", e.sizes(deviation), deviation.dtype()), deviation), mean));
}

/// -log(1 - u) / lambda: u is below 1, so the logarithm is finite.
Results exponential(Emitter& e) {
  const Tensor x = e.tensor("self");
  const double lambda = e.number("lambd");
  e.require(isFloating(x.dtype()) && lambda > 0);
  const Tensor u = e.random("rand", e.sizes(x), x.dtype());
  return one(e.div(e.neg(e.unary("log1p", e.neg(u))), lambda));
}

Results randintLikeRange(Emitter& e, std::int64_t low, std::int64_t high) {
  const Tensor x = e.tensor("self");
  const fx::TensorMeta result = e.result();
  e.require(high > low && !isComplex(result.dtype));
  const Tensor u = e.random("rand", e.sizes(x), DType::Float32);
  return one(
      e.cast(e.floor(e.add(e.mul(u, static_cast<double>(high - low)), static_cast<double>(low))),
             result.dtype));
}
Results randintLike(Emitter& e) { return randintLikeRange(e, 0, e.integer("high")); }
Results randintLikeLow(Emitter& e) {
  const std::int64_t low = e.integer("low"), high = e.integer("high");
  return randintLikeRange(e, low, high);
}

/// The order that sorts random numbers.
Results randperm(Emitter& e) {
  const std::int64_t n = e.integer("n");
  const fx::TensorMeta result = e.result();
  e.require(n >= 0);
  const Tensor u = e.random("rand", {Size::of(n)}, DType::Float32);
  return one(e.cast(e.op("aten.argsort.default", {u.value, std::int64_t{0}, false}, DType::Int64,
                         {fx::SymInt(n)}),
                    result.dtype));
}

}  // namespace

void registerRandom(RewriteRules& rules) {
  rules.add(
      {"aten.normal_functional.default", "becomes aten.randn, scaled and shifted", true, normal});
  rules.add(
      {"aten.normal.Tensor_float", "becomes aten.randn, scaled and shifted", true, normalAround});
  rules.add(
      {"aten.normal.Tensor_Tensor", "becomes aten.randn, scaled and shifted", true, normalTensors});
  rules.add(
      {"aten.normal.float_Tensor", "becomes aten.randn, scaled and shifted", true, normalSpread});
  rules.add({"aten.exponential.default", "becomes the logarithm of aten.rand", true, exponential});
  rules.add({"aten.randint_like.default", "becomes aten.rand, scaled and rounded down", true,
             randintLike});
  rules.add({"aten.randint_like.low_dtype", "becomes aten.rand, scaled and rounded down", true,
             randintLikeLow});
  rules.add({"aten.randperm.default", "becomes the order that sorts aten.rand", true, randperm});
}

}  // namespace fxs::rewrite
