// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/remove_operations.h"

#include <gtest/gtest.h>

#include "fx/text.h"

namespace fxs::diagnose {
namespace {

fx::ProgramPtr program() {
  return fx::graphFrom(
             "w: f32[4] = parameter \"l.weight\"\n"
             "x: f32[2, 4] = placeholder\n"
             "z: f32[2, 4] = placeholder\n"
             "a: f32[2, 4] = aten.mul.Tensor(x, w)\n"
             "b: f32[2, 4] = aten.relu.default(a)\n"
             "c: f32[2, 4] = aten.tanh.default(b)\n"
             "d: f32[2] = aten.sum.dim_IntList(c, [1])\n"
             "e: f32[2, 4] = aten.neg.default(z)\n"
             "return d, e")
      .value();
}

fx::NodeId id(const fx::ProgramPtr& p, const char* name) { return p->findNode(name)->id; }

std::string dumpOf(const Result<fx::ProgramPtr>& made) {
  return made ? fx::dump(**made) : made.error().message;
}

TEST(RemoveOperations, AnOperationIsSteppedOverAndItsUsersTakeWhatItTook) {
  const fx::ProgramPtr p = program();
  const auto made = removeOperations(p, {id(p, "b"), id(p, "c")}, Removal::Bypass);
  EXPECT_EQ(dumpOf(made),
            "graph():\n"
            "    %w : f32[4] [num_users=1] = placeholder[target=w] parameter 'l.weight'\n"
            "    %x : f32[2, 4] [num_users=1] = placeholder[target=x]\n"
            "    %z : f32[2, 4] [num_users=1] = placeholder[target=z]\n"
            "    %a : f32[2, 4] [num_users=1] = "
            "call_function[target=torch.ops.aten.mul.Tensor](args = (%x, %w), kwargs = {})\n"
            "    %d : f32[2] [num_users=1] = "
            "call_function[target=torch.ops.aten.sum.dim_IntList](args = (%a, [1]), kwargs = {})\n"
            "    %e : f32[2, 4] [num_users=1] = "
            "call_function[target=torch.ops.aten.neg.default](args = (%z,), kwargs = {})\n"
            "    return (d, e)\n");
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ((*made)->original, p);
  EXPECT_EQ((*made)->originOf(*(*made)->findNode("d")).id, id(p, "d"));
  EXPECT_NE((*made)->findWeight("l.weight"), nullptr);
}

TEST(RemoveOperations, WhatAnOperationThatIsCutOutGaveComesInAndWhatItTookIsReturned) {
  const fx::ProgramPtr p = program();
  EXPECT_EQ(dumpOf(removeOperations(p, {id(p, "b"), id(p, "d"), id(p, "e")}, Removal::Replace)),
            "graph():\n"
            "    %w : f32[4] [num_users=1] = placeholder[target=w] parameter 'l.weight'\n"
            "    %x : f32[2, 4] [num_users=1] = placeholder[target=x]\n"
            "    %b : f32[2, 4] [num_users=1] = placeholder[target=b]\n"
            "    %a : f32[2, 4] [num_users=1] = "
            "call_function[target=torch.ops.aten.mul.Tensor](args = (%x, %w), kwargs = {})\n"
            "    %c : f32[2, 4] [num_users=1] = "
            "call_function[target=torch.ops.aten.tanh.default](args = (%b,), kwargs = {})\n"
            "    return (a, c)\n");
}

TEST(RemoveOperations, PartsOfATupleComeInOneByOne) {
  const fx::ProgramPtr p = fx::graphFrom(
                               "x: f32[4] = placeholder\n"
                               "p = aten.split.Tensor(x, 2)\n"
                               "a: f32[2] = getitem(p, 0)\n"
                               "b: f32[2] = getitem(p, 1)\n"
                               "c: f32[2] = aten.relu.default(b)\n"
                               "return a, c")
                               .value();
  EXPECT_EQ(dumpOf(removeOperations(p, {id(p, "p")}, Removal::Bypass)),
            "graph():\n"
            "    %b : f32[2] [num_users=1] = placeholder[target=b]\n"
            "    %c : f32[2] [num_users=1] = "
            "call_function[target=torch.ops.aten.relu.default](args = (%b,), kwargs = {})\n"
            "    return (c,)\n");
}

TEST(RemoveOperations, AWriteToAnInputStaysOne) {
  const fx::ProgramPtr p = fx::graphFrom(
                               "s: f32[4] = buffer \"state\"\n"
                               "x: f32[4] = placeholder\n"
                               "a: f32[4] = aten.add.Tensor(s, x)\n"
                               "b: f32[4] = aten.relu.default(a)\n"
                               "return a, b buffer_mutation \"state\", user_output")
                               .value();
  EXPECT_EQ(dumpOf(removeOperations(p, {id(p, "b")}, Removal::Replace)),
            "graph():\n"
            "    %s : f32[4] [num_users=1] = placeholder[target=s] buffer 'state'\n"
            "    %x : f32[4] [num_users=1] = placeholder[target=x]\n"
            "    %a : f32[4] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args "
            "= (%s, %x), kwargs = {})\n"
            "    return (a,) buffer_mutation 'state'\n");
}

TEST(RemoveOperations, SubgraphsGoWithTheirOperation) {
  const fx::ProgramPtr p = fx::graphFrom(
                               "q: b8[] = placeholder\n"
                               "x: f32[4] = placeholder\n"
                               "t = get_attr\n"
                               "f = get_attr\n"
                               "c = higher_order.cond(q, t, f, [x])\n"
                               "y: f32[4] = getitem(c, 0)\n"
                               "z: f32[4] = aten.relu.default(y)\n"
                               "return z\n"
                               "graph t():\n"
                               "a: f32[4] = placeholder\n"
                               "m: f32[4] = aten.neg.default(a)\n"
                               "return m\n"
                               "graph f():\n"
                               "a: f32[4] = placeholder\n"
                               "m: f32[4] = aten.abs.default(a)\n"
                               "return m\n")
                               .value();
  const auto kept = removeOperations(p, {id(p, "z")}, Removal::Replace);
  ASSERT_TRUE(kept.has_value()) << kept.error().message;
  EXPECT_EQ((*kept)->graphs.size(), 3U);
  const auto gone = removeOperations(p, {id(p, "c")}, Removal::Replace);
  ASSERT_TRUE(gone.has_value()) << gone.error().message;
  EXPECT_EQ((*gone)->graphs.size(), 1U);
}

TEST(RemoveOperations, WhatIsNoLongerReturnedGoesWithItsInputs) {
  const fx::ProgramPtr p = program();
  const auto made = keepOutputs(p, {1});
  EXPECT_EQ(dumpOf(made),
            "graph():\n"
            "    %z : f32[2, 4] [num_users=1] = placeholder[target=z]\n"
            "    %e : f32[2, 4] [num_users=1] = "
            "call_function[target=torch.ops.aten.neg.default](args = (%z,), kwargs = {})\n"
            "    return (e,)\n");
  EXPECT_TRUE((*made)->weights.empty());
}

TEST(RemoveOperations, OnlyAnOperandOfTheSameTypeAndSizesStandsForAResult) {
  const fx::ProgramPtr p = program();
  EXPECT_EQ(passthroughOperand(*p, *p->findNode("a")), id(p, "x"));
  EXPECT_EQ(passthroughOperand(*p, *p->findNode("b")), id(p, "a"));
  EXPECT_FALSE(passthroughOperand(*p, *p->findNode("d")).valid());
  EXPECT_FALSE(passthroughOperand(*p, *p->findNode("x")).valid());
}

}  // namespace
}  // namespace fxs::diagnose
