// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/check_lines.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "lit/directives.h"
#include "lit/lines.h"
#include "mlir/text/lexer.h"

namespace fxs::lit {
namespace {

using mlir::Token;
using mlir::TokenKind;

constexpr std::string_view kAnyName = "[A-Za-z0-9_$.-]+";
/// Groups of a pattern that FileCheck can refer back to.
constexpr std::size_t kMostGroups = 9;

/// Text that a pattern matches as it is: what FileCheck would read as a variable or an expression
/// is escaped.
std::string escaped(std::string_view text) {
  const bool hidesColons = hasDirective(text);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    // Brackets in a row, since `{` before `{{` would be the start of an expression.
    std::size_t end = i;
    while (end < text.size() && (text[end] == '[' || text[end] == '{')) ++end;
    const std::string_view run = text.substr(i, end - i);
    if (run.find("[[") != std::string_view::npos || run.find("{{") != std::string_view::npos) {
      out += "{{";
      for (const char c : run) (out += '\\') += c;
      out += "}}";
    } else if (run.empty()) {
      if (hidesColons && text[i] == ':') out += "{{:}}";
      else out += text[i];
      end = i + 1;
    } else {
      out += run;
    }
    i = end;
  }
  return out;
}

bool isPunctuation(std::string_view line, const Token& token, std::string_view text) {
  return token.kind == TokenKind::Punctuation && token.range.of(line) == text;
}

/// The number of tokens before the `=` of `%0 = ..`, `%1:2 = ..`, `%a, %b = ..`, `#map = ..`; 0 for
/// another line.
std::size_t definedTokens(std::string_view line, const std::vector<Token>& tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const TokenKind kind = tokens[i].kind;
    if (isPunctuation(line, tokens[i], "=")) return i;
    const bool isPart = kind == TokenKind::Value || kind == TokenKind::Number ||
                        isPunctuation(line, tokens[i], ":") || isPunctuation(line, tokens[i], ",");
    if (!isPart && !(i == 0 && kind == TokenKind::Attribute)) return 0;
  }
  return 0;
}

/// The index of the `(` of the arguments in `func.func private @f(`; 0 for another line.
std::size_t functionArguments(std::string_view line, const std::vector<Token>& tokens) {
  if (tokens.empty() || tokens[0].kind != TokenKind::Operation) return 0;
  const std::string_view name = tokens[0].range.of(line);
  if (name != "func" && !name.ends_with(".func")) return 0;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].kind == TokenKind::Symbol)
      return isPunctuation(line, tokens[i + 1], "(") ? i + 1 : 0;
    if (tokens[i].kind != TokenKind::Keyword) return 0;
  }
  return 0;
}

class CheckWriter {
 public:
  explicit CheckWriter(std::string_view prefix) : prefix_(prefix) {}

  std::string write(std::string_view output) {
    forEachLine(output, [&](const Line& line) {
      take(line.range.of(output));
      return true;
    });
    return std::move(out_);
  }

 private:
  void take(std::string_view line) {
    if (isLeftOut(line)) return;
    std::vector<Token> tokens = mlir::lexLine(line);
    if (!tokens.empty() && tokens.back().kind == TokenKind::Comment) tokens.pop_back();
    if (tokens.empty()) return;
    line_ = line;
    defined_ = definedTokens(line, tokens);
    hasLabel_ = tokens[0].kind == TokenKind::Block;
    isOneDefinition_ = defined_ > 0 && line.find('=') == line.rfind('=');
    if (const std::size_t open = functionArguments(line, tokens)) return function(tokens, open);
    begin("");
    for (std::size_t i = 0; i < tokens.size(); ++i) token(tokens, i);
    end();
  }

  bool isLeftOut(std::string_view line) {
    if (line.starts_with("{-#")) inResources_ = true;
    if (inResources_) {
      inResources_ = line.find("#-}") == std::string_view::npos;
      return true;
    }
    if (line.starts_with("#loc")) return true;
    const bool opens = line.starts_with("module") && trimmed(line).ends_with('{') &&
                       !(line.size() > 6 && isWordChar(line[6]));
    if (opens) return inModule_ = true;
    return line.starts_with('}') && std::exchange(inModule_, false);
  }

