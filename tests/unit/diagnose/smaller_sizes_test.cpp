// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/smaller_sizes.h"

#include <gtest/gtest.h>

#include "fx/text.h"

namespace fxs::diagnose {
namespace {

using Sizes = std::vector<std::int64_t>;

Sizes shrinking(const std::string& text) {
  const auto program = fx::graphFrom(text);
  EXPECT_TRUE(program.has_value()) << (program ? "" : program.error().message);
  return program ? sizesThatMayShrink(**program) : Sizes{-1};
}

TEST(SmallerSizes, ElementwiseOperationsAndProductsFollowTheirOperands) {
  EXPECT_EQ(shrinking("x: f32[3, 1, 8] = placeholder\ny: f32[5, 8] = placeholder\na: f32[3, 5, 8] "
                      "= aten.add.Tensor(x, y, alpha=1)\nreturn a"),
            (Sizes{3, 5, 8}));
  EXPECT_EQ(shrinking("x: f32[6, 4] = placeholder\ny: f32[4, 9] = placeholder\na: f32[6, 9] = "
                      "aten.mm.default(x, y)\nb: f32[6, 9] = "
                      "aten.cumsum.default(a, -1)\nreturn b"),
            (Sizes{4, 6, 9}));
}

TEST(SmallerSizes, WhatIsTiedByArithmeticStays) {
  EXPECT_EQ(shrinking("x: f32[2, 4] = placeholder\na: f32[2, 3] = aten.diff.default(x)\nreturn a"),
            Sizes{});
  EXPECT_EQ(
      shrinking(
          "x: f32[4, 4] = placeholder\na: f32[4, 4] = aten.view.default(x, [4, 4])\nreturn a"),
      Sizes{});
  EXPECT_EQ(shrinking("x: f32[4] = placeholder\na: f32[8] = aten.cat.default([x, x])\nreturn a"),
            Sizes{});
  EXPECT_EQ(shrinking("x: f32[4] = placeholder\np = aten.split.Tensor(x, 1)\na: f32[1] = "
                      "getitem(p, 0)\nreturn a"),
            Sizes{});
  EXPECT_EQ(shrinking("x: f32[4] = placeholder\na: f32[4] = mine.op.default(x)\nreturn a"),
            Sizes{});
  EXPECT_EQ(
      shrinking("x: f32[s0, 4] = placeholder\na: f32[s0, 4] = aten.relu.default(x)\nreturn a"),
      Sizes{});
}

TEST(SmallerSizes, TheSizesOfAWeightStay) {
  EXPECT_EQ(shrinking("w: f32[8] = parameter \"w\"\nx: f32[5, 8] = placeholder\na: f32[5, 8] = "
                      "aten.mul.Tensor(x, w)\nreturn a"),
            Sizes{5});
}

TEST(SmallerSizes, EqualSizesBecomeEqual) {
  const auto program = fx::graphFrom(
      "x: f32[3, 8] stride=[1, 3] = placeholder\ny: f32[8] = placeholder\na: f32[3, 8] = "
      "aten.add.Tensor(x, y)\nreturn a");
  ASSERT_TRUE(program.has_value());
  EXPECT_EQ(fx::dump(*withSmallSizes(**program, {8})),
            "graph():\n"
            "    %x : f32[3, 2] [num_users=1] = placeholder[target=x]\n"
            "    %y : f32[2] [num_users=1] = placeholder[target=y]\n"
            "    %a : f32[3, 2] [num_users=1] = "
            "call_function[target=torch.ops.aten.add.Tensor](args = (%x, %y), kwargs = {})\n"
            "    return (a,)\n");
}

}  // namespace
}  // namespace fxs::diagnose
