"""Op classes beyond the primary 31: those of the linalg and math registries, and what composite operators become."""
import torch

from programs_registry import add, aten, b, double, edge, f, half, i, i32, inf, lowest_row, nan, positive

uint8 = torch.uint8

# The math registry: one function of the math dialect each.
inside = torch.tensor([0.0, -0.0, 0.5, -0.75, 0.999, nan])
above_one = torch.tensor([1.0, 1.5, 3.25, 20.0, inf, nan])
FUNCTIONS = {
    "AcosOp": (aten.acos, inside), "AcoshOp": (aten.acosh, above_one), "AsinOp": (aten.asin, inside), "AsinhOp": (aten.asinh, f(2, 3)), "AtanOp": (aten.atan, edge),
    "AtanhOp": (aten.atanh, inside), "CosOp": (aten.cos, f(2, 3)), "CoshOp": (aten.cosh, edge), "ErfOp": (aten.erf, edge), "Exp2Op": (aten.exp2, edge),
    "Expm1Op": (aten.expm1, edge), "Log10Op": (aten.log10, positive), "Log1pOp": (aten.log1p, positive), "Log2Op": (aten.log2, positive), "LogOp": (aten.log, positive),
    "SinOp": (aten.sin, f(2, 3)), "SinhOp": (aten.sinh, edge), "SqrtOp": (aten.sqrt, positive), "TanOp": (aten.tan, f(2, 3)),
}
for op_class, (packet, x) in FUNCTIONS.items():
    add(op_class, "float", packet.default, x)
    add(op_class, "double", packet.default, x.double())
    add(op_class, "half", packet.default, x.half())
    add(op_class, "integers", packet.default, torch.tensor([1, 1, 1]))
    add(op_class, "zero_dim", packet.default, torch.tensor(1.0 if op_class == "AcoshOp" else 0.5))
for op_class, packet in (("CeilOp", aten.ceil), ("FloorOp", aten.floor), ("RoundOp", aten.round), ("TruncOp", aten.trunc)):
    add(op_class, "edges", packet.default, torch.cat([edge, torch.tensor([0.5, 1.5, 2.5, -0.5, -2.5, 3.49])]), signed_zeros=True)
    add(op_class, "integers", packet.default, i(4))
    add(op_class, "half", packet.default, f(6, dtype=half) * 3)
for name, x in (("edges", edge), ("integers", i(2, 3)), ("double", f(3, dtype=double)), ("int32", i(4, dtype=i32)), ("half", f(3, dtype=half))):
    add("AbsOp", name, aten.abs.default, x, signed_zeros=True)
add("Atan2Op", "edges", aten.atan2.default, edge, edge.flip(0), signed_zeros=True)
add("Atan2Op", "broadcast", aten.atan2.default, f(2, 3), f(3, seed=1))
add("Atan2Op", "integers", aten.atan2.default, i(4), i(4, seed=1))
add("PowTensorTensorOp", "float", aten.pow.Tensor_Tensor, f(2, 3).abs(), f(3, seed=1))
add("PowTensorTensorOp", "edges", aten.pow.Tensor_Tensor, edge, edge.flip(0))
add("PowTensorTensorOp", "integers", aten.pow.Tensor_Tensor, i(5), i(5, low=0, high=5, seed=1))
add("PowTensorTensorOp", "mixed", aten.pow.Tensor_Tensor, i(3, low=1), f(3))

# Pointwise operators of the linalg registry.
for exponent in (2, 3, 0.5, -0.5, -1, -2, 2.5, 0):
    add("PowOp", f"of_{exponent}", lambda x, e=exponent: aten.pow.Tensor_Scalar(x, e), f(2, 3).abs() + 0.1)
add("PowOp", "edges", lambda x: aten.pow.Tensor_Scalar(x, 2), edge, signed_zeros=True)
add("PowOp", "integers", lambda x: aten.pow.Tensor_Scalar(x, 3), i(2, 3))
add("PowOp", "integers_by_float", lambda x: aten.pow.Tensor_Scalar(x, 0.5), i(3, low=1))
add("PowOp", "double", lambda x: aten.pow.Tensor_Scalar(x, 1.5), f(3, dtype=double).abs())
add("RsubOp", "float", lambda x: aten.rsub.Scalar(x, 2.0), f(2, 3))
add("RsubOp", "alpha", lambda x: aten.rsub.Scalar(x, 2, 3), i(2, 3))
add("RsubOp", "half", lambda x: aten.rsub.Scalar(x, 1.0), f(4, dtype=half))
for name, x in (("edges", edge), ("integers", i(2, 3)), ("double", f(3, dtype=double)), ("half", f(3, dtype=half)), ("zero_dim", f())):
    add("NegOp", name, aten.neg.default, x, signed_zeros=True)
