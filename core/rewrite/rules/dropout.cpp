// Dropouts: identity in evaluation; in training a random mask of whole elements or whole features.
#include <cmath>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// 1 with probability 1 - p.
Tensor keepMask(Emitter& e, const Tensor& x, const Sizes& shape, double p) {
  std::vector<fx::SymInt> sizes;
  for (const Size& s : shape) sizes.push_back(s.value);
  fx::TensorMeta meta = e.meta(x.dtype(), std::move(sizes));
  const Tensor drawn = e.op("aten.rand.default", {argumentsOf(shape), x.dtype(), fx::None{}, meta.device, false}, meta);
  return e.cast(e.compare("lt", drawn, 1 - p), x.dtype());
}

Sizes featureSizes(Emitter& e, const Tensor& x) {
  Sizes shape(x.rank(), Size::of(1));
  for (std::size_t i = 0; i < 2 && i < x.rank(); ++i) shape[i] = e.size(x, i);
  return shape;
}

Results dropout(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("input");
  const double p = e.number("p");
  const bool train = e.flag("train");
  e.require(isFloating(x.dtype()) && p >= 0 && p <= 1);
  if (!e.valid()) return {};
  if (!train || p == 0) return one(x);
  if (p == 1) return one(e.mul(x, e.zeros({}, x.dtype())));
  return one(e.mul(x, e.div(keepMask(e, x, e.sizes(x), p), 1 - p)));
}

/// Kept elements are scaled to preserve the expectation.
Results featureDropout(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("input");
  const double p = e.number("p");
  const bool train = e.flag("train");
  e.require(x.rank() >= 2 && isFloating(x.dtype()) && p >= 0 && p <= 1);
  if (!e.valid()) return {};
  if (!train || p == 0) return one(x);
  if (p == 1) return one(e.mul(x, e.zeros({}, x.dtype())));
  return one(e.mul(x, e.div(keepMask(e, x, featureSizes(e, x), p), 1 - p)));
}

/// Dropped elements become SELU's negative limit, then mean and variance are restored.
Results alphaDropped(RuleContext& context, bool features) {
  Emitter e(context);
  const Tensor x = e.tensor("input");
  const double p = e.number("p");
  const bool train = e.flag("train");
  e.require(isFloating(x.dtype()) && (!features || x.rank() >= 2) && p >= 0 && p < 1);
  if (!e.valid()) return {};
  if (!train || p == 0) return one(x);
  constexpr double kAlpha = 1.7580993408473766;
  const double a = 1.0 / std::sqrt((kAlpha * kAlpha * p + 1) * (1 - p));
  const Tensor kept = keepMask(e, x, features ? featureSizes(e, x) : e.sizes(x), p);
  const Tensor shift = e.add(e.mul(e.sub(kept, 1.0), kAlpha * a), kAlpha * a * p);
  return one(e.add(e.mul(x, e.mul(kept, a)), shift));
}
Results alphaDropout(RuleContext& context) { return alphaDropped(context, false); }
Results featureAlphaDropout(RuleContext& context) { return alphaDropped(context, true); }

}  // namespace

void registerDropout(RewriteRules& rules) {
  rules.add({"aten.dropout.default", "decompose:aten.dropout", "becomes the input, or its product with a random mask", false, dropout});
  rules.add({"aten.feature_dropout.default", "decompose:aten.feature_dropout",
             "becomes the input, or its product with a random mask of features", true, featureDropout});
  rules.add({"aten.alpha_dropout.default", "decompose:aten.alpha_dropout",
             "becomes the input, or a random mask with mean and variance kept", true, alphaDropout});
  rules.add({"aten.feature_alpha_dropout.default", "decompose:aten.feature_alpha_dropout",
             "becomes the input, or a random mask of features with mean and variance kept", true, featureAlphaDropout});
}

}  // namespace fxs::rewrite
