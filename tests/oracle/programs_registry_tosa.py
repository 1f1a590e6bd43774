"""The wider TOSA registry, and what bites of its 31 primary classes beyond programs_registry_primary: bytes, empty tensors, wrapping integers,
infinite rows, odd windows. A row is a name, then the operator's arguments: the tensors are the program's inputs, the rest is written in it;
a dict at the end holds keyword arguments.
"""
import torch

from programs_registry import add, aten, b, double, edge, f, half, i, i32, inf, lowest_row, nan, prims

i8, u8 = torch.int8, torch.uint8
cpu = {"device": torch.device("cpu"), "pin_memory": False}


def u(*sizes, seed=0):
    return i(*sizes, dtype=u8, low=0, high=256, seed=seed)


def t(*values, dtype=torch.float32):
    return torch.tensor(values, dtype=dtype)


def call(op, arguments):
    """A function of the tensors among the arguments."""
    keywords = arguments[-1] if arguments and isinstance(arguments[-1], dict) else {}
    positional = arguments[:len(arguments) - bool(keywords)]

    def put(inputs, argument):
        if isinstance(argument, torch.Tensor):
            return next(inputs)
        return [put(inputs, a) for a in argument] if isinstance(argument, list) else argument

    def function(*inputs):
        rest = iter(inputs)
        return op(*[put(rest, a) for a in positional], **keywords)

    return function, [x for a in positional for x in (a if isinstance(a, list) else [a]) if isinstance(x, torch.Tensor)]


def rows(op_class, op, *table, **more):
    for name, *arguments in table:
        function, inputs = call(op, arguments)
        add(op_class, f"tosa_{name}", function, *inputs, chains=("tosa",), **more)


def each(classes, *table, **more):
    """The same rows for several (class, operator)."""
    for op_class, op in classes:
        rows(op_class, op, *table, **more)


# What bites of the primary classes.
each((("AddOp", aten.add.Tensor), ("MulOp", aten.mul.Tensor)), ("bytes_wrap", u(3, 4), u(4, seed=1)), ("bytes_and_integers", u(3), i(3)),
     ("narrow_wraps", t(100, -77, 3, dtype=i8), t(100, -5, 7, dtype=i8)), ("int16", i(4, dtype=torch.int16) * 999, i(4, dtype=torch.int16) * 99),
     ("bool_and_float", b(3), f(2, 3)), ("empty", f(0, 3), f(3)), ("double_zero_dim", t(0.1, dtype=double)[0], f(3)))
rows("AddOp", aten.add.Tensor, ("half_alpha", f(40, dtype=half), f(40, dtype=half, seed=1), {"alpha": 0.3}), ("bool_and_number", b(3), 2))
rows("SubOp", aten.sub.Tensor, ("narrow_wraps", t(-128, 127, dtype=i8), t(1, -1, dtype=i8)), ("bytes_wrap", u(5), u(5, seed=1)))
rows("MulOp", aten.mul.Tensor, ("half_number", f(40, dtype=half), 0.1))
rows("DivOp", aten.div.Tensor, ("extremes", t(1e38, 1e-40, 1e-38), t(1e-39, 1e-40, 3e38)), ("bool", b(4), b(4, seed=1)), ("bytes", u(6), u(6, seed=1)),
     ("half_number", f(40, dtype=half), 0.1))
rows("DivOp", aten.div.Tensor, ("exact", f(40, 30), f(30, seed=1)), ("exact_number", f(40, 3), 3), tolerance=(0, 0))
rows("SumDimOp", aten.sum.dim_IntList, ("bytes", u(2, 30), [1]), ("nothing", f(2, 0), [1]), ("keeps_other_ones", f(1, 3, 1), [1]), ("kept_zero_dim", f(), [-1], True))
rows("MeanOp", aten.mean.dim, ("nothing", f(0, 2), [0]), ("keeps_other_ones", f(2, 3, 1), [1]), ("none", f(2, 3), None))
rows("AmaxOp", aten.amax.default, ("bytes", i(2, 3, dtype=i8), [1]), ("lowest_finite", torch.full((2, 3), torch.finfo(torch.float32).min), [1]))
rows("BatchMatmulOp", aten.bmm.default, ("bytes_wrap", u(2, 3, 4), u(2, 4, 5)), ("narrow_wraps", i(2, 3, 9, dtype=i8, low=-99, high=99), i(2, 9, 2, dtype=i8)),
     ("nothing_between", f(2, 3, 0), f(2, 0, 5)))
rows("AddMMOp", aten.addmm.default, ("nothing_between", f(4), f(2, 0), f(0, 4)))
rows("CloneOp", aten.clone.default, ("bytes", u(3)), ("empty", f(0, 2)))
rows("ExpandOp", aten.expand.default, ("bytes", u(3), [2, 3]), ("to_empty", f(1, 3), [0, 3]), ("zero_dim_stays", f(), []))
rows("VarMeanOp", aten.var_mean.correction, ("fraction", f(7, 4), [0], {"correction": 2.5}), ("zero_dim", f(), [0], {"correction": 0}), ("nothing", f(2, 0), [1]),
     ("keeps_other_ones", f(1, 3, 4), [1, 2]))
each((("ViewOp", aten.view.default), ("ReshapeOp", aten.reshape.default)), ("bytes", u(2, 3), [3, 2]), ("empty", f(0, 3), [3, 0]))
rows("SelectOp", aten.select.int, ("bytes", u(3, 2), 0, 1))
rows("SliceOp", aten.slice.Tensor, ("bytes_step", u(9), 0, 1, 9, 3), ("empty", f(2, 5), 1, 3, 3), ("crossed", f(2, 5), 1, 4, 2), ("none", f(3, 2), 0, None, 2))
rows("EmbeddingOp", aten.embedding.default, ("one", f(7, 4), t(5, dtype=torch.int64)), ("no_index", f(7, 4), torch.zeros(0, dtype=torch.int64)),
     ("integers", i(7, 4), t(1, 6, dtype=torch.int64)))
