// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalization by mean and variance, or by running statistics, in float32 for the half types:
// layer, rms, group, instance and batch norm. Of the forms of batch norm that decompositions leave,
// inference is aten.batch_norm, and training has the new running statistics as results.
#include <fmt/format.h>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

struct Normalized {
  Tensor value, mean, variance, rstd;  ///< the statistics keep their dimensions
};

Normalized normalize(Emitter& e, const Tensor& x, const std::vector<std::size_t>& dims,
                     double eps) {
  const Tensor mean = e.mean(x, dims, true);
  const Tensor centred = e.sub(x, mean);
  const Tensor variance = e.mean(e.square(centred), dims, true);
  const Tensor rstd = e.rsqrt(e.add(variance, eps));
  return {e.mul(centred, rstd), mean, variance, rstd};
}

/// A value per channel of x, shaped to broadcast.
Tensor perChannel(Emitter& e, const Tensor& v, const Tensor& x) {
  if (x.rank() == 2) return v;
  Sizes shape{e.size(v, 0)};
  for (std::size_t i = 2; i < x.rank(); ++i) shape.push_back(Size::of(1));
  return e.reshape(v, shape);
}

/// Scaled by the weight and shifted by the bias, in the type of x; per channel, or as they are.
enum class Along : std::uint8_t { Channels, LastDims };
Tensor affine(Emitter& e, Tensor normalized, const Tensor& x, Along along) {
  const auto parameter = [&](std::string_view name) -> std::optional<Tensor> {
    const std::optional<Tensor> given = e.optionalTensor(name);
    return given && along == Along::Channels ? perChannel(e, *given, x) : given;
  };
  if (const auto weight = parameter("weight")) normalized = e.mul(normalized, *weight);
  if (const auto bias = parameter("bias")) normalized = e.add(normalized, *bias);
  return e.cast(normalized, x.dtype());
}

Tensor computed(Emitter& e, const Tensor& x) {
  e.require(isFloating(x.dtype()));
  return e.cast(x, ops::computationType(x.dtype()));
}

Results withStatistics(Emitter& e, const Tensor& output, const Tensor& mean, const Tensor& rstd) {
  return std::vector<fx::Argument>{output.value, e.asResult(mean, 1).value,
                                   e.asResult(rstd, 2).value};
}

std::vector<std::size_t> dimsFrom(std::size_t first, const Tensor& x) {
  std::vector<std::size_t> dims = allDims(x);
  dims.erase(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(first));
  return dims;
}

template <bool statistics>
Results layerNorm(Emitter& e) {
  const Tensor self = e.tensor("input");
  const std::vector<std::size_t> dims = normalizedDims(e, self);
  const Normalized n = normalize(e, computed(e, self), dims, e.number("eps"));
  const Tensor output = affine(e, n.value, self, Along::LastDims);
  return statistics ? withStatistics(e, output, n.mean, n.rstd) : one(output);
}

Results rmsNorm(Emitter& e) {
  const Tensor self = e.tensor("input");
  const std::vector<std::size_t> dims = normalizedDims(e, self);
  const std::optional<double> given = e.optionalNumber("eps");
  const Tensor x = computed(e, self);
  const double eps =
      given.value_or(x.dtype() == DType::Float64 ? 2.220446049250313e-16 : 1.1920928955078125e-07);
  const Tensor scale = e.rsqrt(e.add(e.mean(e.square(x), dims, true), eps));
  return one(affine(e, e.mul(x, scale), self, Along::LastDims));
}

/// The groups of channels are normalized; statistics are [N, groups].
template <bool statistics>
Results groupNorm(Emitter& e) {
  const Tensor self = e.tensor("input");
  const std::int64_t groups = e.integer(statistics ? "group" : "num_groups");
  e.require(self.rank() >= 2 && groups > 0);
  const std::int64_t channels = e.fixed(self, 1);
  e.require(channels % groups == 0);
  const Sizes perGroup{e.size(self, 0), Size::of(groups)};
  Sizes split = perGroup;
  split.push_back(Size::of(channels / groups));
  for (std::size_t i = 2; i < self.rank(); ++i) split.push_back(e.size(self, i));
  const Tensor x = e.reshape(computed(e, self), split);
  const Normalized n = normalize(e, x, dimsFrom(2, x), e.number("eps"));
  const Tensor output = affine(e, e.reshape(n.value, e.sizes(self)), self, Along::Channels);
  if (!statistics) return one(output);
  return withStatistics(e, output, e.reshape(n.mean, perGroup), e.reshape(n.rstd, perGroup));
}

