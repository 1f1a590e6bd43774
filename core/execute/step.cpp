// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "execute/step.h"

#include <algorithm>
#include <charconv>

#include "mlir/logs/diagnostics.h"
#include "mlir/text/module.h"

namespace fxs::execute {
namespace {

constexpr std::uint64_t kOutput = std::uint64_t{1} << 30;
constexpr std::size_t kLongestReason = 400;

/// The first node in a text: of `fx:12:0: error`, or of `loc("name"("fx":12:0))`.
fx::NodeId nodeIn(std::string_view text) {
  for (const std::string_view mark : {"\"fx\":", "fx:"}) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) continue;
    std::uint32_t index = 0;
    const char* begin = text.data() + at + mark.size();
    if (const auto [end, error] = std::from_chars(begin, text.data() + text.size(), index);
        error == std::errc() && end != begin)
      return fx::NodeId(index);
  }
  return {};
}

std::string firstLine(std::string_view text) {
  while (!text.empty() && (text.front() == '\n' || text.front() == ' ')) text.remove_prefix(1);
  return std::string(text.substr(0, std::min(text.find('\n'), kLongestReason)));
}

/// The first line that names an error of the linker, which clang precedes by where it is.
std::string linkerError(std::string_view text) {
  for (const std::string_view mark : {"undefined reference to ", "multiple definition of "})
    if (const std::size_t at = text.find(mark); at != std::string_view::npos)
      return firstLine(text.substr(at));
  return {};
}

/// What a failed program said, in one line. What a program wrote before it crashed does not say
/// why.
void explain(StepEnd& end, const std::string& program, bool crashed) {
  const std::string said = end.err + end.out;
  constexpr std::string_view kCheck = "ERROR: Runtime op verification failed\n";
  if (const std::size_t at = said.find(kCheck); at != std::string::npos) {
    // The operation, then `^ size mismatch of dim 0`, then the location.
    std::string_view rest = std::string_view(said).substr(at + kCheck.size());
    const std::string op = firstLine(rest);
    const std::size_t caret = rest.find("\n^");
    end.message = (caret == std::string_view::npos ? std::string("a run-time check failed")
                                                   : firstLine(rest.substr(caret + 2))) +
                  ": " + op;
    end.node = nodeIn(rest);
    return;
  }
  const mlir::EngineLog log = mlir::parseEngineLog(end.err);
  for (const mlir::EngineDiagnostic& diagnostic : log.diagnostics)
    if (diagnostic.severity == "error") {
      end.message = program + ": " + firstLine(diagnostic.message);
      end.node = diagnostic.node;
      return;
    }
  if (const std::string linker = linkerError(end.err); !linker.empty())
    end.message = program + ": " + linker;
  else if (!log.fatal.empty()) end.message = program + ": " + firstLine(log.fatal);
  else if (const std::string line = firstLine(said); !line.empty() && !crashed)
    end.message = program + ": " + line;
}

Command commandOf(const Step& step) {
  Command command;
  command.argv = step.argv;
  command.stdinText = step.input;
  command.directory = step.folder;
  Cage& cage = command.cage.emplace();
  cage.reads = step.reads;
  cage.reads.push_back(step.argv.front());
  cage.reads.push_back(step.folder);
  cage.writes = {step.folder};
  cage.processes = step.startsPrograms ? Cage::Processes::Programs : Cage::Processes::Threads;
  cage.fileSize = std::uint64_t{64} << 30;
  command.timeout = step.timeout;
  command.memoryLimit = step.memory;
  command.outputLimit = kOutput;
  return command;
}

bool saysOutOfMemory(const std::string& err) {
  return err.find("out of memory") != std::string::npos ||
         err.find("std::bad_alloc") != std::string::npos ||
         err.find("RESOURCE_EXHAUSTED") != std::string::npos;
}

}  // namespace

Result<StepEnd> runStep(const Step& step, Outcome failed, CommandRunner& runner,
                        const RunContext& context) {
  StepEnd out;
  const auto ended = [&](Outcome outcome, std::string reason) {
    out.outcome = outcome;
    out.message = std::move(reason);
    return std::move(out);
  };
  const std::string file = step.argv.front().substr(step.argv.front().rfind('/') + 1);
  const std::string program =
      step.argv.front() == step.folder + "/" + file ? "the compiled program" : file;
  const auto exit = runToEnd(commandOf(step), runner, context.stop);
  if (!exit) {
    if (endsAll(exit.error())) return tl::unexpected<Error>(exit.error());
    return ended(Outcome::NotSupported, exit.error().message);
  }
  out.seconds = exit->wall;
  out.out = exit->out;
  out.err = exit->err;
  if (exit->ok()) return out;
  if (wasKilled(*exit)) return ended(Outcome::NotSupported, program + " " + killMessage(*exit));
  switch (exit->reason) {
    case ExitReason::TimedOut:
      return ended(Outcome::TimedOut, program + " did not end in " +
                                          std::to_string(step.timeout.count() / 1000) +
                                          " s, the time limit of an executor");
    case ExitReason::OutputLimit:
    case ExitReason::ProcessLimit:
      return ended(Outcome::OutOfMemory,
                   program + " exceeded the limit of output or processes of an executor");
    case ExitReason::Exited:
      out.message = program + " ended with exit code " + std::to_string(exit->status);
      break;
    case ExitReason::Signalled:
      out.message = program + " crashed (signal " + std::to_string(exit->signal) + ")";
      break;
  }
  explain(out, program, exit->reason == ExitReason::Signalled);
  out.outcome = saysOutOfMemory(out.err) ? Outcome::OutOfMemory : failed;
  return out;
}

std::vector<std::string> dialectsOf(std::string_view text) {
  const mlir::Module module(text);
  std::vector<std::string> out;
  for (std::uint32_t i = 0; i < module.names.size(); ++i) {
    const std::string_view name = module.names[i];
    if (const std::size_t dot = name.find('.'); dot != std::string_view::npos)
      out.emplace_back(name.substr(0, dot));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool has(const std::vector<std::string>& dialects, std::string_view dialect) {
  return std::binary_search(dialects.begin(), dialects.end(), dialect);
}

}  // namespace fxs::execute
