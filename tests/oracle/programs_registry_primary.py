"""The 31 op classes of Buddy's original primary registry, at least eight cases each."""
import torch

from programs_registry import add, aten, b, bf16, double, edge, f, half, i, i32, inf, lowest_row, nan, positive, prims

PRIMARY = ("AddOp MulOp SubOp SumDimOp TanhOp AmaxOp RsqrtOp BatchMatmulOp CloneOp DivOp ExpOp ExpandOp VarMeanOp AddMMOp ReshapeOp ViewOp "
           "SelectOp SliceOp EmbeddingOp ConvertElementTypeOp PermuteOp UnsqueezeOp TOp TransposeOp MaxPool2dOp Conv2dOp ReluOp IotaOp "
           "SigmoidOp ReciprocalOp MeanOp").split()

for op_class, op in (("AddOp", aten.add.Tensor), ("SubOp", aten.sub.Tensor), ("MulOp", aten.mul.Tensor), ("DivOp", aten.div.Tensor)):
    add(op_class, "same", op, f(2, 3), f(2, 3, seed=1), signed_zeros=True)
    add(op_class, "broadcast_rank", op, f(2, 3), f(3, seed=1))
    add(op_class, "broadcast_both", op, f(2, 1, 3), f(4, 1, seed=1))
    add(op_class, "zero_dim", op, f(), f(2, 2, seed=1))
    add(op_class, "both_zero_dim", op, f(), f(seed=1))
    add(op_class, "double", op, f(2, 3, dtype=double), f(2, 3, dtype=double, seed=1))
    add(op_class, "half", op, f(3, 4, dtype=half), f(4, dtype=half, seed=1))
    add(op_class, "bfloat", op, f(3, 4, dtype=bf16), f(4, dtype=bf16, seed=1))
    add(op_class, "integers", op, i(2, 3), i(2, 3, seed=1, low=1))
    add(op_class, "int_and_float", op, i(2, 3, dtype=i32), f(2, 3, seed=1))
    add(op_class, "edges", op, edge, edge.flip(0), signed_zeros=True)
    add(op_class, "scalar", lambda x, op=op: op(x, 2.5), f(2, 3))
    add(op_class, "integer_scalar", lambda x, op=op: op(x, 3), i(2, 3))
    add(op_class, "float_scalar_of_integers", lambda x, op=op: op(x, 1.5), i(2, 3))
for op_class, op in (("AddOp", aten.add.Tensor), ("MulOp", aten.mul.Tensor)):
    add(op_class, "bool", op, b(2, 3), b(2, 3, seed=1))
for op_class, op in (("AddOp", aten.add.Tensor), ("SubOp", aten.sub.Tensor)):
    add(op_class, "alpha", lambda x, y, op=op: op(x, y, alpha=0.5), f(2, 3), f(3, seed=1))
    add(op_class, "integer_alpha", lambda x, y, op=op: op(x, y, alpha=3), i(2, 3), i(3, seed=1))
add("MulOp", "scalar_overload", lambda x: aten.mul.Scalar(x, -0.0), edge, signed_zeros=True)

for name, dims, keep in (("last", [1], False), ("negative", [-1], True), ("first", [0], False), ("two", [0, -1], False), ("two_kept", [0, 2], True),
                         ("empty_is_all", [], False)):
    add("SumDimOp", name, lambda x, dims=dims, keep=keep: aten.sum.dim_IntList(x, dims, keep), f(2, 3, 4))
    add("MeanOp", name, lambda x, dims=dims, keep=keep: aten.mean.dim(x, dims, keep), f(2, 3, 4))
    add("AmaxOp", name, lambda x, dims=dims, keep=keep: aten.amax.default(x, dims, keep), f(2, 3, 4))
