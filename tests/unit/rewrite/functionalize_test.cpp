// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What writes become.
#include <gtest/gtest.h>

#include "rewritten.h"

namespace fxs::rewrite {
namespace {

TEST(Functionalize, WriteThroughSelectBecomesSelectScatter) {
  EXPECT_EQ(rewritten(R"(x: f32[4, 6] = placeholder
add: f32[4, 6] = aten.add.Tensor(x, 1)
select: f32[6] = aten.select.int(add, 0, 0)
mul_: f32[6] = aten.mul_.Tensor(select, 2)
select_1: f32[4] stride=[6] = aten.select.int(add, 1, 0)
return select_1, mul_, add
)"),
            R"(graph():
    %x : f32[4, 6] [num_users=1] = placeholder[target=x]
    %add : f32[4, 6] [num_users=2] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 1), kwargs = {})
    %select : f32[6] [num_users=1] = call_function[target=torch.ops.aten.select.int](args = (%add, 0, 0), kwargs = {})
    %mul : f32[6] [num_users=2] = call_function[target=torch.ops.aten.mul.Tensor](args = (%select, 2), kwargs = {})
    %select_scatter : f32[4, 6] [num_users=2] = call_function[target=torch.ops.aten.select_scatter.default](args = (%add, %mul, 0, 0), kwargs = {})
    %select_1 : f32[4] stride=[6] [num_users=1] = call_function[target=torch.ops.aten.select.int](args = (%select_scatter, 1, 0), kwargs = {})
    return (select_1, mul, select_scatter)
)");
}

TEST(Functionalize, ViewIsTakenAnewAfterItsBaseIsWritten) {
  EXPECT_EQ(rewritten(R"(x: f32[4, 6] = placeholder
add: f32[4, 6] = aten.add.Tensor(x, 1)
t: f32[6, 4] stride=[1, 6] = aten.t.default(add)
slice_1: f32[2, 4] stride=[1, 6] offset=2 = aten.slice.Tensor(t, 0, 2, 4)
sum_1: f32[] = aten.sum.default(slice_1)
zero_: f32[4, 6] = aten.zero_.default(add)
return sum_1, slice_1
)"),
            R"(graph():
    %x : f32[4, 6] [num_users=1] = placeholder[target=x]
    %add : f32[4, 6] [num_users=2] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 1), kwargs = {})
    %t : f32[6, 4] stride=[1, 6] [num_users=1] = call_function[target=torch.ops.aten.t.default](args = (%add,), kwargs = {})
    %slice_1 : f32[2, 4] stride=[1, 6] offset=2 [num_users=1] = call_function[target=torch.ops.aten.slice.Tensor](args = (%t, 0, 2, 4), kwargs = {})
    %sum_1 : f32[] [num_users=1] = call_function[target=torch.ops.aten.sum.default](args = (%slice_1,), kwargs = {})
    %zero : f32[4, 6] [num_users=1] = call_function[target=torch.ops.aten.zero.default](args = (%add,), kwargs = {})
    %t_1 : f32[6, 4] stride=[1, 6] [num_users=1] = call_function[target=torch.ops.aten.t.default](args = (%zero,), kwargs = {})
    %slice : f32[2, 4] stride=[1, 6] offset=2 [num_users=1] = call_function[target=torch.ops.aten.slice.Tensor](args = (%t_1, 0, 2, 4), kwargs = {})
    return (sum_1, slice)
)");
}