for name, x in (("edges", edge), ("double", f(3, dtype=double)), ("half", f(3, dtype=half)), ("matrix", f(2, 3) * 10)):
    add("SiluOp", name, aten.silu.default, x)
for op_class, packet in (("GtOp", aten.gt), ("GeOp", aten.ge), ("LtScalarOp", aten.lt), ("LeScalarOp", aten.le), ("EqualOp", aten.eq), ("NeScalarOp", aten.ne)):
    add(op_class, "edges", lambda x, p=packet: p.Scalar(x, 1.0), edge)
    add(op_class, "integers", lambda x, p=packet: p.Scalar(x, 1), i(2, 3))
    add(op_class, "float_of_integers", lambda x, p=packet: p.Scalar(x, 0.5), i(2, 3))
    add(op_class, "bool", lambda x, p=packet: p.Scalar(x, 1), b(4))
    add(op_class, "zero_dim_double", lambda x, p=packet: p.Scalar(x, 0.0), f(dtype=double))
for op_class, packet in (("GtTensorOp", aten.gt), ("GeTensorOp", aten.ge), ("LtTensorOp", aten.lt), ("LeTensorOp", aten.le), ("EqTensorOp", aten.eq), ("NeTensorOp", aten.ne)):
    add(op_class, "edges", packet.Tensor, edge, edge.flip(0))
    add(op_class, "broadcast", packet.Tensor, i(2, 3), i(3, seed=1))
    add(op_class, "mixed", packet.Tensor, i(2, 3), f(3))
    add(op_class, "bool", packet.Tensor, b(2, 3), b(3, seed=1))
for name, mask, x, y in (("same", b(2, 3), f(2, 3), f(2, 3, seed=1)), ("broadcast", b(3), f(2, 1), f(seed=1)), ("edges", b(8), edge, edge.flip(0)), ("integers", b(2, 3), i(2, 3), i(3, seed=1)),
                         ("bool", b(3), b(3, seed=1), b(3, seed=2)), ("double", b(2, 1), f(2, 3, dtype=double), f(dtype=double)), ("mixed", b(3), f(3), i(3))):
    add("WhereOp", name, aten.where.self, mask, x, y, signed_zeros=True)
for name, x, mask, value in (("float", f(2, 3), b(2, 3), -inf), ("broadcast", f(2, 3), b(3), 0.5), ("integers", i(2, 3), b(2, 1), 7), ("edges", edge, b(8), -0.0),
                             ("half", f(4, dtype=half), b(4), 2.5), ("bool", b(4), b(4, seed=1), True)):
    add("MaskedFillOp", name, lambda x, m, v=value: aten.masked_fill.Scalar(x, m, v), x, mask, signed_zeros=True)
for name, x, dtype in (("same", f(3), torch.float32), ("float_to_int", torch.tensor([1.7, -1.7, 2.5]), torch.int64), ("int_to_float", i(4), torch.float32), ("to_bool", edge, torch.bool),
                       ("bool_to_float", b(3), torch.float64), ("to_half", edge, half), ("narrow", i(4) * 100, torch.int8), ("unsigned", torch.tensor([0, 255], dtype=uint8), torch.int64)):
    add("ToCopyOp", name, lambda x, d=dtype: aten._to_copy.default(x, dtype=d), x)
add("CopyOp", "same", aten.copy.default, f(2, 3), f(2, 3, seed=1))
add("CopyOp", "converts_and_broadcasts", aten.copy.default, f(2, 3), i(3))
add("GcdOp", "integers", aten.gcd.default, i(12, low=-40, high=40), i(12, low=-40, high=40, seed=1))
add("GcdOp", "zeros", aten.gcd.default, torch.tensor([0, 0, 5, -6]), torch.tensor([0, 4, 0, 9]))

# Of infinity PyTorch's vectorized kernel gives NaN, its scalar one infinity.
for name, x in (("finite", edge[[0, 1, 2, 3, 4, 7]]), ("double", f(5, dtype=double)), ("half", f(5, dtype=half)), ("matrix", f(2, 3) * 5)):
    add("GeluOp", name, aten.gelu.default, x)
    add("GeluOp", f"{name}_tanh", lambda x: aten.gelu.default(x, approximate="tanh"), x)

