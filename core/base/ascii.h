#pragma once
// The classes of characters that names are made of, in ASCII whatever the locale.

namespace fxs {

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool isLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool isLetter(char c) { return isUpper(c) || isLower(c); }
constexpr bool isAlnum(char c) { return isDigit(c) || isLetter(c); }
/// What an identifier of Python goes on with.
constexpr bool isWordChar(char c) { return isAlnum(c) || c == '_'; }

}  // namespace fxs
