// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/child.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/built_cage.h"

namespace fxs {
namespace {

/// What the child needs, prepared before vfork: until exec it shares this process's memory and may
/// make only async-signal-safe calls, because another thread may hold the allocator's lock.
struct Launch {
  const char* program;
  const char* const* argv;
  const char* directory;  // null: stay
  pid_t parent;
  const char* const* environment;
  BuiltCage* cage;  // null: none
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
  if ((launch.directory == nullptr || ::chdir(launch.directory) == 0) &&
      ::dup2(launch.in, 0) >= 0 && ::dup2(launch.out, 1) >= 0 && ::dup2(launch.err, 2) >= 0) {
    ::close_range(3, std::numeric_limits<unsigned>::max(), CLOSE_RANGE_CLOEXEC);
    if (launch.memoryLimit > 0) {  // late: until exec, this process's memory counts
      const rlimit memory{launch.memoryLimit, launch.memoryLimit};
      ::setrlimit(RLIMIT_AS, &memory);
    }
    if (launch.cage == nullptr || launch.cage->enter())
      ::execve(launch.program, const_cast<char* const*>(launch.argv),
               const_cast<char* const*>(launch.environment));
  }
  const int error = errno;
  (void)!::write(launch.failure, &error, sizeof error);
  ::_exit(127);
}

/// The fields of a process or thread in /proc that follow its name, which may hold anything.
std::istringstream statAfterName(const std::filesystem::path& folder) {
  std::ifstream file(folder / "stat");
  std::string stat;
  std::getline(file, stat);
  return std::istringstream(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
}

pid_t busiestThread(pid_t pid) {
  pid_t busiest = pid;
  unsigned long most = 0;
  std::error_code error;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", error)) {
    // User and system time are the 12th and 13th fields after the name.
    std::istringstream fields = statAfterName(task.path());
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

/// The folders in /proc of the processes of a group.
std::vector<std::filesystem::path> groupOf(pid_t leader) {
  std::vector<std::filesystem::path> out;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    // After the name: state, parent, group.
    std::string state, parent, group;
    statAfterName(entry.path()) >> state >> parent >> group;
    if (group == std::to_string(leader)) out.push_back(entry.path());
  }
  return out;
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> out;
  for (const std::string& text : texts) out.push_back(text.c_str());
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> environmentOf(const Command& command) {
  const bool hasOwn = command.cage && !command.cage->writes.empty();
  std::vector<std::string> out{std::string("PATH=") + kProgramPath, "LANG=C.UTF-8",
                               "TMPDIR=" + (hasOwn ? command.cage->writes.front() : "/tmp")};
#if defined(__SANITIZE_ADDRESS__)
  // Leak detection starts a process, which a cage does not allow.
  out.push_back("ASAN_OPTIONS=detect_leaks=0");
#endif
  for (const std::string& variable : command.environment) {
    std::erase_if(out, [name = variable.substr(0, variable.find('=') + 1)](
                           const std::string& other) { return other.starts_with(name); });
    out.push_back(variable);
  }
  return out;
}

/// The process that becomes the command; negative, with errno, if there is none. vfork: a fork
/// would copy the page tables of a large program, and make each page that is written afterwards
/// fault. By itself, so that no variable of its callers lives across the vfork.
[[gnu::noinline]] pid_t forked(const Launch& launch) {
  const pid_t pid = ::vfork();
  if (pid == 0) becomeCommand(launch);
  return pid;
}

/// forked() with all signals blocked, as handlers of this process would run in its child too.
pid_t forkedWithoutSignals(const Launch& launch) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = forked(launch);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

tl::unexpected<Error> notStarted(const Command& command, int error) {
  const bool missing = error == ENOENT || error == ENOTDIR;
  const std::string where = command.directory.empty() ? "" : " in " + command.directory;
  return fail(missing ? ErrorCode::NotFound : ErrorCode::Io,
              command.argv[0] + ": could not be started" + where + ": " + reason(error));
}

/// The path of the command's program, which is still the one that was inspected.
Result<std::string> programOf(const Command& command) {
  std::string program = command.argv[0];
  if (program.find('/') == std::string::npos) {
    auto found = findProgram(program, kProgramPath);
    if (!found) return notStarted(command, ENOENT);
    program = *std::move(found);
  }
  if (command.program && !isStill(program, *command.program, command.programSha256))
    return fail(ErrorCode::Io,
                command.argv[0] +
                    ": was changed since it was inspected; restart to use the current version");
  return program;
}

Result<std::optional<BuiltCage>> cageOf(const Command& command, const CageExceptions& exceptions) {
  if (!command.cage) return std::optional<BuiltCage>();
  Cage wanted = *command.cage;
  wanted.reads.insert(wanted.reads.end(), exceptions.reads.begin(), exceptions.reads.end());
  std::error_code ignored;
  std::copy_if(exceptions.writes.begin(), exceptions.writes.end(),
               std::back_inserter(wanted.writes),
               [&](const std::string& folder) { return std::filesystem::exists(folder, ignored); });
  auto built = BuiltCage::build(wanted, command.timeout + command.grace);
  if (!built)
    return fail(ErrorCode::Io,
                command.argv[0] + ": cannot be run in a cage: " + built.error().message);
  return std::optional<BuiltCage>(*std::move(built));
}

/// The error that the child reports if it cannot become the command.
std::optional<int> reportedError(Pipe failure) {
  failure.write.reset();
  int error = 0;
  ssize_t n = 0;
  while ((n = ::read(failure.read.get(), &error, sizeof error)) < 0 && errno == EINTR) {
  }
  return n == 0 ? std::nullopt : std::optional(error);
}

}  // namespace

std::string reason(int error) { return ::strerror(error); }

Result<Pipe> makePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return fail(ErrorCode::Io, "cannot create a pipe for a child process: " + reason(errno));
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

Child::Child(pid_t pid)
    : pid_(pid),
      handle_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {
}  // glibc 2.36 declares pidfd_open without extern "C"

Result<Child> Child::start(const Command& command, const CageExceptions& exceptions, int in,
                           int out, int err) {
  FXS_TRY(const std::string program, programOf(command));
  FXS_TRY(std::optional<BuiltCage> cage, cageOf(command, exceptions));
  const std::vector<const char*> argv = pointers(command.argv);
  const std::vector<std::string> variables = environmentOf(command);
  const std::vector<const char*> environment = pointers(variables);
  FXS_TRY(Pipe failure, makePipe());
  const Launch launch{program.c_str(),
                      argv.data(),
                      command.directory.empty() ? nullptr : command.directory.c_str(),
                      ::getpid(),
                      environment.data(),
                      cage ? &*cage : nullptr,
                      in,
                      out,
                      err,
                      failure.write.get(),
                      command.memoryLimit};
  const pid_t pid = forkedWithoutSignals(launch);
  if (pid < 0)
    return fail(ErrorCode::Io, command.argv[0] + ": could not be started: " + reason(errno));
  ::setpgid(pid, pid);  // in the parent too, so that the group exists before it can be killed

  if (const auto error = reportedError(std::move(failure))) {
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return notStarted(command, *error);
  }
  Child child(pid);
  if (cage) child.processLimit_ = cage->takeProcessLimit();
  if (child.handle() >= 0) return child;
  return fail(ErrorCode::Io, command.argv[0] + ": cannot be watched (pidfd_open: " + reason(errno) +
                                 "); requires Linux 5.3 or later");
}

void Child::interrupt() const { ::syscall(SYS_tgkill, pid_, busiestThread(pid_), SIGABRT); }

std::size_t Child::processes() const { return groupOf(pid_).size(); }

std::chrono::nanoseconds Child::waited() const {
  std::chrono::nanoseconds out{0};
  for (const std::filesystem::path& process : groupOf(pid_)) {
    std::error_code error;
    for (const auto& task : std::filesystem::directory_iterator(process / "task", error)) {
      std::ifstream file(task.path() / "schedstat");
      std::int64_t ran = 0, delayed = 0;
      if (file >> ran >> delayed) out = std::max(out, std::chrono::nanoseconds(delayed));
    }
  }
  return out;
}

int Child::reap() {
  if (pid_ > 0) {
    ::kill(-pid_, SIGKILL);
    rusage used{};
    while (::wait4(pid_, &status_, 0, &used) < 0 && errno == EINTR) {
    }
    peakMemory_ = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
    for (const timeval& time : {used.ru_utime, used.ru_stime})
      processor_ += std::chrono::milliseconds(time.tv_sec * 1000 + time.tv_usec / 1000);
    pid_ = -1;
  }
  return status_;
}

}  // namespace fxs
