"""Programs of one operator each: what the survey of blocked operations is held against.

A row is an operator, its arguments, and a word that tells its form apart from others of the same operator. Inputs are written as their
sizes after a letter for the element type; a negative size is dynamic: f(-4, 3) is f32[s, 3], exported with s = 4. Rows were chosen so
that each of torch-mlir's output types takes some and not others: operators, element types, ranks, sizes, and arguments that patterns refuse.
"""
import dataclasses

import torch


@dataclasses.dataclass(frozen=True)
class Input:
    dtype: torch.dtype
    sizes: tuple

    def example(self):
        sizes = [abs(size) for size in self.sizes]
        if self.dtype is torch.bool or not (self.dtype.is_floating_point or self.dtype.is_complex):
            return torch.ones(sizes, dtype=self.dtype)
        return torch.full(sizes, 0.5, dtype=self.dtype)

    def dynamic(self):
        return {i: torch.export.Dim.AUTO for i, size in enumerate(self.sizes) if size < 0}


@dataclasses.dataclass(frozen=True)
class Row:
    target: str  # "aten.add.Tensor"
    form: str
    args: tuple
    kwargs: dict

    @property
    def name(self):
        return f"{self.target}/{self.form}" if self.form else self.target

    @property
    def inputs(self):
        """The tensors among the arguments, in order."""
        found = []
        for argument in self.args:
            found += [a for a in (argument if isinstance(argument, list) else [argument]) if isinstance(a, Input)]
        return found


class Calls(torch.nn.Module):
    """The operator of one row; its inputs are the row's."""

    def __init__(self, row):
        super().__init__()
        self.row = row
        space, name, overload = row.target.split(".")
        self.operator = getattr(getattr(getattr(torch.ops, space), name), overload)

    def forward(self, *tensors):
        given = iter(tensors)

        def filled(argument):
            if isinstance(argument, list):
                return [filled(a) for a in argument]
            return next(given) if isinstance(argument, Input) else argument

        return self.operator(*[filled(a) for a in self.row.args], **self.row.kwargs)


class CallsAll(torch.nn.Module):
    """The operators of several rows side by side; row N is the submodule rN."""

    def __init__(self, rows):
        super().__init__()
        self.rows = rows
        for number, row in enumerate(rows):
            setattr(self, f"r{number}", Calls(row))

    def forward(self, *tensors):
        given = iter(tensors)
        return [getattr(self, f"r{n}")(*[next(given) for _ in row.inputs]) for n, row in enumerate(self.rows)]


def export(rows):
    """A program of one row's operator, or of several rows' side by side."""
    inputs = [i for row in rows for i in row.inputs]
    module = Calls(rows[0]) if len(rows) == 1 else CallsAll(rows)
    shapes = tuple(i.dynamic() for i in inputs) if any(i.dynamic() for i in inputs) else None
    return torch.export.export(module, tuple(i.example() for i in inputs), dynamic_shapes=(shapes,) if shapes else None)


ROWS: list[Row] = []


def row(target, *args, form="", **kwargs):
    ROWS.append(Row("aten." + target, form, args, kwargs))


def inputs_of(dtype):
    return lambda *sizes: Input(dtype, sizes)


f, h, bf, d = (inputs_of(t) for t in (torch.float32, torch.float16, torch.bfloat16, torch.float64))
i, i32, i8, u8, b = (inputs_of(t) for t in (torch.int64, torch.int32, torch.int8, torch.uint8, torch.bool))
c = inputs_of(torch.complex64)

# One tensor in, one of the same sizes out.
for name in (
    "abs acos acosh asin asinh atan atanh ceil cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 floor frac gelu hardsigmoid hardswish "
    "i0 isfinite isinf isnan isneginf isposinf leaky_relu lgamma log log10 log1p log2 log_sigmoid logical_not logit mish nan_to_num neg "
    "positive rad2deg reciprocal relu relu6 round rsqrt selu sigmoid sign signbit silu sin sinc sinh softplus sqrt square tan tanh trunc celu "
    "elu hardtanh hardshrink softshrink special_expm1 special_erfcx special_bessel_j0 special_ndtri"
).split():
    row(f"{name}.default", f(2, 3))
for name in "abs ceil cos exp floor neg relu round sigmoid sign sqrt tanh gelu silu".split():
    row(f"{name}.default", bf(2, 3), form="bf16")
    row(f"{name}.default", h(-2, 3), form="f16 dynamic")
