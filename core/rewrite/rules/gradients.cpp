// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients that programs with their backward pass have.
#include <functional>
#include <numbers>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// Of a vector, PyTorch takes as many targets as there are classes, and uses the first one.
Tensor gradientTarget(Emitter& e, const Tensor& x) {
  const Tensor target = e.tensor("target");
  const bool isOne = x.rank() == 1 && target.rank() == 1;
  e.require(!isOne || target.meta.sizes[0] == x.meta.sizes[0]);
  return isOne ? e.select(target, 0, 0) : target;
}

/// -weight * grad at the target's class, and 0 elsewhere.
Results nllLossBackward(Emitter& e) {
  const Tensor x = e.tensor("self"), target = gradientTarget(e, x);
  Tensor grad = e.tensor("grad_output");
  const std::optional<Tensor> weight = e.optionalTensor("weight");
  const std::int64_t reduction = e.integer("reduction"), ignored = e.integer("ignore_index");
  const std::size_t dim = classDim(x);
  e.require(isFloating(x.dtype()) && x.rank() > 0 && target.rank() + 1 == x.rank() &&
            reduction >= 0 && reduction <= 2);
  // PyTorch takes a vector of one element for a scalar.
  const bool isOne = grad.rank() == 1 && grad.meta.sizes[0] == fx::SymInt(1);
  if (isOne && (reduction != 0 || target.rank() == 0)) grad = e.reshape(grad, {});
  e.require(reduction == 0 ? grad.rank() == target.rank() : grad.rank() == 0);
  const Size count = e.size(x, dim);
  const auto perClass = [&](const Tensor& line) { return e.along(line, count, dim, x.rank()); };
  const Tensor at = e.unsqueeze(target, dim), classes = perClass(e.arange(count));
  const Tensor hit = e.logicalAnd(e.compare("eq", at, classes), e.compare("ne", at, ignored));
  Tensor scale = e.neg(reduction == 0 && target.rank() > 0 ? e.unsqueeze(grad, dim) : grad);
  if (reduction == 1) scale = e.div(scale, e.tensor("total_weight"));
  if (weight) scale = e.mul(scale, perClass(*weight));
  return one(e.where(hit, e.cast(scale, x.dtype()), e.zeros({}, x.dtype())));
}

Results layerNormBackward(Emitter& e) {
  const Tensor grad = e.tensor("grad_out"), input = e.tensor("input");
  const std::optional<Tensor> weight = e.optionalTensor("weight");
  const fx::Argument mask = e.argument("output_mask");
  const fx::ArgumentList* wanted = mask.list();
  const std::size_t inner =
      e.argument("normalized_shape").list() ? e.argument("normalized_shape").list()->size() : 0;
  e.require(wanted != nullptr && wanted->size() == 3 && inner > 0 && inner <= input.rank() &&
            grad.rank() == input.rank());
  const std::size_t lead = input.rank() - inner;
  std::vector<std::size_t> outer, dims;
  for (std::size_t d = 0; d < input.rank(); ++d) (d < lead ? outer : dims).push_back(d);
  double count = 1;
  for (const std::size_t d : dims) count *= static_cast<double>(e.fixed(input, d));
  const DType compute = ops::computationType(input.dtype());
  const auto cast = [&](const Tensor& t) { return e.cast(t, compute); };
  const Tensor rstd = cast(e.tensor("rstd")), dy = cast(grad);
  const Tensor normalized = e.mul(e.sub(cast(input), cast(e.tensor("mean"))), rstd);
  const Tensor dx = weight ? e.mul(dy, cast(*weight)) : dy;
  const Tensor sum = e.sum(dx, dims, true),
               projected = e.mul(normalized, e.sum(e.mul(dx, normalized), dims, true));
  const Tensor full = e.mul(rstd, e.sub(dx, e.div(e.add(sum, projected), count)));
  const auto overSamples = [&](const Tensor& t) {
    return outer.empty() ? t : e.sum(t, outer, false);
  };
  const Tensor parts[3] = {full, overSamples(e.mul(dy, normalized)), overSamples(dy)};
  std::vector<fx::Argument> results;
  for (std::size_t i = 0; i < 3; ++i)
    results.push_back((*wanted)[i] == fx::Argument(true) ? e.cast(parts[i], input.dtype()).value
                                                         : fx::Argument(fx::None{}));
  return results;
}

