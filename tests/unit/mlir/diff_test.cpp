// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/compare/diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <set>

#include "canonical_text.h"
#include "mlir/compare/constants.h"
#include "random_module.h"

namespace fxs::mlir {
namespace {

using test::applied;
using test::canonicalText;

std::string_view markOf(OpChange change) {
  switch (change) {
    case OpChange::Same: return "";
    case OpChange::Changed: return "~ ";
    case OpChange::Moved: return "> ";
    case OpChange::MovedAndChanged: return ">~ ";
    case OpChange::Added: return "+ ";
    case OpChange::Removed: return "- ";
  }
  return "";
}

/// The pairs that are not the same, a line each, by the head of the newer side; and what must hold
/// of any diff.
std::string diffOf(std::string_view textA, std::string_view textB) {
  const Module a = readModule(textA);
  const Module b = readModule(textB);
  const Diff changes = diff(a, b);
  std::string out;
  std::set<std::uint32_t> seenA, seenB;
  for (const OpPair& pair : changes.pairs) {
    EXPECT_TRUE(!pair.a.valid() || seenA.insert(pair.a.value).second);
    EXPECT_TRUE(!pair.b.valid() || seenB.insert(pair.b.value).second);
    if (pair.change == OpChange::Same) continue;
    out += markOf(pair.change);
    out += pair.b.valid() ? b.op(pair.b).head.of(textB) : a.op(pair.a).head.of(textA);
    if (pair.otherOperands) out += pair.otherText ? " [text, operands]" : " [operands]";
    out += '\n';
  }
  EXPECT_EQ(seenA.size(), a.ops.size());
  EXPECT_EQ(seenB.size(), b.ops.size());
  EXPECT_EQ(changes.empty(), out.empty());
  EXPECT_EQ(applied(a, b, changes), canonicalText(b));
  EXPECT_EQ(changes.empty(), canonicalText(a) == canonicalText(b)) << textA << textB;
  return out;
}

TEST(MlirDiff, NamesLocationsAndAliasesAreNoDifference) {
  EXPECT_EQ(diffOf("#map = affine_map<(d0) -> (d0)>\n#map1 = affine_map<(d0) -> (0)>\nfunc.func "
                   "@f(%arg0: i1 loc(\"x\")) {\n  %0 = a.b "
                   "%arg0 {m = [#map, #map1]} : i1 loc(#loc1)\n"
                   "  return %0 : i1\n}\n#loc1 = loc(\"q\")\n",
                   "#map = affine_map<(d0) -> (0)>\n#map3 = affine_map<(d0) -> (d0)>\nfunc.func "
                   "@f(%x: i1) {\n  %r.1 = a.b %x {m = [#map3, "
                   "#map]} : i1 loc(unknown)\n"
                   "  return %r.1 : i1 loc(\"end\")\n} loc(\"f\")\n"),
            "");
}

TEST(MlirDiff, ARemovedCastChangesNoUser) {
  EXPECT_EQ(diffOf("func.func @f(%a: i1) {\n  %0 = a.b %a : i1\n  %1 = c.cast %0 : i1 to i2\n  %2 "
                   "= c.cast %1 : i2 to i1\n  %3 = a.c %2 : "
                   "i1\n  %4 = a.d %2, %3 : i1\n  return\n}\n",
                   "func.func @f(%a: i1) {\n  %0 = a.b %a : i1\n  %1 = a.c %0 : i1\n  %2 = a.d %0, "
                   "%1 : i1\n  return\n}\n"),
            "- %1 = c.cast %0 : i1 to i2\n- %2 = c.cast %1 : i2 to i1\n");
}

TEST(MlirDiff, OtherOperandsAreAChangeWhereBothProducersStay) {
  EXPECT_EQ(diffOf("%0 = a.x : i1\n%1 = a.y : i1\n%2 = a.sub %0, %1 : i1\na.end %2\n",
                   "%0 = a.x : i1\n%1 = a.y : i1\n%2 = a.sub %1, %0 : i1\na.end %2\n"),
            "~ %2 = a.sub %1, %0 : i1 [operands]\n");
}

TEST(MlirDiff, AChangeInARegionIsOfTheInnerOperation) {
  EXPECT_EQ(diffOf("func.func @f() {\n  scf.if %c {\n    %0 = a.x {n = 1} : i1\n    a.end %0\n  "
                   "}\n  return\n}\n",
                   "func.func @f() {\n  scf.if %c {\n    %0 = a.x {n = 2} : i1\n    a.end %0\n  "
                   "}\n  return\n}\n"),
            "~ %0 = a.x {n = 2} : i1\n");
}

TEST(MlirDiff, TypesOfBlockArgumentsBelongToTheOperationAround) {
  EXPECT_EQ(diffOf("\"a.b\"() ({\n^bb0(%x: i1):\n  a.c %x\n}) : () -> ()\n",
                   "\"a.b\"() ({\n^bb0(%x: i2):\n  a.c %x\n}) : () -> ()\n"),
            "~ \"a.b\"() (\n");
}

TEST(MlirDiff, AnEntryBlockIsNoOtherBlock) {
  EXPECT_EQ(diffOf("\"t.c\"() ({\n  t.x\n^bb1(%a: i1):\n  t.y %a\n}) : () -> ()\n",
                   "\"t.c\"() ({\n^bb0(%a: i1):\n  t.y %a\n}) : () -> ()\n"),
            "~ \"t.c\"() (\n- t.x\n> t.y %a\n");
  EXPECT_EQ(
      diffOf("\"t.c\"() ({\n^bb0:\n  t.x\n}) : () -> ()\n", "\"t.c\"() ({\n  t.x\n}) : () -> ()\n"),
      "");
}

TEST(MlirDiff, WhatWentIntoAnotherRegionMoved) {
  EXPECT_EQ(diffOf("func.func @f(%a: i1) {\n  scf.for %i = %a to %a {\n    %0 = a.x %a {n = 1} : "
                   "i1\n    a.end %0, %i\n  }\n  return\n}\n",
                   "func.func @f(%a: i1) {\n  %0 = a.x %a {n = 1} : i1\n  scf.for %i = %a to %a "
                   "{\n    a.end %0, %i\n  }\n  return\n}\n"),
            "> %0 = a.x %a {n = 1} : i1\n");
}

TEST(MlirDiff, AmongEqualLayersTheOneThatWentIsFound) {
  const auto program = [](int layers, int without) {
    std::string out = "func.func @f(%x0: f32";
    for (int i = 0; i < layers; ++i) out += ", %w" + std::to_string(i) + ": f32";
    out += ") {\n  %0 = a.in %x0 : f32\n";
    int next = 0;
    for (int i = 0; i < layers; ++i) {
      if (i == without) continue;
      const std::string x = "%" + std::to_string(next), y = "%" + std::to_string(next + 1),
                        z = "%" + std::to_string(next + 2);
      out += "  " + y + " = a.mul " + x + ", %w" + std::to_string(i) + " : f32\n  " + z +
             " = a.add " + x + ", " + y + " : f32\n";
      next += 2;
    }
    return out + "  return %" + std::to_string(next) + " : f32\n}\n";
  };
  EXPECT_EQ(diffOf(program(12, -1), program(12, 5)),
            "- %11 = a.mul %10, %w5 : f32\n- %12 = a.add %10, %11 : f32\n");
}

TEST(MlirDiff, AFunctionIsFoundByItsSymbol) {
  EXPECT_EQ(diffOf("func.func @f(%a: i1) {\n  a.x %a {n = 1}\n}\nfunc.func @g(%a: i1) {\n  a.x %a "
                   "{n = 2}\n}\n",
                   "func.func @g(%a: i2) {\n  a.x %a {n = 3}\n}\nfunc.func @f(%a: i2) {\n  a.x %a "
                   "{n = 1}\n}\n"),
            "~ func.func @g(%a: i2)\n~ a.x %a {n = 3}\n>~ func.func @f(%a: i2)\n");
}

TEST(MlirDiff, ConstantsCanBeLeftOut) {
  const Module a = readModule("%0 = arith.constant 1 : i64\na.b %0\na.c\n");
  const Module b = readModule("%0 = arith.constant 2 : i64\n%1 = torch.constant.none\na.b %0\n");
  const Diff all = diff(a, b);
  EXPECT_EQ(all.changed + all.added + all.removed, 3U);
  const Diff left = withoutConstants(a, b, all);
  EXPECT_EQ(left.hiddenConstants, 2U);
  EXPECT_EQ(left.removed, 1U);
  EXPECT_EQ(left.changed + left.added + left.moved, 0U);
  EXPECT_EQ(left.pairs.size(), 2U);
  EXPECT_FALSE(isConstant("tensor.empty"));
}

TEST(MlirDiff, WordsThatDifferAreMarked) {
  const std::string_view textA =
      "#m = affine_map<(d0) -> (d0)>\n%5 = a.cast %x {m = #m, n = 1} : tensor<4xf32> to "
      "tensor<4xf64> loc(\"a\")\n";
  const std::string_view textB =
      "#n = affine_map<(d0) -> (d0)>\n%7 = a.cast %y {m = #n, n = 2, o} : tensor<4xf32> to "
      "tensor<?xf64> loc(\"b\")\n";
  const Module a = readModule(textA);
  const Module b = readModule(textB);
  const WordMarks marks = wordMarks(a, b, {OpId{0}, OpId{0}, OpChange::Changed, true, false});
  const auto words = [](const std::vector<TextRange>& ranges, std::string_view text) {
    std::string out;
    for (const TextRange range : ranges) out += "[" + std::string(range.of(text)) + "]";
    return out;
  };
  EXPECT_EQ(words(marks.a, textA), "[1][4xf64]");
  EXPECT_EQ(words(marks.b, textB), "[2, o][?xf64]");
}

TEST(MlirDiff, AModulePrintedInAnotherWayIsTheSame) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const test::RandomModule made = test::randomModule(seed, 40);
    const bool generic = seed % 2 == 0;
    const test::Printed one = test::print(
        made, {.seed = seed, .generic = generic, .locations = true, .aliases = seed % 3 == 0});
    const test::Printed other = test::print(
        made,
        {.seed = seed + 1000, .generic = generic, .locations = seed % 5 != 0, .aliases = true});
    ASSERT_EQ(diffOf(one.text, other.text), "") << seed;
  }
}

