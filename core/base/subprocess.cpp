#include "base/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

namespace fxs {
namespace {

using Clock = std::chrono::steady_clock;

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    reset();
    fd_ = std::exchange(other.fd_, -1);
    return *this;
  }
  ~Fd() { reset(); }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void reset() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

std::string reason(int error) { return ::strerror(error); }

struct Pipe {
  Fd read;
  Fd write;
};
Result<Pipe> makePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(ErrorCode::Io, "no pipe for a child process: " + reason(errno));
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

/// Standard input as a file in memory: the child reads at its own pace, nothing has to be pumped into a pipe, and a
/// child that never reads cannot raise SIGPIPE here.
Result<Fd> stdinFile(const std::string& text) {
  if (text.empty()) {
    Fd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!null.open()) return fail(ErrorCode::Io, "/dev/null: " + reason(errno));
    return null;
  }
  Fd file(::memfd_create("stdin", MFD_CLOEXEC));
  if (!file.open()) return fail(ErrorCode::Io, "no memory file for a child's input: " + reason(errno));
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = ::write(file.get(), text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(ErrorCode::Io, "a child's input of " + std::to_string(text.size()) + " bytes: " + reason(errno));
    written += static_cast<std::size_t>(n);
  }
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return fail(ErrorCode::Io, "a child's input: " + reason(errno));
  return file;
}

/// What the child needs, gathered before it exists: until it becomes the command it runs in this process's memory, where only
/// async-signal-safe calls are allowed, because another thread may hold the allocator's lock.
struct Launch {
  const char* const* argv;
  const char* directory;  // null: stay
  pid_t parent;
  int in, out, err, failure;
  std::uint64_t memoryLimit;
};

[[noreturn]] void becomeCommand(const Launch& launch) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != launch.parent) ::_exit(127);  // the parent died before the line above
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const rlimit noCore{0, 0};
  ::setrlimit(RLIMIT_CORE, &noCore);
  if (launch.memoryLimit > 0) {
    const rlimit memory{launch.memoryLimit, launch.memoryLimit};
    ::setrlimit(RLIMIT_AS, &memory);
  }
  if ((launch.directory == nullptr || ::chdir(launch.directory) == 0) && ::dup2(launch.in, 0) >= 0 && ::dup2(launch.out, 1) >= 0 && ::dup2(launch.err, 2) >= 0) {
    ::close_range(3, std::numeric_limits<unsigned>::max(), CLOSE_RANGE_CLOEXEC);
    char* const* argv = const_cast<char* const*>(launch.argv);
    // A path goes to execve, which refuses a file that is no program; execvp would hand it to a shell.
    if (::strchr(argv[0], '/') != nullptr) ::execve(argv[0], argv, environ);
    else ::execvp(argv[0], argv);
  }
  const int error = errno;
  (void)!::write(launch.failure, &error, sizeof error);
  ::_exit(127);
}

/// The thread of a process that has used the most processor time: in a program that hangs, the one that hangs.
pid_t busiestThread(pid_t pid) {
  pid_t busiest = pid;
  unsigned long most = 0;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", error)) {
    std::ifstream file(task.path() / "stat");
    std::string stat;
    std::getline(file, stat);
    // The name, in parentheses, may hold anything; user and system time are the 12th and 13th fields after it.
    std::istringstream fields(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
    std::string skipped;
    for (int i = 0; i < 11; ++i) fields >> skipped;
    unsigned long user = 0, system = 0;
    fields >> user >> system;
    if (user + system > most) {
      most = user + system;
      busiest = static_cast<pid_t>(std::stol(task.path().filename()));
    }
  }
  return busiest;
}

