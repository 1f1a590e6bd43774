// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/cut.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fx/text.h"
#include "program_from.h"

namespace fxs::fx {
namespace {

using testing::ElementsAre;

using test::programFrom;
std::string cut(const ProgramPtr& program, const std::vector<std::string>& names) {
  std::vector<NodeId> ids;
  for (const std::string& name : names) ids.push_back(program->findNode(name)->id);
  const auto made = cutNodes(program, ids);
  return made ? dump(**made) : made.error().message;
}

TEST(Cut, ValuesFromElsewhereBecomeInputsAndWeightsStayWeights) {
  const ProgramPtr p = programFrom(
      "w: f32[8, 4] = parameter 'l.weight'\n"
      "x: f32[2, 4] = placeholder\n"
      "r: f32[2, 4] = aten.relu.default(x)\n"
      "y: f32[2, 8] = aten.linear.default(r, w)\n"
      "z: f32[2, 8] = aten.neg.default(y)\n"
      "return z");
  EXPECT_EQ(cut(p, {"y"}),
            "graph():\n"
            "    %w : f32[8, 4] [num_users=1] = placeholder[target=w] parameter 'l.weight'\n"
            "    %r : f32[2, 4] [num_users=1] = placeholder[target=r]\n"
            "    %y : f32[2, 8] [num_users=1] = "
            "call_function[target=torch.ops.aten.linear.default](args = (%r, %w), kwargs = {})\n"
            "    return (y,)\n");
}

TEST(Cut, ScalarsComputedFromSizesKeepTheirComputation) {
  const ProgramPtr p = programFrom(
      "x: f32[s0, 4] = placeholder\n"
      "r: f32[s0, 4] = aten.relu.default(x)\n"
      "n: Sym(s0) = aten.sym_size.int(r, 0)\n"
      "m: Sym(2*s0) = _operator.mul(n, 2)\n"
      "v: f32[2*s0, 2] = aten.view.default(r, [m, 2])\n"
      "return v");
  EXPECT_EQ(cut(p, {"v"}),
            "graph():\n"
            "    %r : f32[s0, 4] [num_users=2] = placeholder[target=r]\n"
            "    %n : Sym(s0) [num_users=1] = "
            "call_function[target=torch.ops.aten.sym_size.int](args = (%r, 0), kwargs = {})\n"
            "    %m : Sym(2*s0) [num_users=1] = call_function[target=operator.mul](args = (%n, 2), "
            "kwargs = {})\n"
            "    %v : f32[2*s0, 2] [num_users=1] = "
            "call_function[target=torch.ops.aten.view.default](args = (%r, [%m, 2]), kwargs = {})\n"
            "    return (v,)\n");
}

TEST(Cut, PartsOfATupleComeAlong) {
  const ProgramPtr p = programFrom(
      "x: f32[2, 4] = placeholder\n"
      "t: (f32[2], i64[2]) = aten.max.dim(x, 1)\n"
      "v: f32[2] = getitem(t, 0)\n"
      "i: i64[2] = getitem(t, 1)\n"
      "n: f32[2] = aten.neg.default(v)\n"
      "return n, i");
  const std::string expected =
      "graph():\n"
      "    %x : f32[2, 4] [num_users=1] = placeholder[target=x]\n"
      "    %t : (f32[2], i64[2]) [num_users=2] = call_function[target=torch.ops.aten.max.dim](args "
      "= (%x, 1), kwargs = {})\n"
      "    %v : f32[2] [num_users=1] = call_function[target=operator.getitem](args = (%t, 0), "
      "kwargs = {})\n"
      "    %i : i64[2] [num_users=1] = call_function[target=operator.getitem](args = (%t, 1), "
      "kwargs = {})\n"
      "    return (v, i)\n";
  EXPECT_EQ(cut(p, {"t"}), expected);
  EXPECT_EQ(cut(p, {"v"}), expected);
}

TEST(Cut, NodesRememberTheUsersProgram) {
  const ProgramPtr p = programFrom(
      "x: f32[2] = placeholder\nr: f32[2] = aten.relu.default(x)\nn: f32[2] = "
      "aten.neg.default(r)\nreturn n");
  const auto made = cutNodes(p, {p->findNode("n")->id});
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ((*made)->original, p);
  EXPECT_EQ((*made)->findNode("n")->origin, p->findNode("n")->id);
  EXPECT_EQ((*made)->findNode("r")->origin, p->findNode("r")->id);
  EXPECT_THAT(nodesFrom(**made, p->findNode("n")->id), ElementsAre((*made)->findNode("n")->id));
}

TEST(Cut, InputsAndOutputsAreNoCalls) {
  const ProgramPtr p = programFrom("x: f32[2] = placeholder\nreturn x");
  EXPECT_EQ(cut(p, {"x"}), "node 'x' cannot be extracted: it is a placeholder, not a call");
  EXPECT_EQ(cutNodes(p, {}).error().message, "nothing to extract: no node was given");
}

}  // namespace
}  // namespace fxs::fx
