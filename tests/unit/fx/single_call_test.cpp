// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/single_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fx/text.h"
#include "program_from.h"

namespace fxs::fx {
namespace {

using test::programFrom;

std::string aloneText(const ProgramPtr& program, const std::string& name) {
  const auto made = singleCall(program, program->findNode(name)->id);
  return made ? dump(**made) : made.error().message;
}

TEST(SingleCall, EachOperandIsAnInputAndEveryPartOfTheResultIsAnOutput) {
  const ProgramPtr p = programFrom(
      "x: f32[s0, 4] = placeholder\n"
      "n: Sym(s0) = aten.sym_size.int(x, 0)\n"
      "c: f32[s0, 8] = aten.cat.default([x, x], 1)\n"
      "t: (f32[s0, 2], i64[s0, 2]) = aten.topk.default(c, 2)\n"
      "v: f32[s0, 2] = getitem(t, 0)\n"
      "e: f32[s0, 4] = aten.expand.default(x, [n, 4])\n"
      "return v, e");
  EXPECT_EQ(aloneText(p, "c"),
            "graph():\n"
            "    %x : f32[s0, 4] [num_users=1] = placeholder[target=x]\n"
            "    %x_1 : f32[s0, 4] [num_users=1] = placeholder[target=x_1]\n"
            "    %c : f32[s0, 8] [num_users=1] = "
            "call_function[target=torch.ops.aten.cat.default](args = ([%x, %x_1], 1), kwargs = "
            "{})\n"
            "    return (c,)\n");
  EXPECT_THAT(aloneText(p, "t"), testing::HasSubstr("return (t_0, t_1)\n"));
  EXPECT_THAT(aloneText(p, "e"), testing::HasSubstr("%n : Sym(s0) [num_users=1] = placeholder"));
}

TEST(SingleCall, OtherNodesAndControlFlowAreRefused) {
  const ProgramPtr p = programFrom(
      "x: f32[4] = placeholder\n"
      "y: f32[4] = aten.relu.default(x)\n"
      "return y");
  EXPECT_EQ(aloneText(p, "x"), "node 'x' is a placeholder, not a call");
}

}  // namespace
}  // namespace fxs::fx