rows("IndexSelectOp", aten.index_select.default, ("middle", f(2, 3, 4), 1, t(2, 0, 2, 1, dtype=torch.int64)), ("last_int32", f(2, 3), -1, t(1, 1, dtype=i32)),
     ("bytes", u(4, 2), 0, t(3, 0, dtype=torch.int64)), ("double", f(2, 3, dtype=double), 1, t(2, dtype=torch.int64)), ("no_index", f(2, 3), 1, torch.zeros(0, dtype=torch.int64)))
for name, x, dtype in (("bytes_to_float", u(8), torch.float32), ("bytes_to_int", u(8), torch.int64), ("bytes_to_int8", u(8), i8), ("bytes_to_bool", u(8), torch.bool),
                       ("int_to_bytes", i(8) * 99, u8), ("float_to_bytes", t(1.7, -1.7, 200.9), u8), ("bool_to_bytes", b(4), u8), ("int8_to_bytes", i(6, dtype=i8), u8),
                       ("empty", f(2, 0), torch.int64), ("double_to_half", f(5, dtype=double), half), ("too_large_for_half", t(70000.0, 1e-8), half)):
    rows("ConvertElementTypeOp", prims.convert_element_type.default, (name, x, dtype))
rows("IotaOp", lambda x, n, start, step, dtype: x + prims.iota.default(n, start=start, step=step, dtype=dtype, device=torch.device("cpu"), requires_grad=False),
     ("long", i(1), 3000, 7, 3, torch.int64), ("long_int32", i(1, dtype=i32), 2000, -9, 1, i32))
rows("MaxPool2dOp", aten.max_pool2d.default, ("lowest_and_infinite", t(-inf, -inf, torch.finfo(torch.float32).min, -inf).view(1, 1, 1, 4), [1, 2]),
     ("lowest_double", torch.full((1, 1, 4, 4), -inf, dtype=double), [2, 2], [2, 2], [1, 1]), ("lowest_padded", torch.full((1, 1, 4, 4), -inf), [2, 2], [2, 2], [1, 1]),
     ("ceil_padded", f(1, 3, 8, 7), [3, 3], [3, 2], [1, 1], [1, 1], True), ("dilation_padded", f(1, 3, 9, 8), [3, 2], [2, 1], [1, 1], [2, 3]),
     ("integers", i(1, 2, 4, 4), [2, 2]), ("bytes", u(1, 2, 4, 4), [2, 2], [1, 1], [1, 1]), ("leftover", f(1, 3, 7, 9), [2, 2]))


def convolution(name, x, weight, bias, stride, padding, dilation, transposed=False, output_padding=None, groups=1, **more):
    extra = output_padding or [0] * len(stride)
    rows("Conv2dOp", aten.convolution.default, (name, x, weight, bias, stride, padding, dilation, transposed, extra, groups), **more)


convolution("cut", f(2, 3, 10, 9), f(4, 3, 2, 2), None, [3, 3], [0, 0], [1, 1])
convolution("wide_padding", f(1, 2, 3, 3), f(2, 2, 2, 2), f(2), [2, 2], [3, 3], [1, 1])
convolution("double_groups", f(1, 4, 6, 6, dtype=double), f(6, 2, 3, 3, dtype=double), None, [2, 1], [1, 1], [1, 1], groups=2)
convolution("integers", i(1, 2, 4, 4), i(3, 2, 2, 2), None, [1, 1], [0, 0], [1, 1])
convolution("nan", edge.view(1, 1, 2, 4), f(1, 1, 1, 2).abs(), None, [1, 1], [0, 0], [1, 1])
convolution("many_groups", f(1, 80, 3, 3), f(40, 2, 2, 2), f(40), [1, 1], [0, 0], [1, 1], groups=40)
convolution("row_groups", f(2, 4, 9), f(6, 2, 3), None, [1], [2], [2], groups=2)
convolution("volume", f(1, 2, 4, 5, 6), f(3, 2, 2, 3, 2), f(3), [1, 2, 1], [1, 0, 1], [1, 1, 1])
convolution("transposed_groups", f(2, 4, 4, 5), f(4, 3, 3, 2), f(6), [2, 1], [1, 0], [2, 1], True, [1, 0], 2)
convolution("transposed_beyond_kernel", f(1, 2, 6, 6), f(2, 2, 2, 2), None, [1, 1], [2, 2], [1, 1], True)
convolution("transposed_row", f(1, 3, 5), f(3, 2, 3), f(2), [2], [1], [1], True, [1])

# Comparisons.
RELATIONS = ("Eq", "Ne", "Gt", "Ge", "Lt", "Le")
each([(f"{r}TensorOp", getattr(aten, r.lower()).Tensor) for r in RELATIONS], ("float", f(2, 3).round(), f(3, seed=1).round()), ("edges", edge, edge.flip(0)),
     ("nan", t(nan, 1.0), t(nan, nan)), ("integers", i(2, 3), i(3, seed=1)), ("integers_and_floats", i(4), t(-3.0, -1.5, -1.0, 7.0)), ("bool", b(6), b(6, seed=1)),
     ("bool_and_integers", b(6), i(6)), ("bytes", u(8), u(8, seed=1)), ("bytes_and_integers", u(8), i(8) * 40), ("half", f(4, dtype=half), f(4, dtype=half, seed=1)),
     ("zero_dim_double", t(0.1), t(0.1, dtype=double)[0]))
