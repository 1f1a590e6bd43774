// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Longest common and longest increasing subsequences.
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fxs::mlir {

/// Indices of the elements of a longest strictly increasing subsequence, ascending. O(n log n).
std::vector<std::uint32_t> longestIncreasing(std::span<const std::uint32_t> numbers);

/// Pairs of indices (into `a`, into `b`) of a common subsequence, ascending. It is a longest one if
/// |a| * |b|, without common prefix and suffix and elements that only one side has, is at most
/// `cells`; else an approximation, in O(n log n).
std::vector<std::pair<std::uint32_t, std::uint32_t>> commonSubsequence(
    std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
    std::size_t cells = std::size_t{1} << 22);

}  // namespace fxs::mlir
