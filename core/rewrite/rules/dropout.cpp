// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dropouts: identity in evaluation; in training a random mask of whole elements or whole features.
#include <cmath>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// 1 with probability 1 - p, for each element or for each feature.
Tensor keepMask(Emitter& e, const Tensor& x, bool features, double p) {
  Sizes shape = features ? Sizes(x.rank(), Size::of(1)) : e.sizes(x);
  for (std::size_t i = 0; features && i < 2; ++i) shape[i] = e.size(x, i);
  return e.cast(e.compare("lt", e.random("rand", shape, x.dtype()), 1 - p), x.dtype());
}

/// Kept elements are scaled to preserve the expectation.
Results dropped(Emitter& e, bool features) {
  const Tensor x = e.tensor("input");
  const double p = e.number("p");
  const bool train = e.flag("train");
  e.require(isFloating(x.dtype()) && (!features || x.rank() >= 2) && p >= 0 && p <= 1);
  if (!train || p == 0) return one(x);
  if (p == 1) return one(e.mul(x, e.zeros({}, x.dtype())));
  return one(e.mul(x, e.div(keepMask(e, x, features, p), 1 - p)));
}
Results dropout(Emitter& e) { return dropped(e, false); }
Results featureDropout(Emitter& e) { return dropped(e, true); }

/// Dropped elements become SELU's negative limit, then mean and variance are restored.
Results alphaDropped(Emitter& e, bool features) {
  const Tensor x = e.tensor("input");
  const double p = e.number("p");
  const bool train = e.flag("train");
  e.require(isFloating(x.dtype()) && (!features || x.rank() >= 2) && p >= 0 && p < 1);
  if (!train || p == 0) return one(x);
  constexpr double kAlpha = 1.7580993408473766;
  const double a = 1.0 / std::sqrt((kAlpha * kAlpha * p + 1) * (1 - p));
  const Tensor kept = keepMask(e, x, features, p);
  const Tensor shift = e.add(e.mul(e.sub(kept, 1.0), kAlpha * a), kAlpha * a * p);
  return one(e.add(e.mul(x, e.mul(kept, a)), shift));
}
Results alphaDropout(Emitter& e) { return alphaDropped(e, false); }
Results featureAlphaDropout(Emitter& e) { return alphaDropped(e, true); }

}  // namespace

void registerDropout(RewriteRules& rules) {
  rules.add({"aten.dropout.default", "becomes the input, or its product with a random mask", false,
             dropout});
  rules.add({"aten.feature_dropout.default",
             "becomes the input, or its product with a random mask of features", true,
             featureDropout});
  rules.add({"aten.alpha_dropout.default",
             "becomes the input, or a random mask with mean and variance kept", true,
             alphaDropout});
  rules.add({"aten.feature_alpha_dropout.default",
             "becomes the input, or a random mask of features with mean and variance kept", true,
             featureAlphaDropout});
}

}  // namespace fxs::rewrite
