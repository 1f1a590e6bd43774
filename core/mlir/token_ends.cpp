#include "mlir/token_ends.h"

#include <cstring>

namespace fxs::mlir {

std::size_t endOfLine(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  const void* newline = std::memchr(text.data() + at, '\n', text.size() - at);
  return newline == nullptr ? text.size() : static_cast<std::size_t>(static_cast<const char*>(newline) - text.data());
}

std::size_t afterSpace(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (is(text[at], kBlank) || text[at] == '\n') ++at;
    else if (text[at] == '/' && at + 1 < text.size() && text[at + 1] == '/') at = endOfLine(text, at);
    else break;
  }
  return at;
}

std::size_t trimmedEnd(std::string_view text, std::size_t floor, std::size_t end) {
  while (end > floor && (is(text[end - 1], kBlank) || text[end - 1] == '\n')) --end;
  return end;
}

std::size_t afterName(std::string_view text, std::size_t at) {
  ++at;
  // A number ends with its digits; other names may hold dashes, but `%a->` is a name and an arrow.
  if (at < text.size() && is(text[at], kDigit)) return afterAll(text, at, kDigit);
  for (; at < text.size(); ++at) {
    if (is(text[at], kWord)) continue;
    if (text[at] != '-' || (at + 1 < text.size() && text[at + 1] == '>')) break;
  }
  return at;
}

std::size_t afterQuoted(std::string_view text, std::size_t quote) {
  for (std::size_t i = quote + 1;;) {
    i = firstOf(text, i, kString);
    if (i >= text.size() || text[i] == '\n') return i < text.size() ? i : text.size();
    if (text[i] == '"') return i + 1;
    i += i + 1 < text.size() && text[i + 1] != '\n' ? 2 : 1;
  }
}

std::size_t afterBraces(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open;;) {
    i = firstOf(text, i, kBrace);
    if (i >= text.size()) return text.size();
    if (text[i] == '"') {
      i = afterQuoted(text, i);
      continue;
    }
    if (text[i] == '{') ++depth;
    else if (--depth == 0) return i + 1;
    ++i;
  }
}

std::size_t afterLocation(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size();) {
    const char c = text[i];
    if (c == '"') {
      i = afterQuoted(text, i);
      continue;
    }
    if (c == '\n') break;
    if (c == '(') ++depth;
    if (c == ')' && --depth == 0) return i + 1;
    ++i;
  }
  return std::string_view::npos;
}

}  // namespace fxs::mlir
