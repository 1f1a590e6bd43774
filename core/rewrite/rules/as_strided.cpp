// aten.as_strided indexes a tensor's storage. MLIR values have no storage, so each storage index is mapped to an element of the value that
// owns the storage, by its recorded strides.
#include <algorithm>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

constexpr std::int64_t kMaxElements = std::int64_t{1} << 24;

/// The dimensions of `x`: those of size 1, then the others by descending stride. The elements are required to fill a block of storage
/// without gaps or overlaps.
std::vector<std::size_t> blockOrder(Emitter& e, const Tensor& x) {
  std::vector<std::size_t> order = allDims(x);
  const auto isUnit = [&](std::size_t d) { return x.meta.sizes[d].value() == 1; };
  const auto large = std::stable_partition(order.begin(), order.end(), isUnit);
  std::stable_sort(large, order.end(), [&](std::size_t a, std::size_t b) { return x.meta.strides[a].value() > x.meta.strides[b].value(); });
  std::int64_t expected = 1;
  for (auto it = order.end(); it-- != large;) {
    e.require(x.meta.strides[*it].value() == expected);
    expected *= x.meta.sizes[*it].value();
  }
  return order;
}

bool allStatic(const Tensor& x) {
  return x.meta.isStaticShape() && x.meta.storageOffset.isStatic() &&
         std::all_of(x.meta.strides.begin(), x.meta.strides.end(), [](const fx::SymInt& s) { return s.isStatic(); });
}

struct Request {
  Tensor base;
  std::vector<std::int64_t> size, stride;
  std::int64_t start = 0;  ///< first element, in the base's block
  std::vector<std::size_t> order = {};
  /// The base's elements in the order of its storage.
  Tensor storage(Emitter& e) const { return e.flatten(e.permute(base, order)); }
};

Request requestOf(Emitter& e) {
  Request r{e.tensor("self"), e.integers("size"), e.integers("stride")};
  const std::optional<std::int64_t> offset = e.optionalInteger("storage_offset");
  e.require(r.size.size() == r.stride.size() && allStatic(r.base));
  r.order = blockOrder(e, r.base);
  const std::int64_t baseOffset = r.base.meta.storageOffset.value();
  e.require(!__builtin_sub_overflow(offset.value_or(baseOffset), baseOffset, &r.start) && r.start >= -kMaxElements &&
            r.start <= kMaxElements);
  std::int64_t last = r.start, count = 1;
  for (std::size_t i = 0; i < r.size.size(); ++i) {
    e.require(r.size[i] >= 0 && r.stride[i] >= 0 && r.size[i] <= kMaxElements && r.stride[i] <= kMaxElements);
    count *= r.size[i];
    e.require(count <= kMaxElements);
    if (count > 0) last += (r.size[i] - 1) * r.stride[i];
  }
  std::int64_t elements = 1;
  for (const fx::SymInt& s : r.base.meta.sizes) elements *= s.value();
  // Storage before or after the base's elements is not part of the value.
  e.require(count <= 0 || (r.start >= 0 && last < elements));
  return r;
}

/// start + sum of index * stride, for every element of the result, in one dimension.
Tensor elementNumbers(Emitter& e, const Request& r) {
  std::optional<Tensor> sum;
  for (std::size_t i = 0; i < r.size.size(); ++i) {
    const std::int64_t n = r.size[i], step = r.stride[i];
    if (n == 1 || (step == 0 && sum)) continue;
    Sizes shape(r.size.size(), Size::of(1));
    shape[i] = Size::of(n);
    const std::int64_t from = sum ? 0 : r.start;
    const Tensor line = step == 0 ? e.full({Size::of(n)}, from, DType::Int64) : e.arange(from, from + n * step, step);
    const Tensor part = e.reshape(line, shape);
    sum = sum ? e.add(*sum, part) : part;
  }
  const Sizes shape = sizesOf(r.size);
  if (!sum) return e.flatten(e.full(shape, r.start, DType::Int64));
  return e.flatten(e.expand(*sum, shape));
}

Results asStrided(Emitter& e) {
  const Request r = requestOf(e);
  const Tensor storage = r.storage(e);
  return one(e.reshape(e.indexSelect(storage, 0, elementNumbers(e, r)), sizesOf(r.size)));
}

/// The same element numbers, written.
Results asStridedScatter(Emitter& e) {
  const Request r = requestOf(e);
  const Tensor src = e.tensor("src");
  const Tensor storage = r.storage(e);
  const Tensor written = e.op("aten.index_put.default",
                              {storage.value, fx::ArgumentList{elementNumbers(e, r).value}, e.flatten(src).value, false}, storage.meta);
  Sizes blocks;
  std::vector<std::size_t> back(r.order.size());
  for (const std::size_t d : r.order) {
    back[d] = blocks.size();
    blocks.push_back(e.size(r.base, d));
  }
  return one(e.permute(e.reshape(written, blocks), back));
}

}  // namespace

void registerAsStrided(RewriteRules& rules) {
  rules.addEach({"aten.as_strided.default", "aten.as_strided_copy.default"}, "becomes an index into the elements in storage order", true,
                asStrided);
  rules.add({"aten.as_strided_scatter.default", "becomes aten.index_put on the elements in storage order", true, asStridedScatter});
}

}  // namespace fxs::rewrite
