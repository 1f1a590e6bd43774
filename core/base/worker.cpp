// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/worker.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace fxs {
namespace {

constexpr std::uint64_t kMostOutput = std::uint64_t{512} << 20;

/// The last line of a program's output, for an error message.
std::string lastLine(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  const std::size_t line = text.rfind('\n');
  if (line != std::string_view::npos) text.remove_prefix(line + 1);
  return std::string(text.substr(0, 300));
}

/// The folder of the libraries that packages install with a worker in bin; it may be missing.
std::string librariesOf(const std::string& worker) {
  return (std::filesystem::path(worker).parent_path().parent_path() / "lib/fxscope").string();
}

Error failed(const WorkerCall& call, const Exit& exit) {
  switch (exit.reason) {
    case ExitReason::TimedOut:
      return {ErrorCode::Timeout,
              fmt::format("{} in {} s; {}", call.failure, call.timeout.count() / 1000, call.remedy),
              {}};
    case ExitReason::Signalled:
      return {
          ErrorCode::EngineFailed,
          fmt::format("{}: it was ended by signal {}; {}", call.failure, exit.signal, call.remedy),
          {}};
    case ExitReason::ProcessLimit:
      return {ErrorCode::EngineFailed,
              fmt::format("{}: it started too many processes", call.failure),
              {}};
    case ExitReason::OutputLimit:
      return {ErrorCode::EngineFailed,
              fmt::format("{}: its answer is larger than {} MiB; {}", call.failure,
                          kMostOutput >> 20, call.remedy),
              {}};
    case ExitReason::Exited: break;
  }
  const std::string message = lastLine(exit.err);
  return {ErrorCode::EngineFailed,
          fmt::format("{}: it exited with status {}{}{}", call.failure, exit.status,
                      message.empty() ? "" : ": ", message),
          {}};
}

}  // namespace

Result<std::string> runWorker(WorkerCall call, CommandRunner& runner, std::stop_token stop) {
  Command command;
  command.argv = call.argv;
  command.cage.emplace().reads = std::move(call.reads);
  command.cage->reads.push_back(command.argv.front());
  command.cage->reads.push_back(librariesOf(command.argv.front()));
  command.stdinText = std::move(call.stdinText);
  command.timeout = call.timeout;
  command.memoryLimit = call.memoryLimit;
  command.outputLimit = kMostOutput;
  FXS_TRY(Exit exit, runner.run(command, std::move(stop)));
  if (!exit.ok()) return tl::unexpected(failed(call, exit));
  return std::move(exit.out);
}

}  // namespace fxs
