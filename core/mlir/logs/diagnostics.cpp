// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/logs/diagnostics.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/number_from.h"
#include "mlir/text/location_table.h"
#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

constexpr std::string_view kPipelineFailed =
    "Failures have been detected while processing an MLIR pass pipeline";
constexpr std::string_view kWhileExecuting = "Pipeline failed while executing ";

/// `<file>:<line>[:<col>]: <severity>: ` at the start of a line. The file may hold anything but is
/// short.
struct Prefix {
  std::string_view severity;
  std::string_view file;
  std::uint32_t line = 0;
  std::string_view rest;
};
bool parsePrefix(std::string_view line, Prefix& out) {
  for (const std::string_view severity : {"error", "warning", "note", "remark"}) {
    const std::string mark = ": " + std::string(severity) + ": ";
    const std::size_t at = line.substr(0, 1024).find(mark);
    if (at == std::string_view::npos) continue;
    std::string_view where = line.substr(0, at);
    // From the right: up to two numbers, preceded by the file.
    std::array<std::uint32_t, 2> numbers{};
    std::size_t found = 0;
    while (found < 2) {
      const std::size_t colon = where.rfind(':');
      if (colon == std::string_view::npos) break;
      const auto number = numberFrom<std::uint32_t>(where.substr(colon + 1));
      if (!number) break;
      numbers[found++] = *number;
      where = where.substr(0, colon);
    }
    if (found == 0 || where.empty() || where.front() == ' ') continue;
    out = {severity, where, found == 2 ? numbers[1] : numbers[0], line.substr(at + mark.size())};
    return true;
  }
  return false;
}

/// The operation that a message quotes: "failed to legalize operation 'torch.x'", "'linalg.y' op
/// expected ..".
std::string quotedOp(std::string_view message) {
  for (std::size_t at = message.find('\''); at != std::string_view::npos;
       at = message.find('\'', at + 1)) {
    const std::size_t end = message.find('\'', at + 1);
    if (end == std::string_view::npos) return {};
    const std::string_view word = message.substr(at + 1, end - at - 1);
    const bool plain = std::all_of(word.begin(), word.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '_' || c == '.' || c == '$';
    });
    if (plain && word.find('.') != std::string_view::npos && !word.starts_with('.'))
      return std::string(word);
    at = end;
  }
  return {};
}

/// A location that the message itself begins with: `loc("kron"("fx":3:0)): msg`.
void takeInlineLocation(EngineDiagnostic& d, std::string_view& message) {
  if (!message.starts_with("loc(")) return;
  const std::size_t end = afterBracket(message, 3);
  if (end == std::string_view::npos || message.substr(end, 2) != ": ") return;
  const std::string_view body = message.substr(4, end - 5);
  const std::vector<fx::NodeId> nodes = LocationTable().nodes(body);
  if (!nodes.empty() && !d.node.valid()) d.node = nodes.front();
  if (body.starts_with('"')) {
    const std::size_t close = afterQuoted(body, 0);
    if (close == body.size() || body[close] != ':')
      d.nodeName = std::string(body.substr(1, close - 2));
  }
  message = message.substr(end + 2);
}

/// `[`ConvertTorchToTosa` on 'func.func' operation: @main]` or without the brackets: the class.
std::string executingClass(std::string_view message) {
  const std::size_t at = message.find(kWhileExecuting);
  if (at == std::string_view::npos) return {};
  const std::size_t open = message.find('`', at);
  if (open == std::string_view::npos) return {};
  const std::size_t close = message.find('`', open + 1);
  return close == std::string_view::npos ? std::string()
                                         : std::string(message.substr(open + 1, close - open - 1));
}

bool isFrame(std::string_view line) {
  const std::size_t hash = line.find_first_not_of(' ');
  return hash != std::string_view::npos && hash < 4 && line[hash] == '#' &&
         hash + 1 < line.size() && line[hash + 1] >= '0' && line[hash + 1] <= '9' &&
         line.find(" 0x") != std::string_view::npos;
}

