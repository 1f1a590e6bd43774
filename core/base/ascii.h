// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// ASCII character classes, independent of the locale.
#include <string_view>

namespace fxs {

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool isLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool isLetter(char c) { return isUpper(c) || isLower(c); }
constexpr bool isAlnum(char c) { return isDigit(c) || isLetter(c); }
/// Whether an ASCII Python identifier may contain the character after its first.
constexpr bool isWordChar(char c) { return isAlnum(c) || c == '_'; }
/// Space, tab, line feed or carriage return.
constexpr bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
/// The text without leading and trailing whitespace.
constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace fxs
