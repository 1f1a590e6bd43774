// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/cage.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/budget.h"
#include "base/process_limit.h"
#include "base/subprocess.h"
#include "fake_engine.h"

namespace fxs {
namespace {

using namespace std::chrono_literals;
using test::contentOf;
using test::TemporaryDirectory;

/// A shell needs to start programs, and may: what it starts is in its cage.
Cage shellCage() {
  Cage cage;
  cage.processes = Cage::Processes::Programs;
  return cage;
}

Exit sh(const std::string& script, Cage cage, CageExceptions exceptions = {},
        std::vector<std::string> environment = {}) {
  Command command;
  command.argv = {"/bin/sh", "-c", script};
  command.timeout = 20s;
  command.cage = std::move(cage);
  command.environment = std::move(environment);
  auto exit = PosixCommandRunner(std::move(exceptions)).run(command, {});
  if (exit) return *std::move(exit);
  Exit none;
  none.status = -1;
  none.err = exit.error().message;
  return none;
}

std::string python(const std::string& script, Cage cage) {
  Command command;
  command.argv = {"/usr/bin/python3", "-I", "-c", script};
  command.timeout = 20s;
  command.cage = std::move(cage);
  const auto exit = PosixCommandRunner().run(command, {});
  return exit ? exit->out + exit->err.substr(exit->err.rfind('\n', exit->err.size() - 2) + 1)
              : exit.error().message;
}

class CageFiles : public testing::Test {
 protected:
  void SetUp() override {
    if (cageStrength().landlock == 0)
      GTEST_SKIP() << "this kernel has no Landlock: files are not held";
    std::ofstream(inside_.file("input")) << "input\n";
    std::ofstream(outside_.file("secret")) << "secret\n";
  }
  Cage cage() const {
    Cage cage = shellCage();
    cage.writes = {inside_.path()};
    return cage;
  }
  TemporaryDirectory inside_, outside_;
};

TEST_F(CageFiles, ItReadsAndWritesInItsOwnFolder) {
  const Exit exit =
      sh("cd " + inside_.path() +
             " && cat input && mkdir d && echo x > d/y && mv d/y z && rm -r d input && ls",
         cage());
  EXPECT_EQ(exit.out, "input\nz\n");
  EXPECT_EQ(exit.err, "");
}

TEST_F(CageFiles, ItWritesNowhereElse) {
  const std::string out = outside_.path();
  const std::string home = ::getenv("HOME") != nullptr ? ::getenv("HOME") : "/root";
  const Exit exit =
      sh("echo x > " + out + "/new; echo x >> " + out + "/secret; mkdir " + out + "/d; rm " + out +
             "/secret; mv " + out + "/secret " + inside_.path() + "; ln " + out + "/secret " +
             inside_.path() + "/l; echo x > " + home +
             "/fxscope-cage-test; echo x > /tmp/fxscope-cage-test; " + "chmod 777 " + out +
             "/secret; touch -d 2001-01-01 " + out + "/secret; truncate -s 0 " + out + "/secret",
         cage());
  EXPECT_NE(exit.status, 0);
  EXPECT_EQ(std::count(exit.err.begin(), exit.err.end(), '\n'), 11) << exit.err;
  EXPECT_EQ(contentOf(out + "/secret"), "secret\n");
  EXPECT_NE(std::filesystem::status(out + "/secret").permissions() & std::filesystem::perms::all,
            std::filesystem::perms::all);
  EXPECT_FALSE(std::filesystem::exists("/tmp/fxscope-cage-test"));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(out)) ++files;
  EXPECT_EQ(files, 1u);
}

TEST_F(CageFiles, ItReadsWhatIsNamedAndNothingElse) {
  Cage named = cage();
  EXPECT_EQ(sh("cat " + outside_.file("secret"), named).err,
            "cat: " + outside_.file("secret") + ": Permission denied\n");
  EXPECT_EQ(sh("ls " + outside_.path(), named).err,
            "ls: cannot open directory '" + outside_.path() + "': Permission denied\n");
  EXPECT_EQ(sh("cat /etc/passwd", named).err, "cat: /etc/passwd: Permission denied\n");
  named.reads = {outside_.file("secret"), "/no/such/file"};
  EXPECT_EQ(sh("cat " + outside_.file("secret"), named).out, "secret\n");
  EXPECT_EQ(sh("ls " + outside_.path(), named).status, 2);
  EXPECT_NE(sh("echo x > " + outside_.file("secret"), named).status, 0);
}

TEST_F(CageFiles, LinkOutOfItsFolderLeadsNowhere) {
  std::filesystem::create_symlink(outside_.file("secret"), inside_.file("link"));
  const Exit exit = sh("cat link; echo x > link", [&] {
    Cage c = cage();
    return c;
  }());
  EXPECT_EQ(exit.out, "");
  const Exit within = sh("cd " + inside_.path() + "; cat link; echo x > link", cage());
  EXPECT_EQ(within.out, "");
  EXPECT_EQ(contentOf(outside_.file("secret")), "secret\n");
}

TEST_F(CageFiles, WhereEverythingIsReadStillNothingIsWritten) {
  Cage open = cage();
  open.reading = Cage::Reading::Everything;
  EXPECT_EQ(sh("cat " + outside_.file("secret"), open).out, "secret\n");
  EXPECT_NE(sh("echo x > " + outside_.file("secret"), open).status, 0);
  EXPECT_NE(sh("cat /dev/mem", open).status, 0);
  EXPECT_EQ(contentOf(outside_.file("secret")), "secret\n");
}

TEST_F(CageFiles, WhatTheUserExceptsIsAllowedToo) {
  const Exit exit = sh("cat " + outside_.file("secret") + " > " + outside_.file("copy"), cage(),
                       {{}, {outside_.path()}});
  EXPECT_EQ(exit.err, "");
  EXPECT_EQ(contentOf(outside_.file("copy")), "secret\n");
  EXPECT_EQ(sh("cat " + outside_.file("secret"), cage(), {{outside_.path()}, {}}).out, "secret\n");
}

TEST_F(CageFiles, FolderOfItsOwnMustBeThere) {
  Cage missing = cage();
  missing.writes = {"/no/such/folder"};
  EXPECT_EQ(sh("true", missing).err,
            "/bin/sh: cannot be run in a cage: /no/such/folder: No such file or directory");
}

TEST_F(CageFiles, DescriptorsAndDevicesWork) {
  EXPECT_EQ(sh("echo a > /dev/null; echo b > /dev/stderr; echo c > /dev/stdout; head -c 3 "
               "/dev/zero | wc -c; read name rest < /proc/self/status; "
               "echo $name",
               cage())
                .out,
            "c\n3\nName:\n");
}

/// Which of these files can be read, by Python.
std::string readable(const std::string& files) {
  return "for file in " + files +
         ":\n  try: open(file, 'rb').read(); print(file)\n  except OSError: pass\nprint('tried')";
}

TEST_F(CageFiles, InProcItSeesItself) {
  EXPECT_EQ(python(readable("('/proc/self/status', '/proc/self/maps', '/proc/self/environ', "
                            "'/proc/cpuinfo', '/proc/meminfo')"),
                   {}),
            "/proc/self/status\n/proc/self/maps\n/proc/self/environ\n/proc/cpuinfo\n/proc/"
            "meminfo\ntried\n");
  const std::string me = "/proc/" + std::to_string(::getpid()) + "/";
  EXPECT_EQ(
      python(
          readable(
              "[p + f for p in ('" + me +
              "', '/proc/1/') for f in ('environ', 'cmdline', 'status', 'maps', 'mem', 'fd/0')]"),
          {}),
      "tried\n");
}

TEST_F(CageFiles, NoEnvironmentIsReadWhereEverythingElseIs) {
  Cage open = shellCage();
  open.reading = Cage::Reading::Everything;
  const Exit exit =
      sh("cat /proc/[0-9]*/environ | tr '\\0' '\\n' | cut -d= -f1 | sort -u", open, {}, {"MINE=1"});
  for (const char* other : {"HOME", "USER", "OLDPWD"})
    EXPECT_THAT(exit.out, testing::Not(testing::HasSubstr(std::string(other) + "\n")));
  EXPECT_THAT(exit.out, testing::HasSubstr("MINE\n"));
  EXPECT_EQ(sh("cat /proc/" + std::to_string(::getpid()) + "/environ", open).out, "");
}

class CageCalls : public testing::Test {
 protected:
  void SetUp() override {
    if (!cageStrength().filter)
      GTEST_SKIP() << "this kernel has no seccomp: system calls are not held";
  }
};

TEST_F(CageCalls, NoSocketOfAnyKind) {
  Cage cage;
  EXPECT_EQ(python("import socket\n"
                   "for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, "
                   "socket.AF_NETLINK, socket.AF_PACKET):\n"
                   "  for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):\n"
                   "    try: socket.socket(family, kind); print('open', family, kind)\n"
                   "    except PermissionError: pass\n"
                   "print('tried')",
                   cage),
            "tried\n");
}

TEST_F(CageCalls, APairOfSocketsReachesNoOther) {
  const TemporaryDirectory dir;
  const auto listen = [](std::string name, bool hasPath) {
    const int server = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name.copy(address.sun_path + (hasPath ? 0 : 1), sizeof address.sun_path - 2);
    const std::size_t size = offsetof(sockaddr_un, sun_path) + 1 + name.size();
    EXPECT_EQ(::bind(server, reinterpret_cast<sockaddr*>(&address), static_cast<socklen_t>(size)),
              0);
    return server;
  };
  const std::string path = dir.file("socket"),
                    hidden = "fxscope-cage-" + std::to_string(::getpid());
  const int named = listen(path, true), abstract = listen(hidden, false);
  const std::string send =
      "import socket\n"
      "for kind in (socket.SOCK_DGRAM, socket.SOCK_SEQPACKET, socket.SOCK_STREAM):\n"
      "  for name in ('" +
      path + "', '\\0" + hidden +
      "'):\n"
      "    try:\n"
      "      one, other = socket.socketpair(socket.AF_UNIX, kind)\n"
      "      print(kind.name)\n"
      "      one.sendto(b'x', name)\n"
      "    except OSError: pass\n";
  for (Cage cage : {Cage(), shellCage()}) {
    cage.writes = {dir.path()};
    EXPECT_EQ(python(send, cage),
              "SOCK_STREAM\nSOCK_STREAM\n");  // which has no other end than its own
    char byte = 0;
    EXPECT_EQ(::recv(named, &byte, 1, 0), -1);
    EXPECT_EQ(::recv(abstract, &byte, 1, 0), -1);
  }
  ::close(named);
  ::close(abstract);
}

TEST_F(CageCalls, ListeningServerIsNotReached) {
  const int server = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(server, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(server, 1), 0);
  socklen_t size = sizeof address;
  ::getsockname(server, reinterpret_cast<sockaddr*>(&address), &size);
  const std::string connect = "import socket; socket.create_connection(('127.0.0.1', " +
                              std::to_string(ntohs(address.sin_port)) + ")); print('reached')";
  Command free;
  free.argv = {"/usr/bin/python3", "-I", "-c", connect};
  EXPECT_EQ(PosixCommandRunner().run(free, {})->out, "reached\n");
  EXPECT_EQ(python(connect, {}), "PermissionError: [Errno 1] Operation not permitted\n");
  ::close(server);
}

TEST_F(CageCalls, ThreadsButNoProcesses) {
  EXPECT_EQ(python("import threading; t = threading.Thread(target=lambda: print('thread')); "
                   "t.start(); t.join()",
                   {}),
            "thread\n");
  EXPECT_EQ(python("import os; os.fork()", {}),
            "PermissionError: [Errno 1] Operation not permitted\n");
  EXPECT_EQ(python("import subprocess; subprocess.run(['/bin/true'])", {}),
            "PermissionError: [Errno 1] Operation not permitted\n");
}

TEST_F(CageCalls, NothingThatReachesOtherProcessesOrTheKernel) {
  const std::string calls =
      "import ctypes, errno\n"
      "libc = ctypes.CDLL(None, use_errno=True)\n"
      "def call(*args):\n"
      "  ctypes.set_errno(0); libc.syscall(*args); return errno.errorcode.get(ctypes.get_errno(), "
      "'done')\n"
#if defined(__x86_64__)
      // ptrace, process_vm_readv, setsid, shmget, unshare, mount, bpf, perf_event_open,
      // userfaultfd, io_uring_setup, keyctl, chmod
      "for n in (101, 310, 112, 29, 272, 165, 321, 298, 323, 425, 250, 90): print(call(n, 0, 0, 0, "
      "0, 0), end=' ')\n"
      "print(call(435, 0, 0), call(999), call(0x40000000 + 39), call(302, 1, 0, 0, 0), call(16, 0, "
      "0x5412, b'x'))\n";  // clone3, ..,
                           // prlimit64, ioctl
                           // TIOCSTI
  EXPECT_EQ(python(calls, {}),
            "EPERM EPERM EPERM EPERM EPERM EPERM EPERM EPERM EPERM EPERM EPERM EPERM ENOSYS ENOSYS "
            "ENOSYS EPERM EPERM\n");
#else
      "";
  GTEST_SKIP() << "the numbers of system calls are those of x86-64";
#endif
}

TEST_F(CageCalls, AScriptReachesNoOtherProcess) {
#if defined(__x86_64__)
  const std::string attempts =
      "import ctypes, os\n"
      "libc = ctypes.CDLL(None, use_errno=True)\n"
      "buffer = ctypes.create_string_buffer(64)\n"
      "pid = " +
      std::to_string(::getpid()) +
      "\n"
      "pidfd = libc.syscall(434, pid, 0)\n"
      "for name, *call in (\n"
      "    ('attach', 101, 16, pid, 0, 0), ('seize', 101, 0x4206, pid, 0, 0),\n"
      "    ('read memory', 310, pid, buffer, 1, buffer, 1, 0), ('write memory', 311, pid, buffer, "
      "1, buffer, 1, 0),\n"
      "    ('compare', 312, pid, os.getpid(), 0, 0, 0), ('limits', 302, pid, 7, 0, buffer), "
      "('signal', 62, pid, 0),\n"
      "    ('signal a thread', 234, pid, pid, 0), ('signal by descriptor', 424, pidfd, 0, 0, 0),\n"
      "    ('take a descriptor', 438, pidfd, 0, 0), ('advise', 440, pidfd, buffer, 1, 4, 0), "
      "('release', 448, pidfd, 0),\n"
      "    ('move pages', 279, pid, 0, 0, 0, 0, 0), ('counters', 298, buffer, pid, -1, -1, 0), "
      "('priority', 141, 0, pid, 19),\n"
      "    ('message', 69, 0, buffer, 1, 0), ('take a message', 70, 0, buffer, 1, 0, 0x800), "
      "('semaphore', 65, 0, buffer, 1),\n"
      "    ('lease', 72, 0, 1024, 0), ('group', 109, pid, os.getpid()), ('namespace', 308, pidfd, "
      "0)):\n"
      "  ctypes.set_errno(0)\n"
      "  if libc.syscall(*call) != -1 or ctypes.get_errno() != 1: print(name, ctypes.get_errno())\n"
      "for file in ('mem', 'oom_score_adj', 'timerslack_ns', 'comm', 'coredump_filter', "
      "'attr/current'):\n"
      "  try: os.open('/proc/%d/%s' % (pid, file), os.O_WRONLY); print(file)\n"
      "  except OSError: pass\n"
      "print('tried')";
  Cage everything = shellCage();
  everything.reading = Cage::Reading::Everything;
  EXPECT_EQ(python(attempts, shellCage()), "tried\n");
  EXPECT_EQ(python(attempts, everything), "tried\n");
#else
  GTEST_SKIP() << "the numbers of system calls are those of x86-64";
#endif
}

TEST_F(CageCalls, AScriptSignalsItsOwnProcessesOnly) {
  if (cageStrength().landlock < 6) GTEST_SKIP() << "this kernel's Landlock does not hold signals";
  const Exit exit = sh("kill -0 " + std::to_string(::getpid()) +
                           "; kill -0 $$ && echo itself; sleep 9 & kill $! && wait $! || echo $?; "
                           "kill -0 0 && echo all",
                       shellCage());
  EXPECT_EQ(exit.out, "itself\n143\nall\n");
  EXPECT_THAT(exit.err, testing::HasSubstr("ermitted"));
}

TEST_F(CageCalls, OtherProcessesGetNoSignal) {
  const std::string mine = std::to_string(::getpid());
  EXPECT_EQ(python("import os, signal\n"
                   "for pid in (" +
                       mine +
                       ", -1, 1):\n"
                       "  try: os.kill(pid, 0); print('reached', pid)\n"
                       "  except PermissionError: pass\n"
                       "os.kill(os.getpid(), 0)\n"
                       "signal.signal(signal.SIGUSR1, lambda *_: print('got'))\n"
                       "signal.raise_signal(signal.SIGUSR1)",
                   {}),
            "got\n");
}

TEST_F(CageCalls, AProgramThatAbortsIsSignalled) {
  Command command;
  command.argv = {"/usr/bin/python3", "-I", "-c", "import os; os.abort()"};
  command.cage.emplace();
  const auto exit = PosixCommandRunner().run(command, {});
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->reason, ExitReason::Signalled);
  EXPECT_EQ(exit->signal, SIGABRT);
}

