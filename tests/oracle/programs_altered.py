"""Programs in which altered_programs.py makes defects: (name, module, inputs, dynamic shapes).

FLOATS are those of the first kinds of defects (LINALG_KINDS of altered_text.py). MEANINGS have integers, choices, slices, branches, large
and dynamic sizes, more than one result. STATE is updated in place: caches, counters, running statistics.
"""
import torch
from torch import nn
from torch.nn import functional as f

import programs_edges
from oracle_programs import Function, boolean, f32, i64, typed


def _module(forward, **children):
    made = type("M", (nn.Module,), {"forward": forward})()
    for name, child in children.items():
        setattr(made, name, child)
    return made


def _with_buffers(forward, **buffers):
    children = {name: child for name, child in buffers.items() if isinstance(child, nn.Module)}
    made = _module(forward, **children)
    for name, buffer in buffers.items():
        if name not in children:
            made.register_buffer(name, buffer)
    return made


def floats():
    torch.manual_seed(0)
    batch = torch.export.Dim("batch", min=2, max=64)
    x, y = torch.randn(4, 16), torch.randn(4, 16)
    yield "mlp", _module(lambda s, x: torch.softmax(s.b(f.gelu(s.a(x))), -1), a=nn.Linear(16, 32), b=nn.Linear(32, 10)), (x,), None
    yield "norm", _module(lambda s, x: (s.n(x) * torch.tanh(x), x.mean(-1), x.std(-1)), n=nn.LayerNorm(16)), (x,), None
    qkv = tuple(torch.randn(2, 8, 8) for _ in range(3))
    yield "attention", Function(lambda q, k, v: torch.softmax(q @ k.transpose(-1, -2) / 4.0, -1) @ v), qkv, None
    conv = _module(lambda s, x: f.avg_pool2d(f.relu(s.n(s.c(x))), 2), c=nn.Conv2d(3, 4, 3), n=nn.BatchNorm2d(4).eval())
    yield "conv", conv, (torch.randn(1, 3, 10, 10),), None
    yield "square", Function(lambda a, b: (a @ b, torch.exp(a) - b.T, a / (b * b + 1.5))), (torch.randn(6, 6), torch.randn(6, 6)), None
    dynamic = _module(lambda s, x: torch.log_softmax(s.a(x) * 0.25, -1) - x.sum(-1, keepdim=True), a=nn.Linear(16, 16))
    yield "dynamic", dynamic, (x,), {"x": {0: batch}}
    rnn = _module(lambda s, x, h: (torch.sigmoid(s.z(x)) * h + (1 - torch.sigmoid(s.z(x))) * torch.tanh(s.h(x)), h), z=nn.Linear(16, 16),
                  h=nn.Linear(16, 16))
    yield "rnn", rnn, (x, y), None
    swiglu = _module(lambda s, x: s.d(f.silu(s.g(x)) * s.u(x)) * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5), g=nn.Linear(16, 24),
                     u=nn.Linear(16, 24), d=nn.Linear(24, 16))
    yield "swiglu", swiglu, (x,), None
    losses = Function(lambda p, t: (f.mse_loss(p, t), f.smooth_l1_loss(p, t), f.binary_cross_entropy_with_logits(p, torch.sigmoid(t))))
    yield "losses", losses, (x, y), None
    waves = Function(lambda x, y: (torch.sin(x) - torch.cos(y), torch.atan(x) * 0.5, torch.erf(y) / 3.0, (x - y).abs().sqrt()))
    yield "waves", waves, (x, y), (({0: batch}, {0: batch}),)


def _quantized(x):
    q = torch.clamp(torch.round(x / 0.05) + 3, -128, 127).to(torch.int8)
    return (q.to(torch.float32) - 3) * 0.05


def _windows(x):
    padded = f.pad(x, (1, 2), value=-1.0)
    return padded[:, 2:10] - x[:, :8], torch.cat([x, padded[:, :12]]), torch.flip(x, [1])


def _positions(x):
    lengths = (x > 0).sum(-1)
    order = torch.cumsum(lengths, 0)
    return lengths, order, torch.arange(x.shape[1])[None, :] < lengths[:, None]


def _hashes(a, b):
    mixed = (a ^ (b << 3)) + (a >> 2) * 31
    return mixed, mixed.to(torch.int32), torch.bitwise_and(mixed, 255).float() / 255


def _counted(x):
    n = torch.full((), 3, dtype=torch.int64)
    limit = (x > 0).sum()
    return torch.where(limit > n, x.sum(), x.amax()), torch.minimum(limit, n)


