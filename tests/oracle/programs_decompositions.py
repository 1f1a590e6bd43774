"""Programs of one operator each, for the decompositions: (name, targets that must be gone, module, inputs, dynamic shapes).

Variants are the places where a formula goes wrong: negative dimensions, sizes that do not divide, half types, NaN and
infinity, symbolic sizes, empty options. Random results are compared by type and shape alone (RANDOM).
"""
import torch
import torch.nn.functional as F
from torch import nn
from torch._higher_order_ops import map as map_over
from torch._higher_order_ops import scan
from torch.export import Dim

PROGRAMS = []
RANDOM = set()
DYNAMIC = Dim.AUTO


class Program(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def add(name, targets, function, *inputs, dynamic=None, random=False):
    module = function if isinstance(function, nn.Module) else Program(function)
    targets = targets.split()
    PROGRAMS.append((name, targets, module, inputs, dynamic))
    if random:
        RANDOM.add(name)


torch.manual_seed(7)
randn, ops = torch.randn, torch.ops.aten
inf, nan = float("inf"), float("nan")
x24, x34, x234, img = randn(2, 4), randn(3, 4), randn(2, 3, 4), randn(1, 3, 8, 8)
square, vector = randn(4, 4), randn(6)
add("full", "aten.full.default", lambda x: x + ops.full([3, 1], 2.5), x34)
add("full_scalar_int8", "aten.full.default", lambda x: x.to(torch.int8) + ops.full([], -4, dtype=torch.int8), x34)
index = torch.tensor([0, 2, 1])
unit = torch.rand(2, 4) * 0.8 + 0.1
edge = torch.tensor([0.0, -0.0, 1.0, -1.5, 3.25, inf, nan, 0.5])
each = {0: DYNAMIC, 1: DYNAMIC}

# Composites
for name, a, b in (("vectors", randn(4), randn(4)), ("matrices", x24, randn(4, 3)), ("matrix_vector", x24, randn(4)), ("vector_matrix", randn(4), randn(4, 3)),
                   ("rows_by_matrix", x234, randn(4, 5)), ("rows_by_vector", x234, randn(4)), ("batches", x234, randn(2, 4, 5)), ("matrix_by_batches", x34, randn(2, 4, 5)),
                   ("vector_by_batches", randn(4), randn(2, 4, 5)), ("broadcast_batches", randn(2, 1, 3, 4), randn(5, 4, 3)), ("integers", torch.arange(6).view(2, 3), torch.arange(3)),
                   ("halves", x24.half(), randn(4, 3).half())):
    add(f"matmul_of_{name}", "aten.matmul.default", torch.matmul, a, b)
add("matmul_dynamic", "aten.matmul.default", torch.matmul, x234, randn(4, 5), dynamic=({0: DYNAMIC, 1: DYNAMIC}, None))
for bias in (True, False):
    for rank, x in enumerate((randn(4), x24, x234, randn(2, 2, 3, 4))):
        add(f"linear_of_{rank + 1}d_{bias}", "aten.linear.default", nn.Linear(4, 3, bias=bias), x)
add("linear_dynamic", "aten.linear.default", nn.Linear(4, 3), x234, dynamic=({0: DYNAMIC},))
for n, x in ((1, randn(2, 4, 9)), (2, randn(2, 4, 8, 9)), (3, randn(1, 4, 5, 6, 7))):
    conv, transposed = getattr(nn, f"Conv{n}d"), getattr(nn, f"ConvTranspose{n}d")
    add(f"conv{n}d", f"aten.conv{n}d.default", conv(4, 6, 3, stride=2, padding=1, dilation=1, groups=2), x)
    add(f"conv{n}d_unbatched", f"aten.conv{n}d.default", conv(4, 6, 2, bias=False), x[0])
    add(f"conv{n}d_same", f"aten.conv{n}d.padding", conv(4, 6, 3, padding="same", dilation=2), x)
    add(f"conv{n}d_valid", f"aten.conv{n}d.padding", conv(4, 6, 2, padding="valid"), x)
    add(f"conv_transpose{n}d", f"aten.conv_transpose{n}d.{'default' if n == 1 else 'input'}", transposed(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2), x)
for n, x in ((1, randn(2, 4, 9)), (2, randn(2, 4, 8, 9)), (3, randn(1, 4, 5, 6, 7))):
    add(f"batch_norm_{n}d_of_running", "aten.batch_norm.default", getattr(nn, f"BatchNorm{n}d")(4).eval(), x)
add("batch_norm_of_half", "aten.batch_norm.default", nn.BatchNorm2d(4).half().eval(), randn(2, 4, 8, 9).half())
add("batch_norm_without_weight", "aten.batch_norm.default", nn.BatchNorm2d(4, affine=False).eval(), randn(2, 4, 8, 9))
add("dropout_in_eval", "aten.dropout.default", lambda x: F.dropout(x, 0.5, False) + 1, x24)
add("dropout_in_training", "aten.dropout.default", lambda x: F.dropout(x, 0.5, True), x24, random=True)
add("chunk", "aten.chunk.default", lambda x: x.chunk(2, -1), randn(2, 5))
add("contiguous_of_transposed", "aten.contiguous.default", lambda x: x.transpose(0, 1).contiguous() * 2, x34)
add("flatten_of_0d", "aten.flatten.using_ints", lambda x: torch.flatten(x) + 1, randn(()))
add("flatten_middle", "aten.flatten.using_ints", lambda x: x.flatten(1, -2), randn(2, 3, 4, 5))
add("flatten_dynamic", "aten.flatten.using_ints", lambda x: x.flatten(1), x234, dynamic=({0: DYNAMIC},))

# Shape
add("squeeze_dims", "aten.squeeze.dims", lambda x: x.squeeze((0, -1)), randn(1, 3, 1))
add("squeeze_dims_keeps_others", "aten.squeeze.dims", lambda x: x.squeeze((0, 1)), randn(1, 3, 1))
add("squeeze_dims_of_none", "aten.squeeze.dims", lambda x: x.squeeze((1,)) * 2, randn(1, 3, 1))
add("squeeze_dims_dynamic", "aten.squeeze.dims", lambda x: x.squeeze((0, 2)), randn(1, 3, 1), dynamic=({1: DYNAMIC},))
for dim in (0, 1, -1):
    add(f"unbind_{dim}", "aten.unbind.int", lambda x, dim=dim: x.unbind(dim), x234)
add("transpose_matrices", "aten.mT.default", lambda x: x.mT, x234)
add("swapaxes", "aten.swapaxes.default", lambda x: x.swapaxes(0, -1), x234)
add("swapdims", "aten.swapdims.default", lambda x: x.swapdims(-2, 0), x234)
add("movedim_list", "aten.movedim.intlist", lambda x: x.movedim((0, 1), (-1, 0)), x234)
add("ravel", "aten.ravel.default", lambda x: x.ravel(), x234)
add("ravel_dynamic", "aten.ravel.default", lambda x: x.ravel(), x24, dynamic=(each,))
add("view_as", "aten.view_as.default", lambda x, y: x.view_as(y), x24, randn(4, 2))
for n, function in enumerate((torch.atleast_1d, torch.atleast_2d, torch.atleast_3d)):
    for rank, value in enumerate((randn(()), randn(3), x34)):
        add(f"atleast_{n + 1}d_of_{rank}d", f"aten.atleast_{n + 1}d.default", lambda x, function=function: function(x) * 1, value)
add("vstack", "aten.vstack.default", lambda x, y: torch.vstack([x, y]), randn(4), x24)
add("dstack", "aten.dstack.default", lambda x, y: torch.dstack([x, y]), x24, x24)
add("hstack_vectors", "aten.hstack.default", lambda x, y: torch.hstack([x, y]), randn(4), randn(3))
add("hstack_matrices", "aten.hstack.default", lambda x, y: torch.hstack([x, y]), x24, randn(2, 3))
add("column_stack", "aten.column_stack.default", lambda x, y: torch.column_stack([x, y]), randn(2), x24)
add("tensor_split_indices", "aten.tensor_split.indices", lambda x: x.tensor_split((1, -1), 1), x24)
add("tensor_split_beyond", "aten.tensor_split.indices", lambda x: x.tensor_split((3, 9), 1), x24)
add("tensor_split_sections", "aten.tensor_split.sections", lambda x: x.tensor_split(3, -1), x24)
add("hsplit_of_vector", "aten.hsplit.int", lambda x: torch.hsplit(x, 2), vector)
add("hsplit_indices", "aten.hsplit.array", lambda x: torch.hsplit(x, (1, 3)), x24)
add("vsplit", "aten.vsplit.int", lambda x: torch.vsplit(x, 2), x24)
add("dsplit", "aten.dsplit.int", lambda x: torch.dsplit(x, 2), x234)
add("unsafe_chunk", "aten.unsafe_chunk.default", lambda x: torch.unsafe_chunk(x, 3, 1), x24)
add("unsafe_split", "aten.unsafe_split.Tensor", lambda x: torch.unsafe_split(x, 3, -1), x24)
add("unsafe_split_sizes", "aten.unsafe_split_with_sizes.default", lambda x: ops.unsafe_split_with_sizes(x, [1, 3], 1), x24)
add("as_strided", "aten.as_strided.default", lambda x: x.as_strided((2, 2), (1, 2), 1), x24)
add("as_strided_overlaps", "aten.as_strided.default", lambda x: x.as_strided((3, 3), (1, 2)), x24)
add("as_strided_repeats", "aten.as_strided.default", lambda x: x.as_strided((3, 2), (0, 1), 2), x24)
add("as_strided_of_transpose", "aten.as_strided.default", lambda x: x.t().as_strided((3, 2), (1, 3)), x24)
add("as_strided_of_channels_last", "aten.as_strided.default", lambda x: (x.contiguous(memory_format=torch.channels_last) + 1).as_strided((2, 5), (3, 4), 2), randn(1, 3, 4, 4))
# It reads the storage of what its operand is a view of.
for name, view, size, stride, *offset in (
        ("broadcast_to", lambda x: x[:1].broadcast_to(3, 4), (2, 2), (1, 1)), ("diagonal", lambda x: x.diagonal(1), (2,), (2,)),
        ("diagonal_below", lambda x: x.diagonal(-1), (2,), (1,)), ("expand_of_slice", lambda x: x[:, 1:].expand(2, 2, 3), (2, 2), (4, 1)),
        ("narrow", lambda x: x.narrow(1, 1, 2), (2, 2), (4, 1)), ("itself", lambda x: x.as_strided((2, 3), (4, 1), 1), (2, 2), (1, 3), 2),
        ("itself_from_its_begin", lambda x: x.as_strided((2, 3), (4, 1), 1), (2, 2), (1, 3)), ("select", lambda x: x.select(1, 1), (2, 2), (4, 1)),
        ("select_from_the_end", lambda x: x.select(0, -1), (2, 2), (1, 1)), ("slice_with_step", lambda x: x[:, 1::2], (2, 3), (4, 1)),
        ("slice_before", lambda x: x[1:], (2, 2), (4, 1), 1), ("unfold", lambda x: x.unfold(1, 2, 1), (2, 3), (4, 1), 1),
        ("unsafe_view", lambda x: ops._unsafe_view(x[1:], [4]), (2,), (2,)), ("unsafe_view_from_the_begin", lambda x: ops._unsafe_view(x[1:], [4]), (2, 2), (4, 1), 0), ("split", lambda x: x.split(3, 1)[1], (2,), (4,)),
        ("unbind", lambda x: x.unbind(0)[1], (3,), (1,)), ("permuted_slice", lambda x: x.t()[2:], (2,), (4,)),
        ("computed", lambda x: (x + 1)[:, 2], (2, 2), (4, 1))):
    add(f"as_strided_of_{name}", "aten.as_strided.default", lambda x, view=view, size=size, stride=stride, offset=offset: view(x).as_strided(size, stride, *offset), x24)
add("as_strided_of_input_with_gaps", "aten.as_strided.default", lambda x: x[1:].as_strided((2, 2), (8, 2)), randn(3, 8)[:, :4])
add("as_strided_scatter", "aten.as_strided_scatter.default", lambda x, s: torch.as_strided_scatter(x, s, (2, 2), (1, 2), 1), x24, randn(2, 2))
add("as_strided_scatter_of_transpose", "aten.as_strided_scatter.default", lambda x, s: torch.as_strided_scatter(x.t(), s, (2, 2), (1, 2)), x24, randn(2, 2))

add("unflatten_dynamic", "aten.unflatten.int", lambda x: x.unflatten(0, (x.shape[0], 1)), x234, dynamic=({0: DYNAMIC, 1: DYNAMIC},))
add("unflatten_dynamic_inner", "aten.unflatten.int", lambda x: x.unflatten(-1, (2, -1)), x234, dynamic=({0: DYNAMIC},))

# Differences
for n, dim in ((1, -1), (2, 0), (0, 1), (9, 1)):
    add(f"diff_{n}_{dim}", "aten.diff.default", lambda x, n=n, dim=dim: torch.diff(x, n=n, dim=dim), square)
add("diff_ends", "aten.diff.default", lambda x, y: torch.diff(x, prepend=y, append=y), x24, randn(2, 1))
add("diff_bool", "aten.diff.default", lambda x: torch.diff(x > 0), x24)
add("diff_integers", "aten.diff.default", lambda x: torch.diff(x, append=x[:, :1]), torch.randint(0, 9, (2, 4)))
add("diff_dynamic", "aten.diff.default", lambda x: torch.diff(x, dim=-1), x24, dynamic=(each,))
add("diff_dynamic_prepend", "aten.diff.default", lambda x: torch.diff(x, prepend=x[:, :1] - 1, dim=-1), torch.arange(12).view(2, 6), dynamic=(each,))
add("trapezoid", "aten.trapezoid.dx", lambda x: torch.trapezoid(x, dx=0.5, dim=0), square)
add("cumulative_trapezoid", "aten.cumulative_trapezoid.dx", lambda x: torch.cumulative_trapezoid(x, dx=2), square)
add("gradient", "aten.gradient.scalarint", lambda x: torch.gradient(x, spacing=0.5)[0], vector)
add("gradient_of_two", "aten.gradient.scalarint", lambda x: torch.gradient(x)[0], randn(2))

# Index
add("index_copy", "aten.index_copy.default", lambda x, i, s: x.index_copy(-1, i, s), x24, index, randn(2, 3))
add("index_copy_half", "aten.index_copy.default", lambda x, i, s: x.index_copy(0, i, s), square.half(), index, randn(3, 4).half())
add("index_add", "aten.index_add.default", lambda x, i, s: x.index_add(1, i, s), x24, torch.tensor([1, 1, 3]), randn(2, 3))
add("index_add_alpha", "aten.index_add.default", lambda x, i, s: x.index_add(0, i, s, alpha=2), square, index, randn(3, 4))
add("index_fill_number", "aten.index_fill.int_Scalar", lambda x, i: x.index_fill(1, i, 2.0), x24, index)
add("index_fill_integers", "aten.index_fill.int_Scalar", lambda x, i: x.index_fill(0, i, -1), torch.arange(12).view(4, 3), index)
add("index_fill_tensor", "aten.index_fill.int_Tensor", lambda x, i, v: x.index_fill(1, i, v), x24, index, torch.tensor(3.0))
for reduce in ("prod", "mean", "amax", "amin"):
    for include in (True, False):
        add(f"index_reduce_{reduce}_{include}", "aten.index_reduce.default",
            lambda x, i, s, reduce=reduce, include=include: x.index_reduce(1, i, s, reduce, include_self=include), x24, torch.tensor([1, 1, 3]), randn(2, 3))
add("put", "aten.put.default", lambda x, i, v: x.put(i, v), x24, torch.tensor([7, 0, 3]), randn(3))
add("put_accumulate", "aten.put.default", lambda x, i, v: x.put(i, v, accumulate=True), x24, torch.tensor([7, 7, 3]), randn(3))
add("take", "aten.take.default", lambda x, i: x.take(i), x24, torch.tensor([[7, 0], [3, 5]]))
add("take_from_end", "aten.take.default", torch.take, x24, torch.tensor([[-8, 7], [-1, 0]]))
add("take_along_dim", "aten.take_along_dim.default", lambda x, i: torch.take_along_dim(x, i, 1), x24, torch.randint(0, 4, (2, 3)))
add("take_along_dim_broadcast", "aten.take_along_dim.default", lambda x, i: torch.take_along_dim(x, i, -1), x24, torch.randint(0, 4, (1, 3)))
add("take_along_dim_from_end", "aten.take_along_dim.default", lambda x, i: torch.take_along_dim(x, i, 1), x24, torch.tensor([[-4, 3, -1], [0, -2, 1]]))
add("take_along_dim_flat", "aten.take_along_dim.default", lambda x, i: torch.take_along_dim(x, i), x24, torch.randint(0, 8, (3,)))
add("unsafe_index", "aten._unsafe_index.Tensor", lambda x, i: ops._unsafe_index(x, [None, i]), square, index)
add("unsafe_index_put", "aten._unsafe_index_put.default", lambda x, i, v: ops._unsafe_index_put(x, [i], v), square, index, randn(3, 4))
add("unsafe_masked_index", "aten._unsafe_masked_index.default", lambda x, m, i: ops._unsafe_masked_index(x, m, [i], 5.0), randn(4), torch.tensor([True, False, True]), torch.tensor([0, -9, 3]))
add("repeat_interleave_tensor", "aten.repeat_interleave.self_Tensor", lambda x, r: torch.repeat_interleave(x, r, dim=1, output_size=6), randn(2, 3), torch.tensor([1, 0, 5]))
add("isin", "aten.isin.Tensor_Tensor", lambda x, y: torch.isin(x, y), torch.randint(0, 9, (2, 4)), torch.randint(0, 9, (3,)))
add("isin_inverted", "aten.isin.Tensor_Tensor", lambda x, y: torch.isin(x, y, invert=True), torch.randint(0, 9, (2, 4)), torch.randint(0, 9, (2, 2)))
add("argwhere", "aten.argwhere.default", lambda x: torch.argwhere(x > 0).sum(0), x24)

for mode in ("reflect", "replicate", "circular"):
    add(f"pad_{mode}", "aten.pad.default", lambda x, mode=mode: F.pad(x, (1, 2, 3, 0), mode=mode), img)
    add(f"pad_1d_{mode}", "aten.pad.default", lambda x, mode=mode: F.pad(x, (2, 1), mode=mode), x234)
    for pads in ((-1, 2), (2, -1), (-1, -1), (-2, 1)):
        add(f"pad_{mode}_by_{pads[0]}_{pads[1]}".replace("-", "less_"), "aten.pad.default", lambda x, mode=mode, pads=pads: F.pad(x, pads, mode=mode), x234)
add("pad_cuts", "aten.pad.default", lambda x: F.pad(x, (-1, 2), mode="replicate"), x234)
add("pad_3d_reflect", "aten.pad.default", lambda x: F.pad(x, (1, 1, 2, 0, 0, 1), mode="reflect"), randn(1, 2, 3, 4, 5))
add("roll", "aten.roll.default", lambda x: x.roll((1, -5), (0, -1)), x34)
add("roll_flat", "aten.roll.default", lambda x: x.roll(5), x34)
add("roll_twice", "aten.roll.default", lambda x: x.roll((1, 1), (1, 1)), x34)
add("fftshift", "aten.fft_fftshift.default", torch.fft.fftshift, randn(3, 5))
add("ifftshift", "aten.fft_ifftshift.default", lambda x: torch.fft.ifftshift(x, dim=1), randn(3, 5))
add("meshgrid_ij", "aten.meshgrid.indexing", lambda a, b, c: torch.meshgrid(a, b, c, indexing="ij"), randn(2), randn(3), randn(4))
add("meshgrid_xy", "aten.meshgrid.indexing", lambda a, b, c: torch.meshgrid(a, b, c, indexing="xy"), randn(2), randn(3), randn(4))
for offset, dim1, dim2 in ((0, 0, 1), (1, 0, 2), (-1, -1, 0)):
    add(f"diagonal_{offset}_{dim1}_{dim2}", "aten.diagonal.default", lambda x, k=(offset, dim1, dim2): x.diagonal(*k) * 1, randn(3, 2, 4))
    add(f"diag_embed_{offset}_{dim1}_{dim2}", "aten.diag_embed.default", lambda x, k=(offset, dim1, dim2): torch.diag_embed(x, *k), x24)
    add(f"diagonal_scatter_{offset}", "aten.diagonal_scatter.default", lambda x, s, offset=offset: x.diagonal_scatter(s, offset), square, randn(4 - abs(offset)))
add("trace", "aten.trace.default", torch.trace, randn(3, 4))
add("slice_scatter_to_the_end", "", lambda x, s: torch.slice_scatter(x, s, 1, -2, 9223372036854775807), x24, randn(2, 2))
add("slice_scatter_of_all", "", lambda x, s: torch.slice_scatter(x, s, 0), x24, randn(2, 4))
add("logsumexp", "aten.logsumexp.default", lambda x: torch.logsumexp(x, (0, -1)), x234 * 100)
add("logsumexp_infinite", "aten.logsumexp.default", lambda x: torch.logsumexp(x, 1, keepdim=True), torch.tensor([[-inf, -inf], [inf, 0.0], [1.0, -inf]]))
for right in (False, True):
    add(f"searchsorted_{right}", "aten.searchsorted.Tensor", lambda b, x, right=right: torch.searchsorted(b, x, right=right), torch.tensor([-1.0, 0.0, 0.0, 1.0]), torch.tensor([[0.0, nan], [-1.0, -3.0]]))
    add(f"searchsorted_rows_{right}", "aten.searchsorted.Tensor", lambda b, x, right=right: torch.searchsorted(b, x, right=right, out_int32=True), randn(2, 5).sort(1)[0], randn(2, 3))

# Products
for beta, alpha in ((1, 1), (0.5, 2), (0, 3)):
    tag = f"{beta}_{alpha}".replace(".", "")
    add(f"addmv_{tag}", "aten.addmv.default", lambda a, b, c, k=(beta, alpha): torch.addmv(a, b, c, beta=k[0], alpha=k[1]), randn(2), x24, randn(4))
    add(f"addr_{tag}", "aten.addr.default", lambda a, b, c, k=(beta, alpha): torch.addr(a, b, c, beta=k[0], alpha=k[1]), randn(4, 3), randn(4), randn(3))
    add(f"addbmm_{tag}", "aten.addbmm.default", lambda a, b, c, k=(beta, alpha): torch.addbmm(a, b, c, beta=k[0], alpha=k[1]), randn(3, 3), x234, randn(2, 4, 3))
    add(f"addmm_{tag}", "aten.addmm.default", lambda a, b, c, k=(beta, alpha): torch.addmm(a, b, c, beta=k[0], alpha=k[1]), randn(3), x24, randn(4, 3))
    add(f"baddbmm_{tag}", "aten.baddbmm.default", lambda a, b, c, k=(beta, alpha): torch.baddbmm(a, b, c, beta=k[0], alpha=k[1]), randn(2, 3, 3), x234, randn(2, 4, 3))
add("vdot", "aten.vdot.default", torch.vdot, randn(4), randn(4))
for a, b in (((2, 4), (3, 4)), ((4,), (4,)), ((2, 3, 4), (5, 4)), ((2, 3, 4), (4,)), ((4,), (2, 3, 4)), ((), (2, 3))):
    add(f"inner_{len(a)}d_{len(b)}d", "aten.inner.default", torch.inner, randn(a), randn(b))
add("tensordot", "aten.tensordot.default", lambda a, b: torch.tensordot(a, b, 2), x234, randn(3, 4, 5))
add("tensordot_dims", "aten.tensordot.default", lambda a, b: torch.tensordot(a, b, ([-2, 0], [0, 2])), x234, randn(3, 5, 2))
add("tensordot_outer", "aten.tensordot.default", lambda a, b: torch.tensordot(a, b, 0), randn(2), randn(3))
add("kron", "aten.kron.default", torch.kron, x24, randn(3, 2))
add("kron_ranks", "aten.kron.default", torch.kron, randn(3), x234)
add("cross", "aten.cross.default", lambda a, b: torch.cross(a, b, dim=1), randn(2, 3), randn(2, 3))
add("cross_broadcast", "aten.linalg_cross.default", lambda a, b: torch.linalg.cross(a, b), randn(2, 3), randn(1, 3))
add("multi_dot", "aten.linalg_multi_dot.default", lambda a, b, c: torch.linalg.multi_dot([a, b, c]), randn(4), randn(4, 3), randn(3, 2))
for n in (1, 2, 7):
    add(f"matrix_power_{n}", "aten.matrix_power.default", lambda x, n=n: torch.matrix_power(x, n), square)
add("cartesian_prod", "aten.cartesian_prod.default", lambda a, b: torch.cartesian_prod(a, b), randn(3), randn(2))
for offset in (0, 1, -2):
    add(f"diag_of_vector_{offset}", "aten.diag.default", lambda x, offset=offset: torch.diag(x, offset), randn(4))
    add(f"diag_of_matrix_{offset}", "aten.diag.default", lambda x, offset=offset: torch.diag(x, offset), x24)
    add(f"diagflat_{offset}", "aten.diagflat.default", lambda x, offset=offset: torch.diagflat(x, offset), torch.randint(1, 9, (2, 2)))
add("block_diag", "aten.block_diag.default", lambda a, b, c: torch.block_diag(a, b, c), x24, square, randn(3))
add("vander", "aten.vander.default", lambda x: torch.vander(x, 4), randn(3))
add("vander_increasing", "aten.vander.default", lambda x: torch.vander(x, increasing=True), randn(3))

# Norms and distances
for p in (0, 1, 2, 3, inf, -inf):
    tag = str(p).replace("-", "minus_")
    add(f"vector_norm_{tag}", "aten.linalg_vector_norm.default", lambda x, p=p: torch.linalg.vector_norm(x, p, dim=(-1, 0), keepdim=True), x234)
    add(f"dist_{tag}", "aten.dist.default", lambda a, b, p=p: torch.dist(a, b, p), x24, randn(4))
    if p >= 0:
        add(f"cdist_{tag}", "aten.cdist.default", lambda a, b, p=p: torch.cdist(a, b, p), randn(2, 3, 4), randn(5, 4))
add("pdist", "aten.pdist.default", F.pdist, randn(5, 4))
add("matrix_norm", "aten.linalg_matrix_norm.str_ord", lambda x: torch.linalg.matrix_norm(x), x234)
add("norm_with_dim", "aten.norm.ScalarOpt_dim", lambda x: ops.norm.ScalarOpt_dim(x, 3, [1], True), x24)
add("pairwise_distance", "aten.pairwise_distance.default", lambda a, b: F.pairwise_distance(a, b, p=1, keepdim=True), x24, randn(2, 4))
add("weight_norm", "aten._weight_norm.default", nn.utils.parametrizations.weight_norm(nn.Linear(4, 3)), x24)
add("weight_norm_dim_1", "aten._weight_norm.default", lambda v, g: torch._weight_norm(v, g, 1), x24, randn(1, 4))

# Losses
labels, target = torch.randint(0, 4, (2,)), randn(2, 4)
for reduction in ("none", "mean", "sum"):
    r = {"reduction": reduction}
    add(f"smooth_l1_{reduction}", "aten.smooth_l1_loss.default", nn.SmoothL1Loss(beta=0.5, **r), x24, target)
    add(f"huber_{reduction}", "aten.huber_loss.default", nn.HuberLoss(delta=0.5, **r), x24, target)
    add(f"l1_{reduction}", "aten.l1_loss.default", nn.L1Loss(**r), x24, target)
    add(f"mse_{reduction}", "aten.mse_loss.default", nn.MSELoss(**r), x24, target)
    add(f"soft_margin_{reduction}", "aten.soft_margin_loss.default", nn.SoftMarginLoss(**r), x24, target.sign())
    add(f"hinge_embedding_{reduction}", "aten.hinge_embedding_loss.default", nn.HingeEmbeddingLoss(margin=0.5, **r), x24, target.sign())
    add(f"margin_ranking_{reduction}", "aten.margin_ranking_loss.default", nn.MarginRankingLoss(0.3, **r), randn(4), randn(4), randn(4).sign())
    add(f"bce_{reduction}", "aten.binary_cross_entropy.default", nn.BCELoss(**r), unit, torch.rand(2, 4))
    add(f"bce_logits_{reduction}", "aten.binary_cross_entropy_with_logits.default", nn.BCEWithLogitsLoss(**r), x24 * 30, torch.rand(2, 4))
    add(f"multi_margin_row_{reduction}", "aten.multi_margin_loss.default", nn.MultiMarginLoss(**r), x24[0], labels[0])
    add(f"multi_margin_{reduction}", "aten.multi_margin_loss.default", nn.MultiMarginLoss(p=2, margin=0.7, **r), x24, labels)
    add(f"multilabel_margin_{reduction}", "aten.multilabel_margin_loss.default", nn.MultiLabelMarginLoss(**r), x24, torch.tensor([[1, 0, -1, 2], [3, -1, 0, 0]]))
    add(f"triplet_{reduction}", "aten.triplet_margin_loss.default", nn.TripletMarginLoss(swap=True, **r), x24, target, randn(2, 4))
    add(f"nll_{reduction}", "aten.nll_loss_nd.default", nn.NLLLoss(ignore_index=1, **r), x24, torch.tensor([1, 3]))
    add(f"nll_weighted_{reduction}", "aten.nll_loss_nd.default", nn.NLLLoss(weight=torch.rand(4), **r), randn(2, 4, 3, 3), torch.randint(0, 4, (2, 3, 3)))
    add(f"cross_entropy_{reduction}", "aten.cross_entropy_loss.default", nn.CrossEntropyLoss(weight=torch.rand(4), ignore_index=2, label_smoothing=0.1, **r), randn(3, 4), torch.tensor([0, 2, 3]))
    add(f"cross_entropy_probabilities_{reduction}", "aten.cross_entropy_loss.default", nn.CrossEntropyLoss(weight=torch.rand(4), label_smoothing=0.2, **r), randn(3, 4), torch.rand(3, 4))
add("smooth_l1_zero_beta", "aten.smooth_l1_loss.default", lambda x, t: ops.smooth_l1_loss(x, t, 1, 0.0), x24, target)
add("bce_weight", "aten.binary_cross_entropy.default", nn.BCELoss(weight=torch.rand(4)), torch.tensor([[0.0, 1.0, 0.5, 0.2]]), torch.tensor([[1.0, 0.0, 0.3, 0.2]]))
add("bce_logits_positive", "aten.binary_cross_entropy_with_logits.default", nn.BCEWithLogitsLoss(weight=torch.rand(4), pos_weight=torch.rand(4)), x24, torch.rand(2, 4))
add("cross_entropy", "aten.cross_entropy_loss.default", nn.CrossEntropyLoss(), x24, labels)
add("cross_entropy_one_sample", "aten.cross_entropy_loss.default", nn.CrossEntropyLoss(), randn(4), torch.tensor(2))
add("cross_entropy_image", "aten.cross_entropy_loss.default", nn.CrossEntropyLoss(), randn(2, 4, 3, 3), torch.randint(0, 4, (2, 3, 3)))
add("cross_entropy_dynamic", "aten.cross_entropy_loss.default", nn.CrossEntropyLoss(), randn(5, 4), torch.randint(0, 4, (5,)), dynamic=({0: DYNAMIC}, {0: DYNAMIC}))

# Pointwise
special = torch.special
for packet, function, value in (
        ("erfc", torch.erfc, edge), ("sinc", torch.sinc, edge), ("digamma", torch.digamma, torch.tensor([0.3, 1.0, 7.5, 100.0, -0.7, -3.2, -2.0, 0.0])),
        ("lgamma", torch.lgamma, torch.tensor([0.3, 1.0, 2.0, 7.5, 1e4, 1e10, -0.7, -3.2, inf])), ("i0", torch.i0, torch.linspace(-9, 9, 19)),
        ("special_i0e", special.i0e, torch.linspace(-40, 40, 19)), ("special_i1", special.i1, torch.linspace(-9, 9, 19)),
        ("special_i1e", special.i1e, torch.linspace(-40, 40, 19)), ("special_entr", special.entr, edge), ("special_ndtr", special.ndtr, torch.linspace(-3, 3, 13)),
        ("positive", torch.positive, edge), ("real", lambda x: torch.real(x) + 1, edge)):
    add(packet, f"aten.{packet}.default", function, value)
add("erfc_integers", "aten.erfc.default", torch.erfc, torch.arange(4))
add("erfc_bfloat16", "aten.erfc.default", torch.erfc, edge.bfloat16())
signed = torch.tensor([0.0, -0.0, 1.0, -1.5, inf, -inf])
add("isfinite", "aten.isfinite.default", torch.isfinite, edge)
add("signbit", "aten.signbit.default", torch.signbit, signed)
add("copysign", "aten.copysign.Tensor", lambda x, y: torch.copysign(x, y), torch.arange(6.0) - 2, signed)
add("fmax", "aten.fmax.default", torch.fmax, torch.tensor([1.0, nan, 2.0, nan]), torch.tensor([3.0, 1.0, nan, nan]))
add("fmin", "aten.fmin.default", torch.fmin, torch.tensor([1.0, nan, 2.0, nan]), torch.tensor([3.0, 1.0, nan, nan]))
add("xlogy", "aten.xlogy.Tensor", lambda x, y: torch.xlogy(x, y), torch.tensor([0.0, 0.0, 2.0, 0.0]), torch.tensor([0.0, nan, 3.0, inf]))
add("shift_left", "aten.__lshift__.Scalar", lambda x: x << 3, torch.arange(4))
add("shift_right", "aten.__rshift__.Scalar", lambda x: x >> 1, torch.arange(-3, 4, dtype=torch.int32))
add("fmod_number", "aten.fmod.Scalar", lambda x: torch.fmod(x, 2.5), signed[:4] * 7)
add("hypot", "aten.hypot.default", torch.hypot, torch.tensor([3.0, 0.0, 1e30, inf, nan]), torch.tensor([4.0, 0.0, 1e30, nan, 1.0]))
add("xlog1py", "aten.special_xlog1py.default", special.xlog1py, torch.tensor([0.0, 0.0, 2.0, 1.0]), torch.tensor([-1.0, nan, 0.5, -1.0]))
add("true_divide_integers", "aten.true_divide.Tensor", lambda x, y: torch.true_divide(x, y), torch.arange(4), torch.arange(1, 5))
add("rsub", "aten.rsub.Tensor", lambda x, y: torch.rsub(x, y, alpha=2), x24, randn(4))
add("clip", "aten.clip.default", lambda x: torch.clip(x, max=0.5), x24)
add("clip_tensor", "aten.clip.Tensor", lambda x, y: torch.clip(x, min=y), x24, randn(4))
for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int32, torch.bool, torch.float32):
    add(f"to_{dtype}".replace("torch.", ""), "aten.to.dtype", lambda x, dtype=dtype: x.to(dtype) * 1, x24)
