// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Arithmetic on counts that a file controls: what does not fit is the largest number.
#include <cstdint>
#include <limits>

namespace fxs::summary {

inline std::uint64_t saturatingProduct(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return b != 0 && a > kMost / b ? kMost : a * b;
}
inline std::uint64_t saturatingSum(std::uint64_t a, std::uint64_t b) {
  return a + b < a ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

}  // namespace fxs::summary
