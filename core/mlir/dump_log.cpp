#include "mlir/dump_log.h"

#include <algorithm>
#include <array>
#include <utility>

#include "mlir/op_scan.h"

namespace fxs::mlir {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// `<file>:<line>:<col>: error: `, `loc("n"): error: ` and the like at the start of a line: the message, or nothing.
std::string_view diagnosticIn(std::string_view line, bool& isError) {
  constexpr std::array<std::string_view, 4> kMarks{": error: ", ": warning: ", ": note: ", ": remark: "};
  if (line.empty() || line.front() == ' ' || line.front() == '%' || line.front() == '"') return {};
  for (const std::string_view mark : kMarks) {
    const std::size_t at = line.substr(0, 1024).find(mark);
    if (at == std::string_view::npos || at == 0) continue;
    const char before = line[at - 1];
    if (!isDigit(before) && before != ')') continue;
    isError = mark == kMarks[0];
    return line.substr(at + mark.size());
  }
  return {};
}

/// Lines that no printer of MLIR writes inside an operation, though other parts of an engine do.
bool isNoise(std::string_view line) {
  bool error = false;
  return !diagnosticIn(line, error).empty() || line.starts_with("[thread ") || line.starts_with("PLEASE submit a bug report") ||
         line.starts_with("Stack dump:") || line.starts_with("LLVM ERROR: ");
}

bool isAlias(std::string_view line) {
  if (line.empty() || (line[0] != '#' && line[0] != '!')) return false;
  const std::size_t end = line.find(" = ");
  return end != std::string_view::npos && line.substr(0, end).find(' ') == std::string_view::npos;
}

/// A line that begins the operation of a dump: passes run on operations with regions, which are of a dialect or `module`.
bool beginsOperation(std::string_view line) {
  if (line.empty() || line[0] == ' ' || line[0] == '#' || line[0] == '/' || line[0] == '}') return false;
  const std::string_view name = opNameOf(line);
  if (name == "module" || name == "builtin.module") return true;
  if (name.empty() || name.find('.') == std::string_view::npos || name.ends_with('.')) return false;
  const std::size_t at = line.find(name);
  if (at == std::string_view::npos) return false;  // a short form: `return` is func.return
  if (at == 1 && line[0] == '"') return true;
  // Prose may begin with a word that has a dot in it, such as a file's name.
  const std::string_view rest = line.substr(at + name.size());
  return at == 0 && rest.starts_with(' ') && (rest.find(" @") != std::string_view::npos || rest.ends_with('{'));
}

/// Counts brackets over lines, outside of strings and comments.
class Brackets {
 public:
  void read(std::string_view line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (quoted_) {
        if (c == '\\') ++i;
        else if (c == '"') quoted_ = false;
      } else if (c == '"') {
        quoted_ = true;
      } else if (c == '/' && i + 1 < line.size() && line[i + 1] == '/') {
        break;
      } else if (c == '{' || c == '(' || c == '[') {
        ++depth_;
      } else if (c == '}' || c == ')' || c == ']') {
        --depth_;
      }
    }
    quoted_ = false;  // strings do not go over lines
  }
  bool closed() const { return depth_ <= 0; }

 private:
  long depth_ = 0;
  bool quoted_ = false;
};

class Reader {
 public:
  DumpLog read(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      std::string_view line = text.substr(begin, end - begin);
      if (line.ends_with('\r')) line.remove_suffix(1);
      ++number_;
      take(line);
      begin = end + 1;
    }
    if (state_ == State::Resources && !log_.dumps.empty()) log_.dumps.back().complete = false;
    return std::move(log_);
  }

 private:
  enum class State : std::uint8_t { Outside, Before, Inside, After, Resources };

  void keep(std::string_view line) { log_.dumps.back().ir.append(line).push_back('\n'); }
  void other(std::string_view line) {
    if (line.empty()) return;
    ++log_.otherLines;
    bool isError = false;
    const std::string_view message = diagnosticIn(line, isError);
    if (isError && log_.errors.size() < kMaxErrors) log_.errors.emplace_back(message);
  }

  void take(std::string_view line) {
    // Another stream may leave its last line without an end.
    const std::size_t mark = line.find(kDumpMark);
    if (mark != std::string_view::npos && (mark == 0 || state_ != State::Inside)) {
      if (auto header = parseDumpHeader(line.substr(mark))) {
        if (mark > 0) other(line.substr(0, mark));
        log_.dumps.push_back({std::move(*header), {}, false, number_});
        state_ = State::Before;
        return;
      }
    }
    switch (state_) {
      case State::Outside: other(line); return;
      case State::Before:
        if (beginsOperation(line)) {
          brackets_ = {};
          state_ = State::Inside;
          inside(line);
        } else if (isAlias(line)) {
          keep(line);
        } else if (!line.starts_with("//")) {
          other(line);
        }
        return;
      case State::Inside:
        if (isNoise(line)) other(line);
        else inside(line);
        return;
      case State::After:
        if (isAlias(line)) {
          keep(line);
        } else if (line.starts_with("{-#")) {
          state_ = State::Resources;
          resources(line);
        } else if (!line.empty()) {
          state_ = State::Outside;
          other(line);
        }
        return;
      case State::Resources: resources(line); return;
    }
  }

  void inside(std::string_view line) {
    keep(line);
    brackets_.read(line);
    if (!brackets_.closed()) return;
    log_.dumps.back().complete = true;
    state_ = State::After;
  }

  void resources(std::string_view line) {
    keep(line);
    if (line.find("#-}") != std::string_view::npos) state_ = State::After;
  }

  DumpLog log_;
  State state_ = State::Outside;
  Brackets brackets_;
  std::size_t number_ = 0;
};

}  // namespace

DumpLog readDumpLog(std::string_view log) { return Reader().read(log); }

}  // namespace fxs::mlir