for name in "abs cos exp neg relu sign sqrt bitwise_not floor erf reciprocal rsqrt sigmoid log2".split():
    row(f"{name}.default", i(2, 3), form="i64")
for name in "cos erf exp expm1 log log10 log1p reciprocal rsqrt sigmoid sin sqrt tanh".split():
    row(f"{name}.default", i32(-2, 3), form="i32 dynamic")
for name in "abs exp log sin tanh erf gelu".split():
    row(f"{name}.default", d(2, 3), form="f64")
for name in "abs exp neg relu sigmoid tanh".split():
    row(f"{name}.default", f(), form="rank 0")
    row(f"{name}.default", f(1, -2, 3, 4, 5, 2), form="rank 6")
for name in "abs neg exp sqrt angle real imag view_as_real".split():
    row(f"{name}.default", c(2, 3), form="complex")
row("logical_not.default", b(2, 3), form="bool")
row("bitwise_not.default", b(2, 3), form="bool")
row("round.decimals", f(2, 3), decimals=2)
row("gelu.default", f(2, 3), approximate="tanh", form="tanh")

# Two tensors in.
for name in (
    "add.Tensor sub.Tensor mul.Tensor div.Tensor maximum.default minimum.default fmax.default fmin.default atan2.default pow.Tensor_Tensor "
    "eq.Tensor ne.Tensor lt.Tensor le.Tensor gt.Tensor ge.Tensor logical_and.default logical_or.default logical_xor.default "
    "remainder.Tensor fmod.Tensor floor_divide.default copysign.Tensor hypot.default nextafter.default logaddexp.default "
    "logaddexp2.default xlogy.Tensor heaviside.default ldexp.Tensor rsub.Tensor true_divide.Tensor special_zeta.default igamma.default"
).split():
    row(name, f(2, 3), f(3))
for name in "add.Tensor mul.Tensor div.Tensor pow.Tensor_Tensor eq.Tensor remainder.Tensor floor_divide.default maximum.default gcd.default lcm.default".split():
    row(name, i(2, 3), i(2, 3), form="i64")
for name in "bitwise_and.Tensor bitwise_or.Tensor bitwise_xor.Tensor bitwise_left_shift.Tensor bitwise_right_shift.Tensor".split():
    row(name, i32(2, 3), i32(2, 3), form="i32")
row("bitwise_and.Tensor", b(2, 3), b(2, 3), form="bool")
row("add.Tensor", f(-2, 3), f(-2, 3), form="dynamic")
row("add.Tensor", f(2, 3), i(2, 3), form="mixed types")
row("add.Tensor", f(2, 3), f(2, 3), alpha=2.5, form="alpha")
row("add.Tensor", i8(2, 3), i8(2, 3), form="i8")
row("add.Tensor", c(2, 3), c(2, 3), form="complex")
row("mul.Tensor", c(2, 3), c(2, 3), form="complex")
row("mul.Tensor", d(2, 3), f(2, 3), form="f64 and f32")
row("mul.Tensor", b(2, 3), f(2, 3), form="bool and f32")
row("div.Tensor_mode", f(2, 3), f(2, 3), rounding_mode="floor", form="floor")
row("div.Tensor_mode", i(2, 3), i(2, 3), rounding_mode="trunc", form="trunc i64")
row("gt.Tensor", f(2, 3), i(2, 3), form="mixed types")
row("isclose.default", f(2, 3), f(2, 3))
row("complex.default", f(2, 3), f(2, 3))
row("polar.default", f(2, 3), f(2, 3))
row("cross.default", f(2, 3), f(2, 3))
row("linalg_cross.default", f(2, 3), f(2, 3))
for name in "add.Scalar sub.Scalar mul.Scalar div.Scalar pow.Tensor_Scalar eq.Scalar gt.Scalar remainder.Scalar fmod.Scalar clamp_min.default clamp_max.default".split():
    row(name, f(2, 3), 1.5)
