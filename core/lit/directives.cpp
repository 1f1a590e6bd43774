// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/directives.h"

#include <array>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/number_from.h"
#include "lit/limits.h"
#include "lit/lines.h"

namespace fxs::lit {
namespace {

constexpr std::array<std::string_view, 6> kKeywords{"RUN",      "DEFINE",      "REDEFINE",
                                                    "REQUIRES", "UNSUPPORTED", "XFAIL"};
constexpr std::size_t kShownBytes = 200;  ///< of what is too long
constexpr std::size_t kMaxDirectives = kMaxRunLines + kMaxDefinitions + kMaxConditions;

/// A keyword in a line, and what follows it.
struct Found {
  DirectiveKind kind;
  std::string_view text;  ///< not trimmed at its start, which separates words of continued lines
};

/// The keyword that ends before the `:` at `colon`, if it is a word by itself.
std::optional<DirectiveKind> keywordBefore(std::string_view line, std::size_t colon) {
  std::size_t begin = colon;
  while (begin > 0 && (isWordChar(line[begin - 1]) || line[begin - 1] == '-')) --begin;
  const std::string_view word = line.substr(begin, colon - begin);
  for (std::size_t i = 0; i < kKeywords.size(); ++i)
    if (word == kKeywords[i]) return static_cast<DirectiveKind>(i);
  return std::nullopt;
}

std::string_view withoutEndBlanks(std::string_view text) {
  while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view withoutBeginBlanks(std::string_view text) {
  while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
  return text;
}

std::optional<Found> directiveIn(std::string_view line) {
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos;
       colon = line.find(':', colon + 1))
    if (const auto kind = keywordBefore(line, colon))
      return Found{*kind, withoutEndBlanks(line.substr(colon + 1))};
  return std::nullopt;
}

/// `%(line)`, `%(line+2)` and `%(line-1)` as numbers.
std::string withLineNumbers(std::string_view text, std::uint32_t line) {
  constexpr std::string_view kMark = "%(line";
  constexpr std::size_t kLongestLineMark = 24;
  std::string out;
  for (;;) {
    const std::size_t at = text.find(kMark);
    out += text.substr(0, at);
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at);
    const std::size_t close = text.substr(0, kLongestLineMark).find(')');
    std::string_view offset = text.substr(0, std::min(close, text.size())).substr(kMark.size());
    const bool down = offset.starts_with('-');
    if (down || offset.starts_with('+')) offset.remove_prefix(1);
    const auto number = offset.empty() ? 0 : numberFrom<std::uint16_t>(trimmed(offset));
    if (close == std::string_view::npos || !number) {
      out += kMark;
      text.remove_prefix(kMark.size());
      continue;
    }
    const std::int64_t to = std::int64_t{line} + (down ? -std::int64_t{*number} : *number);
    out += std::to_string(to);
    text.remove_prefix(close + 1);
  }
}

class DirectiveReader {
 public:
  std::vector<Directive> read(std::string_view text) {
    forEachLine(text, [&](const Line& line) { return take(line, line.range.of(text)); });
    if (isOpen_) missing();
    return std::move(out_);
  }

 private:
  void missing() {
    refuse("ends with \\ and is not continued by another " + std::string(name(out_.back().kind)) +
           ": line");
  }
  void refuse(std::string message) {
    if (out_.back().message.empty()) out_.back().message = std::move(message);
  }

  bool take(const Line& line, std::string_view text) {
    if (!isOpen_ && isEnd(text)) return false;
    const auto found = directiveIn(text);
    if (!found) return true;
    const bool continues = isOpen_ && found->kind == out_.back().kind;
    if (isOpen_ && !continues) missing();
    if (!continues && out_.size() == kMaxDirectives) return false;
    if (!continues) out_.push_back({found->kind, line.number, line.number, {}, {}});
    isOpen_ = found->text.ends_with('\\');
    append(line.number, found->text.substr(0, found->text.size() - (isOpen_ ? 1 : 0)));
    return true;
  }
  void append(std::uint32_t line, std::string_view rest) {
    Directive& open = out_.back();
    open.lastLine = line;
    if (!open.message.empty()) return;
    if (open.text.size() + rest.size() > kMaxCommandBytes) {
      refuse("is longer than " + std::to_string(kMaxCommandBytes) + " bytes");
      rest = rest.substr(0, kShownBytes);
    }
    const bool isCommand = open.kind == DirectiveKind::Run;
    if (open.text.empty() || !isCommand) rest = withoutBeginBlanks(rest);
    // As in lit, the parts of a definition are a blank apart.
    if (!open.text.empty() && !isCommand)
      open.text = std::string(withoutEndBlanks(open.text)) + " ";
    open.text += withLineNumbers(rest, line);
  }
  static bool isEnd(std::string_view text) {
    const std::size_t from = text.find_first_not_of("/#; \t");
    return from != std::string_view::npos && trimmed(text.substr(from)) == "END.";
  }

  std::vector<Directive> out_;
  bool isOpen_ = false;  ///< the last one is continued
};

}  // namespace

std::string_view name(DirectiveKind kind) { return kKeywords[static_cast<std::size_t>(kind)]; }

std::vector<Directive> directivesOf(std::string_view text) { return DirectiveReader().read(text); }

bool hasDirective(std::string_view line) { return directiveIn(line).has_value(); }

}  // namespace fxs::lit
