// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contract/contract.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mlir/text/document.h"
#include "output_type.h"
#include "program_from.h"

namespace fxs::contract {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// x[s0, 4] is doubled and added to b[4]; both values are returned.
const std::string kRaw = R"(module {
  func.func @main(%arg0: !torch.vtensor<[?,4],f32> loc("x"("fx":0:0)), %arg1: !torch.vtensor<[4],si64> loc("b"("fx":1:0))) -> (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>) {
    %0 = torch.aten.mul.Tensor %arg0, %arg0 : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32> -> !torch.vtensor<[?,4],f32> loc("mul"("fx":2:0))
    %int1 = torch.constant.int 1 loc("add"("fx":3:0))
    %1 = torch.aten.add.Tensor %0, %arg1, %int1 : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4],si64>, !torch.int -> !torch.vtensor<[?,4],f32> loc("add"("fx":3:0))
    return %0, %1 : !torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32> loc("output"("fx":4:0))
  } loc("x"("fx":0:0))
} loc(unknown)
)";
const std::string kLinalg = R"(module {
  func.func @main(%arg0: tensor<?x4xf32> loc("x"("fx":0:0)), %arg1: tensor<4xi64> loc("b"("fx":1:0))) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
    %0 = arith.mulf %arg0, %arg0 : tensor<?x4xf32> loc("mul"("fx":2:0))
    %1 = arith.sitofp %arg1 : tensor<4xi64> to tensor<4xf32> loc("add"("fx":3:0))
    %2 = linalg.add ins(%0, %1 : tensor<?x4xf32>, tensor<4xf32>) outs(%0 : tensor<?x4xf32>) -> tensor<?x4xf32> loc("add"("fx":3:0))
    return %0, %2 : tensor<?x4xf32>, tensor<?x4xf32> loc("output"("fx":4:0))
  } loc("x"("fx":0:0))
} loc(unknown)
)";

fx::ProgramPtr program() {
  return test::programFrom(R"(x: f32[s0, 4] = placeholder
b: i64[4] = placeholder
mul: f32[s0, 4] = aten.mul.Tensor(x, x)
add: f32[s0, 4] = aten.add.Tensor(mul, b)
return mul, add
)");
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}
std::string everywhere(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}
/// Inserted behind the definition of %0.
std::string with(const std::string& line) {
  return replaced(kLinalg, "    %1 = arith.sitofp", "    " + line + "\n    %1 = arith.sitofp");
}

std::vector<std::string> messagesOf(const std::string& lowered,
                                    std::string_view type = "linalg-on-tensors") {
  std::vector<std::string> out;
  for (const fx::Finding& f :
       findingsIn(*test::outputType(type).operator->(), kRaw, lowered, *program())) {
    EXPECT_EQ(f.kind, "contract");
    EXPECT_EQ(f.stage, type);
    out.push_back(std::string(fx::name(f.severity)) + " " + f.nodeName + ": " + f.message);
  }
  return out;
}

TEST(Contract, ATextThatKeepsItHasNoFindings) {
  EXPECT_THAT(messagesOf(kLinalg), IsEmpty());
  EXPECT_THAT(messagesOf(kRaw, "raw"), IsEmpty());
  EXPECT_THAT(messagesOf(kRaw, "torch"), IsEmpty());
}

