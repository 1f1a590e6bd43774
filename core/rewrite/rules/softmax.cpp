// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// softmax and its logarithm by exponentials, in float32 for the half types.
#include <cmath>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// exp(x - max) over their sum; the logarithmic form subtracts the logarithm of the sum.
template <bool logarithmic>
Results softmax(Emitter& e) {
  const Tensor self = e.tensor("self");
  std::vector<std::size_t> dims{e.dim(e.integer("dim"), self)};
  if (self.rank() == 0) dims.clear();
  const fx::TensorMeta result = e.result();
  e.require(isFloating(result.dtype));
  const Tensor x = e.cast(self, ops::computationType(result.dtype));
  const Tensor shifted = e.sub(x, e.amax(x, dims, true));
  const Tensor powers = e.exp(shifted);
  const Tensor total = e.sum(powers, dims, true);
  return one(
      e.cast(logarithmic ? e.sub(shifted, e.log(total)) : e.div(powers, total), result.dtype));
}

/// Of one number without a dimension, at which the engine does not end: 1, or NaN where the number
/// is not finite.
template <bool logarithmic>
Results softmaxOfOne(Emitter& e) {
  const Tensor self = e.tensor("self");
  e.require(self.rank() == 0 && isFloating(e.result().dtype));
  const Tensor x = e.cast(self, e.result().dtype), shifted = e.sub(x, x);
  return one(logarithmic ? shifted : e.exp(shifted));
}

}  // namespace

void registerSoftmax(RewriteRules& rules) {
  const auto add = [&](const std::string& target, decltype(Rule::apply) apply) {
    rules.add({target, "becomes exponentials and their sum", false, std::move(apply)});
  };
  rules.addEach({"aten.softmax.int", "aten._softmax.default"},
                "of one number without a dimension is 1", true, softmaxOfOne<false>);
  rules.addEach({"aten.log_softmax.int", "aten._log_softmax.default"},
                "of one number without a dimension is 0", true, softmaxOfOne<true>);
  add("aten.softmax.int", softmax<false>);
  add("aten._softmax.default", softmax<false>);
  add("aten._safe_softmax.default", [](Emitter& e) -> Results {
    const Tensor x = e.tensor("self");
    const std::size_t dim = e.dim(e.integer("dim"), x);
    e.require(isFloating(x.dtype()) && x.rank() > 0 && e.result().dtype == x.dtype());
    const Tensor plain =
        e.op("aten._softmax.default", {x.value, static_cast<std::int64_t>(dim), false}, x.meta);
    // A row of only -infinity gives 0.
    const Tensor empty = e.compare("eq", e.amax(x, {dim}, true), -INFINITY);
    return one(e.where(empty, 0.0, plain));
  });
  add("aten.log_softmax.int", softmax<true>);
  add("aten._log_softmax.default", softmax<true>);
}

}  // namespace fxs::rewrite
