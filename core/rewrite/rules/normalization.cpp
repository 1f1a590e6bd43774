// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layer_norm, group_norm, rms_norm and softmax by mean, variance and exponentials, in float32 for
// the half types.
#include <cmath>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

struct Normalized {
  Tensor value, mean, rstd;  ///< mean and rstd keep their dimensions
};

Normalized normalize(Emitter& e, const Tensor& x, const std::vector<std::size_t>& dims,
                     double eps) {
  const Tensor mean = e.mean(x, dims, true);
  const Tensor centred = e.sub(x, mean);
  const Tensor rstd = e.rsqrt(e.add(e.mean(e.square(centred), dims, true), eps));
  return {e.mul(centred, rstd), mean, rstd};
}

Tensor affine(Emitter& e, Tensor x, const std::optional<Tensor>& weight,
              const std::optional<Tensor>& bias, DType dtype) {
  if (weight) x = e.mul(x, *weight);
  if (bias) x = e.add(x, *bias);
  return e.cast(x, dtype);
}

std::vector<std::size_t> lastDims(const Tensor& x, std::size_t count) {
  std::vector<std::size_t> dims;
  for (std::size_t i = x.rank() - count; i < x.rank(); ++i) dims.push_back(i);
  return dims;
}

template <bool withStatistics>
Results layerNorm(Emitter& e) {
  const Tensor self = e.tensor("input");
  const std::vector<std::int64_t> shape = e.integers("normalized_shape");
  const std::optional<Tensor> weight = e.optionalTensor("weight"), bias = e.optionalTensor("bias");
  const double eps = e.number("eps");
  e.require(!shape.empty() && shape.size() <= self.rank() && isFloating(self.dtype()));
  const Normalized n = normalize(e, e.cast(self, ops::computationType(self.dtype())),
                                 lastDims(self, shape.size()), eps);
  const Tensor output = affine(e, n.value, weight, bias, self.dtype());
  if constexpr (withStatistics)
    return std::vector<fx::Argument>{output.value, e.asResult(n.mean, 1).value,
                                     e.asResult(n.rstd, 2).value};
  return one(output);
}

Results rmsNorm(Emitter& e) {
  const Tensor self = e.tensor("input");
  const std::vector<std::int64_t> shape = e.integers("normalized_shape");
  const std::optional<Tensor> weight = e.optionalTensor("weight");
  const std::optional<double> given = e.optionalNumber("eps");
  e.require(!shape.empty() && shape.size() <= self.rank() && isFloating(self.dtype()));
  const DType compute = ops::computationType(self.dtype());
  const double eps =
      given.value_or(compute == DType::Float64 ? 2.220446049250313e-16 : 1.1920928955078125e-07);
  const Tensor x = e.cast(self, compute);
  const Tensor scale = e.rsqrt(e.add(e.mean(e.square(x), lastDims(x, shape.size()), true), eps));
  return one(affine(e, e.mul(x, scale), weight, std::nullopt, self.dtype()));
}

struct Grouped {
  Tensor output, mean, rstd;  ///< statistics [N, groups]
};

Grouped groupNormalized(Emitter& e, const Tensor& self, std::int64_t groups, double eps) {
  const std::optional<Tensor> weight = e.optionalTensor("weight"), bias = e.optionalTensor("bias");
  e.require(self.rank() >= 2 && isFloating(self.dtype()) && groups > 0);
  const std::int64_t channels = e.fixed(self, 1);
  e.require(channels % groups == 0);
  Sizes split{e.size(self, 0), Size::of(groups), Size::of(channels / groups)};
  Sizes perChannel{Size::of(channels)};
  for (std::size_t i = 2; i < self.rank(); ++i) {
    split.push_back(e.size(self, i));
    perChannel.push_back(Size::of(1));
  }
  const Tensor x = e.reshape(e.cast(self, ops::computationType(self.dtype())), split);
  std::vector<std::size_t> dims = allDims(x);
  dims.erase(dims.begin(), dims.begin() + 2);
  const Normalized n = normalize(e, x, dims, eps);
  const auto shaped = [&](const std::optional<Tensor>& t) {
    return t ? std::optional(e.reshape(*t, perChannel)) : std::nullopt;
  };
  const Sizes statistics{e.size(self, 0), Size::of(groups)};
  return {affine(e, e.reshape(n.value, e.sizes(self)), shaped(weight), shaped(bias), self.dtype()),
          e.reshape(n.mean, statistics), e.reshape(n.rstd, statistics)};
}

Results groupNorm(Emitter& e) {
  return one(
      groupNormalized(e, e.tensor("input"), e.integer("num_groups"), e.number("eps")).output);
}

Results nativeGroupNorm(Emitter& e) {
  const Grouped g = groupNormalized(e, e.tensor("input"), e.integer("group"), e.number("eps"));
  return std::vector<fx::Argument>{g.output.value, e.asResult(g.mean, 1).value,
                                   e.asResult(g.rstd, 2).value};
}

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

}  // namespace

void registerNormalization(RewriteRules& rules) {
  const auto add = [&](const std::string& target, std::string reason, decltype(Rule::apply) apply) {
    rules.add({target, std::move(reason), false, std::move(apply)});
  };
  const std::string moments = "becomes means of squares",
                    exponentials = "becomes exponentials and their sum";
  add("aten.layer_norm.default", moments, layerNorm<false>);
  add("aten.native_layer_norm.default", moments, layerNorm<true>);
  add("aten.rms_norm.default", moments, rmsNorm);
  add("aten.group_norm.default", moments, groupNorm);
  add("aten.native_group_norm.default", moments, nativeGroupNorm);
  add("aten.softmax.int", exponentials, softmax<false>);
  add("aten._softmax.default", exponentials, softmax<false>);
  add("aten._safe_softmax.default", exponentials, [](Emitter& e) -> Results {
    const Tensor x = e.tensor("self");
    const std::size_t dim = e.dim(e.integer("dim"), x);
    e.require(isFloating(x.dtype()) && x.rank() > 0 && e.result().dtype == x.dtype());
    const Tensor plain =
        e.op("aten._softmax.default", {x.value, static_cast<std::int64_t>(dim), false}, x.meta);
    // A row of only -infinity gives 0.
    const Tensor empty = e.compare("eq", e.amax(x, {dim}, true), -INFINITY);
    return one(e.where(empty, 0.0, plain));
  });
  add("aten.log_softmax.int", exponentials, softmax<true>);
  add("aten._log_softmax.default", exponentials, softmax<true>);
}

}  // namespace fxs::rewrite
