// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/subprocess.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/budget.h"
#include "base/sha256.h"
#include "fake_engine.h"
#include "shell_command.h"

namespace fxs {
namespace {

using namespace std::chrono_literals;

Result<Exit> sh(const std::string& script, Command command = {}, std::stop_token stop = {}) {
  command.argv = {"/bin/sh", "-c", script};
  return PosixCommandRunner().run(command, stop);
}

Result<Exit> program(std::vector<std::string> argv) {
  Command command;
  command.argv = std::move(argv);
  return PosixCommandRunner().run(command, {});
}

bool alive(const std::string& pidText) {
  const pid_t pid = static_cast<pid_t>(std::stol(pidText));
  // An orphan that was killed may be a zombie until init reaps it: that is not alive.
  for (int round = 0; round < 200; ++round) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string id, name, state;
    if (!(stat >> id >> name >> state) || state == "Z" || state == "X") return false;
    std::this_thread::sleep_for(10ms);
  }
  return true;
}

TEST(Subprocess, GivesBothOutputsAndTheStatus) {
  const auto exit = sh("echo out; echo err >&2; exit 7");
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->out, "out\n");
  EXPECT_EQ(exit->err, "err\n");
  EXPECT_EQ(exit->status, 7);
  EXPECT_EQ(exit->reason, ExitReason::Exited);
  EXPECT_FALSE(exit->ok());
}

TEST(Subprocess, ErrorsInTheOutputKeepTheirOrder) {
  Command command;
  command.errorsInOutput = true;
  const auto exit = sh("echo a; echo b >&2; echo c", command);
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->out, "a\nb\nc\n");
  EXPECT_EQ(exit->err, "");
}

TEST(Subprocess, RunsInItsWorkingDirectory) {
  Command command;
  command.directory = std::filesystem::canonical("/usr/bin").string();
  const auto exit = sh("pwd", command);
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->out, command.directory + "\n");
}

TEST(Subprocess, MissingWorkingDirectoryIsNotFound) {
  Command command;
  command.directory = "/no/such/directory";
  const auto exit = sh("pwd", command);
  ASSERT_FALSE(exit);
  EXPECT_EQ(exit.error().code, ErrorCode::NotFound);
  EXPECT_EQ(exit.error().message,
            "/bin/sh: could not be started in /no/such/directory: No such file or directory");
}

TEST(Subprocess, LargeInputComesBackWhole) {
  Command command;
  command.argv = {"cat"};
  for (int i = 0; i < 3'000'000; ++i) command.stdinText += static_cast<char>('a' + i % 26);
  const auto exit = PosixCommandRunner().run(command, {});
  ASSERT_TRUE(exit.has_value());
  EXPECT_TRUE(exit->out == command.stdinText);
}

TEST(Subprocess, ChildThatNeverReadsItsInputIsNoProblem) {
  Command command;
  command.stdinText = std::string(5'000'000, 'x');
  const auto exit = sh("exit 0", command);
  ASSERT_TRUE(exit.has_value());
  EXPECT_TRUE(exit->ok());
}

TEST(Subprocess, MissingProgramIsNotFound) {
  const auto exit = program({"/no/such/program"});
  ASSERT_FALSE(exit.has_value());
  EXPECT_EQ(exit.error().code, ErrorCode::NotFound);
  EXPECT_EQ(exit.error().message,
            "/no/such/program: could not be started: No such file or directory");
}

TEST(Subprocess, DirectoryCannotBeStarted) {
  const auto exit = program({"/"});
  ASSERT_FALSE(exit.has_value());
  EXPECT_EQ(exit.error().code, ErrorCode::Io);
  EXPECT_EQ(exit.error().message, "/: could not be started: Permission denied");
}

