// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/text_cursor.h"

#include <charconv>

#include "fx/text_words.h"

namespace fxs::fx {

namespace {
constexpr std::size_t kShownOfLine = 40;  // characters of the line in a message
}

tl::unexpected<Error> TextCursor::wrong(std::string message) const {
  return fail(ErrorCode::InvalidInput,
              "line " + std::to_string(number_) + ": " + std::move(message));
}

tl::unexpected<Error> TextCursor::expected(std::string_view message) const {
  std::string rest(line_.substr(std::min(at_, line_.size()), kShownOfLine));
  return wrong("expected " + std::string(message) + ", got " +
               (rest.empty() ? "the end of the line" : "'" + rest + "'"));
}

void TextCursor::skipBlanks() {
  while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t')) ++at_;
}

bool TextCursor::atEnd() {
  skipBlanks();
  return at_ == line_.size();
}

bool TextCursor::startsWith(std::string_view text) {
  skipBlanks();
  return line_.substr(at_).starts_with(text);
}

bool TextCursor::consume(std::string_view text) {
  if (!startsWith(text)) return false;
  at_ += text.size();
  return true;
}

Result<> TextCursor::expect(std::string_view text) {
  if (consume(text)) return {};
  return expected("'" + std::string(text) + "'");
}

std::string_view TextCursor::word() {
  skipBlanks();
  std::size_t begin = at_;
  while (at_ < line_.size() && (isWordChar(line_[at_]) || line_[at_] == '.')) ++at_;
  return line_.substr(begin, at_ - begin);
}

Result<std::string> TextCursor::quoted() {
  skipBlanks();
  if (at_ == line_.size() || (line_[at_] != '\'' && line_[at_] != '"'))
    return expected("a quoted string");
  const char quote = line_[at_++];
  std::string out;
  for (; at_ < line_.size() && line_[at_] != quote; ++at_) {
    if (line_[at_] != '\\') {
      out += line_[at_];
      continue;
    }
    if (++at_ == line_.size()) break;
    switch (line_[at_]) {
      case 'n': out += '\n'; break;
      case 't': out += '\t'; break;
      case 'r': out += '\r'; break;
      case 'x': {
        unsigned code = 0;
        const char* begin = line_.data() + at_ + 1;
        if (at_ + 2 >= line_.size() || std::from_chars(begin, begin + 2, code, 16).ptr != begin + 2)
          return wrong("'\\x' needs two hex digits");
        out += static_cast<char>(code);
        at_ += 2;
        break;
      }
      default: out += line_[at_];
    }
  }
  if (at_ == line_.size()) return wrong("unterminated string");
  ++at_;
  return out;
}

Result<std::string> TextCursor::nameOrString() {
  if (startsWith("'") || startsWith("\"")) return quoted();
  std::string_view name = word();
  if (name.empty()) return expected("a name");
  return std::string(name);
}

Result<std::string> TextCursor::target() {
  if (startsWith("'") || startsWith("\"")) return quoted();
  std::size_t begin = at_;
  while (at_ < line_.size() && isPlainTarget(line_.substr(at_, 1))) ++at_;
  if (begin == at_) return expected("a target");
  std::string_view text = line_.substr(begin, at_ - begin);
  if (text.starts_with("torch.ops.")) return std::string(text.substr(10));
  if (text.starts_with("operator.")) return "_" + std::string(text);
  return std::string(text);
}

Result<std::int64_t> TextCursor::integer() {
  skipBlanks();
  std::int64_t out = 0;
  auto [end, error] = std::from_chars(line_.data() + at_, line_.data() + line_.size(), out);
  if (error != std::errc()) return expected("an integer");
  at_ = static_cast<std::size_t>(end - line_.data());
  return out;
}

}  // namespace fxs::fx
