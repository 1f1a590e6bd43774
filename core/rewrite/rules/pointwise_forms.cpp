// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointwise functions, products and reductions that torch-mlir knows and op registries, TOSA or
// StableHLO do not, by others: on request.
#include <cmath>
#include <numbers>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Tensor numberOf(Emitter& e, const fx::Argument& number, const Tensor& like) {
  return e.full({}, number, like.dtype());
}

Results square(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(x.dtype() != DType::Bool && !isComplex(x.dtype()));
  return one(e.square(x));
}

Results outer(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("vec2");
  e.require(a.rank() == 1 && b.rank() == 1);
  return one(e.mul(e.unsqueeze(a, 1), e.unsqueeze(b, 0)));
}

Results matrixVector(Emitter& e) { return one(e.matmul(e.tensor("self"), e.tensor("vec"))); }

Results dot(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("tensor");
  e.require(a.rank() == 1 && b.rank() == 1 && !isComplex(a.dtype()));
  return one(e.cast(e.sum(e.mul(a, b), {0}, false), a.dtype()));
}

/// self + value * tensor1 * tensor2, or / tensor2.
template <bool quotient>
Results addScaled(Emitter& e) {
  const DType compute = ops::computationType(e.result().dtype);
  e.require(!quotient || isFloating(compute));
  const auto operand = [&](std::string_view name) { return e.cast(e.tensor(name), compute); };
  const Tensor self = operand("self"), first = operand("tensor1"), second = operand("tensor2");
  const fx::Argument value = e.argument("value");
  const Tensor scaled = isNumber(value, 1) ? first : e.mul(first, value);
  return one(e.asResult(e.add(self, quotient ? e.div(scaled, second) : e.mul(scaled, second))));
}

/// Computed from the nearer end, so that both ends are exact.
Results lerp(Emitter& e) {
  const DType compute = ops::computationType(e.result().dtype);
  e.require(isFloating(compute));
  const auto operand = [&](std::string_view name) { return e.cast(e.tensor(name), compute); };
  const Tensor self = operand("self"), end = operand("end"), distance = e.sub(end, self);
  if (e.matched().target.ends_with(".Scalar")) {
    double weight = e.number("weight");
    if (compute == DType::Float32) weight = static_cast<float>(weight);
    return one(e.asResult(std::abs(weight) < 0.5 ? e.add(self, e.mul(distance, weight))
                                                 : e.sub(end, e.mul(distance, 1 - weight))));
  }
  const Tensor weight = operand("weight"), fromStart = e.add(self, e.mul(weight, distance)),
               fromEnd = e.sub(end, e.mul(distance, e.sub(1.0, weight)));
  return one(e.asResult(e.where(e.compare("lt", e.abs(weight), 0.5), fromStart, fromEnd)));
}

Results fraction(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(isFloating(x.dtype()));
  return one(e.sub(x, e.unary("trunc", x)));
}

template <bool toRadians>
Results angles(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(isFloating(x.dtype()));
  return one(e.mul(x, toRadians ? std::numbers::pi / 180 : 180 / std::numbers::pi));
}

/// log(base^a + base^b), from the larger one.
template <bool binary>
Results logOfSum(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("other");
  e.require(isFloating(a.dtype()) && a.dtype() == b.dtype());
  const Tensor largest = e.maximum(a, b);
  const Tensor below = e.unary(binary ? "exp2" : "exp", e.neg(e.abs(e.sub(a, b))));
  const Tensor rest = e.unary("log1p", below);
  const Tensor sum = e.add(largest, binary ? e.mul(rest, 1 / std::numbers::ln2) : rest);
  // The difference of equal infinities is not a number.
  const Tensor same = e.logicalAnd(e.compare("eq", a, b), e.compare("eq", e.abs(a), INFINITY));
  return one(e.where(same, largest, sum));
}

template <bool positive>
Results isInfinity(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(isFloating(x.dtype()));
  return one(e.compare("eq", x, positive ? INFINITY : -INFINITY));
}

