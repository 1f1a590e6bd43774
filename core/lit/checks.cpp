// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/checks.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/number_from.h"
#include "lit/limits.h"
#include "lit/lines.h"

namespace fxs::lit {
namespace {

constexpr std::array<std::string_view, 8> kSuffixes{"",       "-NEXT", "-SAME",  "-DAG",
                                                    "-LABEL", "-NOT",  "-EMPTY", "-COUNT"};

bool isPartOfName(char c) { return isWordChar(c) || c == '-'; }

/// The directive whose prefix ends at `at` in the line; std::nullopt if there is none.
std::optional<Check> directiveAt(std::string_view line, std::size_t begin, std::size_t at) {
  Check out;
  out.prefix = {begin, at};
  for (std::size_t i = kSuffixes.size(); i-- > 1;)
    if (line.substr(at).starts_with(kSuffixes[i])) {
      out.kind = static_cast<CheckKind>(i);
      at += kSuffixes[i].size();
      break;
    }
  if (out.kind == CheckKind::Count) {
    std::size_t end = std::min(at + 1, line.size());
    while (end < line.size() && isDigit(line[end])) ++end;
    const auto count = numberFrom<std::uint32_t>(line.substr(std::min(at + 1, end), end - at - 1));
    if (at >= line.size() || line[at] != '-' || !count) return std::nullopt;
    out.count = *count;
    at = end;
  }
  out.directive = {begin, at};
  if (line.substr(at).starts_with("{LITERAL}")) {
    out.isLiteral = true;
    at += 9;
  }
  if (at >= line.size() || line[at] != ':') return std::nullopt;
  const std::string_view pattern = trimmed(line.substr(at + 1));
  const std::size_t from =
      pattern.empty() ? line.size() : static_cast<std::size_t>(pattern.data() - line.data());
  out.pattern = {from, from + pattern.size()};
  return out;
}

/// The first directive of a prefix in a line.
std::optional<Check> checkIn(std::string_view line, std::string_view prefix) {
  for (std::size_t at = line.find(prefix); at != std::string_view::npos;
       at = line.find(prefix, at + prefix.size())) {
    if (at > 0 && isPartOfName(line[at - 1])) continue;
    if (const auto check = directiveAt(line, at, at + prefix.size())) return check;
  }
  return std::nullopt;
}

bool isCommentBefore(std::string_view line, std::size_t at) {
  const std::array<std::string_view, 2> kComments{"COM", "RUN"};
  return std::any_of(kComments.begin(), kComments.end(), [&](std::string_view comment) {
    const auto found = checkIn(line.substr(0, at), comment);
    return found && found->kind == CheckKind::Plain;
  });
}

TextRange moved(TextRange range, std::size_t by) { return {range.begin + by, range.end + by}; }

}  // namespace

std::string_view suffix(CheckKind kind) { return kSuffixes[static_cast<std::size_t>(kind)]; }

std::vector<Check> checksOf(std::string_view text, const std::vector<std::string>& prefixes) {
  std::vector<Check> out;
  forEachLine(text, [&](const Line& line) {
    const std::string_view shown = line.range.of(text);
    std::optional<Check> first;
    for (std::size_t i = 0; i < std::min(prefixes.size(), kMaxPrefixes); ++i) {
      const auto check = prefixes[i].empty() ? std::nullopt : checkIn(shown, prefixes[i]);
      if (check && (!first || check->prefix.begin < first->prefix.begin)) first = check;
    }
    if (!first || isCommentBefore(shown, first->prefix.begin)) return true;
    first->line = line.number;
    for (TextRange* range : {&first->prefix, &first->directive, &first->pattern})
      *range = moved(*range, line.range.begin);
    out.push_back(*first);
    return out.size() < kMaxChecks;
  });
  return out;
}

}  // namespace fxs::lit
