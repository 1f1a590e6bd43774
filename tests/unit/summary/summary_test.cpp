// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "summary/summary.h"

#include <gtest/gtest.h>

#include "fx/builder.h"
#include "fx/text.h"
#include "ops/operators.h"

namespace fxs::test {
namespace {

using namespace summary;

fx::ProgramPtr programFrom(const char* text) {
  auto program = fx::graphFrom(text);
  if (!program) throw std::runtime_error(toString(program.error()));
  return *program;
}

Summary summaryOf(fx::ProgramPtr program) {
  read::Capture capture;
  capture.program = std::move(program);
  return summarize(capture);
}

/// "12" or why it is not known, by call.
std::string flopTexts(const char* text) {
  const fx::ProgramPtr program = programFrom(text);
  std::string out;
  for (const Flops& each : flopsOf(*program)) {
    if (each.standing == FlopStanding::Counted) out += std::to_string(each.count) + "\n";
    else if (!name(each.standing).empty()) out += std::string(name(each.standing)) + "\n";
  }
  return out;
}

TEST(Flops, AreTwoForEachMultiplyAdd) {
  EXPECT_EQ(flopTexts("a: f32[3, 5] = placeholder\n"
                      "b: f32[5, 7] = placeholder\n"
                      "c: f32[7] = placeholder\n"
                      "d: f32[7, 5] = placeholder\n"
                      "mm: f32[3, 7] = aten.mm.default(a, b)\n"
                      "bias: f32[3, 7] = aten.addmm.default(c, a, b)\n"
                      "lin: f32[3, 7] = aten.linear.default(a, d, c)\n"
                      "mv: f32[3] = aten.mv.default(mm, c)\n"
                      "dot: f32[] = aten.dot.default(c, c)\n"
                      "relu: f32[3] = aten.relu.default(mv)\n"
                      "return relu, bias, lin, dot\n"),
            "210\n210\n210\n42\n14\n");
}

TEST(Flops, OfConvolutionsAreThoseOfTheFilterAtEachPosition) {
  EXPECT_EQ(flopTexts("x: f32[2, 4, 8, 8] = placeholder\n"
                      "w: f32[6, 2, 3, 3] = placeholder\n"
                      "t: f32[4, 3, 2, 2] = placeholder\n"
                      "conv: f32[2, 6, 6, 6] = aten.conv2d.default(x, w, None, [1, 1], [0, 0], "
                      "[1, 1], 2)\n"
                      "up: f32[2, 3, 16, 16] = aten.conv_transpose2d.input(x, t, None, [2, 2])\n"
                      "same: f32[2, 3, 16, 16] = aten.convolution.default(x, t, None, [2, 2], "
                      "[0, 0], [1, 1], True, [0, 0], 1)\n"
                      "return conv, up, same\n"),
            "15552\n12288\n12288\n");
}

TEST(Flops, OfAttentionAreTwoMatrixProducts) {
  EXPECT_EQ(flopTexts("q: f32[2, 4, 5, 8] = placeholder\n"
                      "k: f32[2, 4, 7, 8] = placeholder\n"
                      "v: f32[2, 4, 7, 6] = placeholder\n"
                      "out: f32[2, 4, 5, 6] = aten.scaled_dot_product_attention.default(q, k, v)\n"
                      "return out\n"),
            "7840\n");  // 2 * (2 * 4 * 5 * 7 * 8 + 2 * 4 * 5 * 7 * 6)
}

TEST(Flops, OfEinsumLeaveOutWhatIsSummedBefore) {
  EXPECT_EQ(flopTexts("a: f32[2, 3, 5] = placeholder\n"
                      "b: f32[5, 7] = placeholder\n"
                      "mm: f32[2, 7] = aten.einsum.default('bij,jk->bk', [a, b])\n"
                      "outer: f32[2, 7, 3, 5] = aten.einsum.default('bij, jk -> bkij', [a, b])\n"
                      "rest: f32[2, 3, 7] = aten.einsum.default('...j,jk->...k', [a, b])\n"
                      "return mm, outer, rest\n"),
            "140\n0\nno rule\n");
}

TEST(Flops, AreNotKnownWithoutRuleOrSizes) {
  EXPECT_EQ(flopTexts("x: f32[s0, 4] = placeholder\n"
                      "w: f32[4, 4] = placeholder\n"
                      "mm: f32[s0, 4] = aten.mm.default(x, w)\n"
                      "odd: f32[s0, 4] = acme.odd.default(mm)\n"
                      "dist: f32[s0, 4] = aten.cdist.default(odd, w)\n"
                      "sin: f32[s0, 4] = aten.sin.default(dist)\n"
                      "return sin\n"),
            "sizes known only at run time\nno rule\nno rule\n");
}

TEST(Flops, OfHugeSizesSaturate) {
  EXPECT_EQ(flopTexts("a: f32[9223372036854775807, 9223372036854775807] = placeholder\n"
                      "mm: f32[9223372036854775807, 9223372036854775807] = aten.mm.default(a, a)\n"
                      "return mm\n"),
            "18446744073709551615\n");
}

TEST(Flops, OfABranchAreNotKnownAndThoseOfAWrapperAre) {
  const char* const kBranches =
      "graph():\n"
      "    %%x : f32[4, 4] [num_users=1] = placeholder[target=x]\n"
      "    %%body : [num_users=1] = get_attr[target=body]\n"
      "    %%call : f32[4, 4] [num_users=1] = call_function[target=torch.ops.higher_order.%s](args "
      "= (%%body, %%x), kwargs = {})\n"
      "    return (call,)\n"
      "\n"
      "graph body():\n"
      "    %%arg : f32[4, 4] [num_users=1] = placeholder[target=arg]\n"
      "    %%mm : f32[4, 4] [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = "
      "(%%arg, %%arg), kwargs = {})\n"
      "    return (mm,)\n";
  const auto of = [&](const char* op) {
    std::string text(1000, '\0');
    text.resize(static_cast<std::size_t>(snprintf(text.data(), text.size(), kBranches, op)));
    return flopTexts(text.c_str());
  };
  EXPECT_EQ(of("wrap_with_set_grad_enabled"), "128\n");
  EXPECT_EQ(of("cond"), "in a branch or loop\n");
  EXPECT_EQ(of("flex_attention"), "no rule\nin a branch or loop\n");
}

TEST(Flops, RulesOfTheTableAreKnown) {
  std::size_t rules = 0;
  for (const auto& [packet, row] : ops::OperatorTable::builtin().rows) {
    const std::string_view rule = row.rule(ops::Rule::Flops);
    EXPECT_TRUE(rule.empty() || isFlopsRule(rule)) << packet;
    rules += rule.empty() ? 0 : 1;
  }
  EXPECT_GT(rules, 40U);
}

TEST(Activations, ViewsHaveNoMemoryAndResultsLiveUntilTheirLastUse) {
  const Activations of =
      activationsOf(*programFrom("w: f32[4, 4] = parameter \"w\"\n"
                                 "x: f32[4, 4] = placeholder\n"  // 64 bytes, from start to end
                                 "a: f32[4, 4] = aten.mm.default(x, w)\n"            // 64
                                 "t: f32[4, 4] stride=[1, 4] = aten.t.default(a)\n"  // a view of a
                                 "b: f16[4, 4] = aten.to.dtype(x, torch.float16)\n"  // 32
                                 "c: f32[4, 4] = aten.relu.default(t)\n"     // 64; then a is free
                                 "c1: f32[4, 4] = aten.add_.Tensor(c, x)\n"  // c itself
                                 "d: f32[4, 4] = aten.sin.default(c1)\n"     // 64; then c is free
                                 "return d, b\n"));
  EXPECT_EQ(of.values.bytes, 64U * 4 + 32);
  EXPECT_EQ(of.values.tensors, 5U);
  EXPECT_EQ(of.views, 2U);
  EXPECT_EQ(of.unknown, 0U);
  EXPECT_EQ(of.peakBytes, 64U * 3 + 32);
  EXPECT_EQ(of.peak, "c");
  ASSERT_EQ(of.values.dtypes.size(), 2U);
  EXPECT_EQ(of.values.dtypes[1].dtype, DType::Float16);
  EXPECT_EQ(of.values.dtypes[1].bytes, 32U);
}

TEST(Activations, PeakIsNotKnownWithASizeOfRunTime) {
  const Activations of =
      activationsOf(*programFrom("x: f32[s0] = placeholder\n"
                                 "y: f32[4] = placeholder\n"
                                 "z: f32[s0] = aten.sin.default(x)\n"
                                 "return z, y\n"));
  EXPECT_EQ(of.unknown, 2U);
  EXPECT_EQ(of.values.bytes, 16U);
  EXPECT_FALSE(of.peakBytes);
}

/// A program with two modules that share a weight, one of which is called twice.
fx::ProgramPtr withModules() {
  auto out =
      std::make_shared<fx::Program>(*programFrom("p: f32[4, 4] = parameter \"h.0.w\"\n"
                                                 "q: f32[4, 4] = parameter \"h.1.w\"\n"
                                                 "m: f32[4] = buffer \"h.1.mean\"\n"
                                                 "x: f32[4, 4] = placeholder\n"
                                                 "a: f32[4, 4] = aten.mm.default(x, p)\n"
                                                 "b: f32[4, 4] = aten.mm.default(a, q)\n"
                                                 "c: f32[4, 4] = aten.relu.default(b)\n"
                                                 "d: f32[4, 4] = aten.mm.default(c, p)\n"
                                                 "return d\n"));
  for (fx::Weight& weight : out->weights) {
    weight.file = weight.isParameter ? "data/shared" : "data/mean";
    weight.fileBytes = 64;
  }
  const std::string root = "L__self__,,acme.Model";
  const std::string first = root + ";L__self___h_0,h.0,torch.nn.Linear",
                    second = root + ";L__self___h_1,h.1,acme.Block";
  out->strings = {"nn_module_stack", first, second, second + ";act,h.1.act,torch.nn.ReLU"};
  const std::vector<std::size_t> stackOf{1, 2, 3, 1};
  for (std::size_t i = 0; i < stackOf.size(); ++i)
    out->nodes[4 + i].meta = {{fx::StringId::of(0), fx::StringId::of(stackOf[i])}};
  return out;
}

TEST(Summary, ModulesHaveWhatIsInThemAndASharedWeightOnce) {
  const Summary of = summaryOf(withModules());
  std::string rows;
  for (const ModuleTotal& each : of.modules)
    rows += std::to_string(each.depth) + " " + each.path + " " + each.type + " " +
            std::to_string(each.nodes.size()) + " nodes " + std::to_string(each.parameters) + " " +
            std::to_string(each.parameterBytes) + " bytes " + std::to_string(each.flops->flops) +
            "\n";
  EXPECT_EQ(rows,
            "0  Model 4 nodes 16 64 bytes 384\n"
            "1 h.0 Linear 2 nodes 16 64 bytes 256\n"
            "1 h.1 Block 2 nodes 16 64 bytes 128\n"
            "2 h.1.act ReLU 1 nodes 0 0 bytes 0\n");
  EXPECT_EQ(of.moduleDepth, 2U);
  EXPECT_EQ(of.stored.parameters.elements, 16U);
  EXPECT_EQ(of.stored.otherNames, 1U);
  EXPECT_EQ(of.stored.buffers.bytes, 16U);
  ASSERT_EQ(of.operators.size(), 2U);
  EXPECT_EQ(of.operators[0].target, "aten.mm.default");
  EXPECT_EQ(of.operators[0].nodes.size(), 3U);
  EXPECT_EQ(of.operators[0].flops->flops, 384U);
}

TEST(Summary, OfAModuleHasDialectsAndFunctions) {
  read::Capture capture;
  auto program =
      std::make_shared<fx::Program>(*programFrom("x: f32[4] = placeholder\n"
                                                 "y: f32[4] = linalg.exp(x)\n"
                                                 "return y\n"));
  program->dialect = fx::kMlirDialect;
  capture.program = program;
  read::SourceModule module;
  module.text =
      "module {\n"
      "  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n"
      "    %0 = tensor.empty() : tensor<4xf32>\n"
      "    %1 = linalg.exp ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>\n"
      "    return %1 : tensor<4xf32>\n"
      "  }\n"
      "  func.func private @other(tensor<4xf32>)\n"
      "}\n";
  capture.module = std::make_shared<const read::SourceModule>(module);
  const Summary of = summarize(capture);
  EXPECT_FALSE(of.flops);
  EXPECT_FALSE(of.activations.peakBytes);
  EXPECT_EQ(of.activations.values.bytes, 32U);
  EXPECT_EQ(of.functions, (std::vector<std::string>{"@main", "@other"}));
  std::string counts;
  for (const DialectCount& each : of.dialects)
    counts += each.dialect + " " + std::to_string(each.operations) + "\n";
  EXPECT_EQ(counts, "func 3\nlinalg 1\ntensor 1\n");
}

TEST(Summary, WhatAProgramBecomesIsCountedByStageAlsoAtAFailure) {
  lower::Lowering lowering;
  lower::StageResult raw, skipped, failed;
  raw.id = "raw";
  raw.text = "module {\n  func.func @main() {\n    %0 = torch.constant.none\n    return\n  }\n}\n";
  failed.id = "tosa";
  failed.failureIr = "module {\n  %0 = \"tosa.add\"() : () -> i1\n}\n";
  skipped.id = "later";
  lowering.stages = {raw, failed, skipped};
  std::string rows;
  for (const Became& each : becameOf(lowering))
    rows += each.stage + (each.failed ? " failed " : " ") + std::to_string(each.operations) + " " +
            each.dialects.front().dialect + "\n";
  EXPECT_EQ(rows, "raw 3 func\ntosa failed 1 tosa\n");
}

}  // namespace
}  // namespace fxs::test
