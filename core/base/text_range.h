// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstddef>
#include <string_view>

namespace fxs {

/// Half-open range of byte offsets in one text.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool empty() const { return begin == end; }
  bool contains(std::size_t offset) const { return begin <= offset && offset < end; }
  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
  friend bool operator==(TextRange, TextRange) = default;
};

}  // namespace fxs
