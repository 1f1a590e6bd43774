// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Upper bounds in place of sizes that are known only at run time.
#include "diagnose/upper_bounds.h"

#include <gtest/gtest.h>

#include "fx/text.h"
#include "program_from.h"

namespace fxs::diagnose {
namespace {

/// The program with bounds, or why it has none.
std::string bounded(std::string_view text, BoundedResults results = BoundedResults::Refused) {
  const fx::ProgramPtr program = test::programFrom(text);
  const auto out = withUpperBounds(program, results, program, {});
  return out ? fx::dump(**out) : out.error().message;
}

/// "u0 <= 4; not checked: u0 >= 2", or why there is none.
std::string boundsOf(std::string_view text) {
  const auto sizes = sizeBoundsOf(*test::programFrom(text));
  if (!sizes) return sizes.error().message;
  std::string out;
  for (const auto& [symbol, bound] : sizes->bounds)
    out += (out.empty() ? "" : ", ") + symbol + " <= " + std::to_string(bound.most);
  for (const std::string& condition : sizes->unchecked) out += "; not checked: " + condition;
  return out;
}

TEST(SizeBounds, OfACountAreTheElementsOfTheMask) {
  EXPECT_EQ(boundsOf(R"(
mask: b8[3, 4] = placeholder
nz: i64[u0, 2] = aten.nonzero.default(mask)
return nz
)"),
            "u0 <= 12");
}

TEST(SizeBounds, OfANumberAreWhatIsSlicedAndWhatMustHoldIsNamed) {
  EXPECT_EQ(boundsOf(R"(
x: f32[6, 4] = placeholder
n: i64[] = placeholder
k: Sym(u0) = aten.item.default(n)
ge: Sym(u0 >= 2) = _operator.ge(k, 2)
checked = aten._assert_scalar.default(ge, 'at least 2')
y: f32[u0, 4] = aten.narrow.default(x, 0, 1, k)
return y
)"),
            "u0 <= 5; not checked: u0 >= 2");
}

TEST(SizeBounds, AreUnknownOfANumberAndOfAnExpression) {
  EXPECT_EQ(boundsOf(R"(
n: i64[] = placeholder
k: Sym(u0) = aten.item.default(n)
y: i64[u0] = aten.arange.default(k)
return y
)"),
            "the size u0 of 'y' has no upper bound");
  EXPECT_EQ(boundsOf(R"(
x: f32[4] = placeholder
mask: b8[4] = placeholder
nz: i64[u0, 1] = aten.nonzero.default(mask)
all: i64[2*u0, 1] = aten.cat.default([nz, nz])
return all
)"),
            "no upper bound is given to the size 2*u0 of 'all'");
}

constexpr std::string_view kSelected = R"(
x: f32[4, 3] = placeholder
mask: b8[4] = placeholder
nz: i64[u0, 1] = aten.nonzero.default(mask)
rows: i64[u0] = aten.squeeze.dim(nz, 1)
picked: f32[u0, 3] = aten.index_select.default(x, 0, rows)
)";

TEST(UpperBounds, ASumOfSelectedRowsIsOneOfAllWithZeros) {
  EXPECT_EQ(bounded(std::string(kSelected) + R"(
total: f32[3] = aten.sum.dim_IntList(picked, [0])
return total
)"),
            "");
}

TEST(UpperBounds, AMeanIsDividedByTheCount) {
  EXPECT_EQ(bounded(std::string(kSelected) + R"(
average: f32[3] = aten.mean.dim(picked, [0])
return average
)"),
            "");
}

TEST(UpperBounds, AWriteAtTheSameMaskIsAChoice) {
  EXPECT_EQ(bounded(std::string(kSelected) + R"(
twice: f32[u0, 3] = aten.mul.Tensor(picked, 2)
written: f32[4, 3] = aten.index_put.default(x, [mask], twice)
return written
)"),
            "");
}

TEST(UpperBounds, ANumberThatIsASizeMasksWhatIsBeyondIt) {
  EXPECT_EQ(bounded(R"(
x: f32[6, 4] = placeholder
n: i64[] = placeholder
k: Sym(u0) = aten.item.default(n)
y: f32[u0, 4] = aten.narrow.default(x, 0, 0, k)
most: f32[4] = aten.amax.default(y, [0])
return most
)"),
            "");
}

TEST(UpperBounds, ResultsAreRefusedOrPadded) {
  const std::string text = std::string(kSelected) + "return picked\n";
  EXPECT_EQ(bounded(text), "result 'picked' has a size known only at run time");
  EXPECT_EQ(bounded(text, BoundedResults::Padded), "");
}

TEST(UpperBounds, AnOrderOfRowsIsThatOfTheSelection) {
  // The second selected row is no row of its own of x.
  EXPECT_EQ(bounded(std::string(kSelected) + R"(
one: f32[3] = aten.select.int(picked, 0, 1)
return one
)"),
            "");
}

TEST(UpperBounds, WhatMayMixRowsIsRefused) {
  EXPECT_EQ(bounded(std::string(kSelected) + R"(
pair: (f32[u0, 3], i64[u0, 3]) = aten.sort.default(picked, 0)
first: f32[u0, 3] = getitem(pair, 0)
total: f32[] = aten.sum.default(first)
return total
)"),
            "aten.sort.default: not known to compute the same of the greatest size ('pair')");
}

TEST(UpperBounds, RowsOfTwoMasksDoNotMeetInPlace) {
  // As many rows, in other places: those that are selected come first.
  const std::string text = bounded(R"(
x: f32[4] = placeholder
a: b8[4] = placeholder
b: b8[4] = placeholder
na: i64[u0, 1] = aten.nonzero.default(a)
nb: i64[u0, 1] = aten.nonzero.default(b)
ra: i64[u0] = aten.squeeze.dim(na, 1)
rb: i64[u0] = aten.squeeze.dim(nb, 1)
xa: f32[u0] = aten.index_select.default(x, 0, ra)
xb: f32[u0] = aten.index_select.default(x, 0, rb)
product: f32[u0] = aten.mul.Tensor(xa, xb)
total: f32[] = aten.sum.default(product)
return total
)");
  EXPECT_NE(text.find("aten.le.Tensor"), std::string::npos) << text;
}

TEST(UpperBounds, ASizeThatIsComputedWithIsRefused) {
  EXPECT_EQ(bounded(std::string(kSelected) + R"(
count: Sym(u0) = aten.sym_size.int(picked, 0)
total: f32[3] = aten.sum.dim_IntList(picked, [0])
scaled: f32[3] = aten.div.Tensor(total, count)
return scaled
)"),
            "aten.div.Tensor: not known to compute the same of the greatest size ('scaled')");
}

}  // namespace
}  // namespace fxs::diagnose
