// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// PyTorch's shape rules: broadcasting, negative dimensions and indices, slice bounds. Sizes are
// fx::SymInt or std::int64_t. tests/oracle/promotion_matches_torch.py compares it with PyTorch.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace fxs::ops {

/// torch.broadcast_shapes of two shapes. `settle(x, y)` gives the size of a dimension if neither is
/// 1, where x is the size in the shape of higher rank (`a` if equal). std::nullopt if `settle`
/// returns that.
template <class Size, class Settle>
std::optional<std::vector<Size>> broadcastShapes(const std::vector<Size>& a,
                                                 const std::vector<Size>& b, Settle settle) {
  const std::vector<Size>& shorter = a.size() >= b.size() ? b : a;
  std::vector<Size> out = a.size() >= b.size() ? a : b;
  const std::size_t offset = out.size() - shorter.size();
  const Size one(1);
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    Size& size = out[offset + i];
    if (shorter[i] == one) continue;
    if (size == one) {
      size = shorter[i];
      continue;
    }
    std::optional<Size> settled = settle(size, shorter[i]);
    if (!settled) return std::nullopt;
    size = *std::move(settled);
  }
  return out;
}

/// std::nullopt unless sizes other than 1 are known to be equal.
template <class Size>
std::optional<std::vector<Size>> broadcastShapes(const std::vector<Size>& a,
                                                 const std::vector<Size>& b) {
  return broadcastShapes(a, b, [](const Size& size, const Size& other) {
    return size == other ? std::optional(size) : std::nullopt;
  });
}

/// Wraps an index in -count .. count-1 to 0 .. count-1; std::nullopt if it is out of range.
inline std::optional<std::size_t> wrapIndex(std::int64_t index, std::size_t count) {
  const auto size = static_cast<std::int64_t>(count);
  if (index < -size || index >= size) return std::nullopt;
  return static_cast<std::size_t>(index < 0 ? index + size : index);
}

/// c10::maybe_wrap_dim: wraps a dimension of a tensor; rank 0 counts as rank 1. std::nullopt if it
/// is out of range.
inline std::optional<std::size_t> wrapDim(std::int64_t dim, std::size_t rank) {
  return wrapIndex(dim, std::max<std::size_t>(rank, 1));
}

/// A slice bound as in Python: counted from the end if negative, clamped to 0 .. size.
inline std::int64_t sliceBound(std::int64_t bound, std::int64_t size) {
  const std::int64_t count = std::max<std::int64_t>(size, 0);
  return std::clamp<std::int64_t>(bound < 0 ? bound + count : bound, 0, count);
}

}  // namespace fxs::ops