TEST_F(CageCalls, OtherProcessesAreNotScheduledOtherwise) {
  const std::string mine = std::to_string(::getpid());
  const std::string script =
      "import ctypes, fcntl, os\n"
      "libc = ctypes.CDLL(None, use_errno=True)\n"
      "def attempt(name, call):\n"
      "  try: call(); print(name)\n"
      "  except OSError: pass\n"
      "def ioprio_set(which, who):\n"
      "  if libc.syscall(IOPRIO_SET, which, who, 3 << 13): raise OSError\n"
      "attempt('affinity', lambda: os.sched_setaffinity(" +
      mine +
      ", {0}))\n"
      "attempt('class', lambda: os.sched_setscheduler(" +
      mine +
      ", os.SCHED_BATCH, os.sched_param(0)))\n"
      "attempt('parameters', lambda: os.sched_setparam(" +
      mine +
      ", os.sched_param(0)))\n"
      "attempt('priority', lambda: os.setpriority(os.PRIO_PROCESS, " +
      mine +
      ", 19))\n"
      "attempt('io priority', lambda: ioprio_set(1, " +
      mine +
      "))\n"
      "attempt('io priority of the user', lambda: ioprio_set(3, 0))\n"
      "attempt('owner of a file', lambda: fcntl.fcntl(0, fcntl.F_SETOWN, " +
      mine +
      "))\n"
      "attempt('own affinity', lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)))\n"
      "attempt('own io priority', lambda: ioprio_set(1, 0))\n";
#if defined(__x86_64__)
  const std::string number = "IOPRIO_SET = 251\n";
#else
  const std::string number = "IOPRIO_SET = 30\n";
#endif
  EXPECT_EQ(python(number + script, {}), "own affinity\nown io priority\n");
  EXPECT_EQ(python(number + script, shellCage()), "own affinity\nown io priority\n");
}

