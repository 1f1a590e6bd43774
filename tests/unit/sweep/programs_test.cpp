// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/programs.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/byte_source.h"
#include "base/joined.h"
#include "base/scratch_directory.h"

namespace fxs::sweep {
namespace {

class SweepPrograms : public testing::Test {
 protected:
  ScratchDirectory directory_ = *ScratchDirectory::make(testing::TempDir(), "a test");

  std::string touch(const std::string& name) const {
    const std::filesystem::path path = std::filesystem::path(directory_.path()) / name;
    std::filesystem::create_directories(path.parent_path());
    EXPECT_TRUE(writeWholeFile(path.string(), "x"));
    return path.string();
  }
  std::string names(const std::vector<std::string>& paths, const Shard& shard = {}) const {
    const auto programs = programsUnder(paths, shard, {});
    if (!programs) return programs.error().message;
    std::vector<std::string> out;
    for (const ProgramFile& program : *programs) out.push_back(program.name);
    return joined(out, " ");
  }
};

TEST_F(SweepPrograms, AreSortedByTheirNameInTheFolder) {
  for (const char* name : {"z/b.pt2", "z/a/c.pt2", "z/a.pt2", "z/m.mlir", "z/notes.txt"})
    touch(name);
  const std::string folder = directory_.path() + "/z";
  EXPECT_EQ(names({folder}), "a.pt2 a/c.pt2 b.pt2 m.mlir");
  EXPECT_EQ(names({folder + "/", folder + "/b.pt2", folder}), "a.pt2 a/c.pt2 b.pt2 m.mlir");
  EXPECT_EQ(names({folder + "/notes.txt"}), "notes.txt");  // given itself, it is a line
}

TEST_F(SweepPrograms, TwoOfOneNameAreRefused) {
  const std::string a = touch("x/m.pt2"), b = touch("y/m.pt2");
  EXPECT_EQ(names({a, b}), "'m.pt2' would name both " + a + " and " + b +
                               "; sweep a folder that holds both, or each by itself");
  EXPECT_EQ(names({directory_.path()}), "x/m.pt2 y/m.pt2");
}

TEST_F(SweepPrograms, LinksToFoldersAreNotFollowed) {
  touch("z/a.pt2");
  std::filesystem::create_directory_symlink(".", directory_.path() + "/z/again");
  EXPECT_EQ(names({directory_.path() + "/z"}), "a.pt2");
}

TEST_F(SweepPrograms, NamesAreSafeText) {
  touch("a\xff.pt2");
  EXPECT_EQ(names({directory_.path()}), "a\\xff.pt2");
}

TEST_F(SweepPrograms, MissingAndEmptyPathsAreNamed) {
  EXPECT_EQ(names({"/nowhere/a.pt2"}), "/nowhere/a.pt2: no such file or folder");
  EXPECT_EQ(names({directory_.path()}),
            directory_.path() +
                ": no program was found; expected .pt2 files, captured graphs, MLIR modules or "
                "bundles");
}

TEST_F(SweepPrograms, ShardsTogetherAreAllPrograms) {
  std::vector<std::string> all;
  for (int i = 0; i < 40; ++i) touch("p" + std::to_string(100 + i) + ".pt2");
  for (std::uint32_t i = 1; i <= 3; ++i) {
    const auto part = programsUnder({directory_.path()}, {i, 3}, {});
    ASSERT_TRUE(part);
    EXPECT_GT(part->size(), 5U);
    for (const ProgramFile& program : *part) {
      EXPECT_TRUE(isIn({i, 3}, program.name));
      all.push_back(program.name);
    }
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(joined(all, " "), names({directory_.path()}));
}

TEST_F(SweepPrograms, AShardIsANumberOfANumber) {
  EXPECT_EQ(shardFrom("2/16")->index, 2U);
  for (const char* text : {"0/3", "4/3", "1", "1/", "/3", "a/3", "1/3x", "-1/3", ""})
    EXPECT_EQ(shardFrom(text).error().message,
              "option '--shard': expected I/N with I from 1 to N, such as 2/16, got '" +
                  std::string(text) + "'");
}

}  // namespace
}  // namespace fxs::sweep