row("pow.Tensor_Scalar", i(2, 3), 2, form="i64")
row("pow.Scalar", 2.0, f(2, 3))
row("remainder.Scalar", i(2, 3), -2, form="i64 negative")
row("clamp.default", f(2, 3), -1.0, 1.0)
row("clamp.default", i(2, 3), 0, 5, form="i64")
row("clamp.Tensor", f(2, 3), f(2, 3), f(2, 3))
row("threshold.default", f(2, 3), 0.5, 2.0)
row("lerp.Scalar", f(2, 3), f(2, 3), 0.5)
row("lerp.Tensor", f(2, 3), f(2, 3), f(2, 3))
row("addcmul.default", f(2, 3), f(2, 3), f(2, 3))
row("addcdiv.default", f(2, 3), f(2, 3), f(2, 3))
row("where.self", b(2, 3), f(2, 3), f(3))
row("where.self", b(-2, 3), i(-2, 3), i(-2, 3), form="i64 dynamic")
row("where.ScalarOther", b(2, 3), f(2, 3), 0.0)
row("masked_fill.Scalar", f(2, 3), b(2, 3), 0.0)
row("masked_fill.Tensor", f(2, 3), b(2, 3), f())
row("prelu.default", f(2, 3, 4), f(3))
row("dist.default", f(2, 3), f(2, 3))

# Reductions.
for name in "sum mean amax amin prod std var any all argmax argmin logsumexp cumsum cumprod softmax log_softmax median".split():
    overload = {"sum": "dim_IntList", "mean": "dim", "prod": "dim_int", "std": "dim", "var": "dim", "any": "dim", "all": "dim",
                "softmax": "int", "log_softmax": "int", "median": "dim"}.get(name, "default")
    listed = name in ("sum", "mean", "amax", "amin", "std", "var", "logsumexp")
    row(f"{name}.{overload}", f(2, 3, 4), [1] if listed else 1)
    row(f"{name}.{overload}", f(-2, 3, 4), [1] if listed else 1, form="dynamic")
for name in "sum mean prod std var any all argmax max min median norm.Scalar count_nonzero".split():
    row(name if "." in name else f"{name}.default", f(2, 3), form="of everything")
for name in "sum.dim_IntList amax.default prod.dim_int any.dim argmax.default cumsum.default".split():
    row(name, i(2, 3), [1] if name in ("sum.dim_IntList", "amax.default") else 1, form="i64")
row("sum.dim_IntList", f(2, 3), [0, 1], True, form="keepdim")
row("mean.dim", h(2, 3), [-1], form="f16")
row("sum.default", b(2, 3), form="bool")
row("max.dim", f(2, 3), 1)
row("min.dim", f(2, 3), 1)
row("max.dim", i(2, 3), 1, form="i64")
row("var.correction", f(2, 3), [1], correction=0)
row("var_mean.correction", f(2, 3), [1], correction=1)
row("linalg_vector_norm.default", f(2, 3), 2.0, [1])
row("linalg_vector_norm.default", f(), 2.0, form="rank 0")
row("linalg_vector_norm.default", f(2, 3), float("inf"), [1], form="infinity")
row("nanmedian.default", f(6))
row("nansum.default", f(2, 3))
row("mode.default", f(2, 3))
row("logcumsumexp.default", f(2, 3), 1)
row("cummax.default", f(2, 3), 1)
row("trace.default", f(3, 3))
row("diff.default", f(2, 5))
row("histc.default", f(10), 4)
row("bincount.default", i(10))