add("to_copy", "aten.to.dtype", lambda x: x.to(torch.float32, copy=True), x24)
add("to_other", "aten.to.device", lambda x, y: x.to(y), x24, index)

# Reductions
gaps = torch.tensor([[1.0, nan, 3.0], [nan, nan, nan], [0.5, 2.0, -1.0]])
add("nansum", "aten.nansum.default", torch.nansum, gaps)
add("nansum_dim", "aten.nansum.default", lambda x: torch.nansum(x, dim=-1, keepdim=True), gaps)
add("nanmean_dim", "aten.nanmean.default", lambda x: torch.nanmean(x, dim=1), gaps)
add("all_dims", "aten.all.dims", lambda x: torch.all(x > -1, dim=(0, -1)), x234)
add("any_dims", "aten.any.dims", lambda x: torch.any(x, dim=(0, 2), keepdim=True), torch.tensor([[[0, 0], [0, 3]]]))
for function in ("var", "std", "var_mean", "std_mean"):
    for correction in (0, 1, 2):
        add(f"{function}_{correction}", f"aten.{function}.correction",
            lambda x, function=function, correction=correction: getattr(torch, function)(x, dim=(0, -1), correction=correction, keepdim=True), x234)
add("std_mean_dim", "aten.std_mean.dim", lambda x: torch.ops.aten.std_mean.dim(x, [1], False), x234)
add("sort_stable", "aten.sort.stable", lambda x: tuple(torch.sort(x, stable=True, descending=True)), x24)
add("msort", "aten.msort.default", torch.msort, x34)
add("median", "aten.median.default", torch.median, x34)
add("median_dim", "aten.median.dim", lambda x: tuple(torch.median(x, dim=0, keepdim=True)), randn(5, 3))
add("median_nan", "aten.median.dim", lambda x: torch.median(x, dim=-1)[0], torch.tensor([[1.0, nan, 3.0, 2.0], [4.0, 1.0, 2.0, 0.0]]))
add("median_of_all_nan", "aten.median.default", torch.median, torch.tensor([1.0, nan, 3.0]))

