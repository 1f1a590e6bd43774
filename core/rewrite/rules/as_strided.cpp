// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// aten.as_strided indexes a tensor's storage. MLIR values have no storage, so each storage index is
// mapped to an element of the value that owns the storage, by its recorded strides. That value is
// the operand: functionalize.h makes it so.
#include <algorithm>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

constexpr std::int64_t kMaxElements = std::int64_t{1} << 24;
/// Elements that are looked up one by one.
constexpr std::int64_t kMaxCounted = std::int64_t{1} << 20;

/// The dimensions of `x` as they lie in storage: those of size 1, then the others by descending
/// stride.
std::vector<std::size_t> storageOrder(const Tensor& x) {
  std::vector<std::size_t> order = allDims(x);
  const auto isUnit = [&](std::size_t d) { return x.meta.sizes[d].value() == 1; };
  const auto large = std::stable_partition(order.begin(), order.end(), isUnit);
  std::stable_sort(large, order.end(), [&](std::size_t a, std::size_t b) {
    return x.meta.strides[a].value() > x.meta.strides[b].value();
  });
  return order;
}

bool allStatic(const Tensor& x) {
  return x.meta.isStaticShape() && x.meta.storageOffset.isStatic() &&
         x.meta.strides.size() == x.rank() &&
         std::all_of(x.meta.strides.begin(), x.meta.strides.end(),
                     [](const fx::SymInt& s) { return s.isStatic(); });
}

/// Which of the elements of `x`, counted in storage order, lies `address` elements after the first
/// one. Throws Misfit if none does: storage between, before or after the elements is not part of
/// the value.
std::int64_t elementAt(Emitter& e, const Tensor& x, const std::vector<std::size_t>& order,
                       std::int64_t address) {
  e.require(address >= 0);
  std::int64_t element = 0;
  for (const std::size_t d : order) {
    const std::int64_t size = x.meta.sizes[d].value(), stride = x.meta.strides[d].value();
    const std::int64_t index = size > 1 && stride > 0 ? std::min(address / stride, size - 1) : 0;
    address -= index * stride;
    element = element * size + index;
  }
  e.require(address == 0);
  return element;
}

struct Request {
  Tensor base;
  std::vector<std::int64_t> size,
      stride;              ///< the strides count elements of `base` in storage order
  std::int64_t start = 0;  ///< the first of those elements
  std::vector<std::size_t> order = {};
  /// The base's elements in the order of its storage.
  Tensor storage(Emitter& e) const { return e.flatten(e.permute(base, order)); }
};

bool isBlock(const Tensor& x, const std::vector<std::size_t>& order) {
  std::int64_t expected = 1;
  for (auto d = order.rbegin(); d != order.rend(); ++d) {
    if (x.meta.sizes[*d].value() != 1 && x.meta.strides[*d].value() != expected) return false;
    expected *= x.meta.sizes[*d].value();
  }
  return true;
}

/// Turns steps in storage into steps between elements, where there are gaps or overlaps between
/// those. Throws Misfit if they are not equal along a dimension.
void countElements(Emitter& e, Request& r) {
  const std::vector<std::int64_t> stride = r.stride;
  const std::int64_t address = r.start;
  r.start = elementAt(e, r.base, r.order, address);
  for (std::size_t d = 0; d < r.size.size(); ++d) {
    r.stride[d] = r.size[d] > 1 ? elementAt(e, r.base, r.order, address + stride[d]) - r.start : 0;
    e.require(r.stride[d] >= 0);
  }
  std::vector<std::int64_t> index(r.size.size(), 0);
  for (std::size_t d = r.size.size(); d > 0;) {
    std::int64_t at = address, element = r.start;
    for (std::size_t i = 0; i < index.size(); ++i) {
      at += index[i] * stride[i];
      element += index[i] * r.stride[i];
    }
    e.require(elementAt(e, r.base, r.order, at) == element);
    for (d = r.size.size(); d > 0 && ++index[d - 1] == r.size[d - 1]; --d) index[d - 1] = 0;
  }
}

Request requestOf(Emitter& e) {
  Request r{e.tensor("self"), e.integers("size"), e.integers("stride")};
  const std::optional<std::int64_t> offset = e.optionalInteger("storage_offset");
  e.require(r.size.size() == r.stride.size() && allStatic(r.base));
  r.order = storageOrder(r.base);
  const std::int64_t baseOffset = r.base.meta.storageOffset.value();
  e.require(!__builtin_sub_overflow(offset.value_or(baseOffset), baseOffset, &r.start) &&
            r.start >= -kMaxElements && r.start <= kMaxElements);
  std::int64_t last = r.start, count = 1;
  for (std::size_t i = 0; i < r.size.size(); ++i) {
    e.require(r.size[i] >= 0 && r.stride[i] >= 0 && r.size[i] <= kMaxElements &&
              r.stride[i] <= kMaxElements);
    count *= r.size[i];
    e.require(count <= kMaxElements);
    if (count > 0) last += (r.size[i] - 1) * r.stride[i];
  }
  if (count == 0) return r;
  std::int64_t elements = 1;
  for (const fx::SymInt& s : r.base.meta.sizes) elements = saturated(elements, s.value());
  if (isBlock(r.base, r.order)) {
    e.require(r.start >= 0 && last < elements);
  } else {
    e.require(elements > 0 && elements <= kMaxNumber && count <= kMaxCounted);
    countElements(e, r);
  }
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
    const Tensor line = step == 0 ? e.full({Size::of(n)}, from, DType::Int64)
                                  : e.arange(from, from + n * step, step);
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
  e.require(isBlock(r.base, r.order));
  const Tensor src = e.tensor("src");
  const Tensor storage = r.storage(e);
  const Tensor written = e.op(
      "aten.index_put.default",
      {storage.value, fx::ArgumentList{elementNumbers(e, r).value}, e.flatten(src).value, false},
      storage.meta);
  Sizes blocks;
  std::vector<std::size_t> back(r.order.size());
  for (const std::size_t d : r.order) {
    back[d] = blocks.size();
    blocks.push_back(e.size(r.base, d));
  }
  return one(e.permute(e.reshape(written, blocks), back));
}

/// asStridedScatter() in Python.
constexpr std::string_view kStridedScatterInPython =
    "    sizes, strides = self.shape, self.stride()\n"
    "    order = sorted(range(self.dim()), key=lambda d: (sizes[d] != 1, -strides[d]))\n"
    "    storage = self.permute(order)\n"
    "    if not storage.is_contiguous():\n"
    "        return NotImplemented\n"
    "    first = self.storage_offset()\n"
    "    start = 0 if storage_offset is None else storage_offset - first\n"
    "    at = torch.full([1] * len(size), start, dtype=torch.int64)\n"
    "    for d, (n, step) in enumerate(zip(size, stride)):\n"
    "        at = at + (torch.arange(n) * step).view([-1] + [1] * (len(size) - 1 - d))\n"
    "    at, back = [at.reshape(-1)], sorted(range(self.dim()), key=order.index)\n"
    "    written = aten.index_put(storage.reshape(-1), at, src.reshape(-1))\n"
    "    return written.reshape(storage.shape).permute(back)\n";

}  // namespace

void registerAsStrided(RewriteRules& rules) {
  rules.addEach({"aten.as_strided.default", "aten.as_strided_copy.default"},
                "becomes an index into the elements in storage order", true, asStrided);
  rules.add({"aten.as_strided_scatter.default",
             "becomes aten.index_put on the elements in storage order",
             true,
             asStridedScatter,
             {},
             kStridedScatterInPython});
}

}  // namespace fxs::rewrite
