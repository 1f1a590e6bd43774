// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/private_escapes.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace fxs {
namespace {

int hexValue(char c) {
  if (isDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// The escaped separator at `at`, and the length of its escape; 0 for anything else.
std::pair<char, std::size_t> escapedSeparator(std::string_view text, std::size_t at) {
  constexpr std::string_view kSeparators = "/\\:~@=";
  const auto digits = [&](std::size_t begin) -> char {
    if (begin + 1 >= text.size() || hexValue(text[begin]) < 0 || hexValue(text[begin + 1]) < 0)
      return 0;
    const auto c = static_cast<char>(hexValue(text[begin]) * 16 + hexValue(text[begin + 1]));
    return c > 0 && kSeparators.find(c) != std::string_view::npos ? c : '\0';
  };
  if (text[at] == '%') {
    const std::size_t begin =
        text.substr(at).starts_with("%25") ? at + 3 : at + 1;  // also escaped twice
    const char c = digits(begin);
    return {c, c == 0 ? 0 : begin + 2 - at};
  }
  std::size_t letter = at;
  while (letter < text.size() && letter - at < 4 && text[letter] == '\\') ++letter;
  if (letter == at || letter >= text.size()) return {};
  if (text[letter] == '/') return {'/', letter + 1 - at};
  std::size_t begin = text.size();
  if (text[letter] == 'x') begin = letter + 1;
  else if (text.substr(letter).starts_with("u00")) begin = letter + 3;
  const char c = digits(begin);
  return {c, c == 0 ? 0 : begin + 2 - at};
}

}  // namespace

PlainText plainText(std::string_view given) {
  PlainText out;
  bool differs = false;
  for (std::size_t at = 0; at < given.size();) {
    const auto [c, length] = given[at] == '%' || given[at] == '\\' ? escapedSeparator(given, at)
                                                                   : std::pair<char, std::size_t>();
    differs = differs || length > 0;
    out.text += length > 0 ? c : given[at];
    out.from.push_back(at);
    at += std::max<std::size_t>(length, 1);
  }
  out.from.push_back(given.size());
  if (!differs) out.from.clear();
  return out;
}

}  // namespace fxs
