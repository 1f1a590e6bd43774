#pragma once
// Where the tokens of printed MLIR end, by byte offsets of one text: names, strings, brackets, locations. Every function
// takes any offset, never reads past the text and is linear in what it passes over.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fxs::mlir {

enum ByteClass : std::uint8_t {
  kBlank = 1,    ///< space, tab, carriage return
  kDigit = 2,    ///< 0-9
  kLetter = 4,   ///< a-z A-Z _
  kWord = 8,     ///< of a bare identifier: letters, digits, `$`, `.`
  kStop = 16,    ///< what the reader looks at inside an operation
  kString = 32,  ///< what can end a string or must be looked at in it
  kBrace = 64,   ///< what counts inside an attribute dictionary
  kOwn = 128,    ///< what is more than text in an operation's own text; `l` may begin a location
};

constexpr std::array<std::uint8_t, 256> byteClasses() {
  std::array<std::uint8_t, 256> out{};
  const auto add = [&](std::string_view bytes, int what) {
    for (const char c : bytes) out[static_cast<unsigned char>(c)] |= static_cast<std::uint8_t>(what);
  };
  add(" \t\r", kBlank);
  add("0123456789", kDigit | kWord);
  add("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", kLetter | kWord);
  add("$.", kWord);
  add("\"%^{}()[]\n/", kStop);
  add("\"\\\n", kString);
  add("\"{}", kBrace);
  add("\"%^#!/l \t\r\n", kOwn);
  return out;
}
inline constexpr std::array<std::uint8_t, 256> kByteClasses = byteClasses();
inline bool is(char c, std::uint8_t classes) { return (kByteClasses[static_cast<unsigned char>(c)] & classes) != 0; }

inline std::size_t afterAll(std::string_view text, std::size_t at, std::uint8_t classes) {
  while (at < text.size() && is(text[at], classes)) ++at;
  return at;
}
inline std::size_t firstOf(std::string_view text, std::size_t at, std::uint8_t classes) {
  while (at < text.size() && !is(text[at], classes)) ++at;
  return at;
}

/// The newline that ends the line of `at`, or the text's end.
std::size_t endOfLine(std::string_view text, std::size_t at);
/// Past white space, newlines and `//` comments.
std::size_t afterSpace(std::string_view text, std::size_t at);
/// Backwards over blanks and newlines, not below `floor`.
std::size_t trimmedEnd(std::string_view text, std::size_t floor, std::size_t end);
/// `text[at]` is a sigil (`%`, `^`, `#`, `!`): past the name after it. `%5#1` ends before the `#`.
std::size_t afterName(std::string_view text, std::size_t at);
/// `text[quote]` is a quote: past the string. A string never spans lines, so an unfinished one ends with its line.
std::size_t afterQuoted(std::string_view text, std::size_t quote);
/// `text[open]` is `{`: past its partner, strings left out of the count; the text's end when there is none.
std::size_t afterBraces(std::string_view text, std::size_t open);
/// `text[open]` is the `(` of `loc(`: past its partner, which stands on the same line; npos when it does not.
std::size_t afterLocation(std::string_view text, std::size_t open);

}  // namespace fxs::mlir