TEST(Functionalize, WriteGoesUpAChainOfViews) {
  EXPECT_EQ(rewritten(R"(x: f32[4, 6] = placeholder
clone: f32[4, 6] = aten.clone.default(x)
view: f32[2, 2, 6] = aten.view.default(clone, [2, 2, 6])
permute: f32[6, 2, 2] stride=[1, 12, 6] = aten.permute.default(view, [2, 0, 1])
slice_1: f32[2, 2, 2] stride=[1, 12, 6] offset=1 = aten.slice.Tensor(permute, 0, 1, 3)
fill_: f32[2, 2, 2] stride=[1, 12, 6] offset=1 = aten.fill_.Scalar(slice_1, 3)
return clone
)"),
            R"(graph():
    %x : f32[4, 6] [num_users=1] = placeholder[target=x]
    %clone : f32[4, 6] [num_users=1] = call_function[target=torch.ops.aten.clone.default](args = (%x,), kwargs = {})
    %view : f32[2, 2, 6] [num_users=1] = call_function[target=torch.ops.aten.view.default](args = (%clone, [2, 2, 6]), kwargs = {})
    %permute : f32[6, 2, 2] stride=[1, 12, 6] [num_users=2] = call_function[target=torch.ops.aten.permute.default](args = (%view, [2, 0, 1]), kwargs = {})
    %slice_1 : f32[2, 2, 2] stride=[1, 12, 6] offset=1 [num_users=1] = call_function[target=torch.ops.aten.slice.Tensor](args = (%permute, 0, 1, 3), kwargs = {})
    %fill : f32[2, 2, 2] [num_users=1] = call_function[target=torch.ops.aten.fill.Scalar](args = (%slice_1, 3), kwargs = {})
    %slice_scatter : f32[6, 2, 2] stride=[1, 12, 6] [num_users=1] = call_function[target=torch.ops.aten.slice_scatter.default](args = (%permute, %fill, 0, 1, 3, 1), kwargs = {})
    %permute_1 : f32[2, 2, 6] [num_users=1] = call_function[target=torch.ops.aten.permute.default](args = (%slice_scatter, [1, 2, 0]), kwargs = {})
    %reshape : f32[4, 6] [num_users=1] = call_function[target=torch.ops.aten.reshape.default](args = (%permute_1, [4, 6]), kwargs = {})
    return (reshape,)
)");
}

TEST(Functionalize, MutatedInputsComeFirstInTheOrderOfInputs) {
  EXPECT_EQ(rewritten(R"(b_total: f32[4] = buffer "total"
x: f32[4] = placeholder
y: f32[4] = placeholder
add_: f32[4] = aten.add_.Tensor(y, x)
mul_: f32[4] = aten.mul_.Tensor(b_total, y)
copy_: f32[4] = aten.copy_.default(x, mul_)
sum_1: f32[] = aten.sum.default(y)
return sum_1
)"),
            R"(graph():
    %b_total : f32[4] [num_users=1] = placeholder[target=b_total] buffer 'total'
    %x : f32[4] [num_users=1] = placeholder[target=x]
    %y : f32[4] [num_users=1] = placeholder[target=y]
    %add : f32[4] [num_users=3] = call_function[target=torch.ops.aten.add.Tensor](args = (%y, %x), kwargs = {})
    %mul : f32[4] [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%b_total, %add), kwargs = {})
    %sum_1 : f32[] [num_users=1] = call_function[target=torch.ops.aten.sum.default](args = (%add,), kwargs = {})
    return (mul, mul, add, sum_1) buffer_mutation 'total', user_input_mutation 'x', user_input_mutation 'y', user_output
)");
}

TEST(Functionalize, InPlaceKeepsTheTypeOfWhatItWrites) {
  EXPECT_EQ(rewritten(R"(x: f32[4] = placeholder
y: f64[4] = placeholder
add: f32[4] = aten.add.Tensor(x, 1)
add_: f32[4] = aten.add_.Tensor(add, y)
gt_: f32[4] = aten.gt_.Scalar(add, 0)
return add
)"),
            R"(graph():
    %x : f32[4] [num_users=1] = placeholder[target=x]
    %y : f64[4] [num_users=1] = placeholder[target=y]
    %add : f32[4] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 1), kwargs = {})
    %add_1 : f64[4] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%add, %y), kwargs = {})
    %_to_copy : f32[4] [num_users=1] = call_function[target=torch.ops.aten._to_copy.default](args = (%add_1,), kwargs = {dtype: torch.float32})
    %gt : b8[4] [num_users=1] = call_function[target=torch.ops.aten.gt.Scalar](args = (%_to_copy, 0), kwargs = {})
    %_to_copy_1 : f32[4] [num_users=1] = call_function[target=torch.ops.aten._to_copy.default](args = (%gt,), kwargs = {dtype: torch.float32})
    return (_to_copy_1,)
)");
}