Tensor inputWithChannels(Emitter& e) {
  Tensor x = e.tensor("input");
  e.require(x.rank() >= 2);
  return x;
}

Tensor byRunningStatistics(Emitter& e, const Tensor& x) {
  return e.op("aten.batch_norm.default",
              {x.value, e.argument("weight"), e.argument("bias"), e.tensor("running_mean").value,
               e.tensor("running_var").value, false, e.number("momentum"), e.number("eps"), false},
              e.result());
}

Results inference(Emitter& e) {
  const Tensor x = inputWithChannels(e), out = byRunningStatistics(e, x);
  const DType compute = ops::computationType(x.dtype());
  const fx::TensorMeta* mean = e.context().result(1);
  if (mean == nullptr || mean->sizes == std::vector{fx::SymInt(0)}) {  // as on the CPU
    const fx::TensorMeta none = e.meta(mean == nullptr ? compute : mean->dtype, {fx::SymInt(0)});
    const auto zeros = [&] {
      return e
          .op("aten.new_zeros.default",
              {x.value, fx::ArgumentList{std::int64_t{0}}, fx::None{}, fx::None{}, fx::None{},
               false},
              none)
          .value;
    };
    const fx::Argument first = zeros();
    return std::vector<fx::Argument>{out.value, first, zeros()};
  }
  const Tensor variance = e.cast(e.tensor("running_var"), compute);
  return withStatistics(e, out, e.tensor("running_mean"),
                        e.rsqrt(e.add(variance, e.number("eps"))));
}

/// (x - mean) / sqrt(var + eps), scaled and shifted, with the running statistics.
Results arithmetic(Emitter& e) {
  const Tensor self = inputWithChannels(e), x = computed(e, self);
  const Tensor mean = e.tensor("running_mean"), variance = e.tensor("running_var");
  e.require(!e.flag("training"));
  const Tensor centred = e.sub(x, perChannel(e, e.cast(mean, x.dtype()), self));
  const Tensor rstd = e.rsqrt(e.add(e.cast(variance, x.dtype()), e.number("eps")));
  return one(affine(e, e.mul(centred, perChannel(e, rstd, self)), self, Along::Channels));
}

/// The dimensions that a channel's statistics are over.
std::vector<std::size_t> allButChannels(const Tensor& x) {
  std::vector<std::size_t> dims = allDims(x);
  dims.erase(dims.begin() + 1);
  return dims;
}

struct OverBatch {
  Tensor output, mean, variance, rstd;  ///< the statistics: one per channel
};

OverBatch normalizeOverBatch(Emitter& e, const Tensor& self) {
  const Normalized n = normalize(e, computed(e, self), allButChannels(self), e.number("eps"));
  const Sizes channels{e.size(self, 1)};
  return {affine(e, n.value, self, Along::Channels), e.reshape(n.mean, channels),
          e.reshape(n.variance, channels), e.reshape(n.rstd, channels)};
}

/// The variance of a sample, from that of its elements.
Tensor unbiased(Emitter& e, const Tensor& variance, const Tensor& x) {
  Sizes counted;
  for (const std::size_t d : allButChannels(x)) counted.push_back(e.size(x, d));
  const Size count = e.product(counted);
  if (!count.isStatic()) return e.div(e.mul(variance, count), e.plus(count, Size::of(-1)));
  const auto n = static_cast<double>(count.value.value());
  return e.mul(variance, n / (n - 1));
}

Results functional(Emitter& e) {
  const Tensor x = inputWithChannels(e), runningMean = e.tensor("running_mean"),
               runningVar = e.tensor("running_var");
  const double momentum = e.number("momentum");
  if (!e.flag("training")) {
    std::vector<fx::Argument> results = *inference(e);
    results.push_back(runningMean.value);
    results.push_back(runningVar.value);
    return results;
  }
  const OverBatch n = normalizeOverBatch(e, x);
  const auto blended = [&](const Tensor& fresh, const Tensor& old) {
    return e.cast(e.add(e.mul(fresh, momentum), e.mul(old, 1 - momentum)), old.dtype());
  };
  std::vector<fx::Argument> results = *withStatistics(e, n.output, n.mean, n.rstd);
  results.push_back(blended(n.mean, runningMean).value);
  results.push_back(blended(unbiased(e, n.variance, x), runningVar).value);
  return results;
}

