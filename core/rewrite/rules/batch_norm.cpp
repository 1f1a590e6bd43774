// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of batch_norm left by decompositions. The inference form is aten.batch_norm; the training
// forms are written out, with the new running statistics as results.
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

struct Parameters {
  Tensor input;
  std::optional<Tensor> weight, bias;
  double eps = 0;
};

Parameters parametersOf(Emitter& e) {
  Parameters p{e.tensor("input"), e.optionalTensor("weight"), e.optionalTensor("bias"),
               e.number("eps")};
  e.require(p.input.rank() >= 2);
  return p;
}

std::vector<std::size_t> allButChannels(const Tensor& x) {
  std::vector<std::size_t> dims{0};
  for (std::size_t i = 2; i < x.rank(); ++i) dims.push_back(i);
  return dims;
}

Tensor perChannel(Emitter& e, const Tensor& v, const Tensor& x) {
  if (x.rank() == 2) return v;
  Sizes shape{e.size(v, 0)};
  for (std::size_t i = 2; i < x.rank(); ++i) shape.push_back(Size::of(1));
  return e.reshape(v, shape);
}

Tensor affine(Emitter& e, Tensor normalized, const Parameters& p) {
  if (p.weight) normalized = e.mul(normalized, perChannel(e, *p.weight, p.input));
  if (p.bias) normalized = e.add(normalized, perChannel(e, *p.bias, p.input));
  return e.cast(normalized, p.input.dtype());
}

Tensor byRunningStatistics(Emitter& e, const Parameters& p) {
  const auto value = [](const std::optional<Tensor>& t) {
    return t ? t->value : fx::Argument(fx::None{});
  };
  return e.op("aten.batch_norm.default",
              {p.input.value, value(p.weight), value(p.bias), e.tensor("running_mean").value,
               e.tensor("running_var").value, false, e.number("momentum"), p.eps, false},
              e.result());
}

Results inference(Emitter& e) {
  const Parameters p = parametersOf(e);
  const Tensor out = byRunningStatistics(e, p);
  const DType compute = ops::computationType(p.input.dtype());
  const fx::TensorMeta* mean = e.context().result(1);
  if (mean == nullptr || mean->sizes == std::vector{fx::SymInt(0)}) {  // as on the CPU
    const Tensor none = e.zeros({Size::of(0)}, compute);
    return std::vector<fx::Argument>{out.value, none.value, none.value};
  }
  const Tensor variance = e.cast(e.tensor("running_var"), compute);
  return std::vector<fx::Argument>{out.value, e.asResult(e.tensor("running_mean"), 1).value,
                                   e.asResult(e.rsqrt(e.add(variance, p.eps)), 2).value};
}

/// (x - mean) / sqrt(var + eps), scaled and shifted, with the running statistics.
Results arithmetic(Emitter& e) {
  const Parameters p = parametersOf(e);
  const std::optional<Tensor> mean = e.optionalTensor("running_mean"),
                              var = e.optionalTensor("running_var");
  e.require(!e.flag("training") && mean && var);
  const DType compute = ops::computationType(p.input.dtype());
  const Tensor centred =
      e.sub(e.cast(p.input, compute), perChannel(e, e.cast(*mean, compute), p.input));
  const Tensor rstd = e.rsqrt(e.add(e.cast(*var, compute), p.eps));
  return one(affine(e, e.mul(centred, perChannel(e, rstd, p.input)), p));
}

struct Statistics {
  Tensor output, mean, rstd;  ///< mean and rstd: one per channel
  Tensor unbiasedVariance;
};

Statistics normalizeOverBatch(Emitter& e, const Parameters& p, bool wantsUnbiased) {
  const std::vector<std::size_t> dims = allButChannels(p.input);
  const Tensor x = e.cast(p.input, ops::computationType(p.input.dtype()));
  const Tensor mean = e.mean(x, dims, true);
  const Tensor centred = e.sub(x, mean);
  const Tensor variance = e.mean(e.square(centred), dims, true);
  const Tensor rstd = e.rsqrt(e.add(variance, p.eps));
  const Sizes channels{e.size(p.input, 1)};
  Statistics s;
  s.output = affine(e, e.mul(centred, rstd), p);
  s.mean = e.reshape(mean, channels);
  s.rstd = e.reshape(rstd, channels);
  if (wantsUnbiased) {
    Sizes counted;
    for (const std::size_t d : dims) counted.push_back(e.size(p.input, d));
    const Size count = e.product(counted);
    const Tensor biased = e.reshape(variance, channels);
    if (count.isStatic()) {
      const auto n = static_cast<double>(count.value.value());
      s.unbiasedVariance = e.mul(biased, n / (n - 1));
    } else {
      s.unbiasedVariance = e.div(e.mul(biased, count), e.plus(count, Size::of(-1)));
    }
  }
  return s;
}

Results functional(Emitter& e) {
  const Parameters p = parametersOf(e);
  const Tensor runningMean = e.tensor("running_mean"), runningVar = e.tensor("running_var");
  const double momentum = e.number("momentum");
  const bool training = e.flag("training");
  if (!training) {
    std::vector<fx::Argument> results = *inference(e);
    results.push_back(runningMean.value);
    results.push_back(runningVar.value);
    return results;
  }
  const Statistics s = normalizeOverBatch(e, p, true);
  const auto blended = [&](const Tensor& fresh, const Tensor& old) {
    return e.cast(e.add(e.mul(fresh, momentum), e.mul(old, 1 - momentum)), old.dtype());
  };
  return std::vector<fx::Argument>{s.output.value, s.mean.value, s.rstd.value,
                                   blended(s.mean, runningMean).value,
                                   blended(s.unbiasedVariance, runningVar).value};
}

Results noStats(Emitter& e) {
  const Parameters p = parametersOf(e);
  const Statistics s = normalizeOverBatch(e, p, false);
  return std::vector<fx::Argument>{s.output.value, e.asResult(s.mean, 1).value,
                                   e.asResult(s.rstd, 2).value};
}

/// Training with running statistics would write to them.
Results inferenceOrNoStats(Emitter& e) {
  if (!e.flag("training")) return inference(e);
  e.require(e.argument("running_mean").isNone() && e.argument("running_var").isNone());
  return noStats(e);
}

/// Statistics of each sample and channel, or the running ones.
Results instanceNorm(Emitter& e) {
  Parameters p = parametersOf(e);
  if (!e.flag("use_input_stats")) return one(byRunningStatistics(e, p));
  std::vector<std::size_t> dims = allDims(p.input);
  dims.erase(dims.begin(), dims.begin() + 2);
  const Tensor x = e.cast(p.input, ops::computationType(p.input.dtype()));
  const Tensor centred = e.sub(x, e.mean(x, dims, true));
  const Tensor variance = e.mean(e.square(centred), dims, true);
  return one(affine(e, e.mul(centred, e.rsqrt(e.add(variance, p.eps))), p));
}

}  // namespace

void registerBatchNorm(RewriteRules& rules) {
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
             true, instanceNorm});
}

}  // namespace fxs::rewrite
