// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lsp_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/safe_text.h"

namespace fxs::cli {
namespace {

constexpr std::string_view kScheme = "file://";
constexpr std::string_view kBlanks = " \t\f";

std::optional<int> hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

bool staysInUri(char c) {
  const bool isAlphanumeric =
      (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return isAlphanumeric || std::string_view("/-._~").find(c) != std::string_view::npos;
}

std::string_view codeOf(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin);
}

std::optional<std::uint32_t> numberIn(const Json& object, std::string_view key) {
  const auto value = object.intAt(key);
  if (!value || *value < 0 || *value > INT32_MAX) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::uint32_t utf16Units(const Utf8Character& character) {
  constexpr char32_t kLastOfOneUnit = 0xffff;
  return character.code > kLastOfOneUnit ? 2 : 1;
}

/// The bytes of the first `units` units of a line.
std::size_t bytesOf(std::string_view line, std::uint32_t units, PositionUnit unit) {
  if (unit == PositionUnit::Utf8) return std::min<std::size_t>(units, line.size());
  std::size_t at = 0;
  for (std::uint32_t before = 0; at < line.size() && before < units;) {
    const Utf8Character character = utf8At(line.substr(at));
    before += utf16Units(character);
    at += std::max<std::size_t>(character.bytes, 1);
  }
  return at;
}

}  // namespace

std::uint32_t unitsOf(std::string_view line, std::size_t bytes, PositionUnit unit) {
  if (unit == PositionUnit::Utf8) return static_cast<std::uint32_t>(std::min(bytes, line.size()));
  std::uint32_t out = 0;
  for (std::size_t at = 0; at < std::min(bytes, line.size());) {
    const Utf8Character character = utf8At(line.substr(at));
    out += utf16Units(character);
    at += std::max<std::size_t>(character.bytes, 1);
  }
  return out;
}

std::optional<std::string> pathOfUri(std::string_view uri) {
  if (!uri.starts_with(kScheme)) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  if (uri.starts_with("localhost/")) uri.remove_prefix(std::string_view("localhost").size());
  if (!uri.starts_with('/')) return std::nullopt;
  uri = uri.substr(0, uri.find_first_of("?#"));
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      out += uri[i];
      continue;
    }
    if (i + 2 >= uri.size()) return std::nullopt;
    const auto high = hexDigit(uri[i + 1]), low = hexDigit(uri[i + 2]);
    if (!high || !low) return std::nullopt;
    out += static_cast<char>(*high * 16 + *low);
    i += 2;
  }
  if (out.find('\0') != std::string::npos) return std::nullopt;
  return out;
}

std::string uriOfPath(std::string_view path) {
  std::string out(kScheme);
  for (const char c : path)
    out +=
        staysInUri(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

void writeRange(JsonWriter& json, const LspRange& range) {
  json.beginObject().key("start").beginObject();
  json.member("line", range.line).member("character", range.begin).endObject();
  json.key("end").beginObject();
  json.member("line", range.endLine).member("character", range.end).endObject().endObject();
}

std::optional<LspRange> rangeIn(const Json& params) {
  const auto range = params.find("range");
  const auto start = range ? range->find("start") : std::nullopt;
  const auto end = range ? range->find("end") : std::nullopt;
  if (!start || !end) return std::nullopt;
  const auto first = numberIn(*start, "line"), begin = numberIn(*start, "character");
  const auto last = numberIn(*end, "line"), stop = numberIn(*end, "character");
  if (!first || !begin || !last || !stop) return std::nullopt;
  return LspRange{*first, *begin, *last, *stop};
}

std::optional<LspPosition> positionIn(const Json& params) {
  const auto position = params.find("position");
  const auto line = position ? numberIn(*position, "line") : std::nullopt;
  const auto character = position ? numberIn(*position, "character") : std::nullopt;
  if (!line || !character) return std::nullopt;
  return LspPosition{*line, *character};
}

LspDocument::LspDocument(std::string uri_, std::string text)
    : uri(std::move(uri_)), text_(std::move(text)), begins_{0} {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    const bool isLast = text_[i] == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n';
    if (text_[i] == '\n' || (text_[i] == '\r' && !isLast)) begins_.push_back(i + 1);
  }
}

std::string_view LspDocument::line(std::size_t index) const {
  if (index >= begins_.size()) return {};
  const std::size_t end = index + 1 < begins_.size() ? begins_[index + 1] : text_.size();
  std::string_view out = std::string_view(text_).substr(begins_[index], end - begins_[index]);
  while (out.ends_with('\n') || out.ends_with('\r')) out.remove_suffix(1);
  return out;
}

std::optional<std::uint32_t> LspDocument::placeOf(std::uint32_t at, std::string_view code) const {
  if (code.empty()) return at < lineCount() ? std::optional(at) : std::nullopt;
  if (byCode_.empty())
    for (std::size_t i = 0; i < lineCount(); ++i)
      byCode_[codeOf(line(i))].push_back(static_cast<std::uint32_t>(i));
  const auto found = byCode_.find(code);
  if (found == byCode_.end()) return std::nullopt;
  const std::vector<std::uint32_t>& lines = found->second;
  const auto after = std::lower_bound(lines.begin(), lines.end(), at);
  if (after == lines.begin()) return *after;
  if (after == lines.end() || at - *std::prev(after) < *after - at) return *std::prev(after);
  return *after;
}

LspRange LspDocument::rangeOf(std::uint32_t at, PositionUnit unit) const {
  const std::string_view whole = line(at);
  const std::size_t begin = std::min(whole.find_first_not_of(kBlanks), whole.size());
  const std::size_t end = std::max(begin, whole.find_last_not_of(kBlanks) + 1);
  return {at, unitsOf(whole, begin, unit), at, unitsOf(whole, end, unit)};
}

std::size_t LspDocument::offsetOf(const LspPosition& position, PositionUnit unit) const {
  if (position.line >= lineCount()) return text_.size();
  return begins_[position.line] + bytesOf(line(position.line), position.character, unit);
}

LspRange LspDocument::rangeOf(TextRange range, PositionUnit unit) const {
  const auto placeOf = [&](std::size_t offset) {
    const auto next = std::upper_bound(begins_.begin(), begins_.end(), offset);
    const auto at = static_cast<std::uint32_t>(next - begins_.begin() - 1);
    return LspPosition{at, unitsOf(line(at), offset - begins_[at], unit)};
  };
  const LspPosition begin = placeOf(range.begin), end = placeOf(range.end);
  return {begin.line, begin.character, end.line, end.character};
}

}  // namespace fxs::cli