add("SumDimOp", "none_is_all", lambda x: aten.sum.dim_IntList(x, None), f(2, 3))
add("SumDimOp", "dtype", lambda x: aten.sum.dim_IntList(x, [1], dtype=torch.float64), f(2, 3))
add("SumDimOp", "integers", lambda x: aten.sum.dim_IntList(x, [1]), i(2, 3, dtype=i32))
add("SumDimOp", "bool", lambda x: aten.sum.dim_IntList(x, [0]), b(4, 3))
add("SumDimOp", "half", lambda x: aten.sum.dim_IntList(x, [1]), f(3, 40, dtype=half))
add("SumDimOp", "edges", lambda x: aten.sum.dim_IntList(x, [0]), torch.stack([edge, edge]))
add("SumDimOp", "zero_dim", lambda x: aten.sum.dim_IntList(x, []), f())
add("MeanOp", "double", lambda x: aten.mean.dim(x, [0]), f(3, 2, dtype=double))
add("MeanOp", "half", lambda x: aten.mean.dim(x, [-1], True), f(2, 30, dtype=half))
add("MeanOp", "dtype", lambda x: aten.mean.dim(x, [0], dtype=torch.float64), f(3, 2))
add("MeanOp", "size_one", lambda x: aten.mean.dim(x, [2]), f(1, 1, 3))
add("MeanOp", "edges", lambda x: aten.mean.dim(x, [0]), torch.stack([edge, edge]))
add("MeanOp", "zero_dim", lambda x: aten.mean.dim(x, []), f())
add("AmaxOp", "lowest_rows", lambda x: aten.amax.default(x, [1]), lowest_row)
add("AmaxOp", "lowest_rows_half", lambda x: aten.amax.default(x, [1]), lowest_row.half())
add("AmaxOp", "lowest_rows_double", lambda x: aten.amax.default(x, [1], True), lowest_row.double())
add("AmaxOp", "integers", lambda x: aten.amax.default(x, [-1]), i(2, 3) - 20)
add("AmaxOp", "bool", lambda x: aten.amax.default(x, [0]), b(3, 2))
add("AmaxOp", "zero_dim", lambda x: aten.amax.default(x, []), f())

for op_class, op in (("TanhOp", aten.tanh.default), ("RsqrtOp", aten.rsqrt.default), ("ExpOp", aten.exp.default), ("SigmoidOp", aten.sigmoid.default),
                     ("ReciprocalOp", aten.reciprocal.default)):
    add(op_class, "plain", op, f(2, 3).abs() + 0.1)
    add(op_class, "negative", op, -f(2, 3).abs() - 0.1)
    add(op_class, "edges", op, edge, signed_zeros=True)
    add(op_class, "zero_dim", op, f().abs())
    add(op_class, "double", op, f(2, 3, dtype=double).abs() + 0.1)
    add(op_class, "half", op, f(2, 3, dtype=half).abs() + 0.1)
    add(op_class, "bfloat", op, f(2, 3, dtype=bf16).abs() + 0.1)
    add(op_class, "integers", op, i(2, 3, low=1))
    add(op_class, "bool", op, torch.tensor([True, True]))
    add(op_class, "large", op, torch.tensor([50.0, -50.0, 88.0, -100.0, 1e30]))

relu = aten.relu.default
add("ReluOp", "plain", relu, f(2, 3))
add("ReluOp", "edges", relu, edge)
add("ReluOp", "zero_dim", relu, f())
add("ReluOp", "double", relu, f(2, 3, dtype=double))
add("ReluOp", "half", relu, f(2, 3, dtype=half))
add("ReluOp", "bfloat", relu, f(2, 3, dtype=bf16))
add("ReluOp", "integers", relu, i(2, 3))
add("ReluOp", "int32", relu, i(2, 3, dtype=i32))
add("ReluOp", "rank_4", relu, f(2, 1, 3, 2))

for name, dtype in (("float", torch.float32), ("double", double), ("half", half), ("integers", torch.int64), ("int32", i32), ("bfloat", bf16)):
    x = (lambda *s, seed=0, dtype=dtype: (i if not dtype.is_floating_point else f)(*s, dtype=dtype, seed=seed))
    add("BatchMatmulOp", name, aten.bmm.default, x(2, 3, 4), x(2, 4, 5, seed=1))
    add("AddMMOp", name, aten.addmm.default, x(5), x(3, 4), x(4, 5, seed=1))
add("BatchMatmulOp", "one", aten.bmm.default, f(1, 1, 7), f(1, 7, 1, seed=1))
add("BatchMatmulOp", "nan", aten.bmm.default, torch.stack([lowest_row, lowest_row]), f(2, 3, 2))
add("BatchMatmulOp", "long", aten.bmm.default, f(1, 2, 60), f(1, 60, 2, seed=1))
add("AddMMOp", "matrix_bias", aten.addmm.default, f(3, 5, seed=2), f(3, 4), f(4, 5, seed=1))
add("AddMMOp", "column_bias", aten.addmm.default, f(3, 1, seed=2), f(3, 4), f(4, 5, seed=1))
add("AddMMOp", "zero_dim_bias", aten.addmm.default, f(), f(3, 4), f(4, 5, seed=1))
add("AddMMOp", "alpha_beta", lambda c, x, y: aten.addmm.default(c, x, y, alpha=0.5, beta=-2), f(5, seed=2), f(3, 4), f(4, 5, seed=1))
add("AddMMOp", "beta_zero_ignores_nan", lambda c, x, y: aten.addmm.default(c, x, y, beta=0), torch.tensor([nan, 1.0]), f(3, 4), f(4, 2, seed=1))