/// The findings in a text for `x` of [s0, s1], of which `y` is the result.
std::vector<std::string> sizesSaid(std::string_view y, const std::string& body,
                                   std::string_view call = "aten.reshape.default(x, [-1, -1])") {
  fx::Program user = *test::programFrom(
      fmt::format("x: f32[s0, s1] = placeholder\ny: f32{} = {}\nreturn y\n", y, call));
  std::get<fx::TensorMeta>(user.nodes[0].val).sizes = {fx::SymInt(fx::SymExpr::symbol("s0"), 4),
                                                       fx::SymInt(fx::SymExpr::symbol("s1"), 6)};
  const std::string raw = R"(module {
  func.func @main(%arg0: !torch.vtensor<[?,?],f32> loc("x"("fx":0:0))) -> !torch.vtensor<[?,?],f32> {
    %0 = torch.aten.reshape %arg0, %l : !torch.vtensor<[?,?],f32>, !torch.list<int> -> !torch.vtensor<[?,?],f32> loc("y"("fx":1:0))
    return %0 : !torch.vtensor<[?,?],f32> loc("output"("fx":2:0))
  } loc("x"("fx":0:0))
} loc(unknown)
)";
  const std::string lowered = R"(module {
  func.func @main(%arg0: tensor<?x?xf32> loc("x"("fx":0:0))) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index loc("y"("fx":1:0))
    %c1 = arith.constant 1 : index loc("y"("fx":1:0))
    %c2 = arith.constant 2 : index loc("y"("fx":1:0))
    %d0 = tensor.dim %arg0, %c0 : tensor<?x?xf32> loc("y"("fx":1:0))
    %d1 = tensor.dim %arg0, %c1 : tensor<?x?xf32> loc("y"("fx":1:0))
)" + body + R"(  } loc("x"("fx":0:0))
} loc(unknown)
)";
  std::vector<std::string> out;
  for (const fx::Finding& f :
       findingsIn(*test::outputType("linalg-on-tensors").operator->(), raw, lowered, user))
    out.push_back(f.message);
  return out;
}
const std::string kReturnX = "    return %arg0 : tensor<?x?xf32> loc(\"output\"(\"fx\":2:0))\n";
/// Returns a tensor of these sizes.
std::string filled(std::string_view sizes) {
  return fmt::format(
      "    %e = tensor.empty({}) : tensor<?x?xf32> loc(\"y\"(\"fx\":1:0))\n    %f = linalg.fill "
      "ins(%z : f32) outs(%e : "
      "tensor<?x?xf32>) -> tensor<?x?xf32> loc(\"y\"(\"fx\":1:0))\n    return %f : tensor<?x?xf32> "
      "loc(\"output\"(\"fx\":2:0))\n",
      sizes);
}

TEST(Contract, SizesThatTheTextComputesAreThePrograms) {
  EXPECT_THAT(
      sizesSaid("[((s0*s1)//2), 2]", kReturnX),
      ElementsAre(
          "dimension 0 of result 0 of @main is 4, but the program's is 12, where s0 = 4, s1 = 6"));
  EXPECT_THAT(sizesSaid("[s0, s1]", kReturnX), IsEmpty());
  EXPECT_THAT(sizesSaid("[s0, s1]", filled("%d0, %d1")), IsEmpty());
  // Exchanged, and merged.
  EXPECT_THAT(
      sizesSaid("[s0, s1]", filled("%d1, %d0")),
      ElementsAre(
          "dimension 0 of result 0 of @main is 6, but the program's is 4, where s0 = 4, s1 = 6"));
  EXPECT_THAT(
      sizesSaid("[s0, s1]", filled("%d0, %d0")),
      ElementsAre(
          "dimension 1 of result 0 of @main is 4, but the program's is 6, where s0 = 4, s1 = 6"));
  EXPECT_THAT(
      sizesSaid("[s0, 2*s1]", "    %t = arith.muli %d1, %c2 : index loc(\"y\"(\"fx\":1:0))\n" +
                                  filled("%d0, %t")),
      IsEmpty());
  EXPECT_THAT(
      sizesSaid("[s0, 2*s1]", "    %t = arith.addi %d1, %c2 : index loc(\"y\"(\"fx\":1:0))\n" +
                                  filled("%d0, %t")),
      ElementsAre(
          "dimension 1 of result 0 of @main is 8, but the program's is 12, where s0 = 4, s1 = 6"));
  // What is not followed is not known, and no breach.
  EXPECT_THAT(sizesSaid("[s0, s1]", "    %t = affine.apply #map()[%d1] loc(\"y\"(\"fx\":1:0))\n" +
                                        filled("%t, %d1")),
              IsEmpty());
}