TEST_F(CageCalls, OfTheRightsOfRootThoseToFilesStay) {
  const Exit exit =
      sh("while read name value; do case $name in CapPrm: | CapEff: | CapInh:) echo $value ;; "
         "esac; done < /proc/self/status",
         shellCage());
  const std::string none = "0000000000000000\n", files = "0000000000000006\n";
  EXPECT_EQ(exit.out, none + (::geteuid() == 0 ? files + files : none + none));
}

TEST_F(CageCalls, AScriptForksToItsLimitAndNoFurther) {
  const TemporaryDirectory dir;
  Cage cage = shellCage();
  cage.writes = {dir.path()};
  // As fast as it can, each process too.
  const std::string bomb =
      "import os\n"
      "file = os.open('" +
      dir.file("started") +
      "', os.O_CREAT | os.O_APPEND | os.O_WRONLY)\n"
      "while True:\n"
      "  os.fork() or os.write(file, b'x')\n";
  Command command;
  command.argv = {"/usr/bin/python3", "-I", "-c", bomb};
  command.timeout = 20s;
  command.cage = cage;
  const auto exit = PosixCommandRunner().run(command, {});
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->reason, ExitReason::ProcessLimit);
  const std::size_t most =
      std::max<std::size_t>(Cage::kMostProcesses, 2 * std::thread::hardware_concurrency() + 16);
  const std::size_t started = contentOf(dir.file("started")).size();
  if (ProcessLimit::make().isGroup()) {
    EXPECT_LT(started, most);
  } else if (::getuid() != 0) {
    EXPECT_LE(started, 2 * most);
  }
}

