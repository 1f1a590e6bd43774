// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbolic sizes of hostile files: what they can grow to, and what reading them costs.
#include <gtest/gtest.h>

#include "base/budget.h"
#include "fx/cost.h"
#include "fx/sym_extent.h"

namespace fxs::fx {
namespace {

SymExprPtr parsedInfix(const std::string& infix) { return parseInfix(infix).value(); }

TEST(SymLimits, AChainOfProductsIsAbandonedBeforeItsTextGrows) {
  SymInt size(parsedInfix("s0 + s1"));
  std::string message = "it was never abandoned";
  try {
    for (int i = 0; i < 64; ++i) size = size * size;
  } catch (const Abandoned& abandoned) {
    message = abandoned.error.message;
  }
  EXPECT_EQ(message, "a symbolic size exceeds 32768 parts, or 200 levels");
  EXPECT_LE(extentOf(*size.expr()).parts, kMaxSymExprParts);
}

TEST(SymLimits, AChainOfSumsOfLargeProductsIsAbandonedByItsDepth) {
  std::string large = "s0";
  for (int i = 1; i < 20; ++i)
    large += "*s" + std::to_string(i);  // more factors than are multiplied out
  SymInt size(parsedInfix(large));
  EXPECT_THROW(for (int i = 0; i < 300; ++i) size = size + size, Abandoned);
}

TEST(SymLimits, ALongSumIsReadInOnePass) {
  std::string sum = "a", product = "2*a";
  for (int i = 0; i < 32000; ++i) sum += "+a";
  for (int i = 0; i < 32000; ++i) product += "*a";
  EXPECT_EQ(parsedInfix(sum)->operands.size(), 32001u);
  EXPECT_EQ(parsedInfix(product)->operands.size(), 32002u);
}

TEST(SymLimits, WhatIsSharedIsNotTakenApart) {
  EXPECT_EQ(infix(*parsedInfix("a + b + c*(a + b)*d")), "a + b + c*(a + b)*d");
  EXPECT_EQ(infix(*parsedInfix("Max(a*b, a*b*c)")), "Max(a*b, a*b*c)");
}

TEST(SymLimits, AnExponentThatHasNoOppositeIsPrinted) {
  const auto expr = parseSrepr("Mul(Symbol('a'), Pow(Symbol('b'), Integer(-9223372036854775808)))");
  EXPECT_EQ(infix(**expr), "a*b**(-9223372036854775808)");
}

TEST(SymLimits, LongExpressionsCostMoreThanTheirLength) {
  EXPECT_EQ(costOfParsing(std::string(80, 'a')), 60u);
  EXPECT_EQ(costOfParsing(std::string(kMaxSymExprLength, 'a')), 33'562'624u);
  EXPECT_EQ(costOf(*parsedInfix("2*s0 + 1")), 5u);
}

}  // namespace
}  // namespace fxs::fx
