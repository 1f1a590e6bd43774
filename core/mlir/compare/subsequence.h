#pragma once
// Longest common and longest increasing subsequences.
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fxs::mlir {

/// Indices of the elements of a longest strictly increasing subsequence, ascending. O(n log n).
std::vector<std::uint32_t> longestIncreasing(std::span<const std::uint32_t> numbers);

/// Pairs of indices (into `a`, into `b`) of a common subsequence, ascending. A longest one as long as |a| * |b| without the common
/// beginning, end and elements of one side alone is not over `cells`; else a long one, in O(n log n).
std::vector<std::pair<std::uint32_t, std::uint32_t>> commonSubsequence(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                                                                       std::size_t cells = std::size_t{1} << 22);

}  // namespace fxs::mlir