TEST(Contract, ASizeThatTheProgramGivesAViewIsThatNumber) {
  const std::string two = filled("%d0, %c2");
  EXPECT_EQ(sizesSaid("[s0, s1]", two).size(), 1U);
  EXPECT_THAT(sizesSaid("[s0, s1]", two, "aten.view.default(x, [-1, 2])"), IsEmpty());
  EXPECT_THAT(sizesSaid("[s0, s1]", filled("%d0, %d1"), "aten.view.default(x, [-1, 2])"),
              IsEmpty());
  EXPECT_THAT(sizesSaid("[s0, s1]", filled("%d0, %d0"), "aten.view.default(x, [-1, 2])"),
              ElementsAre("dimension 1 of result 0 of @main is 4, but the program's is 6, where s0 "
                          "= 4, s1 = 6"));
  // What is returned after a write is not what the write returns.
  EXPECT_THAT(sizesSaid("[s0, s1]", two, "aten.mul_.Tensor(x, 2.0)"), IsEmpty());
}

TEST(Contract, ASymbolicSizeMustNotBecomeANumber) {
  EXPECT_THAT(
      messagesOf(
          with(R"(%c = tensor.cast %0 : tensor<?x4xf32> to tensor<1x4xf32> loc("mul"("fx":2:0)))")),
      ElementsAre("error mul: the size s0 (dimension 0) became 1: tensor.cast casts "
                  "tensor<?x4xf32> to tensor<1x4xf32>; other sizes "
                  "abort or compute wrong values; export the program with this size fixed, or "
                  "write this part in other operations"));
}

TEST(Contract, OtherCastsAreFine) {
  // To less known, of another rank than the node's value, and at a node that is not known.
  EXPECT_THAT(
      messagesOf(
          with(R"(%c = tensor.cast %0 : tensor<?x4xf32> to tensor<?x?xf32> loc("mul"("fx":2:0)))")),
      IsEmpty());
  EXPECT_THAT(
      messagesOf(
          with(R"(%c = tensor.cast %s : tensor<?xindex> to tensor<1xindex> loc("mul"("fx":2:0)))")),
      IsEmpty());
  EXPECT_THAT(
      messagesOf(with(R"(%c = tensor.cast %0 : tensor<?x4xf32> to tensor<1x4xf32> loc(unknown))")),
      IsEmpty());
  // A dimension that is 4 in the program.
  EXPECT_THAT(
      messagesOf(
          with(R"(%c = tensor.cast %0 : tensor<?x?xf32> to tensor<?x4xf32> loc("mul"("fx":2:0)))")),
      IsEmpty());
}

TEST(Contract, ArgumentsAndResultsAreThoseOfTheProgram) {
  EXPECT_THAT(messagesOf(everywhere(kLinalg, "?x4xf32", "2x4xf32")),
              ElementsAre("error x: argument 0 of @main is tensor<2x4xf32>, but the program's is "
                          "!torch.vtensor<[?,4],f32>: dimension 0 is "
                          "symbolic, and the text works only for size 2",
                          "error mul: result 0 of @main is tensor<2x4xf32>, but the program's is "
                          "!torch.vtensor<[?,4],f32>: dimension 0 is "
                          "symbolic, and the text works only for size 2",
                          "error add: result 1 of @main is tensor<2x4xf32>, but the program's is "
                          "!torch.vtensor<[?,4],f32>: dimension 0 is "
                          "symbolic, and the text works only for size 2"));
  EXPECT_THAT(messagesOf(everywhere(kLinalg, "tensor<4xi64>", "tensor<?xi64>")),
              ElementsAre("error b: argument 1 of @main is tensor<?xi64>, but the program's is "
                          "!torch.vtensor<[4],si64>: the size 4 of "
                          "dimension 0 became unknown"));
  EXPECT_THAT(messagesOf(everywhere(kLinalg, "4xi64", "4xi32")),
              ElementsAre("error b: argument 1 of @main is tensor<4xi32>, but the program's is "
                          "!torch.vtensor<[4],si64>: another element type"));
  EXPECT_THAT(messagesOf(everywhere(kLinalg, "tensor<4xi64>", "tensor<1x4xi64>")),
              ElementsAre("error b: argument 1 of @main is tensor<1x4xi64>, but the program's is "
                          "!torch.vtensor<[4],si64>: another rank"));
}

