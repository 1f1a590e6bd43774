// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "base/budget.h"
#include "base/child.h"
#include "base/new_file.h"

namespace fxs {
namespace {

using Clock = std::chrono::steady_clock;

/// Bytes: where a disk has no room for them, a program may have written less than it meant to.
constexpr std::uint64_t kLeastRoom = std::uint64_t{16} << 10;
/// Times its limit that a program may take because it waits for a processor.
constexpr int kMostWaiting = 30;

/// Standard input as a file in memory: no pipe has to be filled, and a child that never reads
/// cannot cause SIGPIPE.
Result<Fd> stdinFile(const std::string& text) {
  if (text.empty()) {
    Fd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!null.open()) return fail(ErrorCode::Io, "/dev/null: " + reason(errno));
    return null;
  }
  Fd file(::memfd_create("stdin", MFD_CLOEXEC));
  if (!file.open())
    return fail(ErrorCode::Io, "cannot create a memory file for a child's input: " + reason(errno));
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = ::write(file.get(), text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      return fail(ErrorCode::Io,
                  "a child's input of " + std::to_string(text.size()) + " bytes: " + reason(errno));
    written += static_cast<std::size_t>(n);
  }
  if (::lseek(file.get(), 0, SEEK_SET) != 0)
    return fail(ErrorCode::Io, "a child's input: " + reason(errno));
  return file;
}

/// The folder that a command writes its files to; "" if it may write none.
std::string writtenFolder(const Command& command) {
  if (command.cage)
    return command.cage->writes.empty() ? std::string() : command.cage->writes.front();
  constexpr std::string_view kName = "TMPDIR=";
  for (const std::string& variable : command.environment)
    if (variable.starts_with(kName)) return variable.substr(kName.size());
  return "/tmp";
}

/// Throws Abandoned if the program found no room for its files, or may have: what it would have
/// done is not known then, whatever it says.
void checkRoom(const Command& command, const Exit& exit) {
  const std::string folder = writtenFolder(command);
  if (folder.empty()) return;
  const auto stop = [&](const Error& error) {
    const std::string program = command.argv[0].substr(command.argv[0].rfind('/') + 1);
    throw Abandoned(
        {ErrorCode::DiskFull, program + " has no space for its files: " + error.message, {}});
  };
  if (exit.reason == ExitReason::Signalled && exit.signal == SIGXFSZ)
    stop(writeError(folder, EFBIG));
  for (const int code : {ENOSPC, EDQUOT})
    if (!exit.ok() && exit.err.find(reason(code)) != std::string::npos)
      stop(writeError(folder, code));
  // Not every program looks at what its writes return.
  NewFile probe(folder + "/probe");
  if (const auto written = probe.write(std::string(kLeastRoom, '\0'));
      !written && written.error().code == ErrorCode::DiskFull)
    stop(writeError(folder, ENOSPC));
}

enum class Drained { More, Empty, Full };

/// Reads once what is there, up to `limit` bytes in all.
Drained drain(Fd& fd, std::string& into, std::uint64_t limit) {
  std::array<char, 1 << 16> buffer;
  const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return Drained::Empty;
  if (n <= 0) {
    fd.reset();
    return Drained::Empty;
  }
  const auto got = static_cast<std::size_t>(n);
  const std::size_t room =
      limit == 0 ? got
                 : static_cast<std::size_t>(std::min<std::uint64_t>(got, limit - into.size()));
  into.append(buffer.data(), room);
  return room < got ? Drained::Full : Drained::More;
}

/// The largest number of programs that leaves this process a processor.
const std::ptrdiff_t kProgramsBesideWork = std::max(
    static_cast<std::ptrdiff_t>(std::thread::hardware_concurrency()) - 1, std::ptrdiff_t{1});

/// A running command. The destructor kills its process group.
class Running {
 public:
  static Result<std::unique_ptr<Running>> start(const Command& command,
                                                const CageExceptions& exceptions) {
    FXS_TRY(Fd in, stdinFile(command.stdinText));
    FXS_TRY(Pipe out, makePipe());
    FXS_TRY(Pipe err, makePipe());
    const Clock::time_point begin = Clock::now();
    const Fd& errors = command.errorsInOutput ? out.write : err.write;
    FXS_TRY(Child child,
            Child::start(command, exceptions, in.get(), out.write.get(), errors.get()));
    return std::make_unique<Running>(command, std::move(child), begin, std::move(out.read),
                                     std::move(err.read));
  }