# Layers
for dims in (1, 2, 3):
    shape = (2, 4) + (5,) * dims
    add(f"batch_norm_{dims}d_training", "", getattr(nn, f"BatchNorm{dims}d")(4), randn(shape))
    add(f"instance_norm_{dims}d", "aten.instance_norm.default", getattr(nn, f"InstanceNorm{dims}d")(4, affine=True), randn(shape))
add("batch_norm_dynamic_training", "", nn.BatchNorm2d(4), randn(3, 4, 5, 5), dynamic=({0: DYNAMIC, 2: DYNAMIC},))
add("batch_norm_without_statistics", "aten.instance_norm.default", nn.InstanceNorm2d(4, track_running_stats=True).eval(), randn(2, 4, 5, 5))
for mode in ("linear", "bilinear", "trilinear", "bicubic", "nearest-exact", "nearest"):
    packet = {"linear": "upsample_linear1d", "bilinear": "upsample_bilinear2d", "trilinear": "upsample_trilinear3d", "bicubic": "upsample_bicubic2d",
              "nearest-exact": "_upsample_nearest_exact2d", "nearest": "upsample_nearest2d"}[mode]
    dims = {"linear": 1, "trilinear": 3}.get(mode, 2)
    value, sizes = randn((1, 2) + (4, 5, 3)[:dims]), (7, 9, 2)[:dims]
    corners = (False, True) if "linear" in mode or mode == "bicubic" else (None,)
    for corner in corners:
        for how in ({"scale_factor": 2}, {"scale_factor": 1.7}, {"scale_factor": 0.5}, {"size": sizes}, {"scale_factor": 1.7, "recompute_scale_factor": True}):
            tag = "_".join(f"{k[:4]}{v}" for k, v in how.items()).replace(" ", "").replace("(", "").replace(")", "").replace(",", "x").replace(".", "")
            add(f"{mode}_{corner}_{tag}", f"aten.{packet}.vec", lambda x, mode=mode, corner=corner, how=how: F.interpolate(x, mode=mode, align_corners=corner, **how), value)
for dims in (1, 2, 3):
    for mode, packet in (("nearest", "upsample_nearest"), ("nearest-exact", "_upsample_nearest_exact")):
        add(f"{mode}_{dims}d_half", f"aten.{packet}{dims}d.vec", lambda x, mode=mode: F.interpolate(x, scale_factor=1.7, mode=mode), randn((1, 2) + (4, 5, 3)[:dims]).half())
add("bicubic_half", "aten.upsample_bicubic2d.vec", lambda x: F.interpolate(x, scale_factor=2, mode="bicubic"), img.half())
add("trilinear_half", "aten.upsample_trilinear3d.vec", lambda x: F.interpolate(x, scale_factor=2, mode="trilinear"), randn(1, 2, 3, 4, 2).half())
add("bilinear_half", "aten.upsample_bilinear2d.vec", lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), img.half())
add("bilinear_dynamic", "aten.upsample_bilinear2d.vec", lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), randn(2, 3, 6, 7), dynamic=({2: DYNAMIC, 3: DYNAMIC},))
add("nearest_dynamic", "aten.upsample_nearest2d.vec", lambda x: F.interpolate(x, scale_factor=2), randn(2, 3, 6, 7), dynamic=({2: DYNAMIC, 3: DYNAMIC},))
add("nearest_3d", "aten.upsample_nearest3d.vec", lambda x: F.interpolate(x, size=(3, 5, 7)), randn(1, 2, 4, 4, 4))
for mode in ("bilinear", "nearest"):
    for padding in ("zeros", "border", "reflection"):
        for corner in (False, True):
            for dims in (2, 3):
                add(f"grid_{mode}_{padding}_{corner}_{dims}d", "aten.grid_sampler.default",
                    lambda x, g, mode=mode, padding=padding, corner=corner: F.grid_sample(x, g, mode=mode, padding_mode=padding, align_corners=corner),
                    randn((2, 3, 4, 5, 3)[:dims + 2]), randn((2, 3, 4, 2)[:dims + 1] + (dims,)) * 1.5)
for corner in (False, True):
    add(f"affine_grid_{corner}", "aten.affine_grid_generator.default", lambda t, corner=corner: F.affine_grid(t, (2, 3, 4, 5), align_corners=corner), randn(2, 2, 3))
    add(f"affine_grid_3d_{corner}", "aten.affine_grid_generator.default", lambda t, corner=corner: F.affine_grid(t, (1, 1, 2, 3, 4), align_corners=corner), randn(1, 3, 4))
add("im2col", "aten.im2col.default", nn.Unfold((2, 3), dilation=2, stride=(1, 2), padding=(1, 0)), img)
add("col2im", "aten.col2im.default", nn.Fold((5, 6), (2, 3), stride=(1, 2), padding=(1, 0)), randn(2, 12, 12))
add("unfold", "aten.unfold.default", lambda x: x.unfold(-1, 3, 2), randn(2, 9))
for out in (1, 2, 3, 5, 7):
    add(f"adaptive_avg_1d_{out}", "" if out == 1 else "aten.adaptive_avg_pool1d.default", nn.AdaptiveAvgPool1d(out), randn(2, 3, 7))
    add(f"adaptive_max_1d_{out}", "" if out == 1 else "aten.adaptive_max_pool1d.default", lambda x, out=out: F.adaptive_max_pool1d(x, out, return_indices=True), randn(2, 3, 7))
add("adaptive_avg_2d", "aten.adaptive_avg_pool2d.default", nn.AdaptiveAvgPool2d((3, 5)), randn(2, 3, 7, 8))
add("adaptive_avg_3d", "aten.adaptive_avg_pool3d.default", nn.AdaptiveAvgPool3d((1, 2, 3)), randn(2, 3, 4, 5, 6))
add("embedding_bag_offsets", "", lambda w, i, o: F.embedding_bag(i, w, o, mode="sum"), randn(10, 4), torch.randint(0, 10, (6,)), torch.tensor([0, 2, 4]))

# Recurrent
for name, kind in (("lstm", nn.LSTM), ("gru", nn.GRU), ("rnn_tanh", nn.RNN)):
    add(name, f"aten.{name}.input", kind(4, 3), randn(5, 2, 4))
    add(f"{name}_batch_first_unbiased", f"aten.{name}.input", kind(4, 3, batch_first=True, bias=False), randn(2, 5, 4))
    add(f"{name}_two_layers_both_ways", f"aten.{name}.input", kind(4, 3, num_layers=2, bidirectional=True), randn(5, 2, 4))
    add(f"{name}_unbatched", f"aten.{name}.input", kind(4, 3), randn(5, 4))
    add(f"{name}_dynamic_batch", f"aten.{name}.input", kind(4, 3, batch_first=True), randn(3, 5, 4), dynamic=({0: DYNAMIC},))
