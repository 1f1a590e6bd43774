// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What torch.vmap leaves in a program, and what it becomes.
#include <gtest/gtest.h>

#include "rewritten.h"

namespace fxs::rewrite {
namespace {

TEST(Vmap, HiddenDimensionsBroadcastInFront) {
  EXPECT_EQ(rewritten(R"(q: i64[4] = placeholder
k: i64[6] = placeholder
a: None = torch._functorch.predispatch._vmap_increment_nesting(4, 'error')
i: i64[] = torch._functorch.predispatch._add_batch_dim(q, 0, 1)
b: None = torch._functorch.predispatch._vmap_increment_nesting(6, 'error')
j: i64[] = torch._functorch.predispatch._add_batch_dim(k, 0, 2)
le: b8[] = aten.le.Tensor(j, i)
row: b8[6] = torch._functorch.predispatch._remove_batch_dim(le, 2, 6, 0)
mask: b8[4, 6] = torch._functorch.predispatch._remove_batch_dim(row, 1, 4, 0)
return mask
)"),
            R"(graph():
    %q : i64[4] [num_users=1] = placeholder[target=q]
    %k : i64[6] [num_users=1] = placeholder[target=k]
    %unsqueeze : i64[1, 6] [num_users=1] = call_function[target=torch.ops.aten.unsqueeze.default](args = (%k, 0), kwargs = {})
    %unsqueeze_1 : i64[4, 1] [num_users=1] = call_function[target=torch.ops.aten.unsqueeze.default](args = (%q, 1), kwargs = {})
    %le : b8[4, 6] [num_users=1] = call_function[target=torch.ops.aten.le.Tensor](args = (%unsqueeze, %unsqueeze_1), kwargs = {})
    return (le,)
)");
}

TEST(Vmap, UnusedHiddenDimensionIsRepeated) {
  EXPECT_EQ(rewritten(R"(q: i64[4] = placeholder
k: i64[6] = placeholder
i: i64[] = torch._functorch.predispatch._add_batch_dim(q, 0, 1)
j: i64[] = torch._functorch.predispatch._add_batch_dim(k, 0, 2)
ge: b8[] = aten.ge.Scalar(j, 2)
row: b8[6] = torch._functorch.predispatch._remove_batch_dim(ge, 2, 6, 0)
mask: b8[4, 6] = torch._functorch.predispatch._remove_batch_dim(row, 1, 4, 0)
return mask
)"),
            R"(graph():
    %q : i64[4] [num_users=0] = placeholder[target=q]
    %k : i64[6] [num_users=1] = placeholder[target=k]
    %ge : b8[6] [num_users=1] = call_function[target=torch.ops.aten.ge.Scalar](args = (%k, 2), kwargs = {})
    %unsqueeze : b8[1, 6] [num_users=1] = call_function[target=torch.ops.aten.unsqueeze.default](args = (%ge, 0), kwargs = {})
    %expand : b8[4, 6] [num_users=1] = call_function[target=torch.ops.aten.expand.default](args = (%unsqueeze, [4, -1]), kwargs = {})
    return (expand,)
)");
}

TEST(Vmap, HiddenPositionsIndexAnOuterTable) {
  EXPECT_EQ(rewritten(R"(padding: b8[2, 6] = placeholder
b: i64[2] = placeholder
k: i64[6] = placeholder
i: i64[] = torch._functorch.predispatch._add_batch_dim(b, 0, 1)
j: i64[] = torch._functorch.predispatch._add_batch_dim(k, 0, 2)
index: b8[] = aten.index.Tensor(padding, [i, j])
row: b8[6] = torch._functorch.predispatch._remove_batch_dim(index, 2, 6, 0)
mask: b8[2, 6] = torch._functorch.predispatch._remove_batch_dim(row, 1, 2, 0)
return mask
)"),
            R"(graph():
    %padding : b8[2, 6] [num_users=1] = placeholder[target=padding]
    %b : i64[2] [num_users=1] = placeholder[target=b]
    %k : i64[6] [num_users=1] = placeholder[target=k]
    %unsqueeze : i64[2, 1] [num_users=1] = call_function[target=torch.ops.aten.unsqueeze.default](args = (%b, 1), kwargs = {})
    %unsqueeze_1 : i64[1, 6] [num_users=1] = call_function[target=torch.ops.aten.unsqueeze.default](args = (%k, 0), kwargs = {})
    %index : b8[2, 6] [num_users=1] = call_function[target=torch.ops.aten.index.Tensor](args = (%padding, [%unsqueeze, %unsqueeze_1]), kwargs = {})
    return (index,)
)");
}

TEST(Vmap, OnlyTheTypeOfAHiddenTensorIsReadByAFill) {
  EXPECT_EQ(rewritten(R"(q: i64[4] = placeholder
i: i64[] = torch._functorch.predispatch._add_batch_dim(q, 0, 1)
ones: b8[] = aten.new_ones.default(i, [], dtype=torch.bool)
ge: b8[] = aten.ge.Scalar(i, 2)
check: None = aten._assert_tensor_metadata.default(ge, None, None, torch.bool)
both: b8[] = aten.__and__.Tensor(ones, ge)
mask: b8[4] = torch._functorch.predispatch._remove_batch_dim(both, 1, 4, 0)
return mask
)"),
            R"(graph():
    %q : i64[4] [num_users=2] = placeholder[target=q]
    %ones : b8[] [num_users=1] = call_function[target=torch.ops.aten.new_ones.default](args = (%q, []), kwargs = {dtype: torch.bool})
    %ge : b8[4] [num_users=2] = call_function[target=torch.ops.aten.ge.Scalar](args = (%q, 2), kwargs = {})
    %check : None [num_users=0] = call_function[target=torch.ops.aten._assert_tensor_metadata.default](args = (%ge, None, None, torch.bool), kwargs = {})
    %both : b8[4] [num_users=1] = call_function[target=torch.ops.aten.bitwise_and.Tensor](args = (%ones, %ge), kwargs = {})
    return (both,)
)");
}

TEST(Vmap, OperatorThatIsNotKnownUnderVmapIsAFinding) {
  EXPECT_EQ(rewritten(R"(x: f32[3, 4] = placeholder
a: f32[4] = torch._functorch.predispatch._add_batch_dim(x, 0, 1)
sum_1: f32[] = aten.sum.default(a)
out: f32[3] = torch._functorch.predispatch._remove_batch_dim(sum_1, 1, 3, 0)
return out
)"),
            R"(graph():
    %x : f32[3, 4] [num_users=1] = placeholder[target=x]
    %a : f32[4] [num_users=1] = call_function[target=torch._functorch.predispatch._add_batch_dim](args = (%x, 0, 1), kwargs = {})
    %sum_1 : f32[] [num_users=1] = call_function[target=torch.ops.aten.sum.default](args = (%a,), kwargs = {})
    %out : f32[3] [num_users=1] = call_function[target=torch._functorch.predispatch._remove_batch_dim](args = (%sum_1, 1, 3, 0), kwargs = {})
    return (out,)
finding: sum_1 (aten.sum.default): it is inside a vmap, and aten.sum.default over a vmapped dimension is not supported; decompose the program with run_decompositions() before saving it
)");
}

}  // namespace
}  // namespace fxs::rewrite
