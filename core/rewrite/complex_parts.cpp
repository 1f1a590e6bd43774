// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/complex_parts.h"

#include "ops/promotion.h"

namespace fxs::rewrite {
namespace {

/// The tensor that was given a last dimension of size 1, if `x` is that.
std::optional<Tensor> unsqueezed(Emitter& e, const fx::Argument& x, std::size_t rank) {
  const fx::Node* node = e.context().producer(x);
  if (node == nullptr || node->target != "aten.unsqueeze.default" || node->args.size() != 2)
    return std::nullopt;
  const fx::TensorMeta* meta = e.context().tensor(node->args[0].value);
  if (meta == nullptr || meta->rank() != rank ||
      node->args[1].value != fx::Argument(static_cast<std::int64_t>(rank)))
    return std::nullopt;
  return Tensor{node->args[0].value, *meta};
}

/// The parts that complexOf() concatenated to `pairs`.
std::optional<ComplexParts> stackedParts(Emitter& e, const Tensor& pairs) {
  const fx::Node* cat = e.context().producer(pairs.value);
  if (cat == nullptr || cat->target != "aten.cat.default" || cat->args.size() != 2 ||
      pairs.rank() == 0)
    return std::nullopt;
  const fx::ArgumentList* parts = cat->args[0].value.list();
  const std::size_t rank = pairs.rank() - 1;
  if (parts == nullptr || parts->size() != 2 ||
      cat->args[1].value != fx::Argument(static_cast<std::int64_t>(rank)))
    return std::nullopt;
  const auto real = unsqueezed(e, (*parts)[0], rank), imaginary = unsqueezed(e, (*parts)[1], rank);
  if (!real || !imaginary) return std::nullopt;
  return ComplexParts{*real, imaginary};
}

}  // namespace

ComplexParts partsOf(Emitter& e, const Tensor& x) {
  if (!isComplex(x.dtype())) return {e.cast(x, ops::integerToFloat(x.dtype())), std::nullopt};
  const fx::TensorMeta pairsMeta = [&] {
    std::vector<fx::SymInt> sizes = x.meta.sizes;
    sizes.emplace_back(2);
    return e.meta(ops::realType(x.dtype()), std::move(sizes));
  }();
  const fx::Node* producer = e.context().producer(x.value);
  const bool isMade = producer != nullptr && producer->target == "aten.view_as_complex.default" &&
                      producer->args.size() == 1;
  const Tensor pairs = isMade ? Tensor{producer->args[0].value, pairsMeta}
                              : e.op("aten.view_as_real.default", {x.value}, pairsMeta);
  if (const auto parts = stackedParts(e, pairs)) return *parts;
  return {e.select(pairs, x.rank(), 0), e.select(pairs, x.rank(), 1)};
}

Tensor squaredAbs(Emitter& e, const ComplexParts& parts) {
  return e.add(e.square(parts.real), e.square(*parts.imaginary));
}

Tensor complexOf(Emitter& e, const ComplexParts& parts, DType dtype) {
  Tensor real = parts.real;
  if (!parts.imaginary) {
    const Tensor pairs = e.stack({real, e.zeros(e.sizes(real), real.dtype())}, real.rank());
    return e.op("aten.view_as_complex.default", {pairs.value}, dtype, real.meta.sizes);
  }
  Tensor imaginary = *parts.imaginary;
  const std::vector<fx::SymInt> both =
      Emitter::broadcastSizes(real.meta.sizes, imaginary.meta.sizes);
  if (real.meta.sizes != both) real = e.expandAs(real, imaginary);
  if (imaginary.meta.sizes != both) imaginary = e.expandAs(imaginary, real);
  e.require(real.meta.sizes == both && imaginary.meta.sizes == both);
  const Tensor pairs = e.stack({real, imaginary}, real.rank());
  return e.op("aten.view_as_complex.default", {pairs.value}, dtype, real.meta.sizes);
}

}  // namespace fxs::rewrite