add("lstm_projected", "aten.lstm.input", nn.LSTM(4, 3, proj_size=2, bidirectional=True), randn(5, 2, 4))
add("rnn_relu", "aten.rnn_relu.input", nn.RNN(4, 3, nonlinearity="relu"), randn(5, 2, 4))
add("lstm_cell", "aten.lstm_cell.default", nn.LSTMCell(4, 3), x24)
add("gru_cell", "aten.gru_cell.default", nn.GRUCell(4, 3, bias=False), x24)
add("rnn_cell", "aten.rnn_tanh_cell.default", nn.RNNCell(4, 3), x24)
add("rnn_relu_cell", "aten.rnn_relu_cell.default", nn.RNNCell(4, 3, nonlinearity="relu"), x24)

# Made from numbers, or random
for periodic in (True, False):
    add(f"hann_{periodic}", "aten.hann_window.periodic", lambda x, periodic=periodic: x * torch.hann_window(6, periodic=periodic), vector)
    add(f"hamming_{periodic}", "aten.hamming_window.periodic", lambda x, periodic=periodic: x * torch.hamming_window(6, periodic=periodic), vector)
add("hamming_alpha_beta", "aten.hamming_window.periodic_alpha_beta", lambda x: x * torch.hamming_window(6, True, 0.6, 0.3), vector)
add("logspace", "aten.logspace.default", lambda x: x + torch.logspace(-1, 2, 6, base=2), vector)
add("logspace_of_one", "aten.logspace.default", lambda x: x + torch.logspace(3, 9, 1), vector)
for dims in (1, 2, 3):
    add(f"dropout_{dims}d", "aten.feature_dropout.default", getattr(nn, f"Dropout{dims}d")().eval(), randn((2, 4) + (3,) * dims))
    add(f"dropout_{dims}d_training", "aten.feature_dropout.default", getattr(nn, f"Dropout{dims}d")(), randn((2, 4) + (3,) * dims), random=True)
add("alpha_dropout", "aten.alpha_dropout.default", nn.AlphaDropout().eval(), x24)
add("alpha_dropout_training", "aten.alpha_dropout.default", nn.AlphaDropout(), x24, random=True)
add("normal_in_place", "", lambda x: torch.empty_like(x).normal_(1, 2) + x, x24, random=True)
add("normal", "aten.normal.Tensor_float", lambda x: torch.normal(x, 2.0), x24, random=True)
add("exponential", "", lambda x: torch.empty_like(x).exponential_(2) + x, x24, random=True)
add("randint_like", "aten.randint_like.default", lambda x: torch.randint_like(x, 5), x24, random=True)
add("randperm", "aten.randperm.default", lambda x: x + torch.randperm(6), vector, random=True)

# On request
q, kv = randn(2, 4, 5, 8), randn(2, 2, 5, 8)
attend = "aten.scaled_dot_product_attention.default"
add("attention", attend, lambda q, k, v: F.scaled_dot_product_attention(q, k, v), q, q, q)
add("attention_causal", attend, lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), q, randn(2, 4, 7, 8), randn(2, 4, 7, 8))
add("attention_mask", attend, lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m), q, q, q, randn(5, 5))
add("attention_bool_mask", attend, lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m), q, q, q, torch.tensor([[1, 0, 1, 1, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [0, 1, 0, 0, 0], [1, 0, 0, 0, 1]]) > 0)
add("attention_grouped", attend, lambda q, k, v: F.scaled_dot_product_attention(q, k, v, enable_gqa=True, scale=0.3), q, kv, kv)
add("attention_dynamic", attend, lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), q, q, q, dynamic=({2: DYNAMIC},) * 3)
add("layer_norm", "aten.layer_norm.default", nn.LayerNorm((3, 4)), x234)
add("layer_norm_half", "aten.layer_norm.default", nn.LayerNorm(4, elementwise_affine=False), x234.half())
add("layer_norm_dynamic", "aten.layer_norm.default", nn.LayerNorm(4), x234, dynamic=(each,))
add("native_layer_norm", "aten.native_layer_norm.default", lambda x: ops.native_layer_norm(x, [4], None, None, 1e-5), x234)
add("rms_norm", "aten.rms_norm.default", nn.RMSNorm(4), x234)
add("group_norm", "aten.group_norm.default", nn.GroupNorm(2, 4), randn(2, 4, 6))
add("native_group_norm", "aten.native_group_norm.default", lambda x: ops.native_group_norm(x, None, None, 2, 4, 6, 2, 1e-5), randn(2, 4, 6))
add("softmax", "aten.softmax.int", nn.Softmax(1), x234)
add("softmax_half_to_float", "aten.softmax.int", lambda x: F.softmax(x, -1, dtype=torch.float32), x234.half())
add("log_softmax", "aten.log_softmax.int", nn.LogSoftmax(-2), x234 * 40)
add("softmax_of_one", "aten.softmax.int", lambda x: F.softmax(x, 0), torch.tensor(-2.5))
add("softmax_of_one_infinite", "aten._softmax.default", lambda x: ops._softmax(x, -1, False), torch.tensor(float("inf")))
add("log_softmax_of_one", "aten.log_softmax.int", lambda x: F.log_softmax(x, -1, dtype=torch.float64), torch.tensor(3.0))
add("sort_of_one", "aten.sort.default", lambda x: tuple(ops.sort(x, -1, True)), torch.tensor(3.0))
add("argsort_of_one", "aten.argsort.default", lambda x: ops.argsort(x, 0), torch.tensor(3.0))
for dim in (0, 1, -1):
    add(f"cumsum_{dim}", "aten.cumsum.default", lambda x, dim=dim: x.cumsum(dim), x234)
add("cumsum_bool", "aten.cumsum.default", lambda x: (x > 0).cumsum(-1), x24)
add("cumsum_dynamic", "aten.cumsum.default", lambda x: x.cumsum(1), x24, dynamic=(each,))
add("prelu", "aten.prelu.default", nn.PReLU(3), img)
add("glu", "aten.glu.default", lambda x: F.glu(x, -1), x24)
add("logit", "aten.logit.default", lambda x: torch.logit(x, 0.2), unit)
add("gelu_tanh", "aten.gelu.default", nn.GELU("tanh"), edge)
add("softplus_threshold", "aten.softplus.default", nn.Softplus(2.0, 1.0), edge)
for name, module in (("gelu", nn.GELU()), ("silu", nn.SiLU()), ("mish", nn.Mish()), ("softplus", nn.Softplus()), ("log_sigmoid", nn.LogSigmoid()),
                     ("hardsigmoid", nn.Hardsigmoid()), ("hardswish", nn.Hardswish()), ("hardtanh", nn.Hardtanh(-0.5, 2.0)),
                     ("leaky_relu", nn.LeakyReLU(0.2)), ("elu", nn.ELU(0.7)), ("celu", nn.CELU(0.7)), ("selu", nn.SELU()), ("softshrink", nn.Softshrink()),
                     ("hardshrink", nn.Hardshrink())):
    finite = torch.tensor([0.0, -0.25, 1.0, -1.5, 3.25, 0.5, -7.0, 30.0])
    add(name, f"aten.{name}.default", module, finite)
    add(f"{name}_half", f"aten.{name}.default", module, finite.half())

# Writes at indexed positions, as comparisons. Repeated indices: the last write counts, as on the CPU.
line = torch.tensor([2, 0, 2, -1])
column, row = torch.tensor([[0], [2]]), torch.tensor([1, 3])
for accumulate in (False, True):
    put = lambda *indices, accumulate=accumulate: lambda x, v: ops.index_put(x, list(indices), v, accumulate)  # noqa: E731
    for name, indices, x, v in (("first", (line,), x34, randn(4, 4)), ("middle", (None, line), x234, randn(2, 4, 4)), ("last", (None, None, line), x234, randn(2, 3, 4)),
                                ("scalar", (line,), x34, randn(())), ("row", (line,), x34, randn(4)), ("grid", (column, row), x34, randn(2, 2)),
                                ("adjacent", (None, column, row), x234, randn(2, 2, 2)), ("apart", (column - 1, None, row), x234, randn(2, 2, 3)),
                                ("int32", (line,), torch.arange(12, dtype=torch.int32).view(3, 4), torch.arange(16, dtype=torch.int32).view(4, 4)),
                                ("half", (line,), x34.half(), randn(4, 4).half())):
        add(f"index_put_{name}_{accumulate}", "aten.index_put.default", put(*indices), x, v)
    masks = (("whole", (x34 > 0,), x34, randn(())), ("one", (x34 > 0,), x34, randn((1,) if accumulate else (1, 1))), ("rows", (line > 0,), randn(4, 3), randn(3)),
             ("last", (None, x34 > 0), x234, randn(())), ("narrow", (x34 > 0,), torch.arange(12).view(3, 4), torch.tensor(7)))
    for name, indices, x, v in masks:
        add(f"index_put_mask_{name}_{accumulate}", "aten.index_put.default", put(*indices), x, v)
add("index_put_bool", "aten.index_put.default", lambda x, v, at=line: ops.index_put(x, [at], v), x34 > 0, randn(4, 4) > 0)
add("index_put_dynamic", "aten.index_put.default", lambda x, i, v: ops.index_put(x, [i], v, True), x34, line, randn(4, 4), dynamic=(each, None, {1: DYNAMIC}))
wide = torch.tensor([[0, 2, 1, 0], [2, 2, 0, 1]])
short = wide[:, :3]
for name, index_of, source in (("whole", wide, randn(2, 4)), ("short", short, randn(2, 3)), ("wide_source", short, randn(3, 5))):
    for dim, x in ((0, randn(3, 4)), (-2, randn(5, 4))):
        add(f"scatter_{name}_{dim}", "aten.scatter.src", lambda x, i, s, dim=dim: ops.scatter.src(x, dim, i, s), x, index_of, source)
        add(f"scatter_add_{name}_{dim}", "aten.scatter_add.default", lambda x, i, s, dim=dim: ops.scatter_add(x, dim, i, s), x, index_of, source)
        add(f"scatter_value_{name}_{dim}", "aten.scatter.value", lambda x, i, dim=dim: ops.scatter.value(x, dim, i, 2.5), x, index_of)
    for reduce in ("sum", "prod", "amax", "amin", "mean"):
        for include in (True, False):
            add(f"scatter_reduce_{reduce}_{name}_{include}", "aten.scatter_reduce.two",
                lambda x, i, s, reduce=reduce, include=include: ops.scatter_reduce.two(x, 0, i, s, reduce, include_self=include), randn(3, 4), index_of, source)
for reduce in ("add", "multiply"):
    add(f"scatter_{reduce}", "aten.scatter.reduce", lambda x, i, s, reduce=reduce: ops.scatter.reduce(x, 0, i, s, reduce=reduce), randn(3, 4), wide, randn(2, 4))
    add(f"scatter_value_{reduce}", "aten.scatter.value_reduce", lambda x, i, reduce=reduce: ops.scatter.value_reduce(x, 0, i, 1.5, reduce=reduce), randn(3, 4), wide)
add("scatter_reduce_int", "aten.scatter_reduce.two", lambda x, i, s: ops.scatter_reduce.two(x, 0, i, s, "amax", include_self=False),
    torch.arange(12).view(3, 4), wide, torch.arange(8).view(2, 4) - 4)
add("fill_tensor", "aten.fill.Tensor", lambda x, v: ops.fill.Tensor(x, v), x24, torch.tensor(3))

# Sorts, as ranks. Ties keep their order; NaN is greater than any number.
ties = torch.tensor([[3.0, 1.0, 3.0, nan, -inf, 1.0], [0.0, nan, -0.0, inf, nan, 2.0]])
for descending in (False, True):
    for name, x, dim in (("ties", ties, -1), ("rows", x234, 1), ("integers", torch.tensor([[2, 1, 2], [0, 5, -5]]), 1), ("bools", x24 > 0, 1), ("halves", x24.half(), 0)):
        add(f"sort_{name}_{descending}", "aten.sort.stable", lambda x, dim=dim, descending=descending: ops.sort.stable(x, stable=True, dim=dim, descending=descending), x)
        add(f"sort_by_rank_{name}_{descending}", "aten.sort.default", lambda x, dim=dim, descending=descending: ops.sort.default(x, dim, descending)[0], x)
    add(f"argsort_{descending}", "aten.argsort.default", lambda x, descending=descending: ops.argsort(x, -1, descending), x234)
    add(f"topk_{descending}", "aten.topk.default", lambda x, descending=descending: ops.topk(x, 2, 1, descending), x234)
for keep in (False, True):
    add(f"kthvalue_{keep}", "aten.kthvalue.default", lambda x, keep=keep: ops.kthvalue(x, 2, 1, keep), x234)

add("nan_to_num_of_integers", "aten.nan_to_num.default", lambda x: torch.nan_to_num(x), torch.arange(6))
add("transpose_of_a_vector", "aten.t.default", lambda x: x.t() + 1, x24[0])
add("transpose_of_one_dimension", "aten.transpose.int", lambda x: x.transpose(1, -1) + 1, x24)

# Pools as arithmetic on slices
volume, line = randn(1, 2, 5, 6, 7), randn(2, 3, 9)
for n, x in ((1, line), (2, img), (3, volume)):
    for name, options in (("plain", (2, 2)), ("padded", (3, 2, 1)), ("dilated", (2, 1, 1, 2)), ("ceil", (3, 2, 1, 1, True))):
        add(f"max_pool{n}d_slices_{name}", f"aten.max_pool{n}d.default", lambda x, n=n, options=options: getattr(ops, f"max_pool{n}d")(x, *options), x)
    for name, options in (("plain", (2, 2)), ("padded", (3, 2, 1)), ("inside", (3, 2, 1, False, False)), ("ceil", (3, 2, 1, True, True)), ("ceil_inside", (2, 2, 1, True, False))):
        add(f"avg_pool{n}d_slices_{name}", f"aten.avg_pool{n}d.default", lambda x, n=n, options=options: getattr(ops, f"avg_pool{n}d")(x, *options), x)
    if n > 1:
        add(f"avg_pool{n}d_slices_divisor", f"aten.avg_pool{n}d.default", lambda x, n=n: getattr(ops, f"avg_pool{n}d")(x, 2, 1, 0, True, True, 3), x)
sides = ({2: DYNAMIC, 3: DYNAMIC},)
add("max_pool2d_slices_dynamic", "aten.max_pool2d.default", lambda x: F.max_pool2d(x, 3, 2, 1, 2, ceil_mode=True), img, dynamic=sides)
add("avg_pool2d_slices_dynamic", "aten.avg_pool2d.default", lambda x: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True), img, dynamic=sides)
add("avg_pool2d_slices_dynamic_inside", "aten.avg_pool2d.default", lambda x: F.avg_pool2d(x, (2, 3), 2, 1, count_include_pad=False), img, dynamic=sides)
for kernel, stride, padding in ((2, 3, 0), (2, 3, 1), (3, 3, 1), (3, 2, 0), (1, 2, 0), (3, 1, 1)):
    for size in (5, 6, 7):
        row, options = randn(2, 3, size), (kernel, stride, padding)
        add(f"max_pool1d_slices_{kernel}_{stride}_{padding}_of_{size}", "aten.max_pool1d.default", lambda x, o=options: ops.max_pool1d(x, *o, 1, True), row)
        add(f"avg_pool1d_slices_{kernel}_{stride}_{padding}_of_{size}", "aten.avg_pool1d.default", lambda x, o=options: ops.avg_pool1d(x, *o, True), row)