/// "" unless the run was abandoned.
std::string abandonedRun(const std::string& script, bool writes) {
  const test::TemporaryDirectory folder;
  Command command;
  Cage& cage = command.cage.emplace();
  if (writes) cage.writes = {folder.path()};
  cage.processes = Cage::Processes::Programs;
  try {
    (void)sh(script, command);
  } catch (const Abandoned& abandoned) {
    std::string message = abandoned.error.message;
    EXPECT_EQ(abandoned.error.code, ErrorCode::DiskFull) << message;
    if (const std::size_t at = message.find(folder.path()); at != std::string::npos)
      message.replace(at, folder.path().size(), "FOLDER");
    return message;
  }
  return {};
}

TEST(Subprocess, AProgramWithoutRoomForItsFilesShowsNothing) {
  const std::string full = "sh has no space for its files: FOLDER: cannot be written: ";
  EXPECT_EQ(
      abandonedRun("echo 'out.bin: No space left on device' >&2; exit 1", true),
      full + "No space left on device; free some space there, or use another folder (-o, TMPDIR)");
  EXPECT_EQ(abandonedRun("kill -XFSZ $$", true), full + "File too large");
  // It ended well, or writes no files: then it is only text.
  EXPECT_EQ(abandonedRun("echo 'No space left on device' >&2", true), "");
  EXPECT_EQ(abandonedRun("echo 'No space left on device' >&2; exit 1", false), "");
}

TEST(Subprocess, TimeoutKillsTheGroup) {
  Command command;
  command.timeout = 300ms;
  const auto exit = sh("sleep 100 & echo $!; wait", command);
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->reason, ExitReason::TimedOut);
  EXPECT_LT(exit->wall, 5s);
  EXPECT_FALSE(alive(exit->out));
}

TEST(Subprocess, OrphanOfAFinishedChildIsKilledAndNotWaitedFor) {
  const auto exit = sh("(sleep 100 & echo $!) ; exit 0");
  ASSERT_TRUE(exit.has_value());
  EXPECT_TRUE(exit->ok());
  EXPECT_LT(exit->wall, 5s);
  EXPECT_FALSE(alive(exit->out));
}

TEST(Subprocess, EndlessOutputStopsAtTheLimit) {
  Command command;
  command.outputLimit = 100'000;
  const auto exit = sh("yes", command);
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->reason, ExitReason::OutputLimit);
  EXPECT_EQ(exit->out.size(), 100'000u);
}

TEST(Subprocess, EndlessOutputStillTimesOut) {
  Command command;
  command.timeout = 200ms;
  const auto exit = sh("yes | head -c 100000000000 > /dev/null; yes", command);
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->reason, ExitReason::TimedOut);
}

TEST(Subprocess, SignalIsReported) {
  const auto exit = sh("kill -SEGV $$");
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->reason, ExitReason::Signalled);
  EXPECT_EQ(exit->signal, SIGSEGV);
}

TEST(Subprocess, StopKillsTheGroup) {
  const std::string file = testing::TempDir() + "fxs_stop_" + std::to_string(::getpid());
  std::filesystem::remove(file);
  std::stop_source stop;
  std::jthread requester([&] {
    while (!std::filesystem::exists(file) || std::filesystem::file_size(file) == 0)
      std::this_thread::sleep_for(5ms);
    stop.request_stop();
  });
  const auto exit =
      sh("sleep 100 & echo $! > " + file + ".part; mv " + file + ".part " + file + "; wait", {},
         stop.get_token());
  ASSERT_FALSE(exit.has_value());
  EXPECT_EQ(exit.error().code, ErrorCode::Cancelled);
  EXPECT_EQ(exit.error().message, "/bin/sh was cancelled");
  std::string pid;
  std::ifstream(file) >> pid;
  EXPECT_FALSE(alive(pid));
  std::filesystem::remove(file);
}

