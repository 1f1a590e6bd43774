// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/tensor_meta.h"

#include <algorithm>

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