Results embeddingBackward(Emitter& e) {
  const Tensor grad = e.tensor("grad_output"), indices = e.tensor("indices");
  const std::int64_t padding = e.integer("padding_idx");
  e.require(!e.flag("scale_grad_by_freq") && grad.rank() == indices.rank() + 1);
  const fx::TensorMeta result = e.result();
  const Size width = e.size(grad, grad.rank() - 1);
  const Tensor rows = e.flatten(indices);
  Tensor values = e.reshape(grad, {e.size(rows, 0), width});
  if (padding >= 0)
    values = e.where(e.unsqueeze(e.compare("eq", rows, padding), 1), e.zeros({}, values.dtype()),
                     values);
  const Tensor empty = e.zeros({Size::of(e.integer("num_weights")), width}, grad.dtype());
  return one(e.op("aten.index_put.default",
                  {empty.value, fx::ArgumentList{rows.value}, values.value, true}, result));
}

/// Windows may overlap, so that an element may have several gradients.
Results maxPoolBackward(Emitter& e) {
  const Tensor grad = e.tensor("grad_output"), x = e.tensor("self"), indices = e.tensor("indices");
  e.require(x.rank() >= 3 && grad.rank() == x.rank() && indices.rank() == x.rank());
  const std::size_t plane = x.rank() - 2;
  const auto flat = [&](const Tensor& t) {
    Sizes shape = e.sizes(t);
    const Size area = e.times(shape[plane], shape[plane + 1]);
    shape.resize(plane);
    shape.push_back(area);
    return e.reshape(t, shape);
  };
  const Tensor target = e.zeros(e.sizes(flat(x)), x.dtype());
  const Tensor sum =
      e.op("aten.scatter_add.default",
           {target.value, static_cast<std::int64_t>(plane), flat(indices).value, flat(grad).value},
           target.meta);
  return one(e.reshape(sum, e.sizes(x)));
}

/// The gradient where the function is not constant.
Results thresholdBackward(Emitter& e) {
  const Tensor grad = e.tensor("grad_output"), x = e.tensor("self");
  e.require(grad.dtype() == e.result().dtype);
  return one(e.where(e.compare("le", x, e.argument("threshold")), e.zeros({}, grad.dtype()), grad));
}

Results sigmoidBackward(Emitter& e) {
  const Tensor grad = e.tensor("grad_output"), y = e.tensor("output");
  e.require(isFloating(grad.dtype()) && grad.dtype() == y.dtype());
  return one(e.mul(grad, e.mul(y, e.sub(1.0, y))));
}

Results tanhBackward(Emitter& e) {
  const Tensor grad = e.tensor("grad_output"), y = e.tensor("output");
  e.require(isFloating(grad.dtype()) && grad.dtype() == y.dtype());
  return one(e.mul(grad, e.sub(1.0, e.square(y))));
}

Results hardtanhBackward(Emitter& e) {
  const Tensor grad = e.tensor("grad_output"), x = e.tensor("self");
  e.require(isFloating(grad.dtype()));
  const Tensor outside =
      e.logicalOr(e.compare("le", x, e.number("min_val")), e.compare("ge", x, e.number("max_val")));
  return one(e.where(outside, e.zeros({}, grad.dtype()), grad));
}

Results leakyReluBackward(Emitter& e) {
  const Tensor grad = e.tensor("grad_output"), x = e.tensor("self");
  e.require(isFloating(grad.dtype()) && grad.dtype() == x.dtype());
  return one(e.where(e.compare("gt", x, 0.0), grad, e.mul(grad, e.number("negative_slope"))));
}

/// `derivative` at `name`, times the gradient, in the type in which PyTorch computes it.
Results scaledGradient(Emitter& e, std::string_view name,
                       const std::function<Tensor(const Tensor&)>& derivative) {
  const Tensor grad = e.tensor("grad_output"), x = e.tensor(name);
  e.require(isFloating(x.dtype()) && grad.dtype() == x.dtype());
  const DType compute = ops::computationType(x.dtype());
  return one(e.cast(e.mul(e.cast(grad, compute), derivative(e.cast(x, compute))), x.dtype()));
}

Results geluBackward(Emitter& e) {
  constexpr double kRoot = std::numbers::sqrt2 * std::numbers::inv_sqrtpi, kCubic = 0.044715;
  const bool isTanh = e.argument("approximate") == fx::Argument(std::string("tanh"));
  return scaledGradient(e, "self", [&](const Tensor& x) {
    const Tensor square = e.square(x);
    if (!isTanh) {
      const Tensor below =
          e.mul(e.add(e.unary("erf", e.mul(x, std::numbers::sqrt2 / 2)), 1.0), 0.5);
      return e.add(below, e.mul(e.mul(x, e.exp(e.mul(square, -0.5))), kRoot / 2));
    }
    const Tensor tanh = e.unary("tanh", e.mul(e.add(x, e.mul(e.mul(square, x), kCubic)), kRoot));
    const Tensor slope = e.mul(e.add(e.mul(square, 3 * kCubic), 1.0), kRoot);
    const Tensor right = e.mul(e.mul(e.sub(1.0, e.square(tanh)), slope), x);
    return e.mul(e.add(e.add(tanh, 1.0), right), 0.5);
  });
}