TEST(Subprocess, SeveralRunAtOnceEachWithItsOwnLimit) {
  std::vector<Command> commands(4);
  commands[0].argv = {"/bin/sh", "-c", "cat; exit 3"};
  commands[0].stdinText = std::string(1'000'000, 'a');
  commands[1].argv = {"/bin/sh", "-c", "sleep 100"};
  commands[1].timeout = 300ms;
  commands[2].argv = {"/no/such/program"};
  commands[3].argv = {"/bin/sh", "-c", "yes"};
  commands[3].outputLimit = 1000;
  const auto exits = PosixCommandRunner().runAll(commands, {});
  ASSERT_EQ(exits.size(), 4u);
  EXPECT_EQ(exits[0]->status, 3);
  EXPECT_EQ(exits[0]->out.size(), 1'000'000u);
  EXPECT_EQ(exits[1]->reason, ExitReason::TimedOut);
  EXPECT_EQ(exits[2].error().code, ErrorCode::NotFound);
  EXPECT_EQ(exits[3]->reason, ExitReason::OutputLimit);
  EXPECT_EQ(exits[3]->out.size(), 1000u);
}

TEST(Subprocess, AStartedCommandRunsBesideItsCaller) {
  PosixCommandRunner runner;
  Command reader = test::shellCommand("read line; echo got $line; exit 3");
  reader.stdinText = "text\n";
  const auto first = runner.start(reader, {}),
             second = runner.start(test::shellCommand("sleep 0.2; echo slept"), {});
  const auto slept = second->wait(), got = first->wait();
  ASSERT_TRUE(slept && got);
  EXPECT_EQ(slept->out, "slept\n");
  EXPECT_EQ(got->out, "got text\n");
  EXPECT_EQ(got->status, 3);
}

TEST(Subprocess, WhatHasEndedBeforeItIsWaitedForIsWithinItsLimit) {
  PosixCommandRunner runner;
  const auto started = runner.start(test::shellCommand("echo done", 200ms), {});
  std::this_thread::sleep_for(400ms);
  const auto exit = started->wait();
  ASSERT_TRUE(exit);
  EXPECT_TRUE(exit->ok());
  EXPECT_EQ(exit->out, "done\n");
}

TEST(Subprocess, AStartedCommandThatNobodyWaitsForIsKilled) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("started-" + std::to_string(::getpid()));
  {
    PosixCommandRunner runner;
    const auto started =
        runner.start(test::shellCommand("echo $$ > " + file.string() + "; sleep 60"), {});
    for (int round = 0;
         round < 500 && (!std::filesystem::exists(file) || std::filesystem::file_size(file) == 0);
         ++round)
      std::this_thread::sleep_for(10ms);
  }
  std::ifstream in(file);
  std::string pid;
  in >> pid;
  std::filesystem::remove(file);
  ASSERT_FALSE(pid.empty());
  EXPECT_FALSE(alive(pid));
}

TEST(Subprocess, AMissingProgramIsSaidWhenItIsWaitedFor) {
  Command command;
  command.argv = {"/no/such/program"};
  const auto exit = PosixCommandRunner().start(command, {})->wait();
  ASSERT_FALSE(exit);
  EXPECT_EQ(exit.error().code, ErrorCode::NotFound);
}

TEST(Subprocess, OtherWorkIsDoneWhileTheProgramRunsUntilThereIsNoneLeft) {
  Command command;
  command.argv = {"/bin/sh", "-c", "echo ready; sleep 0.3; echo done"};
  int calls = 0;
  bool ended = false;
  command.whileRunning = [&] {
    EXPECT_FALSE(ended);
    return ++calls < 3;
  };
  const auto exit = PosixCommandRunner().run(command, {});
  ended = true;
  EXPECT_EQ(exit->out, "ready\ndone\n");
  EXPECT_EQ(calls, 3);
  command.argv = {"/no/such/program"};
  EXPECT_FALSE(PosixCommandRunner().run(command, {}));
  EXPECT_EQ(calls, 3);
}

