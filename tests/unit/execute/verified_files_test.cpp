// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// That files were verified is remembered for these files only, and believed only where nobody else
// can have written it.
#include "execute/verified_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/byte_source.h"
#include "base/scratch_directory.h"

namespace fxs::execute {
namespace {

namespace fs = std::filesystem;

class VerifiedFilesTest : public testing::Test {
 protected:
  VerifiedFilesTest()
      : directory_(*ScratchDirectory::make(testing::TempDir(), "tests")),
        program_(directory_.file("program")) {
    write("one");
  }
  void write(const std::string& bytes) { ASSERT_TRUE(writeWholeFile(program_, bytes).has_value()); }
  VerifiedFiles files(const std::string& checksum = "abc") const {
    return {directory_.file("cache"), {{program_, checksum}}};
  }

  ScratchDirectory directory_;
  std::string program_;
};

TEST_F(VerifiedFilesTest, AreKnownOnceTheyWereKept) {
  EXPECT_FALSE(files().known());
  files().keep();
  EXPECT_TRUE(files().known());
  EXPECT_FALSE(files("def").known()) << "another checksum is wanted";
}

TEST_F(VerifiedFilesTest, AChangedFileIsNotKnown) {
  const VerifiedFiles before = files();
  write("two");
  before.keep();
  EXPECT_FALSE(files().known()) << "it changed while it was read";
  files().keep();
  EXPECT_TRUE(files().known());
  write("six");
  EXPECT_FALSE(files().known());
  fs::remove(program_);
  EXPECT_FALSE(files().known());
}

TEST_F(VerifiedFilesTest, WhatOthersCanWriteIsNotBelieved) {
  files().keep();
  const fs::path folder = directory_.file("cache/verified");
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
  fs::permissions(folder, fs::perms::group_write, fs::perm_options::add);
  EXPECT_FALSE(files().known());
  fs::permissions(folder, fs::perms::owner_all);
  EXPECT_TRUE(files().known());
  for (const auto& entry : fs::directory_iterator(folder))
    fs::permissions(entry.path(), fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(files().known());
}

TEST_F(VerifiedFilesTest, WithoutACacheNothingIsRemembered) {
  const VerifiedFiles none("", {{program_, "abc"}});
  none.keep();
  EXPECT_FALSE(none.known());
}

}  // namespace
}  // namespace fxs::execute
