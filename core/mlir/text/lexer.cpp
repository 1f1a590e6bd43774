// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/lexer.h"

#include <algorithm>
#include <array>
#include <utility>

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

bool isSigil(char c) { return c == '%' || c == '@' || c == '^' || c == '#' || c == '!'; }

bool continuesNumber(char c, char before) {
  if (c == '+' || c == '-') return before == 'e' || before == 'E';
  return c == '.' || is(c, kDigit | kLetter);
}

class LineLexer {
 public:
  explicit LineLexer(std::string_view line) : line_(line) {}
  std::vector<Token> run() {
    while (at_ < line_.size()) token();
    return std::move(out_);
  }

 private:
  char next() const { return at_ + 1 < line_.size() ? line_[at_ + 1] : '\0'; }
  bool isAt(char c) const { return at_ < line_.size() && line_[at_] == c; }
  void add(TokenKind kind, std::size_t end) {
    out_.push_back({kind, {at_, end}});
    at_ = end;
  }

  void token() {
    const char c = line_[at_];
    if (is(c, kBlank)) ++at_;
    else if (c == '/' && next() == '/') add(TokenKind::Comment, line_.size());
    else if (c == '"') quoted();
    else if (isSigil(c)) name();
    else if (line_.compare(at_, 4, "loc(") == 0)
      add(TokenKind::Location, std::min(afterBracket(line_, at_ + 3), line_.size()));
    else if (is(c, kLetter)) word();
    else if (is(c, kDigit) || (c == '-' && is(next(), kDigit))) number();
    else punctuation();
  }
  void quoted() {
    add(TokenKind::String, afterQuoted(line_, at_));
    if (opExpected_ && isAt('(')) out_.back().kind = TokenKind::Operation;
    opExpected_ = false;
  }
  void name() {
    const char sigil = line_[at_];
    add(kindOfSigil(sigil), nameEnd());
    // Results and labels precede an operation, everything else follows it.
    if (sigil == '@' || sigil == '!') opExpected_ = false;
  }
  std::size_t nameEnd() const {
    const char sigil = line_[at_];
    if (sigil == '!') return typeEnd(line_, at_ + 1);
    if (sigil == '@' && next() == '"') return afterQuoted(line_, at_ + 1);
    const std::size_t end = afterName(line_, at_);
    const bool numbered = sigil == '%' && end < line_.size() && line_[end] == '#';
    return numbered ? afterAll(line_, end + 1, kDigit) : end;
  }
  void word() {
    const std::size_t end = afterWord(line_, at_);
    if (isTypeName(line_.substr(at_, end - at_))) add(TokenKind::Type, typeEnd(line_, at_));
    else add(opExpected_ ? TokenKind::Operation : TokenKind::Keyword, end);
    opExpected_ = false;
  }
  void number() {
    std::size_t end = at_ + 1;
    while (end < line_.size() && continuesNumber(line_[end], line_[end - 1])) ++end;
    add(TokenKind::Number, end);
  }
  void punctuation() {
    const char c = line_[at_];
    add(TokenKind::Punctuation, at_ + (c == '-' && next() == '>' ? 2 : 1));
    const bool endsLabel = c == ':' && out_.size() == 2 && out_.front().kind == TokenKind::Block;
    opExpected_ = c == '=' || endsLabel;
  }

  const std::string_view line_;
  std::size_t at_ = 0;
  bool opExpected_ = true;  ///< at the start of a line and after `=`
  std::vector<Token> out_;
};

}  // namespace

std::vector<Token> lexLine(std::string_view line) { return LineLexer(line).run(); }

}  // namespace fxs::mlir
