// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs with symbolic sizes: dynamic types, sizes as values, and where they come from.
#include "lowered_text.h"

namespace fxs::registry {
namespace {

using test::body;
using test::coverage;

TEST(SymbolicSizes, AreReadFromTheInputThatHasThem) {
  EXPECT_EQ(body(R"(x: f32[s0, 4] = placeholder
view: f32[s0, 2, 2] = aten.view.default(x, [-1, 2, 2])
return view
)"),
            R"(%0 = "arith.constant"() <{value = 0 : index}> : () -> index
%1 = "tensor.dim"(%arg0, %0) : (tensor<?x4xf32>, index) -> index
%2 = "tensor.expand_shape"(%arg0, %1) <{reassociation = [[0], [1, 2]], static_output_shape = array<i64: -9223372036854775808, 2, 2>}> : (tensor<?x4xf32>, index) -> tensor<?x2x2xf32>
"func.return"(%2) : (tensor<?x2x2xf32>) -> ()
)");
}

TEST(SymbolicSizes, OfAnExpressionAreComputed) {
  const std::string text = body(R"(x: f32[s0] = placeholder
y: f32[2*s1] = placeholder
cat: f32[s0 + 2*s1] = aten.cat.default([x, y])
return cat
)");
  EXPECT_TRUE(text.starts_with(R"(%0 = "arith.constant"() <{value = 0 : index}> : () -> index
%1 = "tensor.dim"(%arg0, %0) : (tensor<?xf32>, index) -> index
%2 = "arith.constant"() <{value = 2 : index}> : () -> index
%3 = "arith.constant"() <{value = 0 : index}> : () -> index
%4 = "tensor.dim"(%arg1, %3) : (tensor<?xf32>, index) -> index
%5 = "arith.constant"() <{value = 2 : index}> : () -> index
%6 = "arith.divsi"(%4, %5) : (index, index) -> index
%7 = "arith.muli"(%2, %6) : (index, index) -> index
%8 = "arith.addi"(%1, %7) : (index, index) -> index
)")) << text;
}

TEST(SymbolicSizes, AreIntegersToTheirUsers) {
  EXPECT_EQ(coverage(R"(x: f32[s0, 4] = placeholder
size: Sym(s0) = aten.sym_size.int(x, 0)
half: Sym(s0//2) = _operator.floordiv(size, 2)
arange: i64[s0] = aten.arange.default(size)
slice: f32[s0 - s0//2, 4] = aten.slice.Tensor(x, 0, half)
return arange, slice, half
)"),
            "arange: lowered linalg ArangeOp 11\nslice: lowered linalg SliceOp 14\n  tosa: its "
            "handler supports static sizes only\n");
}

TEST(SymbolicSizes, OfOtherHandlersAndUnknownOnesAreRefused) {
  EXPECT_EQ(coverage(R"(x: f32[s0, 4] = placeholder
sort: (f32[s0, 4], i64[s0, 4]) = aten.sort.default(x)
full: f32[u0] = aten.full.default([2], 1.0)
return sort, full
)"),
            "sort: refused SortOp 1\n  linalg: its handler supports static sizes only\n"
            "full: refused FullOp 1\n  linalg: nothing says what a symbolic size is\n");
}

TEST(SymbolicSizes, AnIntegerThatIsASymbolsNumberIsRefused) {
  EXPECT_EQ(coverage(R"(x: f32[4] = placeholder
slice: f32[4] = aten.slice.Tensor(x, 0, -7857158861440942080)
return slice
)"),
            "slice: refused SliceOp 1\n  tosa, linalg: argument 'start' is -7857158861440942080, "
            "not a constant integer\n");
}

}  // namespace
}  // namespace fxs::registry
