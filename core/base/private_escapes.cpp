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

/// A separator and the length of its escape; 0 for anything else.
using EscapedSeparator = std::pair<char, std::size_t>;

/// The separator that is written as two hexadecimal digits at `digits`, in an escape from `at` on.
EscapedSeparator hexSeparator(std::string_view text, std::size_t at, std::size_t digits) {
  constexpr std::string_view kSeparators = "/\\:~@=";
  if (digits + 1 >= text.size()) return {};
  const int high = hexValue(text[digits]), low = hexValue(text[digits + 1]);
  if (high < 0 || low < 0) return {};
  const auto c = static_cast<char>(high * 16 + low);
  if (kSeparators.find(c) == std::string_view::npos) return {};
  return {c, digits + 2 - at};
}

EscapedSeparator escapedSeparator(std::string_view text, std::size_t at) {
  if (text[at] == '%') {
    const bool twice = text.substr(at).starts_with("%25");  // %252F
    return hexSeparator(text, at, at + (twice ? 3 : 1));
  }
  std::size_t letter = at;
  while (letter < text.size() && letter - at < 4 && text[letter] == '\\') ++letter;
  if (letter == at) return {};
  const std::string_view escape = text.substr(letter);
  if (escape.starts_with('/')) return {'/', letter + 1 - at};
  if (escape.starts_with('x')) return hexSeparator(text, at, letter + 1);
  if (escape.starts_with("u00")) return hexSeparator(text, at, letter + 3);
  return {};
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