# Matrices.
for name, dtype in (("float", torch.float32), ("double", double), ("half", half), ("integers", torch.int64), ("int32", i32)):
    x = (lambda *s, seed=0, dtype=dtype: (i if not dtype.is_floating_point else f)(*s, dtype=dtype, seed=seed))
    add("MatmulOp", name, aten.mm.default, x(3, 4), x(4, 5, seed=1))
add("MatmulOp", "nan", aten.mm.default, lowest_row, f(3, 2))

# Shapes.
add("CatOp", "rows", lambda x, y: aten.cat.default([x, y]), f(2, 3), f(1, 3))
add("CatOp", "negative", lambda x, y, z: aten.cat.default([x, y, z], -1), f(2, 3), f(2, 1), f(2, 2))
add("CatOp", "bool", lambda x, y: aten.cat.default([x, y]), b(2), b(3))
add("CatOp", "integers", lambda x, y: aten.cat.default([x, y], 1), i(2, 1, 2), i(2, 2, 2))
add("CatOp", "edges", lambda x, y: aten.cat.default([x, y]), edge, edge, signed_zeros=True)
add("SplitOp", "even", lambda x: aten.split.Tensor(x, 2), f(6, 2))
add("SplitOp", "rest", lambda x: aten.split.Tensor(x, 2, -1), f(2, 5))
add("SplitOp", "double", lambda x: aten.split.Tensor(x, 3, 1), f(2, 7, dtype=double))
add("SplitWithSizesOp", "sizes", lambda x: aten.split_with_sizes.default(x, [1, 3], 1), f(2, 4))
add("SplitWithSizesOp", "integers", lambda x: aten.split_with_sizes.default(x, [2, 1, 2], -1), i(2, 5))
for dim in (0, 1, -1):
    add("UnbindOp", f"dim_{dim}", lambda x, d=dim: aten.unbind.int(x, d), f(2, 3, 4))
add("SqueezeOp", "all", aten.squeeze.default, f(1, 3, 1))
add("SqueezeOp", "zero_dim", aten.squeeze.default, f(1, 1))
add("SqueezeDimOp", "negative", lambda x: aten.squeeze.dim(x, -1), f(2, 1))
add("SqueezeDimOp", "keeps", lambda x: aten.squeeze.dim(x, 0), i(2, 1))
add("SqueezeDimsOp", "two", lambda x: aten.squeeze.dims(x, [0, -1]), f(1, 3, 1))
add("RepeatOp", "plain", lambda x: aten.repeat.default(x, [2, 3]), f(2, 2))
add("RepeatOp", "new_dims", lambda x: aten.repeat.default(x, [2, 1, 3]), i(2, 2))
add("RepeatOp", "zero_dim", lambda x: aten.repeat.default(x, [3]), f())
add("AsStridedOp", "overlaps", lambda x: aten.as_strided.default(x, [3, 3], [1, 2], 1), f(2, 6))
add("AsStridedOp", "repeats", lambda x: aten.as_strided.default(x, [3, 2], [0, 1], 2), i(8))
add("AsStridedScatterOp", "plain", lambda x, s: aten.as_strided_scatter.default(x, s, [2, 2], [1, 2], 1), f(2, 4), f(2, 2, seed=1))
add("DiagonalOp", "plain", aten.diagonal.default, f(3, 4))
add("DiagonalOp", "offset", lambda x: aten.diagonal.default(x, -1, 0, 2), f(3, 2, 4))
add("DiagonalScatterOp", "plain", lambda x, s: aten.diagonal_scatter.default(x, s), f(3, 4), f(3, seed=1))
add("DiagonalScatterOp", "offset", lambda x, s: aten.diagonal_scatter.default(x, s, 1, -1, 0), i(3, 4), i(2))
add("SliceScatterOp", "plain", lambda x, s: aten.slice_scatter.default(x, s, 0, 1, 3), f(4, 2), f(2, 2, seed=1))
add("SliceScatterOp", "step", lambda x, s: aten.slice_scatter.default(x, s, -1, 0, 2**63 - 1, 2), f(2, 5), f(2, 3, seed=1))
add("SelectScatterOp", "negative", lambda x, s: aten.select_scatter.default(x, s, -1, -2), f(2, 5), f(2, seed=1))
add("SelectScatterOp", "integers", lambda x, s: aten.select_scatter.default(x, s, 0, 1), i(3, 2), i(2))