each((("NeScalarOp", aten.ne.Scalar), ("GtOp", aten.gt.Scalar), ("LtScalarOp", aten.lt.Scalar), ("LeScalarOp", aten.le.Scalar)), ("float", f(2, 3), 0.1),
     ("integers", i(6), 0), ("integers_by_float", i(6), -0.5), ("edges", edge, 0.0), ("bool", b(4), 1), ("bytes", u(8), 111), ("double", t(0.1, dtype=double), 0.1),
     ("infinite", edge, inf))
each((("IsNanOp", aten.isnan.default), ("IsInfOp", aten.isinf.default), ("SignbitOp", aten.signbit.default)), ("edges", edge), ("integers", i(5)),
     ("double", edge.double()), ("half", edge.half()), ("bytes", u(5)), ("zero_dim", f()))

# Truth and bits.
each([(f"Logical{w.capitalize()}Op", getattr(aten, f"logical_{w}").default) for w in ("and", "or", "xor")], ("bool", b(2, 4), b(4, seed=1)),
     ("edges", edge, edge.flip(0)), ("integers_and_bool", i(6), b(6)), ("bytes_and_bool", u(8), b(8)), ("zero_dim", b(), b(3)))
rows("LogicalNotOp", aten.logical_not.default, ("bool", b(5)), ("edges", edge), ("integers", i(6)), ("bytes", u(5)), ("zero_dim", f()))
for word in ("and", "or", "xor"):
    name = f"Bitwise{word.capitalize()}"
    rows("BitwiseAndTensorOp" if word == "and" else name + "Op", getattr(aten, f"bitwise_{word}").Tensor, ("integers", i(2, 6), i(6, seed=1) * 7), ("bool", b(5), b(5, seed=1)),
         ("bytes", u(9), u(9, seed=1)), ("widths", i(5, dtype=i32), i(5, seed=1)), ("bool_and_integers", b(5), i(5)))
    rows(name + "ScalarOp", getattr(aten, f"bitwise_{word}").Scalar, ("integers", i(7), 5), ("negative", i(7), -2), ("bool", b(5), True), ("bool_and_number", b(5), 6),
         ("bytes", u(9), 240))
rows("BitwiseNotOp", aten.bitwise_not.default, ("integers", i(6)), ("bool", b(5)), ("bytes", u(5)), ("int8", i(9, dtype=i8)))
each((("BitwiseLeftShiftOp", aten.bitwise_left_shift.Tensor), ("BitwiseRightShiftOp", aten.bitwise_right_shift.Tensor)),
     ("integers", i(6) * 99, t(0, 1, 2, 3, 63, 5, dtype=torch.int64)), ("beyond", i(4) - 5, t(64, -1, 70, 62, dtype=torch.int64)),
     ("int32", i(4, dtype=i32), t(1, 31, 32, 2, dtype=i32)), ("bytes", u(6), t(0, 1, 7, 8, 9, 2, dtype=u8)), ("int8", i(6, dtype=i8), t(1, 7, 8, -1, 2, 0, dtype=i8)))
each((("BitwiseLeftShiftOp", aten.bitwise_left_shift.Tensor_Scalar), ("BitwiseRightShiftOp", aten.bitwise_right_shift.Tensor_Scalar)), ("number", i(5), 2))

# Signs, bounds, sums of products.
each((("NegOp", aten.neg.default), ("AbsOp", aten.abs.default), ("SignOp", aten.sign.default), ("CeilOp", aten.ceil.default), ("FloorOp", aten.floor.default)),
     ("float", f(4)), ("edges", edge), ("integers", i(5)), ("int8", i(5, dtype=i8)), ("bytes", u(5)), ("half", f(4, dtype=half)), ("zero_dim", f()), signed_zeros=True)
each((("MaximumOp", aten.maximum.default), ("MinimumOp", aten.minimum.default)), ("float", f(2, 3), f(3, seed=1)), ("edges", edge, edge.roll(3)), ("integers", i(6), i(6, seed=1)),
     ("bytes", u(8), u(8, seed=1)), ("bool", b(6), b(6, seed=1)), ("mixed", i(6), f(6)))
rows("MinimumOp", aten.min.other, ("other", f(2, 3), f(3, seed=1)))
rows("ClampOp", aten.clamp.default, ("both", f(9) * 2, -1, 1), ("min", f(9), 0.2), ("max", f(9), None, 0.2), ("crossed", f(9), 1, -1), ("integers", i(9), -1, 2),
     ("integers_by_floats", i(9), -1.5, 2.5), ("edges", edge, -1, 1), ("bytes", u(9), 50, 200), ("half", f(9, dtype=half), -0.3, 0.3), ("infinite", edge, -inf, 5))
each((("ClampMinOp", aten.clamp_min.default), ("ClampMaxOp", aten.clamp_max.default)), ("float", f(9), 0.1), ("integers", i(9), 1), ("edges", edge, 0.5), ("bytes", u(9), 100))
each((("ClampMinTensorOp", aten.clamp_min.Tensor), ("ClampMaxTensorOp", aten.clamp_max.Tensor)), ("float", f(2, 3), f(3, seed=1)), ("edges", edge, edge.roll(3)),
     ("mixed", i(6), f(6)), ("bytes", u(8), u(8, seed=1)))
