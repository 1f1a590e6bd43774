// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Runs programs from an argv vector: without a shell or the caller's environment, in a separate
// process group, with limits on time, memory and output, and optionally in a cage. Tests use a
// CommandRunner with recorded results.
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/cage.h"
#include "base/program.h"
#include "base/result.h"

namespace fxs {

struct Command {
  std::vector<std::string> argv;  ///< argv[0] is a path, or a name looked up in kProgramPath
  /// "NAME=value" each, in addition to PATH (kProgramPath), LANG (C.UTF-8) and TMPDIR (the first
  /// folder of cage->writes, else /tmp), which these can override. Variables of this process are
  /// not passed on.
  std::vector<std::string> environment;
  std::optional<Cage> cage;  ///< std::nullopt: unrestricted
  /// The identity of the program's file when it was inspected; if the file has changed since, it is
  /// not run. std::nullopt: not checked.
  std::optional<FileIdentity> program;
  std::string programSha256;  ///< of it, as in isStill()
  std::string stdinText;
  /// Exit::out has what is written to stderr too, in the order of the writes.
  bool errorsInOutput = false;
  std::string directory;  ///< working directory; "" for this process's. A relative argv[0] with a
                          ///< slash is resolved against it
  /// 0: none. Time in which the program could run and had to wait for a processor does not count,
  /// so that what ends within a limit does not depend on how busy the machine is; up to 30 times as
  /// long in all.
  std::chrono::milliseconds timeout{0};
  /// At the timeout, SIGABRT is sent to the program's busiest thread, so that a program that
  /// handles it can print where it hangs; the group is killed after this grace period. 0: killed at
  /// once.
  std::chrono::milliseconds grace{0};
  std::uint64_t memoryLimit = 0;  ///< address space in bytes; 0: none
  std::uint64_t outputLimit =
      0;  ///< bytes kept of stdout and of stderr each; 0: unlimited. Reaching it kills the group.
  /// Other work to do while a runner waits for the program: called repeatedly on the caller's
  /// thread, when a processor is idle, until it returns false. Calls must be short, because the
  /// program's output is not read meanwhile.
  std::function<bool()> whileRunning;
};

inline constexpr const char* kProgramPath = "/usr/local/bin:/usr/bin:/bin";

/// ProcessLimit: its group had more than Cage::kMostProcesses processes.
enum class ExitReason { Exited, Signalled, TimedOut, OutputLimit, ProcessLimit };

struct Exit {
  ExitReason reason = ExitReason::Exited;
  int status = 0;  ///< when Exited
  int signal = 0;  ///< when Signalled
  std::string out;
  std::string err;
  std::chrono::milliseconds wall{0};
  /// On processors, by the program and those that it waited for.
  std::chrono::milliseconds processor{0};
  /// Largest resident size of the program or of one that it waited for, in bytes; at least that of
  /// this process when it started it, as Linux counts what a vfork shares. 0: not known.
  std::uint64_t peakMemory = 0;
  bool ok() const { return reason == ExitReason::Exited && status == 0; }
};

/// A command that was started. One that is not waited for is killed.
class StartedCommand {
 public:
  virtual ~StartedCommand() = default;
  /// As CommandRunner::run(), once. Only here are limits looked at, and output read beyond what a
  /// pipe holds.
  virtual Result<Exit> wait() = 0;
};

class CommandRunner {
 public:
  virtual ~CommandRunner() = default;
  /// NotFound or Io if the program cannot be started, Cancelled after a stop request. Exceeding a
  /// limit is not an error but an Exit, with the output so far. Throws Abandoned with DiskFull if
  /// the folder that the program may write to has no room.
  virtual Result<Exit> run(const Command&, std::stop_token) = 0;
  /// Runs several commands, each with its own limits; results are in the order of the commands. The
  /// default implementation runs them one after the other.
  virtual std::vector<Result<Exit>> runAll(std::span<const Command>, std::stop_token);
  /// Starts a command beside the caller's work. The runner outlives it. The default implementation
  /// runs it when it is waited for.
  virtual std::unique_ptr<StartedCommand> start(Command, std::stop_token);
};

/// Whether somebody else ended the program, such as the system when memory runs out. Also of what a
/// shell says of its child.
bool wasKilled(const Exit&);
/// "was killed (signal 9), also when it was run again"
std::string killMessage(const Exit&);
/// CommandRunner::runAll, where what was killed is run again, once: it says nothing about its
/// input.
std::vector<Result<Exit>> runToEnd(std::span<const Command>, CommandRunner&,
                                   const std::stop_token&);
Result<Exit> runToEnd(const Command&, CommandRunner&, const std::stop_token&);

/// Paths that the user makes accessible in every cage, for custom programs: a wrapper that writes a
/// log, libraries in another folder.
struct CageExceptions {
  std::vector<std::string> reads;
  std::vector<std::string> writes;
};

class PosixCommandRunner final : public CommandRunner {
 public:
  explicit PosixCommandRunner(CageExceptions exceptions = {})
      : exceptions_(std::move(exceptions)) {}
  Result<Exit> run(const Command&, std::stop_token) override;
  std::vector<Result<Exit>> runAll(std::span<const Command>, std::stop_token) override;
  std::unique_ptr<StartedCommand> start(Command, std::stop_token) override;

 private:
  CageExceptions exceptions_;
};

}  // namespace fxs
