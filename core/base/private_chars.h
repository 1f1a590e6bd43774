// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Characters and words, as the recognizers of private data see them (private_scan.h).
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/ascii.h"

namespace fxs {

/// Maximum length of keys and addresses, and of words.
inline constexpr std::size_t kFar = 8192, kWord = 128;

inline bool isHex(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
inline bool isOneOf(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }
inline bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
inline bool isAnyOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
/// Whether the text ends with a word, not with the end of a longer one.
inline bool endsWithWord(std::string_view text, std::string_view word) {
  return text.ends_with(word) &&
         (text.size() == word.size() || !isAlnum(text[text.size() - word.size() - 1]));
}
inline bool isQuote(char c) { return c == '"' || c == '\''; }

/// The character at `at`; NUL, which is of no class, at the end of the text.
inline char charAt(std::string_view text, std::size_t at) {
  return at < text.size() ? text[at] : '\0';
}
/// The character before `at`; a space at the start of the text.
inline char charBefore(std::string_view text, std::size_t at) {
  return at > 0 ? text[at - 1] : ' ';
}

template <class Is>
std::size_t endOf(std::string_view text, std::size_t at, Is is, std::size_t far = kWord) {
  const std::size_t last = std::min(text.size(), at + far);
  while (at < last && is(text[at])) ++at;
  return at;
}

/// The end of the characters from `at` on that are neither blanks, nor control characters, nor of
/// `stops`.
inline std::size_t endBefore(std::string_view text, std::size_t at, std::string_view stops,
                             std::size_t far = kFar) {
  return endOf(
      text, at, [&](char c) { return static_cast<unsigned char>(c) > 0x20 && !isOneOf(c, stops); },
      far);
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
inline bool hasDigitOrHyphen(std::string_view text) { return hasDigit(text) || holds(text, "-"); }
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

/// Whether a call or a subscript follows.
inline bool isCall(std::string_view text, std::size_t end) {
  return isOneOf(charAt(text, end), "([");
}
inline std::string_view textBefore(std::string_view text, std::size_t at, std::size_t count) {
  const std::size_t size = std::min(at, count);
  return text.substr(at - size, size);
}
/// The words before `at`, as far as one of them may say what comes.
inline bool follows(std::string_view text, std::size_t at,
                    std::initializer_list<std::string_view> words) {
  std::string_view before = textBefore(text, at, 32);
  while (!before.empty() && isOneOf(before.back(), " \t\"'\\[(")) before.remove_suffix(1);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return endsWithWord(before, word); });
}

}  // namespace fxs