MEANINGS = {
    "quantized": (lambda x: _quantized(x) * 2, f32(4, 8)),
    "windows": (_windows, f32(3, 12)),
    "positions": (_positions, f32(4, 6)),
    "hashes": (_hashes, i64(4, 5, high=1000), i64(4, 5, high=1000)),
    "counted": (_counted, f32(3, 5)),
    "chosen_rows": (lambda x, i: torch.relu(x[i]) + x.amax(-1)[i, None], f32(6, 4), i64(5, high=6)),
    "best": (lambda x, w: (lambda y: (y.argmax(-1), y.amax(-1), y.argmin(0), torch.tanh(y).amin(0)))(x @ w), f32(4, 3), f32(3, 7)),
    "pooled": (lambda x: f.max_pool2d(f.relu(x) - 1.0, 3, padding=1, stride=2), f32(1, 2, 7, 7)),
    "averaged": (lambda x: f.avg_pool2d(x * 2.0, 2) - 1.0, f32(1, 2, 6, 6)),
    "moments": (lambda x: torch.var_mean(x * 3.0, -1), f32(4, 9)),
    "extremes": (lambda x: tuple(torch.aminmax(x - 0.5, dim=1)), f32(4, 9)),
    "halves": (lambda x: [a * 2 for a in torch.split(torch.tanh(x), 4, 1)], f32(3, 8)),
    "doubles": (lambda x, y: ((x * y).sum(-1), x / (y * y + 1.0), x.mean(0)), typed(torch.float64, 4, 6), typed(torch.float64, 4, 6)),
    "halved_sums": (lambda x: (x.sum(-1), (x * x).mean(-1)), f32(4, 33)),
    "long_rows": (lambda x: torch.softmax(x * 2.0, -1) + x.mean(-1, keepdim=True), f32(3, 37)),
    "long_products": (lambda a, b: torch.relu(a @ b) - 0.5, f32(5, 35), f32(35, 19)),
    "short_integers": (lambda a, b: (a + b, (a * b).to(torch.int32), torch.maximum(a, b), a - 3),
                       typed(torch.int16, 4, 5), typed(torch.int16, 4, 5)),
    "bytes": (lambda a, b: (a.to(torch.int32) * b.to(torch.int32), torch.minimum(a, b), -a),
              typed(torch.int8, 4, 5), typed(torch.int8, 4, 5)),
    "unsigned": (lambda a: (a.to(torch.float32) * 0.5, a.to(torch.int32) - 100, a + a),
                 lambda: torch.arange(20, dtype=torch.uint8).reshape(4, 5)),
    "truths": (lambda a, b: (torch.logical_and(a, b), (a | b).to(torch.float32), (a ^ b).any(-1), torch.where(a, 1.5, -2.0)),
               boolean(4, 5), boolean(4, 5)),
    "steps": (lambda x: (torch.floor(x * 3), torch.ceil(x) + torch.round(x * 2), torch.trunc(x * 4).to(torch.int64)), f32(4, 6)),
    "gates": (lambda x, y: torch.where(x > y, f.relu(x), f.leaky_relu(y, 0.1)) + torch.clamp(x, -0.5, 0.75), f32(4, 6), f32(4, 6)),
    "masked_scores": (lambda x, m: torch.softmax((x * 0.5).masked_fill(m, -1e9), -1) @ x.T, f32(4, 6), boolean(4, 6)),
    "joined": (lambda x, y: torch.cat([torch.sin(x), y * 2, x - y], 1)[:, 2:11].T, f32(4, 4), f32(4, 4)),
    "stacked": (lambda x, y: torch.stack([x, y.abs(), x * y]).transpose(0, 1).amax(2), f32(4, 4), f32(4, 4)),
    "scattered": (lambda x, i, v: torch.scatter_add(x * 2, 1, i, v), f32(3, 5), i64(3, 5, high=5), f32(3, 5)),
    "embedded": (lambda w, i: torch.layer_norm(f.embedding(i, w), (4,)) * 0.5, f32(10, 4), i64(3, 5, high=10)),
    "branches": (lambda p, x: torch.cond(p, lambda v: torch.remainder(v, 3) * 2, lambda v: torch.floor(v) - 5, (x,)) + 1,
                 lambda: torch.tensor(True), f32(4, 5)),
    "decided": (lambda x: torch.cond(x.sum() > 4, lambda v: torch.sin(v), lambda v: v.abs() - 1, (x,)), f32(4, 5)),
    "conv_strided": (lambda x, w: f.conv2d(x, w, stride=2, padding=1).clamp(-1, 1), f32(1, 2, 9, 9), f32(3, 2, 3, 3)),
    "running_sum": (lambda x: torch.cumsum(x, 1) * torch.sign(x), f32(3, 18)),
    "ordered": (lambda x: (torch.sort(x, -1)[0], torch.sort(x, -1, descending=True)[0] * 2), f32(3, 7)),
    "hot": (lambda i: f.one_hot(i, 5).to(torch.float32) * 0.5 - 0.25, i64(7, high=5)),
    "triangle": (lambda x: torch.tril(x @ x.T) + torch.triu(x.T @ x)[:6, :6], f32(6, 6)),
    "repeated": (lambda x: x.repeat(2, 3) * 2 + x.expand(2, 4).tile(1, 3).sum(0, keepdim=True), f32(1, 4)),
    "distances": (lambda a, b: ((a[:, None] - b[None]) ** 2).sum(-1).sqrt().argmin(1), f32(5, 3), f32(4, 3)),
}

