// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/pytorch_forms.h"

#include <algorithm>

#include "ops/promotion.h"
#include "rewrite/default_parts.h"
#include "rewrite/view_ops.h"

namespace fxs::rewrite {
namespace {

Results contiguousForm(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::optional<bool> is = isContiguous(x.meta);
  if (!is || e.argument("memory_format") != fx::Argument(MemoryFormat::Contiguous))
    return std::nullopt;
  return one(*is ? x : e.contiguousCopy(x));
}

/// A view, or a view of a copy.
Results viewOf(Emitter& e, const Tensor& x, fx::ArgumentList shape) {
  const fx::TensorMeta result = e.result();
  const std::optional<bool> isView = viewable(x.meta, result.sizes);
  if (!isView) return std::nullopt;
  if (*isView) return one(e.op("aten.view.default", {x.value, std::move(shape)}, result));
  return one(
      e.op("aten._unsafe_view.default", {e.contiguousCopy(x).value, std::move(shape)}, result));
}

Results transposeForm(Emitter& e) {
  const Tensor x = e.tensor("self");
  return one(e.op("aten.transpose.int",
                  {x.value, std::int64_t{0}, std::int64_t{x.rank() < 2 ? 0 : 1}}, e.result()));
}

/// By the composite kernel, whose second result is other than that of this one.
Results flashAttentionForm(Emitter& e) {
  const Tensor q = e.tensor("query"), k = e.tensor("key"), v = e.tensor("value");
  e.require(q.rank() == 4 && k.rank() == 4 && v.rank() == 4);
  const auto sizes = [&](const fx::SymInt& rows, const fx::SymInt& columns) {
    return std::vector<fx::SymInt>{q.meta.sizes[0], q.meta.sizes[1], rows, columns};
  };
  const fx::TensorMeta output = e.meta(q.dtype(), sizes(q.meta.sizes[2], v.meta.sizes[3]));
  const fx::TensorMeta weights = e.meta(q.dtype(), sizes(q.meta.sizes[2], k.meta.sizes[2]));
  const std::vector<fx::Argument> results =
      e.call("aten._scaled_dot_product_attention_math.default",
             {{"query", q.value, false},
              {"key", k.value, false},
              {"value", v.value, false},
              {"attn_mask", e.argument("attn_mask"), false},
              {"dropout_p", e.argument("dropout_p"), false},
              {"is_causal", e.argument("is_causal"), false},
              {"dropout_mask", fx::None{}, false},
              {"scale", e.argument("scale"), true},
              {"enable_gqa", q.meta.sizes[1] != k.meta.sizes[1], true}},
             fx::ValueList{fx::Value(output), fx::Value(weights)});
  const Tensor copied = e.contiguousCopy(e.permute({results[0], output}, {2, 0, 1, 3}));
  return std::vector<fx::Argument>{e.permute(copied, {1, 2, 0, 3}).value, results[1]};
}

/// The shape with a number in the place of -1. PyTorch computes it where the operand is not
/// contiguous; aten.view takes the -1 itself.
void inferSize(Emitter& e, const Tensor& x, fx::ArgumentList& shape) {
  const auto left =
      std::ranges::find_if(shape, [](const fx::Argument& size) { return isNumber(size, -1); });
  if (left == shape.end() || isContiguous(x.meta).value_or(false)) return;
  const std::vector<fx::SymInt> sizes = e.result().sizes;
  e.require(sizes.size() == shape.size());
  const auto at = static_cast<std::size_t>(left - shape.begin());
  Size elements = Size::of(1), others = Size::of(1);
  for (const Size& size : e.sizes(x)) {
    if (!elements.is(1) && elements.value == sizes[at]) break;
    elements = e.times(elements, size);
  }
  if (elements.value != sizes[at]) {
    for (std::size_t d = 0; d < sizes.size(); ++d)
      if (d != at) others = e.times(others, {sizes[d], shape[d]});
    elements = e.quotient(elements, others, sizes[at]);
  }
  *left = elements.argument;
}

Results reshapeForm(Emitter& e) {
  const fx::Argument given = e.argument("shape");
  if (given.list() == nullptr) return std::nullopt;
  fx::ArgumentList shape = *given.list();
  const Tensor x = e.tensor("self");
  inferSize(e, x, shape);
  return viewOf(e, x, std::move(shape));
}

Results reshapeAsForm(Emitter& e) {
  return viewOf(e, e.tensor("self"), argumentsOf(e.sizes(e.tensor("other"))));
}

Results flattenForm(Emitter& e) {
  const fx::TensorMeta result = e.result();
  const Tensor x = e.tensor("self");
  if (!result.isStaticShape()) return std::nullopt;
  if (result.sizes == x.meta.sizes) return one(x);
  fx::ArgumentList shape;
  for (const fx::SymInt& size : result.sizes) shape.emplace_back(size.value());
  return viewOf(e, x, std::move(shape));
}

Results unflattenForm(Emitter& e) {
  const Tensor x = e.tensor("self");
  const fx::Argument inner = e.argument("sizes");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  if (inner.list() == nullptr) return std::nullopt;
  fx::ArgumentList shape;
  for (std::size_t d = 0; d < x.rank(); ++d) {
    if (d == dim) shape.insert(shape.end(), inner.list()->begin(), inner.list()->end());
    else shape.push_back(e.size(x, d).argument);
  }
  return viewOf(e, x, std::move(shape));
}

Results chunkForm(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const std::int64_t size = e.fixed(x, dim), count = e.integer("chunks");
  const fx::ValueList* parts = e.matched().val.list();
  if (size <= 0 || count <= 0 || count > size || parts == nullptr) return std::nullopt;
  return e.call("aten.split.Tensor",
                {{"self", x.value, false},
                 {"split_size", (size + count - 1) / count, false},
                 {"dim", static_cast<std::int64_t>(dim), false}},
                *parts);
}

Results addmmForm(Emitter& e) {
  const Tensor bias = widened(e, "self"), a = widened(e, "mat1"), b = widened(e, "mat2");
  const fx::Argument beta = e.argument("beta"), alpha = e.argument("alpha");
  e.require(bias.dtype() == a.dtype() && b.dtype() == a.dtype() && a.rank() == 2 && b.rank() == 2);
  const Tensor product =
      e.op("aten.mm.default", {a.value, b.value}, a.dtype(), {a.meta.sizes[0], b.meta.sizes[1]});
  const Tensor scaled = e.op("aten.mul.Tensor", {product.value, alpha}, product.meta);
  if (isNumber(beta, 0)) return one(e.asResult(scaled));
  const Tensor added = e.op("aten.mul.Tensor", {bias.value, beta}, bias.meta);
  fx::TensorMeta sum = e.result();
  sum.dtype = a.dtype();
  return one(e.asResult(e.op("aten.add.Tensor", {scaled.value, added.value}, sum)));
}

Results maskedFillForm(Emitter& e) {
  const Tensor x = e.tensor("self"), mask = e.tensor("mask");
  fx::Argument value = e.argument("value");
  if (e.matched().target == "aten.masked_fill.Tensor") {
    if (e.tensor("value").dtype() != x.dtype()) return std::nullopt;
    return one(e.op("aten.where.self", {mask.value, value, x.value}, e.result()));
  }
  const std::int64_t* number = value.integer();
  if (number != nullptr && isFloating(x.dtype())) value = static_cast<double>(*number);
  if (value.integer() != nullptr ? !isIntegral(x.dtype()) : !isFloating(x.dtype()))
    return std::nullopt;
  return one(e.op("aten.where.ScalarSelf", {mask.value, value, x.value}, e.result()));
}

/// A value of each channel beside the dimensions after it, by aten.unsqueeze.
Tensor besideChannels(Emitter& e, Tensor t, std::size_t rank) {
  for (std::size_t d = 2; d < rank; ++d) {
    fx::TensorMeta meta = t.meta;
    meta.sizes.emplace_back(1);
    meta.strides.emplace_back(1);
    t = e.op("aten.unsqueeze.default", {t.value, std::int64_t{-1}}, meta);
  }
  return t;
}

/// Without the dimensions of size 1 but that of the channels, by a prims.squeeze for each.
Tensor ofChannels(Emitter& e, Tensor statistic) {
  for (std::size_t d = statistic.rank(); d-- > 0;) {
    if (d == 1) continue;
    std::vector<fx::SymInt> sizes = statistic.meta.sizes;
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(d));
    statistic = e.op("prims.squeeze.default",
                     {statistic.value, fx::ArgumentList{static_cast<std::int64_t>(d)}},
                     statistic.dtype(), std::move(sizes));
  }
  return statistic;
}

/// By the statistics of the batch, with the new running statistics as further results.
Results trainingNormForm(Emitter& e) {
  const Tensor x = e.tensor("input");
  const DType compute = ops::computationType(x.dtype());
  const bool isFunctional =
      e.matched().target == "aten._native_batch_norm_legit_functional.default";
  const bool isAsked =
      e.matched().target == "aten._native_batch_norm_legit.no_stats" || e.flag("training");
  if (!isAsked || x.rank() < 2 || !isFloating(x.dtype())) return std::nullopt;
  const std::optional<Tensor> weight = e.optionalTensor("weight"), bias = e.optionalTensor("bias");
  std::vector<std::size_t> dims = allDims(x);
  dims.erase(dims.begin() + 1);
  const fx::TensorMeta statistic = e.meta(compute, reducedSizes(x.meta.sizes, dims, true));
  const std::vector<fx::Argument> both =
      e.call("aten.var_mean.correction",
             {{"self", e.cast(x, compute).value, false},
              {"dim", integersOf(dims), false},
              {"correction", std::int64_t{0}, true},
              {"keepdim", true, true}},
             fx::ValueList{fx::Value(statistic), fx::Value(statistic)});
  const Tensor variance{both[0], statistic}, mean{both[1], statistic};
  const Tensor root = e.rsqrt(e.add(variance, e.argument("eps")));
  fx::TensorMeta meta = x.meta;
  meta.dtype = compute;
  Tensor out = e.op("aten.sub.Tensor", {x.value, mean.value}, meta);
  out = e.mul(out, root);
  const Tensor savedMean = ofChannels(e, mean), savedRoot = ofChannels(e, root);
  std::vector<fx::Argument> results;
  if (isFunctional) {
    const Tensor oldMean = e.tensor("running_mean"), oldVariance = e.tensor("running_var");
    const double momentum = e.number("momentum");
    std::int64_t count = 1;
    for (const std::size_t d : dims) count = saturated(count, e.fixed(x, d));
    if (count < 2) return std::nullopt;
    const auto mixed = [&](const Tensor& of, const Tensor& old, std::size_t index) {
      const Tensor fresh = e.mul(of, momentum), rest = e.mul(old, 1 - momentum);
      return e.asResult(e.op("aten.add.Tensor", {fresh.value, rest.value}, of.meta), index).value;
    };
    results.push_back(mixed(savedMean, oldMean, 3));
    const auto n = static_cast<double>(count);
    results.push_back(mixed(e.mul(ofChannels(e, variance), n / (n - 1)), oldVariance, 4));
  }
  for (const auto& [operand, target] :
       {std::pair(weight, "aten.mul.Tensor"), std::pair(bias, "aten.add.Tensor")})
    if (operand) out = e.op(target, {out.value, besideChannels(e, *operand, x.rank()).value}, meta);
  const std::vector<fx::Argument> own{e.asResult(out).value, e.asResult(savedMean, 1).value,
                                      e.asResult(savedRoot, 2).value};
  results.insert(results.begin(), own.begin(), own.end());
  return results;
}

/// With the running statistics in float32, or with those of the batch.
Results batchNormForm(Emitter& e) {
  const Tensor x = e.tensor("input");
  const std::optional<Tensor> mean = e.optionalTensor("running_mean"),
                              variance = e.optionalTensor("running_var");
  const std::optional<Tensor> weight = e.optionalTensor("weight"), bias = e.optionalTensor("bias");
  if (e.flag("training") && !mean && !variance) {
    const Results all = trainingNormForm(e);
    return all ? Results{{all->front()}} : std::nullopt;
  }
  if (e.flag("training") || !mean || !variance || x.rank() < 2) return std::nullopt;
  const auto isComputed = [](const std::optional<Tensor>& t) {
    return !t || ops::computationType(t->dtype()) == DType::Float32;
  };
  for (const std::optional<Tensor>& t : {std::optional(x), mean, variance, weight, bias})
    if (!isComputed(t)) return std::nullopt;
  const auto converted = [&](const Tensor& t) {
    return e.op("prims.convert_element_type.default", {t.value, DType::Float32}, DType::Float32,
                t.meta.sizes);
  };
  const auto scaledBy = [&](std::string_view target, const Tensor& t, fx::Argument number) {
    return e.op(target, {t.value, std::move(number)}, t.meta);
  };
  const auto perChannel = [&](const Tensor& t) { return besideChannels(e, t, x.rank()); };
  const Tensor center = converted(*mean);
  const Tensor root = e.sqrt(scaledBy("aten.add.Tensor", converted(*variance), e.number("eps")));
  const Tensor scale = scaledBy("aten.mul.Tensor", e.reciprocal(root), std::int64_t{1});
  fx::TensorMeta meta = x.meta;
  meta.dtype = DType::Float32;
  Tensor out = e.op("aten.sub.Tensor", {x.value, perChannel(center).value}, meta);
  out = e.op("aten.mul.Tensor", {out.value, perChannel(scale).value}, meta);
  if (weight) out = e.op("aten.mul.Tensor", {out.value, perChannel(*weight).value}, meta);
  if (bias) out = e.op("aten.add.Tensor", {out.value, perChannel(*bias).value}, meta);
  return one(e.asResult(out));
}

/// In float32, with the mean and the reciprocal deviation as further results.
Results layerNormForm(Emitter& e) {
  const Tensor x = widened(e, "input");
  const std::optional<Tensor> weight = e.optionalTensor("weight"), bias = e.optionalTensor("bias");
  e.require(x.dtype() == DType::Float32);
  const std::vector<std::size_t> dims = normalizedDims(e, x);
  const fx::TensorMeta statistic = e.meta(x.dtype(), reducedSizes(x.meta.sizes, dims, true));
  const std::vector<fx::Argument> both =
      e.call("aten.var_mean.dim",
             {{"self", x.value, false},
              {"dim", integersOf(dims), false},
              {"unbiased", false, false},
              {"keepdim", true, false}},
             fx::ValueList{fx::Value(statistic), fx::Value(statistic)});
  const Tensor variance{both[0], statistic}, mean{both[1], statistic};
  const Tensor root = e.rsqrt(e.add(variance, e.argument("eps")));
  Tensor out = e.mul(e.sub(x, mean), root);
  if (weight) out = e.mul(out, *weight);
  if (bias) out = e.add(out, *bias);
  return std::vector<fx::Argument>{e.asResult(out).value, e.asResult(mean, 1).value,
                                   e.asResult(root, 2).value};
}

/// Of a copy, whose result is contiguous as that of the kernel is.
template <bool logarithmic>
Results softmaxForm(Emitter& e) {
  Tensor x = e.tensor("self");
  const fx::TensorMeta result = e.result();
  if (isContiguous(x.meta).value_or(true)) return std::nullopt;
  x = e.contiguousCopy(e.cast(x, result.dtype));
  return one(e.op(logarithmic ? "aten._log_softmax.default" : "aten._softmax.default",
                  {x.value, e.argument("dim"), false}, result));
}

/// With a weight, by aten.as_strided of scale and shift, which torch-mlir does not import where the
/// batch is symbolic; with static sizes, the other rule lowers alike.
Results groupNormForm(Emitter& e) {
  const Tensor x = widened(e, "input");
  const std::optional<Tensor> weight = e.optionalTensor("weight"), bias = e.optionalTensor("bias");
  if (!weight || x.meta.sizes[0].isStatic()) return std::nullopt;
  const std::int64_t groups = e.integer("group");
  e.require(x.rank() >= 2 && groups > 0 && isContiguous(x.meta).value_or(false));
  const Size batch = e.size(x, 0), channels = Size::of(e.fixed(x, 1)),
             each = Size::of(e.fixed(x, 1) / groups), all = Size::of(groups);
  Size inner = Size::of(1);
  for (std::size_t d = 2; d < x.rank(); ++d) inner = e.times(inner, e.size(x, d));
  const fx::TensorMeta statistic =
      e.meta(x.dtype(), {batch.value, fx::SymInt(groups), fx::SymInt(1), fx::SymInt(1)});
  const std::vector<fx::Argument> both =
      e.call("aten.var_mean.dim",
             {{"self", e.reshape(x, {batch, all, each, inner}).value, false},
              {"dim", integersOf({2, 3}), false},
              {"unbiased", false, false},
              {"keepdim", true, false}},
             fx::ValueList{fx::Value(statistic), fx::Value(statistic)});
  const Tensor variance{both[0], statistic}, mean{both[1], statistic};
  const Tensor root = e.rsqrt(e.add(variance, e.argument("eps")));
  const auto byGroup = [&](const Tensor& t) {
    return e.reshape(t, {Size::of(1), all, each, Size::of(1)});
  };
  const auto byChannel = [&](const Tensor& t) {
    Tensor out = e.op("aten.as_strided.default",
                      {t.value, argumentsOf({batch, channels}),
                       fx::ArgumentList{channels.argument, std::int64_t{1}}},
                      t.dtype(), {batch.value, channels.value});
    while (out.rank() < x.rank()) out = e.unsqueeze(out, out.rank());
    return out;
  };
  const Tensor scale = e.mul(root, byGroup(*weight));
  Tensor shift = e.mul(e.neg(mean), scale);
  if (bias) shift = e.add(shift, byGroup(*bias));
  const Tensor out = e.add(e.mul(x, byChannel(scale)), byChannel(shift));
  const auto statisticOf = [&](const Tensor& t, std::size_t index) {
    return e.asResult(e.reshape(t, {batch, all}), index).value;
  };
  return std::vector<fx::Argument>{e.asResult(out).value, statisticOf(mean, 1),
                                   statisticOf(root, 2)};
}

}  // namespace

