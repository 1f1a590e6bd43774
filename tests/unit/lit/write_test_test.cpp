// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that are written: their texts, and that FileCheck accepts them.
#include "lit/write_test.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/byte_source.h"
#include "base/subprocess.h"
#include "lit/check_lines.h"
#include "lit/checks.h"
#include "lit/matches.h"
#include "lit/test.h"

namespace fxs::lit {
namespace {

constexpr std::string_view kOutput = R"(#map = affine_map<(d0) -> (d0)>
#loc = loc("x.mlir":1:1)
module {
  func.func private @g(i32) -> i32 loc(#loc)
  func.func @f(%arg0: tensor<4xf32> loc("a"), %arg1: tensor<4xf32>, %arg2: i1) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32 loc(#loc)
    %cst = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %0:2 = "test.two"(%arg0, %arg1) {a = #map, b = [[{c = 1}]], d = {{}}} : (tensor<4xf32>, tensor<4xf32>) -> (i32, i32)
    cf.cond_br %arg2, ^bb1(%0#0, %0#1 : i32, i32), ^bb2
  ^bb1(%1: i32, %2: i32):  // pred: ^bb0
    %3 = arith.addi %1, %2 {note = "RUN: rm [[x]] {{y}}"} : i32
    return %3, %c0_i32 : i32, i32
  ^bb2:  // pred: ^bb0
    %4 = scf.for %i = %c0_i32 to %c0_i32 step %c0_i32 iter_args(%a = %c0_i32) -> (i32) : i32 {
      scf.yield %a : i32
    }
    return %4, %c0_i32 : i32, i32
  }
  func.func @h() -> i32 {
    %c0_i32 = arith.constant 1 : i32
    return %c0_i32 : i32
  }
}

{-#
  dialect_resources: { builtin: { w: "0x04000000" } }
#-}
)";

constexpr std::string_view kChecks = R"(// CHECK: #[[$MAP:.+]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func private @g(i32) -> i32
// CHECK-LABEL: func.func @f(
// CHECK-SAME:   %[[ARG0:[A-Za-z0-9_$.-]+]]: tensor<4xf32>
// CHECK-SAME:   ,
// CHECK-SAME:   %[[ARG1:[A-Za-z0-9_$.-]+]]: tensor<4xf32>,
// CHECK-SAME:   %[[ARG2:[A-Za-z0-9_$.-]+]]: i1) -> (i32, i32) {
// CHECK: %[[C0_I32:.*]] = arith.constant 0 : i32
// CHECK: %[[CST:.*]] = arith.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi32>
// CHECK: %[[V0:[A-Za-z0-9_$.-]+]]:2 = "test.two"(%[[ARG0]], %[[ARG1]]) {a = #[[$MAP]], b = {{\[\[\{}}c = 1}]], d = {{\{\{}}}}} : (tensor<4xf32>, tensor<4xf32>) -> (i32, i32)
// CHECK: cf.cond_br %[[ARG2]], ^bb1(%[[V0]]#0, %[[V0]]#1 : i32, i32), ^bb2
// CHECK: ^bb1(%[[V1:[A-Za-z0-9_$.-]+]]: i32, %[[V2:[A-Za-z0-9_$.-]+]]: i32):
// CHECK: %[[V3:[A-Za-z0-9_$.-]+]] = arith.addi %[[V1]], %[[V2]] {note = "RUN{{:}} rm {{\[\[}}x]] {{\{\{}}y}}"} {{:}} i32
// CHECK: return %[[V3]], %[[C0_I32]] : i32, i32
// CHECK: ^bb2:
// CHECK: %[[V4:[A-Za-z0-9_$.-]+]] = scf.for %[[I:[A-Za-z0-9_$.-]+]] = %[[C0_I32]] to %[[C0_I32]] step %[[C0_I32]] iter_args(%[[A:[A-Za-z0-9_$.-]+]] = %[[C0_I32]]) -> (i32) : i32 {
// CHECK: scf.yield %[[A]] : i32
// CHECK: }
// CHECK: return %[[V4]], %[[C0_I32]] : i32, i32
// CHECK: }
// CHECK-LABEL: func.func @h() -> i32 {
// CHECK: %[[C0_I32:.*]] = arith.constant 1 : i32
// CHECK: return %[[C0_I32]] : i32
// CHECK: }
)";

TEST(WriteTest, MakesVariablesOfNamesAndEscapesTheRest) {
  EXPECT_EQ(checkLinesFor(kOutput), kChecks);
  EXPECT_EQ(checkLinesFor("\n// -----\n\nmodule {\n}\n"), "");
  EXPECT_EQ(checkLinesFor("%x.1, %x_1 = a\nb %x.1, %x_1, %X_1\n", "C"),
            "// C: %[[X_1:.*]], %[[X_1_2:.*]] = a\n"
            "// C: b %[[X_1]], %[[X_1_2]], %[[X_1_3:[A-Za-z0-9_$.-]+]]\n");
  EXPECT_EQ(checkLinesFor("%run = a\n"), "// CHECK: %[[RUN_:.*]] = a\n");
}

TEST(WriteTest, HasARunLineAndTheInput) {
  const auto text = writeTest({.input = "// RUN: old | FileCheck %s\n\n// CHECK: old\n// kept\na\n",
                               .argv = {"mlir-opt", "-p=m(f{x=1})", "it's", "5%", "--i=%s"},
                               .output = "b\n"});
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(*text,
            "// RUN: mlir-opt '-p=m(f{x=1})' 'it'\\''s' 5%% --i=%s | FileCheck %s\n\n"
            "// CHECK: b\n\n// kept\na\n");
  const lit::Test test = parseTest(*text);
  ASSERT_EQ(test.runs.size(), 1U);
  EXPECT_EQ(test.runs[0].pipelines[0][0].argv,
            (std::vector<std::string>{"mlir-opt", "-p=m(f{x=1})", "it's", "5%%", "--i=%s"}));
}

TEST(WriteTest, LeavesTheInputsOtherPrefixesAlone) {
  const auto text =
      writeTest({.input = "f {x = \"// CHECK: a\"}\n", .argv = {"mlir-opt"}, .output = "b\n"});
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(*text,
            "// RUN: mlir-opt %s | FileCheck %s --check-prefix=CHECK2\n\n// CHECK2: b\n\n"
            "f {x = \"// CHECK: a\"}\n");
}

TEST(WriteTest, WithoutAnOutputTheProgramIsRun) {
  EXPECT_EQ(*writeTest({.input = "a\n", .argv = {"x-opt"}, .output = "\n"}),
            "// RUN: x-opt %s\n\na\n");
}

TEST(WriteTest, RefusesWhatCannotBeATest) {
  const auto message = [](const TestParts& parts) { return writeTest(parts).error().message; };
  EXPECT_EQ(message({.input = "", .argv = {}, .output = "a\n"}),
            "a lit test needs a program; name one, such as mlir-opt");
  EXPECT_EQ(message({.input = "", .argv = {"a", "b\nc"}, .output = "a\n"}),
            "the argument 'b\\nc' has a line break, which a RUN line cannot have");
  EXPECT_EQ(message({.input = "x\nf {x = \"RUN: rm\"}\n", .argv = {"a"}, .output = "a\n"}),
            "line 2 of the input would be read as a directive of lit; remove its `RUN:` or the "
            "like");
}

TEST(WriteTest, FileCheckAcceptsIt) {
  const std::string fileCheck = "/usr/bin/FileCheck-22";
  if (!std::filesystem::exists(fileCheck)) GTEST_SKIP() << "FileCheck-22 is not installed";
  const std::string file = testing::TempDir() + "fxs-lit-checks.mlir";
  const std::string checks = checkLinesFor(kOutput);
  ASSERT_TRUE(writeWholeFile(file, checks));
  const auto said = [&](std::string output) {
    Command command;
    command.argv = {fileCheck, file};
    command.argv.insert(command.argv.end(), kExplainOptions.begin(), kExplainOptions.end());
    command.stdinText = std::move(output);
    return readFileCheck(PosixCommandRunner().run(command, {})->err);
  };
  const Matches matches = said(std::string(kOutput));
  EXPECT_FALSE(matches.failed());
  EXPECT_EQ(matches.messages, std::vector<std::string>{});
  EXPECT_EQ(matches.all.size(), checksOf(checks).size());

  std::string other(kOutput);
  other.replace(other.find("%1, %2 {"), 6, "%2, %1");
  EXPECT_TRUE(said(other).failed());
}

}  // namespace
}  // namespace fxs::lit
