// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/byte_source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace fxs {
namespace {

class ByteSourceTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("fxs_bytes_" + std::to_string(::getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t filesInFolder() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_;
};

TEST_F(ByteSourceTest, WhatIsWrittenIsRead) {
  ASSERT_TRUE(writeWholeFile(path("a"), "hello"));
  EXPECT_EQ(*readWholeFile(path("a"), 5), "hello");
  EXPECT_EQ(toString(readWholeFile(path("a"), 4).error()),
            path("a") + ": has 5 bytes, more than the limit of 4");
  auto source = openFile(path("a"));
  ASSERT_TRUE(source);
  EXPECT_EQ(*(*source)->read(1, 3), "ell");
  EXPECT_EQ(*(*source)->read(5, 0), "");
  EXPECT_EQ(toString((*source)->read(3, 3).error()),
            path("a") + ": cannot read 3 bytes at offset 3: the file has 5");
  EXPECT_EQ(toString((*source)->read(~std::uint64_t{0}, 1).error()),
            path("a") + ": cannot read 1 bytes at offset 18446744073709551615: the file has 5");
}

TEST_F(ByteSourceTest, AFailedWriteLeavesNothingBehind) {
  EXPECT_EQ(toString(writeWholeFile(path("no/such/folder/a"), "x").error()),
            path("no/such/folder/a") + ": cannot be written: No such file or directory");
  EXPECT_EQ(toString(writeWholeFile(folder_.string(), "x").error()),
            folder_.string() + ": is a directory; expected a file name");
  EXPECT_EQ(filesInFolder(), 0u);
}

TEST_F(ByteSourceTest, WritingReplacesWhatALinkPointsToAndKeepsItsMode) {
  ASSERT_TRUE(writeWholeFile(path("target"), "old"));
  ::chmod(path("target").c_str(), 0640);
  std::filesystem::create_symlink("target", path("link"));
  ASSERT_TRUE(writeWholeFile(path("link"), "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(*readWholeFile(path("target"), 10), "new");
  EXPECT_EQ(std::filesystem::status(path("target")).permissions(),
            static_cast<std::filesystem::perms>(0640));
  EXPECT_EQ(filesInFolder(), 2u);
}

TEST_F(ByteSourceTest, ADeviceIsWrittenToAndNotReplaced) {
  ASSERT_TRUE(writeWholeFile("/dev/null", "x"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(ByteSourceTest, WhatIsNoFileIsNamed) {
  EXPECT_EQ(toString(openFile(path("missing")).error()), path("missing") + ": no such file");
  EXPECT_EQ(openFile(path("missing")).error().code, ErrorCode::NotFound);
  EXPECT_EQ(toString(openFile(folder_.string()).error()),
            folder_.string() + ": is a directory, not a file");
  ::mkfifo(path("pipe").c_str(), 0600);
  EXPECT_EQ(toString(openFile(path("pipe")).error()),
            path("pipe") + ": is not a regular file; for a pipe, pass '-' and use standard input");
}

TEST_F(ByteSourceTest, AFileThatShrinksIsAnError) {
  ASSERT_TRUE(writeWholeFile(path("a"), "hello"));
  auto source = openFile(path("a"));
  ASSERT_EQ(::truncate(path("a").c_str(), 2), 0);
  EXPECT_EQ(toString((*source)->read(0, 5).error()),
            path("a") + ": was truncated while being read");
}

TEST(MemorySource, ReadsWithinItsBounds) {
  auto source = memorySource("hello");
  EXPECT_EQ(source->size(), 5u);
  EXPECT_EQ(*source->read(1, 3), "ell");
  EXPECT_EQ(toString(source->read(4, 2).error()),
            "cannot read 2 bytes at offset 4: the input has 5");
}

}  // namespace
}  // namespace fxs