add("avg_pool2d_slices_half", "aten.avg_pool2d.default", lambda x: F.avg_pool2d(x, 3), img.half())
add("max_pool2d_slices_nan", "aten.max_pool2d.default", lambda x: F.max_pool2d(x, 2, 1), torch.tensor([[[1.0, nan, 2.0], [0.0, -inf, 5.0], [3.0, 1.0, inf]]]))
add("adaptive_max_pool3d_even", "aten.adaptive_max_pool3d.default", lambda x: F.adaptive_max_pool3d(x, (2, 3, 1), return_indices=True), randn(1, 2, 4, 6, 3))

# Convolutions with groups
for name, conv in (("transposed_depthwise", nn.ConvTranspose2d(4, 4, 3, stride=2, groups=4)), ("transposed_padded", nn.ConvTranspose2d(4, 6, 3, 2, 1, 1, groups=2, dilation=2)),
                   ("transposed_bare", nn.ConvTranspose2d(4, 8, 2, groups=4, bias=False)), ("depthwise", nn.Conv2d(4, 8, 3, groups=4))):
    add(f"conv_{name}", "aten.conv_transpose2d.input" if "transposed" in name else "aten.conv2d.default", conv, randn(2, 4, 6, 7))
add("convolution_with_groups", "", lambda x, w, b: ops.convolution(x, w, b, [2, 1], [1, 0], [1, 2], False, [0, 0], 2), randn(2, 4, 8, 9), randn(6, 2, 3, 3), randn(6))
add("convolution_transposed_with_groups", "", lambda x, w: ops.convolution(x, w, None, [2], [1], [1], True, [1], 2), randn(2, 4, 8), randn(4, 3, 3))

# Gradients
scores, chosen = randn(4, 5).log_softmax(1), torch.tensor([1, 4, -100, 0])
for reduction in (0, 1, 2):
    for name, weight in (("", None), ("_weighted", torch.rand(5))):
        grad = randn(4) if reduction == 0 else randn(())
        add(f"nll_loss_backward_{reduction}{name}", "aten.nll_loss_backward.default",
            lambda g, x, t, *w, reduction=reduction: ops.nll_loss_backward(g, x, t, w[0] if w else None, reduction, -100, torch.full((), 2.5)), grad, scores, chosen,
            *([] if weight is None else [weight]))
add("nll_loss_backward_row", "aten.nll_loss_backward.default", lambda g, x, t: ops.nll_loss_backward(g, x, t, None, 1, -100, torch.full((), 1.0)), randn(()), scores[0], chosen[0])
for name, args in (("one_gradient", (randn(1), scores, chosen, None, 1)), ("one_gradient_weighted", (randn(1), scores, chosen, torch.rand(5), 2)),
                   ("row_each", (randn(()), scores[0], chosen[0], torch.rand(5), 0)), ("row_one_gradient", (randn(1), scores[0], chosen[0], torch.rand(5), 0))):
    add(f"nll_loss_backward_{name}", "aten.nll_loss_backward.default",
        lambda g, x, t, *w, reduction=args[4]: ops.nll_loss_backward(g, x, t, w[0] if w else None, reduction, -100, torch.full((), 2.5)), *[a for a in args[:4] if a is not None])
# Of a vector, PyTorch takes as many targets as there are classes, and uses the first one.
for reduction in (0, 1, 2):
    for name, weight in (("", []), ("_weighted", [torch.rand(5)])):
        add(f"nll_loss_backward_row_of_targets_{reduction}{name}", "aten.nll_loss_backward.default",
            lambda g, x, t, *w, reduction=reduction: ops.nll_loss_backward(g, x, t, w[0] if w else None, reduction, 4, torch.full((), 2.5)), randn(1), scores[0], torch.tensor([2, 3, 0, 9, 1]), *weight)
add("nll_loss_backward_row_ignored", "aten.nll_loss_backward.default", lambda g, x, t: ops.nll_loss_backward(g, x, t, None, 1, 2, torch.full((), 1.0)), randn(1), scores[0], torch.tensor([2, 3, 0, 1, 1]))
add("nll_loss_backward_row_dynamic", "aten.nll_loss_backward.default", lambda g, x, t: ops.nll_loss_backward(g, x, t, None, 1, 4, torch.full((), 1.0)), randn(1), scores[0],
    torch.tensor([2, 3, 0, 9, 1]), dynamic=(None, {0: DYNAMIC}, {0: DYNAMIC}))
add("nll_loss2d_backward", "aten.nll_loss2d_backward.default", lambda g, x, t: ops.nll_loss2d_backward(g, x, t, None, 0, -100, torch.full((), 1.0)), randn(2, 3, 3), randn(2, 5, 3, 3),
    torch.randint(0, 5, (2, 3, 3)))
for mask in ([True, True, True], [True, False, False]):
    add(f"layer_norm_backward_{mask[1]}", "aten.native_layer_norm_backward.default",
        lambda g, x, w, b, mask=mask: [t for t in ops.native_layer_norm_backward(g, x, [3, 4], *(lambda r: r[1:])(ops.native_layer_norm(x, [3, 4], w, b, 1e-5)), w, b, mask) if t is not None],
        x234, randn(2, 3, 4), x34, randn(3, 4))
for padding in (-1, 2):
    add(f"embedding_backward_{padding}", "aten.embedding_dense_backward.default", lambda g, i, padding=padding: ops.embedding_dense_backward(g, i, 5, padding, False), x234, torch.tensor([[0, 2, 0], [4, 2, 0]]))
add("max_pool2d_backward", "aten.max_pool2d_with_indices_backward.default",
    lambda g, x: ops.max_pool2d_with_indices_backward(g, x, [3, 3], [2, 2], [1, 1], [1, 1], False, ops.max_pool2d_with_indices(x, [3, 3], [2, 2], [1, 1])[1]), randn(1, 3, 4, 4), img)

# Fills, squeezes, scatters and parts of symbolic sizes
rows_of = ({0: DYNAMIC, 1: DYNAMIC},)
add("zeros_dynamic", "aten.zeros.default", lambda x: x + torch.zeros(x.shape[0], 1), x34, dynamic=rows_of)
add("ones_dynamic_int8", "aten.ones.default", lambda x: x * torch.ones(x.shape, dtype=torch.int8), x34, dynamic=rows_of)
add("new_ones_dynamic_bool", "aten.new_ones.default", lambda x: torch.where(x.new_ones(x.shape[1], dtype=torch.bool), x, -x), x34, dynamic=rows_of)
add("squeeze_dynamic", "aten.squeeze.default", lambda x: x[None, :, None].squeeze() * 2, x34, dynamic=rows_of)
add("slice_scatter_all_dynamic", "aten.slice_scatter.default", lambda x: torch.slice_scatter(x, x * 2, 0, 0), x34, dynamic=rows_of)
add("slice_scatter_end_dynamic", "aten.slice_scatter.default", lambda x: torch.slice_scatter(x, x[:2] * 2, 0, x.shape[0] - 2), x34, dynamic=rows_of)
add("slice_scatter_begin_dynamic", "aten.slice_scatter.default", lambda x: torch.slice_scatter(x, x[:, 1:] * 2, 1, 0, x.shape[1] - 1), x34, dynamic=rows_of)

# einsum
for equation, *shapes in (("ij,jk->ik", (3, 4), (4, 5)), ("bij,bjk->bk", (2, 3, 4), (2, 4, 5)), ("bhqd,bhkd->bhqk", (2, 3, 4, 5), (2, 3, 6, 5)), ("bij,kj->ikb", (2, 3, 4), (5, 4)),
                          ("i,j->ji", (3,), (4,)), ("ij->j", (3, 4)), ("ijk->kij", (2, 3, 4)), ("ij,ij->", (3, 4), (3, 4)), ("ij,jk,kl->il", (2, 3), (3, 4), (4, 5)), ("bi,bi,bi->b", (2, 3), (2, 3), (2, 3)),
                          ("a b, b c -> a c", (2, 3), (3, 4)), ("ij,k->k", (2, 3), (4,)), ("ij,jk", (3, 4), (4, 5)), ("ba", (2, 3)), ("...ij,...jk", (2, 3, 4), (2, 4, 5)),
                          ("...qhd,...khd->...hqk", (2, 3, 4, 2, 5), (2, 3, 6, 2, 5)), ("...ij->...ji", (2, 2, 3, 4)), ("i...,i->...", (3, 4, 5), (3,))):
    add(f"einsum_{equation}".replace(",", "_").replace("->", "_to_").replace(" ", "").replace("...", "etc_"), "aten.einsum.default", lambda *t, equation=equation: torch.einsum(equation, *t), *(randn(*s) for s in shapes))

# Norms of matrices, quantiles, bins, bags
for order in ("fro", 1, -1, inf, -inf):
    for keep in (False, True):
        add(f"linalg_norm_{order}_{keep}", f"aten.linalg_norm.{'ord_str' if order == 'fro' else 'default'}", lambda x, order=order, keep=keep: torch.linalg.norm(x, order, (0, 2), keep), x234)
        if order != "fro":
            add(f"linalg_matrix_norm_{order}_{keep}", "aten.linalg_matrix_norm.default", lambda x, order=order, keep=keep: torch.linalg.matrix_norm(x, order, (-1, 0), keep), x234)
add("linalg_norm_whole", "aten.linalg_norm.default", lambda x: torch.linalg.norm(x), x234)
add("linalg_norm_vector", "aten.linalg_norm.default", lambda x: torch.linalg.norm(x, 3, 1), x234)
for mode in ("linear", "lower", "higher", "midpoint", "nearest"):
    for q in (0.0, 0.3, 0.5, 1.0):
        add(f"quantile_{mode}_{q}", "aten.quantile.scalar", lambda x, q=q, mode=mode: (torch.quantile(x, q, interpolation=mode), torch.quantile(x, q, 1, True, interpolation=mode)), x34)
add("quantile_nan", "aten.quantile.scalar", lambda x: torch.quantile(x, 0.4, 1), ties)
add("quantile_whole_kept", "aten.quantile.scalar", lambda x: torch.quantile(x, 0.4, keepdim=True), x234)
add("histc", "aten.histc.default", lambda x: torch.histc(x, 5, -1, 1.5), torch.cat([randn(20), torch.tensor([-1.0, 1.5, 1.6, nan])]))
for mode in ("sum", "mean", "max"):
    for last in (False, True):
        add(f"embedding_bag_{mode}_{last}", "aten.embedding_bag.padding_idx",
            lambda w, i, o, mode=mode, last=last: F.embedding_bag(i, w, o, mode=mode, include_last_offset=last), randn(10, 4), torch.randint(0, 10, (6,)), torch.tensor([0, 2, 2, 6]))
    add(f"embedding_bag_{mode}_padding", "aten.embedding_bag.padding_idx", lambda w, i, o, mode=mode: F.embedding_bag(i, w, o, mode=mode, padding_idx=3), randn(10, 4), torch.tensor([3, 1, 3, 3, 2]),
        torch.tensor([0, 2]))
    add(f"embedding_bag_{mode}_padding_from_end", "aten.embedding_bag.padding_idx", lambda w, i, o, mode=mode: F.embedding_bag(i, w, o, mode=mode, padding_idx=-7), randn(10, 4),
        torch.tensor([3, 1, 3, 3, 2]), torch.tensor([0, 2]))
add("embedding_bag_weighted", "aten.embedding_bag.padding_idx", lambda w, i, o, s: F.embedding_bag(i, w, o, mode="sum", per_sample_weights=s), randn(10, 4), torch.randint(0, 10, (5,)), torch.tensor([0, 2]), randn(5))

# Names, integers and other formulas
for name in ("__and__", "__or__", "__xor__", "__lshift__", "__rshift__"):
    add(name, f"aten.{name}.Tensor", lambda a, b, name=name: getattr(ops, name).Tensor(a, b), torch.tensor([5, -3, 12, 0]), torch.tensor([1, 2, 3, 0]))
add("bool_and_of_tensors", "aten.__and__.Tensor", lambda x: (x > 0) & (x < 1), x24)
add("angle", "aten.angle.default", torch.angle, edge)
add("angle_of_integers", "aten.angle.default", torch.angle, torch.tensor([-2, 0, 3]))
add("erfinv", "aten.erfinv.default", torch.erfinv, torch.cat([torch.linspace(-0.9999, 0.9999, 41), torch.tensor([1.0, -1.0, 0.0, 1.5, nan])]))
add("special_erfinv_double", "aten.special_erfinv.default", torch.special.erfinv, torch.linspace(-0.9, 0.9, 7).double())
for equal in (False, True):
    add(f"isclose_{equal}", "aten.isclose.default", lambda a, b, equal=equal: torch.isclose(a, b, 1e-2, 1e-3, equal), edge, edge + torch.tensor([0, 0, 1e-3, 1.0, 0.02, 0, 0, 0]))
for exponent in (1, 2, 3, 7):
    add(f"pow_of_integers_{exponent}", "aten.pow.Tensor_Scalar", lambda x, exponent=exponent: x**exponent, torch.tensor([-3, 0, 5]))
for k in (16, 2048):
    add(f"int_mm_{k}", "aten._int_mm.default", lambda a, b: torch._int_mm(a, b), torch.randint(-128, 128, (32, k), dtype=torch.int8), torch.randint(-128, 128, (k, 16), dtype=torch.int8))
    add(f"int_mm_unsigned_{k}", "aten._int_mm.default", lambda a, b: torch._int_mm(a, b), torch.randint(0, 256, (32, k), dtype=torch.uint8), torch.randint(-128, 128, (k, 16), dtype=torch.int8))
for axis in (0, 1):
    add(f"fake_quantize_per_channel_{axis}", "aten.fake_quantize_per_channel_affine.default",
        lambda x, s, z, axis=axis: torch.fake_quantize_per_channel_affine(x, s, z, axis, -8, 7), 3 * randn(4, 4), torch.rand(4) + 0.1, torch.tensor([0, 1, -2, 3], dtype=torch.int32))
for name in ("tril_indices", "triu_indices"):
    for offset in (-1, 0, 2):
        add(f"{name}_{offset}", f"aten.{name}.default", lambda x, name=name, offset=offset: getattr(torch, name)(3, 5, offset) + x, torch.tensor(1))