/// Places of a module that can be changed.
void collectBlocks(test::RandomOp& op, std::vector<test::RandomBlock*>& out) {
  for (auto& region : op.regions)
    for (auto& block : region) {
      if (block.ops.size() > 1) out.push_back(&block);
      for (test::RandomOp& inner : block.ops) collectBlocks(inner, out);
    }
}

TEST(MlirDiff, AnEditAppliedGivesTheOtherModule) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const test::RandomModule before = test::randomModule(seed, 40);
    test::RandomModule after = before;
    std::mt19937 random(seed);
    for (int edits = 1 + static_cast<int>(random() % 4); edits > 0; --edits) {
      std::vector<test::RandomBlock*> blocks;
      collectBlocks(after.top, blocks);
      if (blocks.empty()) break;
      test::RandomBlock& block = *blocks[random() % blocks.size()];
      const std::size_t at = random() % (block.ops.size() - 1);
      switch (random() % 4) {
        case 0:
          block.ops.erase(block.ops.begin() + static_cast<std::ptrdiff_t>(at));
          break;  // its users name nothing
        case 1:
          block.ops.insert(block.ops.begin() + static_cast<std::ptrdiff_t>(at),
                           {"d.new", "x = 1 : i32", {}, {}, -1, {}});
          break;
        case 2: block.ops[at].attribute = "changed = " + std::to_string(seed) + " : i32"; break;
        default: std::reverse(block.ops[at].operands.begin(), block.ops[at].operands.end()); break;
      }
    }
    const test::Printing printing{
        .seed = seed, .generic = seed % 2 == 0, .locations = true, .aliases = seed % 3 == 0};
    test::Printing again = printing;
    again.seed += 1;
    diffOf(test::print(before, printing).text, test::print(after, again).text);
    ASSERT_FALSE(HasFailure()) << seed;
  }
}

