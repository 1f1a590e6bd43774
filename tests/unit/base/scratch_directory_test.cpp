// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/scratch_directory.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include "fake_engine.h"

namespace fxs {
namespace {

namespace fs = std::filesystem;
using test::TemporaryDirectory;

std::size_t entriesOf(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

/// What a process leaves that makes one, puts a file in it and is killed.
std::string leftByAKilledProcess(const std::string& parent) {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    const auto made = ScratchDirectory::make(parent, "a test");
    std::ofstream(made->file("snapshot")) << "x";
    (void)!::write(ends[1], made->path().c_str(), made->path().size());
    ::raise(SIGKILL);
  }
  ::close(ends[1]);
  char path[4096];
  const ssize_t size = ::read(ends[0], path, sizeof path);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : std::string();
}

TEST(ScratchDirectory, IsTheUsersOwnAndGoesWithAllThatIsInIt) {
  const TemporaryDirectory parent;
  std::string path;
  {
    const auto made = ScratchDirectory::make(parent.file("new/parent"), "a test");
    ASSERT_TRUE(made) << made.error().message;
    path = made->path();
    struct stat status{};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777u, 0700u);
    fs::create_directories(made->file("a/b"));
    std::ofstream(made->file("a/b/c")) << "x";
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(ScratchDirectory, OneThatMovedGoesOnce) {
  const TemporaryDirectory parent;
  std::optional<ScratchDirectory> kept;
  {
    auto made = ScratchDirectory::make(parent.path(), "a test");
    kept.emplace(*std::move(made));
  }
  EXPECT_TRUE(fs::exists(kept->path()));
  kept.reset();
  EXPECT_EQ(entriesOf(parent.path()), 0u);
}

TEST(ScratchDirectory, WhatAKilledProcessLeftGoesWithTheNext) {
  const TemporaryDirectory parent;
  const std::string left = leftByAKilledProcess(parent.path());
  ASSERT_TRUE(fs::exists(left + "/snapshot"));
  const auto next = ScratchDirectory::make(parent.path(), "a test");
  ASSERT_TRUE(next);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(next->path()));
}

TEST(ScratchDirectory, ThoseInUseAndThoseOfOthersStay) {
  const TemporaryDirectory parent;
  const auto used = ScratchDirectory::make(parent.path(), "a test");
  fs::create_directory(parent.file("other"));
  std::ofstream(parent.file("fxscope-scratch-file")) << "x";
  fs::create_directory_symlink(parent.file("other"), parent.file("fxscope-scratch-link"));
  const bool root = ::geteuid() == 0;
  fs::create_directory(parent.file("fxscope-scratch-others"));
  if (root) {
    ASSERT_EQ(::chown(parent.file("fxscope-scratch-others").c_str(), 12345, 12345), 0);
  }
  const auto next = ScratchDirectory::make(parent.path(), "a test");
  EXPECT_TRUE(fs::exists(used->path()));
  EXPECT_TRUE(fs::exists(parent.file("other")));
  EXPECT_TRUE(fs::exists(parent.file("fxscope-scratch-file")));
  EXPECT_TRUE(fs::is_symlink(parent.file("fxscope-scratch-link")));
  EXPECT_EQ(fs::exists(parent.file("fxscope-scratch-others")), root);
}

TEST(ScratchDirectory, ManyAreMadeAtOnce) {
  const TemporaryDirectory parent;
  std::atomic<int> failures = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int n = 0; n < 500; ++n) failures += !ScratchDirectory::make(parent.path(), "a test");
      });
  }
  EXPECT_EQ(failures, 0);
}

TEST(ScratchDirectory, WhereNoneCanBeMadeItIsSaid) {
  const auto nowhere = ScratchDirectory::make("", "the snapshots of a trace");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().message,
            "no directory for the snapshots of a trace: no folder for temporary files; set TMPDIR");
  const auto file = ScratchDirectory::make("/dev/null", "the snapshots of a trace");
  ASSERT_FALSE(file);
  EXPECT_EQ(
      file.error().message,
      "/dev/null: no directory for the snapshots of a trace can be created there: Not a directory");
}

}  // namespace
}  // namespace fxs