# Shapes.
row("view.default", f(2, 6), [3, 4])
row("view.default", f(-4, 6), [-1, 2, 3], form="dynamic")
row("reshape.default", f(2, 6), [-1])
row("flatten.using_ints", f(2, 3, 4), 1)
row("unflatten.int", f(2, 6), 1, [2, 3])
row("permute.default", f(2, 3, 4), [2, 0, 1])
row("transpose.int", f(2, 3), 0, 1)
row("t.default", f(2, 3))
row("squeeze.dim", f(2, 1, 3), 1)
row("squeeze.dims", f(2, 1, 1, 3), [1, 2])
row("squeeze.default", f(2, 1, 3))
row("unsqueeze.default", f(2, 3), 1)
row("expand.default", f(2, 1), [2, 5])
row("expand.default", f(-2, 1), [-1, 5], form="dynamic")
row("repeat.default", f(2, 3), [2, 1])
row("repeat_interleave.self_int", f(2, 3), 2, 1)
row("tile.default", f(2, 3), [2, 2])
row("cat.default", [f(2, 3), f(4, 3)])
row("cat.default", [f(-2, 3), f(-3, 3)], form="dynamic")
row("cat.default", [f(2, 3), i(2, 3)], 1, form="mixed types")
row("stack.default", [f(2, 3), f(2, 3)], 1)
row("hstack.default", [f(2, 3), f(2, 3)])
row("split.Tensor", f(6, 3), 2)
row("split_with_sizes.default", f(6, 3), [1, 5])
row("chunk.default", f(6, 3), 3)
row("tensor_split.sections", f(7, 3), 3)
row("unbind.int", f(3, 2))
row("slice.Tensor", f(6, 3), 0, 1, 5, 2)
row("slice.Tensor", f(-6, 3), 0, 1, 9223372036854775807, form="dynamic")
row("select.int", f(3, 4), 0, 1)
row("narrow.default", f(6, 3), 0, 1, 2)
row("flip.default", f(2, 3), [1])
row("fliplr.default", f(2, 3))
row("roll.default", f(2, 6), [2], [1])
row("rot90.default", f(3, 3))
row("tril.default", f(3, 3))
row("triu.default", f(3, 3), 1)
row("triu.default", i(3, 3), form="i64")
row("diagonal.default", f(3, 4))
row("diag.default", f(3), form="rank 1")
row("diag.default", f(3, 3), form="rank 2")
row("diag_embed.default", f(2, 3))
row("unfold.default", f(2, 8), 1, 4, 2)
row("as_strided.default", f(12), [3, 3], [4, 1])
row("movedim.int", f(2, 3, 4), 0, 2)
row("meshgrid.default", [f(3), f(4)])
row("meshgrid.indexing", [f(3), f(4)], indexing="xy")
row("broadcast_to.default", f(3), [2, 3])
row("pixel_shuffle.default", f(1, 8, 3, 3), 2)
row("pixel_unshuffle.default", f(1, 2, 6, 6), 2)
row("channel_shuffle.default", f(1, 6, 3, 3), 2)
row("constant_pad_nd.default", f(2, 3), [1, 2], 0.5)
row("constant_pad_nd.default", f(2, 3), [-1, 2], form="negative")
row("reflection_pad1d.default", f(1, 2, 6), [1, 2])
row("reflection_pad2d.default", f(1, 2, 6, 6), [1, 2, 1, 2])
row("replication_pad2d.default", f(1, 2, 6, 6), [1, 2, 1, 2])
row("pad.default", f(1, 2, 6), [1, 1], "circular", form="circular")
row("atleast_2d.default", f(3))
row("block_diag.default", [f(2, 2), f(3, 3)])
row("tril_indices.default", 3, 3)

# Creation and conversion.
row("zeros_like.default", f(2, 3))
row("full_like.default", f(2, 3), 2.5)
row("ones_like.default", i(-2, 3), form="i64 dynamic")
row("rand_like.default", f(2, 3))
row("randn_like.default", f(2, 3))
row("randint_like.default", f(2, 3), 5)
row("bernoulli.default", f(2, 3))
row("bernoulli.p", f(2, 3), 0.3)
row("multinomial.default", f(2, 5), 3)
row("empty_like.default", f(2, 3))
row("new_zeros.default", f(2, 3), [4])
row("new_full.default", f(2, 3), [4], 1.5)
row("clone.default", f(2, 3))
row("to.dtype", f(2, 3), torch.int64)
row("to.dtype", f(2, 3), torch.float64, form="f64")
row("to.dtype", i(2, 3), torch.uint8, form="i64 to u8")
row("to.dtype", b(2, 3), torch.float32, form="bool to f32")
row("_to_copy.default", f(2, 3), dtype=torch.bfloat16)
row("type_as.default", f(2, 3), i(2, 3))
row("one_hot.default", i(4), 5)
row("dropout.default", f(2, 3), 0.5, True, form="training")
row("dropout.default", f(2, 3), 0.5, False, form="evaluation")
row("native_dropout.default", f(2, 3), 0.5, True)
row("uniform.default", f(2, 3))
row("exponential.default", f(2, 3))
row("view.dtype", f(2, 3), torch.int32)

