"""Higher-order operators, custom operators, in-place and view programs, quantization."""
import torch
from oracle_programs import Case, f32, fn, i64, program
from torch import library, nn

X = f32(2, 3)

fn("cond", lambda p, x: torch.cond(p, lambda x: x + 1, lambda x: x * 2, (x,)), lambda: torch.tensor(True), X)
fn("cond_two_results", lambda p, x: torch.cond(p, lambda x: (x + 1, x.sum()), lambda x: (x * 2, x.mean()), (x,)), lambda: torch.tensor(True), X)
fn("while_loop", lambda n, x: torch.while_loop(lambda n, x: n > 0, lambda n, x: (n - 1, x * 2), (n, x)), lambda: torch.tensor(3), X)


class WhileWithWeight(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, n, x):
        return torch.while_loop(lambda n, x: n > 0, lambda n, x: (n - 1, self.linear(x)), (n, x))


@program("while_loop_with_weight")
def _():
    return Case(WhileWithWeight(), (torch.tensor(3), X()))


class CondWithWeight(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)
        self.b = nn.Linear(3, 3)

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: self.a(x), lambda x: self.b(x), (x,))


@program("cond_with_weights")
def _():
    return Case(CondWithWeight(), (X(),))


def _map(x, y):
    from torch._higher_order_ops.map import map as map_

    return map_(lambda row, y: row * y, x, y)


def _scan(init, xs):
    from torch._higher_order_ops.scan import scan

    return scan(lambda carry, x: (carry + x, carry * x), init, xs)


fn("map", _map, X, f32(3))
fn("scan", _scan, f32(3), X)


def _no_grad(x):
    with torch.no_grad():
        y = x * 2
    return y + 1


def _autocast(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return x @ x.t()


fn("no_grad_region", _no_grad, X)
fn("autocast_region", _autocast, X)

fn("inplace_chain", lambda x: (x + 1).relu_().add_(2).mul_(x), X)
fn("inplace_on_view", lambda x: [y := x + 1, y[:, 1].zero_(), y][2], X)
fn("slice_assignment", lambda x: [y := x.clone(), y.__setitem__((slice(None), slice(0, 2)), 5.0), y][2], X)
fn("index_assignment", lambda x, i: [y := x.clone(), y.__setitem__(i, 1.0), y][2], X, i64(2, high=2))
fn("detach", lambda x: x.detach() * 2, X)
fn("fill_and_copy", lambda x: torch.empty(2, 3).fill_(1).copy_(x), X)
fn("transpose_then_add_inplace", lambda x: [y := x + 0, y.t().add_(1), y][2], X)

LIB = library.Library("fxscope_oracle", "FRAGMENT")


def _define(schema, implementation, fake):
    name = schema.split("(")[0]
    LIB.define(schema)
    LIB.impl(name, implementation, "CompositeExplicitAutograd")
    library.register_fake(f"fxscope_oracle::{name}", fake, lib=LIB)


_define("twice(Tensor x) -> Tensor", lambda x: x * 2, torch.empty_like)
_define("scaled(Tensor x, float factor, int[] axes, str mode) -> Tensor", lambda x, f, a, m: x * f, lambda x, f, a, m: torch.empty_like(x))
_define("two(Tensor x) -> (Tensor, Tensor)", lambda x: (x + 1, x * 2), lambda x: (torch.empty_like(x), torch.empty_like(x)))
_define("parts(Tensor x) -> Tensor[]", lambda x: [x + 1, x * 2], lambda x: [torch.empty_like(x), torch.empty_like(x)])
_define("joined(Tensor[] xs, Tensor? mask=None) -> Tensor", lambda xs, m=None: xs[0] + xs[1], lambda xs, m=None: torch.empty_like(xs[0]))
_define("bump(Tensor(a!) x, Tensor y) -> ()", lambda x, y: x.add_(y) and None, lambda x, y: None)
OPS = torch.ops.fxscope_oracle

fn("custom_op", lambda x: OPS.twice(x) + 1, X)
fn("custom_op_arguments", lambda x: OPS.scaled(x, 0.5, [0, 1], "fast"), X)
fn("custom_op_two_results", lambda x: OPS.two(x)[1], X)
fn("custom_op_list_result", lambda x: OPS.parts(x)[1], X)
fn("custom_op_list_argument", lambda x: OPS.joined([x, x + 1]), X)
fn("custom_op_optional_given", lambda x: OPS.joined([x, x + 1], x), X)
fn("custom_op_mutates", lambda x, y: [z := x + 1, OPS.bump(z, y), z][2], X, X)


def _quantized(x):
    q = torch.ops.quantized_decomposed.quantize_per_tensor(x, 0.1, 3, -128, 127, torch.int8)
    return torch.ops.quantized_decomposed.dequantize_per_tensor(q, 0.1, 3, -128, 127, torch.int8)


class QuantizedLinear(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("w", torch.randint(-128, 127, (4, 3), dtype=torch.int8))
        self.register_buffer("scales", torch.rand(4) + 0.1)
        self.register_buffer("zeros", torch.zeros(4, dtype=torch.int64))

    def forward(self, x):
        per_channel = torch.ops.quantized_decomposed.dequantize_per_channel
        w = per_channel(self.w, self.scales, self.zeros, 0, -128, 127, torch.int8)
        return torch.nn.functional.linear(_quantized(x), w)


def _with_decomposed(build):
    def built():
        import torch.ao.quantization.fx._decomposed  # registers quantized_decomposed

        return build()

    return built


program("quantize_dequantize")(_with_decomposed(lambda: Case(_Plain(_quantized), (X(),))))
program("quantized_linear")(_with_decomposed(lambda: Case(QuantizedLinear(), (X(),))))


class _Plain(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)
