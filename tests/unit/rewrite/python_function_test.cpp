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
      "    if self.dtype == torch.float32 and self.shape == (2, 3) and approximate == 'tanh':\n"
      "        return aten.mul.Tensor(aten.mul.Tensor(self, 0.5), self)\n"
      "    if self.dtype == torch.bfloat16 and self.dim() == 2 and self.shape[1] == 3 and "
      "approximate == 'none':\n"
      "        return aten.full.default([], float('inf'), dtype=torch.float32)\n"
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
  EXPECT_THAT(*text, HasSubstr("sort = aten.sort.default(tensors[1])\n        return "
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
  EXPECT_THAT(*text, HasSubstr("return aten.slice.Tensor(self, 0, end=2)\n"));
}

TEST(PythonFunction, AValueThatIsUsedOnceIsWrittenWhereItIsUsedUnlessTheLineIsTooLong) {
  const auto text =
      pythonFunction({replacedCall("x: f32[4] = placeholder\n"
                                   "y: f32[4] = aten.gelu.default(x)\n"
                                   "return y",
                                   "x: f32[4] = placeholder\n"
                                   "a: f32[4] = aten.tanh.default(x)\n"
                                   "b: f32[4] = aten.exp.default(x)\n"
                                   "c: f32[4] = aten.mul.Tensor(a, b)\n"
                                   "d: f32[4] = aten.add.Tensor(c, x, alpha=1)\n"
                                   "e: f32[4] = aten.mul.Tensor(d, d)\n"
                                   "f: f32[4] = aten.clamp.default(e, -1.25, 1.25)\n"
                                   "g: f32[4] = aten.where.self(f, f, e)\n"
                                   "r: f32[4] = aten.rand_like.default(x, device=cpu)\n"
                                   "h: f32[4] = aten.sub.Tensor(g, r)\n"
                                   "return h")});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_THAT(
      *text,
      HasSubstr("        add = aten.add.Tensor(aten.mul.Tensor(aten.tanh.default(self), "
                "aten.exp.default(self)), self)\n"
                "        mul = aten.mul.Tensor(add, add)\n"
                "        clamp = aten.clamp.default(mul, -1.25, 1.25)\n"
                "        rand_like = aten.rand_like.default(self)\n"
                "        return aten.sub.Tensor(aten.where.self(clamp, clamp, mul), rand_like)\n"));
  const auto broken = pythonFunction(
      {replacedCall("x: f32[4] = placeholder\n"
                    "y: f32[4] = aten.gelu.default(x)\n"
                    "return y",
                    "x: f32[4] = placeholder\n"
                    "a: f32[4] = aten.clamp.default(x, 1234567890.123, 2234567890.123)\n"
                    "b: f32[4] = aten.clamp.default(a, 3234567890.123, 4234567890.123)\n"
                    "c: f32[4] = aten.neg.default(b)\n"
                    "return c")});
  ASSERT_TRUE(broken) << broken.error().message;
  EXPECT_THAT(*broken,
              HasSubstr("        clamp = aten.clamp.default(self, 1234567890.123, 2234567890.123)\n"
                        "        return aten.neg.default(aten.clamp.default(clamp, "
                        "3234567890.123, 4234567890.123))\n"));
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
