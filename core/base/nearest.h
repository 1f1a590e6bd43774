// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Name suggestions for "did you mean".
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fxs {
/// Edit distance: insertions, deletions, replacements and swaps cost 1 each. Any value above
/// `limit` means "more than `limit`".
std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit);
/// At most `count` names whose edit distance is at most a third of the length of `wanted` (at least
/// 1), closest first, then by name.
std::vector<std::string> nearest(std::string_view wanted, std::span<const std::string_view> names,
                                 std::size_t count);
}  // namespace fxs
