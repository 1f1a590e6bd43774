// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/printed_passes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "fake_engine.h"

namespace fxs::lower {
namespace {

class PrintedPasses : public testing::Test {
 protected:
  void add(const std::string& name, const std::string& text) {
    const std::filesystem::path file =
        std::filesystem::path(directory_.path()) / "builtin_module_no-symbol-name" / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    std::filesystem::last_write_time(
        file, std::filesystem::file_time_type() + std::chrono::seconds(++clock_));
  }
  std::string listed() const {
    std::string out;
    for (const PrintedPass& pass : printedPasses(directory_.path()))
      out += pass.pass + (pass.function.empty() ? "" : " on " + pass.function) +
             (pass.failed ? " failed" : "") + "\n";
    return out;
  }
  test::TemporaryDirectory directory_;
  int clock_ = 0;
};

TEST_F(PrintedPasses, OrderIsThatOfTheRun) {
  add("func_func_main/0_0_fuse.mlir", "");
  add("func_func_main/0_10_cse.mlir", "");
  add("func_func_main/0_2_convert-torch-to-tosa.mlir", "");
  add("1_inline.mlir", "");
  add("func_func_main/1_11_canonicalize.mlir",
      "// -----// IR Dump After Canonicalizer Failed: canonicalize //----- //\n");
  add("notes.mlir", "");
  add("readme.txt", "");
  EXPECT_EQ(listed(),
            "fuse on main\nconvert-torch-to-tosa on main\ncse on main\ninline\ncanonicalize on "
            "main failed\n");
}

TEST_F(PrintedPasses, OfSeveralFunctionsTheLastStandsForAll) {
  add("func_func_b/0_0_cse.mlir", "");
  add("func_func_a/0_0_cse.mlir", "");
  add("1_inline.mlir", "");
  add("func_func_a/1_1_cse.mlir", "// -----// IR Dump After CSE Failed: cse //----- //\n");
  add("func_func_b/1_1_cse.mlir", "");
  EXPECT_EQ(listed(), "cse on a\ninline\ncse on a failed\n");
}

TEST_F(PrintedPasses, NoDirectoryHoldsNone) {
  EXPECT_TRUE(printedPasses(directory_.path() + "/none").empty());
}

}  // namespace
}  // namespace fxs::lower