  Running(const Command& command, Child child, Clock::time_point begin, Fd out, Fd err)
      : command_(command),
        begin_(begin),
        deadline_(begin + command.timeout),
        mayStartProcesses_(command.cage && command.cage->processes == Cage::Processes::Programs),
        workLeft_(static_cast<bool>(command.whileRunning)),
        nextCount_(begin + countPause_),
        child_(std::move(child)),
        out_(std::move(out)),
        err_(std::move(err)) {
    ::fcntl(out_.get(), F_SETFL, O_NONBLOCK);
    ::fcntl(err_.get(), F_SETFL, O_NONBLOCK);
  }

  static constexpr std::size_t kPolled = 3;
  void poll(std::vector<pollfd>& into) const {
    into.push_back({out_.get(), POLLIN, 0});
    into.push_back({err_.get(), POLLIN, 0});
    into.push_back({child_.handle(), POLLIN, 0});
  }
  /// Milliseconds until the next deadline; negative for none.
  int wait() const {
    if (workLeft_) return kPauseOfWork;
    if (command_.timeout.count() == 0 && !mayStartProcesses_) return -1;
    Clock::time_point next = deadline_;
    if (command_.timeout.count() == 0) next = nextCount_;
    else if (mayStartProcesses_) next = std::min(nextCount_, deadline_);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, std::numeric_limits<int>::max()));
  }

  /// Lets the caller do other work.
  void work() { workLeft_ = workLeft_ && command_.whileRunning(); }

  /// Handles the result of poll(); true if the command has ended.
  bool step(const pollfd* polled) {
    // Check limits in every round, because the pipes of a child that prints forever are always
    // readable. What has ended by itself was not looked at in time.
    const bool hasEnded = polled[2].revents != 0;
    if (command_.timeout.count() > 0 && Clock::now() >= deadline_ && !hasEnded && !mayGoOn())
      interruptOrKill();
    if (mayStartProcesses_ && Clock::now() >= nextCount_) countProcesses();
    if (polled[0].revents && drain(out_, exit_.out, command_.outputLimit) == Drained::Full)
      killed_ = ExitReason::OutputLimit;
    if (polled[1].revents && drain(err_, exit_.err, command_.outputLimit) == Drained::Full)
      killed_ = ExitReason::OutputLimit;
    // The grace is for a last word, not for a flood.
    if (interrupted_ && exit_.err.size() - errorsBefore_ > kLastWords)
      killed_ = ExitReason::TimedOut;
    return killed_ || hasEnded;
  }

  Exit finish() {
    if (!killed_ && mayStartProcesses_ && child_.wantedMoreProcesses())
      killed_ = ExitReason::ProcessLimit;
    const int status = child_.reap();
    exit_.peakMemory = child_.peakMemory();
    exit_.processor = child_.processor();
    // Read what is left in the pipes without waiting: a process that escaped the group may keep
    // them open.
    drainAll(out_, exit_.out);
    drainAll(err_, exit_.err);
    if (interrupted_ && !killed_) killed_ = ExitReason::TimedOut;
    exit_.wall = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_);
    if (killed_) {
      exit_.reason = *killed_;
    } else if (WIFSIGNALED(status)) {
      exit_.reason = ExitReason::Signalled;
      exit_.signal = WTERMSIG(status);
      if (exit_.signal == SIGXCPU && command_.cage) exit_.reason = ExitReason::TimedOut;
    } else {
      exit_.status = WEXITSTATUS(status);
    }
    return std::move(exit_);
  }

 private:
  /// Moves the deadline by the time that the program had to wait for a processor; false if that
  /// does not help.
  bool mayGoOn() {
    if (interrupted_) return false;
    const Clock::time_point latest = begin_ + kMostWaiting * command_.timeout;
    const Clock::time_point due =
        std::min(latest, begin_ + command_.timeout +
                             std::chrono::ceil<std::chrono::milliseconds>(child_.waited()));
    if (due <= Clock::now()) return false;
    deadline_ = due;
    return true;
  }
  /// Ends a command that is past its deadline.
  void interruptOrKill() {
    if (interrupted_ || command_.grace.count() == 0) {
      killed_ = ExitReason::TimedOut;
      return;
    }
    child_.interrupt();
    interrupted_ = true;
    deadline_ = Clock::now() + command_.grace;
    errorsBefore_ = exit_.err.size();
  }
  void countProcesses() {
    if (child_.wantedMoreProcesses() || child_.processes() > Cage::kMostProcesses)
      killed_ = ExitReason::ProcessLimit;
    // Frequently at first, because a fork bomb grows fast; then less, because counting takes
    // time.
    countPause_ = std::min<Clock::duration>(countPause_ * 2, std::chrono::milliseconds(250));
    nextCount_ = Clock::now() + countPause_;
  }
  void drainAll(Fd& fd, std::string& into) {
    while (!killed_ && fd.open()) {
      const Drained d = drain(fd, into, command_.outputLimit);
      if (d == Drained::Full) killed_ = ExitReason::OutputLimit;
      if (d != Drained::More) break;
    }
  }

  const Command& command_;
  Clock::time_point begin_;
  Clock::time_point deadline_;
  bool mayStartProcesses_;
  static constexpr int kPauseOfWork = 1;  // milliseconds
  static constexpr std::size_t kLastWords = std::size_t{4} << 20;
  std::size_t errorsBefore_ = 0;  ///< bytes of stderr before the interrupt
  bool workLeft_ = false;
  Clock::duration countPause_ = std::chrono::milliseconds(20);
  Clock::time_point nextCount_;
  Child child_;
  Fd out_;
  Fd err_;
  Exit exit_;
  std::optional<ExitReason> killed_;
  bool interrupted_ = false;
};