Results noStats(Emitter& e) {
  const OverBatch n = normalizeOverBatch(e, inputWithChannels(e));
  return withStatistics(e, n.output, n.mean, n.rstd);
}

/// Training with running statistics would write to them.
Results inferenceOrNoStats(Emitter& e) {
  if (!e.flag("training")) return inference(e);
  e.require(e.argument("running_mean").isNone() && e.argument("running_var").isNone());
  return noStats(e);
}

/// Statistics of each sample and channel, or the running ones.
Results instanceNorm(Emitter& e) {
  const Tensor self = inputWithChannels(e);
  if (!e.flag("use_input_stats")) return one(byRunningStatistics(e, self));
  const Normalized n = normalize(e, computed(e, self), dimsFrom(2, self), e.number("eps"));
  return one(affine(e, n.value, self, Along::Channels));
}

constexpr std::string_view kOverLastDims = "    dims = list(range(-len(normalized_shape), 0))\n";
constexpr std::string_view kOverPositions =
    "    dims, shape = list(range(2, x.dim())), [-1] + [1] * (input.dim() - 2)\n";

/// Rule::python of a norm. `dims`: what gives the dimensions of a mean, of x, and the shape of a
/// weight; `after`: what becomes of the result.
std::string normalized(std::string_view dims, std::string_view shaped = "",
                       std::string_view after = "") {
  return fmt::format(
      "    x = input.float() if input.dtype in (torch.float16, torch.bfloat16) else input\n"
      "{0}"
      "    centred = x - x.mean(dims, True)\n"
      "    out = centred * ((centred * centred).mean(dims, True) + eps).rsqrt()\n"
      "{2}"
      "    out = out if weight is None else out * weight{1}\n"
      "    out = out if bias is None else out + bias{1}\n"
      "    return out.to(input.dtype)\n",
      dims, shaped, after);
}

}  // namespace

void registerNormalization(RewriteRules& rules) {
  // The rules refer to them.
  static const std::string
      ofLayer = normalized(kOverLastDims),
      ofInstance =
          "    if not use_input_stats:\n"
          "        return aten.batch_norm(input, weight, bias, running_mean, running_var, "
          "False, momentum, eps, False)\n" +
          normalized(kOverPositions, ".reshape(shape)"),
      ofGroups =
          normalized("    x = x.unflatten(1, (num_groups, -1))\n" + std::string(kOverPositions),
                     ".reshape(shape)", "    out = out.flatten(1, 2)\n");
  const std::string moments = "becomes means of squares";
  rules.add({"aten.layer_norm.default", moments, false, layerNorm<false>, {}, ofLayer});
  rules.add({"aten.native_layer_norm.default", moments, false, layerNorm<true>});
  rules.add({"aten.rms_norm.default", moments, false, rmsNorm});
  rules.add({"aten.group_norm.default", moments, false, groupNorm<false>, {}, ofGroups});
  rules.add({"aten.native_group_norm.default", moments, false, groupNorm<true>});
  rules.add({"aten.batch_norm.default", "becomes arithmetic with the running statistics", false,
             arithmetic});
  rules.add({"aten.native_batch_norm.default",
             "becomes aten.batch_norm with the running statistics, or the statistics of the batch",
             true, inferenceOrNoStats});
  rules.add({"aten._native_batch_norm_legit_no_training.default",
             "becomes aten.batch_norm with the running statistics", true, inference});
  rules.add({"aten._native_batch_norm_legit_functional.default",
             "becomes the statistics of the batch and the new running statistics", true,
             functional});
  rules.add({"aten._native_batch_norm_legit.no_stats", "becomes the statistics of the batch", true,
             noStats});
  rules.add({"aten.instance_norm.default",
             "becomes mean and variance of each channel of each sample; the engine crashes on the "
             "op itself",
             true,
             instanceNorm,
             {},
             ofInstance});
}

}  // namespace fxs::rewrite