rows("ClampTensorOp", aten.clamp.Tensor, ("both", f(2, 3), f(3) - 1, f(3) + 1), ("nan", edge, edge.roll(3), edge.roll(5)), ("min", f(3), f(3, seed=1)), ("max", f(3), None, f(3, seed=1)))
rows("HardtanhOp", aten.hardtanh.default, ("plain", f(9) * 2), ("bounds", f(9) * 2, -0.5, 0.7), ("edges", edge), ("integers", i(9), -1, 2))
rows("AddCMulOp", aten.addcmul.default, ("float", f(2, 3), f(3, seed=1), f(2, 1)), ("value", f(3), f(3), f(3), {"value": 0.5}), ("integers", i(3), i(3), i(3), {"value": 2}),
     ("promoted", f(3, dtype=double), f(3), f(3)), ("edges", edge, edge, edge))
rows("LerpOp", aten.lerp.Tensor, ("float", f(9), f(9, seed=1), f(9, seed=2)), ("ends", t(0.1, 0.3), t(0.7, 0.9), t(0.0, 1.0)), ("half", f(3, dtype=half), f(3, dtype=half), f(3, dtype=half).abs()))
rows("LerpOp", aten.lerp.Scalar, ("near", f(5), f(5, seed=1), 0.25), ("far", f(5), f(5, seed=1), 0.9))
rows("HypotOp", aten.hypot.default, ("float", f(5), f(5, seed=1)), ("large_and_small", t(3e38, 1e-40, 0.0), t(1e38, 1e-40, 0.0)), ("edges", edge, edge.roll(3)),
     ("infinite_nan", t(inf, nan), t(nan, -inf)), ("double", f(3, dtype=double), f(3, dtype=double)))
rows("CopysignOp", aten.copysign.Tensor, ("float", f(5), f(5, seed=1)), ("zeros", t(1.0, 1.0, -0.0, 0.0), t(-0.0, 0.0, 1.0, -1.0)), ("integers", i(5), i(5, seed=1)),
     ("half", f(5, dtype=half), f(5, dtype=half, seed=1)), signed_zeros=True)
rows("CopysignOp", aten.copysign.Scalar, ("number", f(4), -2.0))
rows("MaskedFillOp", aten.masked_fill.Scalar, ("infinite", f(2, 3), b(2, 3), -inf), ("mask_row", f(2, 3), b(3), -1e9), ("integers", i(6), b(6), 7), ("bytes", u(4), b(4), 255),
     ("half", f(4, dtype=half), b(4), -6e4))
rows("PowScalarOp", aten.pow.Scalar, ("two", 2, f(5)), ("fraction", 0.5, f(5)), ("edges", 2.0, edge), ("one", 1, edge), ("integers", 2.5, i(5)), ("half", 2.0, f(4, dtype=half)))
each((("AddScalarOp", aten.add.Scalar), ("SubScalarOp", aten.sub.Scalar)), ("float", f(3), 2.5), ("integers", i(3), 2), ("alpha", f(3), 3, 2), ("bytes", u(4), 3))
rows("DivScalarOp", aten.div.Scalar, ("float", f(3), 2.5), ("integers", i(3), 2), ("bytes", u(4), 3))

