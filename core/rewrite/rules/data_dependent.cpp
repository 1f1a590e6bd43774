// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results whose size depends on data: all by aten.nonzero, the form of it that the engine lowers.
#include <algorithm>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

bool isMask(const std::optional<Tensor>& index) {
  return index && (index->dtype() == DType::Bool || index->dtype() == DType::UInt8);
}

/// The positions of a vector's true elements.
Tensor positionsOf(Emitter& e, const Tensor& mask, const fx::SymInt& count) {
  const Tensor rows =
      e.op("aten.nonzero.default", {mask.value}, DType::Int64, {count, fx::SymInt(1)});
  return e.squeeze(rows, 1);
}

/// The positions of true elements of a tensor with symbolic sizes, by dimension. Of several
/// dimensions the engine's aten.nonzero computes their number with -1 as an unknown size.
std::vector<Tensor> coordinatesOf(Emitter& e, const Tensor& mask, const fx::SymInt& count) {
  const Sizes sizes = e.sizes(mask);
  Tensor left = positionsOf(e, e.flatten(mask), count);
  std::vector<Tensor> out(sizes.size());
  for (std::size_t d = sizes.size() - 1; d > 0; --d) {
    const fx::Argument& size = sizes[d].argument;
    out[d] = e.op("aten.remainder.Scalar", {left.value, size}, left.meta);
    left = e.op("aten.floor_divide.Scalar", {left.value, size}, left.meta);
  }
  out[0] = left;
  return out;
}

bool hasUnknownCount(const Tensor& x) { return x.rank() > 1 && !x.meta.isStaticShape(); }

Results nonzero(Emitter& e) {
  const Tensor self = e.tensor("self");
  const fx::TensorMeta result = e.result();
  if (!hasUnknownCount(self)) return {};
  e.require(result.rank() == 2);
  std::vector<Tensor> columns;
  for (const Tensor& column : coordinatesOf(e, self, result.sizes[0]))
    columns.push_back(e.unsqueeze(column, 1));
  return one(e.cat(columns, 1));
}

/// Vectors of one symbolic size for consecutive dimensions: of several the engine's pattern wants
/// to know that their sizes are equal, so they become one for the flattened dimensions.
Results severalIndices(Emitter& e) {
  const Tensor self = e.tensor("self");
  const std::vector<std::optional<Tensor>> indices = e.optionalTensors("indices");
  const auto first = std::find_if(indices.begin(), indices.end(),
                                  [](const auto& index) { return index.has_value(); });
  e.require(first != indices.end() && !(*first)->meta.isStaticShape());
  const auto at = static_cast<std::size_t>(first - indices.begin());
  std::optional<Tensor> flat;
  std::int64_t count = 1;
  for (std::size_t d = at; d < indices.size(); ++d) {
    e.require(indices[d] && indices[d]->rank() == 1 && isIntegral(indices[d]->dtype()) &&
              indices[d]->meta.sizes == (*first)->meta.sizes);
    const Tensor& index = *indices[d];
    const std::int64_t size = e.fixed(self, d);
    e.require(size > 0 && count <= kMaxNumber / size);
    count *= size;
    const Tensor position = e.where(e.compare("lt", index, 0), e.add(index, size), index);
    flat = flat ? e.add(e.mul(*flat, size), position) : position;
  }
  e.require(indices.size() - at > 1 && indices.size() <= self.rank());
  const Sizes sizes = e.sizes(self);
  Sizes shape(sizes.begin(), first - indices.begin() + sizes.begin());
  shape.push_back(Size::of(count));
  shape.insert(shape.end(), sizes.begin() + static_cast<std::ptrdiff_t>(indices.size()),
               sizes.end());
  return one(e.indexSelect(e.reshape(self, shape), at, *flat));
}

/// The mask and the dimensions that it is for are flattened, so that its true elements are
/// positions along one dimension.
Results maskedIndex(Emitter& e) {
  const Tensor self = e.tensor("self");
  const std::vector<std::optional<Tensor>> indices = e.optionalTensors("indices");
  const fx::TensorMeta result = e.result();
  std::optional<std::size_t> at;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (!indices[i]) continue;
    if (!isMask(indices[i])) return severalIndices(e);
    e.require(!at && indices[i]->rank() > 0);  // one mask; several would be broadcast
    at = i;
  }
  if (!at) return {};
  const Tensor& mask = *indices[*at];
  const Sizes sizes = e.sizes(self);
  const std::size_t after = *at + mask.rank();
  e.require(after <= self.rank() && *at < result.rank());
  const auto begin = sizes.begin();
  Sizes shape(begin, begin + static_cast<std::ptrdiff_t>(*at));
  shape.push_back(e.product(
      Sizes(begin + static_cast<std::ptrdiff_t>(*at), begin + static_cast<std::ptrdiff_t>(after))));
  shape.insert(shape.end(), begin + static_cast<std::ptrdiff_t>(after), sizes.end());
  return one(e.indexSelect(e.reshape(self, shape), *at,
                           positionsOf(e, e.flatten(mask), result.sizes[*at])));
}

Results maskedSelect(Emitter& e) {
  const Tensor self = e.tensor("self"), mask = e.tensor("mask");
  const fx::TensorMeta result = e.result();
  e.require(result.rank() == 1);
  const std::vector<fx::SymInt> both = Emitter::broadcastSizes(self.meta.sizes, mask.meta.sizes);
  const Tensor& shape = self.meta.sizes == both ? self : mask;
  e.require(shape.meta.sizes == both);
  const Tensor x = e.flatten(e.expandAs(self, shape)), kept = e.flatten(e.expandAs(mask, shape));
  return one(e.indexSelect(x, 0, positionsOf(e, kept, result.sizes[0])));
}

