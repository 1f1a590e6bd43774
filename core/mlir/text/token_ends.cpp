// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/token_ends.h"

#include <cstring>

namespace fxs::mlir {

std::size_t endOfLine(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  const void* newline = std::memchr(text.data() + at, '\n', text.size() - at);
  return newline == nullptr
             ? text.size()
             : static_cast<std::size_t>(static_cast<const char*>(newline) - text.data());
}

std::size_t afterSpace(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (is(text[at], kBlank) || text[at] == '\n') ++at;
    else if (text[at] == '/' && at + 1 < text.size() && text[at + 1] == '/')
      at = endOfLine(text, at);
    else break;
  }
  return at;
}

std::size_t trimmedEnd(std::string_view text, std::size_t floor, std::size_t end) {
  while (end > floor && (is(text[end - 1], kBlank) || text[end - 1] == '\n')) --end;
  return end;
}

std::size_t afterName(std::string_view text, std::size_t at) {
  ++at;
  // A number ends with its digits.
  return at < text.size() && is(text[at], kDigit) ? afterAll(text, at, kDigit)
                                                  : afterWord(text, at);
}

std::size_t afterWord(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at) {
    if (is(text[at], kWord)) continue;
    if (text[at] != '-' || (at + 1 < text.size() && text[at + 1] == '>')) break;
  }
  return at;
}

std::size_t afterQuoted(std::string_view text, std::size_t quote) {
  for (std::size_t i = quote + 1;;) {
    i = firstOf(text, i, kString);
    if (i >= text.size() || text[i] == '\n') return i < text.size() ? i : text.size();
    if (text[i] == '"') return i + 1;
    i += i + 1 < text.size() && text[i + 1] != '\n' ? 2 : 1;
  }
}

namespace {

enum class Within : std::uint8_t { Text, Line };

/// The class of what is significant inside a bracket.
ByteClass classInside(char bracket) {
  switch (bracket) {
    case '(': return kParen;
    case '[': return kSquare;
    case '{': return kBrace;
    default: return kAngle;
  }
}

std::size_t afterPartner(std::string_view text, std::size_t open, Within within) {
  const char opens = text[open];
  const char closes =
      opens == '(' ? ')'
                   : static_cast<char>(opens + 2);  // `[ ]`, `{ }` and `< >` are two apart in ASCII
  const std::uint16_t counts = classInside(opens);
  std::size_t depth = 0;
  for (std::size_t i = open;;) {
    i = firstOf(text, i, counts);
    if (i >= text.size()) return std::string_view::npos;
    const char c = text[i];
    if (c == '"') {
      i = afterQuoted(text, i);
      continue;
    }
    if (c == '\n' && within == Within::Line) return std::string_view::npos;
    const bool operatorSign = counts == kAngle && isPartOfOperator(text, i);
    if (c == opens && (!operatorSign || i == open)) ++depth;
    else if (c == closes && !operatorSign && --depth == 0) return i + 1;
    ++i;
  }
}

}  // namespace

std::size_t afterBracket(std::string_view text, std::size_t open) {
  return afterPartner(text, open, Within::Text);
}
std::size_t afterLocation(std::string_view text, std::size_t open) {
  return afterPartner(text, open, Within::Line);
}

}  // namespace fxs::mlir
