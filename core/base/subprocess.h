#pragma once
// Runs programs from an argv vector: no shell, own process group, both outputs
// drained, limits on time, memory and output. Tests hand in a CommandRunner that
// answers from a table.
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"

namespace fxs {

struct Command {
  std::vector<std::string> argv;  ///< argv[0] is a path, or a name looked up in PATH
  std::string stdinText;
  std::string directory;  ///< the program's working directory; "" for this one's. A relative argv[0] with a slash is looked up from it
  std::chrono::milliseconds timeout{0};  ///< 0: none
  /// Past the timeout, SIGABRT first goes to the program's busiest thread, so that a program that handles it can say where
  /// it was; the group is killed this much later. 0: killed at once.
  std::chrono::milliseconds grace{0};
  std::uint64_t memoryLimit = 0;  ///< address space in bytes; 0: none
  std::uint64_t outputLimit = 0;  ///< bytes kept of each of stdout and stderr; 0: none. Reaching it kills the group.
  /// Called once on the caller's thread when the program has been started, by runners that wait for it: time for other work. Short.
  std::function<void()> whileRunning;
};

enum class ExitReason { Exited, Signalled, TimedOut, OutputLimit };

struct Exit {
  ExitReason reason = ExitReason::Exited;
  int status = 0;  ///< when Exited
  int signal = 0;  ///< when Signalled
  std::string out;
  std::string err;
  std::chrono::milliseconds wall{0};
  bool ok() const { return reason == ExitReason::Exited && status == 0; }
};

class CommandRunner {
 public:
  virtual ~CommandRunner() = default;
  /// NotFound and Io when the program cannot be started, Cancelled when `stop` was requested.
  /// Running past a limit is an Exit: what was printed until then is in it.
  virtual Result<Exit> run(const Command&, std::stop_token) = 0;
  /// Several at once, each with its own limits; the results in the order of the commands. One after the other unless a
  /// runner can do better.
  virtual std::vector<Result<Exit>> runAll(std::span<const Command>, std::stop_token);
};

class PosixCommandRunner final : public CommandRunner {
 public:
  Result<Exit> run(const Command&, std::stop_token) override;
  std::vector<Result<Exit>> runAll(std::span<const Command>, std::stop_token) override;
};

}  // namespace fxs
