// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Numbers from texts that are nothing else, independent of the locale.
#include <charconv>
#include <optional>
#include <string_view>

namespace fxs {

/// std::nullopt if a part of the text is no number, or the number is too large for the type.
template <class Number>
std::optional<Number> numberFrom(std::string_view text) {
  Number out{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

}  // namespace fxs
