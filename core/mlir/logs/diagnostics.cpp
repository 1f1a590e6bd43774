// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/logs/diagnostics.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "mlir/text/location_table.h"
#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

constexpr std::string_view kPipelineFailed =
    "Failures have been detected while processing an MLIR pass pipeline";
constexpr std::string_view kWhileExecuting = "Pipeline failed while executing ";
constexpr std::size_t kMaxFrames = 100;

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
      const std::string_view digits = where.substr(colon + 1);
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), numbers[found]);
      if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) break;
      where = where.substr(0, colon);
      ++found;
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

}  // namespace

EngineLog parseEngineLog(std::string_view text) {
  EngineLog log;
  std::string failingClass;
  DumpReader dumps;
  EngineDiagnostic* last = nullptr;  // the error or warning to which notes belong
  EngineDiagnostic* open = nullptr;  // the diagnostic whose message continues on the next lines
  bool pipelineNote = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = endOfLine(text, begin);
    const std::optional<std::string_view> other = dumps.take(text.substr(begin, end - begin));
    begin = end + 1;
    if (!other) {
      open = nullptr;
      continue;
    }
    const std::string_view line = *other;
    Prefix prefix;
    if (parsePrefix(line, prefix)) {
      if (prefix.rest == kPipelineFailed) {
        pipelineNote = true;
        open = last = nullptr;
        continue;
      }
      if (const std::string cls = executingClass(prefix.rest); !cls.empty() && pipelineNote) {
        failingClass = cls;
        continue;
      }
      EngineDiagnostic d;
      d.severity = std::string(prefix.severity);
      if (prefix.file == kFxFile && prefix.line < kMaxNodeIndex) d.node = fx::NodeId{prefix.line};
      std::string_view message = prefix.rest;
      takeInlineLocation(d, message);
      d.message = std::string(message);
      d.op = quotedOp(message);
      d.located = d.node.valid() || !d.nodeName.empty() || prefix.file == kFxFile ||
                  prefix.file == "<stdin>" || prefix.file == "-" ||
                  prefix.file.starts_with("input.");
      if (d.severity == "note" && last != nullptr) {
        last->notes.push_back(std::move(d));
        open = &last->notes.back();
      } else {
        log.diagnostics.push_back(std::move(d));
        last = open = &log.diagnostics.back();
      }
      continue;
    }
    if (isFrame(line)) {
      open = nullptr;
      if (log.crashStack.size() < kMaxFrames) log.crashStack.emplace_back(line);
      continue;
    }
    if (line.starts_with("LLVM ERROR: ") || line.find("Assertion `") != std::string_view::npos ||
        line.starts_with("terminate called") ||
        line.find("std::bad_alloc") != std::string_view::npos) {
      if (log.fatal.empty()) log.fatal = std::string(line);
      open = nullptr;
      continue;
    }
    if (line.starts_with("PLEASE submit a bug report") || line.starts_with("Stack dump"))
      open = nullptr;
    if (open != nullptr) open->message.append("\n").append(line);
  }
  for (EngineDiagnostic& d : log.diagnostics) {
    while (!d.message.empty() && (d.message.back() == '\n' || d.message.back() == ' '))
      d.message.pop_back();
    for (EngineDiagnostic& note : d.notes)
      while (!note.message.empty() && (note.message.back() == '\n' || note.message.back() == ' '))
        note.message.pop_back();
  }
  log.dumps = std::move(dumps).finish();
  for (const DumpedIr& dump : log.dumps)
    if (dump.header.failed) log.failingPass = dump.header.name();
  if (log.failingPass.empty()) log.failingPass = failingClass;
  log.crashed = pipelineNote && log.dumps.empty() &&
                std::none_of(log.diagnostics.begin(), log.diagnostics.end(),
                             [](const EngineDiagnostic& d) { return d.severity == "error"; });
  return log;
}

}  // namespace fxs::mlir