# Indexing.
row("index.Tensor", f(4, 3), [i(2)])
row("index.Tensor", f(4, 3), [i(2), i(2)], form="two")
row("index.Tensor", f(4, 3), [None, i(2)], form="none first")
row("index.Tensor", f(-4, 3), [i(-2)], form="dynamic")
row("index.Tensor", f(4, 3), [b(4)], form="mask")
row("index_select.default", f(4, 3), 0, i(2))
row("index_select.default", f(4, 3), 1, i32(2), form="i32")
row("index_put.default", f(4, 3), [i(2)], f(2, 3))
row("index_put.default", f(4, 3), [i(2)], f(2, 3), True, form="accumulate")
row("index_put.default", f(4, 3), [i(2), i(2)], f(2), form="two")
row("index_add.default", f(4, 3), 0, i(2), f(2, 3))
row("index_copy.default", f(4, 3), 0, i(2), f(2, 3))
row("index_fill.int_Scalar", f(4, 3), 0, i(2), 1.0)
row("index_reduce.default", f(4, 3), 0, i(2), f(2, 3), "prod")
row("gather.default", f(4, 3), 0, i(2, 3))
row("gather.default", f(4, 3), 1, i(4, 2), form="dim 1")
row("scatter.src", f(4, 3), 0, i(2, 3), f(2, 3))
row("scatter.value", f(4, 3), 0, i(2, 3), 1.0)
row("scatter_add.default", f(4, 3), 0, i(2, 3), f(2, 3))
row("scatter_reduce.two", f(4, 3), 0, i(2, 3), f(2, 3), "amax", form="amax")
row("scatter_reduce.two", f(4, 3), 0, i(2, 3), f(2, 3), "mean", form="mean")
row("select_scatter.default", f(4, 3), f(3), 0, 1)
row("slice_scatter.default", f(6, 3), f(2, 3), 0, 1, 3)
row("diagonal_scatter.default", f(3, 3), f(3))
row("masked_scatter.default", f(2, 3), b(2, 3), f(6))
row("take.default", f(4, 3), i(5))
row("take_along_dim.default", f(4, 3), i(4, 3), 1)
row("nonzero.default", f(4))
row("masked_select.default", f(4), b(4))
row("embedding.default", f(10, 4), i(2, 3))
row("embedding.default", f(10, 4), i32(2, 3), form="i32")
row("embedding.default", f(10, 4), i(2, 3), 0, True, True, form="flags")
row("embedding_bag.padding_idx", f(10, 4), i(6), i(2), False, 0, False, None, False, None)
row("sort.default", f(2, 5))
row("sort.default", i(2, 5), 0, True, form="i64 descending")
row("argsort.default", f(2, 5))
row("topk.default", f(2, 5), 2)
row("kthvalue.default", f(2, 5), 2)
row("searchsorted.Tensor", f(5), f(3))
row("bucketize.Tensor", f(3), f(5))
row("unique_consecutive.default", f(5))
row("isin.Tensor_Tensor", f(5), f(3))

