// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/private_paths.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace fxs {
namespace {

constexpr std::string_view kHomeFolders[] = {"/home/", "/Users/", "/var/home/", "\\Users\\",
                                             "\\Documents and Settings\\"};
/// Lookahead limits: within a folder's name, and to the closing quote of a path.
constexpr std::size_t kFarInAName = 64, kFarToAQuote = 4096, kSpacesInAName = 3;

bool isBeyondAscii(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool isSlash(char c) { return c == '/' || c == '\\'; }
bool isNameChar(char c) {
  return isAlnum(c) || isBeyondAscii(c) ||
         std::string_view("_.-+@%~=#$&!^").find(c) != std::string_view::npos;
}

/// Whether the path ends with a file name, so that text after a space is not part of it.
bool endsWithFile(std::string_view path) {
  constexpr std::array<std::string_view, 26> kSuffixes{
      ".py",  ".pyi", ".pt",   ".pt2", ".pth", ".mlir", ".json", ".txt",        ".so",
      ".cpp", ".cc",  ".c",    ".h",   ".hpp", ".yaml", ".yml",  ".md",         ".onnx",
      ".bin", ".zip", ".ckpt", ".log", ".cu",  ".html", ".gz",   ".safetensors"};
  return std::any_of(kSuffixes.begin(), kSuffixes.end(),
                     [&](std::string_view suffix) { return path.ends_with(suffix); });
}

/// The end of the last component when the path goes on after something else than a name's
/// character, else `end`.
std::size_t beyondAName(std::string_view text, std::size_t end) {
  std::size_t at = end, spaces = 0;
  for (; at < text.size() && !isSlash(text[at]); ++at) {
    const char c = text[at];
    if (at - end > kFarInAName || static_cast<unsigned char>(c) < 0x20 ||
        std::string_view("\"'`<>|*?:=").find(c) != std::string_view::npos)
      return end;
    if (c == ' ' && (++spaces > kSpacesInAName ||
                     std::string_view(" ,;").find(text[at - 1]) != std::string_view::npos))
      return end;
  }
  if (at == end || at >= text.size() ||
      std::string_view(" ,;(=[{").find(text[at - 1]) != std::string_view::npos)
    return end;  // another path, or the operator /
  for (int doubled = 0;
       doubled < 4 && at + 1 < text.size() && text[at] == '\\' && text[at + 1] == '\\'; ++doubled)
    ++at;
  if (at + 1 >= text.size() || !isNameChar(text[at + 1])) return end;
  for (++at; at < text.size() && isNameChar(text[at]); ++at) {
  }
  return at;
}

bool isDrive(std::string_view text) {
  return text.size() > 2 && isLetter(text[0]) && text[1] == ':' && isSlash(text[2]) &&
         !text.substr(2).starts_with("//");
}

/// `\\host\share`, also with its backslashes doubled.
bool isShare(std::string_view text) {
  if (!text.starts_with("\\\\")) return false;
  const std::size_t host = text.find_first_not_of('\\');
  if (host == std::string_view::npos || host > 8) return false;  // at most doubled twice
  std::size_t end = host;
  while (end < text.size() &&
         (isAlnum(text[end]) || std::string_view(".-_$").find(text[end]) != std::string_view::npos))
    ++end;
  const std::size_t share = std::min(text.find_first_not_of('\\', end), text.size());
  return end - host >= 2 && share > end && share + 1 < text.size() && isNameChar(text[share]) &&
         isNameChar(text[share + 1]);
}

/// `~ada` by itself, where it is no operator of Python.
bool isUser(std::string_view text, std::size_t at, std::size_t end) {
  if (end < at + 3 || !isLetter(text[at + 1])) return false;
  if (end < text.size() && std::string_view("([.").find(text[end]) != std::string_view::npos)
    return false;
  const std::size_t last = text.find_last_not_of(' ', at == 0 ? 0 : at - 1);
  if (at == 0 || last == std::string_view::npos || last >= at) return true;
  if (std::string_view("=&|(,^[<>+-*%:{").find(text[last]) != std::string_view::npos) return false;
  const std::string_view before = text.substr(0, last + 1);
  for (const std::string_view word :
       {"return", "in", "and", "or", "not", "if", "else", "is", "where"})
    if (before.ends_with(word) &&
        (before.size() == word.size() || !isAlnum(before[before.size() - word.size() - 1])))
      return false;
  return true;
}

}  // namespace

std::size_t restOfPath(std::string_view text, std::size_t at) {
  const bool windows = at > 0 && text[at - 1] == '\\';
  std::size_t end = at;
  for (;;) {
    while (end < text.size() &&
           (isNameChar(text[end]) || text[end] == '/' || (windows && text[end] == '\\') ||
            (text[end] == '\\' && end + 1 < text.size() && text[end + 1] == ' ')))
      end += text[end] == '\\' && !windows ? 2 : 1;
    if (endsWithFile(text.substr(at, end - at))) return end;
    const std::size_t further = beyondAName(text, end);
    if (further == end) break;
    end = further;
  }
  while (end > at + 1 && text[end - 1] == '.') --end;  // of the sentence
  return end;
}

std::size_t endOfPath(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c != '/' && c != '\\' && c != '~' && !isLetter(c)) return at;
  char before = at > 0 ? text[at - 1] : ' ';
  // In JSON strings, \n and \" are two characters.
  const bool escaped = at > 1 && text[at - 2] == '\\';
  if (escaped && (before == 'n' || before == 't')) before = ' ';
  // a/b, x.y/z and (a)/b are no absolute paths.
  if (isAlnum(before) || isBeyondAscii(before) ||
      std::string_view("_.-+@%~)]/\\").find(before) != std::string_view::npos)
    return at;
  const std::string_view here = text.substr(at);
  std::size_t begin = 0;  // start of what certainly belongs to the path
  if (isDrive(here)) {
    begin = at + 3;
  } else if (isShare(here)) {
    begin = at + here.find_first_not_of('\\');
  } else if (c == '~') {
    begin = at + 1;
    while (begin < text.size() && isNameChar(text[begin]) && text[begin] != '~' &&
           text[begin] != '=')
      ++begin;
    if (begin >= text.size() || !isSlash(text[begin])) return isUser(text, at, begin) ? begin : at;
    ++begin;
  } else if (c == '/') {
    const std::size_t name = at + (here.starts_with("//") && before != ':' ? 2 : 1);
    if (name >= text.size() || !isNameChar(text[name]) || text[name] == '=') return at;
    // `//` opens a comment, or follows the scheme of a web address; `//host/share` is a path.
    std::size_t end = name;
    while (end < text.size() && isNameChar(text[end])) ++end;
    if (before == '<' && end < text.size() && text[end] == '>') return at;  // </tag>
    if (name == at + 2 &&
        (end + 1 >= text.size() || text[end] != '/' || !isNameChar(text[end + 1])))
      return at;
    begin = name;
  } else {
    return at;
  }
  if (before == '"' || before == '\'') {
    const std::size_t close = text.substr(0, std::min(text.size(), at + kFarToAQuote))
                                  .find_first_of(std::string(1, before) + "\n", begin);
    if (close != std::string_view::npos && text[close] == before)
      return escaped && text[close - 1] == '\\' ? close - 1 : close;
  }
  return restOfPath(text, begin);
}

