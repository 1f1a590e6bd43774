// aten.as_strided indexes a tensor's storage. MLIR values have no storage, so each storage index is mapped to an element of the value that
// owns the storage, by its recorded strides.
#include <algorithm>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

constexpr std::int64_t kMaxElements = std::int64_t{1} << 24;

/// The dimensions of `x` by descending stride, without those of size 1; nullopt if the elements do not fill a block of storage without gaps
/// or overlaps.
std::optional<std::vector<std::size_t>> blockOrder(const Tensor& x) {
  std::vector<std::size_t> order = {};
  for (std::size_t i = 0; i < x.rank(); ++i)
    if (x.meta.sizes[i].value() != 1) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return x.meta.strides[a].value() > x.meta.strides[b].value(); });
  std::int64_t expected = 1;
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    if (x.meta.strides[*it].value() != expected) return std::nullopt;
    expected *= x.meta.sizes[*it].value();
  }
  return order;
}

bool allStatic(const Tensor& x) {
  return x.meta.isStaticShape() && x.meta.storageOffset.isStatic() &&
         std::all_of(x.meta.strides.begin(), x.meta.strides.end(), [](const fx::SymInt& s) { return s.isStatic(); });
}

/// The tensor's elements in the order of its storage.
Tensor storageOf(Emitter& e, const Tensor& x, const std::vector<std::size_t>& order) {
  std::vector<std::size_t> full;
  for (std::size_t i = 0; i < x.rank(); ++i)
    if (x.meta.sizes[i].value() == 1) full.push_back(i);
  full.insert(full.end(), order.begin(), order.end());
  return e.flatten(e.permute(x, full));
}

struct Request {
  Tensor base;
  std::vector<std::int64_t> size, stride;
  std::int64_t start = 0;  ///< first element, in the base's block
  std::vector<std::size_t> order = {};
};

std::optional<Request> requestOf(Emitter& e) {
  Request r{e.tensor("self"), e.integers("size"), e.integers("stride")};
  const std::optional<std::int64_t> offset = e.optionalInteger("storage_offset");
  e.require(r.size.size() == r.stride.size() && allStatic(r.base));
  if (!e.valid()) return std::nullopt;
  const auto order = blockOrder(r.base);
  if (!order) return std::nullopt;
  r.order = *order;
  const std::int64_t baseOffset = r.base.meta.storageOffset.value();
  if (__builtin_sub_overflow(offset.value_or(baseOffset), baseOffset, &r.start) || r.start < -kMaxElements || r.start > kMaxElements)
    return std::nullopt;
  std::int64_t last = r.start, count = 1;
  for (std::size_t i = 0; i < r.size.size(); ++i) {
    if (r.size[i] < 0 || r.stride[i] < 0 || r.size[i] > kMaxElements || r.stride[i] > kMaxElements) return std::nullopt;
    count *= r.size[i];
    if (count > kMaxElements) return std::nullopt;
    if (count > 0) last += (r.size[i] - 1) * r.stride[i];
  }
  std::int64_t elements = 1;
  for (const fx::SymInt& s : r.base.meta.sizes) elements *= s.value();
  // Storage before or after the base's elements is not part of the value.
  if (count > 0 && (r.start < 0 || last >= elements)) return std::nullopt;
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
  Sizes shape;
  for (const std::int64_t n : r.size) shape.push_back(Size::of(n));
  if (!sum) return e.flatten(e.full(shape, r.start, DType::Int64));
  return e.flatten(e.expand(*sum, shape));
}

Results asStrided(RuleContext& context) {
  Emitter e(context);
  const std::optional<Request> r = requestOf(e);
  if (!r) return {};
  Sizes shape;
  for (const std::int64_t n : r->size) shape.push_back(Size::of(n));
  const Tensor storage = storageOf(e, r->base, r->order);
  return one(e.reshape(e.indexSelect(storage, 0, elementNumbers(e, *r)), shape));
}

/// The same element numbers, written.
Results asStridedScatter(RuleContext& context) {
  Emitter e(context);
  const std::optional<Request> r = requestOf(e);
  const Tensor src = e.tensor("src");
  if (!r || !e.valid()) return {};
  const Tensor storage = storageOf(e, r->base, r->order);
  const Tensor written = e.op("aten.index_put.default",
                              {storage.value, fx::ArgumentList{elementNumbers(e, *r).value}, e.flatten(src).value, false}, storage.meta);
  Sizes blocks;
  for (std::size_t i = 0; i < r->base.rank(); ++i)
    if (r->base.meta.sizes[i].value() == 1) blocks.push_back(Size::of(1));
  std::vector<std::size_t> full;
  for (std::size_t i = 0; i < r->base.rank(); ++i)
    if (r->base.meta.sizes[i].value() == 1) full.push_back(i);
  full.insert(full.end(), r->order.begin(), r->order.end());
  for (const std::size_t d : r->order) blocks.push_back(e.size(r->base, d));
  std::vector<std::size_t> back(full.size());
  for (std::size_t i = 0; i < full.size(); ++i) back[full[i]] = i;
  return one(e.permute(e.reshape(written, blocks), back));
}

}  // namespace

void registerAsStrided(RewriteRules& rules) {
  rules.add(
      {"aten.as_strided.default", "decompose:aten.as_strided", "becomes an index into the elements in storage order", true, asStrided});
  rules.add({"aten.as_strided_copy.default", "decompose:aten.as_strided_copy", "becomes an index into the elements in storage order", true,
             asStrided});
  rules.add({"aten.as_strided_scatter.default", "decompose:aten.as_strided_scatter",
             "becomes aten.index_put on the elements in storage order", true, asStridedScatter});
}

}  // namespace fxs::rewrite