TEST(Functionalize, CumsumInPlaceIsToldItsType) {
  EXPECT_EQ(rewritten(R"(x: i32[4] = placeholder
add: i32[4] = aten.add.Tensor(x, 1)
cumsum_: i32[4] = aten.cumsum_.default(add, 0)
return add
)"),
            R"(graph():
    %x : i32[4] [num_users=1] = placeholder[target=x]
    %add : i32[4] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 1), kwargs = {})
    %cumsum : i32[4] [num_users=1] = call_function[target=torch.ops.aten.cumsum.default](args = (%add, 0), kwargs = {dtype: torch.int32})
    return (cumsum,)
)");
}

TEST(Functionalize, CopyCastsAndBroadcastsToWhatItWrites) {
  EXPECT_EQ(rewritten(R"(x: f32[4, 6] = placeholder
y: i64[6] = placeholder
add: f32[4, 6] = aten.add.Tensor(x, 1)
copy_: f32[4, 6] = aten.copy_.default(add, y)
return add
)"),
            R"(graph():
    %x : f32[4, 6] [num_users=0] = placeholder[target=x]
    %y : i64[6] [num_users=1] = placeholder[target=y]
    %_to_copy : f32[6] [num_users=1] = call_function[target=torch.ops.aten._to_copy.default](args = (%y,), kwargs = {dtype: torch.float32})
    %expand : f32[4, 6] [num_users=1] = call_function[target=torch.ops.aten.expand.default](args = (%_to_copy, [4, 6]), kwargs = {})
    return (expand,)
)");
}

TEST(Functionalize, ReshapeThatCopiesSharesNothing) {
  EXPECT_EQ(rewritten(R"(x: f32[4, 6] = placeholder
add: f32[4, 6] = aten.add.Tensor(x, 1)
t: f32[6, 4] stride=[1, 6] = aten.t.default(add)
reshape: f32[24] = aten.reshape.default(t, [24])
reshape_1: f32[24] = aten.reshape.default(add, [24])
zero_: f32[24] = aten.zero_.default(reshape)
fill_: f32[24] = aten.fill_.Scalar(reshape_1, 1)
return add, reshape
)"),
            R"(graph():
    %x : f32[4, 6] [num_users=1] = placeholder[target=x]
    %add : f32[4, 6] [num_users=2] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 1), kwargs = {})
    %t : f32[6, 4] stride=[1, 6] [num_users=1] = call_function[target=torch.ops.aten.t.default](args = (%add,), kwargs = {})
    %reshape : f32[24] [num_users=1] = call_function[target=torch.ops.aten.reshape.default](args = (%t, [24]), kwargs = {})
    %reshape_1 : f32[24] [num_users=1] = call_function[target=torch.ops.aten.reshape.default](args = (%add, [24]), kwargs = {})
    %zero : f32[24] [num_users=1] = call_function[target=torch.ops.aten.zero.default](args = (%reshape,), kwargs = {})
    %fill : f32[24] [num_users=1] = call_function[target=torch.ops.aten.fill.Scalar](args = (%reshape_1, 1), kwargs = {})
    %reshape_2 : f32[4, 6] [num_users=1] = call_function[target=torch.ops.aten.reshape.default](args = (%fill, [4, 6]), kwargs = {})
    return (reshape_2, zero)
)");
}

TEST(Functionalize, SymbolicReshapeOfUnknownStridesIsAFindingWhenItMatters) {
  EXPECT_EQ(rewritten(R"(x: f32[s0, s1] = placeholder
y: f32[s2] = placeholder
permute: f32[s1, s0] stride=[1, s1] = aten.permute.default(x, [1, 0])
mul: f32[s1, s0] stride=[s5, s6] = aten.mul.Tensor(permute, 2)
reshape: f32[s0*s1] = aten.reshape.default(mul, [-1])
zero_: f32[s0*s1] = aten.zero_.default(reshape)
return mul
)"),
            R"(graph():
    %x : f32[s0, s1] [num_users=1] = placeholder[target=x]
    %y : f32[s2] [num_users=0] = placeholder[target=y]
    %permute : f32[s1, s0] stride=[1, s1] [num_users=1] = call_function[target=torch.ops.aten.permute.default](args = (%x, [1, 0]), kwargs = {})
    %mul : f32[s1, s0] stride=[s5, s6] [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%permute, 2), kwargs = {})
    return (mul,)
finding: zero_ (aten.zero_.default): it may write to mul, which output reads later; the file does not record whether the two share memory
)");
}

