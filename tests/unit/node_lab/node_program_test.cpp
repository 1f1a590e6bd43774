// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/node_program.h"

#include <gtest/gtest.h>

#include "fx/text.h"
#include "program_from.h"

namespace fxs::node_lab {
namespace {

using test::programFrom;
std::string alone(const fx::ProgramPtr& program, std::string_view node) {
  const auto made = programOf(program, program->findNode(node)->id);
  if (!made) return made.error().message;
  std::string out;
  for (const PartOf& operand : made->operands)
    out += program->node(operand.node).name + "." + std::to_string(operand.part) + " ";
  for (const std::size_t part : made->results) out += "-> " + std::to_string(part) + " ";
  return out + "\n" + fx::dump(*made->program);
}
std::string alone(std::string_view text, std::string_view node) {
  return alone(programFrom(text), node);
}

TEST(NodeProgram, TensorsBecomePlaceholdersOnceAndWeightsToo) {
  EXPECT_EQ(alone("w: f32[8, 4] = parameter 'l.weight'\n"
                  "x: f32[2, 4] = placeholder\n"
                  "r: f32[2, 4] = aten.relu.default(x)\n"
                  "y: f32[4, 4] = aten.mul.Tensor(r, r)\n"
                  "z: f32[2, 8] = aten.linear.default(r, w)\n"
                  "return y, z",
                  "y"),
            "r.0 -> 0 \n"
            "graph():\n"
            "    %r : f32[2, 4] [num_users=1] = placeholder[target=r]\n"
            "    %y : f32[4, 4] [num_users=1] = "
            "call_function[target=torch.ops.aten.mul.Tensor](args = (%r, %r), kwargs = {})\n"
            "    return (y,)\n");
  EXPECT_EQ(alone("w: f32[8, 4] = parameter 'l.weight'\n"
                  "x: f32[2, 4] = placeholder\n"
                  "z: f32[2, 8] = aten.linear.default(x, w)\n"
                  "return z",
                  "z"),
            "x.0 w.0 -> 0 \n"
            "graph():\n"
            "    %x : f32[2, 4] [num_users=1] = placeholder[target=x]\n"
            "    %w : f32[8, 4] [num_users=1] = placeholder[target=w]\n"
            "    %z : f32[2, 8] [num_users=1] = "
            "call_function[target=torch.ops.aten.linear.default](args = (%x, %w), kwargs = {})\n"
            "    return (z,)\n");
}

TEST(NodeProgram, ConstantsStayAndEveryResultIsReturned) {
  EXPECT_EQ(alone("x: f32[2, 4] = placeholder\n"
                  "t: (f32[2, 2], i64[2, 2]) = aten.topk.default(x, 2, -1, largest=False)\n"
                  "a: f32[2, 2] = getitem(t, 0)\n"
                  "return a",
                  "t"),
            "x.0 -> 0 -> 1 \n"
            "graph():\n"
            "    %x : f32[2, 4] [num_users=1] = placeholder[target=x]\n"
            "    %t : (f32[2, 2], i64[2, 2]) [num_users=2] = "
            "call_function[target=torch.ops.aten.topk.default](args = (%x, 2, -1), kwargs = "
            "{largest: False})\n"
            "    %getitem : f32[2, 2] [num_users=1] = call_function[target=operator.getitem](args "
            "= (%t, 0), kwargs = {})\n"
            "    %getitem_1 : i64[2, 2] [num_users=1] = "
            "call_function[target=operator.getitem](args = (%t, 1), kwargs = {})\n"
            "    return (getitem, getitem_1)\n");
}

TEST(NodeProgram, SymbolicScalarsArePlaceholdersAndAListIsItsParts) {
  EXPECT_EQ(
      alone("x: f32[s0, 4] = placeholder\n"
            "n: Sym(s0) = aten.sym_size.int(x, 0)\n"
            "y: f32[s0, 2, 2] = aten.view.default(x, [n, 2, 2])\n"
            "return y\n"
            "Range constraints: {s0: VR[2, 8]}",
            "y"),
      "x.0 n.0 -> 0 \n"
      "graph():\n"
      "    %x : f32[s0, 4] [num_users=1] = placeholder[target=x]\n"
      "    %n : Sym(s0) [num_users=1] = placeholder[target=n]\n"
      "    %y : f32[s0, 2, 2] [num_users=1] = "
      "call_function[target=torch.ops.aten.view.default](args = (%x, [%n, 2, 2]), kwargs = {})\n"
      "    return (y,)\n"
      "\n"
      "Range constraints: {s0: VR[2, 8]}\n");
  EXPECT_EQ(alone("x: f32[4] = placeholder\n"
                  "s: (f32[2], f32[2]) = aten.split.Tensor(x, 2)\n"
                  "y: f32[4] = aten.cat.default(s)\n"
                  "return y",
                  "y"),
            "s.0 s.1 -> 0 \n"
            "graph():\n"
            "    %s_0 : f32[2] [num_users=1] = placeholder[target=s_0]\n"
            "    %s_1 : f32[2] [num_users=1] = placeholder[target=s_1]\n"
            "    %y : f32[4] [num_users=1] = call_function[target=torch.ops.aten.cat.default](args "
            "= ([%s_0, %s_1],), kwargs = {})\n"
            "    return (y,)\n");
}

constexpr const char* kCond =
    "x: f32[2] = placeholder\n"
    "p: b8[] = placeholder\n"
    "t = get_attr\n"
    "f = get_attr\n"
    "c: (f32[2],) = higher_order.cond(p, t, f, [x])\n"
    "g: f32[2] = getitem(c, 0)\n"
    "return g\n"
    "\n"
    "graph t():\n"
    "a: f32[2] = placeholder\n"
    "r: f32[2] = aten.relu.default(a)\n"
    "return (r,)\n"
    "\n"
    "graph f():\n"
    "b: f32[2] = placeholder\n"
    "n: f32[2] = aten.neg.default(b)\n"
    "return (n,)\n";

TEST(NodeProgram, SubgraphsComeAlongAndTheirNodesStandAloneToo) {
  const fx::ProgramPtr p = programFrom(kCond);
  EXPECT_EQ(
      alone(p, "c"),
      "p.0 x.0 -> 0 \n"
      "graph():\n"
      "    %p : b8[] [num_users=1] = placeholder[target=p]\n"
      "    %x : f32[2] [num_users=1] = placeholder[target=x]\n"
      "    %t : [num_users=1] = get_attr[target=t]\n"
      "    %f : [num_users=1] = get_attr[target=f]\n"
      "    %c : (f32[2],) [num_users=1] = call_function[target=torch.ops.higher_order.cond](args = "
      "(%p, %t, %f, [%x]), kwargs = {})\n"
      "    %getitem : f32[2] [num_users=1] = call_function[target=operator.getitem](args = (%c, "
      "0), kwargs = {})\n"
      "    return (getitem,)\n"
      "\n"
      "graph t():\n"
      "    %a : f32[2] [num_users=1] = placeholder[target=a]\n"
      "    %r : f32[2] [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = "
      "(%a,), kwargs = {})\n"
      "    return (r,)\n"
      "\n"
      "graph f():\n"
      "    %b : f32[2] [num_users=1] = placeholder[target=b]\n"
      "    %n : f32[2] [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = "
      "(%b,), kwargs = {})\n"
      "    return (n,)\n");
  EXPECT_EQ(alone(p, "n"),
            "b.0 -> 0 \n"
            "graph():\n"
            "    %b : f32[2] [num_users=1] = placeholder[target=b]\n"
            "    %n : f32[2] [num_users=1] = call_function[target=torch.ops.aten.neg.default](args "
            "= (%b,), kwargs = {})\n"
            "    return (n,)\n");
}

TEST(NodeProgram, OriginsLeadToTheUsersNodes) {
  const fx::ProgramPtr p = programFrom(
      "x: f32[2] = placeholder\ny: f32[2] = aten.relu.default(x)\nz: f32[2] = "
      "aten.neg.default(y)\nreturn z");
  const auto made = programOf(p, fx::NodeId::of(2));
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->program->original, p);
  std::vector<std::size_t> origins;
  for (const fx::Node& node : made->program->nodes) origins.push_back(node.origin.index());
  EXPECT_EQ(origins, (std::vector<std::size_t>{1, 2, 2}));
}

TEST(NodeProgram, WhatCannotStandAloneSaysWhy) {
  const std::string kX = "x: f32[2] = placeholder\n";
  EXPECT_EQ(alone(kX + "return x", "x"),
            "node 'x' cannot be lowered by itself: it is a placeholder, not a call of an operator");
  EXPECT_EQ(
      alone(
          kX + "s: (f32[1], f32[1]) = aten.split.Tensor(x, 1)\ng: f32[1] = getitem(s, 0)\nreturn g",
          "g"),
      "node 'g' cannot be lowered by itself: it is a getitem; choose the node that it indexes");
  EXPECT_EQ(
      alone(kX + "%v : (f32[1], f32[1]) [num_users=0] = "
                 "call_function[target=torch.ops.aten.var_mean.correction](args = (None, [-1]), "
                 "kwargs = {keepdim: True, _extra_args: [None, %x]})\nreturn (x,)",
            "v"),
      "node 'v' cannot be lowered by itself: Helion rewrote its operands ('_extra_args'): its "
      "inputs are in other nodes");
  EXPECT_EQ(alone(kX + "%l : f32[2] [num_users=1] = "
                       "call_function[target=helion.language.memory_ops.load](args = (%x,), kwargs "
                       "= {})\nreturn (l,)",
                  "l"),
            "node 'l' cannot be lowered by itself: 'helion.language.memory_ops.load' is not a "
            "PyTorch operator with a lowering");
  EXPECT_EQ(
      alone(
          kX + "%l : f32[2] [num_users=1] = call_function[target=torch.ops.aten.relu.default](args "
               "= (object('<lock>'),), kwargs = "
               "{})\nreturn (l,)",
          "l"),
      "node 'l' cannot be lowered by itself: its argument 'self' is known only as text: <lock>");
  EXPECT_EQ(
      alone(kX +
                "%l : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = "
                "(%x,), kwargs = {})\n"
                "%m : f32[2] [num_users=1] = call_function[target=torch.ops.aten.neg.default](args "
                "= (%l,), kwargs = {})\nreturn (m,)",
            "l"),
      "node 'l' cannot be lowered by itself: its value is unknown");
  EXPECT_EQ(
      alone(kX +
                "%l : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = "
                "(%x,), kwargs = {})\n"
                "%m : f32[2] [num_users=1] = call_function[target=torch.ops.aten.neg.default](args "
                "= (%l,), kwargs = {})\nreturn (m,)",
            "m"),
      "node 'm' cannot be lowered by itself: its argument 'self' is 'l', whose value is unknown");
}

}  // namespace
}  // namespace fxs::node_lab
