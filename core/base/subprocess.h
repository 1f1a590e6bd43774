#pragma once
// Runs programs from an argv vector: without a shell or the caller's environment, in a separate process group, with limits on time, memory
// and output, and optionally in a cage. Tests use a CommandRunner with recorded results.
#include <chrono>
#include <cstdint>
#include <functional>
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
  /// "NAME=value" each, in addition to PATH (kProgramPath), LANG (C.UTF-8) and TMPDIR (the first folder of cage->writes, else /tmp), which
  /// these can override. Variables of this process are not passed on.
  std::vector<std::string> environment;
  std::optional<Cage> cage;  ///< none: it may do what this process may
  /// The program's file as it was looked at: when it is another one by now, it is not run. None: any.
  std::optional<FileIdentity> program;
  std::string stdinText;
  std::string directory;  ///< the program's working directory; "" for this one's. A relative argv[0] with a slash is looked up from it
  std::chrono::milliseconds timeout{0};  ///< 0: none
  /// Past the timeout, SIGABRT first goes to the program's busiest thread, so that a program that handles it can say where
  /// it was; the group is killed this much later. 0: killed at once.
  std::chrono::milliseconds grace{0};
  std::uint64_t memoryLimit = 0;  ///< address space in bytes; 0: none
  std::uint64_t outputLimit = 0;  ///< bytes kept of each of stdout and stderr; 0: none. Reaching it kills the group.
  /// Called on the caller's thread while the program runs, by runners that wait for it, again and again until it returns false, when
  /// a processor is free: time for other work. Each call is short, for nothing is read from the program meanwhile.
  std::function<bool()> whileRunning;
};

inline constexpr const char* kProgramPath = "/usr/local/bin:/usr/bin:/bin";

/// ProcessLimit: it had more than Cage::kMostProcesses at once.
enum class ExitReason { Exited, Signalled, TimedOut, OutputLimit, ProcessLimit };

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

/// What the user lets every program in a cage do besides, for programs of his own: a wrapper that logs, libraries in a folder of theirs.
struct CageExceptions {
  std::vector<std::string> reads;
  std::vector<std::string> writes;
};

class PosixCommandRunner final : public CommandRunner {
 public:
  explicit PosixCommandRunner(CageExceptions exceptions = {}) : exceptions_(std::move(exceptions)) {}
  Result<Exit> run(const Command&, std::stop_token) override;
  std::vector<Result<Exit>> runAll(std::span<const Command>, std::stop_token) override;

 private:
  CageExceptions exceptions_;
};

}  // namespace fxs
