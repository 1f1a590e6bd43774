// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "compare/inputs.h"
#include "compare/value_plan.h"
#include "program_from.h"

namespace fxs::compare {
namespace {

std::vector<double> valuesOf(std::string_view text, InputSetKind set, std::size_t input = 0) {
  const auto drawn = drawInputs(*test::programFrom(text), {}, 0, set, 0, {});
  if (!drawn) throw std::runtime_error(toString(drawn.error()));
  return tensor::elementsOf(drawn->tensors.at(input));
}
double minOf(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}
double maxOf(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}
bool has(const std::vector<double>& values, double value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}
bool hasNan(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}
std::string setsOf(std::string_view text) {
  std::string out;
  const auto sets = drawInputSets(*test::programFrom(text), {}, 0, {});
  for (const Inputs& inputs : *sets) out += std::string(name(inputs.set)) + " ";
  return out;
}

TEST(InputSets, IntegersCoverTheirType) {
  constexpr std::string_view kPixels =
      "x: u8[64] = placeholder\ny: f32[64] = aten._to_copy.default(x, dtype=torch.float32)\nreturn "
      "y";
  EXPECT_LE(maxOf(valuesOf(kPixels, InputSetKind::Ordinary)), 9);
  EXPECT_GE(maxOf(valuesOf(kPixels, InputSetKind::Range)), 200);
  EXPECT_EQ(maxOf(valuesOf(kPixels, InputSetKind::Edges)), 255);
  constexpr std::string_view kLong =
      "x: i64[64] = placeholder\ny: i64[64] = aten.mul.Tensor(x, x)\nreturn y";
  EXPECT_GT(maxOf(valuesOf(kLong, InputSetKind::Range)), 0x1p40);
  EXPECT_LT(minOf(valuesOf(kLong, InputSetKind::Range)), -0x1p40);
  EXPECT_TRUE(has(valuesOf(kLong, InputSetKind::Edges), -0x1p63));
}

TEST(InputSets, DivisorsHaveBothSignsAndAreNotZero) {
  constexpr std::string_view kText =
      "x: i32[64] = placeholder\nd: i32[64] = placeholder\ny: i32[64] = aten.remainder.Tensor(x, "
      "d)\nreturn y";
  for (const InputSetKind set :
       {InputSetKind::Ordinary, InputSetKind::Steps, InputSetKind::Range, InputSetKind::Edges})
    EXPECT_FALSE(has(valuesOf(kText, set, 1), 0)) << name(set);
  EXPECT_LT(minOf(valuesOf(kText, InputSetKind::Edges, 1)), 0);
  // The least integer by -1 has no result.
  EXPECT_GT(minOf(valuesOf(kText, InputSetKind::Edges, 0)), -0x1p31);
}

TEST(InputSets, ShiftsReachBeyondTheWidth) {
  constexpr std::string_view kText =
      "x: i32[64] = placeholder\nd: i32[64] = placeholder\ny: i32[64] = "
      "aten.bitwise_right_shift.Tensor(x, d)\nreturn y";
  const auto shifts = valuesOf(kText, InputSetKind::Range, 1);
  EXPECT_GE(minOf(shifts), 0);
  EXPECT_GE(maxOf(shifts), 32);
  EXPECT_LE(maxOf(shifts), 40);
}

TEST(InputSets, IndicesAreLegalAtBothEnds) {
  constexpr std::string_view kIndex =
      "t: f32[10] = placeholder\ni: i64[64] = placeholder\ny: f32[64] = aten.index.Tensor(t, "
      "[i])\nreturn y";
  EXPECT_EQ(minOf(valuesOf(kIndex, InputSetKind::Ordinary, 1)), 0);
  EXPECT_EQ(minOf(valuesOf(kIndex, InputSetKind::Edges, 1)), -10);
  EXPECT_EQ(maxOf(valuesOf(kIndex, InputSetKind::Edges, 1)), 9);
  constexpr std::string_view kGather =
      "t: f32[10] = placeholder\ni: i64[64] = placeholder\ny: f32[64] = aten.gather.default(t, 0, "
      "i)\nreturn y";
  EXPECT_EQ(minOf(valuesOf(kGather, InputSetKind::Edges, 1)), 0);
  EXPECT_EQ(maxOf(valuesOf(kGather, InputSetKind::Edges, 1)), 9);
}

TEST(InputSets, PlacesToWriteStayDistinctWhereTheyCountFromTheEnd) {
  constexpr std::string_view kText =
      "t: f32[10] = placeholder\ni: i64[6] = placeholder\nv: f32[6] = placeholder\n"
      "y: f32[10] = aten.index_put.default(t, [i], v)\nreturn y";
  auto positions = valuesOf(kText, InputSetKind::Range, 1);
  EXPECT_LT(minOf(positions), 0);
  for (double& position : positions) position += position < 0 ? 10 : 0;
  std::sort(positions.begin(), positions.end());
  EXPECT_EQ(std::unique(positions.begin(), positions.end()), positions.end());
}

TEST(InputSets, WhatALargestIsTakenFromIsOnceBelowZero) {
  constexpr std::string_view kLargest =
      "x: f32[4, 8] = placeholder\ny: f32[4] = aten.amax.default(x, [1])\nreturn y";
  EXPECT_EQ(setsOf(kLargest),
            "ordinary steps steps steps range edges nonfinite nonfinite nonfinite ");
  const auto largest = drawInputs(*test::programFrom(kLargest), {}, 0, InputSetKind::Steps, 1, {});
  EXPECT_LT(maxOf(tensor::elementsOf(largest->tensors[0])), 0);
  constexpr std::string_view kExponents =
      "x: f32[4, 8] = placeholder\ny: f32[4, 8] = aten.softmax.int(x, -1)\nreturn y";
  const auto exponents =
      drawInputs(*test::programFrom(kExponents), {}, 0, InputSetKind::Steps, 1, {});
  EXPECT_LT(maxOf(tensor::elementsOf(exponents->tensors[0])), -104);
  // A product is below 0 in one round, and above 0 in another.
  const auto product = test::programFrom(
      "x: f32[4, 3] = placeholder\nw: f32[3, 8] = placeholder\nz: f32[4, 8] = aten.mm.default(x, "
      "w)\n"
      "y: f32[4] = aten.amin.default(z, [1])\nreturn y");
  std::set<std::pair<bool, bool>> isNegative;
  for (std::size_t round = 1; round < 4; ++round) {
    const auto drawn = drawInputs(*product, {}, 0, InputSetKind::Steps, round, {});
    for (const tensor::Tensor& tensor : drawn->tensors)
      EXPECT_GT(minOf(tensor::elementsOf(tensor)) * maxOf(tensor::elementsOf(tensor)), 0);
    isNegative.emplace(maxOf(tensor::elementsOf(drawn->tensors[0])) < 0,
                       maxOf(tensor::elementsOf(drawn->tensors[1])) < 0);
  }
  EXPECT_EQ(isNegative,
            (std::set<std::pair<bool, bool>>{{false, false}, {false, true}, {true, false}}));
  // Exponents that are large sums would show their rounding.
  const auto exponent = test::programFrom(
      "x: f32[4, 3] = placeholder\nw: f32[3, 8] = placeholder\nz: f32[4, 8] = aten.mm.default(x, "
      "w)\n"
      "s: f32[4, 8] = aten.softmax.int(z, -1)\ny: f32[4] = aten.amax.default(s, [1])\nreturn y");
  const auto steps = drawInputs(*exponent, {}, 0, InputSetKind::Steps, 1, {});
  EXPECT_LT(minOf(tensor::elementsOf(steps->tensors[1])), 0);
  EXPECT_GT(maxOf(tensor::elementsOf(steps->tensors[1])), 0);
}

TEST(InputSets, WhatIsTrueIsNotOnlyOne) {
  constexpr std::string_view kText =
      "m: i32[64] = placeholder\ny: b8[64] = aten._to_copy.default(m, dtype=torch.bool)\nreturn y";
  EXPECT_LE(maxOf(valuesOf(kText, InputSetKind::Ordinary)), 1);
  const auto truths = valuesOf(kText, InputSetKind::Edges);
  EXPECT_TRUE(has(truths, 256));
  EXPECT_TRUE(has(truths, -1));
  EXPECT_TRUE(has(truths, 0));
}

TEST(InputSets, NonfiniteValuesReachOnlyWhatBearsThem) {
  EXPECT_TRUE(
      hasNan(valuesOf("x: f32[64] = placeholder\ny: f32[64] = aten.relu.default(x)\nreturn y",
                      InputSetKind::Nonfinite)));
  constexpr std::string_view kLinear =
      "x: f32[8, 8] = placeholder\ny: f32[8, 8] = aten.relu.default(x)\nz: f32[8, 8] = "
      "aten.mm.default(y, y)\nreturn z";
  EXPECT_TRUE(hasNan(valuesOf(kLinear, InputSetKind::Nonfinite)));
  constexpr std::string_view kSin =
      "x: f32[8, 8] = placeholder\ny: f32[8, 8] = aten.sin.default(x)\nz: f32[8] = "
      "aten.std.default(y, [1])\nreturn z";
  EXPECT_FALSE(hasNan(valuesOf(kSin, InputSetKind::Nonfinite)));
  EXPECT_EQ(setsOf(kSin), "ordinary steps range edges ");
}

TEST(InputSets, ConversionsToIntegersStayWithinTheType) {
  constexpr std::string_view kText =
      "x: f32[64] = placeholder\ny: u8[64] = aten._to_copy.default(x, dtype=torch.uint8)\nreturn y";
  for (const InputSetKind set : {InputSetKind::Ordinary, InputSetKind::Steps, InputSetKind::Range,
                                 InputSetKind::Edges, InputSetKind::Nonfinite}) {
    EXPECT_GE(minOf(valuesOf(kText, set)), 0) << name(set);
    EXPECT_LE(maxOf(valuesOf(kText, set)), 255) << name(set);
  }
}

TEST(InputSets, TiesOfRoundingAreWhereTheOperatorGetsThem) {
  const auto program = test::programFrom(
      "x: f32[64] = placeholder\na: f32[64] = aten.div.Tensor(x, 0.25)\nb: f32[64] = "
      "aten.add.Tensor(a, 3)\n"
      "y: f32[64] = aten.round.default(b)\nreturn y");
  const auto plans = valuePlans(*program, {});
  EXPECT_THAT(plans.at(0).targets, testing::Contains(-0.625));  // -2.5 + 3 = 0.5
  EXPECT_TRUE(plans.at(0).wants(Value::Half));
}

TEST(InputSets, BothWaysOfAPredicateAreTried) {
  constexpr std::string_view kText =
      "x: f32[64] = placeholder\ny: f32[64] = aten.relu.default(x)\nreturn y";
  EXPECT_GT(valuesOf(kText, InputSetKind::Shifted).at(5), -2);
  EXPECT_TRUE(has(valuesOf("p: b8[] = placeholder\nreturn p", InputSetKind::Shifted), 1));
  // A choice by a single condition is one, too; by a condition for each element, the elements take
  // both ways.
  constexpr std::string_view kOne =
      "x: f32[8] = placeholder\ng: b8[8] = aten.gt.Scalar(x, 0)\nc: b8[] = aten.all.default(g)\ny: "
      "f32[8] = aten.where.self(c, x, "
      "g)\nreturn y";
  EXPECT_THAT(setsOf(kOne), testing::HasSubstr("shifted"));
  constexpr std::string_view kEach =
      "x: f32[8] = placeholder\ng: b8[8] = aten.gt.Scalar(x, 0)\ny: f32[8] = aten.where.self(g, x, "
      "x)\nreturn y";
  EXPECT_THAT(setsOf(kEach), testing::Not(testing::HasSubstr("shifted")));
}

TEST(InputSets, LaterRoundsMoveAFewElementsUp) {
  const auto program = test::programFrom(
      "x: f32[15] = placeholder\ni: i64[15] = placeholder\nm: b8[15] = placeholder\nreturn x, i, "
      "m");
  for (std::size_t up = 1; up <= 8; ++up) {
    const auto drawn = drawInputs(*program, {}, 0, InputSetKind::Shifted, 7 + up, {});
    ASSERT_TRUE(drawn);
    for (const tensor::Tensor& tensor : drawn->tensors) {
      const auto values = tensor::elementsOf(tensor);
      EXPECT_EQ(std::count_if(values.begin(), values.end(), [](double v) { return v > 0; }), up)
          << tensor::typeText(tensor);
      // From both ends, one after the other.
      EXPECT_GT(up % 2 == 1 ? values.front() : values.back(), 0);
    }
  }
}

TEST(InputSets, EqualSetsAreDrawnOnce) {
  EXPECT_EQ(setsOf("m: b8[] = placeholder\nreturn m"), "ordinary edges ");
}

TEST(OperatorValues, WhatATableLacksIsNotKnown) {
  const auto program =
      test::programFrom("x: f32[4] = placeholder\ny: f32[4] = aten.igamma.default(x, x)\nreturn y");
  EXPECT_EQ(operatorValues(program->nodes.at(1)), nullptr);
  const auto plans = valuePlans(*program, {});
  EXPECT_TRUE(plans.at(0).borne.isEmpty());
  EXPECT_EQ(plans.at(0).forbids[static_cast<std::size_t>(Value::Nan)], program->nodes.at(1).id);
}

}  // namespace
}  // namespace fxs::compare
