// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/private_paths.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/private_chars.h"
#include "base/private_forms.h"

namespace fxs {
namespace {

/// Lookahead limits: within a folder's name, and to the closing quote of a path.
constexpr std::size_t kFarInAName = 64, kFarToAQuote = 4096, kSpacesInAName = 3;
constexpr std::size_t kSuffix = 16;  // more than of any file

bool isBeyondAscii(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool isSlash(char c) { return c == '/' || c == '\\'; }
bool isNameChar(char c) { return isAlnum(c) || isBeyondAscii(c) || isOneOf(c, "_.-+@%~=#$&!^"); }
std::size_t endOfName(std::string_view text, std::size_t at) {
  while (isNameChar(charAt(text, at))) ++at;
  return at;
}

/// Whether a folder's name that is found by its slash contains the character.
bool mayBeInAName(char c) {
  return static_cast<unsigned char>(c) >= 0x20 && !isOneOf(c, "\"'`<>|*?:=");
}

/// The slash after the rest of a name, which may contain spaces and brackets; `end` if there is
/// none.
std::size_t slashAfterName(std::string_view text, std::size_t end) {
  std::size_t at = end, spaces = 0;
  for (; at < text.size() && !isSlash(text[at]); ++at) {
    if (at - end > kFarInAName || !mayBeInAName(text[at])) return end;
    if (text[at] == ' ' && (++spaces > kSpacesInAName || isOneOf(text[at - 1], " ,;"))) return end;
  }
  if (at == end || at >= text.size()) return end;
  return isOneOf(text[at - 1], " ,;(=[{") ? end : at;  // another path, or the operator /
}

/// The end of the last component when the path goes on after something else than a name's
/// character, else `end`.
std::size_t beyondAName(std::string_view text, std::size_t end) {
  std::size_t at = slashAfterName(text, end);
  if (at == end) return end;
  for (int doubled = 0; doubled < 4 && text.substr(at).starts_with("\\\\"); ++doubled) ++at;
  ++at;
  return isNameChar(charAt(text, at)) ? endOfName(text, at) : end;
}

/// The end of names between `slashes` from `at` on; `\ ` is a space of a name.
std::size_t endOfNames(std::string_view text, std::size_t at, std::string_view slashes) {
  for (;;) {
    const char c = charAt(text, at);
    if (isNameChar(c) || isOneOf(c, slashes)) ++at;
    else if (c == '\\' && charAt(text, at + 1) == ' ') at += 2;
    else return at;
  }
}

/// `~ada` by itself, where it is no operator of Python.
bool isUser(std::string_view text, std::size_t at, std::size_t end) {
  if (end < at + 3 || !isLetter(text[at + 1])) return false;
  if (isOneOf(charAt(text, end), "([.")) return false;
  const std::size_t last = text.find_last_not_of(' ', at == 0 ? 0 : at - 1);
  if (at == 0 || last == std::string_view::npos || last >= at) return true;
  return !privateForms().matches(FormGroup::Operand, textBefore(text, last + 1, 8));
}

bool mayStartAPath(char c) { return isLetter(c) || isSlash(c) || c == '~'; }

/// Whether a slash after the character is of a longer path: a/b, x.y/z and (a)/b are not absolute.
bool continuesAPath(char before) {
  return isAlnum(before) || isBeyondAscii(before) || isOneOf(before, "_.-+@%~)]/\\");
}

/// The end of the user's name after a `~`.
std::size_t endOfUser(std::string_view text, std::size_t at) {
  while (isNameChar(charAt(text, at)) && !isOneOf(text[at], "~=")) ++at;
  return at;
}

/// The first name after a slash, or after two; `at` if that is no path. `//` opens a comment, or
/// follows the scheme of a web address; `//host/share` is a path.
std::size_t nameAfterSlash(std::string_view text, std::size_t at, char before) {
  const bool doubled = text.substr(at).starts_with("//") && before != ':';
  const std::size_t name = at + (doubled ? 2 : 1);
  const char first = charAt(text, name);
  if (!isNameChar(first) || first == '=') return at;
  const std::size_t end = endOfName(text, name);
  const char next = charAt(text, end);
  if (before == '<' && next == '>') return at;  // </tag>
  const bool isShared = next == '/' && isNameChar(charAt(text, end + 1));
  return doubled && !isShared ? at : name;
}

/// The start of what certainly belongs to an absolute path at `at`, or `at` if there is none.
std::size_t startOfNames(std::string_view text, std::size_t at, char before) {
  if (text[at] == '/') return nameAfterSlash(text, at, before);
  const FormParts root = privateForms().parts(FormGroup::Root, text, at);
  return at + root[2].size() + (root[1].empty() ? 0 : root[1].size() + 1);
}

/// The closing quote of a path that starts at `at`, if it is on the line and near.
std::optional<std::size_t> closingQuote(std::string_view text, std::size_t at, std::size_t begin,
                                        char quote) {
  const std::size_t close = text.substr(0, std::min(text.size(), at + kFarToAQuote))
                                .find_first_of(std::string(1, quote) + "\n", begin);
  if (close == std::string_view::npos || text[close] != quote) return std::nullopt;
  return close;
}

}  // namespace

std::size_t restOfPath(std::string_view text, std::size_t at) {
  const std::string_view slashes = charBefore(text, at) == '\\' ? "/\\" : "/";
  std::size_t end = at;
  for (;;) {
    end = endOfNames(text, end, slashes);
    if (privateForms().matches(FormGroup::File, textBefore(text, end, std::min(end - at, kSuffix))))
      return end;
    const std::size_t further = beyondAName(text, end);
    if (further == end) break;
    end = further;
  }
  while (end > at + 1 && text[end - 1] == '.') --end;  // of the sentence
  return end;
}

std::size_t endOfPath(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (!mayStartAPath(c)) return at;
  char before = charBefore(text, at);
  // In JSON strings, \n and \" are two characters.
  const bool escaped = at > 1 && text[at - 2] == '\\';
  if (escaped && isOneOf(before, "nt")) before = ' ';
  if (continuesAPath(before)) return at;
  std::size_t begin = startOfNames(text, at, before);
  if (c == '~') {
    const std::size_t user = endOfUser(text, at + 1);
    if (!isSlash(charAt(text, user))) return isUser(text, at, user) ? user : at;
    begin = user + 1;
  }
  if (begin == at) return at;
  if (isQuote(before))
    if (const auto close = closingQuote(text, at, begin, before))
      return escaped && text[*close - 1] == '\\' ? *close - 1 : *close;
  return restOfPath(text, begin);
}

bool isInAHome(std::string_view path) { return privateForms().matches(FormGroup::InHome, path); }

std::string_view publicPart(std::string_view path) {
  for (const std::string_view folder :
       std::to_array<std::string_view>({"site-packages", "dist-packages"}))
    if (const std::size_t at = path.rfind(folder);
        at != path.npos && at + folder.size() + 1 < path.size())
      return path.substr(at + folder.size() + 1);
  if (const std::size_t at = path.rfind("lib/python"); at != path.npos)
    if (const std::size_t slash = path.find('/', at + 10);
        slash != path.npos && slash + 1 < path.size())
      return path.substr(slash + 1);
  while (path.size() > 1 && isSlash(path.back())) path.remove_suffix(1);
  if (privateForms().matches(FormGroup::Home, path)) return {};
  return path.substr(path.find_last_of("/\\") + 1);
}

std::string shownPath(std::string_view path, std::string_view folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.remove_suffix(1);
  if (folder.size() > 1 && path.starts_with(folder) && path.size() > folder.size() + 1 &&
      path[folder.size()] == '/')
    path = path.substr(folder.size() + 1);
  const bool isDrive = !privateForms().parts(FormGroup::Root, path, 0)[0].empty();
  const bool climbs =
      path.starts_with("../") || path.find("/../") != path.npos || path.find('\\') != path.npos;
  if (!path.starts_with('/') && !path.starts_with('~') && !climbs && !isDrive)
    return std::string(path);
  const std::string_view part = publicPart(path);
  return part.empty() ? "(a home folder)" : std::string(part);
}

}  // namespace fxs
