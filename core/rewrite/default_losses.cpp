// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What torch.export.default_decompositions() makes of losses, checked against PyTorch operation by
// operation.
#include <cmath>
#include <utility>

#include "rewrite/default_parts.h"

namespace fxs::rewrite {
namespace {

enum class Reduction : std::int64_t { None, Mean, Sum };

struct ClassLoss {
  Tensor target;
  std::optional<Tensor> weight;
  Reduction reduction;
  fx::Argument ignored;  ///< a number, or a size
};
ClassLoss classLossOf(Emitter& e) {
  const std::int64_t reduction = e.integer("reduction");
  e.require(reduction >= 0 && reduction <= 2);
  return {e.tensor("target"), e.optionalTensor("weight"), Reduction{reduction},
          e.argument("ignore_index")};
}

Tensor sumOfAll(Emitter& e, const Tensor& x) {
  return e.op("aten.sum.dim_IntList", {x.value, fx::ArgumentList{}},
              isFloating(x.dtype()) ? x.dtype() : DType::Int64, {});
}

Tensor chosen(Emitter& e, const Tensor& condition, const fx::Argument& a, const fx::Argument& b,
              const fx::TensorMeta& result) {
  return e.op("aten.where.self", {condition.value, a, b}, result);
}

Tensor without(Emitter& e, const Tensor& x, std::size_t dim) {
  return e.op("aten.squeeze.dims", {x.value, integersOf({dim})}, x.dtype(),
              reducedSizes(x.meta.sizes, {dim}, false));
}

Tensor byClass(Emitter& e, const Tensor& weight, const Tensor& x) {
  return x.rank() < 2 ? weight : e.along(weight, e.size(weight, 0), 1, x.rank());
}

/// Log probabilities of rank 1, 2 or 4.
Tensor likelihoodLoss(Emitter& e, Tensor x, const ClassLoss& call) {
  const Tensor& target = call.target;
  const std::size_t dim = classDim(x);
  e.require(isFloating(x.dtype()) && isIntegral(target.dtype()) && target.rank() + 1 == x.rank());
  std::optional<Tensor> weight;
  if (call.weight) {
    weight = byClass(e, *call.weight, x);
    x = e.mul(x, *weight);
  }
  const auto isCounted = [&] { return e.compare("ne", target, call.ignored); };
  const auto counted = [&](const Tensor& values) {
    const Tensor condition = isCounted();
    return chosen(e, condition, values.value, scalar(e, std::int64_t{0}, values.dtype()).value,
                  values.meta);
  };
  const Tensor index = e.unsqueeze(counted(target), dim);
  Tensor each = counted(e.neg(without(e, e.gather(x, dim, index), dim)));
  if (call.reduction == Reduction::None) return each;
  if (call.reduction == Reduction::Sum) return sumOfAll(e, each);
  Tensor total;
  if (weight) {
    const Tensor wide = e.expand(*weight, e.sizes(x));
    total = sumOfAll(e, counted(without(e, e.gather(wide, dim, index), dim)));
  } else {
    total = e.cast(sumOfAll(e, isCounted()), x.dtype());
  }
  return e.div(sumOfAll(e, each), total);
}

/// Of any rank: others become those of an image of one row.
Tensor likelihoodLossOfAnyRank(Emitter& e, const Tensor& x, ClassLoss call) {
  if (x.rank() < 3 || x.rank() == 4) return likelihoodLoss(e, x, call);
  fx::SymInt columns(1);
  for (std::size_t d = 2; d < x.rank(); ++d) {
    e.require(x.meta.sizes[d] != fx::SymInt(0));
    columns = columns * x.meta.sizes[d];
  }
  const Size batch = e.size(x, 0), classes = e.size(x, 1);
  const auto row = [&](const Tensor& of, Sizes lead) {
    fx::ArgumentList shape = argumentsOf(lead);
    shape.emplace_back(std::int64_t{-1});
    std::vector<fx::SymInt> sizes = valuesOf(lead);
    sizes.push_back(columns);
    return e.op("aten.view.default", {of.value, std::move(shape)}, of.dtype(), std::move(sizes));
  };
  const fx::TensorMeta result = call.target.meta;
  const Sizes shape = e.sizes(call.target);
  call.target = row(call.target, {batch, Size::of(1)});
  Tensor loss = likelihoodLoss(e, row(x, {batch, classes, Size::of(1)}), call);
  if (call.reduction != Reduction::None) return loss;
  return e.op("aten.view.default", {loss.value, argumentsOf(shape)}, loss.dtype(), result.sizes);
}

Results likelihood(Emitter& e) { return one(likelihoodLoss(e, e.tensor("self"), classLossOf(e))); }

Results likelihoodOfAnyRank(Emitter& e) {
  return one(likelihoodLossOfAnyRank(e, e.tensor("self"), classLossOf(e)));
}

Tensor scaled(Emitter& e, const Tensor& x, double factor) {
  return e.op("aten.mul.Scalar", {x.value, factor}, x.meta);
}

Tensor sumOverClasses(Emitter& e, const Tensor& x) {
  const std::vector<std::size_t> dims{classDim(x)};
  return e.op("aten.sum.dim_IntList", {x.value, integersOf(dims)}, x.dtype(),
              reducedSizes(x.meta.sizes, dims, false));
}

/// Targets are a probability for each class.
Tensor lossOfProbabilities(Emitter& e, const Tensor& x, const ClassLoss& call, double smoothing) {
  const std::int64_t classes = e.fixed(x, classDim(x));
  e.require(call.target.dtype() == x.dtype() && classes > 0);
  Tensor target = call.target;
  if (smoothing > 0)
    target =
        e.op("aten.add.Scalar",
             {scaled(e, target, 1 - smoothing).value, smoothing / static_cast<double>(classes)},
             target.meta);
  Tensor terms = e.mul(x, target);
  if (call.weight) terms = e.mul(terms, byClass(e, *call.weight, x));
  if (call.reduction == Reduction::None) return e.neg(sumOverClasses(e, terms));
  Tensor loss = e.neg(sumOfAll(e, terms));
  if (call.reduction == Reduction::Sum) return loss;
  std::int64_t count = 1;
  for (std::size_t d = 0; d < x.rank(); ++d)
    if (d != classDim(x)) count = saturated(count, e.fixed(x, d));
  return e.op("aten.div.Scalar", {loss.value, count}, loss.meta);
}

/// The part of label smoothing, of the same weight for each class.
Tensor smoothedPart(Emitter& e, const Tensor& x, const ClassLoss& call) {
  e.require(!call.weight);
  const Tensor sum = e.neg(sumOverClasses(e, x));
  const Tensor ignored = e.compare("eq", call.target, call.ignored);
  Tensor each = chosen(e, ignored, scalar(e, 0.0, sum.dtype()).value, sum.value, sum.meta);
  if (call.reduction == Reduction::None) return each;
  if (call.reduction == Reduction::Sum) return sumOfAll(e, each);
  const Tensor counted = e.op("aten.bitwise_not.default", {ignored.value}, ignored.meta);
  const Tensor count = sumOfAll(e, counted);
  return e.div(sumOfAll(e, each), count);
}

Results crossEntropyByDefault(Emitter& e) {
  const Tensor x = e.tensor("self");
  const ClassLoss call = classLossOf(e);
  const double smoothing = e.number("label_smoothing");
  e.require(isFloating(x.dtype()) && x.rank() > 0);
  const auto dim = static_cast<std::int64_t>(classDim(x));
  const Tensor logarithm = e.op("aten._log_softmax.default", {x.value, dim, false}, x.meta);
  if (x.meta.sizes == call.target.meta.sizes)
    return one(lossOfProbabilities(e, logarithm, call, smoothing));
  const Tensor loss = likelihoodLossOfAnyRank(e, logarithm, call);
  if (!(smoothing > 0)) return one(loss);
  const double share = smoothing / static_cast<double>(e.fixed(x, classDim(x)));
  const Tensor smooth = scaled(e, smoothedPart(e, logarithm, call), share);
  return one(e.add(scaled(e, loss, 1 - smoothing), smooth));
}

Tensor reducedByDefault(Emitter& e, const Tensor& loss) {
  const std::int64_t reduction = e.integer("reduction");
  e.require(reduction >= 0 && reduction <= 2);
  if (reduction == 0) return loss;
  return reduction == 2 ? sumOfAll(e, loss)
                        : e.op("aten.mean.default", {loss.value}, loss.dtype(), {});
}

Results absoluteLoss(Emitter& e) {
  const Tensor x = e.tensor("self"), target = e.tensor("target");
  e.require(isFloating(x.dtype()) && target.dtype() == x.dtype());
  return one(reducedByDefault(e, e.abs(e.sub(x, target))));
}

/// The operand and the target of a loss, of one type.
std::pair<Tensor, Tensor> widePair(Emitter& e) {
  const Tensor x = e.tensor("self"), target = e.tensor("target");
  e.require(isWide(x) && target.dtype() == x.dtype());
  return {x, target};
}

/// Squares of small differences, and multiples of large ones.
Results smoothLoss(Emitter& e) {
  const auto [x, target] = widePair(e);
  const bool isHuber = e.matched().target == "aten.huber_loss.default";
  const double bound = e.number(isHuber ? "delta" : "beta");
  e.require(bound > 0);
  const Tensor size = e.abs(e.sub(x, target)), isSmall = e.compare("lt", size, bound);
  const Tensor square =
      isHuber ? e.mul(e.mul(size, 0.5), size) : e.div(e.mul(e.pow(size, 2), 0.5), bound);
  const Tensor large = e.sub(size, 0.5 * bound);
  return one(reducedByDefault(e, e.where(isSmall, square, isHuber ? e.mul(large, bound) : large)));
}

Results divergence(Emitter& e) {
  const auto [x, target] = widePair(e);
  if (e.flag("log_target")) {
    const Tensor difference = e.sub(target, x);
    return one(reducedByDefault(e, e.mul(e.exp(target), difference)));
  }
  const Tensor product = e.mul(target, x);
  const auto number = [&](fx::Argument value) { return scalar(e, std::move(value), x.dtype()); };
  const Tensor isZero = e.compare("eq", target, 0);
  const Tensor entropy = e.mul(target, e.log(target));
  const Tensor some = e.where(isZero, number(std::int64_t{0}), entropy);
  const Tensor isNan = e.op("aten.isnan.default", {target.value}, DType::Bool, target.meta.sizes);
  return one(reducedByDefault(e, e.sub(e.where(isNan, number(std::nan("")), some), product)));
}

Results crossEntropyOfLogits(Emitter& e) {
  const auto [x, target] = widePair(e);
  const std::optional<Tensor> weight = e.optionalTensor("weight"),
                              ofPositive = e.optionalTensor("pos_weight");
  const auto fromOne = [&](const Tensor& t) {
    return e.op("aten.sub.Tensor", {std::int64_t{1}, t.value}, t.meta);
  };
  std::optional<Tensor> factor;
  if (ofPositive) factor = e.add(e.mul(e.sub(*ofPositive, 1), target), 1);
  const Tensor negative = e.mul(fromOne(target), x), logarithm = logSigmoidByDefault(e, x);
  Tensor loss = e.sub(negative, factor ? e.mul(*factor, logarithm) : logarithm);
  if (weight) loss = e.mul(loss, *weight);
  return one(reducedByDefault(e, loss));
}

Results likelihoodOfRates(Emitter& e) {
  const Tensor x = e.tensor("input"), target = e.tensor("target");
  e.require(isWide(x) && target.dtype() == x.dtype() && !e.flag("full"));
  if (!e.flag("log_input")) {
    const Tensor logarithm = e.log(e.op("aten.add.Scalar", {x.value, e.number("eps")}, x.meta));
    return one(reducedByDefault(e, e.sub(x, e.mul(target, logarithm))));
  }
  const Tensor product = e.mul(target, x);
  return one(reducedByDefault(e, e.sub(e.exp(x), product)));
}

Results cosineByDefault(Emitter& e) {
  const Tensor a = e.tensor("x1"), b = e.tensor("x2");
  e.require(isWide(a) && b.dtype() == a.dtype() && a.meta.sizes == b.meta.sizes);
  const std::vector<std::size_t> dims{e.dim(e.integer("dim"), a)};
  const auto norm = [&](const Tensor& x) {
    const std::vector<fx::SymInt> sizes = reducedSizes(x.meta.sizes, dims, true);
    const fx::Argument two(std::int64_t{2});
    return e.clone(e.op("aten.linalg_vector_norm.default", {x.value, two, integersOf(dims), true},
                        x.dtype(), sizes));
  };
  const Tensor ofA = norm(a), ofB = norm(b), least = scalar(e, e.number("eps"), a.dtype());
  const auto unit = [&](const Tensor& x, const Tensor& length) {
    return e.div(x, e.op("aten.clamp.Tensor", {length.value, least.value}, length.meta));
  };
  const Tensor right = unit(b, ofB), product = e.mul(unit(a, ofA), right);
  return one(e.op("aten.sum.dim_IntList", {product.value, integersOf(dims)}, e.result()));
}

}  // namespace

void addDefaultLosses(RewriteRules& forms) {
  addDefault(forms, {"aten.smooth_l1_loss.default", "aten.huber_loss.default"}, smoothLoss);
  addDefault(forms, {"aten.kl_div.default"}, divergence);
  addDefault(forms, {"aten.binary_cross_entropy_with_logits.default"}, crossEntropyOfLogits);
  addDefault(forms, {"aten.poisson_nll_loss.default"}, likelihoodOfRates);
  addDefault(forms, {"aten.cosine_similarity.default"}, cosineByDefault);
  addDefault(forms, {"aten.nll_loss.default", "aten.nll_loss2d.default"}, likelihood);
  addDefault(forms, {"aten.nll_loss_nd.default"}, likelihoodOfAnyRank);
  addDefault(forms, {"aten.cross_entropy_loss.default"}, crossEntropyByDefault);
  addDefault(forms, {"aten.l1_loss.default"}, absoluteLoss);
}

}  // namespace fxs::rewrite
