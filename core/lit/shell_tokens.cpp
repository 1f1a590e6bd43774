// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/shell_tokens.h"

#include <utility>

#include "base/ascii.h"
#include "lit/limits.h"

namespace fxs::lit {
namespace {

constexpr std::string_view kVariable = "has a variable or a command of a shell ($)";

class ShellLexer {
 public:
  explicit ShellLexer(std::string_view line) : line_(line) {}

  ShellTokens run() {
    if (line_.find('\0') != std::string_view::npos) refuse("has a NUL, which ends words");
    while (out_.message.empty() && at_ < line_.size()) {
      if (isSpace(line_[at_])) ++at_;
      else if (isOperator(line_[at_])) takeOperator();
      else takeWord();
      if (out_.tokens.size() > kMaxWords) refuse("has too many words");
    }
    return std::move(out_);
  }

 private:
  static bool isOperator(char c) {
    return c == '|' || c == '&' || c == '<' || c == '>' || c == ';';
  }
  bool isAt(std::string_view text) const { return line_.substr(at_).starts_with(text); }
  void refuse(std::string_view message) {
    if (out_.message.empty()) out_.message = message;
  }

  void takeOperator() {
    struct Operator {
      std::string_view text;
      ShellToken::Kind kind;
      std::string_view refusal;
    };
    using Kind = ShellToken::Kind;
    // Longer ones first.
    static constexpr Operator kOperators[] = {
        {"&>>", Kind::Redirect, {}},
        {"<<", Kind::Redirect, "has a here-document (<<)"},
        {"<(", Kind::Redirect, "has a process substitution (<(..))"},
        {">(", Kind::Redirect, "has a process substitution (>(..))"},
        {"<&", Kind::Redirect, "duplicates an input (<&)"},
        {"<>", Kind::Redirect, "opens a file for reading and writing (<>)"},
        {">|", Kind::Redirect, "forces a redirection (>|)"},
        {"||", Kind::Pipe, "has commands that run after a failure (||)"},
        {"|&", Kind::Pipe, "has a pipe of errors (|&); `2>&1 |` is understood"},
        {"&&", Kind::And, {}},
        {"&>", Kind::Redirect, {}},
        {">>", Kind::Redirect, {}},
        {">&", Kind::Redirect, {}},
        {"|", Kind::Pipe, {}},
        {"<", Kind::Redirect, {}},
        {">", Kind::Redirect, {}},
        {"&", Kind::And, "starts a command in the background (&)"},
        {";", Kind::And, "has several commands separated by `;`"},
    };
    for (const Operator& op : kOperators) {
      if (!isAt(op.text)) continue;
      if (!op.refusal.empty()) refuse(op.refusal);
      out_.tokens.push_back({op.kind, std::string(op.text), -1, true});
      at_ += op.text.size();
      return;
    }
  }

  void takeWord() {
    ShellToken word;
    if (const char c = line_[at_]; c == '#' || c == '~' || c == '(' || c == ')')
      refuse("has a word that begins with `" + std::string(1, c) + "`, which only a shell knows");
    while (out_.message.empty() && at_ < line_.size() && !isSpace(line_[at_]) &&
           !isOperator(line_[at_]))
      takePart(word);
    const bool isStream = word.isPlain && word.text.size() == 1 && isDigit(word.text[0]) &&
                          at_ < line_.size() && (line_[at_] == '<' || line_[at_] == '>');
    if (!isStream) {
      out_.tokens.push_back(std::move(word));
      return;
    }
    takeOperator();
    out_.tokens.back().stream = word.text[0] - '0';
  }

  /// A character or a quoted part of a word.
  void takePart(ShellToken& word) {
    const char c = line_[at_];
    if (c == '\'' || c == '"' || c == '\\') word.isPlain = false;
    if (c == '\'') {
      takeSingleQuoted(word.text);
    } else if (c == '"') {
      takeDoubleQuoted(word.text);
    } else if (c == '\\') {
      if (at_ + 1 == line_.size()) return refuse("ends with a backslash");
      word.text += line_[at_ + 1];
      at_ += 2;
    } else {
      if (c == '*' || c == '?') return refuse("has a pattern for file names (* or ?)");
      takePlain(word.text);
    }
  }
  /// What a shell would expand also in double quotes.
  void takePlain(std::string& text) {
    const char c = line_[at_];
    const char next = at_ + 1 < line_.size() ? line_[at_ + 1] : ' ';
    constexpr std::string_view kSpecial = "({*@#?-$!'\"";
    if (c == '`') return refuse("has a command in backticks");
    if (c == '$' && (isWordChar(next) || kSpecial.find(next) != std::string_view::npos))
      return refuse(kVariable);
    text += c;
    ++at_;
  }
  void takeSingleQuoted(std::string& text) {
    const std::size_t close = line_.find('\'', at_ + 1);
    if (close == std::string_view::npos) return refuse("has a quote that is not closed (')");
    text += line_.substr(at_ + 1, close - at_ - 1);
    at_ = close + 1;
  }
  void takeDoubleQuoted(std::string& text) {
    constexpr std::string_view kEscaped = "\"\\$`";
    for (++at_; out_.message.empty() && at_ < line_.size();) {
      if (line_[at_] == '"') {
        ++at_;
        return;
      }
      const char next = at_ + 1 < line_.size() ? line_[at_ + 1] : ' ';
      if (line_[at_] == '\\' && kEscaped.find(next) != std::string_view::npos) {
        text += next;
        at_ += 2;
      } else if (line_[at_] == '$' && next == '"') {
        text += '$';
        ++at_;
      } else {
        takePlain(text);
      }
    }
    refuse("has a quote that is not closed (\")");
  }

  const std::string_view line_;
  std::size_t at_ = 0;
  ShellTokens out_;
};

}  // namespace

ShellTokens shellTokens(std::string_view line) { return ShellLexer(line).run(); }

}  // namespace fxs::lit