TEST(Contract, ADroppedResultIsCounted) {
  EXPECT_THAT(
      messagesOf(replaced(
          replaced(kLinalg, "(tensor<?x4xf32>, tensor<?x4xf32>) {", "tensor<?x4xf32> {"),
          "return %0, %2 : tensor<?x4xf32>, tensor<?x4xf32>", "return %0 : tensor<?x4xf32>")),
      ElementsAre("error : @main has 1 result, but the program has 2"));
}

TEST(Contract, TheFunctionIsThere) {
  EXPECT_THAT(messagesOf(replaced(kLinalg, "@main", "@main_0")),
              ElementsAre("error : the text has no function @main, which is the program"));
}

TEST(Contract, ResultsAreInTheirOrder) {
  // Values of equal types are told apart by where they come from.
  EXPECT_THAT(messagesOf(replaced(kLinalg, "return %0, %2", "return %2, %0")),
              ElementsAre("error add: result 0 of @main comes from add, but the program returns "
                          "mul there: results are in another order",
                          "error mul: result 1 of @main comes from mul, but the program returns "
                          "add there: results are in another order"));
}

/// The findings in a text for a program that returns relu(a) and b.expand_as(a).
std::vector<std::string> argumentsSaid(const std::string& body) {
  const fx::ProgramPtr user = test::programFrom(R"(a: f32[s0] = placeholder
b: f32[s0] = placeholder
relu: f32[s0] = aten.relu.default(a)
neg: f32[s0] = aten.expand_as.default(b, a)
return relu, neg
)");
  const std::string raw = R"(module {
  func.func @main(%arg0: !torch.vtensor<[?],f32> loc("a"("fx":0:0)), %arg1: !torch.vtensor<[?],f32> loc("b"("fx":1:0))) -> (!torch.vtensor<[?],f32>, !torch.vtensor<[?],f32>) {
    %0 = torch.aten.relu %arg0 : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32> loc("relu"("fx":2:0))
    %1 = torch.aten.expand_as %arg1, %arg0 : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32> loc("neg"("fx":3:0))
    return %0, %1 : !torch.vtensor<[?],f32>, !torch.vtensor<[?],f32> loc("output"("fx":4:0))
  } loc("a"("fx":0:0))
} loc(unknown)
)";
  const std::string lowered = R"(module {
  func.func @main(%arg0: tensor<?xf32> loc("a"("fx":0:0)), %arg1: tensor<?xf32> loc("b"("fx":1:0))) -> (tensor<?xf32>, tensor<?xf32>) {
)" + body + R"(  } loc("a"("fx":0:0))
} loc(unknown)
)";
  std::vector<std::string> out;
  for (const fx::Finding& f :
       findingsIn(*test::outputType("linalg-on-tensors").operator->(), raw, lowered, *user))
    if (f.message.find(" is left in ") == std::string::npos)
      out.push_back(f.nodeName + ": " + f.message);
  return out;
}
std::string returned(std::string_view values) {
  return fmt::format("    return {} : tensor<?xf32>, tensor<?xf32> loc(unknown)\n", values);
}

