// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glossary.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/take_until.h"
#include "command.h"
#include "diagnose/diagnosis.h"

namespace fxs::resource {
std::string_view glossary();
}

namespace fxs::cli {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return std::string(text.substr(begin, text.find_last_not_of(' ') + 1 - begin));
}

/// Markdown without emphasis, code and links: "[security](security.md)" is "security".
std::string withoutMarkup(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '*' || c == '`' || c == '[') continue;
    if (c != ']') out += c;
    else if (text.starts_with('(')) takeUntil(')', text);
  }
  return out;
}

/// "| **origin, provenance** | The FX nodes .. |"; without names if it is not such a row.
GlossaryEntry entryOf(std::string_view row) {
  GlossaryEntry out;
  if (!row.starts_with("| **") || !row.ends_with(" |")) return out;
  row.remove_prefix(1);
  row.remove_suffix(1);
  const std::string names = withoutMarkup(takeUntil('|', row));
  for (std::string_view rest = names; !rest.empty();)
    out.names.push_back(trimmed(takeUntil(',', rest)));
  out.meaning = withoutMarkup(trimmed(row));
  return out;
}

std::string lowerCase(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool hasWord(std::string_view name, std::string_view word) {
  const std::string words = " " + lowerCase(name) + " ";
  return words.find(" " + std::string(word) + " ") != std::string::npos;
}

}  // namespace

std::vector<GlossaryEntry> glossary() {
  std::vector<GlossaryEntry> out;
  std::string_view rest = resource::glossary();
  while (!rest.empty())
    if (GlossaryEntry entry = entryOf(takeUntil('\n', rest)); !entry.names.empty())
      out.push_back(std::move(entry));
  for (int i = 0; i < diagnose::kKindCount; ++i) {
    const auto kind = static_cast<diagnose::Kind>(i);
    out.push_back({{std::string(diagnose::name(kind))},
                   "A reason for which an operation does not lower: " +
                       std::string(diagnose::title(kind)) + "."});
  }
  for (const auto& [code, meaning] : kExitCodes)
    out.push_back(
        {{"exit code " + std::to_string(code), std::to_string(code)}, std::string(meaning) + "."});
  return out;
}

std::vector<GlossaryEntry> explanationsOf(std::string_view word) {
  const std::string wanted = lowerCase(trimmed(word));
  std::vector<GlossaryEntry> same, similar;
  for (GlossaryEntry& entry : glossary()) {
    const auto any = [&](auto is) {
      return std::any_of(entry.names.begin(), entry.names.end(), is);
    };
    if (any([&](const std::string& name) { return lowerCase(name) == wanted; }))
      same.push_back(std::move(entry));
    else if (any([&](const std::string& name) { return hasWord(name, wanted); }))
      similar.push_back(std::move(entry));
  }
  return same.empty() ? similar : same;
}

}  // namespace fxs::cli