add("where_true", "aten.where.default", lambda x: [i + 1 for i in torch.where(x > 0)], x34)
add("cumprod", "aten.cumprod.default", lambda x: (x.cumprod(1), x.cumprod(-1)), x234)
add("cumprod_of_integers", "aten.cumprod.default", lambda x: x.cumprod(0), torch.tensor([2, -3, 4], dtype=torch.int32))
add("native_batch_norm_eval", "aten.native_batch_norm.default", lambda x, w, b, m, v: ops.native_batch_norm(x, w, b, m, v, False, 0.1, 1e-5)[0], img, randn(3), randn(3), randn(3), torch.rand(3))

add("isfinite_of_integers", "aten.isfinite.default", torch.isfinite, torch.tensor([-3, 0, 5]))
add("isclose_of_integers", "aten.isclose.default", lambda a, b: (torch.isclose(a, b), torch.isclose(a, b, 0.1, 1)), torch.tensor([-3, 0, 50], dtype=torch.int16), torch.tensor([-3, 1, 55], dtype=torch.int16))
add("xlogy_of_integers", "aten.xlogy.Tensor", torch.xlogy, torch.tensor([-3, 0, 5, 0]), torch.tensor([3, 0, 1, 7]))
add("logsumexp_of_scalar", "aten.logsumexp.default", lambda x, i: (x.logsumexp(0), i.logsumexp(-1, True)), torch.tensor(0.3), torch.tensor(3))
add("logsumexp_of_bytes", "aten.logsumexp.default", lambda x: x.logsumexp(1), torch.tensor([[3, -7], [100, 1]], dtype=torch.int8))
add("cosine_embedding_loss_of_integers", "aten.cosine_embedding_loss.default", F.cosine_embedding_loss, torch.tensor([[1, 2], [3, -4]]), torch.tensor([[2, 2], [-3, 0]]), torch.tensor([1, -1]))
add("histc_of_data", "aten.histc.default", lambda x: (torch.histc(x, 5), torch.histc(x[:1], 3)), randn(20))
add("histc_of_scalar", "aten.histc.default", lambda x: torch.histc(x, 4, -1, 1), torch.tensor(0.3))
add("median_of_scalar", "aten.median.dim", lambda x: list(x.median(0)) + list(x.median(-1, True)), torch.tensor(0.3))
add("cosine_embedding_loss", "aten.cosine_embedding_loss.default",
    lambda a, b, t: [F.cosine_embedding_loss(a, b, t, 0.2, reduction=r) for r in ("none", "mean", "sum")], randn(5, 3), randn(5, 3), torch.tensor([1, -1, 1, -1, -1]))
add("cosine_embedding_loss_of_vectors", "aten.cosine_embedding_loss.default", F.cosine_embedding_loss, randn(4), randn(4), torch.tensor(-1))
for name in ("fmax", "fmin"):
    add(f"{name}_broadcast", f"aten.{name}.default", getattr(torch, name), edge.view(8, 1), torch.tensor([nan, 0.5, -2.0]))
    add(f"{name}_of_integers", f"aten.{name}.default", getattr(torch, name), torch.tensor([[3], [-4]], dtype=torch.int16), torch.tensor([2, 5, -9], dtype=torch.int16))
add("clamp_by_tensors", "", lambda x, low, high: (torch.clamp(x, max=high), torch.clamp(x, min=low)), x34, torch.tensor([-0.5, 0.0, 0.1, -2.0]), randn(3, 1))
add("var_dynamic", "aten.var.correction", lambda x: torch.var(x, (0, 2), correction=1, keepdim=True), x234, dynamic=({0: DYNAMIC, 2: DYNAMIC},))
add("std_dynamic", "aten.std.dim", lambda x: torch.std(x, 1, unbiased=False), x234, dynamic=({0: DYNAMIC, 1: DYNAMIC},))
for keep in (False, True):
    add(f"frobenius_norm_{keep}", "aten.frobenius_norm.dim", lambda x, keep=keep: torch.ops.aten.frobenius_norm.dim(x, [0, -1], keep), x234)
add("permute_from_the_back", "", lambda x: x.permute(0, -1, 1), x234)
add("nll_loss_of_one", "aten.nll_loss_forward.default", lambda x, t: torch.ops.aten.nll_loss_forward(x, t, None, 0, 2), x34[0], torch.tensor(1))
add("nll_loss_of_one_ignored", "aten.nll_loss_forward.default", lambda x, t: torch.ops.aten.nll_loss_forward(x, t, None, 0, 1), x34[0], torch.tensor(1))
add("clamp_between_tensors", "aten.clamp.Tensor", torch.clamp, x34, torch.tensor([-0.5, 0.0, nan, -2.0]), randn(3, 1))
add("clamp_from_one", "aten.clamp.Tensor", lambda x, low: torch.clamp(x, min=low), x34, torch.tensor([-0.25]))
add("clamp_integers_to_floats", "aten.clamp.Tensor", lambda x, high: torch.clamp(x, max=high), torch.tensor([3, -4, 7], dtype=torch.int16), torch.tensor([2.5]))
add("clamp_max_tensor", "aten.clamp_max.Tensor", torch.clamp_max, x34, torch.tensor([0.5, 0.0, nan, -2.0]))
add("clamp_min_tensor_of_integers", "aten.clamp_min.Tensor", torch.clamp_min, torch.tensor([3, -4, 7], dtype=torch.int16), torch.tensor(2, dtype=torch.int16))
add("channel_shuffle", "aten.channel_shuffle.default", lambda x: F.channel_shuffle(x, 2), randn(2, 6, 3, 4))
for name, arguments in (("default", (7,)), ("start", (-3, 5)), ("start_step", (5, -4, -2))):
    for dtype in (torch.int8, torch.uint8):
        if dtype == torch.int8 or name == "default":
            add(f"arange_{name}_{dtype}".replace("torch.", ""), "" if name == "start_step" else f"aten.arange.{name}", lambda x, a=arguments, dtype=dtype: torch.arange(*a, dtype=dtype) + x, torch.tensor(1, dtype=dtype))
planes = randn(2, 3, 6, 8)
add("max_unpool2d", "aten.max_unpool2d.default", lambda v, i: F.max_unpool2d(v, i, 2), *F.max_pool2d(planes, 2, return_indices=True))
add("max_unpool2d_larger", "aten.max_unpool2d.default", lambda v, i: F.max_unpool2d(v, i, 2, output_size=(7, 9)), *F.max_pool2d(planes[0], 2, return_indices=True))
add("max_unpool3d", "aten.max_unpool3d.default", lambda v, i: F.max_unpool3d(v, i, 2), *F.max_pool3d(planes, 2, return_indices=True))

# Fourier transforms
for norm in (None, "ortho", "forward"):
    for n in (8, 7, 12, 5):
        add(f"irfft_{norm}_{n}", "aten.fft_irfft.default", lambda x, n=n, norm=norm: torch.fft.irfft(x, n, 1, norm), torch.complex(randn(2, 5, 3), randn(2, 5, 3)))
add("irfft_length", "aten.fft_irfft.default", lambda x: torch.fft.irfft(x), torch.complex(randn(2, 5), randn(2, 5)))
for name in ("real", "imag"):
    add(f"{name}_complex", f"aten.{name}.default", getattr(torch, name), torch.complex(x24, x24 + 1))
add("abs_complex", "aten.abs.default", lambda x: x.abs(), torch.complex(x24, x24 + 1))

# Sizes that depend on data
add("index_of_mask", "aten.index.Tensor", lambda x, m: x[m], x34, x34 > 0)
add("index_of_rows", "", lambda x, m: x[m], x34, torch.tensor([True, False, True]))
add("index_of_columns", "", lambda x, m: x[:, m], x234, torch.tensor([True, False, True]))
add("masked_select", "aten.masked_select.default", torch.masked_select, x234, x34 > 0)
for flags in ((True, False, False), (True, True, False), (True, False, True), (True, True, True)):
    add(f"unique_{flags[1]}_{flags[2]}", "aten._unique2.default", lambda x, flags=flags: [y for y, use in zip(ops._unique2(x, *flags), flags) if use], torch.tensor([[3, 1, 3], [7, 1, 0]]))


