// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/chosen.h"

#include <gtest/gtest.h>

#include "program_from.h"

namespace fxs::compare {
namespace {

using tensor::Tensor;
using tensor::tensorFrom;

Choice choiceOf(std::string_view text, const std::vector<double>& from, double found,
                double expected) {
  const auto program = test::programFrom(text);
  const auto operand = tensorFrom(DType::Float32, {static_cast<std::int64_t>(from.size())}, from);
  return chosenElements(*program, program->findNode("y")->id, tensorFrom(DType::Int64, {}, {found}),
                        tensorFrom(DType::Int64, {}, {expected}),
                        [&](fx::NodeId) { return std::optional(operand); })
      .choice;
}

TEST(Chosen, OfEqualInputsTheFirst) {
  constexpr std::string_view kInput =
      "x: f32[4] = placeholder\ny: i64[] = aten.argmax.default(x)\nreturn y";
  EXPECT_EQ(choiceOf(kInput, {1, 3, 3, 0}, 2, 1), Choice::Other);
  EXPECT_EQ(choiceOf(kInput, {1, 3, 2, 0}, 2, 1), Choice::Other);
  constexpr std::string_view kMoved =
      "x: f32[2, 2] = placeholder\nv: f32[4] = aten.view.default(x, [4])\ny: i64[] = "
      "aten.argmax.default(v)\nreturn y";
  EXPECT_EQ(choiceOf(kMoved, {1, 3, 3, 0}, 2, 1), Choice::Other);
}

TEST(Chosen, WhatIsComputedMayBeRoundedOtherwise) {
  constexpr std::string_view kComputed =
      "x: f32[4] = placeholder\nv: f32[4] = aten.exp.default(x)\ny: i64[] = "
      "aten.argmax.default(v)\nreturn y";
  EXPECT_EQ(choiceOf(kComputed, {1, 3, 3, 0}, 2, 1), Choice::Equal);
  constexpr std::string_view kConverted =
      "x: f64[4] = placeholder\nv: f32[4] = aten._to_copy.default(x, dtype=torch.float32)\ny: "
      "i64[] = aten.argmax.default(v)\nreturn y";
  EXPECT_EQ(choiceOf(kConverted, {1, 3, 3, 0}, 2, 1), Choice::Equal);
}

}  // namespace
}  // namespace fxs::compare
