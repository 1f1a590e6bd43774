// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/tensor_meta.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace fxs::fx {

std::string_view name(TensorKind kind) {
  switch (kind) {
    case TensorKind::Described: return "described";
    case TensorKind::Fake: return "fake";
    case TensorKind::Meta: return "meta";
    case TensorKind::Concrete: return "concrete";
    case TensorKind::Subclass: break;
  }
  return "subclass";
}

bool TensorMeta::isStaticShape() const {
  return std::all_of(sizes.begin(), sizes.end(), [](const SymInt& s) { return s.isStatic(); });
}

std::string TensorMeta::text() const {
  std::string out(facts(dtype).shortName);
  out += '[';
  for (const SymInt& size : sizes) {
    if (&size != &sizes.front()) out += ", ";
    out += size.text();
  }
  return out + ']';
}

SymInt elementCount(const std::vector<SymInt>& sizes) {
  SymInt out = 1;
  for (const SymInt& size : sizes) out = out * size;
  return out;
}

std::optional<std::vector<std::size_t>> orderInMemory(const std::vector<std::int64_t>& sizes,
                                                      const std::vector<std::int64_t>& strides) {
  if (strides.size() != sizes.size()) return std::nullopt;
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t d) { return strides[d]; });
  std::int64_t dense = 1;
  for (auto d = order.rbegin(); d != order.rend(); ++d) {
    if (strides[*d] != dense) return std::nullopt;
    dense *= sizes[*d];
  }
  return order;
}

std::vector<SymInt> contiguousStrides(const std::vector<SymInt>& sizes) {
  // PyTorch's own kernels take no more dimensions; the products of thousands of symbols would take
  // minutes.
  constexpr std::size_t kMaxSymbolicRank = 64;
  if (sizes.size() > kMaxSymbolicRank &&
      !std::all_of(sizes.begin(), sizes.end(), [](const SymInt& s) { return s.isStatic(); }))
    return {};
  std::vector<SymInt> out(sizes.size(), SymInt(1));
  for (std::size_t i = sizes.size(); i-- > 1;) {
    const bool isEmptyOrOne = sizes[i].isStatic() && sizes[i].value() <= 1;
    out[i - 1] = isEmptyOrOne ? out[i] : out[i] * sizes[i];
  }
  return out;
}

}  // namespace fxs::fx