bool isUsed(const test::RandomOp& around, const std::vector<int>& values) {
  if (std::find_first_of(around.operands.begin(), around.operands.end(), values.begin(),
                         values.end()) != around.operands.end())
    return true;
  for (const auto& region : around.regions)
    for (const auto& block : region)
      for (const test::RandomOp& inner : block.ops)
        if (isUsed(inner, values)) return true;
  return false;
}

TEST(MlirDiff, OneAddedRemovedOrChangedOperationIsFoundAsThat) {
  int removals = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const test::RandomModule before = test::randomModule(seed, 60, true);
    test::RandomModule after = before;
    std::mt19937 random(seed);
    std::vector<test::RandomBlock*> blocks;
    collectBlocks(after.top, blocks);
    test::RandomBlock& block = *blocks[random() % blocks.size()];
    const std::size_t at = random() % (block.ops.size() - 1);
    const int edit = static_cast<int>(seed % 3);
    if (edit == 0)
      block.ops.insert(block.ops.begin() + static_cast<std::ptrdiff_t>(at),
                       {"d.new", "", {}, {}, -1, {}});
    if (edit == 1) block.ops[at].attribute = "n = -1 : i32";
    const test::Printed printed = test::print(before, {.seed = seed});
    if (edit == 2) {
      if (!block.ops[at].regions.empty() || isUsed(before.top, block.ops[at].results)) continue;
      ++removals;
      block.ops.erase(block.ops.begin() + static_cast<std::ptrdiff_t>(at));
    }
    const test::Printed other = test::print(after, {.seed = seed + 1});
    const Module a = readModule(printed.text);
    const Module b = readModule(other.text);
    const Diff changes = diff(a, b);
    EXPECT_EQ(changes.added, edit == 0 ? 1u : 0u) << seed;
    EXPECT_EQ(changes.removed, edit == 2 ? 1u : 0u) << seed;
    EXPECT_EQ(changes.moved, 0u) << seed;
    EXPECT_EQ(changes.changed, edit == 1 ? 1u : 0u) << seed;
  }
  EXPECT_GT(removals, 20);
}