# Products and layers.
row("mm.default", f(2, 3), f(3, 4))
row("mm.default", i(2, 3), i(3, 4), form="i64")
row("mm.default", i8(2, 3), i8(3, 4), form="i8")
row("mm.default", h(-2, 3), h(3, 4), form="f16 dynamic")
row("mm.default", bf(2, 3), bf(3, 4), form="bf16")
row("bmm.default", f(2, 3, 4), f(2, 4, 5))
row("mv.default", f(2, 3), f(3))
row("dot.default", f(3), f(3))
row("outer.default", f(3), f(4))
row("matmul.default", f(2, 3, 4), f(4, 5))
row("matmul.default", f(2, 1, 3, 4), f(5, 4, 2), form="broadcast")
row("matmul.default", f(3), f(3, 4), form="vector")
row("addmm.default", f(4), f(2, 3), f(3, 4))
row("baddbmm.default", f(2, 3, 5), f(2, 3, 4), f(2, 4, 5))
row("addmv.default", f(2), f(2, 3), f(3))
row("addr.default", f(2, 3), f(2), f(3))
row("linear.default", f(2, 3), f(4, 3), f(4))
row("linear.default", f(-2, 3), f(4, 3), form="dynamic, no bias")
row("bilinear.default", f(2, 3), f(2, 4), f(5, 3, 4), f(5))
row("einsum.default", "bij,bjk->bik", [f(2, 3, 4), f(2, 4, 5)])
row("einsum.default", "ii->i", [f(3, 3)], form="diagonal")
row("kron.default", f(2, 2), f(2, 2))
row("tensordot.default", f(2, 3), f(3, 4), [1], [0])
row("cdist.default", f(3, 4), f(5, 4))
row("linalg_inv.default", f(3, 3))
row("linalg_det.default", f(3, 3))
row("linalg_qr.default", f(3, 3))
row("cholesky.default", f(3, 3))
row("triangular_solve.default", f(3, 2), f(3, 3))
row("conv1d.default", f(1, 2, 8), f(4, 2, 3))
row("conv2d.default", f(1, 2, 8, 8), f(4, 2, 3, 3), f(4), [2, 2], [1, 1])
row("conv2d.default", f(1, 4, 8, 8), f(4, 1, 3, 3), None, [1, 1], [0, 0], [1, 1], 4, form="depthwise")
row("conv2d.default", f(1, 4, 8, 8), f(6, 2, 3, 3), None, [1, 1], [0, 0], [2, 2], 2, form="groups, dilated")
row("conv2d.default", h(1, 2, 8, 8), h(4, 2, 3, 3), form="f16")
row("conv2d.padding", f(1, 2, 8, 8), f(4, 2, 3, 3), None, [1, 1], "same")
row("conv3d.default", f(1, 2, 6, 6, 6), f(4, 2, 3, 3, 3))
row("conv_transpose1d.default", f(1, 2, 8), f(2, 4, 3))
row("conv_transpose2d.input", f(1, 2, 8, 8), f(2, 4, 3, 3), None, [2, 2], [1, 1], [1, 1])
row("convolution_backward.default", f(1, 4, 6, 6), f(1, 2, 8, 8), f(4, 2, 3, 3), [4], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [True, True, True])
row("max_pool1d.default", f(1, 2, 8), [2])
row("max_pool2d.default", f(1, 2, 8, 8), [2, 2])
row("max_pool2d.default", f(1, 2, 9, 9), [2, 2], [2, 2], [0, 0], [1, 1], True, form="ceil mode")
row("max_pool2d_with_indices.default", f(1, 2, 8, 8), [3, 3], [2, 2], [1, 1])
row("max_pool3d.default", f(1, 2, 6, 6, 6), [2, 2, 2])
row("avg_pool1d.default", f(1, 2, 8), [2])
row("avg_pool2d.default", f(1, 2, 8, 8), [2, 2])
row("avg_pool2d.default", f(1, 2, 9, 9), [2, 2], [2, 2], [1, 1], True, False, form="ceil mode, pad not counted")
row("avg_pool2d.default", f(1, 2, 8, 8), [2, 2], [2, 2], [0, 0], False, True, 3, form="divisor")
row("avg_pool3d.default", f(1, 2, 6, 6, 6), [2, 2, 2])
row("adaptive_avg_pool1d.default", f(1, 2, 7), [3])
row("adaptive_avg_pool2d.default", f(1, 2, 8, 8), [1, 1], form="to 1x1")
row("adaptive_avg_pool2d.default", f(1, 2, 8, 8), [4, 4], form="to 4x4")
row("adaptive_avg_pool2d.default", f(1, 2, 7, 7), [3, 3], form="uneven")
row("adaptive_max_pool2d.default", f(1, 2, 8, 8), [4, 4])
row("max_unpool2d.default", f(1, 2, 4, 4), i(1, 2, 4, 4), [8, 8])
row("upsample_nearest1d.vec", f(1, 2, 4), None, [2.0])
row("upsample_nearest2d.vec", f(1, 2, 4, 4), [8, 8], None)
row("upsample_bilinear2d.vec", f(1, 2, 4, 4), [8, 8], False, None)
row("upsample_bilinear2d.vec", f(1, 2, 4, 4), [8, 8], True, None, form="align corners")
row("upsample_bicubic2d.vec", f(1, 2, 4, 4), [8, 8], False, None)
row("grid_sampler.default", f(1, 2, 4, 4), f(1, 3, 3, 2), 0, 0, False)
row("im2col.default", f(1, 2, 6, 6), [3, 3], [1, 1], [0, 0], [1, 1])
row("col2im.default", f(1, 8, 9), [4, 4], [2, 2], [1, 1], [0, 0], [1, 1])
row("layer_norm.default", f(2, 3, 4), [4], f(4), f(4))
row("layer_norm.default", bf(-2, 4), [4], form="bf16 dynamic")
row("rms_norm.default", f(2, 4), [4], f(4))
row("group_norm.default", f(1, 4, 3, 3), 2, f(4), f(4))
row("instance_norm.default", f(1, 2, 4, 4), None, None, None, None, True, 0.1, 1e-5, False)
row("_native_batch_norm_legit_no_training.default", f(2, 3, 4, 4), f(3), f(3), f(3), f(3), 0.1, 1e-5)
row("glu.default", f(2, 4))
row("renorm.default", f(2, 3), 2.0, 0, 1.0)
row("scaled_dot_product_attention.default", f(1, 2, 4, 8), f(1, 2, 4, 8), f(1, 2, 4, 8))
row("scaled_dot_product_attention.default", f(1, 2, 4, 8), f(1, 2, 4, 8), f(1, 2, 4, 8), f(1, 2, 4, 4), form="mask")
row("scaled_dot_product_attention.default", f(1, 2, 4, 8), f(1, 2, 4, 8), f(1, 2, 4, 8), f(4, 4), form="mask of rank 2")
row("scaled_dot_product_attention.default", f(1, 2, 4, 8), f(1, 2, 4, 8), f(1, 2, 4, 8), None, 0.0, True, form="causal")
row("scaled_dot_product_attention.default", f(1, 4, 4, 8), f(1, 2, 4, 8), f(1, 2, 4, 8), None, 0.0, False, enable_gqa=True, form="grouped")
row("lstm_cell.default", f(2, 3), [f(2, 4), f(2, 4)], f(16, 3), f(16, 4))
row("gru_cell.default", f(2, 3), f(2, 4), f(12, 3), f(12, 4))
row("stft.default", f(1, 64), 16, 4, 16, None, False, True, True)
row("fft_rfft.default", f(2, 8))
row("fft_fft.default", f(2, 8))
row("_fft_r2c.default", f(2, 8), [1], 0, True)