const RewriteRules& pytorchForms() {
  static const RewriteRules kForms = [] {
    RewriteRules forms;
    const std::string reason = "becomes what PyTorch makes of it";
    forms.addEach({"aten.reshape.default"}, reason, false, reshapeForm);
    forms.addEach({"aten.t.default"}, reason, false, transposeForm);
    forms.addEach({"aten._scaled_dot_product_flash_attention_for_cpu.default"}, reason, false,
                  flashAttentionForm);
    forms.addEach({"aten.reshape_as.default", "aten.view_as.default"}, reason, false,
                  reshapeAsForm);
    forms.addEach({"aten.flatten.using_ints", "aten.ravel.default"}, reason, false, flattenForm);
    forms.addEach({"aten.unflatten.int"}, reason, false, unflattenForm);
    forms.addEach({"aten.contiguous.default"}, reason, false, contiguousForm);
    forms.addEach({"aten.chunk.default"}, reason, false, chunkForm);
    forms.addEach({"aten.addmm.default"}, reason, false, addmmForm);
    forms.addEach({"aten.masked_fill.Scalar", "aten.masked_fill.Tensor"}, reason, false,
                  maskedFillForm);
    forms.addEach({"aten.batch_norm.default"}, reason, false, batchNormForm);
    forms.addEach(
        {"aten.native_batch_norm.default", "aten._native_batch_norm_legit_functional.default",
         "aten._native_batch_norm_legit.no_stats"},
        reason, false, trainingNormForm);
    forms.addEach({"aten.im2col.default"}, reason, false, im2colForm);
    forms.addEach({"aten.native_layer_norm.default"}, reason, false, layerNormForm);
    forms.addEach({"aten.native_group_norm.default"}, reason, false, groupNormForm);
    forms.addEach({"aten.softmax.int", "aten._softmax.default"}, reason, false, softmaxForm<false>);
    forms.addEach({"aten.log_softmax.int", "aten._log_softmax.default"}, reason, false,
                  softmaxForm<true>);
    return forms;
  }();
  return kForms;
}

}  // namespace fxs::rewrite