TEST(MlirDiff, AMovedOperationIsFoundAsMoved) {
  int moves = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const test::RandomModule before = test::randomModule(seed, 60, seed % 2 == 0);
    test::RandomModule after = before;
    std::mt19937 random(seed);
    std::vector<test::RandomBlock*> blocks;
    collectBlocks(after.top, blocks);
    test::RandomBlock& block = *blocks[random() % blocks.size()];
    // Operations with no operands and no regions may go anywhere before their users.
    const std::size_t from = random() % (block.ops.size() - 1);
    const std::size_t to = from == 0 ? 0 : random() % from;
    if (from == to || !block.ops[from].operands.empty() || !block.ops[from].regions.empty())
      continue;
    const auto alike = [&](const test::RandomOp& op) {
      return op.name == block.ops[from].name && op.attribute == block.ops[from].attribute &&
             op.operands.empty() && op.results.size() == block.ops[from].results.size();
    };
    // Over an equal one it is no move.
    if (std::any_of(block.ops.begin() + static_cast<std::ptrdiff_t>(to),
                    block.ops.begin() + static_cast<std::ptrdiff_t>(from), alike))
      continue;
    std::rotate(block.ops.begin() + static_cast<std::ptrdiff_t>(to),
                block.ops.begin() + static_cast<std::ptrdiff_t>(from),
                block.ops.begin() + static_cast<std::ptrdiff_t>(from) + 1);
    ++moves;
    const test::Printed printed = test::print(before, {.seed = seed});
    const test::Printed other = test::print(after, {.seed = seed + 1});
    const Module a = readModule(printed.text);
    const Module b = readModule(other.text);
    const Diff changes = diff(a, b);
    EXPECT_EQ(changes.added + changes.removed + changes.changed, 0u)
        << seed << diffOf(printed.text, other.text);
    EXPECT_EQ(changes.moved, 1u) << seed << diffOf(printed.text, other.text);
  }
  EXPECT_GT(moves, 50);
}

TEST(MlirDiff, TwentyThousandOperationsTakeAFractionOfASecond) {
  const test::RandomModule before = test::randomModule(1, 20'000);
  test::RandomModule after = before;
  std::vector<test::RandomBlock*> blocks;
  collectBlocks(after.top, blocks);
  std::mt19937 random(1);
  int edits = 0;
  for (test::RandomBlock* block : blocks) {
    if (random() % 8 != 0) continue;
    block->ops[random() % (block->ops.size() - 1)].attribute = "changed = 1 : i32";
    ++edits;
  }
  const test::Printed one = test::print(before, {.seed = 1});
  const test::Printed other = test::print(after, {.seed = 2});
  const auto begin = std::chrono::steady_clock::now();
  const Module a = readModule(one.text);
  const Module b = readModule(other.text);
  const Diff changes = diff(a, b);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(a.ops.size(), 20'000u);
  EXPECT_GE(changes.changed + changes.added, static_cast<std::size_t>(edits) / 2);
  EXPECT_LE(changes.changed + changes.added + changes.removed, static_cast<std::size_t>(edits) * 4);
  EXPECT_EQ(applied(a, b, changes), canonicalText(b));
  EXPECT_LT(took.count(), 2.0) << "0.1 s on a quiet machine in a release build";
  RecordProperty("milliseconds", static_cast<int>(took.count() * 1000));
}

TEST(MlirDiff, EmptyAndUnrelatedTexts) {
  EXPECT_EQ(diffOf("", ""), "");
  EXPECT_EQ(diffOf("", "a.b\n"), "+ a.b\n");
  EXPECT_EQ(diffOf("a.b\n", "c.d\n"), "- a.b\n+ c.d\n");
}

}  // namespace
}  // namespace fxs::mlir
