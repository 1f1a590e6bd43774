// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is run for a test, and what is not.
#include "lit/plan.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/byte_source.h"
#include "base/joined.h"
#include "base/scratch_directory.h"

namespace fxs::lit {
namespace {

Settings settings() {
  Settings out;
  out.programs = {{"mlir-opt", "/b/mlir-opt-22"}, {"FileCheck", "/b/FileCheck-22"}};
  out.substitutions = {{"shlibext", ".so"}, {"mlir_lib_dir", "/lib/mlir"}, {"opts", "-a b"}};
  out.file = "/home/t/x.mlir";
  out.explainsMatches = false;
  return out;
}

/// "<run>.<pipeline> <input> argv.." a line, then the messages.
std::string planned(std::string_view text, const Settings& with = settings()) {
  const Plan made = plan(parseTest(text), with);
  std::string out;
  for (const Stage& stage : made.stages) {
    out += std::to_string(stage.run) + "." + std::to_string(stage.pipeline);
    if (stage.input == Stage::Input::Previous) out += " |";
    if (stage.input == Stage::Input::File) out += " <" + stage.inputFile;
    out += " [" + joined(stage.argv, "][") + "]";
    if (stage.out.kind == Sink::Kind::File) out += " >" + stage.out.file;
    out += stage.endsPipeline ? "\n" : " ..\n";
  }
  for (const SkippedRun& skipped : made.skipped) out += skipped.message + "\n";
  return out;
}

/// Of one RUN line that is skipped: what its message says.
std::string skipped(std::string_view line, const Settings& with = settings()) {
  std::string out = planned("// RUN: " + std::string(line) + "\n", with);
  const std::string before = "line 1: the RUN: line ", after = "; it is not run\n";
  if (!out.starts_with(before) || !out.ends_with(after)) return "planned: " + out;
  return out.substr(before.size(), out.size() - before.size() - after.size());
}

TEST(Plan, NamesPathsOfProgramsAndFilesInTheFolder) {
  EXPECT_EQ(planned("// RUN: mlir-opt %s -o %t.mlir && FileCheck %s < %t.mlir\n"
                    "// RUN: mlir-opt < %s > %t1 && mlir-opt %t1 | FileCheck %s\n"),
            "0.0 [/b/mlir-opt-22][x.mlir][-o][x.mlir.tmp.mlir]\n"
            "0.1 <x.mlir.tmp.mlir [/b/FileCheck-22][x.mlir]\n"
            "1.0 <x.mlir [/b/mlir-opt-22] >x.mlir.tmp1\n"
            "1.1 [/b/mlir-opt-22][x.mlir.tmp1] ..\n"
            "1.1 | [/b/FileCheck-22][x.mlir]\n");
}

TEST(Plan, ReplacesPartsOfWords) {
  EXPECT_EQ(planned("// RUN: mlir-opt %% 5%, --l=%mlir_lib_dir/liba%shlibext %{s:basename} "
                    "%basename_t %/t %T %{t:stem} %{opts} -x=%t_y a%{fs-sep}b\n"),
            "0.0 [/b/mlir-opt-22][%][5%,][--l=/lib/mlir/liba.so][x.mlir][x.mlir][x.mlir.tmp]"
            "[.][x.mlir][-a b][-x=x.mlir.tmp_y][a/b]\n");
}

TEST(Plan, TheFolderOfTheTestIsReadOnlyWhereItIsNamed) {
  const Plan made = plan(parseTest("// RUN: mlir-opt %S/lib.mlir %s.bc %p\n"), settings());
  ASSERT_EQ(made.stages.size(), 1U);
  EXPECT_EQ(joined(made.stages[0].argv, " "),
            "/b/mlir-opt-22 /home/t/lib.mlir /home/t/x.mlir.bc /home/t");
  EXPECT_EQ(made.reads, std::vector<std::string>{"/home/t"});
  Settings with = settings();
  with.reads = {"/lib/mlir"};
  EXPECT_EQ(plan(parseTest("// RUN: mlir-opt %s\n"), with).reads, with.reads);
  Settings unsaved = settings();
  unsaved.file.clear();
  EXPECT_EQ(skipped("mlir-opt %S/a", unsaved),
            "names files beside the test, which is not a file; save it first");
  EXPECT_EQ(planned("// RUN: mlir-opt %s\n", unsaved), "0.0 [/b/mlir-opt-22][input.mlir]\n");
}

TEST(Plan, ATestReadsTheSuiteAroundIt) {
  const auto scratch =
      ScratchDirectory::make(std::filesystem::temp_directory_path().string(), "a suite");
  ASSERT_TRUE(scratch.has_value());
  std::filesystem::create_directories(scratch->file("suite/a/b"));
  ASSERT_TRUE(writeWholeFile(scratch->file("suite/lit.cfg.py"), "").has_value());
  Settings with = settings();
  with.file = scratch->file("suite/a/b/x.mlir");
  const Plan made = plan(parseTest("// RUN: mlir-opt %S/../y.mlir\n"), with);
  EXPECT_EQ(made.reads, std::vector<std::string>{scratch->file("suite")});
}

TEST(Plan, AnyOtherNameOfAFileIsNotPutIntoACommand) {
  Settings odd = settings();
  for (const char* file : {"/t/-load=x", "/t/a b.mlir", "/t/$(x).mlir", "/t/.."}) {
    odd.file = file;
    EXPECT_EQ(planned("// RUN: mlir-opt %s\n", odd), "0.0 [/b/mlir-opt-22][input.mlir]\n") << file;
  }
}

TEST(Plan, SkipsWhatItMayNotOrCannotRun) {
  EXPECT_EQ(skipped("rm -rf /"), "runs 'rm', which is none of the programs in the settings");
  EXPECT_EQ(skipped("/b/mlir-opt-22"),
            "runs '/b/mlir-opt-22', which is none of the programs in the settings");
  EXPECT_EQ(skipped("mlir-opt %s | not tee"),
            "runs 'tee', which is none of the programs in the settings");
  EXPECT_EQ(skipped("mlir-opt %unknown"), "has %unknown, which the settings do not know");
  EXPECT_EQ(skipped("mlir-opt %{unknown}"), "has %{unknown}, which the settings do not know");
  EXPECT_EQ(skipped("mlir-opt > /etc/passwd"),
            "writes '/etc/passwd' outside of its temporary folder");
  EXPECT_EQ(skipped("mlir-opt 2> %t/../../x"),
            "writes 'x.mlir.tmp/../../x' outside of its temporary folder");
  EXPECT_EQ(skipped("mlir-opt < ../x"), "reads '../x' from outside of its temporary folder");
  EXPECT_EQ(skipped("mlir-opt < %S/x"), "reads '/home/t/x' from outside of its temporary folder");
  EXPECT_EQ(skipped("mlir-opt --load-pass-plugin=%t"),
            "loads code into a program: '--load-pass-plugin=x.mlir.tmp'");
  EXPECT_EQ(skipped("mlir-opt %s @%t"), "loads code into a program: '@x.mlir.tmp'");
  EXPECT_EQ(skipped("env LD_PRELOAD=%t mlir-opt"),
            "sets 'LD_PRELOAD=x.mlir.tmp', which could run other code");
  EXPECT_EQ(skipped("PYTHONPATH=%S mlir-opt"),
            "sets 'PYTHONPATH=/home/t', which could run other code");
}

TEST(Plan, AProgramThatWasNotFoundSaysHowToGetIt) {
  Settings without = settings();
  without.programs.erase("FileCheck");
  without.missing = {{"FileCheck", "FileCheck-22 is not installed"}};
  EXPECT_EQ(planned("// RUN: mlir-opt %s | FileCheck %s\n", without),
            "line 1: the RUN: line runs 'FileCheck', which was not found: FileCheck-22 is not "
            "installed; it is not run\n");
}

TEST(Plan, ASkippedLineTakesThoseThatReadItsFilesWithIt) {
  const std::string read =
      "the RUN: line may read what a line before, which is not run, would have written; it is not "
      "run\n";
  EXPECT_EQ(planned("// RUN: rm %t\n// RUN: mlir-opt %s >> %t\n// RUN: mlir-opt %t\n"
                    "// RUN: mlir-opt %s > %t\n// RUN: mlir-opt %s\n"),
            "3.0 [/b/mlir-opt-22][x.mlir] >x.mlir.tmp\n"
            "4.0 [/b/mlir-opt-22][x.mlir]\n"
            "line 1: the RUN: line runs 'rm', which is none of the programs in the settings; it is "
            "not run\n"
            "line 2: " +
                read + "line 3: " + read);
}

TEST(Plan, FileCheckExplainsItsMatchesWhereItsErrorsAreShown) {
  Settings explained = settings();
  explained.explainsMatches = true;
  EXPECT_EQ(planned("// RUN: FileCheck %s\n// RUN: FileCheck %s 2>&1 | FileCheck %s\n", explained),
            "0.0 [/b/FileCheck-22][x.mlir][-vv][--dump-input=never]\n"
            "1.0 [/b/FileCheck-22][x.mlir] ..\n"
            "1.0 | [/b/FileCheck-22][x.mlir][-vv][--dump-input=never]\n");
}

TEST(Plan, IsBounded) {
  std::string text;
  for (int line = 0; line < 20; ++line) {
    text += "// RUN: mlir-opt";
    for (int i = 0; i < 40; ++i) text += " && mlir-opt";
    text += "\n";
  }
  const Plan made = plan(parseTest(text), settings());
  EXPECT_EQ(made.stages.size(), 492U);
  ASSERT_EQ(made.skipped.size(), 8U);
  EXPECT_EQ(made.skipped[0].message,
            "line 13: the RUN: line is beyond 512 programs, the most that are run for a test; it "
            "is not run");
}

}  // namespace
}  // namespace fxs::lit
