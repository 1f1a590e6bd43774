#pragma once
// How PyTorch puts shapes together and counts dimensions: broadcasting, dimensions and indices from the end, the bounds of a slice. The
// only place that knows it; fx::SymInt and std::int64_t are sizes alike. tests/oracle/promotion_matches_torch.py compares it with PyTorch.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace fxs::ops {

/// torch.broadcast_shapes of two shapes, aligned at their last dimensions. `settle(a, b)` is the size of a dimension where neither is 1,
/// that of the shape of more dimensions first; nothing where it has no answer.
template <class Size, class Settle>
std::optional<std::vector<Size>> broadcastShapes(const std::vector<Size>& a, const std::vector<Size>& b, Settle settle) {
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

/// Only what is certain: nothing where two sizes that are not 1 are not known to be the same.
template <class Size>
std::optional<std::vector<Size>> broadcastShapes(const std::vector<Size>& a, const std::vector<Size>& b) {
  return broadcastShapes(a, b, [](const Size& size, const Size& other) { return size == other ? std::optional(size) : std::nullopt; });
}

/// An index into `count` elements, which from -count to -1 counts from the end, as 0 .. count-1; nothing when it is out of range.
inline std::optional<std::size_t> wrapIndex(std::int64_t index, std::size_t count) {
  const auto size = static_cast<std::int64_t>(count);
  if (index < -size || index >= size) return std::nullopt;
  return static_cast<std::size_t>(index < 0 ? index + size : index);
}

/// c10::maybe_wrap_dim: a dimension of a tensor of that rank, where a tensor without dimensions counts as one of rank 1.
inline std::optional<std::size_t> wrapDim(std::int64_t dim, std::size_t rank) { return wrapIndex(dim, std::max<std::size_t>(rank, 1)); }

/// A bound of a slice of a dimension, as Python takes it: counted from the end when negative, cut to 0 .. size.
inline std::int64_t sliceBound(std::int64_t bound, std::int64_t size) {
  const std::int64_t count = std::max<std::int64_t>(size, 0);
  return std::clamp<std::int64_t>(bound < 0 ? bound + count : bound, 0, count);
}

}  // namespace fxs::ops