# Quotients that are rounded.
left, right = t(5.0, -5.0, 5.0, -5.0, 0.0, -0.0, 7.5, 1.0), t(3.0, 3.0, -3.0, -3.0, 2.0, 2.0, 2.5, 0.1)
signs = (t(5, -5, 5, -5, dtype=torch.int64), t(3, 3, -3, -3, dtype=torch.int64))
each((("FmodOp", aten.fmod.Tensor), ("RemainderOp", aten.remainder.Tensor), ("FloorDivideOp", aten.floor_divide.default)), ("signs", left, right), ("float", f(40) * 9, f(40, seed=1)),
     ("by_zero", t(1.0, -1.0, 0.0, nan), t(0.0, 0.0, 0.0, 1.0)), ("infinite", t(inf, 1.0, -1.0, -inf), t(2.0, inf, inf, inf)), ("integers", *signs),
     ("int8", t(5, -5, 127, -128, dtype=i8), t(3, 3, -3, -3, dtype=i8)), ("bytes", u(6), u(6, seed=1) // 2 + 1), ("mixed", i(6), t(*[2.5] * 6)), ("double", left.double(), right.double()))
each((("FmodOp", aten.fmod.Scalar), ("RemainderOp", aten.remainder.Scalar)), ("number", left, 3), ("negative_number", left, -2.5))
rows("RemainderOp", aten.remainder.Scalar_Tensor, ("of_number", 7.0, right))
for mode in (None, "floor", "trunc"):
    rows("DivTensorModeOp", aten.div.Tensor_mode, (f"{mode}_signs", left, right, {"rounding_mode": mode}), (f"{mode}_integers", *signs, {"rounding_mode": mode}),
         (f"{mode}_bytes", u(6), u(6, seed=1) // 2 + 1, {"rounding_mode": mode}), (f"{mode}_by_zero", t(1.0, -1.0, 0.0), t(0.0, 0.0, 0.0), {"rounding_mode": mode}))
    rows("DivScalarModeOp", aten.div.Scalar_mode, (f"{mode}_float", left, 3, {"rounding_mode": mode}), (f"{mode}_integers", i(9), -3, {"rounding_mode": mode}))

# Activations.
wide = t(-200.0, -90.0, -20.0, -2.0, -1e-3, 0.0, 1e-3, 2.0, 20.0, 90.0, 200.0)
each((("ErfcOp", aten.erfc.default), ("SoftplusOp", aten.softplus.default), ("HardswishOp", aten.hardswish.default), ("LeakyReluOp", aten.leaky_relu.default),
      ("EluOp", aten.elu.default), ("SpecialEntrOp", aten.special_entr.default), ("SpecialNdtrOp", aten.special_ndtr.default)),
     ("float", f(9)), ("wide", wide), ("edges", edge), ("double", f(9, dtype=double)), ("half", f(9, dtype=half)), ("zero_dim", f()), ("empty", f(2, 0)))
rows("LogOp", aten.log.default, ("edges", edge), ("integers", i(6).abs()), ("half", f(9, dtype=half).abs()))
# PyTorch's vectorized kernel gives NaN at infinity, its other one infinity.
rows("GeluOp", aten.gelu.default, ("float", f(9)), ("wide", wide), ("double", f(9, dtype=double)), ("half", f(9, dtype=half)), ("zero_dim", f()), ("empty", f(2, 0)), ("tanh", wide, {"approximate": "tanh"}), ("tanh_double", f(4, dtype=double), {"approximate": "tanh"}))
rows("SoftplusOp", aten.softplus.default, ("beta", f(9), 2.0, 3.0))
rows("LeakyReluOp", aten.leaky_relu.default, ("slope", f(9), 0.3))
rows("EluOp", aten.elu.default, ("scaled", f(9), 1.5, 1.1, 0.7))
rows("GluOp", aten.glu.default, ("first", f(4, 3), 0), ("last", f(3, 4), -1), ("half", f(3, 4, dtype=half), 1), ("plain", f(6)))

# Reductions.
rows("SumDefaultOp", aten.sum.default, ("float", f(2, 3)), ("int32", i(5, dtype=i32)), ("bool", b(9)), ("nothing", f(0)), ("bytes", u(30)), ("dtype", f(3), {"dtype": double}))
rows("MeanDefaultOp", aten.mean.default, ("float", f(2, 3)), ("nothing", f(0)), ("dtype", i(5), {"dtype": torch.float32}), ("edges", edge), ("half", f(50, dtype=half)))
highest_row = -lowest_row
rows("AminOp", aten.amin.default, ("kept", f(2, 3), [-1], True), ("two", f(2, 3, 4), [0, 2]), ("infinite_rows", highest_row, [1]), ("infinite_rows_double", highest_row.double(), [1]),
     ("integers", i(2, 3), [1]), ("bool", b(4), [0]), ("zero_dim", f(), [0]))
rows("AminOp", aten.min.default, ("of_all", f(2, 3)))
for packet in ("var", "std"):
    name = packet.capitalize()
    rows(name + "CorrectionOp", getattr(aten, packet).correction, ("last", f(2, 5), [1]), ("population_kept", f(2, 5), [-1], {"correction": 0, "keepdim": True}), ("all", f(3, 4)),
         ("double", f(3, 4, dtype=double), [0]), ("half", f(30, dtype=half), [0]), ("one", f(1, 4), [0]), ("fraction", f(7), [0], {"correction": 2.5}), ("nothing", f(2, 0), [1]))
    rows(name + "DimOp", getattr(aten, packet).dim, ("last", f(2, 5), [1]), ("population", f(2, 5), [1], False), ("kept", f(2, 5), [0], True, True), ("none", f(2, 5), None),
         ("negative", f(2, 3, 4), [-1, -3]))
    rows(name + "DefaultOp", getattr(aten, packet).default, ("all", f(2, 5)), ("population", f(2, 5), False), ("one", f(1)), ("edges", edge))
rows("ProdOp", aten.prod.default, ("float", f(2, 3)), ("integers", i(2, 2) + 7), ("bool", b(5)), ("nothing", f(0)))
rows("ProdOp", aten.prod.dim_int, ("last", f(2, 3), 1), ("kept", f(2, 3), -1, True), ("int32", i(2, 3, dtype=i32) + 9, 1), ("dtype", i(4), 0, {"dtype": double}))
for packet in ("all", "any"):
    name, op = packet.capitalize(), getattr(aten, packet)
    rows(name + "Op", op.default, ("bool", b(2, 3)), ("edges", edge), ("nothing", f(0)), ("bytes", u(3)))
    rows(name + "Op", op.dim, ("last", b(3, 3), 1), ("kept", i(2, 3), -1, True))
    rows(name + "DimsOp", op.dims, ("last", b(3, 3), [1]), ("two_kept", b(3, 2, 2), [0, -1], True), ("none", i(2, 3), None))
nan_rows = torch.tensor([[1.0, nan, nan, 3.0], [nan, inf, nan, -inf], [-inf, -inf, -inf, -inf], [inf, 5.0, inf, 1.0]])
each((("ArgMaxOp", aten.argmax.default), ("ArgMinOp", aten.argmin.default)), ("all", f(3, 4)), ("last", f(3, 4), 1), ("kept", f(3, 4), -2, True), ("nan", nan_rows, 1),
     ("nan_of_all", nan_rows), ("integers", i(3, 3), 0), ("ties", t(2, 5, 5, 2, 2, dtype=torch.int64), 0), ("zero_dim", f()), ("half", f(5, dtype=half), 0),
     ("extremes", t(3, -2**63, 2**63 - 1, dtype=torch.int64)))
each((("MaxDimOp", aten.max.dim), ("MinDimOp", aten.min.dim)), ("last", f(3, 4), 1), ("kept", f(3, 4), -2, True), ("nan", nan_rows, 1), ("integers", i(3, 3), 0), ("zero_dim", f(), 0),
     ("bool", torch.tensor([[False, True, True], [False, False, False], [True, True, False]]), 1))
each((("NormScalarOp", aten.norm.Scalar),), *((f"p_{n}", f(3, 4), p) for n, p in enumerate((2, 1, 0, 3, inf, -inf, 0.5))), ("zero_dim", f(), 2))
each((("NormScalarOptDimOp", aten.norm.ScalarOpt_dim),), *((f"p_{n}", f(3, 4), p, [1]) for n, p in enumerate((2, 1, 0, 3, inf, -inf))), ("two_kept", f(3, 4, 2), None, [-1, 0], True))
each((("CdistForwardOp", aten._cdist_forward.default),), *((f"p_{n}", f(3, 4), f(5, 4, seed=1), p, None) for n, p in enumerate((2.0, 1.0, 0.0, 3.0, inf))),
     ("batch", f(2, 3, 4), f(1, 5, 4, seed=1), 2.0, 2))

# Shapes, parts, repeats.
each((("SqueezeOp", aten.squeeze.default),), ("float", f(1, 1, 3)), ("nothing", f(2, 3)), ("bool", b(1, 1)), ("bytes", u(1, 2)))
each((("SqueezeDimOp", aten.squeeze.dim),), ("one", f(2, 1), -1), ("stays", f(2, 3), 0), ("zero_dim", f(), 0))
each((("SqueezeDimsOp", aten.squeeze.dims),), ("two", f(1, 2, 1), [0, -1]), ("one_stays", f(2, 1), [0, 1]))
rows("SplitWithSizesOp", aten.split_with_sizes.default, ("first", f(5, 2), [2, 3]), ("last", f(2, 5), [1, 4], -1), ("empty_piece", f(5), [0, 2, 3]), ("bytes", u(4), [1, 1, 2]))
rows("UnbindOp", aten.unbind.int, ("first", f(3, 2)), ("last", f(3, 2), -1), ("line", f(3)), ("bytes", u(2, 2), 1))
rows("RepeatOp", aten.repeat.default, ("matrix", f(2, 3), [2, 3]), ("more", f(3), [2, 1, 2]), ("zero_dim", f(), [3]), ("bool", b(2), [2]), ("to_empty", f(2), [0]), ("bytes", u(2), [2, 2]))
rows("TileOp", aten.tile.default, ("matrix", f(2, 3), [2, 3]), ("fewer", f(2, 3), [2]), ("more", f(3), [2, 1, 2]), ("zero_dim", f(), [3]))
rows("StackOp", aten.stack.default, ("first", [f(2), f(2, seed=1)]), ("last", [f(2, 3), f(2, 3, seed=1)], -1), ("zero_dim", [f(), f(seed=1)]), ("one", [f(2)], 1), ("bytes", [u(2), u(2)], 0))
rows("FlipOp", aten.flip.default, ("first", f(3, 2), [0]), ("both", f(3, 2), [0, -1]), ("none", f(3), []), ("bool", b(3), [0]), ("bytes", u(4), [0]))
rows("RevOp", prims.rev.default, ("first", f(3, 2), [0]), ("both", f(3, 2), [0, 1]), ("integers", i(2, 3), [1]))
rows("DiagonalOp", aten.diagonal.default, ("square", f(3, 3)), ("above", f(3, 4), 1), ("below", f(3, 4), -1), ("dims", f(2, 3, 4), 0, -1, 0), ("stack", f(2, 3, 3), 1, 1, 2),
     ("bool", b(3, 3)), ("empty", f(2, 2), 5))
rows("UnfoldOp", aten.unfold.default, ("line", f(7), 0, 3, 2), ("middle", f(2, 7, 3), 1, 2, 1), ("gap", f(9), 0, 2, 4), ("zero_dim", f(), 0, 1, 1), ("bytes", u(6), 0, 3, 1))
rows("ConstantPadNdOp", aten.constant_pad_nd.default, ("line", f(3), [1, 2]), ("matrix", f(2, 3), [1, 0, 0, 2], 3.0), ("cut", f(4, 5), [-1, -1, 1, -2], 0.5), ("integers", i(3), [1, 1], 7),
     ("bool", b(3), [1, 0], True), ("bytes", u(3), [1, 1], 200), ("of_nothing", f(0), [1, 2], 4.0), ("all_cut", f(2), [-2, 3], 1.0), ("infinite", f(2), [1, 1], -inf))
for dims in (1, 2, 3):
    x = f(*[2, 3, 4, 5, 4][:2 + dims])
    table = [("plain", x, [1, 2] * dims), ("uneven", x, [0, 3] + [1, 0] * (dims - 1)), ("unbatched", x[0], [2, 1] * dims), ("cut", x, [-1, 2] + [1, 1] * (dims - 1))]
    rows(f"ReflectionPad{dims}dOp", getattr(aten, f"reflection_pad{dims}d").default, *table)
    if dims > 1:
        rows(f"ReplicationPad{dims}dOp", getattr(aten, f"replication_pad{dims}d").default, *table)
rows("ViewDtypeOp", aten.view.dtype, ("float_to_int", f(4), i32), ("int_to_float", i(4, dtype=i32), torch.float32), ("bytes", u(4), i8), ("half", f(4, dtype=half), torch.int16))

# Fills.
each((("ZerosLikeOp", aten.zeros_like.default), ("OnesLikeOp", aten.ones_like.default)), ("float", f(2)), ("bool", b(2)), ("dtype", f(2), {"dtype": i32}), ("zero_dim", f()), ("bytes", u(3)))
rows("FullLikeOp", aten.full_like.default, ("float", f(2), 0.1), ("infinite", f(2), -inf), ("bytes", u(2), 255), ("half", f(2, dtype=half), 0.1))
rows("FillScalarOp", aten.fill.Scalar, ("float", f(2), 0.1), ("nan", f(2), nan), ("integers", i(2), 3))
rows("ZerosOp", lambda x, sizes, dtype: x + aten.zeros.default(sizes, dtype=dtype, **cpu), ("float", f(3), [2, 3], torch.float32), ("integers", i(3), [3], torch.int64), ("zero_dim", f(2), [], double))
rows("ArangeStartStepOp", lambda x, start, end, step, dtype: (x + 1, aten.arange.start_step(start, end, step, dtype=dtype, **cpu)), ("integers", f(1), 1, 9, 2, None),
     ("down", f(1), 5, -3, -2, None), ("fractions", f(1), 0.0, 1.0, 0.1, None), ("double", f(1), 0.0, 1.0, 0.1, double), ("long", f(1), 0, 3000, 1, None), ("long_fractions", f(1), 0.0, 300.0, 0.1, None))

# Products, pools, normalization, images.
for name, dtype, tolerance in (("float", torch.float32, (1e-4, 1e-4)), ("double", double, None), ("half", half, (1e-2, 4e-2))):
    rows("BaddbmmOp", aten.baddbmm.default, (name, f(2, 3, 5, dtype=dtype), f(2, 3, 4, dtype=dtype), f(2, 4, 5, dtype=dtype), {"beta": 2, "alpha": 3}), tolerance=tolerance)
    rows("AddbmmOp", aten.addbmm.default, (name, f(3, 5, dtype=dtype), f(2, 3, 4, dtype=dtype), f(2, 4, 5, dtype=dtype), {"beta": 2, "alpha": 3}), tolerance=tolerance)
each((("BaddbmmOp", aten.baddbmm.default), ("AddbmmOp", aten.addbmm.default)), ("integers", i(5), i(2, 3, 4), i(2, 4, 5)), ("beta_zero_ignores_nan", t(nan), f(2, 3, 4), f(2, 4, 5), {"beta": 0}))
rows("AvgPool2dOp", aten.avg_pool2d.default, ("plain", f(1, 3, 8, 8), [2, 2]), ("padding", f(1, 3, 8, 8), [3, 3], [2, 2], [1, 1]), ("not_counted", f(1, 3, 8, 8), [3, 3], [2, 2], [1, 1], False, False),
     ("ceil", f(1, 3, 7, 7), [2, 2], [2, 2], [0, 0], True), ("ceil_padded", f(1, 3, 7, 8), [3, 3], [2, 2], [1, 1], True), ("ceil_not_counted", f(1, 3, 7, 8), [3, 3], [2, 2], [1, 1], True, False),
     ("divisor", f(1, 3, 6, 6), [2, 2], [2, 2], [0, 0], False, True, 3), ("half", f(1, 3, 6, 6, dtype=half), [2, 3]), ("unbatched", f(3, 6, 6), [2, 3]))
rows("AvgPool1dOp", aten.avg_pool1d.default, ("plain", f(1, 3, 8), [2]), ("not_counted", f(1, 3, 8), [3], [2], [1], False, False), ("ceil", f(1, 3, 7), [2], [2], [0], True))
rows("MaxPool1dOp", aten.max_pool1d.default, ("plain", f(1, 3, 8), [2]), ("dilation", f(1, 3, 8), [3], [2], [1], [2]), ("infinite", torch.full((1, 1, 4), -inf), [2], [1], [1]), ("nan", lowest_row, [2], [1]))
rows("AdaptiveAvgPool1dOp", aten.adaptive_avg_pool1d.default, ("divides", f(1, 3, 8), [4]), ("overlaps", f(1, 3, 8), [3]), ("more", f(1, 3, 4), [6]), ("half", f(1, 3, 7, dtype=half), [3]))
rows("AdaptiveAvgPool2dOp", aten._adaptive_avg_pool2d.default, ("divides", f(1, 3, 8, 8), [4, 2]), ("overlaps", f(1, 3, 8, 7), [3, 2]), ("one", f(1, 3, 5, 7), [1, 1]), ("unbatched", f(3, 7, 5), [2, 2]))
rows("AdaptiveAvgPool3dOp", aten._adaptive_avg_pool3d.default, ("divides", f(1, 3, 4, 4, 4), [2, 2, 2]), ("overlaps", f(1, 3, 5, 4, 3), [2, 3, 2]), ("double", f(1, 2, 3, 4, 5, dtype=double), [2, 2, 2]))


def per_channel(dtype=torch.float32):
    return [f(3, dtype=dtype), f(3, dtype=dtype, seed=1), f(3, dtype=dtype, seed=2), f(3, dtype=dtype, seed=3).abs() + 0.5]


inference, training = aten._native_batch_norm_legit_no_training.default, aten._native_batch_norm_legit.no_stats
rows("NativeBatchNormLegitNoTrainingOp", inference, ("image", f(2, 3, 4, 4), *per_channel(), 0.1, 1e-5), ("matrix", f(5, 3), *per_channel(), 0.1, 1e-5),
     ("double", f(2, 3, 4, dtype=double), *per_channel(double), 0.1, 1e-5), ("no_affine", f(2, 3, 4), None, None, *per_channel()[2:], 0.1, 1e-3))
rows("NativeBatchNormLegitNoStatsOp", training, ("image", f(2, 3, 4, 4), None, None, True, 0.1, 1e-5), ("affine", f(2, 3, 4), *per_channel()[:2], True, 0.1, 1e-5),
     ("flat", torch.ones(4, 3), None, None, True, 0.1, 1e-5), tolerance=(1e-4, 1e-5))
rows("NativeBatchNormLegitOp", aten.native_batch_norm.default, ("inference", f(2, 3, 4), *per_channel(), False, 0.1, 1e-5))
for name, x, groups in (("image", f(2, 6, 4, 4), 3), ("one_group", f(2, 4, 3), 1), ("each_channel", f(2, 4, 3), 4), ("double", f(2, 4, 3, dtype=double), 2)):
    channels = x.shape[1]
    rows("NativeGroupNormOp", aten.native_group_norm.default, (name, x, f(channels, dtype=x.dtype), f(channels, dtype=x.dtype, seed=1), 2, channels, x[0, 0].numel(), groups, 1e-5),
         tolerance=(1e-4, 1e-5))
rows("NativeLayerNormOp", aten.native_layer_norm.default, ("last", f(2, 3, 4), [4], f(4), f(4, seed=1), 1e-5), ("two", f(2, 3, 4), [3, 4], f(3, 4), f(3, 4, seed=1), 1e-5),
     ("no_affine", f(2, 3), [3], None, None, 1e-3), ("double", f(2, 4, dtype=double), [4], f(4, dtype=double), None, 1e-5), tolerance=(1e-4, 1e-5))
for dtype in (half, torch.bfloat16):  # the statistics have the type of the input
    rows("NativeLayerNormOp", aten.native_layer_norm.default, (str(dtype)[6:], f(2, 4, dtype=dtype), [4], f(4, dtype=dtype), None, 1e-5))
    rows("NativeGroupNormOp", aten.native_group_norm.default, (str(dtype)[6:], f(2, 4, 3, dtype=dtype), None, None, 2, 4, 3, 2, 1e-5))
    rows("NativeBatchNormLegitNoStatsOp", aten._native_batch_norm_legit.no_stats, (str(dtype)[6:], f(2, 4, 3, dtype=dtype), None, None, True, 0.1, 1e-5))
rows("NativeDropoutOp", aten.native_dropout.default, ("inference", f(3), 0.5, False))
rows("UpsampleNearest2dVecOp", aten.upsample_nearest2d.vec, ("double_size", f(1, 2, 3, 4), None, [2.0, 2.0]), ("size", f(1, 2, 3, 4), [7, 5], None), ("down", f(1, 2, 6, 7), [3, 2], None),
     ("fraction", f(1, 2, 4, 4), None, [1.5, 2.5]), ("bytes", u(1, 2, 3, 4), [6, 8], None))
rows("UpsampleBilinear2dVecOp", aten.upsample_bilinear2d.vec, ("double_size", f(1, 2, 3, 4), None, False, [2.0, 2.0]), ("corners", f(1, 2, 3, 4), [7, 5], True, None),
     ("down", f(1, 2, 6, 7), [3, 2], False, None), ("one", f(1, 2, 6, 7), [3, 1], True, None), ("double", f(1, 2, 3, 4, dtype=double), [7, 5], False, None),
     tolerance=(1e-4, 1e-4))
# An exact value lies in the middle of two halves.
rows("UpsampleBilinear2dVecOp", aten.upsample_bilinear2d.vec, ("half", f(1, 2, 4, 4, dtype=half), [6, 6], False, None), tolerance=(2**-10, 0))
rows("UpsampleTrilinear3dOp", aten.upsample_trilinear3d.default, ("size", f(1, 2, 3, 4, 2), [5, 6, 4], False), ("corners", f(1, 1, 3, 4, 2), [5, 2, 4], True),
     ("scales", f(1, 1, 2, 3, 2), [3, 6, 4], False, 1.5, 2.0, 2.0), tolerance=(1e-4, 1e-4))
rows("AdaptiveMaxPool1dOp", aten.adaptive_max_pool1d.default, ("divides", f(1, 3, 8), [4]), ("overlaps", f(1, 3, 8), [3]), ("infinite", torch.full((1, 1, 4), -inf), [2]), ("nan", nan_rows, [2]))
rows("AdaptiveMaxPool2dOp", aten.adaptive_max_pool2d.default, ("divides", f(1, 3, 8, 6), [4, 2]), ("overlaps", f(2, 3, 5, 7), [3, 2]), ("unbatched", f(3, 5, 4), [2, 3]), ("double", f(1, 1, 4, 4, dtype=double), [1, 1]))
attention = aten._scaled_dot_product_flash_attention_for_cpu.default
heads = [f(1, 2, 3, 4, seed=n) for n in range(3)]
blind = torch.tensor([[0.0, 1.0, -inf], [-inf, -inf, -inf], [0.0, 0.0, -1.0]])
rows("ScaledDotProductFlashAttentionForCpuOp", attention, ("plain", *heads), ("causal", *heads, 0.0, True), ("masked", *heads, {"attn_mask": None, "scale": 0.3}),
     ("fewer_keys", heads[0], heads[1][:, :, :2], heads[2][:, :, :2], 0.0, True), ("double", *[x.double() for x in heads]), tolerance=(1e-4, 1e-5))
rows("ScaledDotProductFlashAttentionForCpuOp", lambda q, k, v, mask: attention(q, k, v, attn_mask=mask), ("row_that_sees_nothing", *heads, blind.expand(1, 2, 3, 3)), ("mask", *heads, f(3, 3)),
     tolerance=(1e-4, 1e-5))
# A factor of 0 makes NaN of what is not finite.
rows("LeakyReluOp", aten.leaky_relu.default, ("zero_slope", edge, 0.0))
rows("AddOp", aten.add.Tensor, ("zero_alpha", edge, edge.roll(3), {"alpha": 0}))
rows("AddCMulOp", aten.addcmul.default, ("zero_value", edge, edge, edge, {"value": 0}))
rows("EluOp", aten.elu.default, ("zero_alpha", edge, 0.0))
