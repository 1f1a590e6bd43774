// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/safe_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace fxs {
namespace {

constexpr std::size_t kMaxShownName = 120;

enum class Lines { Escaped, Kept };

std::string escaped(std::string_view text, Lines lines) {
  const auto isPlain = [](char c) { return c >= 0x20 && c < 0x7f; };
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto end = static_cast<std::size_t>(
        std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), isPlain) -
        text.begin());
    out.append(text.substr(at, end - at));
    at = end;
    if (at == text.size()) break;
    const auto [code, bytes] = utf8At(text.substr(at));
    if (bytes == 0)
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(text[at]));
    else if (lines == Lines::Kept && (code == '\n' || code == '\t')) out += static_cast<char>(code);
    else if (code == '\n') out += "\\n";
    else if (code == '\t') out += "\\t";
    else if (code == '\r') out += "\\r";
    else if (isDeceptive(code) && code < 0x80)
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<std::uint32_t>(code));
    else if (isDeceptive(code))
      fmt::format_to(std::back_inserter(out), "\\u{{{:04x}}}", static_cast<std::uint32_t>(code));
    else out.append(text.substr(at, bytes));
    at += std::max<std::size_t>(bytes, 1);
  }
  return out;
}

std::string withEntities(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return escaped(text, Lines::Escaped); }
std::string printableLines(std::string_view text) { return escaped(text, Lines::Kept); }

std::string richText(std::string_view text) { return withEntities(printable(text)); }
std::string richLines(std::string_view text) { return withEntities(printableLines(text)); }

std::string_view utf8Prefix(std::string_view text, std::size_t bytes) {
  std::size_t end = std::min(text.size(), bytes);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U)
    --end;  // not inside a character
  return text.substr(0, end);
}

std::string printableName(std::string_view name) {
  const std::string_view shown = utf8Prefix(name, kMaxShownName);
  return "'" + printable(shown) + (shown.size() < name.size() ? "..'" : "'");
}

std::string shellWord(std::string_view word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/+,:=@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos)
    return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string_view("'\\''") : std::string_view(&c, 1);
  return out + "'";
}

std::string shellWords(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + shellWord(word);
  return out;
}

bool isPlainLines(std::string_view text) {
  // Branch-free blocks, so that compilers vectorize the loop.
  constexpr std::size_t kBlock = 256;
  for (std::size_t begin = 0; begin < text.size(); begin += kBlock) {
    unsigned char other = 0;
    for (const char c : text.substr(begin, kBlock)) {
      const auto byte = static_cast<unsigned char>(c);
      other |= static_cast<unsigned char>((byte < 0x20) & (byte != '\n') & (byte != '\t')) |
               static_cast<unsigned char>(byte > 0x7e);
    }
    if (other != 0) return false;
  }
  return true;
}

Utf8Character utf8At(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[i]));
  };
  const char32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  std::size_t bytes = 2;
  if (first >= 0xf0) bytes = 4;
  else if (first >= 0xe0) bytes = 3;
  if (first < 0xc2 || first > 0xf4 || bytes > text.size()) return {};
  char32_t code = first & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return {};
    code = code << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};  // by the number of bytes
  if (code < kLeast[bytes] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
  return {code, bytes};
}

bool isDeceptive(char32_t code) {
  struct Range {
    char32_t first, last;
  };
  constexpr auto kDeceptive = std::to_array<Range>({{0, 0x1f},
                                                    {0x7f, 0x9f},
                                                    {0xad, 0xad},
                                                    {0x61c, 0x61c},
                                                    {0x180e, 0x180e},
                                                    {0x200b, 0x200f},
                                                    {0x2028, 0x202e},
                                                    {0x2060, 0x206f},
                                                    {0xfeff, 0xfeff},
                                                    {0xfff9, 0xfffb},
                                                    {0xe0000, 0xe0fff}});
  return std::any_of(kDeceptive.begin(), kDeceptive.end(),
                     [code](const Range& r) { return code >= r.first && code <= r.last; });
}

}  // namespace fxs