TEST(Functionalize, PartsOfASplitComeFromOneCall) {
  EXPECT_EQ(rewritten(R"(x: f32[4, 6] = placeholder
clone: f32[4, 6] = aten.clone.default(x)
split: (f32[4, 2] stride=[6, 1], f32[4, 2] stride=[6, 1] offset=2, f32[4, 2] stride=[6, 1] offset=4) = aten.split.Tensor(clone, 2, 1)
a: f32[4, 2] stride=[6, 1] = getitem(split, 0)
b: f32[4, 2] stride=[6, 1] offset=2 = getitem(split, 1)
c: f32[4, 2] stride=[6, 1] offset=4 = getitem(split, 2)
mul_: f32[4, 2] stride=[6, 1] offset=2 = aten.mul_.Tensor(b, 2)
return a, b, c
)"),
            R"(graph():
    %x : f32[4, 6] [num_users=1] = placeholder[target=x]
    %clone : f32[4, 6] [num_users=2] = call_function[target=torch.ops.aten.clone.default](args = (%x,), kwargs = {})
    %split : (f32[4, 2] stride=[6, 1], f32[4, 2] stride=[6, 1] offset=2, f32[4, 2] stride=[6, 1] offset=4) [num_users=1] = call_function[target=torch.ops.aten.split.Tensor](args = (%clone, 2, 1), kwargs = {})
    %b : f32[4, 2] stride=[6, 1] offset=2 [num_users=1] = call_function[target=operator.getitem](args = (%split, 1), kwargs = {})
    %mul : f32[4, 2] [num_users=2] = call_function[target=torch.ops.aten.mul.Tensor](args = (%b, 2), kwargs = {})
    %slice_scatter : f32[4, 6] [num_users=1] = call_function[target=torch.ops.aten.slice_scatter.default](args = (%clone, %mul, 1, 2, 4), kwargs = {})
    %split_1 : (f32[4, 2] stride=[6, 1], f32[4, 2] stride=[6, 1] offset=2, f32[4, 2] stride=[6, 1] offset=4) [num_users=2] = call_function[target=torch.ops.aten.split.Tensor](args = (%slice_scatter, 2, 1), kwargs = {})
    %getitem : f32[4, 2] stride=[6, 1] [num_users=1] = call_function[target=operator.getitem](args = (%split_1, 0), kwargs = {})
    %getitem_1 : f32[4, 2] stride=[6, 1] offset=4 [num_users=1] = call_function[target=operator.getitem](args = (%split_1, 2), kwargs = {})
    return (getitem, mul, getitem_1)
)");
}

TEST(Functionalize, DetachedTensorIsAnotherName) {
  EXPECT_EQ(rewritten(R"(x: f32[4] = placeholder
add: f32[4] = aten.add.Tensor(x, 1)
detach: f32[4] = aten.detach.default(add)
neg_: f32[4] = aten.neg_.default(detach)
return add, detach
)"),
            R"(graph():
    %x : f32[4] [num_users=1] = placeholder[target=x]
    %add : f32[4] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 1), kwargs = {})
    %neg : f32[4] [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%add,), kwargs = {})
    return (neg, neg)
)");
}

TEST(Functionalize, LiteralIsClonedBeforeItIsWritten) {
  EXPECT_EQ(rewritten(R"(c: f32[4] = tensor_constant "c"
lift: f32[4] = aten.lift_fresh_copy.default(c)
detach_: f32[4] = aten.detach_.default(lift)
neg_: f32[4] = aten.neg_.default(detach_)
return lift
)"),
            R"(graph():
    %c : f32[4] [num_users=1] = placeholder[target=c] tensor_constant 'c'
    %lift : f32[4] [num_users=1] = call_function[target=torch.ops.aten.clone.default](args = (%c,), kwargs = {})
    %neg : f32[4] [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%lift,), kwargs = {})
    return (neg,)
)");
}

TEST(Functionalize, OutVariantReturnsWhatItWrote) {
  EXPECT_EQ(rewritten(R"(x: f32[4] = placeholder
zeros: f32[2, 4] = aten.zeros.default([2, 4])
select: f32[4] offset=4 = aten.select.int(zeros, 0, 1)
mul: f32[4] offset=4 = aten.mul.out(x, x, out=select)
return zeros
)"),
            R"(graph():
    %x : f32[4] [num_users=1] = placeholder[target=x]
    %zeros : f32[2, 4] [num_users=1] = call_function[target=torch.ops.aten.zeros.default](args = ([2, 4],), kwargs = {})
    %mul_1 : f32[4] [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%x, %x), kwargs = {})
    %select_scatter : f32[2, 4] [num_users=1] = call_function[target=torch.ops.aten.select_scatter.default](args = (%zeros, %mul_1, 0, 1), kwargs = {})
    return (select_scatter,)
)");
}

