// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Losses by their formulas. `reduction` is 0 for none, 1 for the mean, 2 for the sum.
#include <numbers>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Results reduced(Emitter& e, const Tensor& loss) {
  const std::int64_t reduction = e.integer("reduction");
  if (reduction == 0) return one(loss);
  return one(reduction == 1 ? e.mean(loss, allDims(loss), false)
                            : e.sum(loss, allDims(loss), false));
}

struct Pair {
  Tensor x, target;
};
Pair pairOf(Emitter& e) {
  Pair p{e.tensor("self"), e.tensor("target")};
  const std::int64_t reduction = e.integer("reduction");
  e.require(reduction >= 0 && reduction <= 2 && isFloating(p.x.dtype()));
  return p;
}

Results l1(Emitter& e) {
  const Pair p = pairOf(e);
  return reduced(e, e.abs(e.sub(p.x, p.target)));
}

Results mse(Emitter& e) {
  const Pair p = pairOf(e);
  return reduced(e, e.square(e.sub(p.x, p.target)));
}

Results smoothL1(Emitter& e) {
  const Pair p = pairOf(e);
  const double beta = e.number("beta");
  const Tensor distance = e.abs(e.sub(p.x, p.target));
  if (beta == 0) return reduced(e, distance);
  const Tensor near = e.mul(e.square(distance), 0.5 / beta), far = e.sub(distance, 0.5 * beta);
  return reduced(e, e.where(e.compare("lt", distance, beta), near, far));
}

Results huber(Emitter& e) {
  const Pair p = pairOf(e);
  const double delta = e.number("delta");
  const Tensor distance = e.abs(e.sub(p.x, p.target));
  const Tensor near = e.mul(e.square(distance), 0.5),
               far = e.mul(e.sub(distance, 0.5 * delta), delta);
  return reduced(e, e.where(e.compare("le", distance, delta), near, far));
}

Results softMargin(Emitter& e) {
  const Pair p = pairOf(e);
  return reduced(e, e.unary("log1p", e.exp(e.neg(e.mul(p.x, p.target)))));
}

Results hingeEmbedding(Emitter& e) {
  const Pair p = pairOf(e);
  const double margin = e.number("margin");
  const Tensor zero = e.zeros({}, p.x.dtype());
  const Tensor apart = e.where(e.compare("ne", p.target, 1), e.relu(e.sub(margin, p.x)), zero);
  const Tensor alike = e.where(e.compare("ne", p.target, -1), p.x, zero);
  return reduced(e, e.add(apart, alike));
}

Results marginRanking(Emitter& e) {
  const Tensor a = e.tensor("input1"), b = e.tensor("input2"), target = e.tensor("target");
  const double margin = e.number("margin");
  return reduced(e, e.relu(e.add(e.mul(e.neg(target), e.sub(a, b)), margin)));
}

/// A target of 1 asks for vectors of one direction, one of -1 for others. PyTorch adds its epsilon
/// to the squared lengths.
Results cosineEmbedding(Emitter& e) {
  const Tensor a = e.tensor("input1"), b = e.tensor("input2"), target = e.tensor("target");
  const double margin = e.number("margin");
  e.require(a.rank() > 0 && a.rank() == b.rank() && target.rank() + 1 == a.rank());
  const std::size_t last = target.rank() == 1 ? 1 : 0;
  const auto along = [&](const Tensor& x) { return e.sum(x, {last}, false); };
  const Tensor lengths = e.mul(e.add(along(e.square(a)), 1e-12), e.add(along(e.square(b)), 1e-12));
  const Tensor cosine = e.div(along(e.mul(a, b)), e.sqrt(lengths));
  const Tensor zero = e.zeros({}, cosine.dtype());
  const Tensor alike = e.where(e.compare("eq", target, 1), e.sub(1.0, cosine), zero);
  const Tensor apart = e.where(e.compare("eq", target, -1), e.relu(e.sub(cosine, margin)), zero);
  return reduced(e, e.add(alike, apart));
}

