// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder of captures as a list.
#include "read/folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace fxs::test {
namespace {

std::string line(const read::CaptureEntry& e) {
  return e.file + " | " + e.formatId + " | " + e.title + " | " + std::to_string(e.nodes) + " | " +
         e.graphBreak + " | " + e.error + "\n";
}

std::string listOf(const std::string& folder) {
  const auto captures = read::listCaptures(folder, {}, {});
  if (!captures) return captures.error().message;
  std::string out;
  for (const read::CaptureEntry& e : *captures) out += line(e);
  return out;
}

TEST(Folder, ListsTheGraphsOfAModelThatBreaks) {
  const std::string torch = "torch 2.13.0+cpu)";
  const std::string reason = "Failed to trace builtin operator (captures/make.py:33 in forward)";
  EXPECT_EQ(listOf(std::string(FXS_SOURCE_DIR) + "/tests/unit/read/captures/breaks"),
            "00_aten.json | fx_json | FX graph (fxscope-fx/1, aten graph of graph 0, " + torch +
                " | 6 | " + reason + " | \n" +
                "00_dynamo.json | fx_json | FX graph (fxscope-fx/1, Dynamo graph of graph 0, " +
                torch + " | 5 | " + reason + " | \n" +
                "01_aten.json | fx_json | FX graph (fxscope-fx/1, aten graph of graph 1, " + torch +
                " | 4 |  | \n" +
                "01_dynamo.json | fx_json | FX graph (fxscope-fx/1, Dynamo graph of graph 1, " +
                torch + " | 3 |  | \n");
}

TEST(Folder, LeavesOutOtherFilesAndSaysWhatCannotBeOpened) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "fxscope_folder_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "inner");
  const auto write = [&](const char* name, const char* text) {
    std::ofstream(folder / name) << text;
  };
  write("notes.txt", "not a capture");
  write("empty.json", "");
  write("other.json", R"({"schema": "someone-elses/1"})");
  write("broken.json", R"({"schema": "fxscope-fx/1", "graphs": []})");
  std::filesystem::create_symlink(folder / "broken.json", folder / "link.json");
  EXPECT_EQ(listOf(folder.string()), "broken.json | fx_json |  | 0 |  | " +
                                         (folder / "broken.json").string() +
                                         ": graphs: a program requires a main graph\n");
  std::filesystem::remove_all(folder);
  EXPECT_EQ(listOf(folder.string()), folder.string() + ": No such file or directory");
}

}  // namespace
}  // namespace fxs::test
