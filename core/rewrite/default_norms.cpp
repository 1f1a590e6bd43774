// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What torch.export.default_decompositions() makes of norms, checked against PyTorch operation by
// operation.
#include "ops/promotion.h"
#include "rewrite/default_parts.h"
#include "rewrite/view_ops.h"

namespace fxs::rewrite {
namespace {

Results layerNormByDefault(Emitter& e) {
  const Tensor x = e.tensor("input");
  const fx::TensorMeta statistic = e.meta(ops::computationType(x.dtype()),
                                          reducedSizes(x.meta.sizes, normalizedDims(e, x), true));
  return std::vector<fx::Argument>{
      e.call("aten.native_layer_norm.default",
             {{"input", x.value, false},
              {"normalized_shape", e.argument("normalized_shape"), false},
              {"weight", e.argument("weight"), false},
              {"bias", e.argument("bias"), false},
              {"eps", e.argument("eps"), false}},
             fx::ValueList{fx::Value(e.result()), fx::Value(statistic), fx::Value(statistic)})
          .front()};
}

Results groupNormByDefault(Emitter& e) {
  const Tensor x = e.tensor("input");
  const std::int64_t groups = e.integer("num_groups");
  e.require(x.rank() >= 2 && isContiguous(x.meta).value_or(false));
  Size inner = Size::of(1);
  for (std::size_t d = 2; d < x.rank(); ++d) inner = e.times(inner, e.size(x, d));
  const fx::TensorMeta statistic = e.meta(x.dtype(), {x.meta.sizes[0], fx::SymInt(groups)});
  return std::vector<fx::Argument>{
      e.call("aten.native_group_norm.default",
             {{"input", x.value, false},
              {"weight", e.argument("weight"), false},
              {"bias", e.argument("bias"), false},
              {"N", e.size(x, 0).argument, false},
              {"C", e.size(x, 1).argument, false},
              {"HxW", inner.argument, false},
              {"group", groups, false},
              {"eps", e.argument("eps"), false}},
             fx::ValueList{fx::Value(e.result()), fx::Value(statistic), fx::Value(statistic)})
          .front()};
}

Results rmsNormByDefault(Emitter& e) {
  const Tensor x = widened(e, "input");
  const std::optional<Tensor> weight = e.optionalTensor("weight");
  e.require(x.dtype() == DType::Float32);
  const std::vector<std::size_t> dims = normalizedDims(e, x);
  const std::optional<double> given = e.optionalNumber("eps");
  const Tensor mean =
      e.mean(e.op("aten.pow.Tensor_Scalar", {x.value, std::int64_t{2}}, x.meta), dims, true);
  const Tensor sum = e.op("aten.add.Scalar", {mean.value, given ? *given : 0x1p-23}, mean.meta);
  const Tensor out = e.mul(x, e.rsqrt(sum));
  return one(e.asResult(weight ? e.mul(out, *weight) : out));
}

Results weightNormByDefault(Emitter& e) {
  const auto inOrder = [&](std::string_view name) {
    const Tensor x = e.tensor(name);
    const std::optional<bool> is = isContiguous(x.meta);
    e.require(is.has_value());
    return *is ? x : e.contiguousCopy(x);
  };
  const Tensor v = inOrder("v"), g = inOrder("g");
  const std::size_t dim = e.dim(e.integer("dim"), v);
  e.require(isFloating(v.dtype()) && g.dtype() == v.dtype() && (dim == 0 || dim + 1 == v.rank()));
  std::vector<std::size_t> others = allDims(v);
  std::erase(others, dim);
  const bool isWide = v.dtype() == DType::BFloat16;
  const DType dtype = isWide ? DType::Float32 : v.dtype();
  std::vector<fx::Argument> args{v.value, std::int64_t{2}, integersOf(others), true};
  if (isWide) args.emplace_back(dtype);
  const Tensor norm = e.op("aten.linalg_vector_norm.default", std::move(args), dtype,
                           reducedSizes(v.meta.sizes, others, true));
  return one(e.mul(v, e.div(g, e.cast(norm, g.dtype()))));
}

}  // namespace

void addDefaultNorms(RewriteRules& forms) {
  addDefault(forms, {"aten.layer_norm.default"}, layerNormByDefault);
  addDefault(forms, {"aten.group_norm.default"}, groupNormByDefault);
  addDefault(forms, {"aten.rms_norm.default"}, rmsNormByDefault);
  addDefault(forms, {"aten._weight_norm.default"}, weightNormByDefault);
}

}  // namespace fxs::rewrite
