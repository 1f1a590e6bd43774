// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "import/torch_mlir_refusals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "import/import.h"
#include "program_from.h"

namespace fxs::import {
namespace {

using fxs::test::programFrom;
using testing::ElementsAre;

std::vector<std::string> refused(const char* text, Form form = Form::Loaded) {
  std::vector<std::string> out;
  for (const fx::Finding& finding : torchMlirRefusals(*programFrom(text), form))
    out.push_back(finding.nodeName + ": " + finding.message);
  return out;
}

TEST(TorchMlirRefusals, AnOrdinaryProgramHasNone) {
  EXPECT_THAT(refused("w: f32[4] = parameter 'w'\n"
                      "x: f32[s0, 4] = placeholder\n"
                      "n: Sym(s0) = aten.sym_size.int(x, 0)\n"
                      "m: Sym(s0*2) = operator.mul(n, 2)\n"
                      "y: f32[s0, 4] = aten.mul.Tensor(x, w)\n"
                      "z: f32[2*s0, 4] = aten.cat.default([y, x])\n"
                      "return z"),
              ElementsAre());
}

TEST(TorchMlirRefusals, WeightsInListsAndFunctionsOfScalarsWithoutAnOperation) {
  EXPECT_THAT(
      refused("w: f32[1, 4] = parameter 'w'\n"
              "b: f32[1, 4] = buffer 'b'\n"
              "x: f32[s0, 4] = placeholder\n"
              "n: Sym(s0) = aten.sym_size.int(x, 0)\n"
              "p: Sym(s0**2) = operator.pow(n, 2)\n"
              "u: f32[s0 + 1, 4] = aten.cat.default([x, b])\n"
              "z: f32[s0 + 1, 4] = aten.cat.default([x, w])\n"
              "return z, u, p"),
      ElementsAre("p: torch-mlir's importer has no operation for _operator.pow",
                  "z: torch-mlir's importer does not accept a weight in a list of tensors"));
}

TEST(TorchMlirRefusals, WeightsOfElementTypesWithoutALiteral) {
  EXPECT_THAT(refused("w: c32[4] = parameter 'w'\n"
                      "u: c32[4] = parameter 'u'\n"
                      "x: c32[4] = placeholder\n"
                      "y: c32[4] = aten.mul.Tensor(x, w)\n"
                      "return y"),
              ElementsAre("w: torch-mlir's importer cannot write a literal of torch.complex32"));
}

TEST(TorchMlirRefusals, ComplexTypesHaveTheNumbersOfItsTable) {
  const fx::ProgramPtr program = programFrom(
      "x: f32[4] = placeholder\n"
      "y: c64[4] = aten._to_copy.default(x, dtype=torch.complex64)\n"
      "return y");
  ImportOptions options;
  EXPECT_THAT((*importProgram(*program, options, {}))->text,
              testing::HasSubstr("torch.constant.int\"() <{value = 9 : i64}>"));
  options.asTorchMlir = true;
  EXPECT_THAT((*importProgram(*program, options, {}))->text,
              testing::HasSubstr("torch.constant.int\"() <{value = 10 : i64}>"));
}

TEST(TorchMlirRefusals, WhatPyTorchComputesOrDropsBefore) {
  EXPECT_THAT(refused("x: f32[s0, 4] = placeholder\n"
                      "n: Sym(s0) = aten.sym_size.int(x, 0)\n"
                      "m: Sym(4) = torch.sym_max(3, 4)\n"
                      "p: Sym(s0**2) = operator.pow(n, 2)\n"
                      "u: u16[s0, 4] = aten._to_copy.default(x, dtype=torch.uint16)\n"
                      "z: f32[4] = aten.zeros.default([m])\n"
                      "return z"),
              ElementsAre());
}

std::string loopWith(const std::string& more) {
  return "n: i64[] = placeholder\n"
         "x: f32[2] = placeholder\n"
         "w: f32[2] = placeholder\n"
         "test = get_attr\n"
         "step = get_attr\n"
         "l: (i64[], f32[2]) = higher_order.while_loop(test, step, [n, x], [" +
         more +
         "])\n"
         "g: f32[2] = getitem(l, 1)\n"
         "return g\n"
         "graph test():\n  a: i64[] = placeholder\n  b: f32[2] = placeholder\n  c: b8[] = "
         "aten.lt.Scalar(a, 3)\n  return c\n"
         "graph step():\n  a: i64[] = placeholder\n  b: f32[2] = placeholder\n  return a, b\n";
}

TEST(TorchMlirRefusals, LoopsOfLoadedProgramsAndLoopsWithMoreInputs) {
  EXPECT_THAT(refused(loopWith("").c_str()),
              ElementsAre("l: torch-mlir's importer expects the carried values of "
                          "higher_order.while_loop as a tuple, and a loaded program has a list"));
  EXPECT_THAT(refused(loopWith("").c_str(), Form::Mended), ElementsAre());
  EXPECT_THAT(refused(loopWith("w").c_str(), Form::Mended),
              ElementsAre("l: torch-mlir's importer carries the additional inputs of "
                          "higher_order.while_loop, which its body does not return"));
}

TEST(TorchMlirRefusals, SizesWithWhichPyTorchDoesNotDecomposeALoadedProgram) {
  const std::string strided =
      "x: f32[s0, 4] stride=[s7, 1] = placeholder\n"
      "y: f32[s0, 4] = aten.neg.default(x)\n"
      "return y\n";
  EXPECT_THAT(refused(strided.c_str()),
              ElementsAre("x: PyTorch does not decompose a loaded program with the stride s7 of an "
                          "input, of which torch.export.save writes no range; a contiguous input "
                          "has none"));
  EXPECT_THAT(refused(strided.c_str(), Form::Mended), ElementsAre());
  const char* transposed =
      "x: f32[s0, s1] stride=[1, s0] = placeholder\n"
      "return x\n";
  EXPECT_THAT(refused(transposed), ElementsAre());

  auto program = std::make_shared<fx::Program>(*programFrom(transposed));
  program->ranges = {{"2*s0", 4, 8}};
  const auto ofDerived = torchMlirRefusals(*program);
  ASSERT_EQ(ofDerived.size(), 1U);
  EXPECT_EQ(ofDerived.front().message,
            "PyTorch does not decompose a loaded program with the range of a derived dimension: "
            "'2*s0'");
  program->ranges = {{"s0", 2, 4}};
  program->guards = {"L['x'].size()[0] <= 8", "L['x']._base.size()[1] != 4"};
  const auto ofView = torchMlirRefusals(*program);
  ASSERT_EQ(ofView.size(), 1U);
  EXPECT_THAT(ofView.front().message, testing::HasSubstr("'L['x']._base.size()[1] != 4'"));
  EXPECT_TRUE(torchMlirRefusals(*program, Form::Mended).empty());
}

TEST(TorchMlirRefusals, HigherOrderOperatorsThatItHasNoFunctionFor) {
  EXPECT_THAT(refused("x: f32[2] = placeholder\n"
                      "q: f32[2] = higher_order.flex_attention(x)\n"
                      "m: f32[2] = higher_order.scan(x)\n"
                      "return q, m\n"),
              ElementsAre("m: torch-mlir's importer does not implement the higher-order operation "
                          "higher_order.scan"));
}

TEST(TorchMlirRefusals, ViewsThatPyTorchDoesNotMakeFunctional) {
  EXPECT_THAT(refused("x: f32[4] = placeholder\n"
                      "y: f32[4] = prims.abs.default(x)\n"
                      "z: f32[4] = prims.view_of.default(y)\n"
                      "return z"),
              ElementsAre("z: PyTorch does not make views of other namespaces than aten "
                          "functional: prims.view_of.default"));
}

TEST(TorchMlirRefusals, ViewsThatAreMadeForTheImporterAreNone) {
  auto made =
      std::make_shared<fx::Program>(*programFrom("x: f32[1, 4] = placeholder\n"
                                                 "y: f32[4] = prims.squeeze.default(x, [0])\n"
                                                 "return y"));
  EXPECT_EQ(torchMlirRefusals(*made).size(), 1U);
  made->original = programFrom(
      "x: f32[1, 4] = placeholder\n"
      "y: f32[4] = aten.squeeze.dims(x, [0])\n"
      "return y");
  EXPECT_EQ(torchMlirRefusals(*made).size(), 0U);
}

TEST(TorchMlirRefusals, NumbersThatNothingUsesAreNotLoaded) {
  const char* text =
      "x: i64[] = placeholder\n"
      "n: None = aten.item.default(x)\n"
      "return x";
  EXPECT_THAT(refused(text), ElementsAre("n: torch.export.load reads no aten.item.default without "
                                         "a result, as torch.export.save writes it where nothing "
                                         "uses it"));
  EXPECT_THAT(refused(text, Form::Mended), ElementsAre());
}

TEST(TorchMlirRefusals, LoadedProgramsWhoseOperatorsHaveNoFakeKernel) {
  const char* text =
      "x: f32[2] = placeholder\n"
      "q: f32[2] = aten.fake_quantize_per_tensor_affine.default(x, 0.5, 0, -128, 127)\n"
      "return q\n";
  EXPECT_THAT(refused(text),
              ElementsAre("q: PyTorch does not decompose a loaded program with "
                          "aten.fake_quantize_per_tensor_affine.default, of whose decomposition it "
                          "has no fake kernel"));
  EXPECT_THAT(refused(text, Form::Mended), ElementsAre());
}

TEST(TorchMlirRefusals, SayWhoRaisesThem) {
  const fx::Program derived = [] {
    fx::Program program = *programFrom(
        "x: f32[2*s0] = placeholder\n"
        "return x\n");
    program.ranges = {{"2*s0", 4, 8}};
    return program;
  }();
  const auto ofPyTorch = torchMlirRefusals(derived);
  ASSERT_EQ(ofPyTorch.size(), 1U);
  EXPECT_TRUE(isOfPyTorch(ofPyTorch.front()));
  EXPECT_TRUE(isOfLoaded(ofPyTorch.front()));
  const auto ofImporter =
      torchMlirRefusals(*programFrom("x: u16[4] = placeholder\n"
                                     "return x\n"));
  ASSERT_EQ(ofImporter.size(), 1U);
  EXPECT_FALSE(isOfPyTorch(ofImporter.front()));
  EXPECT_FALSE(isOfLoaded(ofImporter.front()));
}

TEST(TorchMlirRefusals, PermutationsThatCountFromTheBack) {
  const fx::ProgramPtr program = programFrom(
      "x: f32[2, 3, 4] = placeholder\n"
      "y: f32[2, 4, 3] = aten.permute.default(x, [0, -1, 1])\n"
      "z: f32[2, 3, 4] = aten.permute.default(y, [0, 2, 1])\n"
      "return z");
  EXPECT_TRUE(isPermutedFromBack(program->nodes[1]));
  EXPECT_FALSE(isPermutedFromBack(program->nodes[2]));
}

TEST(TorchMlirRefusals, ElementTypesItDoesNotName) {
  EXPECT_THAT(refused("x: u16[4] = placeholder\n"
                      "y: f32[4] = aten._to_copy.default(x, dtype=torch.float32)\n"
                      "return y"),
              ElementsAre("x: torch-mlir's importer has no type for torch.uint16"));
}

}  // namespace
}  // namespace fxs::import