bool isInAHome(std::string_view path) {
  return path.starts_with('~') || path.starts_with("/root/") ||
         std::any_of(std::begin(kHomeFolders), std::end(kHomeFolders), [&](std::string_view home) {
           const std::size_t at = path.find(home);
           return at != std::string_view::npos && at <= 3;
         });
}

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
  if (path.starts_with('~') && path.find_first_of("/\\") == path.npos) return {};
  for (const std::string_view home : kHomeFolders)
    if (const std::size_t at = path.find(home);
        at <= 3 && path.find_first_of("/\\", at + home.size()) == path.npos)
      return {};
  return path.substr(path.find_last_of("/\\") + 1);
}

std::string shownPath(std::string_view path, std::string_view folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.remove_suffix(1);
  if (folder.size() > 1 && path.starts_with(folder) && path.size() > folder.size() + 1 &&
      path[folder.size()] == '/')
    path = path.substr(folder.size() + 1);
  const bool climbs =
      path.starts_with("../") || path.find("/../") != path.npos || path.find('\\') != path.npos;
  if (!path.starts_with('/') && !path.starts_with('~') && !climbs && !isDrive(path))
    return std::string(path);
  const std::string_view part = publicPart(path);
  return part.empty() ? "(a home folder)" : std::string(part);
}

}  // namespace fxs