# Made of numbers.
add("FullOp", "float", lambda x: x + aten.full.default([2, 3], -1.5), f(3))
add("FullOp", "bool", lambda x: aten.logical_and.default(x, aten.full.default([2], True)), b(2))
add("FullOp", "infinite", lambda x: x + aten.full.default([2], -inf), f(2))
add("OnesOp", "integers", lambda x: x + aten.ones.default([2, 2], dtype=torch.int64), i(2))
add("ScalarTensorOp", "double", lambda x: x + aten.scalar_tensor.default(0.1, dtype=double), f(2, dtype=double))
add("ArangeOp", "end", lambda x: x + aten.arange.default(5), i(5))
add("ArangeOp", "start", lambda x: x + aten.arange.start(-2, 3, dtype=torch.float32), f(5))
add("ArangeStartStepOp", "negative_step", lambda x: x + aten.arange.start_step(5, -5, -3), i(4))
add("ArangeStartStepOp", "float", lambda x: x + aten.arange.start_step(0.5, 2.5, 0.5), f(4))

# Reductions and scans.
for op_class, op in (("SoftmaxOp", aten._softmax.default), ("LogSoftmaxOp", aten._log_softmax.default)):
    for name, x, dim in (("last", f(2, 5), -1), ("first", f(3, 4), 0), ("lowest_rows", lowest_row, 1), ("double", f(2, 3, dtype=double), 1), ("half", f(2, 8, dtype=half), -1),
                         ("zero_dim", f(), 0), ("large", f(2, 4) * 200, 1), ("rank_4", f(1, 2, 3, 4), -1)):
        add(op_class, name, lambda x, d=dim, op=op: op(x, d, False), x)
for name, x in (("plain", f(2, 3)), ("edges", edge), ("lowest", torch.full((3,), -inf)), ("integers", i(2, 3) - 9), ("bool", b(3)), ("zero_dim", f()), ("half", f(4, dtype=half))):
    add("MaxOp", name, aten.max.default, x)
for op_class, op in (("CumsumOp", aten.cumsum.default), ("CumProdOp", aten.cumprod.default)):
    for name, x, dim in (("last", f(2, 4), -1), ("first", f(3, 2), 0), ("integers", i(2, 3), 1), ("bool", b(5), 0), ("double", f(4, dtype=double), 0), ("zero_dim", f(), 0),
                         ("int32", i(4, dtype=i32), 0), ("edges", edge, 0)):
        add(op_class, name, lambda x, d=dim, op=op: op(x, d), x)
add("CumsumOp", "dtype", lambda x: aten.cumsum.default(x, 0, dtype=double), f(4))
add("LogCumsumExpOp", "plain", lambda x: aten.logcumsumexp.default(x, 1), f(2, 5))
add("LogCumsumExpOp", "lowest", lambda x: aten.logcumsumexp.default(x, 0), torch.tensor([-inf, -inf, 1.0, inf, inf]))
add("SumDefaultOp", "float", aten.sum.default, f(2, 3))
add("SumDefaultOp", "integers", aten.sum.default, i(2, 3, dtype=i32))

# Indices.
rows, columns = torch.tensor([0, -1, 2]), torch.tensor([[1], [0]])
add("IndexOp", "rows", lambda x, r: aten.index.Tensor(x, [r]), f(4, 3), rows)
add("IndexOp", "both", lambda x, r, c: aten.index.Tensor(x, [r, c]), f(4, 3), rows, columns)
add("IndexOp", "later", lambda x, r: aten.index.Tensor(x, [None, r]), f(2, 4, 3), rows)
add("IndexOp", "apart", lambda x, r, c: aten.index.Tensor(x, [r, None, c]), f(4, 2, 3), rows, columns)
add("IndexOp", "adjacent", lambda x, r, c: aten.index.Tensor(x, [None, r, c]), i(2, 4, 3), rows, columns)
add("IndexOp", "bool_values", lambda x, r: aten.index.Tensor(x, [r]), b(4), rows)
add("UnsafeIndexOp", "rows", lambda x, r: aten._unsafe_index.Tensor(x, [r]), f(4, 3), rows)
add("IndexPutOp", "rows", lambda x, r, v: aten.index_put.default(x, [r], v), f(4, 3), rows, f(3, seed=1))
add("IndexPutOp", "accumulate", lambda x, r, v: aten.index_put.default(x, [r], v, True), f(4), torch.tensor([1, 1, -1, 1]), f(4, seed=1))
add("IndexPutOp", "both", lambda x, r, c, v: aten.index_put.default(x, [r, c], v), i(4, 3), rows, columns, i(2, 3, seed=1))
for name, x, dim, index in (("last", f(2, 4), -1, i(2, 3, low=0, high=4)), ("first", f(4, 3), 0, i(2, 3, low=0, high=4)), ("integers", i(2, 4), 1, i(1, 2, low=0, high=4)),
                            ("zero_dim", f(), 0, torch.tensor(0))):
    add("GatherOp", name, lambda x, n, d=dim: aten.gather.default(x, d, n), x, index)