template <bool greatest>
Results extremeOfTwo(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("other");
  return one(greatest ? e.maximum(a, b) : e.minimum(a, b));
}

Results relu6(Emitter& e) { return one(e.clamp(e.tensor("self"), 0, 6)); }

Results thresholded(Emitter& e) {
  const Tensor x = e.tensor("self");
  const fx::Argument value = e.argument("value");
  e.require(value.node() == nullptr);
  return one(e.where(e.compare("le", x, e.argument("threshold")), numberOf(e, value, x), x));
}

Results maskedFill(Emitter& e) {
  const Tensor x = e.tensor("self"), value = e.tensor("value");
  e.require(value.rank() == 0);
  return one(e.where(e.tensor("mask"), e.cast(value, x.dtype()), x));
}

Tensor isNonzero(Emitter& e, const Tensor& x) {
  if (x.dtype() == DType::Bool) return x;
  return e.compare("ne", x, isFloating(x.dtype()) ? Operand(0.0) : Operand(std::int64_t{0}));
}

Results countNonzero(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(!isComplex(x.dtype()));
  const bool isList = e.matched().target == "aten.count_nonzero.dim_IntList";
  const std::optional<std::int64_t> dim = isList ? std::nullopt : e.optionalInteger("dim");
  std::vector<std::size_t> dims = allDims(x);
  if (isList) dims = e.dims("dim", x);
  else if (dim) dims = {e.dim(*dim, x)};
  const Tensor counted = e.cast(isNonzero(e, x), DType::Int64);
  return one(x.rank() == 0 ? counted : e.sum(counted, dims, false));
}

Results extremes(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::optional<std::int64_t> dim = e.optionalInteger("dim");
  const bool keep = e.flag("keepdim");
  e.require(x.rank() > 0);
  const std::vector<std::size_t> dims = dim ? std::vector{e.dim(*dim, x)} : allDims(x);
  return std::vector<fx::Argument>{e.amin(x, dims, keep).value, e.amax(x, dims, keep).value};
}

/// Counted from both ends, so that the last element is exact.
Results linspace(Emitter& e) {
  const double start = e.number("start"), end = e.number("end");
  const std::int64_t steps = e.integer("steps");
  const fx::TensorMeta result = e.result();
  e.require(isFloating(result.dtype) && steps >= 0);
  if (steps == 0) return one(e.full({Size::of(0)}, std::int64_t{0}, result.dtype));
  if (steps == 1) return one(e.full({Size::of(1)}, start, result.dtype));
  const DType compute = ops::computationType(result.dtype);
  const double step = (end - start) / static_cast<double>(steps - 1);
  const Tensor at = e.arange(Size::of(steps));
  const Tensor fromStart = e.add(e.mul(e.cast(at, compute), step), start);
  const Tensor fromEnd = e.sub(end, e.mul(e.cast(e.sub(steps - 1, at), compute), step));
  return one(e.cast(e.where(e.compare("lt", at, steps / 2), fromStart, fromEnd), result.dtype));
}

Results cosineSimilarity(Emitter& e) {
  const Tensor a = e.tensor("x1"), b = e.tensor("x2");
  const double eps = e.number("eps");
  const std::vector<fx::SymInt> both = Emitter::broadcastSizes(a.meta.sizes, b.meta.sizes);
  e.require(isFloating(a.dtype()) && a.dtype() == b.dtype() && a.rank() == both.size() &&
            b.rank() == both.size() && !both.empty());
  const std::size_t dim = e.dim(e.integer("dim"), a);
  // The norm of an operand that is broadcast along `dim` counts each copy.
  const Tensor wideA = a.meta.sizes == both ? a : e.expandAs(a, b),
               wideB = b.meta.sizes == both ? b : e.expandAs(b, a);
  e.require(wideA.meta.sizes == both && wideB.meta.sizes == both);
  const auto length = [&](const Tensor& x) {
    return e.clamp(e.sqrt(e.sum(e.square(x), {dim}, false)), eps, {});
  };
  return one(e.div(e.sum(e.mul(wideA, wideB), {dim}, false), e.mul(length(wideA), length(wideB))));
}

