// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What FileCheck 22 says with -vv --dump-input=never, recorded.
#include "lit/matches.h"

#include <gtest/gtest.h>

namespace fxs::lit {
namespace {

constexpr std::string_view kPassed =
    R"(a.mlir:2:17: remark: CHECK-LABEL: expected string found in input
// CHECK-LABEL: func.func @f(
                ^
<stdin>:2:2: note: found here
 func.func @f(%arg0: i32) -> i32 {
 ^~~~~~~~~~~~~
a.mlir:2:17: remark: CHECK-LABEL: expected string found in input
// CHECK-LABEL: func.func @f(
                ^
<stdin>:2:2: note: found here
 func.func @f(%arg0: i32) -> i32 {
 ^~~~~~~~~~~~~
a.mlir:5:14: remark: CHECK-DAG: expected string found in input
// CHECK-DAG: yield
             ^
<stdin>:3:2: note: found here
 yield
 ^~~~~
<stdin>:3:2: note: match discarded, overlaps earlier DAG match here
 yield
 ^~~~~
a.mlir:5:14: remark: CHECK-DAG: expected string found in input
// CHECK-DAG: %[[X:.*]] = addi %[[A]]
             ^
<stdin>:4:2: note: found here
 %1 = addi %arg0, %c
 ^~~~~~~~~~~~~~
<stdin>:4:2: note: with "A" equal to "arg0"
 %1 = addi %arg0, %c
 ^
<stdin>:4:3: note: captured var "X"
 %1 = addi %arg0, %c
  ^
a.mlir:4:14: remark: CHECK-NOT: excluded string not found in input
// CHECK-NOT: a.mlir:1:1: error: CHECK: no
             ^
<stdin>:3:28: note: scanning from here
 %c = arith.constant 1 : i32
                           ^
a.mlir:9:2: remark: implicit EOF: expected string found in input

 ^
<stdin>:12:1: note: found here

^
)";

TEST(Matches, AreReadWithTheirLines) {
  const Matches matches = readFileCheck(kPassed);
  EXPECT_FALSE(matches.failed());
  EXPECT_TRUE(matches.messages.empty());
  ASSERT_EQ(matches.all.size(), 3U);

  const Match& label = matches.all[0];
  EXPECT_EQ(label.directive, "CHECK-LABEL");
  EXPECT_EQ(label.outcome, Match::Outcome::Found);
  EXPECT_EQ(label.check, (CheckPosition{"a.mlir", 2, 17, 1}));
  EXPECT_EQ(label.input, (CheckPosition{"<stdin>", 2, 2, 13}));
  EXPECT_EQ(label.checkLine, "// CHECK-LABEL: func.func @f(");
  EXPECT_EQ(label.inputMessage, "found here");
  EXPECT_EQ(label.inputLine, " func.func @f(%arg0: i32) -> i32 {");

  const Match& dag = matches.all[1];
  EXPECT_EQ(dag.input, (CheckPosition{"<stdin>", 4, 2, 14}));
  ASSERT_EQ(dag.notes.size(), 2U);
  EXPECT_EQ(dag.notes[0].message, "with \"A\" equal to \"arg0\"");
  EXPECT_EQ(dag.notes[1].message, "captured var \"X\"");
  EXPECT_EQ(dag.notes[1].at, (CheckPosition{"<stdin>", 4, 3, 1}));

  EXPECT_EQ(matches.all[2].directive, "CHECK-NOT");
  EXPECT_EQ(matches.all[2].outcome, Match::Outcome::Excluded);
  EXPECT_EQ(matches.all[2].input, (CheckPosition{"<stdin>", 3, 28, 1}));
}

TEST(Matches, AFailureSaysWhereTheSearchBegan) {
  const Matches matches =
      readFileCheck(R"(a.mlir:4:11: error: CHECK: expected string not found in input
// CHECK: retrun %[[Y]]
          ^
<stdin>:7:28: note: scanning from here
 %3 = arith.xori %arg0, %c1 : i32
                           ^
<stdin>:7:28: note: with "Y" equal to "0"
 %3 = arith.xori %arg0, %c1 : i32
                           ^
<stdin>:8:2: note: possible intended match here
 return %0 : i32
 ^
)");
  ASSERT_EQ(matches.all.size(), 1U);
  EXPECT_TRUE(matches.failed());
  const Match& match = matches.all[0];
  EXPECT_EQ(match.message, "expected string not found in input");
  EXPECT_EQ(match.input, (CheckPosition{"<stdin>", 7, 28, 1}));
  ASSERT_EQ(match.notes.size(), 2U);
  EXPECT_EQ(match.notes[1].message, "possible intended match here");
  EXPECT_EQ(match.notes[1].at.line, 8U);
  EXPECT_EQ(match.notes[1].line, " return %0 : i32");
  EXPECT_EQ(match.inputMessage, "scanning from here");
}

TEST(Matches, WhatNamesNoDirectiveIsAMessage) {
  const std::string_view said =
      "FileCheck error: '<stdin>' is empty.\nFileCheck command line:  FileCheck a.mlir\n";
  EXPECT_EQ(readFileCheck(said).messages,
            std::vector<std::string>{"FileCheck error: '<stdin>' is empty."});
  const std::string_view none = "error: no check strings found with prefix 'CHECK:'\n";
  EXPECT_EQ(readFileCheck(none).messages,
            std::vector<std::string>{"error: no check strings found with prefix 'CHECK:'"});
  EXPECT_TRUE(readFileCheck("a\n\n^\n: error: x\nb:1: note: c\n").all.empty());
}

TEST(Matches, ColumnsCountJoinedBlanksOnce) {
  const std::string_view line = "    %1  = addi";
  const auto marked = [&](std::uint32_t column, std::uint32_t width, Blanks blanks) {
    return std::string(rangeIn(line, {"", 1, column, width}, blanks).of(line));
  };
  EXPECT_EQ(marked(2, 4, Blanks::Joined), "%1  =");
  EXPECT_EQ(marked(5, 2, Blanks::Strict), "%1");
  EXPECT_EQ(marked(1, 99, Blanks::Joined), line);
  EXPECT_EQ(marked(99, 1, Blanks::Joined), "");
  EXPECT_EQ(marked(0, 0, Blanks::Joined), "");
}

}  // namespace
}  // namespace fxs::lit