add("IndexSelectOp", "rows", lambda x, r: aten.index_select.default(x, 0, r), f(4, 3), torch.tensor([0, 3, 0]))
add("IndexSelectOp", "negative", lambda x, r: aten.index_select.default(x, -1, r), b(2, 4), torch.tensor([1, 1]))
add("ScatterSrcOp", "rows", lambda x, n, s: aten.scatter.src(x, 0, n, s), f(4, 3), torch.tensor([[0, 1, 3], [2, 2, 0]]), f(2, 3, seed=1))
add("ScatterSrcOp", "last", lambda x, n, s: aten.scatter.src(x, -1, n, s), i(2, 4), torch.tensor([[0, 3], [2, 1]]), i(2, 2, seed=1))
add("ScatterValueOp", "float", lambda x, n: aten.scatter.value(x, 1, n, 2.5), f(2, 4), torch.tensor([[0, 3], [2, 1]]))
add("ScatterAddOp", "twice", lambda x, n, s: aten.scatter_add.default(x, 0, n, s), f(4), torch.tensor([1, 1, 3]), f(3, seed=1))
add("ScatterAddOp", "integers", lambda x, n, s: aten.scatter_add.default(x, 1, n, s), i(2, 4), torch.tensor([[0, 0], [2, 2]]), i(2, 2, seed=1))
for reduce in ("sum", "prod", "amax", "amin"):
    add("ScatterReduceOp", reduce, lambda x, n, s, r=reduce: aten.scatter_reduce.two(x, 0, n, s, r), f(4), torch.tensor([1, 1, 3]), f(3, seed=1))
add("EmbeddingDenseBackwardOp", "padding", lambda g, n: aten.embedding_dense_backward.default(g, n, 5, 1, False), f(2, 3, 4), torch.tensor([[0, 1, 4], [4, 2, 1]]))
boundaries = torch.tensor([-1.0, 0.0, 0.5, 2.0])
add("BucketizeOp", "left", lambda x, s: aten.bucketize.Tensor(x, s), edge, boundaries)
add("BucketizeOp", "right_int32", lambda x, s: aten.bucketize.Tensor(x, s, out_int32=True, right=True), edge, boundaries)
add("SearchSortedOp", "rows", lambda s, x: aten.searchsorted.Tensor(s, x), torch.tensor([[1, 3, 5], [2, 4, 6]]), torch.tensor([[3, 6], [2, 9]]))
add("SearchSortedOp", "side", lambda s, x: aten.searchsorted.Tensor(s, x, side="right"), boundaries, edge)
add("RepeatInterleaveOp", "dim", lambda x: aten.repeat_interleave.self_int(x, 2, -1), f(2, 3))
add("RepeatInterleaveOp", "flat", lambda x: aten.repeat_interleave.self_int(x, 3), i(2, 2))
add("MaskedScatterOp", "plain", aten.masked_scatter.default, f(2, 4), b(2, 4), f(8, seed=1))
add("MaskedScatterOp", "broadcast_mask", aten.masked_scatter.default, i(2, 4), b(4), i(8, seed=1))

