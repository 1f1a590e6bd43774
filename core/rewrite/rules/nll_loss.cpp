// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Negative log likelihood and cross entropy, as a gather of the target's log probability.

#include <fmt/format.h>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

struct Losses {
  Tensor each;    ///< one per target, 0 where ignored
  Tensor weight;  ///< of each target, 0 where ignored
};

/// Log probabilities [N, C, ...] or [C], targets [N, ...] or [].
Losses likelihoods(Emitter& e, const Tensor& logProbability, const Tensor& target,
                   const std::optional<Tensor>& weight, std::int64_t ignored) {
  const std::size_t dim = classDim(logProbability);
  const Tensor counts = e.compare("ne", target, ignored);
  const Tensor safe = e.where(counts, target, std::int64_t{0});
  const Tensor picked = e.squeeze(e.gather(logProbability, dim, e.unsqueeze(safe, dim)), dim);
  const Tensor zero = e.zeros({}, logProbability.dtype());
  Tensor each = e.neg(picked), scale;
  if (weight) {
    Tensor own = e.reshape(e.indexSelect(*weight, 0, target.rank() == 1 ? safe : e.flatten(safe)),
                           e.sizes(target));
    each = e.mul(each, own);
    scale = e.where(counts, own, zero);
  } else {
    scale = e.cast(counts, logProbability.dtype());
  }
  return {e.where(counts, each, zero), scale};
}

struct Reduced {
  Tensor loss, totalWeight;
};
Reduced reduce(Emitter& e, const Losses& losses, std::int64_t reduction) {
  const std::vector<std::size_t> all = allDims(losses.each);
  const Tensor total = e.sum(losses.weight, all, false);
  // Of one sample, the kernel has its weight.
  if (reduction == 0)
    return {losses.each, losses.each.rank() == 0 ? total : e.zeros({}, losses.each.dtype())};
  const Tensor sum = e.sum(losses.each, all, false);
  return {reduction == 1 ? e.div(sum, total) : sum, total};
}

struct Call {
  Tensor x, target;
  std::optional<Tensor> weight;
  std::int64_t reduction = 0, ignored = 0;
};
Call callOf(Emitter& e) {
  Call c{e.tensor("self"), e.tensor("target"), e.optionalTensor("weight"), e.integer("reduction"),
         e.integer("ignore_index")};
  e.require(isFloating(c.x.dtype()) && c.x.rank() > 0 && c.reduction >= 0 && c.reduction <= 2);
  return c;
}

bool hasClassTargets(const Call& c) {
  return isIntegral(c.target.dtype()) && c.target.rank() + 1 == c.x.rank();
}

Results nllLoss(Emitter& e) {
  const Call c = callOf(e);
  e.require(hasClassTargets(c));
  return one(reduce(e, likelihoods(e, c.x, c.target, c.weight, c.ignored), c.reduction).loss);
}

Results nllLossForward(Emitter& e) {
  const Call c = callOf(e);
  e.require(hasClassTargets(c));
  const Reduced r = reduce(e, likelihoods(e, c.x, c.target, c.weight, c.ignored), c.reduction);
  return std::vector<fx::Argument>{r.loss.value, r.totalWeight.value};
}

Tensor logSoftmax(Emitter& e, const Tensor& x, std::size_t dim) {
  return e.op("aten._log_softmax.default", {x.value, static_cast<std::int64_t>(dim), false},
              x.dtype(), x.meta.sizes);
}

Tensor perClass(Emitter& e, const Tensor& weight, const Tensor& x, std::size_t dim) {
  return e.along(weight, e.size(weight, 0), dim, x.rank());
}

/// Targets are class numbers.
Results crossEntropyOfClasses(Emitter& e) {
  const Call c = callOf(e);
  const double smoothing = e.number("label_smoothing");
  e.require(hasClassTargets(c));
  const std::size_t dim = classDim(c.x);
  const Tensor logProbability = logSoftmax(e, c.x, dim);
  const Losses losses = likelihoods(e, logProbability, c.target, c.weight, c.ignored);
  const Reduced hard = reduce(e, losses, c.reduction);
  if (smoothing == 0) return one(hard.loss);
  const Tensor weighted =
      c.weight ? e.mul(logProbability, perClass(e, *c.weight, c.x, dim)) : logProbability;
  const Tensor spread = e.where(e.compare("ne", c.target, c.ignored),
                                e.neg(e.sum(weighted, {dim}, false)), e.zeros({}, c.x.dtype()));
  Tensor soft = spread;
  if (c.reduction != 0) soft = e.sum(spread, allDims(spread), false);
  if (c.reduction == 1) soft = e.div(soft, hard.totalWeight);
  const auto count = static_cast<double>(e.fixed(c.x, dim));
  return one(e.add(e.mul(hard.loss, 1 - smoothing), e.mul(soft, smoothing / count)));
}