TEST(Functionalize, QuotientOfIntegersIsAFloatUnlessItIsRounded) {
  EXPECT_EQ(rewritten(R"(x: i64[4] = placeholder
a: f64[4] = aten.zeros.default([4])
b: f64[4] = aten.zeros.default([4])
div: f64[4] = aten.div.out(x, x, out=a)
floor: f64[4] = aten.div.out_mode(x, x, rounding_mode='floor', out=b)
return a, b
)"),
            R"(graph():
    %x : i64[4] [num_users=2] = placeholder[target=x]
    %div_1 : f32[4] [num_users=1] = call_function[target=torch.ops.aten.div.Tensor](args = (%x, %x), kwargs = {})
    %_to_copy : f64[4] [num_users=1] = call_function[target=torch.ops.aten._to_copy.default](args = (%div_1,), kwargs = {dtype: torch.float64})
    %div_2 : i64[4] [num_users=1] = call_function[target=torch.ops.aten.div.Tensor_mode](args = (%x, %x), kwargs = {rounding_mode: 'floor'})
    %_to_copy_1 : f64[4] [num_users=1] = call_function[target=torch.ops.aten._to_copy.default](args = (%div_2,), kwargs = {dtype: torch.float64})
    return (_to_copy, _to_copy_1)
)");
}

TEST(Functionalize, ForeachReturnsItsList) {
  EXPECT_EQ(rewritten(R"(x: f32[4] = placeholder
a: f32[4] = aten.add.Tensor(x, 1)
b: f32[4] = aten.add.Tensor(x, 2)
foreach = aten._foreach_add_.Scalar([a, b], 1.0)
return a, b
)"),
            R"(graph():
    %x : f32[4] [num_users=2] = placeholder[target=x]
    %a : f32[4] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 1), kwargs = {})
    %b : f32[4] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 2), kwargs = {})
    %_foreach_add : (f32[4], f32[4]) [num_users=2] = call_function[target=torch.ops.aten._foreach_add.Scalar](args = ([%a, %b], 1.0), kwargs = {})
    %getitem : f32[4] [num_users=1] = call_function[target=operator.getitem](args = (%_foreach_add, 0), kwargs = {})
    %getitem_1 : f32[4] [num_users=1] = call_function[target=operator.getitem](args = (%_foreach_add, 1), kwargs = {})
    return (getitem, getitem_1)
)");
}

TEST(Functionalize, AsStridedIsAViewOfTheWholeStorage) {
  EXPECT_EQ(rewritten(R"(x: f32[4, 6] = placeholder
clone: f32[4, 6] = aten.clone.default(x)
slice_1: f32[2, 6] offset=6 = aten.slice.Tensor(clone, 0, 1, 3)
as_strided: f32[2, 2] stride=[6, 1] = aten.as_strided.default(slice_1, [2, 2], [6, 1], 0)
zero_: f32[2, 2] stride=[6, 1] = aten.zero_.default(as_strided)
return clone, slice_1
)"),
            R"(graph():
    %x : f32[4, 6] [num_users=1] = placeholder[target=x]
    %clone : f32[4, 6] [num_users=2] = call_function[target=torch.ops.aten.clone.default](args = (%x,), kwargs = {})
    %as_strided : f32[2, 2] stride=[6, 1] [num_users=1] = call_function[target=torch.ops.aten.as_strided.default](args = (%clone, [2, 2], [6, 1], 0), kwargs = {})
    %zero : f32[2, 2] [num_users=1] = call_function[target=torch.ops.aten.zero.default](args = (%as_strided,), kwargs = {})
    %as_strided_scatter : f32[4, 6] [num_users=2] = call_function[target=torch.ops.aten.as_strided_scatter.default](args = (%clone, %zero, [2, 2], [6, 1], 0), kwargs = {})
    %slice : f32[2, 6] offset=6 [num_users=1] = call_function[target=torch.ops.aten.slice.Tensor](args = (%as_strided_scatter, 0, 1, 3), kwargs = {})
    return (as_strided_scatter, slice)
)");
}