# Order.
ties = torch.tensor([[2, 1, 2, 0], [3, 3, -1, 3]])
add("SortOp", "plain", lambda x: aten.sort.default(x), f(2, 5))
add("SortOp", "first_descending", lambda x: aten.sort.default(x, 0, True), f(5, 2))
add("SortOp", "stable_ties", lambda x: aten.sort.stable(x, stable=True), ties)
add("SortOp", "stable_ties_descending", lambda x: aten.sort.stable(x, stable=True, dim=-1, descending=True), ties)
add("SortOp", "nan", lambda x: aten.sort.stable(x, stable=True), edge)
add("SortOp", "zero_dim", lambda x: aten.sort.default(x), f())
add("TopkOp", "largest", lambda x: aten.topk.default(x, 3), f(2, 6))
add("TopkOp", "smallest", lambda x: aten.topk.default(x, 2, 0, False), f(6, 2, dtype=double))
add("KthValueOp", "plain", lambda x: aten.kthvalue.default(x, 2), f(3, 5))
add("KthValueOp", "keepdim", lambda x: aten.kthvalue.default(x, 3, 0, True), f(5, 2))
add("MedianOp", "all", aten.median.default, f(2, 3))
add("MedianOp", "dim", lambda x: aten.median.dim(x, -1), f(3, 4))
add("MedianOp", "nan", aten.median.default, edge)
add("MedianOp", "integers", lambda x: aten.median.dim(x, 0, True), torch.tensor([[5, 1], [2, 9], [7, 4]]))
add("NanMedianOp", "nan", aten.nanmedian.default, edge)

# Pools.
for name, x, args in (("plain", f(1, 2, 6, 6), ([2, 2],)), ("padding", f(1, 1, 5, 5), ([3, 3], [2, 2], [1, 1])), ("dilation", f(1, 1, 7, 7), ([2, 2], [1, 1], [0, 0], [2, 2])),
                      ("ceil_mode", f(1, 1, 6, 7), ([3, 3], [2, 2], [0, 0], [1, 1], True)), ("unbatched", f(2, 5, 5), ([2, 2],)), ("double", f(1, 1, 4, 4, dtype=double), ([2, 2],)),
                      ("nan", torch.cat([edge, edge]).view(1, 1, 4, 4), ([2, 2],)), ("lowest", torch.full((1, 1, 4, 4), -inf), ([2, 2],))):
    add("MaxPool2dWithIndicesOp", name, lambda x, a=args: aten.max_pool2d_with_indices.default(x, *a), x)
add("MaxPool3dOp", "plain", lambda x: aten.max_pool3d_with_indices.default(x, [2, 2, 2]), f(1, 1, 4, 4, 4))
add("AvgPool3dOp", "padding", lambda x: aten.avg_pool3d.default(x, [2, 2, 2], [2, 2, 2], [1, 1, 1], False, False), f(1, 1, 4, 4, 4))
add("AvgPool3dOp", "divisor", lambda x: aten.avg_pool3d.default(x, [2, 2, 2], divisor_override=3), f(1, 1, 4, 4, 4))
add("AvgPool2dOp", "plain", lambda x: aten.avg_pool2d.default(x, [2, 2]), f(1, 2, 4, 4))
add("AvgPool2dOp", "padding", lambda x: aten.avg_pool2d.default(x, [3, 3], [2, 2], [1, 1]), f(1, 1, 5, 5))
add("AvgPool2dOp", "ceil_mode", lambda x: aten.avg_pool2d.default(x, [3, 3], [2, 2], [1, 1], True, True), f(1, 1, 6, 6))
add("AvgPool2dOp", "double_without_padding", lambda x: aten.avg_pool2d.default(x, [2, 2], [2, 2], [1, 1], False, False), f(1, 1, 4, 4, dtype=double))

for name, x, size in (("one", f(1, 3, 6, 6), [1, 1]), ("divides", f(1, 2, 6, 4), [3, 2]), ("unbatched", f(2, 6, 6), [2, 3])):
    add("AdaptiveAvgPool2dOp", name, lambda x, s=size: aten.adaptive_avg_pool2d.default(x, s), x)

# Complex numbers.
add("ComplexOp", "parts", aten.complex.default, f(2, 3), f(2, 3, seed=1))
add("PolarOp", "parts", aten.polar.default, f(2, 3).abs(), f(2, 3, seed=1))
number = torch.complex(f(2, 3), f(2, 3, seed=1))
add("ImagOp", "part", lambda x: aten.imag.default(x), number)
add("ConjOp", "physical", lambda x: aten._conj_physical.default(x), number)
add("ViewAsRealOp", "pairs", lambda x: aten.view_as_real.default(x), number)
add("ViewAsComplexOp", "pairs", lambda x: aten.view_as_complex.default(x), f(3, 2))
