// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Upper bounds in place of sizes that are known only at run time.
#include "diagnose/upper_bounds.h"

#include <gtest/gtest.h>

#include "diagnose/change.h"
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

/// What follows the positions of the selected rows.
std::string fromRows(const std::string& dump) {
  const std::size_t at = dump.find("    %rows");
  return at == std::string::npos ? dump : dump.substr(at);
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
            R"(graph():
    %x : f32[4, 3] [num_users=1] = placeholder[target=x]
    %mask : b8[4] [num_users=1] = placeholder[target=mask]
    %reshape : b8[4, 1] [num_users=1] = call_function[target=torch.ops.aten.reshape.default](args = (%mask, [4, 1]), kwargs = {})
    %full : f32[] [num_users=1] = call_function[target=torch.ops.aten.full.default](args = ([], 0.0), kwargs = {dtype: torch.float32, device: cpu, pin_memory: False})
    %where : f32[4, 3] [num_users=1] = call_function[target=torch.ops.aten.where.self](args = (%reshape, %x, %full), kwargs = {})
    %sum : f32[3] [num_users=1] = call_function[target=torch.ops.aten.sum.dim_IntList](args = (%where, [0]), kwargs = {})
    return (sum,)
)");
}

TEST(UpperBounds, AMeanIsDividedByTheCount) {
  EXPECT_EQ(bounded(std::string(kSelected) + R"(
average: f32[3] = aten.mean.dim(picked, [0])
return average
)"),
            R"(graph():
    %x : f32[4, 3] [num_users=1] = placeholder[target=x]
    %mask : b8[4] [num_users=2] = placeholder[target=mask]
    %reshape : b8[4, 1] [num_users=1] = call_function[target=torch.ops.aten.reshape.default](args = (%mask, [4, 1]), kwargs = {})
    %full : f32[] [num_users=1] = call_function[target=torch.ops.aten.full.default](args = ([], 0.0), kwargs = {dtype: torch.float32, device: cpu, pin_memory: False})
    %where : f32[4, 3] [num_users=1] = call_function[target=torch.ops.aten.where.self](args = (%reshape, %x, %full), kwargs = {})
    %convert_element_type : i64[4] [num_users=1] = call_function[target=torch.ops.prims.convert_element_type.default](args = (%mask, torch.int64), kwargs = {})
    %sum : i64[] [num_users=1] = call_function[target=torch.ops.aten.sum.dim_IntList](args = (%convert_element_type, [0], False), kwargs = {})
    %convert_element_type_1 : f32[] [num_users=1] = call_function[target=torch.ops.prims.convert_element_type.default](args = (%sum, torch.float32), kwargs = {})
    %sum_1 : f32[3] [num_users=1] = call_function[target=torch.ops.aten.sum.dim_IntList](args = (%where, [0], False), kwargs = {})
    %div : f32[3] [num_users=1] = call_function[target=torch.ops.aten.div.Tensor](args = (%sum_1, %convert_element_type_1), kwargs = {})
    return (div,)
)");
}

TEST(UpperBounds, AWriteAtTheSameMaskIsAChoice) {
  EXPECT_EQ(bounded(std::string(kSelected) + R"(
twice: f32[u0, 3] = aten.mul.Tensor(picked, 2)
written: f32[4, 3] = aten.index_put.default(x, [mask], twice)
return written
)"),
            R"(graph():
    %x : f32[4, 3] [num_users=2] = placeholder[target=x]
    %mask : b8[4] [num_users=1] = placeholder[target=mask]
    %twice : f32[4, 3] [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%x, 2), kwargs = {})
    %reshape : b8[4, 1] [num_users=1] = call_function[target=torch.ops.aten.reshape.default](args = (%mask, [4, 1]), kwargs = {})
    %where : f32[4, 3] [num_users=1] = call_function[target=torch.ops.aten.where.self](args = (%reshape, %twice, %x), kwargs = {})
    return (where,)
)");
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
            R"(graph():
    %x : f32[6, 4] [num_users=1] = placeholder[target=x]
    %n : i64[] [num_users=1] = placeholder[target=n]
    %y : f32[6, 4] [num_users=1] = call_function[target=torch.ops.aten.narrow.default](args = (%x, 0, 0, 6), kwargs = {})
    %reshape : i64[1] [num_users=1] = call_function[target=torch.ops.aten.reshape.default](args = (%n, [1]), kwargs = {})
    %arange : i64[6] [num_users=1] = call_function[target=torch.ops.aten.arange.start_step](args = (0, 6, 1), kwargs = {dtype: torch.int64, device: cpu, pin_memory: False})
    %lt : b8[6] [num_users=1] = call_function[target=torch.ops.aten.lt.Tensor](args = (%arange, %reshape), kwargs = {})
    %reshape_1 : b8[6, 1] [num_users=1] = call_function[target=torch.ops.aten.reshape.default](args = (%lt, [6, 1]), kwargs = {})
    %full : f32[] [num_users=1] = call_function[target=torch.ops.aten.full.default](args = ([], -inf), kwargs = {dtype: torch.float32, device: cpu, pin_memory: False})
    %where : f32[6, 4] [num_users=1] = call_function[target=torch.ops.aten.where.self](args = (%reshape_1, %y, %full), kwargs = {})
    %amax : f32[4] [num_users=1] = call_function[target=torch.ops.aten.amax.default](args = (%where, [0]), kwargs = {})
    return (amax,)
)");
}