TEST_F(CageCalls, ProcessesThatEndedDoNotCount) {
  EXPECT_EQ(
      sh("i=0; while [ $i -lt 200 ]; do /bin/true; i=$((i + 1)); done; echo $i", shellCage()).out,
      "200\n");
}

TEST_F(CageCalls, ForkBombIsKilledWithAllItStarted) {
  const TemporaryDirectory dir;
  Cage cage = shellCage();
  cage.writes = {dir.path()};
  const Exit exit =
      sh("for i in $(seq 200); do (echo x >> " + dir.file("started") + "; sleep 100) & done; wait",
         cage);
  EXPECT_EQ(exit.reason, ExitReason::ProcessLimit);
  EXPECT_LT(exit.wall, 10s);
  EXPECT_FALSE(test::isRunning(exit.out));
}

TEST(CageDescriptors, OnlyTheThreeOfEveryProgramAreOpen) {
  const TemporaryDirectory dir;
  const int inherited =
      ::open(dir.file("secret").c_str(), O_RDWR | O_CREAT, 0600);  // without O_CLOEXEC
  ASSERT_GE(inherited, 0);
  const std::string attempts =
      "import os\n"
      "for file in range(3, 256):\n"
      "  try: os.fstat(file); print(file)\n"
      "  except OSError: pass\n"
      "for file in range(3):\n"
      "  name = os.readlink('/proc/self/fd/%d' % file)\n"
      "  if not name.startswith('pipe:') and (file, name) != (0, '/dev/null'): print(file, name)\n"
      "print('tried')";
  EXPECT_EQ(python(attempts, {}), "tried\n");
  EXPECT_EQ(python(attempts, shellCage()), "tried\n");
  EXPECT_EQ(contentOf(dir.file("secret")), "");
  ::close(inherited);
}