# Branches
class Branch(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        inner = lambda x: torch.cond(x.mean() > 0.5, lambda x: (x * 2, x + 1), lambda x: (x - 1, -x), (x,))  # noqa: E731
        return torch.cond(x.sum() > 0, inner, lambda x: (self.linear(x), x.sin()), (x,))


add("cond_true", "higher_order.cond", Branch(), x24.abs() + 1)
add("cond_false", "higher_order.cond", Branch(), -x24.abs())

real, pairs = randn(2, 5, 6), torch.complex(randn(2, 5, 6), randn(2, 5, 6))
for norm in (None, "ortho", "forward"):
    for name in ("fft", "ifft", "hfft", "irfft", "rfft", "ihfft"):
        x = real if name in ("rfft", "ihfft") else pairs
        transform = getattr(torch.fft, name)
        for n in (None, 4, 9):
            add(f"{name}_{norm}_{n}", f"aten.fft_{name}.default", lambda x, n=n, norm=norm, transform=transform: transform(x, n, 1, norm), x)
        for form in ("2", "n"):
            whole = getattr(torch.fft, name + form)
            for s, dim in ((None, (0, 2)), ((4, 7), (-1, 1))):
                add(f"{name}{form}_{norm}_{s}", f"aten.fft_{name}{form}.default", lambda x, s=s, dim=dim, norm=norm, whole=whole: whole(x, s, dim, norm), x)
    add(f"fftn_all_{norm}", "aten.fft_fftn.default", lambda x, norm=norm: torch.fft.fftn(x, norm=norm), pairs)
    add(f"rfftn_ints_{norm}", "aten.fft_rfftn.default", lambda x, norm=norm: torch.fft.rfftn(x, norm=norm), torch.arange(24).view(2, 3, 4))
    add(f"fft_real_{norm}", "aten.fft_fft.default", lambda x, norm=norm: torch.fft.fft(x, norm=norm), real.double())

# Other names, and copies of views
for name, function, inputs in (("divide.Tensor", torch.divide, (x24, x24 + 3)), ("divide.Tensor_mode", lambda a, b: torch.divide(a, b, rounding_mode="floor"), (x24, x24 + 3)),
                               ("subtract.Tensor", lambda a, b: torch.subtract(a, b, alpha=2), (x24, x24 + 3)), ("multiply.Tensor", torch.multiply, (x24, x24)),
                               ("arctan2.default", torch.arctan2, (x24, x24 + 1)), ("greater.Tensor", torch.greater, (x24, x24.flip(0))), ("concat.default", lambda a: torch.concat((a, a), 1), (x24,)),
                               ("swapaxes.default", lambda a: torch.swapaxes(a, 0, 2), (x234,)), ("moveaxis.int", lambda a: torch.moveaxis(a, 0, 2), (x234,)),
                               ("linalg_diagonal.default", torch.linalg.diagonal, (x234,)), ("special_softmax.default", lambda a: torch.special.softmax(a, 1), (x234,)),
                               ("permute_copy.default", lambda a: torch.permute_copy(a, (1, 0, 2)), (x234,)), ("expand_copy.default", lambda a: torch.expand_copy(a, (3, 2, 4)), (x24,)),
                               ("split_copy.Tensor", lambda a: torch.split_copy(a, 3, -1), (x234,)), ("unbind_copy.int", lambda a: torch.unbind_copy(a, 1), (x234,)),
                               ("split_with_sizes_copy.default", lambda a: torch.split_with_sizes_copy(a, [1, 3], -1), (x234,)), ("alias_copy.default", torch.alias_copy, (x24,)),
                               ("squeeze_copy.dim", lambda a: torch.squeeze_copy(a, 0), (x24[:1],)), ("unfold_copy.default", lambda a: torch.unfold_copy(a, 1, 2, 1), (x234,)),
                               ("slice_copy.Tensor", lambda a: torch.slice_copy(a, 1, 1, 3), (x234,)), ("t_copy.default", torch.t_copy, (x24,)), ("view_copy.default", lambda a: torch.view_copy(a, (4, 2)), (x24,))):
    add(f"name_{name}", f"aten.{name}", function, *inputs)

# Inverse and hyperbolic functions: every quadrant, the limits, and integers
inner, outer = torch.tensor([-1.0, -0.999, -0.5, -1e-4, 0.0, 0.3, 0.7, 1.0]), torch.tensor([1.0, 1.001, 1.5, 3.0, 40.0])
anywhere = torch.tensor([-inf, -1e4, -3.0, -0.4, 0.0, 0.2, 1.0, 50.0, inf, nan])
for name in ("acos", "asin", "atanh"):
    add(f"{name}_formula", f"aten.{name}.default", getattr(torch, name), inner)
    add(f"{name}_ints", f"aten.{name}.default", getattr(torch, name), torch.tensor([0, 1]))
add("acosh_formula", "aten.acosh.default", torch.acosh, outer)
for name in ("atan", "asinh", "sinh", "cosh"):
    add(f"{name}_formula", f"aten.{name}.default", getattr(torch, name), anywhere if name == "atan" else inner * 5)
    add(f"{name}_double", f"aten.{name}.default", getattr(torch, name), inner.double())
    add(f"{name}_half", f"aten.{name}.default", getattr(torch, name), inner.half())
add("tan_formula", "aten.tan.default", torch.tan, inner)
add("log2_formula", "aten.log2.default", torch.log2, outer)
ys, xs = torch.meshgrid(torch.tensor([-inf, -2.0, -0.5, 0.0, 0.5, 3.0, inf]), torch.tensor([-inf, -1.0, 0.0, 1.0, 20.0, inf]), indexing="ij")
add("atan2_formula", "aten.atan2.default", torch.atan2, ys, xs)
add("atan2_ints", "aten.atan2.default", torch.atan2, torch.tensor([1, -2, 0]), torch.tensor([-1, 3, 5]))
for name, x in (("exp", torch.tensor([1, 2])), ("sigmoid", torch.tensor([-1, 2])), ("sqrt", x24 > 0)):
    add(f"{name}_of_integers", "", getattr(torch, name), x)

# Maximum pooling with positions; equal maxima: the first
for name, options in (("plain", (2,)), ("strided", (3, 2, 1)), ("dilated", (2, 1, 1, 2)), ("ceil", (3, 2, 1, 1, True)), ("overlapping", ((3, 2), (1, 2), (1, 0), (2, 1), True))):
    pool = lambda x, options=options: ops.max_pool2d_with_indices(x, *options)  # noqa: E731
    add(f"max_pool2d_{name}", "aten.max_pool2d_with_indices.default", pool, img)
    add(f"max_pool2d_{name}_unbatched", "aten.max_pool2d_with_indices.default", pool, torch.tensor([[[1.0, 2.0, 2.0, 0.0, 5.0]] * 5]))
# The last NaN; of windows of infinities, the first element that is not padding
nans, low = torch.tensor([[[1.0, nan, 2.0, nan, -inf], [nan, 1.0, nan, 0.0, -inf], [-inf] * 5]]), torch.full((1, 6, 6), -inf)
for name, x in (("nan", nans), ("infinite", low)):
    add(f"max_pool2d_of_{name}", "aten.max_pool2d_with_indices.default", lambda x: ops.max_pool2d_with_indices(x, 3, 2, 1, 2), x)
    add(f"max_pool3d_of_{name}", "aten.max_pool3d_with_indices.default", lambda x: ops.max_pool3d_with_indices(x, [1, 2, 2], 2, [0, 1, 1]), x[None])
    add(f"max_pool1d_of_{name}", "aten.max_pool1d_with_indices.default", lambda x: ops.max_pool1d_with_indices(x, 3, 2, 1), x)
    add(f"adaptive_max_pool2d_of_{name}", "aten.adaptive_max_pool2d.default", lambda x: F.adaptive_max_pool2d(x, (2, 4), return_indices=True), x)
    add(f"adaptive_max_pool3d_of_{name}", "aten.adaptive_max_pool3d.default", lambda x: F.adaptive_max_pool3d(x[None], (1, 2, 4), return_indices=True), x)
add("adaptive_max_pool2d_even", "aten.adaptive_max_pool2d.default", lambda x: F.adaptive_max_pool2d(x, (2, 4), return_indices=True), img)
add("adaptive_max_pool3d_uneven", "aten.adaptive_max_pool3d.default", lambda x: F.adaptive_max_pool3d(x, (2, 3, 4), return_indices=True), randn(2, 2, 5, 4, 7))
add("adaptive_max_pool3d_more_outputs", "aten.adaptive_max_pool3d.default", lambda x: F.adaptive_max_pool3d(x, (3, 7, 5), return_indices=True), randn(2, 2, 5, 4))
for name, kernel, output in (("plain", [2, 3], [4, 3]), ("one", [3, 2], [1, 5]), ("all", [1, 1], [8, 8])):
    add(f"fractional_max_pool2d_{name}", "aten.fractional_max_pool2d.default", lambda x, s, kernel=kernel, output=output: ops.fractional_max_pool2d(x, kernel, output, s), randn(2, 3, 8, 8), torch.rand(2, 3, 2))
add("fractional_max_pool2d_unbatched", "aten.fractional_max_pool2d.default", lambda x, s: ops.fractional_max_pool2d(x, [2, 2], [2, 2], s), nans.expand(3, 3, 5), torch.rand(1, 3, 2))
add("fractional_max_pool3d", "aten.fractional_max_pool3d.default", lambda x, s: ops.fractional_max_pool3d(x, [2, 3, 2], [2, 2, 3], s), randn(2, 2, 5, 6, 7), torch.rand(2, 2, 3))
add("max_pool3d", "aten.max_pool3d_with_indices.default", lambda x: ops.max_pool3d_with_indices(x, 2, 2, 1), randn(1, 2, 4, 5, 6))
add("max_pool1d", "aten.max_pool1d_with_indices.default", lambda x: ops.max_pool1d_with_indices(x, 3, 2, 1), x234)

for name, function in (("ScalarOther", lambda m, x: torch.where(m, x, -2)), ("ScalarSelf", lambda m, x: torch.where(m, 1.5, x)), ("Scalar", lambda m, x: torch.where(m, 1, 0))):
    add(f"where_{name}", f"aten.where.{name}", function, x34 > 0, x34.half())
add("pad_constant", "aten.pad.default", lambda x: F.pad(x, (1, 2, -1, 0), value=3.0), x34)
add("pad_zero", "aten.pad.default", lambda x: F.pad(x, (1, 2)), torch.arange(4))

# Forms that op registries lower, of operators that torch-mlir has
ints, u8, i8, flags = torch.arange(-4, 8).view(3, 4), torch.tensor([0, 1, 7, 128, 200, 255], dtype=torch.uint8), torch.tensor([0, 1, 7, -1, -128, 127], dtype=torch.int8), x34 > 0
dynamic2 = ({0: DYNAMIC, 1: DYNAMIC},)
add("type_as", "aten.type_as.default", lambda x, y: x.type_as(y), x34, ints)
add("type_as_same", "aten.type_as.default", lambda x, y: x.type_as(y) + 1, x34, x24)
add("expand_as", "aten.expand_as.default", lambda x, y: x.expand_as(y) + y, randn(3, 1), x34)
add("expand_as_dynamic", "aten.expand_as.default", lambda x, y: x.expand_as(y) + y, randn(4), x34, dynamic=(None, {0: DYNAMIC}))
add("broadcast_to", "aten.broadcast_to.default", lambda x: x.broadcast_to(2, -1, 4) * 2, randn(3, 1))
add("broadcast_tensors", "aten.broadcast_tensors.default", lambda a, b, c: torch.broadcast_tensors(a, b, c), randn(3, 1), randn(4), randn(()))
add("broadcast_tensors_dynamic", "aten.broadcast_tensors.default", lambda a, b: torch.broadcast_tensors(a, b), randn(3, 1), randn(4), dynamic=({0: DYNAMIC}, {0: DYNAMIC}))
add("numpy_T", "aten.numpy_T.default", lambda x: x.T + 0, x34)
for name, dim, sizes in (("first", 0, (2, -1)), ("last", -1, (2, 2)), ("ones", 1, (1, 3, 1))):
    add(f"unflatten_{name}", "aten.unflatten.int", lambda x, d=dim, s=sizes: x.unflatten(d, s), x234)
add("unflatten_dynamic", "aten.unflatten.int", lambda x: x.unflatten(1, (2, -1)), randn(3, 4), dynamic=({0: DYNAMIC},))
add("pixel_shuffle", "aten.pixel_shuffle.default", lambda x: F.pixel_shuffle(x, 2), randn(2, 8, 3, 4))
add("pixel_shuffle_dynamic", "aten.pixel_shuffle.default", lambda x: F.pixel_shuffle(x, 3), randn(2, 9, 3, 4), dynamic=({0: DYNAMIC, 2: DYNAMIC},))
add("pixel_shuffle_unbatched", "aten.pixel_shuffle.default", lambda x: F.pixel_shuffle(x, 2), ints.view(4, 3, 1))
add("pixel_unshuffle", "aten.pixel_unshuffle.default", lambda x: F.pixel_unshuffle(x, 2), randn(2, 2, 6, 4))
add("pixel_unshuffle_dynamic", "aten.pixel_unshuffle.default", lambda x: F.pixel_unshuffle(x, 2), randn(2, 2, 6, 4), dynamic=({0: DYNAMIC},))
add("flipud", "aten.flipud.default", torch.flipud, x34)
add("fliplr", "aten.fliplr.default", torch.fliplr, x34)
for k in range(-1, 5):
    add(f"rot90_{k}", "aten.rot90.default", lambda x, k=k: torch.rot90(x, k, (1, -1)) + 1, x234)
add("narrow", "aten.narrow.default", lambda x: x.narrow(1, -2, 2) + 0, x34)
for dim in (0, 1, -1):
    add(f"stack_{dim}", "aten.stack.default", lambda a, b, d=dim: torch.stack((a, b), d), x34, x34 + 1)
add("stack_mixed", "aten.stack.default", lambda a, b: torch.stack((a, b)), ints, x34)
add("stack_0d", "aten.stack.default", lambda a: torch.stack((a, a)), randn(()))
add("stack_dynamic", "aten.stack.default", lambda a: torch.stack((a, a), -1), x34, dynamic=dynamic2)
for name, x in (("floats", x234), ("integers", ints), ("bools", flags), ("bytes", u8.view(2, 3)), ("empty", randn(2, 0, 3))):
    for diagonal in (0, -1, 2):
        add(f"triu_{name}_{diagonal}", "aten.triu.default", lambda x, d=diagonal: x.triu(d), x)
        add(f"tril_{name}_{diagonal}", "aten.tril.default", lambda x, d=diagonal: x.tril(d), x)
add("triu_dynamic", "aten.triu.default", lambda x: x.triu(1), x234, dynamic=({1: DYNAMIC, 2: DYNAMIC},))
add("tril_of_infinity", "aten.tril.default", lambda x: x.tril(), torch.full((3, 3), -inf))
add("eye", "aten.eye.default", lambda x: x + torch.eye(4), square)
add("eye_rectangular", "aten.eye.m", lambda x: x + torch.eye(3, 4, dtype=torch.int64), ints)
add("eye_dynamic", "aten.eye.default", lambda x: torch.eye(x.shape[0]) * 2, x34, dynamic=({0: DYNAMIC},))
add("one_hot", "aten.one_hot.default", lambda i: F.one_hot(i, 5), torch.tensor([[0, 4], [2, 1]]))
add("one_hot_of_one", "aten.one_hot.default", lambda i: F.one_hot(i, 3), torch.tensor(2))
add("copy_over", "aten.copy.default", lambda x, y: torch.ops.aten.copy(x, y), x34, torch.arange(4))

# Pointwise forms
for name, x in (("floats", edge), ("integers", ints), ("bytes", u8)):
    add(f"square_{name}", "aten.square.default", torch.square, x)
add("outer", "aten.outer.default", torch.outer, randn(3), randn(4))
add("outer_mixed", "aten.outer.default", torch.outer, torch.arange(3), randn(4))
add("ger", "aten.ger.default", torch.ger, randn(3), randn(4))
add("mv", "aten.mv.default", torch.mv, x34, randn(4))
add("dot", "aten.dot.default", torch.dot, vector, vector + 1)
add("dot_integers", "aten.dot.default", torch.dot, torch.arange(4, dtype=torch.int32), torch.arange(4, dtype=torch.int32))
for value in (1, 2, 0.5):
    add(f"addcdiv_{value}", "aten.addcdiv.default", lambda a, b, c, v=value: torch.addcdiv(a, b, c, value=v), x34, x34 + 1, x34.abs() + 1)
    add(f"addcmul_{value}", "aten.addcmul.default", lambda a, b, c, v=value: torch.addcmul(a, b, c, value=v), x34, x34 + 1, x34.abs() + 1)
    add(f"lerp_{value}", "aten.lerp.Scalar", lambda a, b, v=value: torch.lerp(a, b, v), x34, x34 + 1)
add("frac", "aten.frac.default", torch.frac, torch.tensor([1.5, -1.5, 0.0, -0.25, 1e6]))
add("deg2rad", "aten.deg2rad.default", torch.deg2rad, x34 * 90)
add("rad2deg", "aten.rad2deg.default", torch.rad2deg, x34)
far = torch.tensor([inf, -inf, 0.0, 1e4, -1e4, 3.0, nan])
add("logaddexp", "aten.logaddexp.default", torch.logaddexp, far, far.flip(0))
add("logaddexp_same", "aten.logaddexp.default", torch.logaddexp, far, far)
add("logaddexp2", "aten.logaddexp2.default", torch.logaddexp2, far, far.flip(0))
add("isposinf", "aten.isposinf.default", torch.isposinf, edge)
add("isneginf", "aten.isneginf.default", torch.isneginf, edge)
add("max_other", "aten.max.other", torch.max, x34, x34.flip(0))
add("min_other", "aten.min.other", torch.min, ints, ints.flip(0))
add("relu6", "aten.relu6.default", F.relu6, x34 * 6)
for name, x in (("floats", edge), ("integers", ints)):
    add(f"threshold_{name}", "aten.threshold.default", lambda x: F.threshold(x, 1, -2), x)
add("masked_fill_tensor", "aten.masked_fill.Tensor", lambda x, m, v: x.masked_fill(m, v), x34, flags, torch.tensor(2))
for name, x in (("floats", edge.view(2, 4)), ("integers", ints), ("bools", flags), ("bytes", u8.view(2, 3)), ("empty", randn(2, 0))):
    add(f"count_nonzero_{name}", "aten.count_nonzero.default", torch.count_nonzero, x)
    add(f"count_nonzero_{name}_along", "aten.count_nonzero.default", lambda x: torch.count_nonzero(x, -1), x)
add("count_nonzero_dims", "aten.count_nonzero.dim_IntList", lambda x: torch.count_nonzero(x, (0, -1)), x234)
add("aminmax", "aten.aminmax.default", lambda x: tuple(torch.aminmax(x)), x34)
add("aminmax_along", "aten.aminmax.default", lambda x: tuple(torch.aminmax(x, dim=-1, keepdim=True)), ints)
for name, arguments in (("up", (0, 1, 5)), ("down", (3.0, -2.0, 8)), ("one", (2.0, 9.0, 1)), ("two", (-1, 1, 2)), ("same", (1.5, 1.5, 3))):
    add(f"linspace_{name}", "aten.linspace.default", lambda x, a=arguments: torch.linspace(*a) * x, torch.ones(1))
add("linspace_half", "aten.linspace.default", lambda x: torch.linspace(0, 1, 7, dtype=torch.float16) * x, torch.ones(1).half())
add("linspace_of_none", "aten.linspace.default", lambda x: torch.linspace(0, 1, 0) * x, torch.ones(1))
for dim in (0, -1):
    add(f"cosine_similarity_{dim}", "aten.cosine_similarity.default", lambda a, b, d=dim: F.cosine_similarity(a, b, d), x34, x34 + 1)
add("cosine_similarity_of_zero", "aten.cosine_similarity.default", lambda a, b: F.cosine_similarity(a, b), torch.zeros(2, 3), randn(2, 3))
add("sgn", "aten.sgn.default", torch.sgn, edge)
for reduction in ("none", "mean", "sum"):
    add(f"kl_div_{reduction}", "aten.kl_div.default", lambda x, t, r=reduction: F.kl_div(x, t, reduction=r), x24, torch.tensor([[0.0, 0.2, 0.3, 0.5]] * 2))
add("kl_div_log_target", "aten.kl_div.default", lambda x, t: F.kl_div(x, t, reduction="sum", log_target=True), x24, randn(2, 4))

# Gradients of pointwise functions
grad34 = randn(3, 4)
for name, x, threshold in (("of_zero", torch.tensor([[0.0, -0.0, 1e-9, nan], [inf, -inf, 1.0, -1.0], [2.0, 0.5, 0.25, -3.0]]), 0), ("above", x34, 0.3)):
    add(f"threshold_backward_{name}", "aten.threshold_backward.default", lambda g, x, t=threshold: ops.threshold_backward(g, x, t), grad34, x)
add("threshold_backward_dynamic", "aten.threshold_backward.default", lambda g, x: ops.threshold_backward(g, x, 0), grad34, x34, dynamic=({0: DYNAMIC}, {0: DYNAMIC}))
add("threshold_backward_half", "aten.threshold_backward.default", lambda g, x: ops.threshold_backward(g, x, 0), grad34.half(), x34.half())
add("threshold_backward_integers", "aten.threshold_backward.default", lambda g, x: ops.threshold_backward(g, x, 0), ints, ints.flip(0))
add("sigmoid_backward", "aten.sigmoid_backward.default", ops.sigmoid_backward, grad34, x34.sigmoid())
add("tanh_backward", "aten.tanh_backward.default", ops.tanh_backward, grad34, x34.tanh())
for name, x in (("floats", x34 * 3), ("half", x34.half())):
    for approximate in ("none", "tanh"):
        add(f"gelu_backward_{approximate}_{name}", "aten.gelu_backward.default", lambda g, x, a=approximate: ops.gelu_backward(g, x, approximate=a), grad34.to(x.dtype), x)
    add(f"silu_backward_{name}", "aten.silu_backward.default", ops.silu_backward, grad34.to(x.dtype), x)
    for result in (False, True):
        add(f"elu_backward_{result}_{name}", "aten.elu_backward.default", lambda g, x, r=result: ops.elu_backward(g, 1.25, 0.5, 2.0, r, x), grad34.to(x.dtype), x)
add("hardtanh_backward", "aten.hardtanh_backward.default", lambda g, x: ops.hardtanh_backward(g, x, -0.5, 1.0), grad34, torch.cat([x34[:2], torch.tensor([[-0.5, 1.0, nan, 0.0]])]))
add("leaky_relu_backward", "aten.leaky_relu_backward.default", lambda g, x: ops.leaky_relu_backward(g, x, 0.1, False), grad34, torch.cat([x34[:2], torch.tensor([[0.0, -0.0, nan, inf]])]))
add("softmax_backward", "aten._softmax_backward_data.default", lambda g, y: ops._softmax_backward_data(g, y, -1, torch.float32), grad34, x34.softmax(-1))
add("log_softmax_backward", "aten._log_softmax_backward_data.default", lambda g, y: ops._log_softmax_backward_data(g, y, 0, torch.float32), grad34, x34.log_softmax(0))
for reduction in range(3):
    add(f"mse_loss_backward_{reduction}", "aten.mse_loss_backward.default", lambda g, x, t, r=reduction: ops.mse_loss_backward(g, x, t, r), randn(()) if reduction else grad34, x34, x34 + 1)

# Attention kernels that torch-mlir does not have
head = randn(1, 2, 5, 8)
for name, options, mask in (("plain", {}, None), ("causal", {"is_causal": True}, None), ("scaled", {"scale": 0.3}, None), ("masked", {}, randn(1, 1, 5, 5))):
    add(f"flash_attention_for_cpu_{name}", "aten._scaled_dot_product_flash_attention_for_cpu.default",
        lambda q, *m, o=options: ops._scaled_dot_product_flash_attention_for_cpu(q, q + 1, q * 2, 0.0, **({"attn_mask": m[0]} if m else {}), **o), head, *([] if mask is None else [mask]))
add("flash_attention_for_cpu_dynamic", "aten._scaled_dot_product_flash_attention_for_cpu.default",
    lambda q: ops._scaled_dot_product_flash_attention_for_cpu(q, q, q, 0.0, True), head, dynamic=({0: DYNAMIC, 2: DYNAMIC},))
barred = randn(5, 5).masked_fill(randn(5, 5) > 0.5, -inf)
barred[2] = -inf
add("attention_math", "aten._scaled_dot_product_attention_math.default", lambda q, m: ops._scaled_dot_product_attention_math(q, q, q, m), head, barred)
add("attention_math_causal", "aten._scaled_dot_product_attention_math.default", lambda q: ops._scaled_dot_product_attention_math(q, q + 1, q, is_causal=True), head)
add("flash_attention_for_cpu_barred", "aten._scaled_dot_product_flash_attention_for_cpu.default",
    lambda q, m: ops._scaled_dot_product_flash_attention_for_cpu(q, q, q, attn_mask=m), head, barred.view(1, 1, 5, 5))

# Quantization by groups and rows
import torch.ao.quantization.fx._decomposed  # noqa: E402,F401 - defines the operators
quantized = torch.ops.quantized_decomposed
codes, scales = torch.randint(-128, 128, (6, 8), dtype=torch.int8), torch.rand(6, 2) + 0.1
for name, zeros in (("bytes", torch.randint(-128, 128, (6, 2), dtype=torch.int8)), ("ints", torch.randint(-8, 8, (6, 2), dtype=torch.int32)), ("floats", torch.rand(6, 2)), ("none", None)):
    add(f"dequantize_per_channel_group_{name}", "quantized_decomposed.dequantize_per_channel_group.default",
        lambda w, s, *z: quantized.dequantize_per_channel_group(w, s, z[0] if z else None, -8, 7, torch.int8, 4, torch.float32), codes, scales, *([] if zeros is None else [zeros]))
add("dequantize_per_channel_group_half", "quantized_decomposed.dequantize_per_channel_group.default",
    lambda w, s: quantized.dequantize_per_channel_group(w, s, None, -8, 7, torch.int8, 8, torch.float16), codes, scales[:, :1])
add("quantize_per_channel_group", "quantized_decomposed.quantize_per_channel_group.default",
    lambda x, s, z: quantized.quantize_per_channel_group(x, s, z, -128, 127, torch.int8, 4), randn(6, 8) * 20, scales, torch.randint(-8, 8, (6, 2), dtype=torch.int32))
add("dequantize_per_token", "quantized_decomposed.dequantize_per_token.default",
    lambda w, s, z: quantized.dequantize_per_token(w, s, z, -128, 127, torch.int8, torch.float32), codes, torch.rand(6, 1, dtype=torch.float64), torch.randint(-8, 8, (6, 1)))
add("quantize_per_token", "quantized_decomposed.quantize_per_token.default",
    lambda x, s, z: quantized.quantize_per_token(x, s, z, -128, 127, torch.int8), randn(6, 8) * 20, torch.rand(6, 1) + 0.1, torch.randint(-8, 8, (6, 1), dtype=torch.int32))

# Shifts: every amount, also beyond the bits, of each integer type
for x in (u8, i8, u8.to(torch.int16) - 100, ints.int(), ints):
    bits = 8 * x.element_size()
    for amount in (0, 1, 4, bits - 1, bits, bits + 3):
        name = f"{str(x.dtype)[6:]}_{amount}"
        add(f"lshift_{name}", "aten.__lshift__.Scalar", lambda x, a=amount: ops.__lshift__(x, a), x)
        add(f"rshift_{name}", "aten.__rshift__.Scalar", lambda x, a=amount: ops.__rshift__(x, a), x)
    add(f"bitwise_shifts_{str(x.dtype)[6:]}", "aten.__lshift__.Tensor aten.__rshift__.Tensor", lambda x: (x << (x & 3), x >> (x & 3)), x)

# Concatenation with tensors without elements
for name, parts in (("middle", (x34, x34[:0], x34 + 1)), ("vector", (x34, torch.zeros(0))), ("one_left", (x34, x34[:0])), ("integers", (ints, torch.zeros(0, 4)))):
    add(f"cat_without_{name}", "", lambda *parts: torch.cat(parts), *parts)

# A contracted size of 1 counts for each element of the other
add("tensordot_of_one", "aten.tensordot.default", lambda a, b: torch.tensordot(a, b, ([0, 1], [2, 0])), randn(1, 1, 3), randn(2, 4, 2))
add("tensordot_with_one", "aten.tensordot.default", lambda a, b: torch.tensordot(a, b, ([1], [0])), torch.arange(6).view(2, 3), torch.arange(2).view(1, 2))

# Bits of a number
for x in (u8, i8, ints, flags):
    number = True if x.dtype == torch.bool else 5
    add(f"bitwise_or_number_{str(x.dtype)[6:]}", "aten.__or__.Scalar", lambda x, n=number: x | n, x)
    add(f"bitwise_xor_number_{str(x.dtype)[6:]}", "aten.__xor__.Scalar", lambda x, n=number: x ^ n, x)
add("bitwise_or_negative", "aten.bitwise_or.Scalar", lambda x: torch.bitwise_or(x, -3), i8)
add("trapezoid_at", "aten.trapezoid.x", lambda y, x: torch.trapezoid(y, x, dim=1), square, randn(4, 4).cumsum(1))
add("trapezoid_line", "aten.trapezoid.x", lambda y, x: torch.trapezoid(y, x, dim=0), randn(5, 4), randn(5))
add("cumulative_trapezoid_at", "aten.cumulative_trapezoid.x", lambda y, x: torch.cumulative_trapezoid(y, x), randn(3, 4), randn(4))
add("vecdot", "aten.linalg_vecdot.default", torch.linalg.vecdot, randn(3, 4), randn(2, 1, 4))
add("vecdot_dim", "aten.linalg_vecdot.default", lambda x, y: torch.linalg.vecdot(x, y, dim=0), randn(3, 4), randn(3, 4))
add("matrix_H", "aten.matrix_H.default", lambda x: torch.ops.aten.matrix_H(x), randn(3, 4))
add("linalg_diagonal", "aten.linalg_diagonal.default", lambda x: torch.linalg.diagonal(x, offset=1), randn(2, 3, 4))
add("conj_physical", "aten.conj_physical.default", lambda x: torch.conj_physical(x) + 1, randn(3, 4))
add("isreal", "aten.isreal.default", lambda x: torch.isreal(x), randn(3, 4))
add("sum_to_size", "aten.sum_to_size.default", lambda x: x.sum_to_size(1, 4), randn(2, 3, 4))
add("sum_to_size_same", "aten.sum_to_size.default", lambda x: x.sum_to_size(3, 4) * 2, randn(3, 4))
add("poisson_nll_loss", "aten.poisson_nll_loss.default", lambda x, t: torch.nn.functional.poisson_nll_loss(x, t, full=True), randn(3, 4), torch.rand(3, 4) * 4)
add("poisson_nll_loss_of_rates", "aten.poisson_nll_loss.default", lambda x, t: torch.nn.functional.poisson_nll_loss(x, t, log_input=False, reduction="none"), torch.rand(3, 4), torch.rand(3, 4))
add("nansum_number", "aten.nansum.default", lambda x: torch.nansum(x), torch.tensor(2.5))
add("nansum_int", "aten.nansum.default", lambda x: torch.nansum(x, dim=0), torch.arange(12).reshape(3, 4))
add("nanmean_number", "aten.nanmean.default", lambda x: torch.nanmean(x), torch.tensor(2.5))

# Linear algebra of small matrices: pivots that are not the first, and a column of zeros
spd = randn(2, 3, 3)
spd = spd @ spd.mT + torch.eye(3)
system = torch.tensor([[0.0, 2, 1], [1, 0, 3], [4, 5, 0]])
singular = torch.tensor([[1.0, 2, 3], [2, 4, 6], [0, 1, 1]])
for upper in (False, True):
    add(f"cholesky_upper_{upper}", "aten.linalg_cholesky.default", lambda x, upper=upper: torch.linalg.cholesky(x, upper=upper), spd)
    add(f"cholesky_old_upper_{upper}", "aten.cholesky.default", lambda x, upper=upper: ops.cholesky(x, upper), spd)
    add(f"cholesky_solve_upper_{upper}", "aten.cholesky_solve.default", lambda x, b, upper=upper: ops.cholesky_solve(b, x.triu() if upper else x.tril(), upper), spd, randn(2, 3, 2))
    add(f"cholesky_inverse_upper_{upper}", "aten.cholesky_inverse.default", lambda x, upper=upper: ops.cholesky_inverse(x.triu() if upper else x.tril(), upper), spd)
    for left in (True, False):
        for unit in (True, False):
            add(f"solve_triangular_{upper}_{left}_{unit}", "aten.linalg_solve_triangular.default",
                lambda x, b, u=upper, l=left, d=unit: torch.linalg.solve_triangular(x, b, upper=u, left=l, unitriangular=d), spd, randn(3, 3))
    for transposed in (True, False):
        add(f"triangular_solve_{upper}_{transposed}", "aten.triangular_solve.default",
            lambda x, b, u=upper, t=transposed: tuple(ops.triangular_solve(b, x, u, t)), spd[0], randn(3, 2))
add("linalg_solve", "aten.linalg_solve.default", torch.linalg.solve, system, randn(3, 2))
add("linalg_solve_right", "aten.linalg_solve.default", lambda a, b: torch.linalg.solve(a, b, left=False), system, randn(2, 3))
add("linalg_solve_vectors", "aten.linalg_solve.default", torch.linalg.solve, torch.stack([system, system.mT]), randn(2, 3))
add("linalg_solve_vector", "aten.linalg_solve.default", torch.linalg.solve, system, randn(3))
add("linalg_solve_batch", "aten.linalg_solve.default", torch.linalg.solve, system, randn(2, 3, 2))
add("linalg_solve_double", "aten.linalg_solve.default", torch.linalg.solve, system.double(), randn(3, 2).double())
add("linalg_inv", "aten.linalg_inv.default", torch.linalg.inv, torch.stack([system, system.mT + 1]))
add("inverse", "aten.inverse.default", lambda x: ops.inverse(x), system)
add("inverse_of_one", "aten.linalg_inv.default", torch.linalg.inv, torch.tensor([[2.5]]))
for name, matrices in (("batch", torch.stack([system, system.mT - 1])), ("singular", singular), ("zero", torch.zeros(2, 2)), ("one", torch.tensor([[-2.0]])), ("random", randn(6, 6))):
    add(f"linalg_det_{name}", "aten.linalg_det.default", torch.linalg.det, matrices)
    add(f"linalg_slogdet_{name}", "aten.linalg_slogdet.default", lambda x: tuple(torch.linalg.slogdet(x)), matrices)
    add(f"logdet_{name}", "aten.logdet.default", torch.logdet, matrices)
add("is_all_true", "aten._is_all_true.default", lambda x: (ops._is_all_true(x > -9), ops._is_all_true(x > 0)), x34)
add("is_any_true", "aten._is_any_true.default", lambda x: (ops._is_any_true(x > 9), ops._is_any_true(x > 0)), x34)
for descending in (True, False):
    add(f"stable_argsort_{descending}", "aten.argsort.stable", lambda x, d=descending: torch.argsort(x, stable=True, dim=1, descending=d), x234)

# Loops over a dimension
add("map", "higher_order.map_impl", lambda x, y: map_over(lambda a, b: (a * b, a.sum()), x, y), x34, randn(4))
add("map_in_map", "higher_order.map_impl", lambda x: map_over(lambda a: map_over(lambda b: b.exp(), a), x), x234)
add("scan", "higher_order.scan", lambda c, x: scan(lambda c, x: (c + x, c * x), c, x), randn(4), x34)
add("scan_reversed", "higher_order.scan", lambda c, x: scan(lambda c, x: (c * x, (c - x).sum()), c, x, reverse=True, dim=1), randn(3), x34)