/// Targets are a probability for each class.
Results crossEntropyOfProbabilities(Emitter& e) {
  const Call c = callOf(e);
  const double smoothing = e.number("label_smoothing");
  e.require(isFloating(c.target.dtype()) && c.target.rank() == c.x.rank());
  const std::size_t dim = classDim(c.x);
  Tensor target = c.target;
  if (smoothing > 0)
    target =
        e.add(e.mul(target, 1 - smoothing), smoothing / static_cast<double>(e.fixed(c.x, dim)));
  Tensor terms = e.mul(logSoftmax(e, c.x, dim), target);
  if (c.weight) terms = e.mul(terms, perClass(e, *c.weight, c.x, dim));
  const Tensor each = e.neg(e.sum(terms, {dim}, false));
  if (c.reduction == 0) return one(each);
  const Tensor sum = e.sum(each, allDims(each), false);
  if (c.reduction == 2) return one(sum);
  double samples = 1;
  for (std::size_t i = 0; i < each.rank(); ++i) samples *= static_cast<double>(e.fixed(each, i));
  return one(e.div(sum, samples));
}

/// By class numbers alone.
template <Results (*loss)(Emitter&)>
Results withoutWeights(Emitter& e) {
  const Call c = callOf(e);
  e.require(hasClassTargets(c) && !c.weight);
  return loss(e);
}
Results plainCrossEntropy(Emitter& e) {
  e.require(e.number("label_smoothing") == 0);
  return withoutWeights<crossEntropyOfClasses>(e);
}

/// withoutWeights() in Python. `unless`: what it does not take; `logProbability`: of `self` along
/// `dim`.
std::string lossInPython(std::string_view unless, std::string_view logProbability) {
  return fmt::format(
      "    if {}:\n"
      "        return NotImplemented\n"
      "    dim, kept = min(self.dim() - 1, 1), target != ignore_index\n"
      "    index = torch.where(kept, target, 0).unsqueeze(dim)\n"
      "    losses = -{}.gather(dim, index).squeeze(dim)\n"
      "    losses = torch.where(kept, losses, 0.0)\n"
      "    if reduction != 1:\n"
      "        return losses.sum() if reduction else losses\n"
      "    return losses.sum() / kept.to(self.dtype).sum()\n",
      unless, logProbability);
}
const std::string& nllInPython() {
  static const std::string kText = lossInPython("weight is not None", "self");
  return kText;
}
const std::string& crossEntropyInPython() {
  static const std::string kText =
      lossInPython("weight is not None or label_smoothing or target.is_floating_point()",
                   "self.log_softmax(dim)");
  return kText;
}
constexpr std::string_view kOfProbabilities =
    "    if target.dim() != self.dim() or not target.is_floating_point():\n"
    "        return NotImplemented\n"
    "    dim = min(self.dim() - 1, 1)\n"
    "    smooth = target * (1 - label_smoothing) + label_smoothing / self.shape[dim]\n"
    "    terms = self.log_softmax(dim) * smooth\n"
    "    if weight is not None:\n"
    "        terms = terms * weight.reshape([-1] + [1] * (self.dim() - 1 - dim))\n"
    "    losses = -terms.sum(dim)\n"
    "    if reduction == 0:\n"
    "        return losses\n"
    "    return losses.sum() / (losses.numel() if reduction == 1 else 1)\n";

}  // namespace

void registerNllLoss(RewriteRules& rules) {
  const std::string gathered = "becomes a gather of the target's log probability";
  for (const char* target :
       {"aten.nll_loss.default", "aten.nll_loss2d.default", "aten.nll_loss_nd.default"}) {
    rules.add({target, gathered, true, withoutWeights<nllLoss>, {}, nllInPython()});
    rules.add({target, gathered, true, nllLoss});
  }
  rules.addEach({"aten.nll_loss_forward.default", "aten.nll_loss2d_forward.default"}, gathered,
                true, nllLossForward);
  const std::string target = "aten.cross_entropy_loss.default",
                    reason =
                        "becomes log_softmax and a gather; the engine crashes on the op when "
                        "lowering to StableHLO";
  rules.add({target, reason, true, plainCrossEntropy, {}, crossEntropyInPython()});
  rules.add({target, reason, true, crossEntropyOfClasses});
  rules.add({target, reason, true, crossEntropyOfProbabilities, {}, kOfProbabilities});
}

}  // namespace fxs::rewrite