TEST(Subprocess, TimeoutFirstInterruptsTheBusiestThread) {
  Command command;
  command.timeout = 300ms;
  command.grace = 10s;
  const auto exit = sh("trap 'echo interrupted; exit 5' ABRT; while :; do :; done", command);
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->reason, ExitReason::TimedOut);
  EXPECT_EQ(exit->out, "interrupted\n");
  EXPECT_LT(exit->wall, 5s);
}

// Each needs half a second of the one processor that they share, and has to wait for the others.
TEST(Subprocess, WaitingForAProcessorDoesNotCount) {
  std::vector<Command> commands(6);
  for (Command& command : commands) {
    command.argv = {"/usr/bin/env",
                    "taskset",
                    "-c",
                    "0",
                    "python3",
                    "-c",
                    "import time\nwhile time.process_time() < 0.5: pass"};
    command.timeout = 1500ms;
  }
  for (const auto& exit : PosixCommandRunner().runAll(commands, {})) {
    ASSERT_TRUE(exit);
    EXPECT_EQ(exit->reason, ExitReason::Exited) << exit->err;
  }
  commands.resize(1);
  commands[0].argv.back() = "while True: pass";
  EXPECT_EQ(PosixCommandRunner().run(commands[0], {})->reason, ExitReason::TimedOut);
}

TEST(Subprocess, FloodInTheGraceEndsIt) {
  Command command;
  command.timeout = 200ms;
  command.grace = 60s;
  const auto begin = std::chrono::steady_clock::now();
  const auto exit = sh("trap '' ABRT; exec yes error >&2", command);
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->reason, ExitReason::TimedOut);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
}

TEST(Subprocess, WhatWasKilledByOthersIsRunAgainOnce) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("fxscope-kill-" + std::to_string(::getpid())))
          .string();
  PosixCommandRunner runner;
  for (const std::string ending : {"kill -9 $$", "kill -TERM $$", "exit 137"}) {
    std::filesystem::remove(file);
    Command command;
    command.argv = {
        "/bin/sh", "-c",
        "[ -e " + file + " ] && { echo again; exit 0; }; touch " + file + "; " + ending};
    const auto exit = runToEnd(command, runner, {});
    ASSERT_TRUE(exit);
    EXPECT_EQ(exit->out, "again\n") << ending;
    command.argv.back() = ending;
    const auto twice = runToEnd(command, runner, {});
    ASSERT_TRUE(twice);
    EXPECT_TRUE(wasKilled(*twice)) << ending;
  }
  std::filesystem::remove(file);
  EXPECT_EQ(killMessage(*sh("kill -9 $$")), "was killed (signal 9), also when it was run again");
  EXPECT_FALSE(wasKilled(*sh("kill -SEGV $$")));
  EXPECT_FALSE(wasKilled(*sh("exit 1")));
}

TEST(Subprocess, MemoryLimitReachesTheChild) {
  Command command;
  command.memoryLimit = std::uint64_t{512} << 20;
  const auto exit = sh("ulimit -v", command);
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->out, "524288\n");
}

TEST(Subprocess, ArgumentsPassNoShell) {
  const auto exit = program({"printf", "%s|", "a b", "$HOME", "*"});
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->out, "a b|$HOME|*|");
}

TEST(Subprocess, NoDescriptorsLeakIntoTheChild) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);  // without close-on-exec, as a careless library would
  const auto exit = sh("ls /proc/self/fd | wc -l");
  ::close(ends[0]);
  ::close(ends[1]);
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->out, "4\n");  // 0, 1, 2 and the directory that ls reads
}

TEST(Sha256, MatchesThePublishedVectors) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, FileAndBytesAgree) {
  const std::string path = testing::TempDir() + "fxs_sha_" + std::to_string(::getpid());
  const std::string bytes(3'000'001, 'q');
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(sha256OfFile(path).value_or("?"), sha256(bytes));
  std::filesystem::remove(path);
  const auto missing = sha256OfFile(path);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().message, path + ": cannot be read");
}

}  // namespace
}  // namespace fxs
