// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "features/variants/completion_state.h"

namespace fxs::ui {
namespace {

const std::string kModule =
    "module {\n"
    "  func.func @first(%a: f32) -> f32 {\n"
    "    %0 = t.exp %a : f32\n"
    "    return %0 : f32\n"
    "  }\n"
    "  func.func @main(%x: f32, %arg1: f32) -> (f32, f32) {\n"
    "    %c0 = arith.constant 0 : index\n"
    "    %5:2 = scf.for %i = %c0 to %c0 step %c0 iter_args(%acc = %x, %b = %x) -> (f32, f32) {\n"
    "      %6 = t.say \"%no = {\" : f32 // %not = {\n"
    "      scf.yield %6, %b : f32, f32\n"
    "    }\n"
    "    return %5#0, %5#1 : f32, f32\n"
    "  }\n"
    "}\n";

std::string scopeBefore(const std::string& line) {
  std::string out;
  for (const std::string& name : valuesInScope(kModule, kModule.find(line)))
    out += (out.empty() ? "" : " ") + name;
  return out;
}

TEST(Completion, ValuesAreThoseOfOpenRegions) {
  EXPECT_EQ(scopeBefore("module"), "");
  EXPECT_EQ(scopeBefore("return %0"), "%a %0");
  EXPECT_EQ(scopeBefore("%c0 ="), "%x %arg1");
  EXPECT_EQ(scopeBefore("scf.yield"), "%x %arg1 %c0 %5 %i %acc %b %6");
  EXPECT_EQ(scopeBefore("return %5"), "%x %arg1 %c0 %5");
}

TEST(Completion, AfterAPercentSignValuesElseOperations) {
  const std::vector<std::string> operations{"arith.addf", "arith.addi", "arith.mulf", "t.exp"};
  std::string text = kModule;
  const std::size_t at = text.find("    return %5");
  text.insert(at, "    %7 = arith.add\n");
  const Completion ops = completionAt(text, text.find("arith.add\n") + 9, operations);
  EXPECT_EQ(text.substr(ops.begin, 9), "arith.add");
  EXPECT_EQ(ops.names, (std::vector<std::string>{"arith.addf", "arith.addi"}));
  text.insert(text.find("arith.add\n") + 9, "f %");
  const Completion values = completionAt(text, text.find("addf %\n") + 6, operations);
  EXPECT_EQ(values.names, (std::vector<std::string>{"%5", "%arg1", "%c0", "%x"}));
  // Nothing was typed yet.
  EXPECT_TRUE(completionAt(text, at, operations).names.empty());
}

TEST(Completion, BracketsMatchOutsideOfStrings) {
  const std::size_t open = kModule.find("{\n    %c0");
  const std::size_t close = kModule.rfind("  }\n}") + 2;
  EXPECT_EQ(bracketsAt(kModule, open), std::pair(open, close));
  EXPECT_EQ(bracketsAt(kModule, open + 1), std::pair(open, close));
  EXPECT_EQ(bracketsAt(kModule, close), std::pair(open, close));
  EXPECT_EQ(bracketsAt(kModule, kModule.find("t.exp")), std::nullopt);
  EXPECT_EQ(bracketsAt("(", 0), std::nullopt);
  EXPECT_EQ(bracketsAt(")", 1), std::nullopt);
  EXPECT_EQ(bracketsAt("", 0), std::nullopt);
}

TEST(Completion, ALineAfterARegionOpensIsIndented) {
  EXPECT_EQ(indentAfter(kModule, kModule.find("\n    %c0")), "    ");
  EXPECT_EQ(indentAfter(kModule, kModule.find("\n    return %0")), "    ");
  EXPECT_EQ(indentAfter("", 0), "");
}

}  // namespace
}  // namespace fxs::ui