Results siluBackward(Emitter& e) {
  return scaledGradient(e, "self", [&](const Tensor& x) {
    const Tensor part = e.unary("sigmoid", x);
    return e.mul(part, e.add(e.mul(x, e.sub(1.0, part)), 1.0));
  });
}

Results eluBackward(Emitter& e) {
  const double alpha = e.number("alpha"), scale = e.number("scale"), of = e.number("input_scale");
  const bool isResult = e.flag("is_result");
  return scaledGradient(e, "self_or_result", [&](const Tensor& x) {
    const Tensor below = isResult ? e.mul(e.add(x, alpha * scale), of)
                                  : e.mul(e.exp(e.mul(x, of)), of * alpha * scale);
    return e.where(e.compare("le", x, 0.0), below, e.full({}, scale, x.dtype()));
  });
}

/// From the softmax or its logarithm: the gradient less its share of the sum along the dimension.
template <bool logarithm>
Results softmaxBackward(Emitter& e) {
  const Tensor grad = e.tensor("grad_output"), y = e.tensor("output");
  const fx::TensorMeta result = e.result();
  e.require(isFloating(grad.dtype()) && grad.dtype() == y.dtype() && y.rank() > 0);
  const std::size_t dim = e.dim(e.integer("dim"), y);
  if (logarithm)
    return one(e.cast(e.sub(grad, e.mul(e.exp(y), e.sum(grad, {dim}, true))), result.dtype));
  const Tensor scaled = e.mul(grad, y);
  return one(e.cast(e.sub(scaled, e.mul(y, e.sum(scaled, {dim}, true))), result.dtype));
}

Results squaredErrorBackward(Emitter& e) {
  const Tensor grad = e.tensor("grad_output"), x = e.tensor("self"), target = e.tensor("target");
  const std::int64_t reduction = e.integer("reduction");
  e.require(isFloating(x.dtype()) && x.dtype() == target.dtype() && grad.dtype() == x.dtype() &&
            reduction >= 0 && reduction <= 2);
  double count = 1;
  if (reduction == 1)
    for (std::size_t d = 0; d < x.rank(); ++d) count *= static_cast<double>(e.fixed(x, d));
  return one(e.mul(e.mul(e.sub(x, target), 2 / count), grad));
}

}  // namespace

void registerGradients(RewriteRules& rules) {
  rules.addEach({"aten.nll_loss_backward.default", "aten.nll_loss2d_backward.default"},
                "becomes a comparison of the target with each class", true, nllLossBackward);
  rules.add({"aten.native_layer_norm_backward.default",
             "becomes sums of products with the normalized input", true, layerNormBackward});
  rules.add({"aten.embedding_dense_backward.default", "becomes an accumulating aten.index_put",
             true, embeddingBackward});
  rules.add({"aten.max_pool2d_with_indices_backward.default", "becomes aten.scatter_add", false,
             maxPoolBackward});
  const std::string formula = "becomes its formula";
  rules.add({"aten.threshold_backward.default", "becomes aten.where", false, thresholdBackward});
  rules.add({"aten.sigmoid_backward.default", formula, false, sigmoidBackward});
  rules.add({"aten.tanh_backward.default", formula, false, tanhBackward});
  rules.add({"aten.gelu_backward.default", formula, false, geluBackward});
  rules.add({"aten.silu_backward.default", formula, false, siluBackward});
  rules.add({"aten.elu_backward.default", formula, false, eluBackward});
  rules.add({"aten.hardtanh_backward.default", "becomes aten.where", false, hardtanhBackward});
  rules.add({"aten.leaky_relu_backward.default", "becomes aten.where", false, leakyReluBackward});
  rules.add({"aten._softmax_backward_data.default", formula, false, softmaxBackward<false>});
  // As torch-mlir's table does; the engine's own form reads a size, which TOSA cannot.
  rules.add({"aten._log_softmax_backward_data.default", formula, true, softmaxBackward<true>});
  rules.add({"aten.mse_loss_backward.default", formula, false, squaredErrorBackward});
}

}  // namespace fxs::rewrite