TEST(Contract, AResultIsComputedFromTheArgumentsOfThePrograms) {
  const std::string abs = "    %0 = math.absf %arg0 : tensor<?xf32> loc(unknown)\n",
                    exp = "    %1 = math.exp %arg1 : tensor<?xf32> loc(unknown)\n";
  EXPECT_THAT(argumentsSaid(abs + returned("%0, %arg1")), IsEmpty());
  EXPECT_THAT(argumentsSaid(abs + exp + returned("%0, %1")), IsEmpty());
  EXPECT_THAT(argumentsSaid(abs + returned("%0, %arg0")),
              IsEmpty());  // of which the program takes the sizes
  EXPECT_THAT(
      argumentsSaid(returned("%arg1, %arg1")),
      ElementsAre(
          "relu: result 0 of @main is argument 1 (b), on which the program's does not depend"));
  EXPECT_THAT(argumentsSaid(abs + exp + returned("%1, %0")),
              ElementsAre("relu: result 0 of @main is computed from argument 1 (b), on which the "
                          "program's does not depend"));
  const auto body = [](std::string_view captured) {
    return fmt::format(
               R"(    %g = linalg.generic {{indexing_maps = [#map]}} outs(%arg0 : tensor<?xf32>) {{
    ^bb0(%out: f32 loc(unknown)):
      %i = linalg.index 0 : index loc(unknown)
      %e = tensor.extract {}[%i] : tensor<?xf32> loc(unknown)
      linalg.yield %e : f32 loc(unknown)
    }} -> tensor<?xf32> loc(unknown)
)",
               captured) +
           returned("%g, %arg1");
  };
  EXPECT_THAT(argumentsSaid(body("%arg0")), IsEmpty());
  EXPECT_THAT(argumentsSaid(body("%arg1")),
              ElementsAre("relu: result 0 of @main is computed from argument 1 (b), on which the "
                          "program's does not depend"));
}

TEST(Contract, SizesAndWhatCannotBeFollowedAreNoUse) {
  const std::string size =
      "    %c0 = arith.constant 0 : index loc(unknown)\n    %d = tensor.dim %arg1, %c0 : "
      "tensor<?xf32> loc(unknown)\n";
  EXPECT_THAT(argumentsSaid(size +
                            "    %e = tensor.empty(%d) : tensor<?xf32> loc(unknown)\n    %f = "
                            "linalg.fill ins(%z : f32) outs(%e : "
                            "tensor<?xf32>) -> tensor<?xf32> loc(unknown)\n" +
                            returned("%f, %arg1")),
              IsEmpty());
  EXPECT_THAT(argumentsSaid(
                  "    %s = shape.shape_of %arg1 : tensor<?xf32> -> tensor<1xindex> loc(unknown)\n"
                  "    %f = stablehlo.dynamic_broadcast_in_dim %arg0, %s, dims = [0] : "
                  "(tensor<?xf32>, tensor<1xindex>) -> "
                  "tensor<?xf32> loc(unknown)\n" +
                  returned("%f, %arg1")),
              IsEmpty());
  EXPECT_THAT(argumentsSaid("    %p:2 = some.pair %arg0, %arg1 : (tensor<?xf32>, tensor<?xf32>) -> "
                            "(tensor<?xf32>, tensor<?xf32>) "
                            "loc(unknown)\n" +
                            returned("%p#0, %p#1")),
              IsEmpty());
}