/// The signal of somebody who ended the program, not of a program that does something wrong; 0 if
/// it ended otherwise.
int killOf(const Exit& exit) {
  constexpr std::array kKills{SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGTERM};
  constexpr int kOfChild = 128;  // added by shells
  int signal = 0;
  if (exit.reason == ExitReason::Signalled) signal = exit.signal;
  if (exit.reason == ExitReason::Exited) signal = exit.status - kOfChild;
  return std::find(kKills.begin(), kKills.end(), signal) != kKills.end() ? signal : 0;
}

Error cancelled(const Command& command) {
  return Error{ErrorCode::Cancelled, command.argv[0] + " was cancelled", {}};
}

using RunningCommands = std::vector<std::unique_ptr<Running>>;

/// Puts a started command into `running`, and what stands for it until it has ended into `out`.
void startOne(const Command& command, const CageExceptions& exceptions, const std::stop_token& stop,
              RunningCommands& running, std::vector<Result<Exit>>& out) {
  running.emplace_back();
  if (command.argv.empty() || command.argv[0].empty()) {
    out.push_back(fail(ErrorCode::Internal, "a command without a program"));
    return;
  }
  // Replaced by the Exit, unless cancelled.
  out.push_back(tl::unexpected<Error>(cancelled(command)));
  if (stop.stop_requested()) return;
  auto started = Running::start(command, exceptions);
  if (started) running.back() = *std::move(started);
  else out.back() = tl::unexpected<Error>(std::move(started).error());
}

/// Milliseconds until the next deadline of a command; negative for none.
int shortestWait(const RunningCommands& running) {
  int wait = -1;
  for (const auto& r : running) {
    const int left = r ? r->wait() : -1;
    if (left >= 0) wait = wait < 0 ? left : std::min(wait, left);
  }
  return wait;
}

/// Lets the callers of commands do other work, but not where it would keep a program waiting for a
/// processor.
void workBeside(const RunningCommands& running) {
  const auto alive =
      std::count_if(running.begin(), running.end(), [](const auto& r) { return r != nullptr; });
  for (const auto& r : running)
    if (r && alive <= kProgramsBesideWork) r->work();
}

