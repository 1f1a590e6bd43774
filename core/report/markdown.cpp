// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/markdown.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/safe_text.h"

namespace fxs::report {
namespace {

/// The longest run of backticks in `text`.
std::size_t backticks(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

/// Whether GitHub would link the text after the next character even if escaped: @user, #12,
/// https://, www. (GFM, 6.9).
bool links(std::string_view before, std::string_view rest) {
  const char next = rest.size() > 1 ? rest[1] : ' ';
  switch (rest[0]) {
    case '@':
    case '#': return isWordChar(next);
    case ':': return rest.starts_with("://");
    case '.':
      return before.size() >= 3 && std::equal(before.end() - 3, before.end(), "www",
                                              [](char a, char b) { return (a | 0x20) == b; });
    default: return false;
  }
}

/// Replaces line breaks by blanks.
std::string onOneLine(std::string_view text) {
  std::string out(text);
  std::replace_if(out.begin(), out.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return printable(out);
}

/// Length of a marker at the start of a line that would begin a list or underline a heading.
std::size_t markerAt(std::string_view line) {
  if (line.starts_with('-') || line.starts_with('+') || line.starts_with('=')) return 1;
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  const std::string_view after = line.substr(digits);
  return digits > 0 && (after.starts_with(". ") || after.starts_with(") ") || after == "." ||
                        after == ")")
             ? digits + 1
             : 0;
}

}  // namespace

std::string markdownCode(std::string_view text) {
  const std::string line = onOneLine(text);
  if (line.empty()) return "` `";
  const std::string fence(backticks(line) + 1, '`');
  const std::string_view space = fence.size() > 1 ? " " : "";
  return fmt::format("{}{}{}{}{}", fence, space, line, space, fence);
}

std::string markdownText(std::string_view text) {
  const std::string line = onOneLine(text);
  const std::size_t marker = markerAt(line);
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (i + 1 == marker || std::string_view("\\`*_{}[]<>#|~&!").find(c) != std::string_view::npos)
      out += '\\';
    out += c;
    // An empty comment breaks up what would become a link.
    if (links(std::string_view(line).substr(0, i), std::string_view(line).substr(i)))
      out += "<!-- -->";
  }
  return out;
}

std::string markdownBlock(std::string_view text, std::string_view language) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::string lines = printableLines(text);
  const std::string fence(std::max<std::size_t>(3, backticks(lines) + 1), '`');
  return fmt::format("{}{}\n{}\n{}\n", fence, language, lines, fence);
}

}  // namespace fxs::report
