// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reads a text part by part.
#include <algorithm>
#include <string_view>

namespace fxs {

/// The text before the first `separator`, both of which are removed from `rest`; all of it if there
/// is none.
constexpr std::string_view takeUntil(char separator, std::string_view& rest) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view out = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return out;
}

}  // namespace fxs
