// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indexed reads without an op in the torch dialect: take, take_along_dim, the unchecked forms left
// by decompositions, and repeats given by a tensor.
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Results take(Emitter& e) {
  const Tensor self = e.tensor("self"), index = e.tensor("index");
  const Tensor flat = e.flatten(self), at = e.flatten(index);
  const Tensor fromEnd = e.add(at, e.size(flat, 0)), isFromEnd = e.compare("lt", at, 0);
  const Tensor picked = e.indexSelect(flat, 0, e.where(isFromEnd, fromEnd, at));
  return one(e.reshape(picked, e.sizes(index)));
}

/// numpy.take_along_axis: sizes other than `dim` broadcast, and an index below 0 counts from the
/// end, if there is a dimension.
Results takeAlongDim(Emitter& e) {
  Tensor self = e.tensor("self"), index = e.tensor("indices");
  const std::optional<std::int64_t> given = e.optionalInteger("dim");
  if (!given) return one(e.gather(e.flatten(self), 0, e.flatten(index)));
  const std::size_t dim = e.dim(*given, self);
  e.require(self.rank() == index.rank() && self.rank() > 0);
  const auto broadcast = [&](const Tensor& x, const Tensor& other) {
    Sizes shape = e.sizes(x);
    for (std::size_t i = 0; i < shape.size(); ++i)
      if (i != dim && shape[i].is(1)) shape[i] = e.size(other, i);
    return e.expand(x, shape);
  };
  const Tensor wideSelf = broadcast(self, index), wideIndex = broadcast(index, self);
  const Tensor at =
      e.op("aten.remainder.Scalar", {wideIndex.value, e.size(self, dim).argument}, wideIndex.meta);
  return one(e.gather(wideSelf, dim, at));
}

Results unsafeIndex(Emitter& e) {
  return one(
      e.op("aten.index.Tensor", {e.tensor("self").value, e.argument("indices")}, e.result()));
}

Results unsafeIndexPut(Emitter& e) {
  const Tensor self = e.tensor("self"), values = e.tensor("values");
  return one(e.op("aten.index_put.default",
                  {self.value, e.argument("indices"), values.value, e.flag("accumulate")},
                  e.result()));
}

/// Where the mask is false the index may be out of range: it is clamped, and the element replaced
/// by `fill`.
Results unsafeMaskedIndex(Emitter& e) {
  const Tensor self = e.tensor("self"), mask = e.tensor("mask");
  const std::vector<std::optional<Tensor>> indices = e.optionalTensors("indices");
  e.require(indices.size() <= self.rank());
  for (std::size_t i = 0; i < indices.size() && i < self.rank(); ++i) e.fixed(self, i);
  fx::ArgumentList clamped;
  for (std::size_t i = 0; i < indices.size(); ++i)
    clamped.push_back(indices[i]
                          ? e.clamp(*indices[i], 0, static_cast<double>(e.fixed(self, i) - 1)).value
                          : fx::Argument(fx::None{}));
  const Tensor picked = e.op("aten.index.Tensor", {self.value, std::move(clamped)}, e.result());
  return one(e.where(mask, picked, e.argument("fill")));
}

/// The size of a result that is the sum of the repeats.
Size sumOf(Emitter& e, const Tensor& repeats, const fx::SymInt& size) {
  if (size.isStatic()) return Size::of(size.value());
  const Tensor total = e.sum(repeats, {0}, false);
  fx::SymValue value{fx::SymKind::Int, size.expr(), {}};
  if (const auto hint = size.hint()) value.constant = *hint;
  return {size, e.context().callValue("aten.item.default", {{"self", total.value, false}},
                                      std::move(value))};
}

/// index[j], the row that output row j repeats, is the number of cumulative repeats that are <= j.
Results repeatInterleaveTensor(Emitter& e) {
  const Tensor self = e.tensor("self"), repeats = e.tensor("repeats");
  const std::optional<std::int64_t> given = e.optionalInteger("dim");
  const fx::TensorMeta result = e.result();
  const std::size_t dim = given ? e.dim(*given, self) : 0;
  const std::size_t at = given ? dim : 0;
  e.require(repeats.rank() == 1 && at < result.rank());
  const Tensor x = given ? self : e.flatten(self);
  const Size count = sumOf(e, repeats, result.sizes[at]);
  const Tensor ends = e.op("aten.cumsum.default", {repeats.value, std::int64_t{0}}, DType::Int64,
                           repeats.meta.sizes);
  const Tensor position = e.unsqueeze(e.arange(count), 1);
  const Tensor passed = e.compare("ge", position, e.unsqueeze(ends, 0));
  return one(e.indexSelect(x, at, e.sum(e.cast(passed, DType::Int64), {1}, false)));
}

}  // namespace

void registerIndexReads(RewriteRules& rules) {
  rules.add({"aten.take.default", "becomes aten.index_select on the flattened tensor", true, take});
  rules.add(
      {"aten.take_along_dim.default",
       "becomes aten.gather after broadcasting",
       true,
       takeAlongDim,
       {},
       "    if dim is None:\n"
       "        return aten.gather(self.reshape(-1), 0, indices.reshape(-1))\n"
       "    dim = dim % self.dim()\n"
       "    wide = [b if a == 1 else a for a, b in zip(self.shape, indices.shape)]\n"
       "    x, at = [*wide], [*wide]\n"
       "    x[dim], at[dim] = self.shape[dim], indices.shape[dim]\n"
       "    return aten.gather(self.expand(x), dim, indices.expand(at) % self.shape[dim])\n"});
  rules.add({"aten._unsafe_index.Tensor", "becomes aten.index", true, unsafeIndex,
             "decompose:aten._unsafe_index"});
  rules.add({"aten._unsafe_index_put.default", "becomes aten.index_put", true, unsafeIndexPut});
  rules.add(
      {"aten._unsafe_masked_index.default",
       "becomes aten.index with clamped indices, and aten.where",
       true,
       unsafeMaskedIndex,
       {},
       "    at = [i if i is None else i.clamp(0, n - 1) for i, n in zip(indices, self.shape)]\n"
       "    return torch.where(mask, aten.index(self, at), fill)\n"});
  rules.add({"aten.repeat_interleave.self_Tensor",
             "becomes aten.index_select with indices counted from the repeats", true,
             repeatInterleaveTensor});
}

}  // namespace fxs::rewrite
