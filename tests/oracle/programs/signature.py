"""Signatures: buffers, constants, tied and strided weights, mutation, None and scalar outputs, keyword and unused inputs."""
import torch
from oracle_programs import Case, boolean, f32, fn, i64, program
from torch import nn

X = f32(2, 3)

fn("returns_input", lambda x: x, X)
fn("returns_none_too", lambda x: (x + 1, None), X)
fn("returns_same_twice", lambda x: ((y := x + 1), y), X)
fn("returns_number", lambda x: (x + 1, 3, 2.5, True), X)
fn("returns_dict", lambda x: {"a": x + 1, "b": [x * 2, (x - 1,)]}, X)
fn("returns_shape", lambda x: (x + 1, x.shape[0]), X)
fn("unused_input", lambda x, y: x + 1, X, X)
fn("keyword_bool", lambda x, flag=False: x + 1 if flag else x, X, flag=True)
fn("keyword_int", lambda x, n=1: x + n, X, n=3)
fn("keyword_float", lambda x, s=1.0: x * s, X, s=0.25)
fn("keyword_string", lambda x, mode="a": x + 1 if mode == "a" else x, X, mode="a")
fn("keyword_none", lambda x, mask=None: x if mask is None else x + mask, X, mask=None)
fn("nested_inputs", lambda pair, d: pair[0] + pair[1] * d["k"], lambda: (X(), X()), lambda: {"k": X()})
fn("no_tensor_input_used", lambda x: torch.ones(2) * 2, X)
fn("long_chain", lambda x: [y := x] and [y := torch.sin(y) + i for i in range(40)][-1], X)


class Module(nn.Module):
    """A module from closures: `setup(self)` and `forward(self, ..)`."""

    def __init__(self, setup, forward):
        super().__init__()
        setup(self)
        self.run = forward

    def forward(self, *args):
        return self.run(self, *args)


def module(name, setup, forward, *args, **options):
    @program(name, **options)
    def _():
        return Case(Module(setup, forward), tuple(a() for a in args))


def buffer(name, make, persistent=True):
    return lambda m: m.register_buffer(name, make(), persistent=persistent)


def parameter(make):
    def setup(m):
        m.w = nn.Parameter(make())

    return setup


module("buffer", buffer("b", f32(3)), lambda m, x: x + m.b, X)
module("buffer_not_persistent", buffer("b", f32(3), False), lambda m, x: x + m.b, X)
module("buffer_bool", buffer("b", boolean(3)), lambda m, x: torch.where(m.b, x, 0.0), X)
module("buffer_int", buffer("b", i64(3)), lambda m, x: x + m.b, X)
module("buffer_one_element", buffer("b", f32(1)), lambda m, x: x * m.b, X)
module("buffer_scalar", buffer("b", f32()), lambda m, x: x * m.b, X)
module("buffer_bool_scalar", buffer("b", lambda: torch.tensor(True)), lambda m, x: torch.where(m.b, x, -x), X)
module("buffer_mutated", buffer("b", f32(3)), lambda m, x: [m.b.add_(1), x + m.b][1], X)
module("buffer_mutated_unused", buffer("b", lambda: torch.zeros(())), lambda m, x: [m.b.add_(1), x * 2][1], X)
module("buffer_copied_into", buffer("b", f32(2, 3)), lambda m, x: [m.b.copy_(x), x.sum()][1], X)
module("parameter_used_twice", parameter(f32(3)), lambda m, x: x * m.w + m.w, X)
module("parameter_unused", parameter(f32(3)), lambda m, x: x * 2, X)
module("parameter_returned", parameter(f32(3)), lambda m, x: (x + 1, m.w), X)
module("parameter_transposed", parameter(lambda: f32(3, 2)().t()), lambda m, x: x * m.w, X)
module("parameter_expanded", parameter(lambda: f32(1)().expand(3)), lambda m, x: x * m.w, X)
module("parameter_row_of_bigger", parameter(lambda: f32(4, 3)()[2]), lambda m, x: x * m.w, X)
module("parameter_half", parameter(lambda: f32(3)().half()), lambda m, x: x.half() * m.w, X)
module("parameter_bfloat16", parameter(lambda: f32(3)().bfloat16()), lambda m, x: x.bfloat16() * m.w, X)
module("parameter_double", parameter(lambda: f32(3)().double()), lambda m, x: x.double() * m.w, X)
module("buffer_complex", buffer("b", lambda: torch.tensor([1 + 2j, 3j, -1])), lambda m, x: x * m.b, X)
module("buffer_int8", buffer("b", lambda: torch.tensor([1, -2, 3], dtype=torch.int8)), lambda m, x: x + m.b, X)
module("buffer_uint8", buffer("b", lambda: torch.tensor([1, 200, 3], dtype=torch.uint8)), lambda m, x: x + m.b, X)
module("buffer_empty", buffer("b", lambda: torch.zeros(0, 3)), lambda m, x: torch.cat([m.b, x]), X)
module("attribute_constant", lambda m: setattr(m, "k", f32(3)()), lambda m, x: x + m.k, X)
module("attribute_constant_list", lambda m: setattr(m, "ks", [f32(3)(), f32(3)()]), lambda m, x: x + m.ks[0] * m.ks[1], X)
fn("input_mutated", lambda x, y: [x.add_(y), x * 2][1], X, X)
fn("input_mutated_only", lambda x: x.mul_(2), X)
fn("two_inputs_mutated", lambda x, y: [x.add_(1), y.mul_(x), x + y][2], X, X)


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(6, 4)
        self.head = nn.Linear(4, 6, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, ids):
        return self.head(self.embed(ids))


@program("tied_weights")
def _():
    return Case(Tied(), (i64(2, 3)(),))


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        base = torch.arange(12.0)
        self.register_buffer("head", base[2:6])
        self.register_buffer("view", base.view(3, 4))
        self.register_buffer("column", base.view(3, 4).t())

    def forward(self, x):
        return x + self.head[:3] + self.view[:2, :3] + self.column[:2, :3]


@program("buffers_share_storage")
def _():
    return Case(Shared(), (X(),))


class ModuleTwice(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        return self.layer(torch.relu(self.layer(x)))


@program("module_called_twice")
def _():
    return Case(ModuleTwice(), (X(),))


@program("names_with_quotes")
def _():
    m = nn.Module()
    inner = nn.ModuleDict({"a-b/c": nn.Linear(3, 3), "x y": nn.Linear(3, 3)})
    m.inner = inner
    m.forward = lambda x: inner["x y"](inner["a-b/c"](x))
    return Case(m, (X(),))


@program("fake_weights")
def _():
    with torch.device("meta"):
        m = nn.Linear(3, 4)
    return Case(m, (torch.empty(2, 3, device="meta"),))
