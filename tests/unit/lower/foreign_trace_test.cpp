// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/foreign_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/byte_source.h"
#include "fake_engine.h"
#include "mlir/compare/same_ir.h"
#include "mlir/text/expanded_aliases.h"

namespace fxs::lower {
namespace {

using test::contentOf;
using test::TemporaryDirectory;
using testing::ElementsAre;

class ForeignTrace : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(here_.file("out")); }

  std::string write(const std::string& name, const std::string& text) {
    const std::string path = here_.file(name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    EXPECT_TRUE(writeWholeFile(path, text).has_value());
    return path;
  }
  std::shared_ptr<const PassTrace> open(const std::string& path) {
    auto trace = openForeignTrace(path, here_.file("out"), {});
    EXPECT_TRUE(trace.has_value()) << trace.error().message;
    return trace.value_or(nullptr);
  }
  std::string error(const std::string& path) {
    const auto trace = openForeignTrace(path, here_.file("out"), {});
    EXPECT_FALSE(trace.has_value());
    std::string message = trace ? "" : trace.error().message;
    if (const std::size_t at = message.find(here_.path()); at != std::string::npos)
      message.replace(at, here_.path().size() + 1, "");
    return message;
  }
  static std::vector<std::string> passes(const PassTrace& trace) {
    std::vector<std::string> out;
    for (const PassRun& p : trace.passes)
      out.push_back(p.anchor + " " + p.pass + (p.options.empty() ? "" : "{" + p.options + "}") +
                    (p.ran ? "" : " not run") + (p.changed ? " changed" : "") +
                    (p.failed ? " failed" : "") + " -> " + std::to_string(p.snapshot));
    return out;
  }
  static std::string text(const PassTrace& trace, std::size_t snapshot) {
    return contentOf(trace.pathOf(trace.snapshots[snapshot]));
  }

  TemporaryDirectory here_;
};

constexpr const char* kMain =
    "func.func @main(%arg0: i32) -> i32 {\n  %0 = x.a %arg0 : i32\n  return %0 : i32\n}\n";

std::string header(const std::string& name) {
  return "// -----// IR Dump " + name + " //----- //\n";
}
std::string moduleOf(const std::string& op) {
  return "module {\n  func.func private @other()\n  func.func @main(%arg0: i32) -> i32 {\n    %0 "
         "= " +
         op + " %arg0 : i32\n    return %0 : i32\n  }\n}\n";
}

TEST_F(ForeignTrace, LogOfAllPassesIsAListOfChanges) {
  const auto trace = open(write(
      "a.log",
      "start\n" + header("After Inliner: inline{max=4 }") + moduleOf("x.a") +
          header("After A: a ('func.func' operation: @main)") + kMain +
          header("After B (b) ('func.func' operation: @main)") +
          "func.func @main(%arg0: i32) -> i32 {\n  %0 = x.b %arg0 : i32\n  return %0 : i32\n}\n"));
  EXPECT_THAT(passes(*trace), ElementsAre("builtin.module inline{max=4} changed -> 0",
                                          "func.func a -> 0", "func.func b changed -> 1"));
  EXPECT_TRUE(trace->ok());
  EXPECT_EQ(text(*trace, 0), moduleOf("x.a"));
  EXPECT_EQ(text(*trace, 1), moduleOf("x.b"));
  EXPECT_EQ(trace->snapshots[1].file, "001-b.mlir");
  EXPECT_THAT(trace->stages[0].warnings,
              ElementsAre("the module before inline, the first pass in the log, was not printed; "
                          "whether it changed anything is unknown"));
}

TEST_F(ForeignTrace, FunctionsTakeTheirPlaceInTheModule) {
  const auto trace =
      open(write("a.log", header("After A: a") + kMain + header("After A: a") +
                              "func.func @two() {\n  return\n}\n" + header("After B: b") +
                              "func.func @two() {\n  x.y\n  return\n}\n"));
  const std::string main =
      "  func.func @main(%arg0: i32) -> i32 {\n    %0 = x.a %arg0 : i32\n    return %0 : i32\n  "
      "}\n";
  EXPECT_THAT(passes(*trace), ElementsAre("func.func a changed -> 0", "func.func a -> 0",
                                          "func.func b changed -> 1"));
  EXPECT_EQ(text(*trace, 0), "module {\n" + main + "  func.func @two() {\n    return\n  }\n}\n");
  EXPECT_EQ(text(*trace, 1),
            "module {\n" + main + "  func.func @two() {\n    x.y\n    return\n  }\n}\n");
  EXPECT_THAT(trace->stages[0].warnings,
              testing::Contains("2 functions precede the first module in the log; each starts with "
                                "the result of its first pass"));
}

TEST_F(ForeignTrace, LogOfModulesBeforePassesKnowsAllButTheLast) {
  const auto trace =
      open(write("a.log", header("Before A: a") + moduleOf("x.a") + header("Before B: b") +
                              moduleOf("x.b") + header("Before C: c") + moduleOf("x.b")));
  EXPECT_THAT(passes(*trace), ElementsAre("builtin.module a changed -> 1", "builtin.module b -> 1",
                                          "builtin.module c -> -1"));
  EXPECT_THAT(trace->stages[0].warnings,
              ElementsAre("the module after c, the last pass in the log, was not printed"));
}

TEST_F(ForeignTrace, AModuleThatOnlyPrintsOtherwiseIsTheSame) {
  const auto trace = open(write(
      "a.log",
      header("After A: a") +
          "func.func @main() {\n  x.a {m = affine_map<(d0) -> (d0)>}\n  return\n}\n" +
          header("After B: b") +
          "#map = affine_map<(d0) -> (d0)>\nmodule {\n  func.func @main() {\n    x.a {m = #map}\n  "
          "  return\n  }\n}\n"
          "\n{-#\n  dialect_resources: {\n    builtin: {\n      w: \"0x04\"\n    }\n  }\n#-}\n"));
  EXPECT_THAT(passes(*trace), ElementsAre("func.func a changed -> 0", "builtin.module b -> 0"));
}

TEST_F(ForeignTrace, BeforeAndAfterGiveTheStart) {
  const auto trace = open(write(
      "a.log", header("Before A: a") + moduleOf("x.a") + header("After A: a") + moduleOf("x.b")));
  EXPECT_THAT(passes(*trace), ElementsAre("builtin.module a changed -> 1"));
  EXPECT_EQ(trace->snapshots[0].pass, -1);
  EXPECT_THAT(trace->stages[0].warnings, testing::IsEmpty());
}

TEST_F(ForeignTrace, FailedPassAndItsErrorAreKept) {
  const auto trace = open(write("a.log", header("After A: a") + moduleOf("x.a") +
                                             "fx:1:0: error: failed to legalize operation 'x.a'\n" +
                                             header("After B Failed: b") + moduleOf("x.a")));
  EXPECT_FALSE(trace->ok());
  EXPECT_THAT(passes(*trace),
              ElementsAre("builtin.module a changed -> 0", "builtin.module b failed -> 1"));
  EXPECT_TRUE(trace->snapshots[1].failure);
  EXPECT_EQ(trace->stages[0].failingPass, "b");
  ASSERT_EQ(trace->stages[0].findings.size(), 1u);
  EXPECT_EQ(trace->stages[0].findings[0].message, "failed to legalize operation 'x.a'");
}

TEST_F(ForeignTrace, ALogThatIsCutOffSaysSo) {
  const std::string full =
      header("After A: a") + moduleOf("x.a") + header("After B: b") + moduleOf("x.b");
  const auto trace = open(write("a.log", full.substr(0, full.size() - 20)));
  EXPECT_THAT(passes(*trace), ElementsAre("builtin.module a changed -> 0", " b -> -1"));
  EXPECT_THAT(trace->stages[0].warnings,
              testing::Contains("the module after b in line 9 is truncated and was skipped"));
  EXPECT_EQ(error(write("b.log", full.substr(0, 60))),
            "b.log: ends within its first module; record the log again, and let the engine finish");
}

TEST_F(ForeignTrace, WhatAPassDidWhoseModuleIsCutOffIsNotKnown) {
  const auto trace = open(write("a.log", header("After A: a") + moduleOf("x.a") +
                                             header("After B: b") + moduleOf("x.b").substr(0, 40) +
                                             "\n" + header("After C: c") + moduleOf("x.b")));
  EXPECT_THAT(passes(*trace), ElementsAre("builtin.module a changed -> 0", " b -> -1",
                                          "builtin.module c changed -> 1"));
  EXPECT_THAT(trace->stages[0].warnings,
              testing::Contains("the module after b in line 9 is truncated and was skipped"));
  EXPECT_THAT(trace->stages[0].warnings,
              testing::Contains("what c changed may be what b did, whose module was skipped"));
}

TEST_F(ForeignTrace, AFileOfAFolderThatWasNotWrittenIsNamed) {
  write("d/builtin_module_no-symbol-name/0_a.mlir", header("After A: a") + moduleOf("x.a"));
  write("d/builtin_module_no-symbol-name/1_b.mlir", "");
  write("d/builtin_module_no-symbol-name/2_c.mlir",
        header("After C: c") + moduleOf("x.a").substr(0, 40));
  const auto trace = open(here_.file("d"));
  EXPECT_THAT(passes(*trace), ElementsAre("builtin.module a changed -> 0", " c -> -1"));
  EXPECT_THAT(
      trace->stages[0].warnings,
      testing::Contains(
          "1_b.mlir has no module, as if it was not written to its end; its pass is not shown"));
}

TEST_F(ForeignTrace, FolderIsReadInOrderOfExecution) {
  write("d/builtin_module_no-symbol-name/2_last.mlir",
        header("After Last: last") + moduleOf("x.d"));
  write("d/builtin_module_no-symbol-name/1_inline.mlir",
        header("After Inliner: inline") + moduleOf("x.b"));
  write("d/builtin_module_no-symbol-name/func_func_main/0_0_a.mlir", header("After A: a") + kMain);
  write("d/builtin_module_no-symbol-name/func_func_main/1_10_c.mlir", header("After C: c") + kMain);
  write("d/builtin_module_no-symbol-name/func_func_main/1_9_b.mlir",
        header("After B: b{x=1}") + kMain);
  const auto trace = open(here_.file("d"));
  EXPECT_THAT(passes(*trace),
              ElementsAre("func.func a changed -> 0", "builtin.module inline changed -> 1",
                          "func.func b{x=1} changed -> 2", "func.func c -> 2",
                          "builtin.module last changed -> 3"));
}

TEST_F(ForeignTrace, ReproducerIsOneModuleAndItsPipeline) {
  const auto trace = open(
      write("r.mlir", moduleOf("x.a") +
                          "\n{-#\n  external_resources: {\n    mlir_reproducer: {\n      pipeline: "
                          "\"builtin.module(func.func(canonicalize{max=1},cse),inline)\",\n      "
                          "disable_threading: true,\n"
                          "      verify_each: true\n    }\n  }\n#-}\n"));
  EXPECT_THAT(passes(*trace),
              ElementsAre("func.func canonicalize{max=1} not run -> -1",
                          "func.func cse not run -> -1", "builtin.module inline not run -> -1"));
  EXPECT_EQ(text(*trace, 0), moduleOf("x.a") + "\n");
  EXPECT_EQ(trace->stages[0].status, StageStatus::Skipped);
}

TEST_F(ForeignTrace, OtherFilesSayHowToMakeOne) {
  EXPECT_EQ(error(here_.file("none")), "none: no such file or directory");
  EXPECT_EQ(error(write("m.mlir", moduleOf("x.a"))),
            "m.mlir: contains no '// -----// IR Dump' line and no mlir_reproducer; record a log "
            "with --mlir-print-ir-after-all 2> FILE, a "
            "folder with "
            "--mlir-print-ir-tree-dir, or a reproducer with --mlir-pass-pipeline-crash-reproducer");
  write("e/readme.txt", "x");
  EXPECT_EQ(error(here_.file("e")),
            "e: contains no file of --mlir-print-ir-tree-dir (such as "
            "builtin_module_no-symbol-name/1_canonicalize.mlir); name the "
            "directory given "
            "to that option");
  EXPECT_EQ(error(write("p.mlir", moduleOf("x.a") +
                                      "\n{-#\n  external_resources: {\n    mlir_reproducer: {\n")),
            "p.mlir: its mlir_reproducer has no pipeline; the file is truncated, or the engine is "
            "older than LLVM 15");
  EXPECT_EQ(foreignKind(here_.file("m.mlir")), ForeignKind::None);
}

/// What the real engine prints, in its three ways, is the same trace.
TEST_F(ForeignTrace, TheEnginesLogAndFolderAgree) {
  const char* named = std::getenv("FXSCOPE_ENGINE");
  const std::string engine =
      named != nullptr ? named : FXS_SOURCE_DIR "/.cache/engine/torch-mlir-opt";
  if (!std::filesystem::exists(engine))
    GTEST_SKIP() << "no engine: FXSCOPE_ENGINE names none and ./run has installed none";
  PosixCommandRunner runner;
  Command command;
  const std::string pipeline =
      "--pass-pipeline=builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline)";
  command.argv = {engine,
                  "-",
                  pipeline,
                  "--mlir-disable-threading",
                  "--mlir-print-ir-after-all",
                  "--mlir-print-debuginfo"};
  command.stdinText =
      "func.func @main(%a: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {\n"
      "  %r = torch.aten.tanh %a : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32> "
      "loc(\"t\"(\"fx\":1:0))\n"
      "  return %r : !torch.vtensor<[4],f32>\n}\n";
  const auto log = runner.run(command, {});
  ASSERT_TRUE(log.has_value() && log->ok()) << log->err;
  const auto fromLog = open(write("engine.log", log->err));
  std::filesystem::create_directory(here_.file("out2"));
  command.argv.push_back("--mlir-print-ir-tree-dir=" + here_.file("tree"));
  const auto tree = runner.run(command, {});
  ASSERT_TRUE(tree.has_value() && tree->ok());
  const auto fromTree = openForeignTrace(here_.file("tree"), here_.file("out2"), {});
  ASSERT_TRUE(fromTree.has_value()) << fromTree.error().message;
  EXPECT_EQ(passes(*fromLog), passes(**fromTree));
  ASSERT_EQ(fromLog->snapshots.size(), (*fromTree)->snapshots.size());
  EXPECT_GE(fromLog->snapshots.size(), 4u);
  EXPECT_TRUE(mlir::sameButLocations(
      mlir::withAliasesExpanded(text(*fromLog, fromLog->snapshots.size() - 1)),
      mlir::withAliasesExpanded(log->out)));
}

TEST_F(ForeignTrace, LogOfFunctionsMakesNoMoreModulesThanADiskHolds) {
  // A megabyte of it would become gigabytes: each dump of a function is a whole module.
  std::string log = header("After A: a") + "module {\n  func.func @main() {\n    return\n  }\n";
  for (int i = 0; i < 4'000; ++i) log += "  x.y {a = \"" + std::string(200, 'a') + "\"}\n";
  log += "}\n";
  for (int i = 0; i < 1'000; ++i)
    log += header("After B: b ('func.func' operation: @main)") + "func.func @main() {\n  x.z" +
           std::to_string(i % 2) + "\n  return\n}\n";
  EXPECT_EQ(error(write("a.log", log)),
            "a.log: it contains functions, and expanding each to its module makes it more than 16 "
            "times as long; record the log with "
            "--mlir-print-ir-module-scope");
}

TEST_F(ForeignTrace, SnapshotsAreCountedBeforeTheyAreWritten) {
  RunContext context;
  BudgetLimits limits;
  limits[Resource::Disk] = 100;
  context.budget = std::make_shared<const Budget>(limits);
  const std::string path = write(
      "a.log", header("After A: a") + moduleOf("x.a") + header("After B: b") + moduleOf("x.b"));
  try {
    (void)openForeignTrace(path, here_.file("out"), context);
    FAIL() << "it was written";
  } catch (const Abandoned& abandoned) {
    EXPECT_EQ(abandoned.error.message,
              "000-a.mlir: exceeds the limit of 100 bytes on disk for one input; if you trust it, "
              "raise the limit with --limit disk=..");
  }
  EXPECT_TRUE(std::filesystem::is_empty(here_.file("out")));
}

TEST_F(ForeignTrace, NamesOfPassesMakePlainFileNames) {
  const auto trace =
      open(write("a.log", header("After A: a\x1b[2J/../b\x7f\xc3\xa9") + moduleOf("x.a")));
  EXPECT_EQ(trace->snapshots[0].file, "000-a-[2J-..-b---.mlir");
}

}  // namespace
}  // namespace fxs::lower