/// A started child, killed with its group and reaped at the latest here.
class Child {
 public:
  explicit Child(pid_t pid)
      : pid_(pid), handle_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}  // glibc 2.36 declares pidfd_open without extern "C"
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { reap(); }
  int handle() const { return handle_.get(); }
  void killGroup() const { ::kill(-pid_, SIGKILL); }
  void interrupt() const { ::syscall(SYS_tgkill, pid_, busiestThread(pid_), SIGABRT); }
  /// The group is killed while the child is still unreaped, so that its number cannot belong to someone else.
  int reap() {
    if (pid_ > 0) {
      killGroup();
      while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
      }
      pid_ = -1;
    }
    return status_;
  }

 private:
  pid_t pid_;
  Fd handle_;
  int status_ = 0;
};

Result<pid_t> start(const Command& command, int in, int out, int err) {
  std::vector<const char*> argv;
  for (const std::string& a : command.argv) argv.push_back(a.c_str());
  argv.push_back(nullptr);
  FXS_TRY(Pipe failure, makePipe());
  const Launch launch{argv.data(), command.directory.empty() ? nullptr : command.directory.c_str(), ::getpid(), in, out, err, failure.write.get(), command.memoryLimit};

  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  // vfork: a fork would copy the page tables of a large program, and make each page that is written afterwards fault.
  const pid_t pid = ::vfork();
  if (pid == 0) becomeCommand(launch);
  const int forkError = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) return fail(ErrorCode::Io, command.argv[0] + ": could not be started: " + reason(forkError));
  ::setpgid(pid, pid);  // here too: whoever comes first, the group exists before it can be killed

  failure.write.reset();
  int error = 0;
  ssize_t n = 0;
  while ((n = ::read(failure.read.get(), &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (n == 0) return pid;
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  const bool missing = error == ENOENT || error == ENOTDIR;
  const std::string where = command.directory.empty() ? "" : " in " + command.directory;
  return fail(missing ? ErrorCode::NotFound : ErrorCode::Io, command.argv[0] + ": could not be started" + where + ": " + reason(error));
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
  const std::size_t room = limit == 0 ? got : static_cast<std::size_t>(std::min<std::uint64_t>(got, limit - into.size()));
  into.append(buffer.data(), room);
  return room < got ? Drained::Full : Drained::More;
}

/// One command from its start to its Exit. Destroyed while it runs, it kills its group.
class Running {
 public:
  static Result<std::unique_ptr<Running>> start(const Command& command) {
    FXS_TRY(Fd in, stdinFile(command.stdinText));
    FXS_TRY(Pipe out, makePipe());
    FXS_TRY(Pipe err, makePipe());
    const Clock::time_point begin = Clock::now();
    FXS_TRY(const pid_t pid, fxs::start(command, in.get(), out.write.get(), err.write.get()));
    auto running = std::make_unique<Running>(command, pid, begin, std::move(out.read), std::move(err.read));
    if (running->child_.handle() < 0)
      return fail(ErrorCode::Io, command.argv[0] + ": cannot be watched (pidfd_open: " + reason(errno) + "); Linux 5.3 or later is needed");
    return running;
  }

  Running(const Command& command, pid_t pid, Clock::time_point begin, Fd out, Fd err)
      : command_(command), begin_(begin), deadline_(begin + command.timeout), child_(pid), out_(std::move(out)), err_(std::move(err)) {
    ::fcntl(out_.get(), F_SETFL, O_NONBLOCK);
    ::fcntl(err_.get(), F_SETFL, O_NONBLOCK);
  }

  static constexpr std::size_t kPolled = 3;
  void poll(std::vector<pollfd>& into) const {
    into.push_back({out_.get(), POLLIN, 0});
    into.push_back({err_.get(), POLLIN, 0});
    into.push_back({child_.handle(), POLLIN, 0});
  }
  /// Until its next deadline; negative when it has none.
  int wait() const {
    if (command_.timeout.count() == 0) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, std::numeric_limits<int>::max()));
  }

  /// Takes what poll() found; true when the command has ended.
  bool step(const pollfd* polled) {
    // A child that prints for ever is always readable: the limits are looked at in every round.
    if (command_.timeout.count() > 0 && Clock::now() >= deadline_) {
      if (interrupted_ || command_.grace.count() == 0) {
        killed_ = ExitReason::TimedOut;
      } else {
        child_.interrupt();
        interrupted_ = true;
        deadline_ += command_.grace;
      }
    }
    if (polled[0].revents && drain(out_, exit_.out, command_.outputLimit) == Drained::Full) killed_ = ExitReason::OutputLimit;
    if (polled[1].revents && drain(err_, exit_.err, command_.outputLimit) == Drained::Full) killed_ = ExitReason::OutputLimit;
    return killed_ || polled[2].revents != 0;
  }

  Exit finish() {
    const int status = child_.reap();
    // What the child left in the pipes. A process that escaped the group may hold them open: read what is there, wait for
    // nothing.
    drainAll(out_, exit_.out);
    drainAll(err_, exit_.err);
    if (interrupted_ && !killed_) killed_ = ExitReason::TimedOut;
    exit_.wall = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_);
    if (killed_) {
      exit_.reason = *killed_;
    } else if (WIFSIGNALED(status)) {
      exit_.reason = ExitReason::Signalled;
      exit_.signal = WTERMSIG(status);
    } else {
      exit_.status = WEXITSTATUS(status);
    }
    return std::move(exit_);
  }

 private:
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
  Child child_;
  Fd out_;
  Fd err_;
  Exit exit_;
  std::optional<ExitReason> killed_;
  bool interrupted_ = false;
};

