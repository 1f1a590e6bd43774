#include "mlir/lexer.h"

#include <algorithm>
#include <array>

#include "mlir/location_table.h"

namespace fxs::mlir {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isWord(char c) { return isLetter(c) || isDigit(c) || c == '.' || c == '$' || c == '-'; }

/// "f32", "i64", "si8", "ui8", "bf16", "index", "none", "tensor", "vector", "memref" ..
bool isTypeName(std::string_view word) {
  constexpr std::array<std::string_view, 9> kNames{"index", "none", "tensor", "vector", "memref", "tuple", "complex", "bf16", "tf32"};
  if (std::find(kNames.begin(), kNames.end(), word) != kNames.end()) return true;
  std::string_view digits = word;
  if (digits.starts_with("si") || digits.starts_with("ui")) digits.remove_prefix(2);
  else if (digits.starts_with('i') || digits.starts_with('f')) digits.remove_prefix(1);
  else return false;
  if (digits.empty() || !isDigit(digits[0])) return false;
  // f8E4M3FN and the like
  return std::all_of(digits.begin(), digits.end(), [](char c) { return isDigit(c) || (c >= 'A' && c <= 'Z'); });
}

/// The end of a type that begins at `at` with its name: parameters in `<..>` belong to it.
std::size_t typeEnd(std::string_view line, std::size_t at) {
  while (at < line.size() && isWord(line[at])) ++at;
  if (at >= line.size() || line[at] != '<') return at;
  std::size_t depth = 0;
  for (; at < line.size(); ++at) {
    if (line[at] == '"') {
      at = afterString(line, at) - 1;
      continue;
    }
    if (line[at] == '<') ++depth;
    if (line[at] == '>' && line[at - 1] != '-' && --depth == 0) return at + 1;
  }
  return line.size();
}

}  // namespace

std::vector<Token> lexLine(std::string_view line) {
  std::vector<Token> out;
  bool opExpected = true;  // at the start of a line and after `=`
  const auto add = [&](TokenKind kind, std::size_t begin, std::size_t end) { out.push_back({kind, {begin, end}}); };
  for (std::size_t i = 0; i < line.size();) {
    const char c = line[i];
    const std::size_t begin = i;
    if (c == ' ' || c == '\t' || c == '\r') {
      ++i;
      continue;
    }
    if (c == '/' && i + 1 < line.size() && line[i + 1] == '/') {
      add(TokenKind::Comment, i, line.size());
      break;
    }
    if (c == '"') {
      i = afterString(line, i);
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
        i = afterString(line, i);
      } else {
        while (i < line.size() && (isWord(line[i]) || (c == '%' && line[i] == '#'))) ++i;
      }
      add(c == '%'   ? TokenKind::Value
          : c == '@' ? TokenKind::Symbol
          : c == '^' ? TokenKind::Block
          : c == '#' ? TokenKind::Attribute
                     : TokenKind::Type,
          begin, i);
      // Results and labels stand before an operation, everything else after it.
      if (c == '@' || c == '!') opExpected = false;
      continue;
    }
    if (line.compare(i, 4, "loc(") == 0) {
      const std::size_t end = afterBalanced(line, i + 3);
      i = end == std::string_view::npos ? line.size() : end;
      add(TokenKind::Location, begin, i);
      continue;
    }
    if (isLetter(c)) {
      while (i < line.size() && isWord(line[i]) && !(line[i] == '-' && i + 1 < line.size() && line[i + 1] == '>')) ++i;
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
    if (isDigit(c) || (c == '-' && i + 1 < line.size() && isDigit(line[i + 1]))) {
      ++i;
      while (i < line.size() && (isDigit(line[i]) || isLetter(line[i]) || line[i] == '.' ||
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