TEST(CageLimits, ProcessorTimeEndsAProgramThatHasNoTimeout) {
  Command command;
  command.argv = {"/bin/sh", "-c", "while :; do :; done"};
  command.cage = shellCage();
  command.cage->processorTime = 1s;
  const auto exit = PosixCommandRunner().run(command, {});
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->reason, ExitReason::TimedOut);
  EXPECT_LT(exit->wall, 30s);
}

TEST(CageLimits, FilesGrowToTheLimitOnly) {
  const TemporaryDirectory dir;
  Cage cage = shellCage();
  cage.writes = {dir.path()};
  cage.fileSize = 1'000'000;
  try {
    (void)sh("exec head -c 5000000 /dev/zero > " + dir.file("large"), cage);
    ADD_FAILURE() << "what a program did that a limit ended is not known";
  } catch (const Abandoned& abandoned) {
    EXPECT_EQ(abandoned.error.message, "sh has no space for its files: " + dir.path() +
                                           ": cannot be written: File too large");
  }
  EXPECT_EQ(std::filesystem::file_size(dir.file("large")), 1'000'000u);
}

TEST(CageLimits, OpenFilesAreLimited) { EXPECT_EQ(sh("ulimit -n", shellCage()).out, "256\n"); }

TEST(CageLimits, StartingTakesHardlyLonger) {
  Command command;
  command.argv = {"/bin/true"};
  const auto time = [&] {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(PosixCommandRunner().run(command, {})->ok());
    return (std::chrono::steady_clock::now() - begin) / 50;
  };
  // The fastest of several: other programs use this machine too.
  auto free = time(), caged = free;
  command.cage = Cage();
  caged = time();
  command.cage.reset();
  for (int round = 0; round < 5; ++round) {
    command.cage.reset();
    free = std::min(free, time());
    command.cage = Cage();
    caged = std::min(caged, time());
  }
  RecordProperty("free_us", static_cast<int>(free / 1us));
  RecordProperty("caged_us", static_cast<int>(caged / 1us));
  EXPECT_LT(caged - free, 3ms) << free / 1us << " us without, " << caged / 1us << " us with";
}