TEST(Functionalize, AsStridedOfAViewBeginsWhereTheViewDoes) {
  // Older files record an offset of 0 for every tensor.
  EXPECT_EQ(rewritten(R"(x: f32[2, 3, 4] = placeholder
select: f32[2, 4] stride=[12, 1] = aten.select.int(x, 1, -2)
slice_1: f32[2, 3] stride=[12, 1] = aten.slice.Tensor(select, 1, 1, 4)
as_strided: f32[2, 2] stride=[12, 1] = aten.as_strided.default(slice_1, [2, 2], [12, 1])
return as_strided
)"),
            R"(graph():
    %x : f32[2, 3, 4] [num_users=1] = placeholder[target=x]
    %as_strided : f32[2, 2] stride=[12, 1] [num_users=1] = call_function[target=torch.ops.aten.as_strided.default](args = (%x, [2, 2], [12, 1], 5), kwargs = {})
    return (as_strided,)
)");
}

TEST(Functionalize, AFactoryThatWritesMakesWhatItsOutputIs) {
  EXPECT_EQ(rewritten(R"(x: f32[12] = placeholder
arange: f32[12] = aten.arange.start_out(0, 12, out=x)
return arange
)"),
            R"(graph():
    %x : f32[12] [num_users=0] = placeholder[target=x]
    %arange_1 : f32[12] [num_users=1] = call_function[target=torch.ops.aten.arange.start_step](args = (0, 12), kwargs = {dtype: torch.float32, device: cpu})
    return (arange_1, arange_1) user_input_mutation 'x', user_output
)");
}

TEST(Functionalize, SymbolicViewIsUndoneWithSizeNodes) {
  EXPECT_EQ(rewritten(R"(x: f32[s0, 6] = placeholder
clone: f32[s0, 6] = aten.clone.default(x)
view: f32[6*s0] = aten.view.default(clone, [-1])
neg_: f32[6*s0] = aten.neg_.default(view)
return clone
)"),
            R"(graph():
    %x : f32[s0, 6] [num_users=1] = placeholder[target=x]
    %clone : f32[s0, 6] [num_users=2] = call_function[target=torch.ops.aten.clone.default](args = (%x,), kwargs = {})
    %view : f32[6*s0] [num_users=1] = call_function[target=torch.ops.aten.view.default](args = (%clone, [-1]), kwargs = {})
    %neg : f32[6*s0] [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%view,), kwargs = {})
    %sym_size : Sym(s0) [num_users=1] = call_function[target=torch.ops.aten.sym_size.int](args = (%clone, 0), kwargs = {})
    %reshape : f32[s0, 6] [num_users=1] = call_function[target=torch.ops.aten.reshape.default](args = (%neg, [%sym_size, 6]), kwargs = {})
    return (reshape,)
)");
}

TEST(Functionalize, BatchNormInTrainingReturnsItsStatistics) {
  EXPECT_EQ(rewritten(R"(w: f32[3] = parameter "w"
b: f32[3] = parameter "b"
mean: f32[3] = buffer "running_mean"
var: f32[3] = buffer "running_var"
x: f32[2, 3, 4, 4] = placeholder
norm: f32[2, 3, 4, 4] = aten.native_batch_norm.default(x, w, b, None, None, True, 0.1, 1e-05)
batch_norm: f32[2, 3, 4, 4] = aten.batch_norm.default(x, w, b, mean, var, True, 0.1, 1e-05, True)
return batch_norm
)"),
            R"(graph():
    %w : f32[3] [num_users=2] = placeholder[target=w] parameter 'w'
    %b : f32[3] [num_users=2] = placeholder[target=b] parameter 'b'
    %mean : f32[3] [num_users=1] = placeholder[target=mean] buffer 'running_mean'
    %var : f32[3] [num_users=1] = placeholder[target=var] buffer 'running_var'
    %x : f32[2, 3, 4, 4] [num_users=2] = placeholder[target=x]
    %norm : f32[2, 3, 4, 4] [num_users=0] = call_function[target=torch.ops.aten.native_batch_norm.default](args = (%x, %w, %b, None, None, True, 0.1, 1e-05), kwargs = {})
    %_native_batch_norm_legit_functional : (f32[2, 3, 4, 4], f32[3], f32[3], f32[3], f32[3]) [num_users=3] = call_function[target=torch.ops.aten._native_batch_norm_legit_functional.default](args = (%x, %w, %b, %mean, %var, True, 0.1, 1e-05), kwargs = {})
    %batch_norm : f32[2, 3, 4, 4] [num_users=1] = call_function[target=operator.getitem](args = (%_native_batch_norm_legit_functional, 0), kwargs = {})
    %getitem : f32[3] [num_users=1] = call_function[target=operator.getitem](args = (%_native_batch_norm_legit_functional, 3), kwargs = {})
    %getitem_1 : f32[3] [num_users=1] = call_function[target=operator.getitem](args = (%_native_batch_norm_legit_functional, 4), kwargs = {})
    return (getitem, getitem_1, batch_norm) buffer_mutation 'running_mean', buffer_mutation 'running_var', user_output
)");
}