Results sign(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(!isComplex(x.dtype()));
  return one(e.unary("sign", x));
}

/// The engine crashes where StableHLO's clamp has bounds of other symbolic sizes.
Results clampedBetween(Emitter& e) {
  const std::optional<Tensor> low = e.optionalTensor("min"), high = e.optionalTensor("max");
  const DType type = e.result().dtype;
  Tensor x = e.cast(e.tensor("self"), type);
  if (low) x = e.maximum(x, e.cast(*low, type));
  if (high) x = e.minimum(x, e.cast(*high, type));
  return one(x);
}

Results realConjugate(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(!isComplex(x.dtype()));
  return one(x);
}

Results isReal(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(!isComplex(x.dtype()));
  return one(e.full(e.sizes(x), true, DType::Bool));
}

}  // namespace

void registerPointwiseForms(RewriteRules& rules) {
  const auto add = [&](std::initializer_list<std::string_view> targets, std::string_view reason,
                       const decltype(Rule::apply)& apply) {
    rules.addEach(targets, reason, false, apply);
  };
  add({"aten.square.default"}, "becomes a product", square);
  add({"aten.outer.default", "aten.ger.default"}, "becomes a product of a column and a row", outer);
  add({"aten.mv.default"}, "becomes aten.matmul", matrixVector);
  add({"aten.dot.default"}, "becomes a sum of products", dot);
  add({"aten.addcdiv.default"}, "becomes a quotient and a sum", addScaled<true>);
  add({"aten.addcmul.default"}, "becomes a product and a sum", addScaled<false>);
  add({"aten.lerp.Scalar", "aten.lerp.Tensor"}, "becomes its formula, from the nearer end", lerp);
  add({"aten.conj_physical.default"}, "is its tensor, if that is real", realConjugate);
  add({"aten.isreal.default"}, "is true for every real number", isReal);
  add({"aten.frac.default"}, "becomes the difference to aten.trunc", fraction);
  add({"aten.deg2rad.default"}, "becomes a product", angles<true>);
  add({"aten.rad2deg.default"}, "becomes a product", angles<false>);
  add({"aten.logaddexp.default"}, "becomes its formula, from the larger operand", logOfSum<false>);
  add({"aten.logaddexp2.default"}, "becomes its formula, from the larger operand", logOfSum<true>);
  add({"aten.isposinf.default"}, "becomes a comparison with infinity", isInfinity<true>);
  add({"aten.isneginf.default"}, "becomes a comparison with infinity", isInfinity<false>);
  add({"aten.max.other"}, "becomes aten.maximum", extremeOfTwo<true>);
  add({"aten.min.other"}, "becomes aten.minimum", extremeOfTwo<false>);
  add({"aten.relu6.default"}, "becomes aten.clamp", relu6);
  rules.add({"aten.clamp.Tensor",
             "becomes aten.maximum and aten.minimum",
             false,
             clampedBetween,
             {},
             "    for bound, of in ((min, torch.maximum), (max, torch.minimum)):\n"
             "        self = self if bound is None else of(self, bound)\n"
             "    return self\n"});
  add({"aten.threshold.default"}, "becomes aten.where", thresholded);
  add({"aten.masked_fill.Tensor"}, "becomes aten.where", maskedFill);
  add({"aten.count_nonzero.default", "aten.count_nonzero.dim_IntList"},
      "becomes a comparison and a sum", countNonzero);
  add({"aten.aminmax.default"}, "becomes aten.amin and aten.amax", extremes);
  add({"aten.linspace.default"}, "becomes aten.arange, scaled", linspace);
  add({"aten.cosine_similarity.default"}, "becomes sums of products", cosineSimilarity);
  add({"aten.sgn.default"}, "becomes aten.sign, if it is of real numbers", sign);
}

}  // namespace fxs::rewrite