bool isAbort(std::string_view line) {
  return line.starts_with("LLVM ERROR: ") || line.find("Assertion `") != std::string_view::npos ||
         line.starts_with("terminate called") ||
         line.find("std::bad_alloc") != std::string_view::npos;
}

bool isFileOfModule(std::string_view file) {
  return file == kFxFile || file == "<stdin>" || file == "-" || file.starts_with("input.");
}

EngineDiagnostic diagnosticOf(const Prefix& prefix) {
  EngineDiagnostic d;
  d.severity = std::string(prefix.severity);
  if (prefix.file == kFxFile && prefix.line < kMaxNodeIndex) d.node = fx::NodeId{prefix.line};
  std::string_view message = prefix.rest;
  takeInlineLocation(d, message);
  d.message = std::string(message);
  d.op = quotedOp(message);
  const bool isOfModule = isFileOfModule(prefix.file);
  d.located = d.node.valid() || !d.nodeName.empty() || isOfModule;
  if (isOfModule && prefix.file != kFxFile) d.line = prefix.line;
  return d;
}

void trimEnd(std::string& message) { message.erase(message.find_last_not_of(" \n") + 1); }

class EngineLogReader {
 public:
  EngineLog read(std::string_view text) {
    DumpReader dumps;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = endOfLine(text, begin);
      if (const auto other = dumps.take(text.substr(begin, end - begin))) line(*other);
      else open_ = nullptr;
      begin = end + 1;
    }
    log_.dumps = std::move(dumps).finish();
    finish();
    return std::move(log_);
  }

 private:
  void line(std::string_view text) {
    Prefix prefix;
    if (parsePrefix(text, prefix)) {
      diagnostic(prefix);
    } else if (isFrame(text)) {
      open_ = nullptr;
    } else if (isAbort(text)) {
      open_ = nullptr;
      if (log_.fatal.empty()) log_.fatal = std::string(text);
    } else {
      if (text.starts_with("PLEASE submit a bug report") || text.starts_with("Stack dump"))
        open_ = nullptr;
      if (open_ != nullptr) open_->message.append("\n").append(text);
    }
  }

  void diagnostic(const Prefix& prefix) {
    if (prefix.rest == kPipelineFailed) {
      pipelineNote_ = true;
      open_ = last_ = nullptr;
      return;
    }
    if (std::string cls = executingClass(prefix.rest); !cls.empty() && pipelineNote_) {
      failingClass_ = std::move(cls);
      return;
    }
    const bool isNote = prefix.severity == "note" && last_ != nullptr;
    std::vector<EngineDiagnostic>& to = isNote ? last_->notes : log_.diagnostics;
    to.push_back(diagnosticOf(prefix));
    open_ = &to.back();
    if (!isNote) last_ = open_;
  }

  void finish() {
    for (EngineDiagnostic& d : log_.diagnostics) {
      trimEnd(d.message);
      for (EngineDiagnostic& note : d.notes) trimEnd(note.message);
    }
    for (const DumpedIr& dump : log_.dumps)
      if (dump.header.failed) log_.failingPass = dump.header.name();
    if (log_.failingPass.empty()) log_.failingPass = failingClass_;
    // Of a pass that fails, the engine prints the IR.
    const bool hasFailed = std::any_of(log_.dumps.begin(), log_.dumps.end(),
                                       [](const DumpedIr& dump) { return dump.header.failed; });
    log_.crashed = pipelineNote_ && (!log_.fatal.empty() || !hasFailed);
  }

  EngineLog log_;
  std::string failingClass_;
  EngineDiagnostic* last_ = nullptr;  ///< the error or warning to which notes belong
  EngineDiagnostic* open_ = nullptr;  ///< its message continues on the next lines
  bool pipelineNote_ = false;
};

}  // namespace

EngineLog parseEngineLog(std::string_view text) { return EngineLogReader().read(text); }

}  // namespace fxs::mlir