TEST(Contract, ADialectThatMayNotBeLeftIsNamed) {
  EXPECT_THAT(
      messagesOf(with(
          R"(%c = torch.aten.relu %t : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32> loc("mul"("fx":2:0)))")),
      ElementsAre(
          "error mul: torch.aten.relu is left in linalg-on-tensors, which may hold only affine, "
          "arith, cf, complex, func, "
          "linalg, math, ml_program, scf, tensor",
          "error mul: a type !torch.vtensor is left in linalg-on-tensors, at torch.aten.relu"));
  // Each type once.
  EXPECT_THAT(
      messagesOf(with(
          R"(%c = builtin.unrealized_conversion_cast %t : !torch.vtensor<[4],f32> to !torch.int loc("mul"("fx":2:0))
    %d = builtin.unrealized_conversion_cast %t : !torch.vtensor<[2],f32> to !torch.int loc("mul"("fx":2:0)))")),
      ElementsAre("error mul: a type !torch.vtensor is left in linalg-on-tensors, at "
                  "builtin.unrealized_conversion_cast",
                  "error mul: a type !torch.int is left in linalg-on-tensors, at "
                  "builtin.unrealized_conversion_cast"));
  // The name in a string is none.
  EXPECT_THAT(messagesOf(with(R"(cf.assert %b, "no !torch.vtensor here" loc("mul"("fx":2:0)))")),
              IsEmpty());
}

TEST(Contract, AnUnusedArgumentWithoutATypeOfTheOutputTypeIsAWarning) {
  const auto user = test::programFrom(
      "x: f32[4] = placeholder\nmask = placeholder\nmul: f32[4] = aten.mul.Tensor(x, x)\nreturn "
      "mul\n");
  const std::string raw = R"(module {
  func.func @main(%arg0: !torch.vtensor<[4],f32> loc("x"("fx":0:0)), %arg1: !torch.none loc("mask"("fx":1:0))) -> !torch.vtensor<[4],f32> {
    %0 = torch.aten.mul.Tensor %arg0, %arg0 : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32> loc("mul"("fx":2:0))
    return %0 : !torch.vtensor<[4],f32> loc("output"("fx":3:0))
  } loc("x"("fx":0:0))
} loc(unknown)
)";
  const std::string lowered = R"(module {
  func.func @main(%arg0: tensor<4xf32> loc("x"("fx":0:0)), %arg1: !torch.none loc("mask"("fx":1:0))) -> tensor<4xf32> {
    %0 = arith.mulf %arg0, %arg0 : tensor<4xf32> loc("mul"("fx":2:0))
    return %0 : tensor<4xf32> loc("output"("fx":3:0))
  } loc("x"("fx":0:0))
} loc(unknown)
)";
  const auto said = [&](const std::string& text) {
    std::vector<std::string> out;
    for (const fx::Finding& f :
         findingsIn(*test::outputType("linalg-on-tensors").operator->(), raw, text, *user))
      out.push_back((f.severity == fx::Severity::Warning ? "warning " : "error ") + f.nodeName +
                    ": " + f.message);
    return out;
  };
  EXPECT_THAT(said(lowered), ElementsAre("warning mask: a type !torch.none is left in "
                                         "linalg-on-tensors, at the unused argument 1"));
  // One that is used, or that is a tensor in the program, has to be lowered.
  const std::string used = replaced(
      lowered, "    return", "    %c = some.use %arg1 : !torch.none loc(unknown)\n    return");
  EXPECT_THAT(
      said(used),
      testing::Contains("error x: a type !torch.none is left in linalg-on-tensors, at func.func"));
  const std::string tensor =
      replaced(lowered, "%arg1: !torch.none", "%arg1: !torch.vtensor<[4],f32>");
  EXPECT_THAT(said(tensor),
              testing::Contains(testing::HasSubstr(
                  "a type !torch.vtensor is left in linalg-on-tensors, at func.func")));
}

TEST(Contract, TmTensorIsAWarningWithItsNodes) {
  const std::string scan =
      R"(%c = tm_tensor.scan dimension(0) inclusive(true) ins(%0 : tensor<?x4xf32>) outs(%0 : tensor<?x4xf32>) {
    ^bb0(%a: f32 loc("mul"("fx":2:0)), %d: f32 loc("mul"("fx":2:0))):
      tm_tensor.yield %a : f32 loc("mul"("fx":2:0))
    } -> tensor<?x4xf32> loc("mul"("fx":2:0)))";
  EXPECT_THAT(messagesOf(with(scan)),
              ElementsAre("warning mul: tm_tensor.scan is left in linalg-on-tensors: tools other "
                          "than torch-mlir and IREE "
                          "may not read it"));
  EXPECT_TRUE(isKept(findingsIn(*test::outputType("linalg-on-tensors").operator->(), kRaw,
                                with(scan), *program())));
  // Two of one node are one warning; a second node has its own.
  const std::string other =
      everywhere(replaced(scan, "%c", "%k"), R"("mul"("fx":2:0))", R"("add"("fx":3:0))");
  EXPECT_THAT(messagesOf(with(scan + "\n    " + replaced(scan, "%c", "%h") + "\n    " + other)),
              ElementsAre("warning mul: tm_tensor.scan is left in linalg-on-tensors: tools other "
                          "than torch-mlir and IREE may not read it",
                          "warning add: tm_tensor.scan is left in linalg-on-tensors: tools other "
                          "than torch-mlir and IREE may not read it"));
}