Error cancelled(const Command& command) { return Error{ErrorCode::Cancelled, command.argv[0] + " was cancelled", {}}; }

}  // namespace

std::vector<Result<Exit>> CommandRunner::runAll(std::span<const Command> commands, std::stop_token stop) {
  std::vector<Result<Exit>> out;
  for (const Command& command : commands) out.push_back(run(command, stop));
  return out;
}

Result<Exit> PosixCommandRunner::run(const Command& command, std::stop_token stop) {
  return std::move(runAll({&command, 1}, stop).front());
}

std::vector<Result<Exit>> PosixCommandRunner::runAll(std::span<const Command> commands, std::stop_token stop) {
  std::vector<Result<Exit>> out;
  std::vector<std::unique_ptr<Running>> running(commands.size());
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const Command& command = commands[i];
    if (command.argv.empty() || command.argv[0].empty()) {
      out.push_back(fail(ErrorCode::Internal, "a command without a program"));
      continue;
    }
    // Replaced below by the Exit, unless it is cancelled before.
    out.push_back(tl::unexpected<Error>(cancelled(command)));
    if (stop.stop_requested()) continue;
    auto started = Running::start(command);
    if (started) running[i] = *std::move(started);
    else out.back() = tl::unexpected<Error>(std::move(started).error());
  }
  for (std::size_t i = 0; i < commands.size(); ++i)
    if (running[i] && commands[i].whileRunning) commands[i].whileRunning();
  Fd wake(::eventfd(0, EFD_CLOEXEC));
  const std::stop_callback wakeUp(stop, [&wake] {
    const std::uint64_t one = 1;
    (void)!::write(wake.get(), &one, sizeof one);
  });
  for (;;) {
    std::vector<pollfd> polled{{wake.get(), POLLIN, 0}};
    int wait = -1;
    for (const auto& r : running) {
      if (!r) continue;
      r->poll(polled);
      const int left = r->wait();
      if (left >= 0) wait = wait < 0 ? left : std::min(wait, left);
    }
    if (polled.size() == 1) return out;
    const int n = ::poll(polled.data(), polled.size(), wait);
    if (n < 0 && errno == EINTR) continue;
    if (stop.stop_requested()) return out;  // what still runs is killed with its group
    const pollfd* next = polled.data() + 1;
    for (std::size_t i = 0; i < running.size(); ++i) {
      if (!running[i]) continue;
      if (running[i]->step(next)) {
        out[i] = running[i]->finish();
        running[i].reset();
      }
      next += Running::kPolled;
    }
  }
}

}  // namespace fxs