TEST(Functionalize, InPlaceReshapeIsAView) {
  EXPECT_EQ(rewritten(R"(x: f32[4, 6] = placeholder
add: f32[4, 6] = aten.add.Tensor(x, 1)
unsqueeze_: f32[1, 4, 6] = aten.unsqueeze_.default(add, 0)
neg_: f32[1, 4, 6] = aten.neg_.default(unsqueeze_)
return neg_
)"),
            R"(graph():
    %x : f32[4, 6] [num_users=1] = placeholder[target=x]
    %add : f32[4, 6] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 1), kwargs = {})
    %unsqueeze_ : f32[1, 4, 6] [num_users=1] = call_function[target=torch.ops.aten.unsqueeze.default](args = (%add, 0), kwargs = {})
    %neg : f32[1, 4, 6] [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%unsqueeze_,), kwargs = {})
    return (neg,)
)");
}

/// A branch on whether `relation` holds for a number that is read from `of`, and 0.9.
std::string chosenBy(std::string_view relation, std::string_view of) {
  RewriteOptions options = withoutDecompositions();
  options.decompose = {"higher_order.cond"};
  const std::string text = rewritten("x: f32[4] = placeholder\nsure: " + std::string(of) +
                                         "[] = placeholder\n"
                                         "k: SymFloat(zuf0) = aten.item.default(sure)\n"
                                         "p: SymBool(zuf0 > 0.9) = _operator." +
                                         std::string(relation) +
                                         R"((k, 0.9)
yes = get_attr
no = get_attr
cond: (f32[4],) = higher_order.cond(p, yes, no, [x])
out: f32[4] = getitem(cond, 0)
return out

graph yes():
a: f32[4] = placeholder
b: f32[4] = aten.neg.default(a)
return (b,)

graph no():
a: f32[4] = placeholder
b: f32[4] = aten.abs.default(a)
return (b,)
)",
                                     options);
  const std::size_t at = text.find("torch.ops.aten." + std::string(relation));
  if (at == std::string::npos) return text.find("cond]") == std::string::npos ? text : "kept";
  return text.substr(at, text.find(", kwargs", at) - at);
}

TEST(InlineBranches, ANumberReadFromATensorIsComparedThere) {
  // 0.9 is between two numbers of float32; PyTorch would round it to the lesser one.
  EXPECT_EQ(chosenBy("gt", "f32"), "torch.ops.aten.gt.Scalar](args = (%sure, 0.8999999761581421)");
  EXPECT_EQ(chosenBy("le", "f32"), "torch.ops.aten.le.Scalar](args = (%sure, 0.8999999761581421)");
  EXPECT_EQ(chosenBy("ge", "f32"), "torch.ops.aten.ge.Scalar](args = (%sure, 0.9000000357627869)");
  EXPECT_EQ(chosenBy("lt", "f32"), "torch.ops.aten.lt.Scalar](args = (%sure, 0.9000000357627869)");
  EXPECT_EQ(chosenBy("gt", "f64"), "torch.ops.aten.gt.Scalar](args = (%sure, 0.9)");
  // No number of float32 is equal to 0.9, and in float16 it is rounded otherwise.
  EXPECT_EQ(chosenBy("eq", "f32"), "kept");
  EXPECT_EQ(chosenBy("gt", "f16"), "kept");
}