TEST(Environment, NoVariableOfThisProcessIsInherited) {
  ::setenv("FXSCOPE_TEST_TOKEN", "secret", 1);
  Command command;
  command.argv = {"env"};
  command.environment = {"MINE=a b", "LANG=C"};
  const auto exit = PosixCommandRunner().run(command, {});
  ::unsetenv("FXSCOPE_TEST_TOKEN");
  ASSERT_TRUE(exit);
  std::string out = exit->out;
  if (const std::size_t at = out.find("ASAN_OPTIONS"); at != std::string::npos)
    out.erase(at, out.find('\n', at) + 1 - at);
  EXPECT_EQ(out, "PATH=/usr/local/bin:/usr/bin:/bin\nTMPDIR=/tmp\nMINE=a b\nLANG=C\n");
}

TEST(Environment, TemporaryFilesGoToTheFolderThatMayBeWritten) {
  const TemporaryDirectory dir;
  Cage cage = shellCage();
  cage.writes = {dir.path()};
  EXPECT_EQ(sh("echo $TMPDIR; mktemp > /dev/null && ls | wc -l", cage).out,
            dir.path() + "\n" + sh("ls | wc -l", cage).out);
}

TEST(CageWalls, SayWhatTheKernelHoldsAndWhatNot) {
  const auto text = [](int landlock, bool filter) {
    std::string out;
    for (const CageWall& wall : walls({landlock, filter}))
      out += (wall.held ? "+ " : "- ") + wall.name + ": " + wall.message + "\n";
    return out;
  };
  EXPECT_EQ(text(7, true),
            "+ files: reads only system folders and the files passed to it, writes only its own "
            "folder (Landlock 7); add folders with "
            "FXSCOPE_CAGE_READ and FXSCOPE_CAGE_WRITE\n+ network: no sockets (seccomp, "
            "Landlock)\n+ processes: threads only; a script may "
            "start up to 64 processes (seccomp)\n+ signals: only to its own processes (Landlock "
            "7)\n+ limits: CPU time, memory, file size "
            "and number of open files; its own environment\n");
  EXPECT_EQ(text(1, true),
            "+ files: reads only system folders and the files passed to it, writes only its own "
            "folder (Landlock 1); files it may read can "
            "be truncated; add folders with FXSCOPE_CAGE_READ and FXSCOPE_CAGE_WRITE\n+ network: "
            "no sockets (seccomp)\n+ processes: "
            "threads only; a script may start up to 64 processes (seccomp)\n+ signals: only to "
            "itself; those of a script are not "
            "restricted (seccomp, "
            "Landlock 1)\n+ limits: CPU time, "
            "memory, file size and number of open files; its own environment\n");
  EXPECT_EQ(
      text(0, false),
      "- files: not restricted (no Landlock in this kernel)\n"
      "- network: not restricted (no seccomp in this kernel)\n"
      "- processes: not restricted (no seccomp in this kernel)\n"
      "- signals: not restricted (no Landlock in this kernel, no seccomp in this kernel)\n"
      "+ limits: CPU time, memory, file size and number of open files; its own environment\n");
}

}  // namespace
}  // namespace fxs
