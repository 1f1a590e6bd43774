// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/broadcast.h"

namespace fxs::compare {

std::optional<Dimensions> broadcastSizes(const Dimensions& a, const Dimensions& b) {
  Dimensions out = a.size() < b.size() ? b : a;
  const Dimensions& shorter = a.size() < b.size() ? a : b;
  for (std::size_t d = 1; d <= shorter.size(); ++d) {
    std::int64_t& size = out[out.size() - d];
    const std::int64_t other = shorter[shorter.size() - d];
    if (size == 1) size = other;
    else if (other != 1 && other != size) return std::nullopt;
  }
  return out;
}

Broadcast::Broadcast(const Dimensions& from, const Dimensions& to) : isSame_(from == to) {
  std::uint64_t stride = 1;
  for (std::size_t d = 0; d < to.size(); ++d) {
    Dimension& out = dimensions_.emplace_back();
    out.size = static_cast<std::uint64_t>(to[to.size() - 1 - d]);
    if (d >= from.size()) continue;
    const auto size = static_cast<std::uint64_t>(from[from.size() - 1 - d]);
    if (size != 1) out.stride = stride;
    stride *= size;
  }
}

std::uint64_t Broadcast::at(std::uint64_t i) const {
  if (isSame_) return i;
  std::uint64_t out = 0;
  for (const Dimension& dimension : dimensions_) {
    out += i % dimension.size * dimension.stride;
    i /= dimension.size;
  }
  return out;
}

}  // namespace fxs::compare
