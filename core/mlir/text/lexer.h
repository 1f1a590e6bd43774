// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Splits MLIR text into tokens, for syntax highlighting. Never fails; works on single lines, so
// that a view can highlight only the lines it shows.
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace fxs::mlir {

enum class TokenKind : std::uint8_t {
  Value,
  Block,
  Symbol,
  Type,
  Attribute,
  Operation,
  Keyword,
  Number,
  String,
  Comment,
  Location,
  Punctuation
};
struct Token {
  TokenKind kind;
  TextRange range;
};
/// Tokens of one line, in order; text between them is white space.
std::vector<Token> lexLine(std::string_view line);

}  // namespace fxs::mlir
