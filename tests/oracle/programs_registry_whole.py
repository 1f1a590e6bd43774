"""Programs of several operators that registries lower whole: symbolic sizes, sizes that depend on data, loops. Each runs on all its inputs,
which differ in the symbolic sizes, or in the data that sizes depend on.
"""
import dataclasses

import torch
from torch._higher_order_ops.while_loop import while_loop
from torch.export import Dim

from programs_registry import b, f, i

WHOLE = []
rows, columns, count, half = (Dim(name, min=4, max=64) for name in ("rows", "columns", "count", "half"))
aten, functional = torch.ops.aten, torch.nn.functional


@dataclasses.dataclass
class Whole:
    name: str
    module: torch.nn.Module
    inputs: list  # of tuples; the program is exported with the first
    sizes: tuple = None  # dynamic_shapes of torch.export


class Function(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def whole(name, function, *inputs, sizes=None):
    module = function if isinstance(function, torch.nn.Module) else Function(function)
    # Those of *inputs are one entry.
    WHOLE.append(Whole(name, module, list(inputs), (sizes,) if sizes and module is not function else sizes))


def one(*sizes):
    return [(f(*size),) for size in sizes]


class Block(torch.nn.Module):
    """A transformer block with rotary positions and a mask."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.table, self.positions = torch.nn.Embedding(11, 16), torch.nn.Embedding(64, 16)
        self.norm, self.qkv, self.out = torch.nn.LayerNorm(16), torch.nn.Linear(16, 48), torch.nn.Linear(16, 16)
        self.eval()

    def forward(self, tokens, mask):
        batch, length = tokens.shape
        x = self.table(tokens) + self.positions(torch.arange(length))
        q, k, v = (t.view(batch, length, 2, 8).transpose(1, 2) for t in self.qkv(self.norm(x)).split(16, -1))
        angle = torch.arange(length).float()[:, None] * torch.tensor([1.0, 0.1, 0.01, 0.001])
        cos, sin = torch.cat([angle, angle], -1).cos(), torch.cat([angle, angle], -1).sin()
        q, k = (t * cos + torch.cat([-t[..., 4:], t[..., :4]], -1) * sin for t in (q, k))
        seen = (torch.arange(length)[:, None] >= torch.arange(length)) & mask[:, None, None, :]
        y = functional.scaled_dot_product_attention(q, k, v, attn_mask=seen).transpose(1, 2).reshape(batch, length, 16)
        return x + functional.gelu(self.out(y), approximate="tanh"), y.mean((0, 1)), y.flatten(0, 1).softmax(0)


def block_inputs(batch, length):
    mask = b(batch, length)
    mask[:, 0] = True
    return i(batch, length, low=0, high=11), mask


whole("block", Block(), *(block_inputs(*size) for size in ((5, 6), (4, 9), (7, 4))), sizes=({0: rows, 1: columns}, {0: rows, 1: columns}))
both = ({0: rows, 1: columns},)
three = one((6, 5), (5, 9), (8, 4))
whole("views", lambda x: (x.flatten(), x[:, None, :].expand(-1, 2, -1).reshape(-1, x.shape[1]), x.t().contiguous().view(-1), x.unsqueeze(0).squeeze(0), x.view(-1, 1, x.shape[1])),
      *three, sizes=both)
whole("slices", lambda x: (x[1:], x[:, :-1], x[-2:, ::2], x[0], x[:, -1], torch.cat([x, x[:, :2], x], 1), torch.cat([x, x])), *three, sizes=both)
whole("reductions", lambda x: (x.sum(), x.mean(1), x.mean((0, 1)), x.amax(0), x.cumsum(1), x.softmax(0), x.log_softmax(1), x.sum(0, keepdim=True), (x > 0).sum(1)), *three, sizes=both)
whole("pointwise", lambda x: (x + x[:1], x * 2.5, -x / (x.abs() + 1), torch.where(x > 0, x, torch.zeros_like(x)), x.clamp(-0.5, 0.5), x.tanh().pow(2), (x > 0) & (x < 1),
                              x.masked_fill(x > 0, -1.0), x.double().to(torch.int32), functional.silu(x), functional.relu(x).sqrt()), *three, sizes=both)
whole("made", lambda x: (torch.arange(x.shape[0]), torch.full((x.shape[1], 2), 3), torch.ones(x.shape[0], x.shape[1], dtype=torch.bool), torch.zeros_like(x), torch.arange(2, x.shape[0] + x.shape[1]) * 0.5),
      *three, sizes=both)
whole("products", lambda x: (x @ x.t(), x.t() @ x, (x[None] @ x.t()[None]), torch.addmm(x, x, x.t() @ x)), *three, sizes=both)
whole("indexed", lambda x, at: (x[at], x.index_select(0, at), x.gather(0, at[:, None].expand(-1, x.shape[1])), functional.embedding(at, x), x.repeat(2, 3)),
      *((f(*size), i(count, low=0, high=size[0])) for size, count in (((6, 5), 4), ((5, 9), 7), ((8, 4), 5))), sizes=({0: rows, 1: columns}, {0: count}))
whole("twice", lambda x: (x.view(-1, 2).sum(1), x[x.shape[0] // 2:]), *one((10,), (8,), (14,)), sizes=({0: 2 * half},))

signs = [(f(4, 4),), (f(4, 4).abs(),), (-f(4, 4).abs(),)]
whole("nonzero", lambda x: (torch.nonzero(x > 0), torch.nonzero(x > 0).float().sum(0)), *signs)
whole("masked", lambda x: (x[x > 0], x[x > 0].sum(), torch.masked_select(x, x < 0)), *signs)
whole("unique", lambda x: torch.unique(x.round().int()), *signs)


def upTo(n):
    count = n.item()
    torch._check(count >= 1)
    torch._check(count <= 8)
    return torch.arange(count) * 2, torch.zeros(count, 3)


whole("item", upTo, *((torch.tensor(n),) for n in (3, 1, 8)))
whole("while_loop", lambda n, x: while_loop(lambda n, x: n < 5, lambda n, x: (n + 1, torch.tanh(x) + 0.5), (n, x)), *((torch.tensor(n), f(2, 3)) for n in (0, 3, 7)))
whole("complex", lambda x: torch.view_as_real(torch.fft.rfft(x) * torch.fft.rfft(x.flip(0))), (f(3, 8),), (f(3, 8, seed=1),))

# Tensors without elements: parts of others, and results.
whole("empty_parts", lambda x: (torch.cat([x, x[..., 4:]], -1), torch.cat([x[:0], x, x[:0], x]), torch.cat([x, torch.zeros(0)]), x.split([4, 0], 1), x.split([0, 3]),
                                x[:, 2:2], x[3:], torch.stack([x, x])[:, :, :0], x[:0].sum(0), x[:, :0].sum(1) + x[:, 0], x[:, :0] @ x[:0, :]), (f(3, 4),))
whole("empty_writes", lambda x: (torch.slice_scatter(x, x[:, :0], 1, 4, 4), torch.slice_scatter(x, x[:0], 0, 1, 1), torch.constant_pad_nd(x[:, :0], (1, 2), 2.5), x[:0].expand(0, 4)), (f(3, 4),))
# Operators of no class and without a handler.
whole("taken_apart", lambda x, y: (x.type_as(y).triu() + torch.eye(4), x.tril(-1).expand_as(y), x.square().unflatten(1, (2, 2)).flatten(1), torch.stack([x, y], -1), x.T, torch.rot90(x), torch.outer(x[0], y[0])),
      (f(4, 4), f(4, 4, seed=1)))
whole("taken_apart_too", lambda x, y: (torch.broadcast_tensors(x[:1], y), functional.one_hot(torch.arange(3), 4), torch.linspace(0, 1, 5), functional.pixel_shuffle(x.reshape(4, 2, 2), 2),
                                       functional.pixel_unshuffle(x[None], 2), functional.cosine_similarity(x, y), torch.mv(x, y[0]), torch.dot(x[0], y[0]), torch.addcdiv(x, y, y.abs() + 1),
                                       x.clone().copy_(y), x.roll(1, 0), torch.logaddexp(x, y), functional.threshold(x, 0, -1.0), torch.count_nonzero(x, 1), x.fliplr(), x.narrow(1, 1, 2)),
      (f(4, 4), f(4, 4, seed=1)))
whole("taken_apart_dynamic", lambda x: (x.triu(1), torch.stack([x, x]), x.T, torch.eye(x.shape[0]), functional.relu6(x), torch.frac(x)), *three, sizes=both)
# Convolutions and padding of symbolic sizes; the weights are inputs.
pictures = tuple((f(n, 4, h, w), f(6, 2, 3, 2, seed=1), f(6, seed=2)) for n, h, w in ((4, 7, 9), (5, 12, 8), (4, 16, 5)))
whole("convolution_dynamic", lambda x, w, b: (functional.conv2d(x, w, b, stride=(2, 1), padding=(1, 2), dilation=(1, 2), groups=2), functional.conv1d(x[:, :, 0], w[:, :, 0], groups=2),
                                              aten.convolution(x, w[:4], None, [2, 1], [1, 0], [1, 1], True, [0, 0], 2), functional.conv2d(x, w.repeat(1, 2, 1, 1), b)), *pictures,
      sizes=({0: rows, 2: columns, 3: count}, None, None))
whole("padding_dynamic", lambda x: (functional.pad(x, (1, 2)), functional.pad(x, (-1, 0, 2, -1), value=-0.5), functional.pad(x[0], (3, -2), value=float("inf"))), *three, sizes=both)
whole("remainders_dynamic", lambda x: (torch.fmod(x, x.cos()), x % x[:1], x % -0.7, torch.remainder(2.5, x), x // x[:, :1], torch.div(x, 0.3, rounding_mode="floor"),
                                       torch.div(x, x[:1], rounding_mode="trunc"), torch.arange(x.shape[0]) % 3, (torch.arange(x.shape[1]) - 2) // 2), *three, sizes=both)
# What converts a constant is folded.
constants = (torch.tensor([True, False]), torch.tensor([0.5, -2.0, 0.0, float("nan")]), torch.tensor([2, 0, -4, 1 << 40]), torch.tensor([2, 0, 255], dtype=torch.uint8),
             torch.tensor([-3, 7], dtype=torch.int16))
whole("constants_converted", lambda x: tuple(c.to(dtype) == x for c in (*constants, torch.ones(2, dtype=torch.bool), torch.full((2,), 2), torch.ones(2) / 2)
                                             for dtype in (torch.bool, torch.float32, torch.float16, torch.int64, torch.int32, torch.int8, torch.int16)), (torch.zeros(1),), (torch.ones(1),))
whole("scattered_dynamic", lambda x: (torch.slice_scatter(x, x[:, :2] * 2, 1, 1, 3), torch.select_scatter(x, x[0], 0, 2), x.slice_scatter(x[1:] + 1, 0, 1)), *three, sizes=both)
whole("split_by_values", lambda n, x: torch.stack([part.sum(0) for part in x.split(n.tolist())]), *((torch.tensor(n), f(6, 3)) for n in ([1, 2, 3], [4, 0, 2], [6, 0, 0])))
whole("routed", lambda s, x: (x[torch.where(s > 0)].sum(0), x[torch.where(s < 0)[0] - 4, 1].sum()), *((f(4, 3, seed=n), f(4, 3, 2)) for n in (0, 1, 2)))