# Forms with dynamic sizes of what patterns take with static ones.
row("sort.default", f(-2, -5), form="dynamic")
row("argsort.default", f(-2, -5), form="dynamic")
row("topk.default", f(-2, -5), 2, form="dynamic")
row("kthvalue.default", f(-2, -5), 2, form="dynamic")
row("scatter.src", f(-4, -3), 0, i(-2, -3), f(-2, -3), form="dynamic")
row("scatter.value", f(-4, -3), 0, i(-2, -3), 1.0, form="dynamic")
row("scatter_add.default", f(-4, -3), 0, i(-2, -3), f(-2, -3), form="dynamic")
row("gather.default", f(-4, -3), 0, i(-2, -3), form="dynamic")
row("index_put.default", f(-4, -3), [i(-2)], f(-2, -3), form="dynamic")
row("slice_scatter.default", f(-6, -3), f(2, -3), 0, 1, 3, form="dynamic")
row("select_scatter.default", f(-4, -3), f(-3), 0, 1, form="dynamic")
row("diagonal.default", f(-3, -4), form="dynamic")
row("diag_embed.default", f(-2, -3), form="dynamic")
row("trace.default", f(-3, -3), form="dynamic")
row("tril.default", f(-3, -3), form="dynamic")
row("flip.default", f(-2, -3), [1], form="dynamic")
row("roll.default", f(-2, -6), [2], [1], form="dynamic")
row("repeat.default", f(-2, 3), [2, 1], form="dynamic")
row("split.Tensor", f(-6, 3), 2, form="dynamic")
row("stack.default", [f(-2, 3), f(-2, 3)], form="dynamic")
row("constant_pad_nd.default", f(-2, -3), [1, 2], 0.5, form="dynamic")
row("reflection_pad2d.default", f(-1, -2, -6, -6), [1, 2, 1, 2], form="dynamic")
row("replication_pad2d.default", f(-1, -2, -6, -6), [1, 2, 1, 2], form="dynamic")
row("unfold.default", f(-2, -8), 1, 4, 2, form="dynamic")
row("conv2d.default", f(-1, 2, -8, -8), f(4, 2, 3, 3), None, [2, 2], [1, 1], form="dynamic")
row("max_pool2d.default", f(-1, -2, -8, -8), [2, 2], form="dynamic")
row("max_pool3d.default", f(-1, -2, -6, -6, -6), [2, 2, 2], form="dynamic")
row("avg_pool2d.default", f(-1, -2, -8, -8), [2, 2], form="dynamic")
row("adaptive_avg_pool1d.default", f(-1, -2, -7), [3], form="dynamic")
row("adaptive_avg_pool2d.default", f(-1, -2, -8, -8), [4, 4], form="dynamic")
row("adaptive_max_pool2d.default", f(-1, -2, -8, -8), [4, 4], form="dynamic")
row("upsample_nearest2d.vec", f(-1, -2, -4, -4), None, [2.0, 2.0], form="dynamic")
row("upsample_bilinear2d.vec", f(-1, -2, -4, -4), None, False, [2.0, 2.0], form="dynamic")
row("embedding.default", f(10, 4), i(-2, -3), form="dynamic")
row("matmul.default", f(-2, -3, 4), f(-2, 4, -5), form="dynamic")
row("softmax.int", f(-2, -3, -4), -1, form="all dynamic")
row("group_norm.default", f(-1, 4, -3, -3), 2, f(4), f(4), form="dynamic")
row("instance_norm.default", f(-1, 2, -4, -4), None, None, None, None, True, 0.1, 1e-5, False, form="dynamic")
row("cross_entropy_loss.default", f(-2, 3), i(-2), form="dynamic")
row("nll_loss_forward.default", f(-2, 3), i(-2), None, 1, -100, form="dynamic")
row("uniform.default", f(-2, -3), form="dynamic")
row("bernoulli.p", f(-2, -3), 0.3, form="dynamic")
row("scaled_dot_product_attention.default", f(-1, 2, -4, 8), f(-1, 2, -4, 8), f(-1, 2, -4, 8), form="dynamic")
row("meshgrid.indexing", [f(-3), f(-4)], indexing="ij", form="dynamic")
row("einsum.default", "bij,bjk->bik", [f(-2, -3, 4), f(-2, 4, -5)], form="dynamic")
row("one_hot.default", i(-4), 5, form="dynamic")
row("linalg_cross.default", f(-2, 3), f(-2, 3), form="dynamic")
row("pixel_shuffle.default", f(-1, 8, -3, -3), 2, form="dynamic")
row("channel_shuffle.default", f(-1, 6, -3, -3), 2, form="dynamic")