  /// A label with no variables, and a line for each argument.
  void function(const std::vector<Token>& tokens, std::size_t open) {
    known_.clear();
    begin("-LABEL");
    const bool hasArguments = std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
      return token.kind == TokenKind::Value;
    });
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (!hasArguments && tokens[i].kind != TokenKind::Location) {
        text(tokens[i]);
        continue;
      }
      if (tokens[i].kind == TokenKind::Value) begin("-SAME");
      if (i <= open) text(tokens[i]);
      else token(tokens, i);
    }
    end();
  }

  /// Begins a directive, whose pattern is collected until end().
  void begin(std::string_view suffix) {
    end();
    suffix_ = suffix;
    captured_.clear();
    groups_ = 0;
  }
  void end() {
    flush();
    const std::string_view pattern = trimmed(pattern_);
    if (!pattern.empty()) {
      out_.append("// ").append(prefix_).append(suffix_).append(": ");
      if (suffix_ == "-SAME") out_ += "  ";
      out_.append(pattern).append("\n");
    }
    pattern_.clear();
    last_ = std::string_view::npos;
  }
  void flush() {
    const std::string text = escaped(literal_);
    for (std::size_t at = text.find("{{"); at != std::string::npos; at = text.find("{{", at + 2))
      ++groups_;
    pattern_ += text;
    literal_.clear();
  }

  /// A token as it is, with the blanks before it.
  void text(const Token& token) {
    if (last_ != std::string_view::npos) literal_ += line_.substr(last_, token.range.begin - last_);
    literal_ += token.range.of(line_);
    last_ = token.range.end;
  }

  void token(const std::vector<Token>& tokens, std::size_t i) {
    const Token& token = tokens[i];
    if (token.kind == TokenKind::Location) {
      // What follows it in the line is searched for after it.
      if (i + 1 < tokens.size()) begin("-SAME");
      return;
    }
    const std::string_view shown = token.range.of(line_);
    const std::string_view name =
        token.kind == TokenKind::Value ? shown.substr(0, shown.find('#')) : shown;
    const bool isAlias =
        token.kind == TokenKind::Attribute && (aliases_.contains(name) || (i == 0 && defined_ > 0));
    if (token.kind != TokenKind::Value && !isAlias) return text(token);
    if (isAlias) aliases_.emplace(name);
    const bool defines = i < defined_ || hasLabel_ || (!isAlias && !known_.contains(name));
    text(Token{token.kind, {token.range.begin, token.range.begin + 1}});
    flush();
    if (defines && !captured_.contains(name)) define(name, isAlias);
    else use(name);
    literal_ += shown.substr(name.size());
    last_ = token.range.end;
  }
  void define(std::string_view name, bool isAlias) {
    // Only with one definition in the line, any text is surely the name.
    const std::string_view any = isAlias ? ".+" : ".*";
    pattern_ +=
        "[[" + variableOf(name) + ":" + std::string(isOneDefinition_ ? any : kAnyName) + "]]";
    captured_.emplace(name, ++groups_);
    known_.emplace(name);
    if (isAlias) isOneDefinition_ = false;
  }
  void use(std::string_view name) {
    const auto here = captured_.find(name);
    if (here != captured_.end() && here->second > kMostGroups)
      pattern_.append("{{").append(kAnyName).append("}}");
    else pattern_ += "[[" + variableOf(name) + "]]";
  }

  /// "ARG0" for `%arg0`, "V0" for `%0`, "$MAP" for `#map`, which is valid beyond a label.
  std::string variableOf(std::string_view name) {
    if (const auto known = variables_.find(name); known != variables_.end()) return known->second;
    std::string out = name[0] == '#' ? "$" : "";
    if (name.size() < 2 || !isLetter(name[1])) out += 'V';
    for (const char c : name.substr(1)) {
      if (isLower(c)) out += static_cast<char>(c - 'a' + 'A');
      else out += isAlnum(c) ? c : '_';
    }
    // lit would read `[[RUN:.*]]` as a RUN line.
    if (hasDirective(out + ":")) out += '_';
    const std::string base = out;
    for (std::size_t number = 2; !taken_.insert(out).second; ++number)
      out = base + "_" + std::to_string(number);
    variables_.emplace(name, out);
    return out;
  }

  const std::string_view prefix_;
  std::string_view line_, suffix_;
  std::string out_, pattern_, literal_;
  std::size_t last_ = std::string_view::npos;  ///< where the text of the pattern ends in the line
  std::map<std::string, std::string, std::less<>> variables_;
  std::set<std::string, std::less<>> taken_;
  std::set<std::string, std::less<>> known_;                  ///< values that have a value here
  std::set<std::string, std::less<>> aliases_;                ///< `#map`
  std::map<std::string, std::size_t, std::less<>> captured_;  ///< in this directive, with its group
  std::size_t groups_ = 0;
  std::size_t defined_ = 0;
  bool hasLabel_ = false, isOneDefinition_ = false, inResources_ = false, inModule_ = false;
};

}  // namespace

std::string checkLinesFor(std::string_view output, std::string_view prefix) {
  return CheckWriter(prefix).write(output);
}

}  // namespace fxs::lit
