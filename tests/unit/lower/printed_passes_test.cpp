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
  void add(const std::string& name, const std::string& text = "") {
    const std::filesystem::path file =
        std::filesystem::path(directory_.path()) / "builtin_module_no-symbol-name" / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  static std::string listed(const std::vector<PrintedPass>& printed, const std::string& pipeline) {
    std::string out;
    for (const PrintedStep& step : stepsOf(printed, *parsePipeline(pipeline))) {
      out += std::to_string(step.pass) + " " + step.printed.front().pass;
      for (const PrintedPass& each : step.printed)
        for (const std::string& directory : each.path) out += " " + directory;
      out += step.failed() ? " failed\n" : "\n";
    }
    return out;
  }
  std::string listed(const std::string& pipeline) const {
    return listed(printedPasses(directory_.path()), pipeline);
  }
  test::TemporaryDirectory directory_;
};

TEST_F(PrintedPasses, OrderIsThatOfTheRun) {
  add("func_func_main/0_0_fuse.mlir");
  add("func_func_main/0_10_cse.mlir");
  add("func_func_main/0_2_convert-torch-to-tosa.mlir");
  add("1_inline.mlir");
  add("func_func_main/1_11_canonicalize.mlir",
      "// -----// IR Dump After Canonicalizer Failed: canonicalize //----- //\n");
  add("notes.mlir");
  add("readme.txt");
  EXPECT_EQ(listed("builtin.module(func.func(fuse,convert-torch-to-tosa,cse),inline,func.func("
                   "canonicalize))"),
            "0 fuse func_func_main\n1 convert-torch-to-tosa func_func_main\n2 cse "
            "func_func_main\n3 inline\n4 canonicalize func_func_main failed\n");
}

TEST_F(PrintedPasses, APassOnSeveralFunctionsIsOneStep) {
  add("func_func_b/0_0_cse.mlir");
  add("func_func_a/0_0_cse.mlir");
  add("func_func_a/0_1_canonicalize.mlir");
  add("func_func_b/0_1_canonicalize.mlir");
  add("1_outline.mlir");
  add("func_func_a/1_2_cse.mlir");
  add("func_func_made/1_0_cse.mlir");
  EXPECT_EQ(listed("builtin.module(func.func(cse,canonicalize),outline,func.func(cse))"),
            "0 cse func_func_a func_func_b\n1 canonicalize func_func_a func_func_b\n2 outline\n3 "
            "cse func_func_a func_func_made\n");
}

TEST_F(PrintedPasses, WhatAPassRunsItselfIsNoStep) {
  add("0_convert.mlir");
  add("func_func_a/0_0_canonicalize.mlir");  // of inline
  add("func_func_a/0_1_canonicalize.mlir");
  add("1_inline.mlir");
  add("func_func_a/1_2_canonicalize.mlir");
  EXPECT_EQ(listed("builtin.module(convert,inline,func.func(canonicalize))"),
            "0 convert\n1 inline\n2 canonicalize func_func_a\n");
}

TEST_F(PrintedPasses, OperationsInOperationsHaveAnchorsToo) {
  add("gpu_module_k/gpu_func_f/0_0_0_cse.mlir");
  add("gpu_module_k/0_1_strip.mlir");
  add("builtin_module_inner/func_func_main/0_0_0_cse.mlir");
  add("func_func_main/0_0_cse.mlir");
  EXPECT_EQ(listed("builtin.module(gpu.module(gpu.func(cse),strip),func.func(cse),builtin.module("
                   "func.func(cse)))"),
            "0 cse gpu_module_k gpu_func_f\n1 strip gpu_module_k\n2 cse func_func_main\n3 cse "
            "builtin_module_inner func_func_main\n");
}

TEST_F(PrintedPasses, OfALogAreThoseOfItsTexts) {
  const auto log = mlir::readDumpLog(
      "// -----// IR Dump After CSE (cse) //----- //\nfunc.func @a() {\n  return\n}\n"
      "// -----// IR Dump After CSE (cse) //----- //\nfunc.func @b() {\n  return\n}\n"
      "// -----// IR Dump After I (inline) //----- //\nmodule {\n}\n"
      "// -----// IR Dump After CSE (cse) ('func.func' operation: @b) //----- //\nmodule {\n}\n");
  EXPECT_EQ(
      listed(printedPasses(log.dumps), "builtin.module(func.func(cse),inline,func.func(cse))"),
      "0 cse func_func_a func_func_b\n1 inline\n2 cse func_func_b\n");
}

TEST_F(PrintedPasses, OneFunctionIsPrintedWithItsModule) {
  const auto several = [](const char* pipeline, std::string_view module) {
    return mayRunOnSeveral(*parsePipeline(pipeline), module);
  };
  EXPECT_FALSE(several("builtin.module(func.func(cse))", "func.func @a"));
  EXPECT_TRUE(several("builtin.module(func.func(cse))", "func.func @a func.func @b"));
  EXPECT_FALSE(several("builtin.module(func.func(cse))",
                       "  // IR Dump After CSE ('func.func' operation: @a)\nfunc.func @a"));
  EXPECT_FALSE(several("builtin.module(cse)", "func.func @a func.func @b"));
  EXPECT_TRUE(several("builtin.module(gpu.module(cse))", "func.func @a"));
}

TEST_F(PrintedPasses, NoDirectoryHoldsNone) {
  EXPECT_TRUE(printedPasses(directory_.path() + "/none").empty());
}

}  // namespace
}  // namespace fxs::lower