for name, x in (("float", f(2, 3)), ("edges", edge), ("integers", i(2, 3)), ("bool", b(3)), ("zero_dim", f()), ("half", f(2, dtype=half)),
                ("double", f(2, 2, dtype=double)), ("int8", i(4, dtype=torch.int8)), ("bfloat", f(3, dtype=bf16))):
    add("CloneOp", name, aten.clone.default, x, signed_zeros=True)
add("CloneOp", "memory_format", lambda x: aten.clone.default(x, memory_format=torch.contiguous_format), f(2, 3).t())

for name, x, size in (("row", f(1, 3), [2, 3]), ("new_dims", f(3), [4, 2, 3]), ("keeps", f(2, 1), [-1, 5]), ("zero_dim", f(), [2, 3]),
                      ("edges", edge.view(8, 1), [8, 2]), ("integers", i(1, 3), [2, 3]), ("int32", i(1, 3, dtype=i32), [2, 3]),
                      ("bool", b(2, 1), [2, 3]), ("double", f(1, 2, dtype=double), [3, 2]), ("half", f(1, 2, dtype=half), [3, 2]),
                      ("nothing", f(2, 3), [2, 3])):
    add("ExpandOp", name, lambda x, size=size: aten.expand.default(x, size), x, signed_zeros=True)

for name, dims, correction, keep in (("last", [1], 1, False), ("kept", [-1], 1, True), ("population", [0], 0, False), ("two", [0, 1], 1, False),
                                     ("correction_2", [1], 2, True), ("none", None, 1, False)):
    add("VarMeanOp", name, lambda x, d=dims, c=correction, k=keep: aten.var_mean.correction(x, d, correction=c, keepdim=k), f(3, 4))
add("VarMeanOp", "double", lambda x: aten.var_mean.correction(x, [1]), f(3, 4, dtype=double))
add("VarMeanOp", "half", lambda x: aten.var_mean.correction(x, [1], correction=0), f(3, 12, dtype=half))
add("VarMeanOp", "one_element", lambda x: aten.var_mean.correction(x, [1], correction=1), f(3, 1))
add("VarMeanOp", "nan", lambda x: aten.var_mean.correction(x, [1], correction=0), torch.stack([edge, edge]))

for op_class, op in (("ViewOp", aten.view.default), ("ReshapeOp", aten.reshape.default)):
    for name, x, size in (("wide", f(2, 6), [3, 4]), ("inferred", f(2, 6), [4, -1]), ("flat", f(2, 3), [-1]), ("more_dims", f(6), [1, 2, 3, 1]),
                          ("to_zero_dim", f(1, 1), []), ("from_zero_dim", f(), [1, 1]), ("bool", b(2, 3), [6]), ("double", f(4, dtype=double), [2, 2]),
                          ("integers", i(4), [2, 2]), ("same", f(2, 3), [2, 3]), ("edges", edge, [2, 4])):
        add(op_class, name, lambda x, op=op, size=size: op(x, size), x, signed_zeros=True)
add("ViewOp", "unsafe", lambda x: aten._unsafe_view.default(x, [3, 2]), f(2, 3))

for name, x, dim, index in (("first", f(2, 3), 0, 1), ("last", f(2, 3), -1, 2), ("negative_index", f(2, 3, 4), 1, -1), ("middle", f(2, 3, 4), -2, 0),
                            ("to_zero_dim", f(4), 0, 2), ("bool", b(2, 3), 1, 0), ("integers", i(2, 3), 0, -2), ("double", f(2, 3, dtype=double), 0, 0),
                            ("edges", edge, 0, 1)):
    add("SelectOp", name, lambda x, d=dim, n=index: aten.select.int(x, d, n), x, signed_zeros=True)
for name, x, args in (("head", f(5, 3), (0, 0, 2)), ("tail", f(5, 3), (0, -2, 2**63 - 1)), ("step_2", f(5, 3), (0, 0, 5, 2)),
                      ("step_3_offset", f(2, 9), (1, 1, 9, 3)), ("negative_dim", f(2, 3, 4), (-1, 1, 3)), ("negative_end", f(6), (0, 1, -1)),
                      ("defaults", f(3, 2), (1,)), ("clamped", f(3), (0, -9, 9)), ("bool", b(5), (0, 1, 4)), ("integers_step", i(7), (0, 0, 7, 2)),
                      ("double", f(4, dtype=double), (0, 1, 3)), ("edges", edge, (0, 1, 8, 2))):
    add("SliceOp", name, lambda x, a=args: aten.slice.Tensor(x, *a), x, signed_zeros=True)

