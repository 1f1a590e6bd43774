// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/logs/dump_log.h"

#include <array>
#include <utility>

#include "mlir/text/document.h"
#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

/// `<file>:<line>:<col>: error: `, `loc("n"): error: ` and the like at the start of a line: the
/// message, or nothing.
std::string_view diagnosticIn(std::string_view line, bool& isError) {
  constexpr std::array<std::string_view, 4> kMarks{
      ": error: ", ": warning: ", ": note: ", ": remark: "};
  if (line.empty() || line.front() == ' ' || line.front() == '%' || line.front() == '"') return {};
  for (const std::string_view mark : kMarks) {
    const std::size_t at = line.substr(0, 1024).find(mark);
    if (at == std::string_view::npos || at == 0) continue;
    const char before = line[at - 1];
    if (!is(before, kDigit) && before != ')') continue;
    isError = mark == kMarks[0];
    return line.substr(at + mark.size());
  }
  return {};
}

/// Lines that are not from an MLIR printer but from other parts of an engine.
bool isNoise(std::string_view line) {
  bool error = false;
  return !diagnosticIn(line, error).empty() || line.starts_with("[thread ") ||
         line.starts_with("PLEASE submit a bug report") || line.starts_with("Stack dump:") ||
         line.starts_with("LLVM ERROR: ");
}

bool isAlias(std::string_view line) {
  if (line.empty() || (line[0] != '#' && line[0] != '!')) return false;
  const std::size_t end = line.find(" = ");
  return end != std::string_view::npos && line.substr(0, end).find(' ') == std::string_view::npos;
}

/// Whether a line begins a dumped operation. Passes run on operations with regions, which have a
/// dialect prefix or are `module`.
bool beginsOperation(std::string_view line) {
  if (line.empty() || std::string_view(" #/}").find(line[0]) != std::string_view::npos)
    return false;
  const std::string_view name = opNameOf(line);
  if (name == "module" || name == "builtin.module") return true;
  if (name.empty() || name.find('.') == std::string_view::npos || name.ends_with('.')) return false;
  const std::size_t at = line.find(name);
  if (at == std::string_view::npos) return false;  // a short form: `return` is func.return
  if (at == 1 && line[0] == '"') return true;
  // Prose may begin with a word that contains a dot, such as a file name.
  const std::string_view rest = line.substr(at + name.size());
  return at == 0 && rest.starts_with(' ') &&
         (rest.find(" @") != std::string_view::npos || rest.ends_with('{'));
}

/// How many more brackets the line opens than it closes, outside of strings and comments.
long opened(std::string_view line) {
  long out = 0;
  for (std::size_t i = firstOf(line, 0, kStop); i < line.size(); i = firstOf(line, i, kStop)) {
    const char c = line[i];
    if (c == '"') {
      i = afterQuoted(line, i);
      continue;
    }
    if (c == '/' && line.compare(i, 2, "//") == 0) break;
    if (c == '{' || c == '(' || c == '[') ++out;
    else if (c == '}' || c == ')' || c == ']') --out;
    ++i;
  }
  return out;
}

}  // namespace

std::optional<std::string_view> DumpReader::take(std::string_view line) {
  ++number_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  // Output of another stream may end without a newline.
  const std::size_t mark = state_ == State::Inside && !line.starts_with(kDumpMark)
                               ? std::string_view::npos
                               : line.find(kDumpMark);
  if (mark != std::string_view::npos) {
    if (auto header = parseDumpHeader(line.substr(mark))) {
      dumps_.push_back({std::move(*header), {}, false, number_});
      state_ = State::Before;
      return mark > 0 ? std::optional(line.substr(0, mark)) : std::nullopt;
    }
  }
  switch (state_) {
    case State::Outside: return line;
    case State::Before: return before(line);
    case State::Inside:
      if (isNoise(line)) return line;
      inside(line);
      return std::nullopt;
    case State::After: return after(line);
    case State::Resources: resources(line); return std::nullopt;
  }
  return line;
}

std::optional<std::string_view> DumpReader::before(std::string_view line) {
  if (beginsOperation(line)) {
    depth_ = 0;
    state_ = State::Inside;
    inside(line);
  } else if (isAlias(line)) {
    keep(line);
  } else if (!line.starts_with("//")) {
    return line;
  }
  return std::nullopt;
}

std::optional<std::string_view> DumpReader::after(std::string_view line) {
  if (isAlias(line)) {
    keep(line);
  } else if (line.starts_with("{-#")) {
    state_ = State::Resources;
    resources(line);
  } else if (!line.empty()) {
    state_ = State::Outside;
    return line;
  }
  return std::nullopt;
}

void DumpReader::inside(std::string_view line) {
  keep(line);
  depth_ += opened(line);
  if (depth_ > 0) return;
  dumps_.back().complete = true;
  state_ = State::After;
}

void DumpReader::resources(std::string_view line) {
  keep(line);
  if (line.find("#-}") != std::string_view::npos) state_ = State::After;
}

std::vector<DumpedIr> DumpReader::finish() && {
  if (state_ == State::Resources) dumps_.back().complete = false;
  return std::move(dumps_);
}

DumpLog readDumpLog(std::string_view text) {
  DumpLog log;
  DumpReader dumps;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = endOfLine(text, begin);
    const auto other = dumps.take(text.substr(begin, end - begin));
    begin = end + 1;
    if (!other || other->empty()) continue;
    bool isError = false;
    const std::string_view message = diagnosticIn(*other, isError);
    if (isError && log.errors.size() < kMaxErrors) log.errors.emplace_back(message);
  }
  log.dumps = std::move(dumps).finish();
  return log;
}

}  // namespace fxs::mlir
