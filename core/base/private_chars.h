// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Characters and words, as the recognizers of private data see them (private_scan.h).
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/ascii.h"

namespace fxs {

/// Maximum length of keys and addresses, and of words.
inline constexpr std::size_t kFar = 8192, kWord = 128;
/// Backslashes before a quote in a JSON string that is in a JSON string.
inline constexpr std::size_t kEscapes = 3;

inline bool isHex(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
inline bool isOneOf(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }
inline bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
inline bool isKeyChar(char c) { return isAlnum(c) || isOneOf(c, "_-.+/=~"); }

template <class Is>
std::size_t endOf(std::string_view text, std::size_t at, Is is, std::size_t far = kWord) {
  const std::size_t last = std::min(text.size(), at + far);
  while (at < last && is(text[at])) ++at;
  return at;
}

inline std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (isUpper(c)) c = static_cast<char>(c - 'A' + 'a');
    else if (c == '-') c = '_';
  }
  return out;
}

inline bool hasDigit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), isDigit);
}
inline bool hasLetter(std::string_view text) {
  return std::any_of(text.begin(), text.end(), isLetter);
}
inline bool isMixed(std::string_view text) {
  return hasDigit(text) || (std::any_of(text.begin(), text.end(), isUpper) &&
                            std::any_of(text.begin(), text.end(), isLower));
}
/// Long and random-looking: hexadecimal digits, or digits mixed with letters of both cases.
inline bool isRandom(std::string_view text) {
  if (text.size() >= 32 && std::all_of(text.begin(), text.end(), isHex) && hasDigit(text) &&
      hasLetter(text))
    return true;
  return text.size() >= 20 && hasDigit(text) && std::any_of(text.begin(), text.end(), isUpper) &&
         std::any_of(text.begin(), text.end(), isLower) && !holds(text, ".");
}
inline bool isPlaceholder(std::string_view text) { return text.starts_with("redacted_"); }

}  // namespace fxs