for name, indices in (("line", i(5, low=0, high=7)), ("matrix", i(2, 3, low=0, high=7)), ("zero_dim", torch.tensor(3)), ("int32", i(4, low=0, high=7, dtype=i32)),
                      ("cube", i(2, 1, 3, low=0, high=7))):
    add("EmbeddingOp", name, aten.embedding.default, f(7, 4), indices)
add("EmbeddingOp", "double", aten.embedding.default, f(7, 4, dtype=double), i(3, low=0, high=7))
add("EmbeddingOp", "half", aten.embedding.default, f(7, 4, dtype=half), i(3, low=0, high=7))
add("EmbeddingOp", "padding", lambda w, x: aten.embedding.default(w, x, 2), f(7, 4), torch.tensor([2, 0, 2]))
add("EmbeddingOp", "edges", aten.embedding.default, edge.view(8, 1), torch.arange(8), signed_zeros=True)

whole = torch.tensor([0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.75, 126.9])
for name, x, dtype in (("truncates_to_i64", whole, torch.int64), ("truncates_to_i32", whole, i32), ("truncates_to_i8", whole, torch.int8),
                       ("double_to_i64", whole.double(), torch.int64), ("half_to_i64", whole.half(), torch.int64), ("float_to_bool", edge, torch.bool),
                       ("int_to_bool", i(5), torch.bool), ("int_to_float", i(5), torch.float32), ("int_to_half", i(5), half), ("bool_to_float", b(4), torch.float32),
                       ("bool_to_int", b(4), torch.int64), ("to_double", edge, double), ("to_half", edge, half), ("to_bfloat", edge, bf16),
                       ("half_to_float", edge.half(), torch.float32), ("double_to_float", edge.double(), torch.float32), ("narrows", i(5) * 1000, torch.int8),
                       ("widens", i(5, dtype=torch.int8), torch.int64), ("zero_dim", f(), torch.float64), ("unsigned_to_float", torch.tensor([0, 200], dtype=torch.uint8), torch.float32)):
    add("ConvertElementTypeOp", name, lambda x, d=dtype: prims.convert_element_type.default(x, d), x, signed_zeros=dtype.is_floating_point)

for name, x, dims in (("rotate", f(2, 3, 4), [2, 0, 1]), ("negative", f(2, 3, 4), [-1, 0, -2]), ("matrix", f(2, 3), [1, 0]), ("same", f(2, 3), [0, 1]),
                      ("bool", b(2, 3), [1, 0]), ("integers", i(2, 3, 2), [1, 2, 0]), ("double", f(2, 3, dtype=double), [1, 0]), ("rank_4", f(2, 1, 3, 2), [0, 3, 1, 2]),
                      ("zero_dim", f(), []), ("edges", edge.view(2, 4), [1, 0])):
    add("PermuteOp", name, lambda x, d=dims: aten.permute.default(x, d), x, signed_zeros=True)
for name, x, d0, d1 in (("last_two", f(2, 3, 4), -2, -1), ("ends", f(2, 3, 4), 0, 2), ("matrix", f(2, 3), 0, 1), ("same", f(2, 3), 1, 1), ("bool", b(2, 3), 0, 1),
                        ("integers", i(2, 3), 1, 0), ("double", f(2, 3, dtype=double), 0, -1), ("zero_dim", f(), 0, -1), ("half", f(2, 3, dtype=half), 0, 1),
                        ("edges", edge.view(2, 4), 0, 1)):
    add("TransposeOp", name, lambda x, a=d0, c=d1: aten.transpose.int(x, a, c), x, signed_zeros=True)
for name, x in (("matrix", f(2, 3)), ("row", f(1, 3)), ("line", f(4)), ("zero_dim", f()), ("bool", b(2, 3)), ("integers", i(2, 3)), ("double", f(2, 3, dtype=double)),
                ("half", f(2, 3, dtype=half)), ("edges", edge.view(4, 2))):
    add("TOp", name, aten.t.default, x, signed_zeros=True)
for name, x, dim in (("front", f(2, 3), 0), ("back", f(2, 3), -1), ("middle", f(2, 3), 1), ("negative", f(2, 3), -2), ("zero_dim", f(), 0), ("zero_dim_negative", f(), -1),
                     ("bool", b(3), 0), ("integers", i(2, 2), 2), ("double", f(3, dtype=double), 1), ("edges", edge, 0)):
    add("UnsqueezeOp", name, lambda x, d=dim: aten.unsqueeze.default(x, d), x, signed_zeros=True)

