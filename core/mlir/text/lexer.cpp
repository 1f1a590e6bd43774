// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/lexer.h"

#include <algorithm>
#include <array>

#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

/// "f32", "i64", "si8", "ui8", "bf16", "index", "none", "tensor", "vector", "memref" ..
bool isTypeName(std::string_view word) {
  constexpr std::array<std::string_view, 9> kNames{"index", "none",    "tensor", "vector", "memref",
                                                   "tuple", "complex", "bf16",   "tf32"};
  if (std::find(kNames.begin(), kNames.end(), word) != kNames.end()) return true;
  std::string_view digits = word;
  if (digits.starts_with("si") || digits.starts_with("ui")) digits.remove_prefix(2);
  else if (digits.starts_with('i') || digits.starts_with('f')) digits.remove_prefix(1);
  else return false;
  if (digits.empty() || !is(digits[0], kDigit)) return false;
  // f8E4M3FN and the like
  return std::all_of(digits.begin(), digits.end(),
                     [](char c) { return is(c, kDigit) || (c >= 'A' && c <= 'Z'); });
}

/// The kind of a name by its first character.
TokenKind kindOfSigil(char sigil) {
  switch (sigil) {
    case '%': return TokenKind::Value;
    case '@': return TokenKind::Symbol;
    case '^': return TokenKind::Block;
    case '#': return TokenKind::Attribute;
    default: return TokenKind::Type;
  }
}

/// The end of a type that begins at `at` with its name: parameters in `<..>` belong to it.
std::size_t typeEnd(std::string_view line, std::size_t at) {
  at = afterWord(line, at);
  return at < line.size() && line[at] == '<' ? std::min(afterBracket(line, at), line.size()) : at;
}

}  // namespace

std::vector<Token> lexLine(std::string_view line) {
  std::vector<Token> out;
  bool opExpected = true;  // at the start of a line and after `=`
  const auto add = [&](TokenKind kind, std::size_t begin, std::size_t end) {
    out.push_back({kind, {begin, end}});
  };
  for (std::size_t i = 0; i < line.size();) {
    const char c = line[i];
    const std::size_t begin = i;
    if (is(c, kBlank)) {
      ++i;
      continue;
    }
    if (c == '/' && i + 1 < line.size() && line[i + 1] == '/') {
      add(TokenKind::Comment, i, line.size());
      break;
    }
    if (c == '"') {
      i = afterQuoted(line, i);
      const bool op = opExpected && i < line.size() && line[i] == '(';
      add(op ? TokenKind::Operation : TokenKind::String, begin, i);
      opExpected = false;
      continue;
    }
    if (c == '%' || c == '@' || c == '^' || c == '#' || c == '!') {
      ++i;
      if (c == '!') {
        i = typeEnd(line, i);
      } else if (c == '@' && i < line.size() && line[i] == '"') {
        i = afterQuoted(line, i);
      } else {
        i = afterName(line, begin);
        if (c == '%' && i < line.size() && line[i] == '#') i = afterAll(line, i + 1, kDigit);
      }
      add(kindOfSigil(c), begin, i);
      // Results and labels precede an operation, everything else follows it.
      if (c == '@' || c == '!') opExpected = false;
      continue;
    }
    if (line.compare(i, 4, "loc(") == 0) {
      i = std::min(afterBracket(line, i + 3), line.size());
      add(TokenKind::Location, begin, i);
      continue;
    }
    if (is(c, kLetter)) {
      i = afterWord(line, i);
      const std::string_view word = line.substr(begin, i - begin);
      if (isTypeName(word)) {
        i = typeEnd(line, begin);
        add(TokenKind::Type, begin, i);
      } else if (opExpected) {
        add(TokenKind::Operation, begin, i);
      } else {
        add(TokenKind::Keyword, begin, i);
      }
      opExpected = false;
      continue;
    }
    if (is(c, kDigit) || (c == '-' && i + 1 < line.size() && is(line[i + 1], kDigit))) {
      ++i;
      while (i < line.size() &&
             (is(line[i], kDigit | kLetter) || line[i] == '.' ||
              ((line[i] == '+' || line[i] == '-') && (line[i - 1] == 'e' || line[i - 1] == 'E'))))
        ++i;
      add(TokenKind::Number, begin, i);
      continue;
    }
    i += (c == '-' && i + 1 < line.size() && line[i + 1] == '>') ? 2 : 1;
    add(TokenKind::Punctuation, begin, i);
    opExpected = c == '=' || (c == ':' && out.size() == 2 && out.front().kind == TokenKind::Block);
  }
  return out;
}

}  // namespace fxs::mlir