/// PyTorch clamps the logarithms to >= -100.
Results binaryCrossEntropy(Emitter& e) {
  const Pair p = pairOf(e);
  const std::optional<Tensor> weight = e.optionalTensor("weight");
  const Tensor logYes = e.clamp(e.log(p.x), -100.0, {}),
               logNo = e.clamp(e.unary("log1p", e.neg(p.x)), -100.0, {});
  Tensor loss = e.sub(e.mul(e.sub(p.target, 1.0), logNo), e.mul(p.target, logYes));
  if (weight) loss = e.mul(loss, *weight);
  return reduced(e, loss);
}

/// max(x, 0) - x * t + log(1 + exp(-|x|)), the positive part weighted by pos_weight.
Results binaryCrossEntropyWithLogits(Emitter& e) {
  const Pair p = pairOf(e);
  const std::optional<Tensor> weight = e.optionalTensor("weight"),
                              positive = e.optionalTensor("pos_weight");
  const Tensor softplus = e.add(e.relu(e.neg(p.x)), e.unary("log1p", e.exp(e.neg(e.abs(p.x)))));
  const Tensor negative = e.mul(e.sub(1.0, p.target), p.x);
  Tensor loss =
      positive
          ? e.add(negative, e.mul(softplus, e.add(e.mul(e.sub(*positive, 1.0), p.target), 1.0)))
          : e.add(negative, softplus);
  if (weight) loss = e.mul(loss, *weight);
  return reduced(e, loss);
}

Results klDivergence(Emitter& e) {
  const Pair p = pairOf(e);
  e.require(p.x.dtype() == p.target.dtype());
  if (e.flag("log_target")) return reduced(e, e.mul(e.exp(p.target), e.sub(p.target, p.x)));
  const Tensor entropy = e.where(e.compare("eq", p.target, 0.0), e.zeros({}, p.x.dtype()),
                                 e.mul(p.target, e.log(p.target)));
  return reduced(e, e.sub(entropy, e.mul(p.target, p.x)));
}

/// The expectation of the likelihood, and with `full` Stirling's formula for the factorial.
Results poisson(Emitter& e) {
  const Tensor x = e.tensor("input"), target = e.tensor("target");
  const std::int64_t reduction = e.integer("reduction");
  e.require(reduction >= 0 && reduction <= 2 && isFloating(x.dtype()) &&
            isFloating(target.dtype()));
  Tensor loss = e.flag("log_input") ? e.sub(e.exp(x), e.mul(target, x))
                                    : e.sub(x, e.mul(target, e.log(e.add(x, e.number("eps")))));
  if (e.flag("full")) {
    const Tensor stirling = e.add(e.sub(e.mul(target, e.log(target)), target),
                                  e.mul(e.log(e.mul(target, 2 * std::numbers::pi)), 0.5));
    loss = e.add(loss, e.where(e.compare("le", target, 1), e.zeros({}, target.dtype()), stirling));
  }
  return reduced(e, loss);
}

/// sum over classes other than the target's of max(0, margin - x[target] + x[class])^p, divided by
/// the number of classes.
Results multiMargin(Emitter& e) {
  Tensor x = e.tensor("self"), target = e.tensor("target");
  const double p = e.number("p"), margin = e.number("margin");
  const std::optional<Tensor> weight = e.optionalTensor("weight");
  const bool isRow = x.rank() == 1;
  if (isRow) {
    e.require(target.rank() < 2 && (target.rank() == 0 || e.fixed(target, 0) == 1));
    x = e.unsqueeze(x, 0);
    if (target.rank() == 0) target = e.unsqueeze(target, 0);
  }
  e.require(x.rank() == 2 && target.rank() == 1 && (p == 1 || p == 2));
  const std::int64_t classes = e.fixed(x, 1);
  const Tensor column = e.unsqueeze(target, 1);
  Tensor excess = e.relu(e.add(e.sub(x, e.gather(x, 1, column)), margin));
  if (p == 2) excess = e.square(excess);
  if (weight) excess = e.mul(excess, e.unsqueeze(e.indexSelect(*weight, 0, target), 1));
  const Tensor own = e.compare("eq", column, e.unsqueeze(e.arange(Size::of(classes)), 0));
  const Tensor rest = e.where(own, e.zeros({}, x.dtype()), excess);
  const Tensor losses = e.div(e.sum(rest, {1}, false), static_cast<double>(classes));
  return isRow ? one(e.squeeze(losses, 0)) : reduced(e, losses);
}

