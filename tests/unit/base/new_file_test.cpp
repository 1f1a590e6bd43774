// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <thread>
#include <vector>

#include "base/byte_source.h"
#include "fake_engine.h"

namespace fxs {
namespace {

using test::contentOf;
using test::TemporaryDirectory;

std::set<std::string> namesIn(const std::string& folder) {
  std::set<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    out.insert(entry.path().filename().string());
  return out;
}

/// From now on this process cannot create files without a name, as on the file systems that have
/// none.
void forbidNamelessFiles() {
  constexpr std::uint32_t kNameless = O_TMPFILE & ~O_DIRECTORY;
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_openat, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kNameless, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{std::size(program), program};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    ::_exit(99);
}

/// How a process ended that does this work; negative: the signal.
int inProcess(bool namelessFiles, const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (!namelessFiles) forbidNamelessFiles();
    ::_exit(work());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/// With files without a name, and where there are none.
class NewFiles : public testing::TestWithParam<bool> {
 protected:
  int inProcess(const std::function<int()>& work) const { return fxs::inProcess(GetParam(), work); }
  TemporaryDirectory here_;
};

TEST_P(NewFiles, HasItsNameOnceItIsComplete) {
  const std::string path = here_.file("a");
  EXPECT_EQ(inProcess([&] {
              NewFile file(path);
              if (!file.write("one") || std::filesystem::exists(path) ||
                  contentOf(file.openPath()) != "one")
                return 1;
              if (!file.write("2") || !file.flush() || !file.keepAs(path)) return 2;
              return contentOf(path) == "2" ? 0 : 3;
            }),
            0);
  EXPECT_EQ(namesIn(here_.path()), std::set<std::string>{"a"});
}

TEST_P(NewFiles, ReplacesAFileAndLeavesNothingBesideIt) {
  std::ofstream(here_.file("a")) << "before";
  EXPECT_EQ(inProcess([&] { return writeWholeFile(here_.file("a"), "after") ? 0 : 1; }), 0);
  EXPECT_EQ(contentOf(here_.file("a")), "after");
  EXPECT_EQ(namesIn(here_.path()), std::set<std::string>{"a"});
}

TEST_P(NewFiles, OneThatIsNotKeptIsGone) {
  EXPECT_EQ(inProcess([&] {
              NewFile file(here_.file("a"));
              return file.write("x") ? 0 : 1;
            }),
            0);
  EXPECT_EQ(namesIn(here_.path()), std::set<std::string>());
}

TEST_P(NewFiles, WhatAKilledProcessLeavesIsReplaced) {
  std::ofstream(here_.file("a")) << "before";
  const auto killed = [&] {
    NewFile file(here_.file("a"));
    if (!file.write("half")) return 1;
    ::raise(SIGKILL);
    return 2;
  };
  EXPECT_EQ(inProcess(killed), -SIGKILL);
  EXPECT_EQ(contentOf(here_.file("a")), "before");
  if (GetParam()) EXPECT_EQ(namesIn(here_.path()), std::set<std::string>{"a"});
  else EXPECT_EQ(namesIn(here_.path()), (std::set<std::string>{".a.fxscope-part", "a"}));
  EXPECT_EQ(inProcess([&] { return writeWholeFile(here_.file("a"), "after") ? 0 : 1; }), 0);
  EXPECT_EQ(contentOf(here_.file("a")), "after");
  EXPECT_EQ(namesIn(here_.path()), std::set<std::string>{"a"});
}

TEST_P(NewFiles, OneKilledWhileItReplacedAFileIsReplacedToo) {
  std::ofstream(here_.file("a")) << "before";
  std::ofstream(here_.file(".a.fxscope-part")) << "of a killed process, and longer";
  EXPECT_EQ(inProcess([&] { return writeWholeFile(here_.file("a"), "after") ? 0 : 1; }), 0);
  EXPECT_EQ(contentOf(here_.file("a")), "after");
  EXPECT_EQ(namesIn(here_.path()), std::set<std::string>{"a"});
}

TEST_P(NewFiles, ManyWriteOneFileAtOnce) {
  const auto write = [&](char letter) {
    return [this, letter] {
      for (int i = 0; i < 50; ++i)
        if (!writeWholeFile(here_.file("a"), std::string(20'000, letter))) return 1;
      return 0;
    };
  };
  std::vector<std::thread> writers;
  std::vector<int> ends(4);
  for (int i = 0; i < 4; ++i)
    writers.emplace_back([&, i] {
      ends[static_cast<std::size_t>(i)] = inProcess(write(static_cast<char>('a' + i)));
    });
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(ends, std::vector<int>(4));
  const std::string text = contentOf(here_.file("a"));
  EXPECT_EQ(text, std::string(20'000, text.front()));
  EXPECT_EQ(namesIn(here_.path()), std::set<std::string>{"a"});
}

INSTANTIATE_TEST_SUITE_P(WithAndWithout, NewFiles, testing::Bool(), [](const auto& nameless) {
  return nameless.param ? "NamelessFiles" : "HiddenFiles";
});

TEST(NewFile, AFullDiskSaysWhatToDo) {
  const Error error = writeError("out/a.png", ENOSPC);
  EXPECT_EQ(error.code, ErrorCode::DiskFull);
  EXPECT_EQ(error.message,
            "out/a.png: cannot be written: No space left on device; free some space there, or use "
            "another folder (-o, TMPDIR)");
  EXPECT_EQ(writeError("/tmp/fxscope-scratch-a1B2c3/call-0.in", EDQUOT).message,
            "/tmp: cannot be written: Disk quota exceeded; free some space there, or use another "
            "folder (-o, TMPDIR)");
  EXPECT_EQ(writeError("a", EACCES).code, ErrorCode::Io);
  EXPECT_EQ(writeError("a", EACCES).message, "a: cannot be written: Permission denied");
  EXPECT_EQ(writeWholeFile("/dev/full", "x").error().code, ErrorCode::DiskFull);
}

}  // namespace
}  // namespace fxs