TEST(Contract, WhatWasNeverWrittenIsNotRead) {
  const std::string empty =
      "%e = tensor.empty(%n) : tensor<?x4xf32> loc(\"mul\"(\"fx\":2:0))\n    ";
  EXPECT_THAT(
      messagesOf(with(
          empty +
          R"(%m = linalg.matmul ins(%0, %0 : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32> loc("mul"("fx":2:0)))")),
      ElementsAre("error mul: linalg.matmul reads the result of tensor.empty, whose elements are "
                  "not initialized"));
  const auto generic = [&](const std::string& yielded) {
    return with(
        empty +
        R"(%m = linalg.generic {indexing_maps = [#map, #map]} ins(%0 : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) {
    ^bb0(%in: f32 loc("mul"("fx":2:0)), %out: f32 loc("mul"("fx":2:0))):
      %s = arith.addf %in, )" +
        yielded + R"( : f32 loc("mul"("fx":2:0))
      linalg.yield %s : f32 loc("mul"("fx":2:0))
    } -> tensor<?x4xf32> loc("mul"("fx":2:0))
    %k = tensor.cast %m : tensor<?x4xf32> to tensor<?x4xf32> loc("mul"("fx":2:0)))");
  };
  EXPECT_THAT(messagesOf(generic("%in")), IsEmpty());
  EXPECT_THAT(messagesOf(generic("%out")),
              ElementsAre("error mul: linalg.generic reads the result of tensor.empty, whose "
                          "elements are not initialized"));
}

TEST(Contract, WhatReachesNoResultThatIsUsedIsNotRead) {
  const auto used = [&](const std::string& result) {
    return with(
        "%e = tensor.empty(%n) : tensor<?x4xf32> loc(\"mul\"(\"fx\":2:0))\n    "
        R"(%p:2 = linalg.generic {indexing_maps = [#map, #map, #map]} ins(%0 : tensor<?x4xf32>) outs(%0, %e : tensor<?x4xf32>, tensor<?x4xf32>) {
    ^bb0(%in: f32 loc("mul"("fx":2:0)), %out: f32 loc("mul"("fx":2:0)), %out_0: f32 loc("mul"("fx":2:0))):
      %s = arith.addf %in, %out : f32 loc("mul"("fx":2:0))
      %t = arith.addf %in, %out_0 : f32 loc("mul"("fx":2:0))
      linalg.yield %s, %t : f32, f32 loc("mul"("fx":2:0))
    } -> (tensor<?x4xf32>, tensor<?x4xf32>) loc("mul"("fx":2:0))
    %m = tensor.cast %p#)" +
        result + R"( : tensor<?x4xf32> to tensor<?x4xf32> loc("mul"("fx":2:0)))");
  };
  EXPECT_THAT(messagesOf(used("0")), IsEmpty());
  EXPECT_THAT(messagesOf(used("1")),
              ElementsAre("error mul: linalg.generic reads the result of tensor.empty, whose "
                          "elements are not initialized"));
}

TEST(Contract, SignsOfIntegersAreNotCompared) {
  EXPECT_TRUE(isSameElement("si64", "i64"));
  EXPECT_TRUE(isSameElement("ui8", "ui8"));
  EXPECT_TRUE(isSameElement("!torch.qint8", "i8"));
  EXPECT_FALSE(isSameElement("f32", "f64"));
  EXPECT_FALSE(isSameElement("si64", "i32"));
}

}  // namespace
}  // namespace fxs::contract