TEST(Functionalize, SubgraphIsMadeFunctionalByItself) {
  EXPECT_EQ(rewritten(R"(x: f32[4] = placeholder
gt: b8[] = aten.any.default(x)
yes = get_attr
no = get_attr
cond: (f32[4],) = higher_order.cond(gt, yes, no, [x])
out: f32[4] = getitem(cond, 0)
return out

graph yes():
a: f32[4] = placeholder
add: f32[4] = aten.add.Tensor(a, 1)
neg_: f32[4] = aten.neg_.default(add)
return (add,)

graph no():
a: f32[4] = placeholder
neg_: f32[4] = aten.neg_.default(a)
return (neg_,)
)"),
            R"(graph():
    %x : f32[4] [num_users=2] = placeholder[target=x]
    %gt : b8[] [num_users=1] = call_function[target=torch.ops.aten.any.default](args = (%x,), kwargs = {})
    %yes : [num_users=1] = get_attr[target=yes]
    %no : [num_users=1] = get_attr[target=no]
    %cond : (f32[4],) [num_users=1] = call_function[target=torch.ops.higher_order.cond](args = (%gt, %yes, %no, [%x]), kwargs = {})
    %out : f32[4] [num_users=1] = call_function[target=operator.getitem](args = (%cond, 0), kwargs = {})
    return (out,)

graph yes():
    %a : f32[4] [num_users=1] = placeholder[target=a]
    %add : f32[4] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%a, 1), kwargs = {})
    %neg : f32[4] [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%add,), kwargs = {})
    return (neg,)

graph no():
    %a : f32[4] [num_users=1] = placeholder[target=a]
    %neg_ : f32[4] [num_users=1] = call_function[target=torch.ops.aten.neg_.default](args = (%a,), kwargs = {})
    return (neg_,)
finding: neg_ (aten.neg_.default): cannot be functionalized: it writes to a, an operand of its subgraph
)");
}

TEST(Functionalize, WriteThroughAnExpandedViewIsAFinding) {
  EXPECT_EQ(rewritten(R"(x: f32[6] = placeholder
add: f32[6] = aten.add.Tensor(x, 1)
expand: f32[4, 6] stride=[0, 1] = aten.expand.default(add, [4, 6])
neg_: f32[4, 6] stride=[0, 1] = aten.neg_.default(expand)
return add
)"),
            R"(graph():
    %x : f32[6] [num_users=1] = placeholder[target=x]
    %add : f32[6] [num_users=2] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 1), kwargs = {})
    %expand : f32[4, 6] stride=[0, 1] [num_users=1] = call_function[target=torch.ops.aten.expand.default](args = (%add, [4, 6]), kwargs = {})
    %neg_ : f32[4, 6] stride=[0, 1] [num_users=0] = call_function[target=torch.ops.aten.neg_.default](args = (%expand,), kwargs = {})
    return (add,)
finding: neg_ (aten.neg_.default): cannot be functionalized: expand repeats elements
)");
}

TEST(Functionalize, ResizeIsAFinding) {
  EXPECT_EQ(rewritten(R"(x: f32[6] = placeholder
add: f32[6] = aten.add.Tensor(x, 1)
resize_: f32[3] = aten.resize_.default(add, [3])
return add
)"),
            R"(graph():
    %x : f32[6] [num_users=1] = placeholder[target=x]
    %add : f32[6] [num_users=2] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 1), kwargs = {})
    %resize_ : f32[3] [num_users=0] = call_function[target=torch.ops.aten.resize_.default](args = (%add, [3]), kwargs = {})
    return (add,)
finding: resize_ (aten.resize_.default): cannot be functionalized: it replaces the memory of the tensor
)");
}

TEST(Functionalize, UnknownOperatorWithoutResultsIsAFinding) {
  EXPECT_EQ(rewritten(R"(x: f32[6] = placeholder
fill: None = mylib.fill.default(x)
return x
)"),
            R"(graph():
    %x : f32[6] [num_users=2] = placeholder[target=x]
    %fill : None [num_users=0] = call_function[target=torch.ops.mylib.fill.default](args = (%x,), kwargs = {})
    return (x,)
finding: fill (mylib.fill.default): it returns nothing, so it mutates operands, but the file does not record which; decompose the program with run_decompositions() before saving it
)");
}

}  // namespace
}  // namespace fxs::rewrite
