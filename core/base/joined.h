// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Texts joined by a separator.
#include <string>
#include <string_view>

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

}  // namespace fxs