# Losses and gradients.
row("mse_loss.default", f(2, 3), f(2, 3))
row("l1_loss.default", f(2, 3), f(2, 3))
row("smooth_l1_loss.default", f(2, 3), f(2, 3))
row("huber_loss.default", f(2, 3), f(2, 3))
row("binary_cross_entropy.default", f(2, 3), f(2, 3))
row("binary_cross_entropy_with_logits.default", f(2, 3), f(2, 3))
row("cross_entropy_loss.default", f(2, 3), i(2))
row("nll_loss_forward.default", f(2, 3), i(2), None, 1, -100)
row("kl_div.default", f(2, 3), f(2, 3))
row("soft_margin_loss.default", f(2, 3), f(2, 3))
row("margin_ranking_loss.default", f(3), f(3), f(3))
row("cosine_similarity.default", f(2, 3), f(2, 3))
row("pairwise_distance.default", f(2, 3), f(2, 3))
row("cosine_embedding_loss.default", f(2, 3), f(2, 3), f(2))
row("sigmoid_backward.default", f(2, 3), f(2, 3))
row("tanh_backward.default", f(2, 3), f(2, 3))
row("gelu_backward.default", f(2, 3), f(2, 3))
row("threshold_backward.default", f(2, 3), f(2, 3), 0.0)
row("hardtanh_backward.default", f(2, 3), f(2, 3), -1.0, 1.0)
row("elu_backward.default", f(2, 3), 1.0, 1.0, 1.0, False, f(2, 3))
row("softplus_backward.default", f(2, 3), f(2, 3), 1.0, 20.0)
row("leaky_relu_backward.default", f(2, 3), f(2, 3), 0.1, False)
row("_softmax_backward_data.default", f(2, 3), f(2, 3), 1, torch.float32)
row("max_pool2d_with_indices_backward.default", f(1, 2, 4, 4), f(1, 2, 8, 8), [2, 2], [2, 2], [0, 0], [1, 1], False, i(1, 2, 4, 4))
row("embedding_dense_backward.default", f(2, 3, 4), i(2, 3), 10, -1, False)
row("native_layer_norm_backward.default", f(2, 4), f(2, 4), [4], f(2, 1), f(2, 1), f(4), f(4), [True, True, True])
row("upsample_nearest2d_backward.default", f(1, 2, 8, 8), [8, 8], [1, 2, 4, 4])

# Quantized values.
row("fake_quantize_per_tensor_affine.default", f(2, 3), 0.1, 0, -128, 127)
ROWS.append(Row("quantized_decomposed.quantize_per_tensor.default", "", (f(2, 3), 0.1, 0, -128, 127, torch.int8), {}))
ROWS.append(Row("quantized_decomposed.dequantize_per_tensor.default", "", (i8(2, 3), 0.1, 0, -128, 127, torch.int8), {}))
ROWS.append(Row("prims.convert_element_type.default", "", (f(2, 3), torch.float16), {}))
