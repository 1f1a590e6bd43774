// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "import/distinct_operations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/replace_with_inputs.h"
#include "diagnose/static_sizes.h"
#include "fx/text.h"
#include "program_from.h"

namespace fxs::import {
namespace {

using testing::ElementsAre;

using fxs::test::programFrom;
std::vector<std::string> groups(const fx::Program& p) {
  std::vector<std::string> out;
  for (const DistinctOperation& operation : distinctOperations(p)) {
    std::string line;
    for (const fx::NodeId node : operation.nodes)
      line += (line.empty() ? "" : " ") + p.node(node).name;
    out.push_back(line);
  }
  return out;
}

TEST(DistinctOperations, SameTypesAndConstantsAreOne) {
  EXPECT_THAT(
      groups(*programFrom("x: f32[4] = placeholder\na: f32[4] = aten.relu.default(x)\nb: f32[4] = "
                          "aten.relu.default(a)\n"
                          "c: f32[4] = aten.add.Tensor(a, b)\nd: f32[4] = aten.add.Tensor(a, c, "
                          "alpha=2)\ne: f32[4] = aten.add.Tensor(c, d)\n"
                          "return e")),
      ElementsAre("a b", "c e", "d"));
}

TEST(DistinctOperations, TypesTellApart) {
  EXPECT_THAT(
      groups(*programFrom(
          "x: f32[4] = placeholder\ny: f32[5] = placeholder\na: f32[4] = aten.relu.default(x)\n"
          "b: f32[5] = aten.relu.default(y)\nreturn a, b")),
      ElementsAre("a", "b"));
}

TEST(DistinctOperations, WeightsThatTheEngineDoesNotSeeAreAlike) {
  EXPECT_THAT(
      groups(*programFrom(
          "w: f32[2] = parameter \"w\"\nv: f32[2] = parameter \"v\"\ns: i64[2] = buffer \"s\"\n"
          "t: i64[2] = buffer \"t\"\nm: b8[2] = buffer \"m\"\nn: b8[2] = buffer \"n\"\n"
          "i: i64[100] = buffer \"i\"\nj: i64[100] = buffer \"j\"\no: f32[1] = parameter \"o\"\n"
          "p: f32[1] = parameter \"p\"\na: f32[2] = aten.relu.default(w)\nb: f32[2] = "
          "aten.relu.default(v)\n"
          "c: i64[2] = aten.relu.default(s)\nd: i64[2] = aten.relu.default(t)\n"
          "e: b8[2] = aten.logical_not.default(m)\nf: b8[2] = aten.logical_not.default(n)\n"
          "g: i64[100] = aten.relu.default(i)\nh: i64[100] = aten.relu.default(j)\n"
          "k: f32[1] = aten.relu.default(o)\nl: f32[1] = aten.relu.default(p)\n"
          "return a, b, c, d, e, f, g, h, k, l")),
      ElementsAre("a b", "c", "d", "e", "f", "g h", "k", "l"));
}

TEST(DistinctOperations, PartsOfATupleThatAreUsedTellApart) {
  EXPECT_THAT(
      groups(*programFrom("x: f32[4, 4] = placeholder\na: (f32[4], i64[4]) = aten.max.dim(x, "
                          "1)\na0: f32[4] = getitem(a, 0)\n"
                          "b: (f32[4], i64[4]) = aten.max.dim(x, 1)\nb1: i64[4] = getitem(b, 1)\n"
                          "c: (f32[4], i64[4]) = aten.max.dim(x, 1)\nc0: f32[4] = getitem(c, "
                          "0)\nreturn a0, b1, c0")),
      ElementsAre("a c", "b"));
}

TEST(DistinctOperations, ComputedScalarsTellApart) {
  EXPECT_THAT(groups(*programFrom("x: f32[s0, 4] = placeholder\nn: Sym(s0) = aten.sym_size.int(x, "
                                  "0)\nm: Sym(2*s0) = _operator.mul(n, 2)\n"
                                  "a: f32[s0] = aten.arange.default(n)\nb: f32[2*s0] = "
                                  "aten.arange.default(m)\nc: f32[s0] = aten.arange.default(n)\n"
                                  "return a, b, c")),
              ElementsAre("n", "m", "a c", "b"));
}

TEST(WithoutNodes, ResultsComeInAndOperandsGoOut) {
  const auto p = programFrom(
      "x: f32[4] = placeholder\na: f32[4] = aten.relu.default(x)\nb: f32[4] = "
      "aten.erfinv.default(a)\nc: f32[4] = "
      "aten.tanh.default(b)\nreturn c");
  const auto rest = diagnose::replaceWithInputs(p, {p->findNode("b")->id});
  ASSERT_TRUE(rest.has_value()) << rest.error().message;
  EXPECT_EQ(fx::dump(**rest),
            "graph():\n"
            "    %x : f32[4] [num_users=1] = placeholder[target=x]\n"
            "    %b : f32[4] [num_users=1] = placeholder[target=b]\n"
            "    %a : f32[4] [num_users=1] = "
            "call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})\n"
            "    %c : f32[4] [num_users=1] = "
            "call_function[target=torch.ops.aten.tanh.default](args = (%b,), kwargs = {})\n"
            "    return (c, a)\n");
  EXPECT_EQ((*rest)->findNode("c")->origin, p->findNode("c")->id);
}

TEST(WithoutNodes, PartsOfATupleComeInOneByOne) {
  const auto p = programFrom(
      "x: f32[4, 4] = placeholder\na: (f32[4], i64[4]) = aten.max.dim(x, 1)\na0: f32[4] = "
      "getitem(a, 0)\na1: i64[4] = getitem(a, 1)\n"
      "c: f32[4] = aten.tanh.default(a0)\nreturn c, a1");
  const auto rest = diagnose::replaceWithInputs(p, {p->findNode("a")->id});
  ASSERT_TRUE(rest.has_value()) << rest.error().message;
  EXPECT_EQ((*rest)->findNode("a"), nullptr);
  EXPECT_EQ((*rest)->findNode("a0")->op, fx::NodeOp::Placeholder);
  EXPECT_EQ((*rest)->findNode("a1")->op, fx::NodeOp::Placeholder);
}

TEST(WithoutNodes, APartThatIsNothingGoesWithItsTuple) {
  const auto p = programFrom(
      "x: f32[4] = placeholder\na: (None, f32[4]) = my.two.default(x)\na0: None = getitem(a, "
      "0)\na1: f32[4] = getitem(a, 1)\n"
      "c: f32[4] = aten.tanh.default(a1)\nreturn c");
  const auto rest = diagnose::replaceWithInputs(p, {p->findNode("a")->id});
  ASSERT_TRUE(rest.has_value()) << rest.error().message;
  EXPECT_EQ((*rest)->findNode("a0"), nullptr);
  EXPECT_EQ((*rest)->findNode("a1")->op, fx::NodeOp::Placeholder);
}

TEST(StaticSizes, EverySizeAndScalarBecomesANumber) {
  const auto p = programFrom(
      "x: f32[s0, 4] = placeholder\nn: Sym(s0) = aten.sym_size.int(x, 0)\nv: f32[2*s0, 2] = "
      "aten.view.default(x, [n, 2])\nreturn v");
  const auto fixed = diagnose::withStaticSizes(p);
  ASSERT_TRUE(fixed.has_value()) << fixed.error().message;
  EXPECT_EQ(fx::dumpValue((*fixed)->findNode("v")->val), "f32[8, 2]");
  EXPECT_EQ(fx::dumpArgument(**fixed, (*fixed)->findNode("v")->args[1].value), "[4, 2]");
  EXPECT_EQ((*fixed)->findNode("v")->id, p->findNode("v")->id);
}

TEST(StaticSizes, AKeptSizeIsMultipliedByTheNumbers) {
  const auto p = programFrom(
      "x: f32[s0, s1, 4] = placeholder\nn: Sym(s0*s1) = aten.sym_numel.default(x)\n"
      "v: f32[s0*s1 + s0, Min(s0, s1)] = aten.view.default(x, [n, 4])\nreturn v");
  const auto fixed = diagnose::withStaticSizes(p, std::set<std::string>{"s1"});
  ASSERT_TRUE(fixed.has_value()) << fixed.error().message;
  EXPECT_EQ(fx::dumpValue((*fixed)->findNode("n")->val), "Sym(4*s1)");
  EXPECT_EQ(fx::dumpValue((*fixed)->findNode("v")->val), "f32[4*s1 + 4, Min(4, s1)]");
}

TEST(StaticSizes, NumbersAreComputedAsPythonDoes) {
  const auto p = programFrom(
      "x: f32[s0, 4] = placeholder\nn: Sym(s0) = aten.sym_size.int(x, 0)\nf: SymFloat(ToFloat(s0)) "
      "= torch.sym_float(n)\n"
      "r: SymFloat(FloatPow(ToFloat(s0), 0.5)) = _operator.pow(f, 0.5)\nq: "
      "SymFloat(FloatTrueDiv(ToFloat(s0), 0.0)) = "
      "_operator.truediv(r, 0)\n"
      "y: f32[s0, 4] = aten.mul.Tensor(x, r)\nz: f32[s0, 4] = aten.mul.Tensor(x, q)\nreturn y, z");
  const auto fixed = diagnose::withStaticSizes(p);
  ASSERT_TRUE(fixed.has_value()) << fixed.error().message;
  EXPECT_EQ(fx::dumpArgument(**fixed, (*fixed)->findNode("y")->args[1].value), "2.0");
  EXPECT_EQ(fx::dumpArgument(**fixed, (*fixed)->findNode("z")->args[1].value), "%q")
      << "Python raises";
}

TEST(StaticSizes, SizesOfDataCannotBeFixed) {
  const auto fixed = diagnose::withStaticSizes(
      programFrom("x: f32[4] = placeholder\nn: i64[u0, 1] = aten.nonzero.default(x)\nreturn n"));
  ASSERT_FALSE(fixed.has_value());
  EXPECT_EQ(fixed.error().message,
            "the size u0 is data-dependent and cannot be fixed by exporting with static shapes");
}

TEST(StaticSizes, ANumberOfDataOnWhichNoSizeDependsStays) {
  const auto p = programFrom(
      "x: i64[s0] = placeholder\nm: i64[] = aten.max.default(x)\nu: Sym(u0) = "
      "aten.item.default(m)\nv: i64[s0] = aten.add.Tensor(x, u)\nreturn v");
  const auto fixed = diagnose::withStaticSizes(p);
  ASSERT_TRUE(fixed.has_value()) << fixed.error().message;
  EXPECT_EQ(fx::dumpValue((*fixed)->findNode("v")->val), "i64[4]");
  EXPECT_EQ(fx::dumpArgument(**fixed, (*fixed)->findNode("v")->args[1].value), "%u");
}

}  // namespace
}  // namespace fxs::import
