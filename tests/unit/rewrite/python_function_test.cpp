// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/python_function.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fx/single_call.h"
#include "program_from.h"

namespace fxs::rewrite {
namespace {

using test::programFrom;
using testing::HasSubstr;

/// A call named `y` in one program, and a program with the same inputs that replaces it.
ReplacedCall replacedCall(const char* call, const char* by) {
  const fx::ProgramPtr program = programFrom(call);
  return {*fx::singleCall(program, program->findNode("y")->id), programFrom(by)};
}

TEST(PythonFunction, IsForTheCallsThatItWasPrintedFrom) {
  const ReplacedCall full = replacedCall(
      "x: f32[2, 3] = placeholder\n"
      "y: f32[2, 3] = aten.gelu.default(x, approximate='tanh')\n"
      "return y",
      "x: f32[2, 3] = placeholder\n"
      "a: f32[2, 3] = aten.mul.Tensor(x, 0.5)\n"
      "b: f32[2, 3] = aten.mul.Tensor(a, x)\n"
      "return b");
  const ReplacedCall dynamic = replacedCall(
      "x: bf16[s0, 3] = placeholder\n"
      "y: bf16[s0, 3] = aten.gelu.default(x)\n"
      "return y",
      "x: bf16[s0, 3] = placeholder\n"
      "f: f32[s0, 3] = aten.full.default([], inf, dtype=torch.float32, device=cpu)\n"
      "return f");
  const auto text = pythonFunction({full, dynamic, full});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(
      *text,
      "def aten_gelu(self, *, approximate='none'):\n"
      "    if (self.dtype == torch.float32 and self.shape == (2, 3) and approximate == 'tanh'):\n"
      "        mul = aten.mul.Tensor(self, 0.5)\n"
      "        mul_1 = aten.mul.Tensor(mul, self)\n"
      "        return mul_1\n"
      "    if (self.dtype == torch.bfloat16 and self.dim() == 2 and self.shape[1] == 3 and "
      "approximate == 'none'):\n"
      "        full = aten.full.default([], float('inf'), dtype=torch.float32, "
      "device=torch.device('cpu'))\n"
      "        return full\n"
      "    return NotImplemented\n");
}

TEST(PythonFunction, PartsOfResultsAndListsOfOperandsHaveExpressions) {
  const auto text =
      pythonFunction({replacedCall("p: f32[2] = placeholder\n"
                                   "q: f32[2] = placeholder\n"
                                   "y: f32[4] = aten.cat.default([p, q])\n"
                                   "return y",
                                   "p: f32[2] = placeholder\n"
                                   "q: f32[2] = placeholder\n"
                                   "s: (f32[2], i64[2]) = aten.sort.default(q)\n"
                                   "v: f32[2] = getitem(s, 0)\n"
                                   "c: f32[4] = aten.concat.default([v, p])\n"
                                   "return c")});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_THAT(
      *text,
      HasSubstr(
          "len(tensors) == 2 and tensors[0].dtype == torch.float32 and tensors[0].shape == (2,)"));
  EXPECT_THAT(*text, HasSubstr("sort = aten.sort.default(tensors[1])\n        concat = "
                               "aten.concat.default([sort[0], tensors[0]])\n"));
}

TEST(PythonFunction, AnArgumentAfterOneThatIsLeftOutHasItsName) {
  const auto text =
      pythonFunction({replacedCall("x: f32[4] = placeholder\n"
                                   "y: f32[2] = aten.slice.Tensor(x, 0, 0, 2)\n"
                                   "return y",
                                   "x: f32[4] = placeholder\n"
                                   "s: f32[2] = aten.slice.Tensor(x, 0, end=2)\n"
                                   "return s")});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_THAT(*text, HasSubstr("slice = aten.slice.Tensor(self, 0, end=2)\n"));
}

TEST(PythonFunction, ACallOfItselfHasNoFunction) {
  const auto text =
      pythonFunction({replacedCall("x: f32[4] = placeholder\n"
                                   "y: f32[4] = aten.relu.default(x)\n"
                                   "return y",
                                   "x: f32[4] = placeholder\n"
                                   "z: f32[4] = aten.relu.default(x)\n"
                                   "w: f32[4] = aten.neg.default(z)\n"
                                   "return w")});
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, HasSubstr("a call of itself"));
}

TEST(PythonFunction, WhatIsDecomposedAboveAutogradIsNotCalled) {
  const auto text =
      pythonFunction({replacedCall("x: f32[4] = placeholder\n"
                                   "y: f32[4] = aten.relu.default(x)\n"
                                   "return y",
                                   "x: f32[4] = placeholder\n"
                                   "z: f32[4] = aten.hardshrink.default(x)\n"
                                   "return z")});
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, HasSubstr("a call of aten.hardshrink.default"));
}

TEST(PythonFunction, TextOfAFileIsQuotedAndOperatorsOfOthersAreRefused) {
  const auto hostile = pythonFunction(
      {replacedCall("x: f32[4] = placeholder\n"
                    "y: f32[4] = aten.gelu.default(x, approximate='a\\'); import os; (\\'')\n"
                    "return y",
                    "x: f32[4] = placeholder\n"
                    "z: f32[4] = aten.relu.default(x)\n"
                    "return z")});
  ASSERT_TRUE(hostile) << hostile.error().message;
  EXPECT_THAT(*hostile, HasSubstr(R"(approximate == "a'); import os; ('")"));
  const auto other =
      pythonFunction({replacedCall("x: f32[4] = placeholder\n"
                                   "y: f32[4] = acme.swiglu.default(x)\n"
                                   "return y",
                                   "x: f32[4] = placeholder\n"
                                   "return x")});
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message,
              HasSubstr("acme.swiglu.default is not an operator of PyTorch"));
}

}  // namespace
}  // namespace fxs::rewrite