DYNAMIC = {
    "rows": (lambda x, w: torch.relu(x @ w) + x.sum(0)[None, :4], ({0: "n"}, None), f32(5, 4), f32(4, 4)),
    "columns": (lambda x: torch.softmax(x, -1) - x.mean(-1, keepdim=True), ({1: "n"},), f32(3, 5)),
    "both": (lambda x: (x.amax(1), torch.cumsum(x, 1), x.sum(0)), ({0: "n", 1: "m"},), f32(4, 5)),
    "counts": (lambda i: (i * 3 - 1, (i % 2 == 0).sum(), i // 2), ({0: "n"},), i64(5, high=9)),
    "glued": (lambda x, y: torch.cat([x * 2, y], 0)[1:] - 1, ({0: "n"}, {0: "m"}), f32(4, 3), f32(5, 3)),
    "squares": (lambda x: torch.where(x > 0, x * x, -x).sum(-1), ({0: "n"},), f32(4, 6)),
}


def meanings():
    for name, (function, *inputs) in MEANINGS.items():
        yield name, Function(function), tuple(make() for make in inputs), None
    for name, (function, shapes, *inputs) in DYNAMIC.items():
        dims = {each: torch.export.Dim(each, min=1, max=64) for shape in shapes if shape for each in shape.values()}
        dynamic = tuple({k: dims[each] for k, each in shape.items()} if shape else None for shape in shapes)
        yield name, Function(function), tuple(make() for make in inputs), (dynamic,)


def _cache(s, x):
    s.keys.copy_(torch.cat([s.keys[:, 1:], (x * 2)[:, None]], 1))
    s.values.copy_(torch.cat([s.values[:, 1:], (x - 1)[:, None]], 1))
    return torch.softmax((s.keys * x[:, None]).sum(-1), -1) @ s.values.transpose(0, 1).reshape(6, -1)[:, :4]


def _placed(s, x, position):
    s.keys.index_put_((position,), torch.tanh(x))
    s.values.index_put_((position,), x * 0.5)
    return s.keys.sum(0) - s.values.sum(0)


def _averages(s, x):
    s.mean.mul_(0.9).add_(x.mean(0) * 0.1)
    s.square.mul_(0.9).add_((x * x).mean(0) * 0.1)
    return (x - s.mean) / torch.sqrt(s.square + 1.0)


def _counters(s, x):
    s.seen.add_(x.shape[0])
    s.positive.add_((x > 0).sum(0))
    s.most.copy_(torch.maximum(s.most, x.amax(0)))
    return x * s.positive


def _old_and_new(s, x):
    before = s.state.clone()
    s.state.add_(x * 0.5)
    return before, s.state * 1.0


def _rolled(s, x):
    s.ring.copy_(torch.roll(s.ring, 1, 0))
    s.ring[0].copy_(x)
    return s.ring.mean(0)


def _argument(x, y):
    x.add_(y * 2)
    return x * y


def _two_arguments(x, y, z):
    x.mul_(z)
    y.add_(x)
    return x - y


def _momentum(s, g):
    s.velocity.mul_(0.5).add_(g)
    s.weight.sub_(s.velocity * 0.25)
    return s.weight @ g.T


def _hidden(s, x):
    h = torch.tanh(x + s.hidden)
    s.cell.mul_(0.5).add_(h)
    s.hidden.copy_(h)
    return s.cell + s.hidden


def state():
    torch.manual_seed(0)
    r = torch.randn
    yield "cache", _with_buffers(_cache, keys=r(2, 6, 4), values=r(2, 6, 4)), (r(2, 4),), None
    yield "placed", _with_buffers(_placed, keys=r(6, 4), values=r(6, 4)), (r(2, 4), torch.tensor([1, 3])), None
    yield "averages", _with_buffers(_averages, mean=r(4), square=r(4).abs()), (r(5, 4),), None
    yield "counters", _with_buffers(_counters, seen=torch.tensor([3, 1]), positive=torch.tensor([2, 0, 5]), most=r(3)), (r(4, 3),), None
    yield "old_and_new", _with_buffers(_old_and_new, state=r(3, 4)), (r(3, 4),), None
    yield "rolled", _with_buffers(_rolled, ring=r(4, 3)), (r(3),), None
    yield "argument", Function(_argument), (r(3, 4), r(3, 4)), None
    yield "two_arguments", Function(_two_arguments), (r(3, 4), r(3, 4), r(3, 4)), None
    yield "momentum", _with_buffers(_momentum, velocity=r(3, 4), weight=r(3, 4)), (r(3, 4),), None
    yield "hidden", _with_buffers(_hidden, hidden=r(2, 5), cell=r(2, 5)), (r(2, 5),), None
    yield "batch_norm", _module(lambda s, x: s.n(x) * 2.0, n=nn.BatchNorm1d(4)).train(), (r(6, 4),), None


def edges(neutral):
    """The programs of programs_edges.py, exported with inputs that give nothing away."""
    for name, (function, inputs, dynamic) in programs_edges.PROGRAMS.items():
        yield name, Function(function), tuple(neutral(each, dynamic) for each in inputs), dynamic and (dynamic,)
