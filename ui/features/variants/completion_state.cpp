// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/variants/completion_state.h"

#include <algorithm>

#include "mlir/text/token_ends.h"

namespace fxs::ui {
namespace {

constexpr std::size_t kMostNames = 200;
/// How far a bracket is looked for.
constexpr std::size_t kMostBracketBytes = std::size_t{1} << 20;

std::size_t lineBegin(std::string_view text, std::size_t offset) {
  return offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
}

/// Calls seen(offset) for each byte of a line outside of strings and comments.
template <class Seen>
void forCode(std::string_view line, Seen seen) {
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '"') {
      i = mlir::afterQuoted(line, i);
      continue;
    }
    if (line[i] == '/' && i + 1 < line.size() && line[i + 1] == '/') return;
    seen(i++);
  }
}

/// A line without its comment, and the space around.
std::string_view codeOf(std::string_view line) {
  std::size_t end = 0;
  forCode(line, [&](std::size_t at) { end = at + 1; });
  if (end < line.size() && line.find("//", end) == line.npos) end = line.size();  // a string
  line = line.substr(0, end);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

/// The values that a line defines: results before its `=`, and arguments, `%x: f32` or `%x = %y`.
struct Defined {
  std::vector<std::string> results, arguments;
};

Defined definedIn(std::string_view line) {
  Defined out;
  bool isHead = line.starts_with('%');
  forCode(line, [&](std::size_t at) {
    const char c = line[at];
    if (c == '=' && isHead) isHead = false;
    if (c != '%') return;
    const std::size_t end = mlir::afterName(line, at);
    std::string name(line.substr(at, end - at));
    if (name.size() < 2) return;
    if (isHead) return out.results.push_back(std::move(name));
    const std::string_view rest = line.substr(end);
    const bool isTyped = rest.starts_with(": ");
    if (isTyped || rest.starts_with(" = %")) out.arguments.push_back(std::move(name));
  });
  if (isHead) out.results.clear();  // no `=` yet: uses, or a line that is being typed
  return out;
}

bool isNameByte(char c) { return mlir::is(c, mlir::kWord); }

std::string_view bracketsOf(char c) {
  for (const std::string_view pair : {"()", "[]", "{}"})
    if (pair.find(c) != std::string_view::npos) return pair;
  return {};
}

/// The offsets of these brackets in the line that begins there.
std::vector<std::size_t> bracketsIn(std::string_view text, std::size_t begin,
                                    std::string_view pair) {
  std::vector<std::size_t> found;
  forCode(text.substr(begin, mlir::endOfLine(text, begin) - begin), [&](std::size_t at) {
    if (pair.find(text[begin + at]) != std::string_view::npos) found.push_back(begin + at);
  });
  return found;
}

std::optional<std::size_t> closingOf(std::string_view text, std::size_t open,
                                     std::string_view pair) {
  text = text.substr(0, std::min(text.size(), open + kMostBracketBytes));
  std::size_t depth = 0;
  for (std::size_t begin = lineBegin(text, open); begin < text.size();
       begin = mlir::endOfLine(text, begin) + 1)
    for (const std::size_t at : bracketsIn(text, begin, pair)) {
      if (at < open) continue;
      if (text[at] == pair[0]) ++depth;
      else if (depth > 0 && --depth == 0) return at;
      if (depth == 0) return std::nullopt;  // `open` is in a string
    }
  return std::nullopt;
}

std::optional<std::size_t> openingOf(std::string_view text, std::size_t close,
                                     std::string_view pair) {
  std::size_t depth = 0;
  const std::size_t floor = close > kMostBracketBytes ? close - kMostBracketBytes : 0;
  for (std::size_t begin = lineBegin(text, close);; begin = lineBegin(text, begin - 1)) {
    const std::vector<std::size_t> found = bracketsIn(text, begin, pair);
    for (auto at = found.rbegin(); at != found.rend(); ++at) {
      if (*at > close) continue;
      if (text[*at] == pair[1]) ++depth;
      else if (depth > 0 && --depth == 0) return *at;
      if (depth == 0) return std::nullopt;  // `close` is in a string
    }
    if (begin <= floor || depth == 0) return std::nullopt;
  }
}

}  // namespace

std::vector<std::string> valuesInScope(std::string_view text, std::size_t offset) {
  text = text.substr(0, lineBegin(text, std::min(offset, text.size())));
  std::vector<std::string> names;
  std::vector<std::size_t> scopes;  // how many names there were where each region opened
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = mlir::endOfLine(text, begin);
    const std::string_view line = codeOf(text.substr(begin, end - begin));
    begin = end + 1;
    if (line.starts_with('}') && !scopes.empty()) {
      names.resize(scopes.back());
      scopes.pop_back();
    }
    Defined defined = definedIn(line);
    // A result is visible after its operation, so not in its regions.
    std::vector<std::string> late;
    if (line.ends_with('{')) {
      names.insert(names.end(), defined.results.begin(), defined.results.end());
      scopes.push_back(names.size());
    } else {
      late = std::move(defined.results);
    }
    names.insert(names.end(), defined.arguments.begin(), defined.arguments.end());
    names.insert(names.end(), late.begin(), late.end());
  }
  return names;
}

Completion completionAt(std::string_view text, std::size_t offset,
                        const std::vector<std::string>& operations) {
  Completion out;
  offset = std::min(offset, text.size());
  out.begin = offset;
  while (out.begin > 0 && isNameByte(text[out.begin - 1])) --out.begin;
  const bool isValue = out.begin > 0 && text[out.begin - 1] == '%';
  if (isValue) --out.begin;
  const std::string_view typed = text.substr(out.begin, offset - out.begin);
  if (typed.empty()) return out;
  const auto fits = [&](std::string_view name) {
    return name.size() > typed.size() && name.starts_with(typed);
  };
  if (isValue) {
    for (std::string& name : valuesInScope(text, offset))
      if (fits(name)) out.names.push_back(std::move(name));
    std::sort(out.names.begin(), out.names.end());
  } else {
    for (auto at = std::lower_bound(operations.begin(), operations.end(), typed);
         at != operations.end() && at->starts_with(typed); ++at)
      if (fits(*at)) out.names.push_back(*at);
  }
  out.names.erase(std::unique(out.names.begin(), out.names.end()), out.names.end());
  if (out.names.size() > kMostNames) out.names.resize(kMostNames);
  return out;
}

std::optional<std::pair<std::size_t, std::size_t>> bracketsAt(std::string_view text,
                                                              std::size_t offset) {
  for (const std::size_t at : {offset, offset - 1}) {
    if (at >= text.size()) continue;
    const std::string_view pair = bracketsOf(text[at]);
    if (pair.empty()) continue;
    if (text[at] == pair[1]) {
      if (const auto open = openingOf(text, at, pair)) return std::pair(*open, at);
    } else if (const auto close = closingOf(text, at, pair)) {
      return std::pair(at, *close);
    }
  }
  return std::nullopt;
}

std::string indentAfter(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const std::size_t begin = lineBegin(text, offset);
  const std::string_view line = text.substr(begin, offset - begin);
  const std::size_t width = std::min(line.find_first_not_of(' '), line.size());
  return std::string(width + (codeOf(line).ends_with('{') ? 2 : 0), ' ');
}

}  // namespace fxs::ui
