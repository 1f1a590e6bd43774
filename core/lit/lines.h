// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The lines of a text, with their numbers as tools print them.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/text_range.h"

namespace fxs::lit {

struct Line {
  std::uint32_t number = 1;  ///< 1-based
  TextRange range;           ///< without its end, `\n` or `\r\n`
};

/// Calls seen(line) for each line until it returns false. A text that ends with a newline has no
/// further line after it.
template <class Seen>
void forEachLine(std::string_view text, Seen seen) {
  std::uint32_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const bool hasReturn = end > begin && text[end - 1] == '\r';
    if (!seen(Line{number, {begin, hasReturn ? end - 1 : end}})) return;
    begin = end + 1;
  }
}

}  // namespace fxs::lit
