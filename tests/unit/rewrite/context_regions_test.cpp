// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What context regions become.
#include <gtest/gtest.h>

#include "rewritten.h"

namespace fxs::rewrite {
namespace {

TEST(ContextRegions, GradRegionsAreWrittenInPlace) {
  EXPECT_EQ(rewritten(R"(x: f32[4] = placeholder
add: f32[4] = aten.add.Tensor(x, 1)
submod = get_attr
wrap: (f32[4], f32[4]) = higher_order.wrap_with_set_grad_enabled(False, submod, add)
mul: f32[4] = getitem(wrap, 0)
neg: f32[4] = getitem(wrap, 1)
sub: f32[4] = aten.sub.Tensor(mul, neg)
return sub

graph submod():
add: f32[4] = placeholder
mul: f32[4] = aten.mul.Tensor(add, 2)
neg_: f32[4] = aten.neg_.default(add)
return mul, neg_
)"),
            R"(graph():
    %x : f32[4] [num_users=1] = placeholder[target=x]
    %add : f32[4] [num_users=2] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 1), kwargs = {})
    %mul : f32[4] [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%add, 2), kwargs = {})
    %neg : f32[4] [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%add,), kwargs = {})
    %sub : f32[4] [num_users=1] = call_function[target=torch.ops.aten.sub.Tensor](args = (%mul, %neg), kwargs = {})
    return (sub,)
)");
}

TEST(ContextRegions, AutocastCastsByItsPolicy) {
  EXPECT_EQ(rewritten(R"(w: f32[6, 4] = parameter "w"
x: f32[2, 4] = placeholder
submod = get_attr
wrap: (f32[2, 6], bf16[2, 10]) = higher_order.wrap_with_autocast('cpu', torch.bfloat16, True, True, submod, x, w)
a: f32[2, 6] = getitem(wrap, 0)
b: bf16[2, 10] = getitem(wrap, 1)
return a, b

graph submod():
x: f32[2, 4] = placeholder
w: f32[6, 4] = placeholder
linear: bf16[2, 6] = aten.linear.default(x, w)
relu: bf16[2, 6] = aten.relu.default(linear)
pad: bf16[2, 10] = aten.pad.default(relu, [2, 2])
inner = get_attr
wrap: (f32[2, 6],) = higher_order.wrap_with_autocast('cpu', torch.bfloat16, False, True, inner, x, w)
off: f32[2, 6] = getitem(wrap, 0)
return off, pad

graph submod.inner():
x: f32[2, 4] = placeholder
w: f32[6, 4] = placeholder
linear: f32[2, 6] = aten.linear.default(x, w)
return (linear,)
)"),
            R"(graph():
    %w : f32[6, 4] [num_users=2] = placeholder[target=w] parameter 'w'
    %x : f32[2, 4] [num_users=2] = placeholder[target=x]
    %_to_copy : bf16[2, 4] [num_users=1] = call_function[target=torch.ops.aten._to_copy.default](args = (%x,), kwargs = {dtype: torch.bfloat16})
    %_to_copy_1 : bf16[6, 4] [num_users=1] = call_function[target=torch.ops.aten._to_copy.default](args = (%w,), kwargs = {dtype: torch.bfloat16})
    %linear : bf16[2, 6] [num_users=1] = call_function[target=torch.ops.aten.linear.default](args = (%_to_copy, %_to_copy_1), kwargs = {})
    %relu : bf16[2, 6] [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%linear,), kwargs = {})
    %pad : bf16[2, 10] [num_users=1] = call_function[target=torch.ops.aten.pad.default](args = (%relu, [2, 2]), kwargs = {})
    %linear_1 : f32[2, 6] [num_users=1] = call_function[target=torch.ops.aten.linear.default](args = (%x, %w), kwargs = {})
    return (linear_1, pad)
)");
}

TEST(ContextRegions, AutocastThatTheRecordedTypeContradictsIsAFinding) {
  EXPECT_EQ(rewritten(R"(w: f32[6, 4] = parameter "w"
x: f32[2, 4] = placeholder
submod = get_attr
wrap: (f32[2, 6],) = higher_order.wrap_with_autocast('cpu', torch.bfloat16, True, True, submod, x, w)
a: f32[2, 6] = getitem(wrap, 0)
return a

graph submod():
x: f32[2, 4] = placeholder
w: f32[6, 4] = placeholder
linear: f32[2, 6] = aten.linear.default(x, w)
return (linear,)
)"),
            R"(graph():
    %w : f32[6, 4] [num_users=1] = placeholder[target=w] parameter 'w'
    %x : f32[2, 4] [num_users=1] = placeholder[target=x]
    %linear : f32[2, 6] [num_users=1] = call_function[target=torch.ops.aten.linear.default](args = (%x, %w), kwargs = {})
    return (linear,)
finding: linear (aten.linear.default): under autocast(cpu, bfloat16) its result would be bfloat16, but the program records float32; no casts are inserted
)");
}

TEST(ContextRegions, AutocastInsideACompositeIsAFinding) {
  EXPECT_EQ(rewritten(R"(x: f32[2, 2] = placeholder
submod = get_attr
wrap: (bf16[2, 2],) = higher_order.wrap_with_autocast('cpu', torch.bfloat16, True, True, submod, x)
a: bf16[2, 2] = getitem(wrap, 0)
return a

graph submod():
x: f32[2, 2] = placeholder
einsum: bf16[2, 2] = aten.einsum.default('ij,jk->ik', [x, x])
return (einsum,)
)"),
            R"(graph():
    %x : f32[2, 2] [num_users=1] = placeholder[target=x]
    %einsum : bf16[2, 2] [num_users=1] = call_function[target=torch.ops.aten.einsum.default](args = ('ij,jk->ik', [%x, %x]), kwargs = {})
    return (einsum,)
finding: einsum (aten.einsum.default): autocast(cpu) casts inside it, which the program does not record; decompose the program with run_decompositions() before saving it
)");
}

}  // namespace
}  // namespace fxs::rewrite