/// Targets of a row are its entries before the first -1; every target class is compared with every
/// other class.
Results multilabelMargin(Emitter& e) {
  Tensor x = e.tensor("self"), target = e.tensor("target");
  e.require(x.rank() == 2 && target.rank() == 2);
  const std::int64_t classes = e.fixed(x, 1);
  const Tensor ended = e.cast(e.compare("lt", target, 0), DType::Int64);
  const Tensor before =
      e.compare("eq", e.op("aten.cumsum.default", {ended.value, std::int64_t{1}}, ended.meta), 0);
  const Tensor index = e.where(before, target, std::int64_t{0});
  // isTarget[n, c]: class c is among the targets of row n.
  const Tensor classNumber =
      e.reshape(e.arange(Size::of(classes)), {Size::of(1), Size::of(1), Size::of(classes)});
  const Tensor same =
      e.logicalAnd(e.compare("eq", e.unsqueeze(index, 2), classNumber), e.unsqueeze(before, 2));
  const Tensor isTarget = e.compare("gt", e.sum(e.cast(same, DType::Int64), {1}, false), 0);
  const Tensor picked = e.gather(x, 1, index);
  const Tensor excess = e.relu(e.add(e.sub(e.unsqueeze(x, 1), e.unsqueeze(picked, 2)), 1.0));
  const Tensor counts =
      e.logicalAnd(e.unsqueeze(before, 2), e.unsqueeze(e.logicalNot(isTarget), 1));
  const Tensor kept = e.where(counts, excess, e.zeros({}, x.dtype()));
  return reduced(e, e.div(e.sum(kept, {1, 2}, false), static_cast<double>(classes)));
}

}  // namespace

void registerLosses(RewriteRules& rules) {
  rules.add({"aten.poisson_nll_loss.default", "becomes its formula", false, poisson});
  rules.add({"aten.l1_loss.default", "becomes its formula", false, l1});
  rules.add({"aten.mse_loss.default", "becomes its formula", false, mse});
  rules.add({"aten.smooth_l1_loss.default", "becomes its formula", true, smoothL1});
  rules.add({"aten.huber_loss.default", "becomes its formula", true, huber});
  rules.add({"aten.soft_margin_loss.default", "becomes its formula", true, softMargin});
  rules.add({"aten.hinge_embedding_loss.default", "becomes its formula", true, hingeEmbedding});
  rules.add({"aten.margin_ranking_loss.default", "becomes its formula", true, marginRanking});
  rules.add({"aten.cosine_embedding_loss.default", "becomes its formula", true, cosineEmbedding});
  rules.add({"aten.binary_cross_entropy.default", "becomes its formula; no backend lowers the op",
             true, binaryCrossEntropy});
  rules.add({"aten.binary_cross_entropy_with_logits.default", "becomes its formula", false,
             binaryCrossEntropyWithLogits});
  rules.add({"aten.kl_div.default", "becomes its formula", false, klDivergence});
  rules.add({"aten.multi_margin_loss.default", "becomes its formula", true, multiMargin});
  rules.add({"aten.multilabel_margin_loss.default",
             "becomes its formula",
             true,
             multilabelMargin,
             {},
             "    if self.dim() != 2:\n"
             "        return NotImplemented\n"
             "    n = self.shape[1]\n"
             "    before = aten.cumsum((target < 0).to(torch.int64), 1) == 0\n"
             "    index = torch.where(before, target, 0)\n"
             "    same = torch.logical_and(index.unsqueeze(2) == torch.arange(n), "
             "before.unsqueeze(2))\n"
             "    is_other = (same.to(torch.int64).sum([1]) == 0).unsqueeze(1)\n"
             "    excess = self.unsqueeze(1) - self.gather(1, index).unsqueeze(2) + 1\n"
             "    counts = torch.logical_and(before.unsqueeze(2), is_other)\n"
             "    loss = torch.where(counts, excess.relu(), 0.0).sum([1, 2]) / n\n"
             "    return loss.mean() if reduction == 1 else loss.sum() if reduction else loss\n"});
}

}  // namespace fxs::rewrite
