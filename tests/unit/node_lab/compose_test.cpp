// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/compose.h"

#include <gtest/gtest.h>

#include "fx/text.h"
#include "mlir/text/shown_text.h"
#include "output_type.h"
#include "program_from.h"
#include "real_engine.h"
#include "table_runner.h"

namespace fxs::node_lab {
namespace {

using lower::OutputType;

using test::programFrom;
std::vector<Composed> compose(const fx::ProgramPtr& program, std::vector<OutputType> targets,
                              const lower::Engine& engine, CommandRunner& runner) {
  auto made =
      node_lab::compose(program, *program, {{}, {}, std::move(targets)}, engine, runner, {});
  EXPECT_TRUE(made.has_value()) << made.error().message;
  return *std::move(made);
}
/// RAW needs no engine.
Composed raw(std::string_view text) {
  test::TableRunner none;
  return std::move(compose(programFrom(text), {test::outputType("raw")}, {}, none).front());
}

TEST(Compose, WeightsScalarsListsAndTupleParts) {
  const Composed out =
      raw("w: f32[8, 4] = parameter 'l.weight'\n"
          "x: f32[s0, 4] = placeholder\n"
          "n: Sym(s0) = aten.sym_size.int(x, 0)\n"
          "y: f32[s0, 8] = aten.linear.default(x, w)\n"
          "s: (f32[s0, 4], f32[s0, 4]) = aten.split.Tensor(y, 4, 1)\n"
          "a: f32[s0, 4] = getitem(s, 0)\n"
          "t: (f32[s0, 2], i64[s0, 2]) = aten.topk.default(a, 2)\n"
          "i: i64[s0, 2] = getitem(t, 1)\n"
          "v: i64[s0, 1, 2] = aten.view.default(i, [n, 1, 2])\n"
          "c: f32[s0, 8] = aten.cat.default(s, 1)\n"
          "return v, c, x, n\n"
          "Range constraints: {s0: VR[2, 8]}");
  EXPECT_EQ(out.findings.size(), 0U);
  EXPECT_EQ(out.pieces, 9U);
  EXPECT_EQ(mlir::shownText(out.text), R"(module {
  func.func @main(%x: !torch.vtensor<[?,4],f32>) -> (!torch.vtensor<[?,1,2],si64>, !torch.vtensor<[?,8],f32>, !torch.vtensor<[?,4],f32>, !torch.int) attributes {torch.assume_strict_symbolic_shapes} {
    %n.0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %n.1 = "torch.aten.size.int"(%x, %n.0) : (!torch.vtensor<[?,4],f32>, !torch.int) -> !torch.int
    %w.0 = "torch.vtensor.literal"() <{value = dense_resource<"l.weight"> : tensor<8x4xf32>}> : () -> !torch.vtensor<[8,4],f32>
    %y.0 = "torch.constant.none"() : () -> !torch.none
    %y.1 = "torch.aten.linear"(%x, %w.0, %y.0) : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[8,4],f32>, !torch.none) -> !torch.vtensor<[?,8],f32>
    %s.0 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
    %s.1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %s.2 = "torch.aten.split.Tensor"(%y.1, %s.0, %s.1) : (!torch.vtensor<[?,8],f32>, !torch.int, !torch.int) -> !torch.list<vtensor>
    %s.3:2 = "torch.prim.ListUnpack"(%s.2) : (!torch.list<vtensor>) -> (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>)
    %t.0 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %t.1 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
    %t.2 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %t.3 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
    %t.4:2 = "torch.aten.topk"(%s.3#0, %t.0, %t.1, %t.2, %t.3) : (!torch.vtensor<[?,4],f32>, !torch.int, !torch.int, !torch.bool, !torch.bool) -> (!torch.vtensor<[?,2],f32>, !torch.vtensor<[?,2],si64>)
    %v.0 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %v.1 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
    %v.2 = "torch.prim.ListConstruct"(%n.1, %v.0, %v.1) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %v.3 = "torch.aten.view"(%t.4#1, %v.2) : (!torch.vtensor<[?,2],si64>, !torch.list<int>) -> !torch.vtensor<[?,1,2],si64>
    %c.0 = "torch.prim.ListConstruct"(%s.3#0, %s.3#1) : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>) -> !torch.list<vtensor>
    %c.1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %c.2 = "torch.aten.cat"(%c.0, %c.1) : (!torch.list<vtensor>, !torch.int) -> !torch.vtensor<[?,8],f32>
    return %v.3, %c.2, %x, %n.1 : !torch.vtensor<[?,1,2],si64>, !torch.vtensor<[?,8],f32>, !torch.vtensor<[?,4],f32>, !torch.int
  }
}
)");
}

TEST(Compose, WhatGivesNothingIsLeftOutAndSaid) {
  const Composed out =
      raw("x: f32[2] = placeholder\n"
          "%assert : None [num_users=0] = "
          "call_function[target=torch.ops.aten._assert_async.msg](args = (%x, 'no'), kwargs = {})\n"
          "return (x,)");
  EXPECT_TRUE(out.complete());
  ASSERT_EQ(out.findings.size(), 1U);
  EXPECT_EQ(out.findings[0].message,
            "node 'assert' has no used results and is omitted from the composed module");
  EXPECT_EQ(out.findings[0].severity, fx::Severity::Note);
}

TEST(Compose, ANodeThatCannotStandAloneIsAFindingAtIt) {
  const Composed out =
      raw("x: f32[2] = placeholder\n"
          "%l : f32[2] [num_users=1] = call_function[target=helion.language.memory_ops.load](args "
          "= (%x,), kwargs = {})\n"
          "return (l,)");
  EXPECT_FALSE(out.complete());
  EXPECT_EQ(out.pieces, 3U);
  EXPECT_EQ(out.lowered, 2U);
  ASSERT_EQ(out.findings.size(), 1U);
  EXPECT_EQ(out.findings[0].nodeName, "l");
  EXPECT_EQ(out.findings[0].kind, "not-alone");
}

class ComposeWithEngine : public testing::Test {
 protected:
  void SetUp() override {
    engine_ = test::realEngine();
    if (!engine_) GTEST_SKIP() << test::kNoEngine;
  }
  std::optional<lower::Engine> engine_;
  PosixCommandRunner runner_;
};

TEST_F(ComposeWithEngine, LinalgIsPutTogetherUnderTheNodesNames) {
  const fx::ProgramPtr p = programFrom(
      "x: f32[2, 4] = placeholder\n"
      "w: f32[4, 3] = placeholder\n"
      "m: f32[2, 3] = aten.mm.default(x, w)\n"
      "r: f32[2, 3] = aten.relu.default(m)\n"
      "return r, m");
  const Composed out =
      compose(p, {test::outputType("linalg-on-tensors")}, *engine_, runner_).front();
  EXPECT_EQ(mlir::shownText(out.text), R"(module {
  func.func @main(%x: tensor<2x4xf32>, %w: tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
    %m.cst = arith.constant 0.000000e+00 : f32
    %m.0 = tensor.empty() : tensor<2x3xf32>
    %m.1 = linalg.fill ins(%m.cst : f32) outs(%m.0 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %m.2 = linalg.matmul ins(%x, %w : tensor<2x4xf32>, tensor<4x3xf32>) outs(%m.1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %r.cst = arith.constant 0.000000e+00 : f32
    %r.0 = tensor.empty() : tensor<2x3xf32>
    %r.1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%m.2 : tensor<2x3xf32>) outs(%r.0 : tensor<2x3xf32>) {
    ^bb0(%r.in: f32, %r.out: f32):
      %r.2 = arith.cmpf ugt, %r.in, %r.cst : f32
      %r.3 = arith.select %r.2, %r.in, %r.cst : f32
      linalg.yield %r.3 : f32
    } -> tensor<2x3xf32>
    return %r.1, %m.2 : tensor<2x3xf32>, tensor<2x3xf32>
  }
}
)");
  EXPECT_EQ(out.lowered, out.pieces);
}

TEST_F(ComposeWithEngine, PartsThatNothingUsesAreNotAskedFor) {
  // TOSA has no indices of the largest elements.
  const fx::ProgramPtr p = programFrom(
      "x: f32[1, 3, 8, 8] = placeholder\n"
      "m: (f32[1, 3, 4, 4], i64[1, 3, 4, 4]) = aten.max_pool2d_with_indices.default(x, [2, 2])\n"
      "v: f32[1, 3, 4, 4] = getitem(m, 0)\n"
      "return v");
  EXPECT_TRUE(compose(p, {test::outputType("tosa")}, *engine_, runner_).front().complete());
}

TEST_F(ComposeWithEngine, AConstantThatDoesNotLowerByItselfStandsInTheNodesThatTakeIt) {
  const fx::ProgramPtr p = programFrom(
      "w: f32[0, 3] = buffer 'w'\n"
      "x: f32[2, 3] = placeholder\n"
      "c: f32[2, 3] = aten.cat.default([w, x])\n"
      "return c");
  const Composed out = compose(p, {test::outputType("tosa")}, *engine_, runner_).front();
  EXPECT_TRUE(out.complete());
  EXPECT_EQ(out.findings.size(), 0U);
}

TEST_F(ComposeWithEngine, ANodeThatTheBackendDoesNotTakeIsAFindingAtIt) {
  const fx::ProgramPtr p = programFrom(
      "x: f32[2, 4] = placeholder\n"
      "y: f32[2, 4] = aten.erfinv.default(x)\n"
      "z: f32[2, 4] = aten.relu.default(y)\n"
      "return z");
  const std::vector<Composed> out =
      compose(p, {test::outputType("raw"), test::outputType("torch"), test::outputType("tosa")},
              *engine_, runner_);
  EXPECT_TRUE(out[0].complete());
  EXPECT_FALSE(out[2].complete());
  EXPECT_EQ(out[2].lowered + 1, out[2].pieces);
  ASSERT_EQ(out[2].findings.size(), 1U);
  EXPECT_EQ(out[2].findings[0].nodeName, "y");
}

}  // namespace
}  // namespace fxs::node_lab
