// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of a script for calls of other sizes than the program's.
#include "diagnose/general_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/python_changes.h"
#include "program_from.h"

namespace fxs::diagnose {
namespace {

using test::programFrom;
using testing::HasSubstr;
using testing::Not;

/// The functions of a program in which these operators are decomposed.
std::string functionsOf(const std::string& program, std::set<std::string> decompose) {
  rewrite::RewriteOptions options;
  options.decompose = std::move(decompose);
  const auto all = PythonChanges({programFrom(program), options}).with({}, RunContext{});
  std::string out;
  if (all)
    for (const PythonDecomposition& d : *all) out += d.function;
  return out;
}

TEST(GeneralCalls, AFormulaIsForEachRankAndType) {
  EXPECT_EQ(functionsOf("x: f32[2, 3] = placeholder\n"
                        "y: f32[2, 3] = placeholder\n"
                        "z: f32[2, 3] = aten.copysign.Tensor(x, y)\n"
                        "return z",
                        {"aten.copysign"}),
            "def aten_copysign_Tensor(self, other):\n"
            "    if self.is_floating_point() and other.dtype == self.dtype:\n"
            "        abs = aten.abs.default(self)\n"
            "        eq = aten.eq.Scalar(aten.reciprocal.default(other), float('-inf'))\n"
            "        logical_or = aten.logical_or.default(aten.lt.Scalar(other, 0.0), eq)\n"
            "        return aten.where.self(logical_or, aten.neg.default(abs), abs)\n"
            "    return NotImplemented\n");
}

TEST(GeneralCalls, SizesThatARuleComparesAreACondition) {
  EXPECT_EQ(
      functionsOf("x: f32[2, 3] = placeholder\n"
                  "y: f32[3, 3] = placeholder\n"
                  "z: f32[2, 3] = aten.einsum.default('ij,jk->ik', [x, y])\n"
                  "return z",
                  {"aten.einsum"}),
      "def aten_einsum(equation, tensors, *, path=None):\n"
      "    if (equation == 'ij,jk->ik' and len(tensors) == 2 and tensors[0].is_floating_point() "
      "and\n"
      "            tensors[0].dim() == 2 and tensors[1].dtype == tensors[0].dtype and "
      "tensors[1].dim() == 2 and\n"
      "            tensors[1].shape[0] == tensors[0].shape[1] and path is None):\n"
      "        return aten.mm.default(tensors[0], tensors[1])\n"
      "    return NotImplemented\n");
}

TEST(GeneralCalls, ASizeThatARuleNeedsStays) {
  EXPECT_THAT(functionsOf("x: f32[2, 3, 4, 6] = placeholder\n"
                          "y: f32[2, 12, 2, 3] = aten.pixel_unshuffle.default(x, 2)\n"
                          "return y",
                          {"aten.pixel_unshuffle"}),
              HasSubstr("self.dim() == 4 and self.shape[2] == 4 and self.shape[3] == 6 and\n"
                        "            downscale_factor == 2):"));
}

/// Of max_unpool2d, which becomes a scatter, with `more` inputs and `calls`.
std::string functionsOfUnpool(const std::string& more, const std::string& calls) {
  return functionsOf(
      "x: f32[2, 3, 2, 2] = placeholder\n"
      "i: i64[2, 3, 2, 2] = placeholder\n" +
          more + "u: f32[2, 3, 4, 4] = aten.max_unpool2d.default(x, i, [4, 4])\n" + calls,
      {"aten.max_unpool2d", "aten.scatter.src"});
}

TEST(GeneralCalls, ARuleThatMakesCallsOfAnotherOneHasItsFunctionBesideTheOthers) {
  const std::string functions = functionsOfUnpool("", "return u");
  EXPECT_THAT(functions, HasSubstr("def aten_max_unpool2d(self, indices, output_size):\n"));
  EXPECT_THAT(functions, HasSubstr("def aten_scatter_src(self, dim, index, src):\n"));
  EXPECT_THAT(functions, Not(HasSubstr("shape ==")));
}

TEST(GeneralCalls, AFunctionBesideTheOthersReplacesNoCallThatStays) {
  const std::string functions = functionsOfUnpool(
      "a: f32[] = placeholder\n"
      "j: i64[] = placeholder\n",
      "s: f32[] = aten.scatter.src(a, 0, j, a)\n"
      "return (u, s)");
  EXPECT_THAT(functions, HasSubstr("def aten_max_unpool2d("));
  EXPECT_THAT(functions, Not(HasSubstr("def aten_scatter_src(")));
}

TEST(GeneralCalls, ATypeThatIsInTheFormulaStays) {
  const auto asinhOf = [](const std::string& dtype) {
    return functionsOf("x: " + dtype + "[2, 3] = placeholder\na: " + dtype +
                           "[2, 3] = aten.asinh.default(x)\nreturn a",
                       {"aten.asinh"});
  };
  EXPECT_THAT(asinhOf("f32"), HasSubstr("    if self.dtype == torch.float32:\n"));
  EXPECT_THAT(asinhOf("f16"), HasSubstr("    if self.dtype == torch.float16:\n"));
}

TEST(GeneralCalls, CallsOfSeveralSizesAreOneBranch) {
  EXPECT_EQ(functionsOf("x: f32[2, 4] = placeholder\n"
                        "d: f32[2, 3] = aten.diff.default(x)\n"
                        "e: f32[2, 2] = aten.diff.default(d)\n"
                        "return e",
                        {"aten.diff"}),
            "def aten_diff(self, n=1, dim=-1, prepend=None, append=None):\n"
            "    if (self.is_floating_point() and self.dim() == 2 and n == 1 and dim == -1 and "
            "prepend is "
            "None and\n"
            "            append is None):\n"
            "        slice = aten.slice.Tensor(self, 1, 1, 9223372036854775807)\n"
            "        return aten.sub.Tensor(slice, aten.slice.Tensor(self, 1, 0, -1))\n"
            "    return NotImplemented\n");
}

TEST(GeneralCalls, AValueThatIsTwoOperandsIsNotACondition) {
  EXPECT_THAT(functionsOf("x: f32[2, 4] = placeholder\n"
                          "y: f32[2, 4] = placeholder\n"
                          "d: f32[2, 4, 2] = aten.dstack.default([x, x])\n"
                          "e: f32[2, 4, 2] = aten.dstack.default([x, y])\n"
                          "return (d, e)",
                          {"aten.dstack"}),
              HasSubstr("aten.cat.default([unsqueeze, aten.unsqueeze.default(tensors[1], 2)], 2)"));
}

TEST(GeneralCalls, BesideACallThatStaysSizesAreThoseOfTheProgram) {
  // The rule does not take so many differences.
  EXPECT_THAT(functionsOf("x: f32[2, 80] = placeholder\n"
                          "d: f32[2, 79] = aten.diff.default(x)\n"
                          "e: f32[2, 14] = aten.diff.default(d, 65)\n"
                          "return e",
                          {"aten.diff"}),
              HasSubstr("self.shape == (2, 80)"));
}

}  // namespace
}  // namespace fxs::diagnose
