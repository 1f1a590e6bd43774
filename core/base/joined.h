// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Texts joined by a separator.
#include <string>
#include <string_view>
#include <vector>

namespace fxs {

template <class Texts>
std::string joined(const Texts& texts, std::string_view separator = ", ") {
  std::string out;
  bool first = true;
  for (const auto& text : texts) {
    if (!first) out += separator;
    out += text;
    first = false;
  }
  return out;
}

/// Of integers.
template <class Numbers>
std::string joinedNumbers(const Numbers& numbers, std::string_view separator = ", ") {
  std::vector<std::string> texts;
  for (const auto number : numbers) texts.push_back(std::to_string(number));
  return joined(texts, separator);
}

}  // namespace fxs