/// Replaces what stands in `out` for the commands that run by how they end.
void waitForAll(std::span<const Command> commands, RunningCommands& running,
                std::vector<Result<Exit>>& out, const std::stop_token& stop) {
  Fd wake(::eventfd(0, EFD_CLOEXEC));
  const std::stop_callback wakeUp(stop, [&wake] {
    const std::uint64_t one = 1;
    (void)!::write(wake.get(), &one, sizeof one);
  });
  for (;;) {
    std::vector<pollfd> polled{{wake.get(), POLLIN, 0}};
    for (const auto& r : running)
      if (r) r->poll(polled);
    if (polled.size() == 1) return;
    const int wait = shortestWait(running);
    workBeside(running);
    const int n = ::poll(polled.data(), polled.size(), wait);
    if (n < 0 && errno == EINTR) continue;
    if (stop.stop_requested()) return;  // what still runs is killed with its group
    const pollfd* next = polled.data() + 1;
    for (std::size_t i = 0; i < running.size(); ++i) {
      if (!running[i]) continue;
      if (running[i]->step(next)) {
        Exit exit = running[i]->finish();
        running[i].reset();
        checkRoom(commands[i], exit);
        out[i] = std::move(exit);
      }
      next += Running::kPolled;
    }
  }
}

/// Keeps the command, to which what runs refers.
class StartedPosixCommand final : public StartedCommand {
 public:
  StartedPosixCommand(Command command, const CageExceptions& exceptions, std::stop_token stop)
      : command_(std::move(command)), stop_(std::move(stop)) {
    startOne(command_, exceptions, stop_, running_, exits_);
  }
  Result<Exit> wait() override {
    waitForAll({&command_, 1}, running_, exits_, stop_);
    return std::move(exits_.front());
  }

 private:
  const Command command_;
  const std::stop_token stop_;
  RunningCommands running_;
  std::vector<Result<Exit>> exits_;
};

/// Runs when it is waited for.
class PostponedCommand final : public StartedCommand {
 public:
  PostponedCommand(CommandRunner& runner, Command command, std::stop_token stop)
      : runner_(runner), command_(std::move(command)), stop_(std::move(stop)) {}
  Result<Exit> wait() override { return runner_.run(command_, stop_); }

 private:
  CommandRunner& runner_;
  const Command command_;
  const std::stop_token stop_;
};

}  // namespace

bool wasKilled(const Exit& exit) { return killOf(exit) != 0; }

std::string killMessage(const Exit& exit) {
  return "was killed (signal " + std::to_string(killOf(exit)) + "), also when it was run again";
}

std::vector<Result<Exit>> runToEnd(std::span<const Command> commands, CommandRunner& runner,
                                   const std::stop_token& stop) {
  std::vector<Result<Exit>> out = runner.runAll(commands, stop);
  for (std::size_t i = 0; i < out.size(); ++i)
    if (out[i] && wasKilled(*out[i]) && !stop.stop_requested()) {
      Command again = commands[i];
      again.whileRunning = {};
      out[i] = runner.run(again, stop);
    }
  return out;
}

Result<Exit> runToEnd(const Command& command, CommandRunner& runner, const std::stop_token& stop) {
  return std::move(runToEnd(std::span<const Command>(&command, 1), runner, stop).front());
}

std::unique_ptr<StartedCommand> CommandRunner::start(Command command, std::stop_token stop) {
  return std::make_unique<PostponedCommand>(*this, std::move(command), std::move(stop));
}

std::vector<Result<Exit>> CommandRunner::runAll(std::span<const Command> commands,
                                                std::stop_token stop) {
  std::vector<Result<Exit>> out;
  for (const Command& command : commands) out.push_back(run(command, stop));
  return out;
}

Result<Exit> PosixCommandRunner::run(const Command& command, std::stop_token stop) {
  return std::move(runAll({&command, 1}, stop).front());
}

std::vector<Result<Exit>> PosixCommandRunner::runAll(std::span<const Command> commands,
                                                     std::stop_token stop) {
  std::vector<Result<Exit>> out;
  RunningCommands running;
  for (const Command& command : commands) startOne(command, exceptions_, stop, running, out);
  waitForAll(commands, running, out, stop);
  return out;
}

std::unique_ptr<StartedCommand> PosixCommandRunner::start(Command command, std::stop_token stop) {
  return std::make_unique<StartedPosixCommand>(std::move(command), exceptions_, std::move(stop));
}

}  // namespace fxs
