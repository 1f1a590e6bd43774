// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/results.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/scratch_directory.h"
#include "sweep_lines.h"

namespace fxs::sweep {
namespace {

std::string textOf(const std::vector<Line>& lines) {
  std::string out;
  for (const Line& line : lines) out += lineText(line);
  return out;
}

/// The programs read, then the error.
std::string readAll(const std::string& text, Torn torn) {
  ResultsReader reader(memorySource(text), "r.jsonl", torn);
  std::string out;
  for (;;) {
    const auto read = reader.next({});
    if (!read) return out + read.error().message;
    if (!*read) return out;
    out += (*read)->line.program + " ";
  }
}

class SweepResults : public testing::Test {
 protected:
  ScratchDirectory directory_ = *ScratchDirectory::make(testing::TempDir(), "a test");
  std::string path_ = directory_.path() + "/r.jsonl";
  std::string content() const { return *readWholeFile(path_, 1 << 20); }
  const std::vector<Line> two_{lineOf("a", "tosa"), lineOf("b", "tosa")};
};

TEST_F(SweepResults, ATornLastLineIsDroppedOrRefused) {
  const std::string text = textOf(two_);
  for (const std::size_t cut : {std::size_t{1}, std::size_t{20}}) {
    const std::string torn = text.substr(0, text.size() - cut);
    EXPECT_EQ(readAll(torn, Torn::Drop), "a ");
    EXPECT_EQ(readAll(torn, Torn::Refuse),
              "a r.jsonl:2: has no end, as if the sweep was stopped while it was written; finish "
              "the sweep with --resume");
  }
  EXPECT_EQ(readAll(text, Torn::Refuse), "a b ");
  EXPECT_EQ(readAll("", Torn::Refuse), "");
}

TEST_F(SweepResults, AnEndlessLineIsRefused) {
  EXPECT_EQ(readAll(lineText(two_[0]) + std::string(std::size_t{17} << 20, 'x'), Torn::Drop),
            "a r.jsonl:2: is longer than 16 MiB; it is not a line of 'fxscope-cli sweep'");
}

TEST_F(SweepResults, LinesAreAppended) {
  auto file = ResultsFile::create(path_);
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_TRUE(file->append({two_[0]}));
  ASSERT_TRUE(file->append({two_[1]}));
  EXPECT_EQ(content(), textOf(two_));
}

TEST_F(SweepResults, ResultsAreNotOverwrittenNorSharedBySweeps) {
  auto file = ResultsFile::create(path_);
  ASSERT_TRUE(file && file->append(two_));
  EXPECT_EQ(ResultsFile::create(path_).error().message,
            path_ + ": another sweep writes to it; give each shard a file of its own");
  file = ResultsFile::create(path_ + "2");
  EXPECT_EQ(ResultsFile::create(path_).error().message,
            path_ + ": holds results already; go on with --resume, or write to another file");
}

TEST_F(SweepResults, ResumingKeepsSomeLinesAndDropsWhatIsTorn) {
  ASSERT_TRUE(writeWholeFile(path_, textOf(two_) + "{\"schema\": \"fx"));
  {
    auto file = ResultsFile::resume(path_, [](const Line&) { return true; }, {});
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(content(), textOf(two_));
  }
  {
    auto file =
        ResultsFile::resume(path_, [](const Line& line) { return line.program == "b"; }, {});
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE(file->append({lineOf("c", "tosa")}));
    EXPECT_EQ(content(), textOf({two_[1], lineOf("c", "tosa")}));
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_.path()), {}), 1);
}

TEST_F(SweepResults, SomethingElseIsNotResumed) {
  ASSERT_TRUE(writeWholeFile(path_, "dear diary\n"));
  EXPECT_TRUE(ResultsFile::resume(path_, [](const Line&) { return true; }, {})
                  .error()
                  .message.starts_with(path_ + ":1: "));
  EXPECT_EQ(content(), "dear diary\n");
}

}  // namespace
}  // namespace fxs::sweep
