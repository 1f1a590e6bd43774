// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/resources.h"

#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

constexpr std::string_view kOpens = "{-#";
constexpr std::string_view kCloses = "#-}";

/// The content of the metadata at the end of the text. It begins at the start of a line, where no
/// string of the module can.
std::string_view metadataOf(std::string_view text) {
  std::size_t begin = text.starts_with(kOpens) ? 0 : std::string_view::npos;
  if (begin != 0) {
    begin = text.find("\n{-#");
    if (begin == std::string_view::npos) return {};
    ++begin;
  }
  begin += kOpens.size();
  const std::size_t end = text.rfind(kCloses);
  return end == std::string_view::npos || end < begin ? text.substr(begin)
                                                      : text.substr(begin, end - begin);
}

std::string_view withoutQuotes(std::string_view quoted) {
  const bool terminated = quoted.size() > 1 && quoted.ends_with('"');
  return quoted.substr(1, terminated ? quoted.size() - 2 : std::string_view::npos);
}

/// Whether these open braces are those of the resources.
bool holdsResources(const std::vector<std::string_view>& path) {
  return path.size() == 2 && path[0] == "dialect_resources" && path[1] == "builtin";
}

}  // namespace

bool isBare(std::string_view name) {
  return !name.empty() && is(name[0], kLetter) && afterAll(name, 0, kWord) == name.size();
}

std::map<std::string_view, std::string_view> resourcesOf(std::string_view moduleText) {
  std::map<std::string_view, std::string_view> out;
  const std::string_view text = metadataOf(moduleText);
  std::vector<std::string_view> path;  // of the open braces
  std::string_view key, last;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || is(c, kWord)) {
      const std::size_t end = c == '"' ? afterQuoted(text, at) : afterAll(text, at, kWord);
      const std::string_view raw = text.substr(at, end - at);
      const std::string_view word = c == '"' ? withoutQuotes(raw) : raw;
      if (key.empty()) last = word;
      else if (holdsResources(path)) out.insert_or_assign(key, word);
      at = end;
      continue;
    }
    if (c == ':') key = last;
    if (c == '{') path.push_back(key);
    if (c == '}' && !path.empty()) path.pop_back();
    if (c == '{' || c == '}' || c == ',') key = {};
    ++at;
  }
  return out;
}

std::string Resources::add(std::string_view key, std::optional<std::string_view> data) {
  std::vector<std::size_t>& named = byName_[std::string(key)];
  for (const std::size_t number : named)
    if (const auto& have = entries_[number].data; data ? have && *have == *data : !have)
      return entries_[number].key;
  std::string made(key);
  for (std::size_t i = 0; byKey_.contains(made); ++i)
    made = std::string(key) + "_" + std::to_string(i);
  byKey_.emplace(made, entries_.size());
  named.push_back(entries_.size());
  entries_.push_back({made, data ? std::make_shared<const std::string>(*data) : nullptr});
  return made;
}

std::string Resources::text() const {
  std::string out;
  for (const Entry& entry : entries_) {
    if (!entry.data) continue;
    out += out.empty() ? "\n{-#\n  dialect_resources: {\n    builtin: {\n" : ",\n";
    out += "      " + (isBare(entry.key) ? entry.key : "\"" + entry.key + "\"") + ": \"" +
           *entry.data + "\"";
  }
  return out.empty() ? out : out + "\n    }\n  }\n#-}\n";
}

}  // namespace fxs::mlir
