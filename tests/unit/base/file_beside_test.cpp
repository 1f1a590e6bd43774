// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/file_beside.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <set>
#include <thread>

#include "base/byte_source.h"
#include "fake_engine.h"

namespace fxs {
namespace {

using Lines = std::set<std::string>;

Result<Lines> linesFrom(std::string_view text, const std::string& label) {
  if (!text.empty() && !text.ends_with('\n'))
    return fail(ErrorCode::InvalidInput, label + ": ends in a line");
  Lines out;
  for (; !text.empty(); text.remove_prefix(text.find('\n') + 1))
    out.emplace(text.substr(0, text.find('\n')));
  return out;
}

std::string textFrom(const Lines& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + '\n';
  return out;
}

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 20;
constexpr FileBeside<Lines> kFile{".lines", "lines", kMaxBytes, linesFrom, textFrom};

class FileBesideTest : public testing::Test {
 protected:
  test::TemporaryDirectory directory_;
  std::string program_ = directory_.file("model.pt2");
  std::string file_ = kFile.pathOf(program_);
  void SetUp() override { ASSERT_TRUE(writeWholeFile(program_, "a program")); }
  static Result<Lines> add(const std::string& program, const std::string& line) {
    return kFile.change(program, [&](Lines& lines) -> Result<> {
      lines.insert(line);
      return {};
    });
  }
  static std::string messageOf(const Result<Lines>& result) {
    return result ? "none" : result.error().message;
  }
};

TEST_F(FileBesideTest, IsNamedAfterTheFileOrTheFolder) {
  EXPECT_EQ(kFile.pathOf("a/model.pt2"), "a/model.pt2.lines");
  EXPECT_EQ(kFile.pathOf("a/dump//"), "a/dump.lines");
}

TEST_F(FileBesideTest, AppearsWithTheFirstAndGoesWithTheLast) {
  EXPECT_EQ(*kFile.read(program_), Lines());
  EXPECT_EQ(*add(program_, "one"), Lines{"one"});
  EXPECT_EQ(*readWholeFile(file_, kMaxBytes), "one\n");
  ASSERT_TRUE(kFile.change(program_, [](Lines& lines) -> Result<> {
    lines.clear();
    return {};
  }));
  EXPECT_EQ(readWholeFile(file_, kMaxBytes).error().code, ErrorCode::NotFound);
}

TEST_F(FileBesideTest, ThatCannotBeReadOrIsRefusedIsLeftAsItIs) {
  ASSERT_TRUE(writeWholeFile(file_, "a half"));
  EXPECT_EQ(messageOf(add(program_, "one")), file_ + ": ends in a line");
  ASSERT_TRUE(writeWholeFile(file_, ""));
  EXPECT_EQ(messageOf(add(program_, std::string(kMaxBytes, 'x'))),
            file_ + ": would have 1048577 bytes, more than the limit of 1048576");
  EXPECT_EQ(*readWholeFile(file_, kMaxBytes), "");
}

TEST_F(FileBesideTest, KeepsWhatSeveralWritersChangeAtOnce) {
  constexpr int kWriters = 3, kLines = 25;
  {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < kWriters; ++writer)
      writers.emplace_back([this, writer] {
        for (int i = 0; i < kLines; ++i)
          EXPECT_TRUE(add(program_, std::to_string(writer) + " " + std::to_string(i)));
      });
  }
  EXPECT_EQ(kFile.read(program_)->size(), std::size_t{kWriters} * kLines);
}

TEST_F(FileBesideTest, IsReadAgainByAWriterThatWaited) {
  std::jthread second;
  ASSERT_TRUE(kFile.change(program_, [&](Lines& lines) -> Result<> {
    second = std::jthread([this] { EXPECT_EQ(*add(program_, "two"), (Lines{"one", "two"})); });
    lines.insert("one");
    return {};
  }));
}

/// Runs in a process that is killed after it wrote "x".
void whileAnotherProcess(const std::function<void()>& does, const std::function<void()>& then) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    does();
    (void)writeAll(pipe[1], "x");
    for (;;) ::pause();
  }
  char byte = 0;
  EXPECT_EQ(::read(pipe[0], &byte, 1), 1);
  then();
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST_F(FileBesideTest, WaitsForAProcessThatHoldsTheProgramButNotForOneThatDied) {
  whileAnotherProcess([this] { ::flock(::open(program_.c_str(), O_RDONLY | O_CLOEXEC), LOCK_EX); },
                      [this] {
                        EXPECT_EQ(
                            messageOf(add(program_, "one")),
                            program_ + ": another program has locked it, or is changing its lines");
                      });
  EXPECT_EQ(messageOf(add(program_, "one")), "none");
}

TEST_F(FileBesideTest, NeedsNoProgramToBeThere) {
  ASSERT_EQ(::unlink(program_.c_str()), 0);
  EXPECT_EQ(messageOf(add(program_, "one")), "none");
}

TEST_F(FileBesideTest, InAFolderThatCannotBeWrittenIsOneError) {
  ASSERT_TRUE(add(program_, "one"));
  ::chmod(directory_.path().c_str(), 0555);
  const bool root = ::geteuid() == 0;
  ASSERT_EQ(root ? ::seteuid(65534) : 0, 0);
  const std::string added = messageOf(add(program_, "two"));
  const std::string removed = messageOf(kFile.change(program_, [](Lines& lines) -> Result<> {
    lines.clear();
    return {};
  }));
  ASSERT_EQ(root ? ::seteuid(0) : 0, 0);
  ::chmod(directory_.path().c_str(), 0755);
  EXPECT_EQ(added, file_ + ": cannot be written: Permission denied");
  EXPECT_EQ(removed, file_ + ": cannot be removed: Permission denied");
  EXPECT_EQ(*kFile.read(program_), Lines{"one"});
}

bool mountsSmallDisk(const std::string& directory) {
  const auto put = [](const char* file, const std::string& text) {
    return writeAll(Fd(::open(file, O_WRONLY)).get(), text) == 0;
  };
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0) return false;
  if (user != 0 && !(put("/proc/self/uid_map", "0 " + std::to_string(user) + " 1") &&
                     put("/proc/self/setgroups", "deny") &&
                     put("/proc/self/gid_map", "0 " + std::to_string(group) + " 1")))
    return false;
  return ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("tmpfs", directory.c_str(), "tmpfs", 0, "size=64k") == 0;
}

/// 0 if the file is unchanged and the error says that the disk is full; 2 if nothing can be
/// mounted.
int onAFullDisk(const std::string& directory,
                const std::function<std::string(const std::string& line)>& add,
                const std::string& file) {
  if (!mountsSmallDisk(directory)) return 2;
  if (add("one") != "none") return 3;
  const std::string message = add(std::string(256 << 10, 'x'));
  if (message != file +
                     ": cannot be written: No space left on device; free some space there, or use "
                     "another folder (-o, TMPDIR)")
    return 4;
  return readWholeFile(file, kMaxBytes).value_or("") == "one\n" && add("two") == "none" ? 0 : 5;
}

TEST_F(FileBesideTest, OnAFullDiskIsLeftAsItIs) {
  const pid_t child = ::fork();  // the mount is its own
  ASSERT_GE(child, 0);
  if (child == 0)
    ::_exit(onAFullDisk(
        directory_.path(),
        [this](const std::string& line) { return messageOf(add(program_, line)); }, file_));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2)
    GTEST_SKIP() << "this user may not mount a file system in a namespace of its own";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace fxs