TEST(UpperBounds, ResultsAreRefusedOrPadded) {
  const std::string text = std::string(kSelected) + "return picked\n";
  EXPECT_EQ(bounded(text), "result 'picked' has a size known only at run time");
  EXPECT_EQ(
      fromRows(bounded(text, BoundedResults::Padded)),
      R"(    %rows : i64[4] [num_users=1] = call_function[target=torch.ops.aten.squeeze.dim](args = (%unsqueeze_3, 1), kwargs = {})
    %index_select : f32[4, 3] [num_users=1] = call_function[target=torch.ops.aten.index_select.default](args = (%x, 0, %rows), kwargs = {})
    %reshape : i64[1] [num_users=1] = call_function[target=torch.ops.aten.reshape.default](args = (%sum_2, [1]), kwargs = {})
    %arange_2 : i64[4] [num_users=1] = call_function[target=torch.ops.aten.arange.start_step](args = (0, 4, 1), kwargs = {dtype: torch.int64, device: cpu, pin_memory: False})
    %lt : b8[4] [num_users=1] = call_function[target=torch.ops.aten.lt.Tensor](args = (%arange_2, %reshape), kwargs = {})
    %reshape_1 : b8[4, 1] [num_users=1] = call_function[target=torch.ops.aten.reshape.default](args = (%lt, [4, 1]), kwargs = {})
    %full : f32[] [num_users=1] = call_function[target=torch.ops.aten.full.default](args = ([], 0.0), kwargs = {dtype: torch.float32, device: cpu, pin_memory: False})
    %where : f32[4, 3] [num_users=1] = call_function[target=torch.ops.aten.where.self](args = (%reshape_1, %index_select, %full), kwargs = {})
    return (where,)
)");
}

TEST(UpperBounds, AnOrderOfRowsIsThatOfTheSelection) {
  // The second selected row is no row of its own of x.
  EXPECT_EQ(
      fromRows(bounded(std::string(kSelected) + R"(
one: f32[3] = aten.select.int(picked, 0, 1)
return one
)")),
      R"(    %rows : i64[4] [num_users=1] = call_function[target=torch.ops.aten.squeeze.dim](args = (%unsqueeze_3, 1), kwargs = {})
    %index_select : f32[4, 3] [num_users=1] = call_function[target=torch.ops.aten.index_select.default](args = (%x, 0, %rows), kwargs = {})
    %one : f32[3] [num_users=1] = call_function[target=torch.ops.aten.select.int](args = (%index_select, 0, 1), kwargs = {})
    return (one,)
)");
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

/// The size of `y` with a change of the sizes that are known only at run time.
std::string otherSize(bool isStatic) {
  RewriteBase base;
  base.user = test::programFrom(R"(
x: f32[s0] = placeholder
v: f32[4] = placeholder
mask: b8[4] = placeholder
picked: f32[u0] = aten.index.Tensor(v, [mask])
total: f32[] = aten.sum.default(picked)
y: f32[s0] = aten.mul.Tensor(x, total)
return y
)");
  Change change;
  change.upperBounds = BoundedResults::Refused;
  change.staticSizes = isStatic;
  const auto changed = changedProgram(base, {&change}, {});
  return changed ? fx::dumpValue((*changed)->findNode("y")->val) : changed.error().message;
}

TEST(UpperBounds, OtherSizesStayUnlessTheyAreFixedToo) {
  EXPECT_EQ(otherSize(false), "f32[s0]");
  EXPECT_EQ(otherSize(true), "f32[4]");
}

}  // namespace
}  // namespace fxs::diagnose