/// One index for each dimension, of the true elements.
Results whereTrue(Emitter& e) {
  const Tensor condition = e.tensor("condition");
  const fx::ValueList* results = e.matched().val.list();
  e.require(results != nullptr && condition.rank() > 0 && results->size() == condition.rank());
  const fx::TensorMeta* first = results->front().tensor();
  e.require(first != nullptr && first->rank() == 1);
  std::vector<fx::Argument> out;
  if (hasUnknownCount(condition)) {
    for (const Tensor& column : coordinatesOf(e, condition, first->sizes[0]))
      out.push_back(column.value);
    return out;
  }
  const Tensor rows =
      e.op("aten.nonzero.default", {condition.value}, DType::Int64,
           {first->sizes[0], fx::SymInt(static_cast<std::int64_t>(condition.rank()))});
  for (std::size_t d = 0; d < condition.rank(); ++d)
    out.push_back(e.select(rows, 1, static_cast<std::int64_t>(d)).value);
  return out;
}

/// The elements of the sorted tensor that differ from the one before.
Results unique(Emitter& e) {
  const Tensor self = e.tensor("self");
  const fx::TensorMeta result = e.result();
  const bool withInverse = e.flag("return_inverse"), withCounts = e.flag("return_counts");
  const Tensor flat = e.flatten(self);
  const Size count = e.size(flat, 0);
  e.require(!count.is(0) && result.rank() == 1 && flat.dtype() != DType::Bool);
  const auto [ascending, order] = e.sort(flat, 0, false);
  const Tensor first = e.full({Size::of(1)}, true, DType::Bool);
  const Tensor isNew = count.is(1) ? first
                                   : e.cat({first, e.compare("ne", e.slice(ascending, 0, 1, kToEnd),
                                                             e.slice(ascending, 0, 0, -1))},
                                           0);
  const Tensor starts = positionsOf(e, isNew, result.sizes[0]);
  const Tensor none = e.full({Size::of(0)}, std::int64_t{0}, DType::Int64);
  Tensor inverse = none, counts = none;
  if (withInverse) {
    const Tensor upTo =
        e.op("aten.cumsum.default", {e.cast(isNew, DType::Int64).value, std::int64_t{0}},
             DType::Int64, {count.value});
    const Tensor rankOf =
        e.sort(order, 0, false).order;  // of each element, its place in the sorted tensor
    inverse = e.reshape(e.indexSelect(e.sub(upTo, 1), 0, rankOf), e.sizes(self));
  }
  if (withCounts) {
    const Tensor end = e.full({Size::of(1)}, count.argument, DType::Int64);
    counts = e.sub(e.op("aten.slice.Tensor",
                        {e.cat({starts, end}, 0).value, std::int64_t{0}, std::int64_t{1}, kToEnd,
                         std::int64_t{1}},
                        DType::Int64, result.sizes),
                   starts);
  }
  return std::vector<fx::Argument>{e.indexSelect(ascending, 0, starts).value, inverse.value,
                                   counts.value};
}

}  // namespace

void registerDataDependent(RewriteRules& rules) {
  rules.add(
      {"aten.index.Tensor",
       "becomes aten.index_select, if its index is a mask, or several vectors whose size "
       "is known only at run time",
       true,
       maskedIndex,
       {},
       "    at = next(i for i, index in enumerate(indices) if index is not None)\n"
       "    (first, *rest), after = indices[at:], len(indices)\n"
       "    if first.dtype in (torch.bool, torch.uint8) and all(i is None for i in rest):\n"
       "        after = at + first.dim()\n"
       "        index = aten.nonzero(first.reshape(-1)).squeeze(1)\n"
       "    elif (not rest or isinstance(first.numel(), int) or\n"
       "          any(i is None or i.dim() != 1 or i.dtype == torch.bool for i in indices[at:])):\n"
       "        return NotImplemented\n"
       "    else:\n"
       "        index = 0\n"
       "        for size, part in zip(self.shape[at:], indices[at:]):\n"
       "            index = index * size + torch.where(part < 0, part + size, part)\n"
       "    shape = [*self.shape[:at], math.prod(self.shape[at:after]), *self.shape[after:]]\n"
       "    return self.reshape(shape).index_select(at, index)\n"});
  rules.add({"aten.masked_select.default", "becomes aten.index_select at the mask's true elements",
             true, maskedSelect});
  rules.add({"aten.nonzero.default",
             "becomes aten.nonzero of the flattened tensor, if that has symbolic sizes",
             true,
             nonzero,
             {},
             "    if self.dim() < 2:\n"
             "        return NotImplemented\n"
             "    index, columns = aten.nonzero(self.reshape(-1)).squeeze(1), []\n"
             "    for size in reversed(self.shape[1:]):\n"
             "        columns.insert(0, (index % size).unsqueeze(1))\n"
             "        index = index // size\n"
             "    return aten.cat([index.unsqueeze(1), *columns], 1)\n"});
  rules.add({"aten.where.default",
             "becomes the columns of aten.nonzero",
             true,
             whereTrue,
             {},
             "    if condition.dim() == 0:\n"
             "        return NotImplemented\n"
             "    index, columns = aten.nonzero(condition.reshape(-1)).squeeze(1), []\n"
             "    for size in reversed(condition.shape[1:]):\n"
             "        columns.insert(0, index % size)\n"
             "        index = index // size\n"
             "    return [index, *columns]\n"});
  rules.add({"aten._unique2.default",
             "becomes a sort, and the elements that differ from the one before", true, unique});
}

}  // namespace fxs::rewrite
