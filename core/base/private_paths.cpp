#include "base/private_paths.h"

#include <algorithm>
#include <array>

namespace fxs {
namespace {

bool isAlnum(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
bool isSlash(char c) { return c == '/' || c == '\\'; }
/// What goes on with a path that has no quotes around it.
bool isPathChar(char c) { return isAlnum(c) || isSlash(c) || std::string_view("_.-+@%~=").find(c) != std::string_view::npos; }

/// Where a path that begins at `at` ends; `at` itself when none begins there.
std::size_t endOfPath(std::string_view text, std::size_t at) {
  char before = at > 0 ? text[at - 1] : ' ';
  // Texts inside JSON have \n and \" in two characters.
  const bool escaped = at > 1 && text[at - 2] == '\\';
  if (escaped && (before == 'n' || before == 't')) before = ' ';
  // a/b, x.y/z and (a)/b are no absolute paths.
  if (isAlnum(before) || std::string_view("_.-+@%~)]/\\").find(before) != std::string_view::npos) return at;
  const bool windows = at + 2 < text.size() && isAlnum(text[at]) && text[at + 1] == ':' && isSlash(text[at + 2]);
  const bool home = text.substr(at).starts_with("~/");
  // `//` opens a comment, or follows the scheme of a web address.
  if (!windows && !home && (text[at] != '/' || (at + 1 < text.size() && text[at + 1] == '/'))) return at;
  if (windows && text.substr(at + 2).starts_with("//")) return at;
  std::size_t end = at + (windows ? 3 : home ? 2 : 1);
  if (before == '"' || before == '\'') {
    const std::size_t close = text.find_first_of(std::string(1, before) + "\n", end);
    if (close != std::string_view::npos && text[close] == before) return escaped && text[close - 1] == '\\' ? close - 1 : close;
  }
  while (end < text.size() && isPathChar(text[end]) && (windows || text[end] != '\\')) ++end;
  return end;
}

/// The part of an absolute path that says nothing about the machine.
std::string_view publicPart(std::string_view path) {
  for (const std::string_view folder : std::to_array<std::string_view>({"site-packages", "dist-packages"}))
    if (const std::size_t at = path.rfind(folder); at != path.npos && at + folder.size() + 1 < path.size())
      return path.substr(at + folder.size() + 1);
  if (const std::size_t at = path.rfind("lib/python"); at != path.npos)
    if (const std::size_t slash = path.find('/', at + 10); slash != path.npos && slash + 1 < path.size()) return path.substr(slash + 1);
  while (path.size() > 1 && isSlash(path.back())) path.remove_suffix(1);
  return path.substr(path.find_last_of("/\\") + 1);
}

}  // namespace

std::string withoutPrivatePaths(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = endOfPath(text, at);
    if (end > at + 1) {
      out += publicPart(text.substr(at, end - at));
      at = end;
    } else {
      out += text[at++];
    }
  }
  return out;
}

}  // namespace fxs