pool = aten.max_pool2d.default
for name, x, args in (("plain", f(1, 2, 6, 6), ([2, 2],)), ("stride_1", f(1, 2, 5, 5), ([3, 3], [1, 1])), ("padding", f(2, 1, 6, 6), ([3, 3], [2, 2], [1, 1])),
                      ("odd", f(1, 2, 7, 5), ([2, 2],)), ("dilation", f(1, 1, 7, 7), ([2, 2], [1, 1], [0, 0], [2, 2])),
                      ("ceil_mode", f(1, 1, 6, 7), ([3, 3], [2, 2], [0, 0], [1, 1], True)), ("unbatched", f(2, 6, 6), ([2, 2],)),
                      ("double", f(1, 1, 4, 4, dtype=double), ([2, 2],)), ("half", f(1, 1, 4, 4, dtype=half), ([2, 2],)),
                      ("rectangle", f(1, 1, 6, 9), ([2, 3], [1, 2])), ("nan", torch.cat([edge, edge]).view(1, 1, 4, 4), ([2, 2],)),
                      ("lowest", torch.full((1, 1, 4, 4), -inf), ([2, 2],))):
    add("MaxPool2dOp", name, lambda x, a=args: pool(x, *a), x)

for name, x, w, bias, stride, padding, dilation, groups in (
        ("plain", f(1, 3, 6, 6), f(4, 3, 3, 3), None, [1, 1], [0, 0], [1, 1], 1), ("bias", f(2, 3, 6, 6), f(4, 3, 3, 3), f(4), [1, 1], [0, 0], [1, 1], 1),
        ("padding", f(1, 3, 5, 5), f(4, 3, 3, 3), f(4), [1, 1], [1, 1], [1, 1], 1), ("stride", f(1, 3, 8, 8), f(4, 3, 3, 3), None, [2, 2], [1, 1], [1, 1], 1),
        ("stride_odd", f(1, 2, 7, 8), f(3, 2, 2, 3), None, [3, 2], [0, 1], [1, 1], 1), ("dilation", f(1, 2, 7, 7), f(3, 2, 3, 3), f(3), [1, 1], [0, 0], [2, 2], 1),
        ("depthwise", f(1, 4, 5, 5), f(4, 1, 3, 3), f(4), [1, 1], [1, 1], [1, 1], 4), ("multiplier", f(1, 2, 5, 5), f(6, 1, 3, 3), None, [1, 1], [1, 1], [1, 1], 2),
        ("groups", f(1, 4, 5, 5), f(6, 2, 3, 3), f(6), [1, 1], [0, 0], [1, 1], 2), ("one_by_one", f(1, 3, 4, 4), f(5, 3, 1, 1), f(5), [1, 1], [0, 0], [1, 1], 1),
        ("half", f(1, 2, 5, 5, dtype=half), f(3, 2, 3, 3, dtype=half), None, [1, 1], [0, 0], [1, 1], 1),
        ("double", f(1, 2, 5, 5, dtype=double), f(3, 2, 3, 3, dtype=double), None, [1, 1], [0, 0], [1, 1], 1),
        ("conv1d", f(1, 2, 7), f(3, 2, 3), f(3), [2], [1], [1], 1)):
    tensors = (x, w) if bias is None else (x, w, bias)
    add("Conv2dOp", name, lambda x, w, *c, s=stride, p=padding, d=dilation, g=groups:
        aten.convolution.default(x, w, c[0] if c else None, s, p, d, False, [0] * len(s), g), *tensors)
add("Conv2dOp", "transposed", lambda x, w, c: aten.convolution.default(x, w, c, [2, 2], [1, 1], [1, 1], True, [1, 1], 1), f(1, 3, 4, 4), f(3, 2, 3, 3), f(2))
add("Conv2dOp", "transposed_plain", lambda x, w: aten.convolution.default(x, w, None, [1, 1], [0, 0], [1, 1], True, [0, 0], 1), f(1, 3, 4, 4), f(3, 2, 3, 3))

for name, args, dtype in (("plain", (4, 0, 1), torch.int64), ("start_step", (4, 2, 3), torch.int64), ("negative", (5, 3, -2), torch.int64), ("one", (1, 7, 1), torch.int64),
                          ("int32", (4, 0, 1), i32), ("int32_step", (3, -4, 5), i32), ("int8", (4, 0, 2), torch.int8), ("large", (3, 2**40, 2**33), torch.int64)):
    add("IotaOp", name, lambda x, a=args, d=dtype: x + prims.iota.default(a[0], start=a[1], step=a[2], dtype=d, device=torch.device("cpu"), requires_grad=False),
        torch.zeros(1, dtype=dtype))
