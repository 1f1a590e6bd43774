// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The lexical layer of everything that parses MLIR text: finds the ends of names, strings, brackets
// and locations, as byte offsets. The functions accept any offset, never read past the text and are
// linear in the text that they skip.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/ascii.h"

namespace fxs::mlir {

enum ByteClass : std::uint16_t {
  kBlank = 1,    ///< space, tab, carriage return
  kDigit = 2,    ///< 0-9
  kLetter = 4,   ///< a-z A-Z _
  kWord = 8,     ///< in bare identifiers: letters, digits, `_`, `$`, `.`
  kStop = 16,    ///< significant to Reader inside an operation
  kString = 32,  ///< significant inside a string
  kOwn = 64,     ///< significant to OpText; `l` may start a location
  // Significant between brackets of one kind.
  kParen = 128,
  kSquare = 256,
  kBrace = 512,
  kAngle = 1024,
};

constexpr std::array<std::uint16_t, 256> byteClasses() {
  std::array<std::uint16_t, 256> out{};
  const auto add = [&](std::string_view bytes, int kind) {
    for (const char c : bytes)
      out[static_cast<unsigned char>(c)] |= static_cast<std::uint16_t>(kind);
  };
  add(" \t\r", kBlank);
  add("0123456789", kDigit | kWord);
  add("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", kLetter | kWord);
  add("$.", kWord);
  add("\"%^{}()[]\n/", kStop);
  add("\"\\\n", kString);
  add("\"%^#!/l \t\r\n", kOwn);
  add("\"\n()", kParen);
  add("\"[]", kSquare);
  add("\"{}", kBrace);
  add("\"<>", kAngle);
  return out;
}
inline constexpr std::array<std::uint16_t, 256> kByteClasses = byteClasses();
inline bool is(char c, std::uint16_t classes) {
  return (kByteClasses[static_cast<unsigned char>(c)] & classes) != 0;
}

inline std::size_t afterAll(std::string_view text, std::size_t at, std::uint16_t classes) {
  while (at < text.size() && is(text[at], classes)) ++at;
  return at;
}
inline std::size_t firstOf(std::string_view text, std::size_t at, std::uint16_t classes) {
  while (at < text.size() && !is(text[at], classes)) ++at;
  return at;
}

/// The offset of the newline that ends the line of `at`, or the text's end.
std::size_t endOfLine(std::string_view text, std::size_t at);
/// Skips white space, newlines and `//` comments.
std::size_t afterSpace(std::string_view text, std::size_t at);
/// Moves `end` backwards over blanks and newlines, not below `floor`.
std::size_t trimmedEnd(std::string_view text, std::size_t floor, std::size_t end);
/// Skips a word that may contain dashes; `%a->` is a name and an arrow.
std::size_t afterWord(std::string_view text, std::size_t at);
/// Skips a sigil (`%`, `^`, `#`, `!`) at `at` and the name after it. `%5#1` ends before the `#`.
std::size_t afterName(std::string_view text, std::size_t at);
/// Skips the string whose opening quote is at `quote`. Strings do not span lines, so an
/// unterminated one ends with its line.
std::size_t afterQuoted(std::string_view text, std::size_t quote);
/// The offset after the bracket that matches `text[open]`, which is `(`, `[`, `{` or `<`; npos if
/// there is none. Counts brackets of that kind outside of strings; `->`, `>=` and `<=` are not
/// brackets.
std::size_t afterBracket(std::string_view text, std::size_t open);
/// Like afterBracket, for the `(` of `loc(`, whose match must be on the same line.
std::size_t afterLocation(std::string_view text, std::size_t open);

/// Whether the `<` or `>` at `at` is part of `->`, `>=` or `<=`.
inline bool isPartOfOperator(std::string_view text, std::size_t at) {
  const bool equals = at + 1 < text.size() && text[at + 1] == '=';
  return equals || (text[at] == '>' && at > 0 && text[at - 1] == '-');
}
inline bool opensBracket(std::string_view text, std::size_t at) {
  const char c = text[at];
  return c == '(' || c == '[' || c == '{' || (c == '<' && !isPartOfOperator(text, at));
}
inline bool closesBracket(std::string_view text, std::size_t at) {
  const char c = text[at];
  return c == ')' || c == ']' || c == '}' || (c == '>' && !isPartOfOperator(text, at));
}

/// Calls seen(offset) for each byte of `text` from `begin` to `end` outside of strings and
/// brackets, including opening brackets. Stops when it returns true, or at an unmatched closing
/// bracket. Returns where it stopped.
template <class Seen>
std::size_t walkTopLevel(std::string_view text, std::size_t begin, std::size_t end, Seen seen) {
  text = text.substr(0, end);
  for (std::size_t i = begin; i < text.size();) {
    if (text[i] == '"') {
      i = afterQuoted(text, i);
      continue;
    }
    if (closesBracket(text, i) || seen(i)) return i;
    i = opensBracket(text, i) ? std::min(afterBracket(text, i), text.size()) : i + 1;
  }
  return text.size();
}

}  // namespace fxs::mlir
