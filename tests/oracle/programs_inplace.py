"""Programs that write in place, through views, to inputs and buffers, and in autocast and no_grad regions.

Each is (name, module, inputs, dynamic_shapes). They are small, and each is about one thing.
"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim

PROGRAMS = []


def program(*inputs, dynamic=None, state=None):
    """Makes the decorated forward(self, ...) a program; `state` maps buffer names to tensors."""

    def register(forward):
        class Program(nn.Module):
            def __init__(self):
                super().__init__()
                torch.manual_seed(0)
                for name, tensor in (state or {}).items():
                    self.register_buffer(name, tensor.clone())

        Program.forward = forward
        PROGRAMS.append((forward.__name__, Program(), inputs, dynamic))
        return forward

    return register


def add(name, forward, *inputs, dynamic=None):
    module = nn.Module()
    kind = type(name, (nn.Module,), {"forward": lambda self, *a: forward(*a)})
    module = kind()
    PROGRAMS.append((name, module, inputs, dynamic))


torch.manual_seed(7)
X = torch.randn(4, 6)
Y = torch.randn(2, 3, 4)
SQUARE = torch.randn(4, 4)
C = torch.randn(3, 4, dtype=torch.complex64)

# Every kind of view with every kind of write; the base and another view of it are read afterwards.
VIEWS = {
    "slice": (X, lambda b: b[1:3]),
    "slice_step": (X, lambda b: b[:, ::2]),
    "slice_negative": (X, lambda b: b[-3:-1]),
    "slice_to_end": (X, lambda b: b[:, 4:]),
    "select": (X, lambda b: b[2]),
    "select_negative": (X, lambda b: b[:, -1]),
    "view": (X, lambda b: b.view(2, 12)),
    "view_infer": (X, lambda b: b.view(-1, 3)),
    "reshape": (X, lambda b: b.reshape(3, 8)),
    "flatten": (Y, lambda b: b.flatten(1)),
    "unflatten": (X, lambda b: b.unflatten(1, (2, 3))),
    "ravel": (X, lambda b: b.ravel()),
    "transpose": (X, lambda b: b.transpose(0, 1)),
    "t": (X, lambda b: b.t()),
    "T": (X, lambda b: b.T),
    "mT": (Y, lambda b: b.mT),
    "permute": (Y, lambda b: b.permute(2, 0, 1)),
    "movedim": (Y, lambda b: b.movedim(0, 2)),
    "swapaxes": (Y, lambda b: b.swapaxes(0, 1)),
    "unsqueeze": (X, lambda b: b.unsqueeze(1)),
    "squeeze": (X.reshape(4, 1, 6), lambda b: b.squeeze(1)),
    "squeeze_all": (X.reshape(4, 1, 6), lambda b: b.squeeze()),
    "narrow": (X, lambda b: b.narrow(1, 2, 3)),
    "diagonal": (SQUARE, lambda b: b.diagonal()),
    "diagonal_offset": (SQUARE, lambda b: b.diagonal(1)),
    "as_strided": (X, lambda b: b.as_strided((3, 2), (6, 2), 1)),
    "split": (X, lambda b: b.split(2)[1]),
    "split_sizes": (X, lambda b: b.split([1, 3, 2], dim=1)[1]),
    "chunk": (X, lambda b: b.chunk(4, dim=1)[2]),
    "tensor_split": (X, lambda b: b.tensor_split(3, dim=1)[0]),
    "hsplit": (X, lambda b: torch.hsplit(b, 3)[2]),
    "vsplit": (X, lambda b: torch.vsplit(b, 2)[0]),
    "unbind": (X, lambda b: b.unbind(1)[3]),
    "detach": (X, lambda b: b.detach()),
    "alias": (X, lambda b: torch.ops.aten.alias(b)),
    "contiguous": (X, lambda b: b.contiguous()),
    "to_same": (X, lambda b: b.to(torch.float32)),
    "view_as": (X, lambda b: b.view_as(torch.empty(8, 3))),
    "view_dtype": (X, lambda b: b.view(torch.int32)),
    "expand_as_is": (X, lambda b: b.expand(4, 6)),
    "chain_slices": (X, lambda b: b[1:][:, 1:5][::2]),
    "chain_permute_select": (Y, lambda b: b.permute(2, 0, 1)[1]),
    "chain_view_slice_transpose": (X, lambda b: b.view(2, 2, 6)[:, 1].transpose(0, 1)),
    "chain_split_unsqueeze": (X, lambda b: b.split(3, dim=1)[1].unsqueeze(0)),
    "chain_diagonal_slice": (SQUARE, lambda b: b.diagonal()[1:3]),
}
WRITES = {
    "add_": lambda v: v.add_(1),
    "mul_tensor_": lambda v: v.mul_(v.abs() + 1),
    "copy_": lambda v: v.copy_(torch.ones_like(v) * 3),
    "fill_": lambda v: v.fill_(2),
    "zero_": lambda v: v.zero_(),
    "setitem": lambda v: v.__setitem__(0, 5),
}


def _view_write(view, write, through_input):
    def forward(x):
        base = x if through_input else x * 2
        other = base[0]
        seen = view(base)
        write(seen)
        return base + 0, other * 2, seen * 3

    return forward


for _view, (_input, _take) in VIEWS.items():
    for _write, _put in WRITES.items():
        _name = f"{_view}__{_write}"
        add(_name, _view_write(_take, _put, False), _input)
    add(f"{_view}__to_input", _view_write(_take, WRITES["add_"], True), _input)


@program(X)
def relu_in_place(self, x):
    return F.relu_(x * 2) + 1


@program(X)
def chain_of_in_place(self, x):
    y = x + 1
    y.mul_(2).add_(3).relu_().sub_(1)
    return y


@program(X)
def result_and_self_are_one(self, x):
    y = x + 1
    z = y.add_(1)
    z.mul_(2)
    return y, z


@program(X)
def read_before_and_after(self, x):
    y = x + 1
    before = y * 2
    y.add_(5)
    return before, y * 2


@program(X)
def two_views_one_base(self, x):
    b = x + 1
    a, c = b[0], b[:, 0]
    a.add_(10)
    c.mul_(2)
    return a, c, b


@program(X)
def base_written_after_view(self, x):
    b = x + 1
    v = b.transpose(0, 1)
    b.add_(10)
    return v, v[0]


@program(X)
def base_written_after_chain(self, x):
    b = x + 1
    v = b.view(2, 12)[:, ::3]
    w = v.unsqueeze(0)
    b.zero_()
    b[0, 0] = 7
    return w, v


@program(X)
def views_of_views_written_in_turn(self, x):
    b = x.clone()
    v = b[1:]
    w = v[:, 2:]
    w.fill_(1)
    v[0].mul_(3)
    b.add_(1)
    return b, v, w


@program(X)
def split_parts_all_written(self, x):
    b = x.clone()
    p, q, r = b.split(2, dim=1)
    p.add_(1)
    q.mul_(2)
    r.copy_(p)
    return b, p, q, r


@program(X)
def unbind_parts_swapped(self, x):
    b = x.clone()
    rows = b.unbind(0)
    t = rows[0].clone()
    rows[0].copy_(rows[1])
    rows[1].copy_(t)
    return b


@program(X)
def split_part_taken_before_write(self, x):
    b = x.clone()
    parts = b.chunk(2, dim=1)
    b.mul_(2)
    return parts[0] + parts[1]


@program(X, torch.randn(4, 1))
def copy_broadcasts(self, x, y):
    b = x + 1
    b.copy_(y)
    return b


@program(X, torch.randn(6))
def slice_assignment_broadcasts(self, x, y):
    b = x.clone()
    b[1:3] = y
    return b


@program(X, torch.arange(24).reshape(4, 6))
def copy_casts(self, x, y):
    b = x + 1
    b.copy_(y)
    return b


@program(X.to(torch.float32), X.double())
def add_of_double_keeps_float(self, x, y):
    b = x + 1
    b.add_(y)
    return b


@program(torch.arange(6, dtype=torch.int32), torch.arange(6))
def add_of_long_keeps_int(self, x, y):
    b = x + 1
    b.add_(y)
    return b


@program(X.to(torch.bfloat16), X)
def mul_of_float_keeps_bfloat(self, x, y):
    b = x + 1
    b.mul_(y)
    return b


@program(X, X.flip(0))
def comparison_in_place_keeps_float(self, x, y):
    b = x + 1
    b.gt_(y)
    return b + 1


@program(X)
def logical_not_in_place(self, x):
    b = (x > 0).float()
    b.logical_not_()
    return b


@program(torch.arange(6, dtype=torch.int32))
def cumsum_in_place_keeps_int(self, x):
    b = x + 1
    b.cumsum_(0)
    return b


@program(X.half())
def half_in_place_with_scalar(self, x):
    b = x + 1
    b.mul_(2.5).sub_(1).div_(3)
    return b


@program(X, torch.randn(6))
def in_place_broadcasts_other(self, x, y):
    b = x + 1
    b.add_(y, alpha=2).mul_(y)
    return b


@program(X, torch.randn(4, 6), torch.randn(4, 6))
def addcmul_and_addcdiv(self, x, y, z):
    b = x + 1
    b.addcmul_(y, z, value=0.5)
    b.addcdiv_(y, z.abs() + 1)
    b.lerp_(y, 0.25)
    return b


@program(X)
def masked_fill_in_place(self, x):
    b = x + 1
    b.masked_fill_(x > 0, -1.0)
    return b


@program(X)
def masked_assignment(self, x):
    b = x + 1
    b[x > 0] = 0.5
    return b


@program(X, torch.tensor([0, 2]), torch.randn(2, 6))
def index_assignment(self, x, i, v):
    b = x + 1
    b[i] = v
    return b


@program(X, torch.tensor([0, 2]), torch.randn(4, 2))
def index_assignment_second_dim(self, x, i, v):
    b = x + 1
    b[:, i] = v
    return b


@program(X, torch.tensor([0, 0]), torch.randn(2, 6))
def index_put_accumulates(self, x, i, v):
    b = x + 1
    b.index_put_((i,), v, accumulate=True)
    return b


@program(X, torch.tensor([0, 2]), torch.randn(2, 6))
def index_family_in_place(self, x, i, v):
    b = x + 1
    b.index_copy_(0, i, v)
    b.index_add_(0, i, v, alpha=2)
    b.index_fill_(0, i, 3)
    return b


@program(X, torch.zeros(1, 6, dtype=torch.long), torch.randn(1, 6))
def scatter_family_in_place(self, x, i, v):
    b = x + 1
    b.scatter_(0, i, v)
    b.scatter_add_(0, i + 1, v)
    b.scatter_(0, i + 2, 9.0)
    b.scatter_reduce_(0, i + 3, v, reduce="amax")
    return b


@program(X, torch.randn(24))
def masked_scatter_in_place(self, x, v):
    b = x + 1
    b.masked_scatter_(x > 0, v)
    return b


@program(X)
def clamp_family(self, x):
    b = x + 1
    b.clamp_(-1, 1)
    b.clamp_min_(0)
    b.clamp_max_(0.5)
    return b


@program(X)
def unary_family(self, x):
    b = x.abs() + 1
    b.sqrt_().log_().exp_().neg_().abs_().reciprocal_().sigmoid_().tanh_().sin_().cos_().floor_()
    return b


@program(X)
def activation_family(self, x):
    b = x + 1
    F.leaky_relu_(b, 0.1)
    F.elu_(b)
    F.hardtanh_(b, -2, 2)
    F.threshold_(b, 0.1, 20)
    b = F.silu(b, inplace=True)
    b = F.hardswish(b, inplace=True)
    b = F.relu6(b, inplace=True)
    b = F.mish(b, inplace=True)
    return b


@program(SQUARE, torch.randn(4, 4))
def matmul_family_in_place(self, x, y):
    b = x + 1
    b.addmm_(x, y, beta=0.5, alpha=2)
    b.triu_()
    b.addmv_(x, y[0]) if False else None
    return b


@program(SQUARE)
def fill_diagonal(self, x):
    b = x + 1
    b.fill_diagonal_(0)
    return b


@program(X)
def triangle_in_place(self, x):
    b = x + 1
    b.tril_(1)
    b.pow_(2)
    b.remainder_(3)
    b.fmod_(2)
    return b


@program(torch.arange(8), torch.arange(8) + 3)
def integer_bits_in_place(self, x, y):
    b = x + 1
    b &= y
    b |= 4
    b ^= y
    b <<= 1
    b >>= 1
    b //= 2
    return b


@program(torch.randn(4, 6) > 0, torch.randn(4, 6) > 0)
def bool_in_place(self, x, y):
    b = x.clone()
    b &= y
    b |= ~x
    b.logical_xor_(y)
    return b


@program(X)
def pow_with_tensor_in_place(self, x):
    b = x.abs() + 1
    b.pow_(x)
    b.floor_divide_(x.abs() + 1)
    return b


@program(X)
def unsqueeze_in_place(self, x):
    b = x + 1
    b.unsqueeze_(0)
    b.add_(1)
    b.squeeze_(0)
    b.t_()
    b.mul_(2)
    b.transpose_(0, 1)
    return b


@program(X)
def in_place_view_of_clone_written(self, x):
    b = x.clone()
    c = b.view(24)
    c.unsqueeze_(1)
    c.add_(1)
    return b, c


@program(X)
def detach_then_write(self, x):
    b = x + 1
    d = b.detach()
    d.zero_()
    return b, d


@program(X)
def tensor_literal(self, x):
    return x + torch.tensor([1.0, 2, 3, 4, 5, 6])


@program(X)
def tensor_literal_written(self, x):
    t = torch.tensor([1.0, 2, 3, 4, 5, 6])
    t.add_(1)
    return x + t


@program(X)
def zeros_then_assigned(self, x):
    out = torch.zeros(4, 8)
    out[:, 1:7] = x
    out[0] = 1
    out[:, -1] += 2
    return out


@program(X)
def empty_filled_in_loop(self, x):
    out = torch.empty(4, 6)
    for i in range(4):
        out[i] = x[i] * i
    return out


@program(X)
def loop_over_columns(self, x):
    out = x.clone()
    for i in range(1, 6):
        out[:, i] += out[:, i - 1]
    return out


@program(torch.randn(1, 3, 8, 8))
def yolo_like_decode(self, p):
    y = p.permute(0, 2, 3, 1).contiguous().sigmoid()
    y[..., 0:1] = y[..., 0:1] * 2 - 0.5
    y[..., 1:2] = (y[..., 1:2] * 2) ** 2
    return y.view(1, -1, 3)


@program()
def swin_like_mask(self):
    mask = torch.zeros(1, 8, 8, 1)
    count = 0
    for h in (slice(0, -4), slice(-4, -2), slice(-2, None)):
        for w in (slice(0, -4), slice(-4, -2), slice(-2, None)):
            mask[:, h, w, :] = count
            count += 1
    windows = mask.view(1, 2, 4, 2, 4, 1).permute(0, 1, 3, 2, 4, 5).reshape(-1, 16)
    diff = windows.unsqueeze(1) - windows.unsqueeze(2)
    return diff.masked_fill(diff != 0, -100.0).masked_fill(diff == 0, 0.0)


@program(X)
def input_written(self, x):
    x.add_(1)
    return x * 2


@program(X)
def input_written_and_returned(self, x):
    x.mul_(2)
    return x


@program(X)
def input_view_returned_after_write(self, x):
    v = x[1:]
    x.add_(1)
    return v


@program(X, torch.randn(4, 6))
def second_input_written(self, x, y):
    y.copy_(x)
    return x + y


@program(X, torch.randn(4, 6))
def both_inputs_written_in_reverse(self, x, y):
    y[0] = 1
    x.add_(y)
    return x.sum() + y.sum()


@program(X, state={"total": torch.zeros(4, 6), "count": torch.zeros((), dtype=torch.long)})
def buffers_written(self, x):
    self.total.add_(x)
    self.count += 1
    return self.total / self.count


@program(X, state={"a": torch.zeros(6), "b": torch.ones(4, 6), "c": torch.zeros(6)})
def buffers_written_out_of_order(self, x):
    self.c.copy_(x[0])
    self.a[1:3] = x[1, :2]
    x.add_(self.b)
    return x + self.c


@program(X, state={"state": torch.zeros(4, 6)})
def buffer_assigned(self, x):
    self.state = self.state * 0.9 + x
    return self.state.sum()


@program(X, state={"ring": torch.zeros(3, 4, 6)})
def ring_buffer(self, x):
    self.ring[:-1] = self.ring[1:].clone()
    self.ring[-1] = x
    return self.ring.mean(0)


@program(torch.randn(1, 2, 1, 4), torch.randn(1, 2, 1, 4), torch.tensor([3]),
         state={"k": torch.zeros(1, 2, 8, 4), "v": torch.zeros(1, 2, 8, 4)})
def static_kv_cache(self, k, v, pos):
    self.k.index_copy_(2, pos, k)
    self.v.index_copy_(2, pos, v)
    scores = k @ self.k.transpose(-1, -2)
    return scores.softmax(-1) @ self.v


@program(torch.randn(1, 2, 2, 4), state={"cache": torch.zeros(1, 2, 8, 4)})
def slice_kv_cache(self, k):
    self.cache[:, :, 2:4] = k
    return self.cache[:, :, :4].sum(2)


@program(torch.randn(1, 2, 1, 4), torch.tensor([3]), state={"cache": torch.zeros(1, 2, 8, 4)})
def index_put_kv_cache(self, k, pos):
    self.cache[:, :, pos] = k
    return self.cache


class BatchNormTrain(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.norm = nn.BatchNorm2d(3, **options)
        self.conv = nn.Conv2d(3, 3, 3)

    def forward(self, x):
        return F.relu(self.norm(self.conv(x)), inplace=True)


for _options in ({}, {"momentum": 0.3}, {"affine": False}, {"track_running_stats": False}, {"eps": 1e-3}):
    _label = "_".join(f"{k}_{v}" for k, v in _options.items()).replace(".", "p").replace("-", "m") or "plain"
    PROGRAMS.append((f"batch_norm_train_{_label}", BatchNormTrain(**_options).train(), (torch.randn(2, 3, 6, 6),), None))
PROGRAMS.append(("batch_norm_eval", BatchNormTrain().eval(), (torch.randn(2, 3, 6, 6),), None))
PROGRAMS.append(("instance_norm_with_statistics", nn.InstanceNorm2d(3, track_running_stats=True).train(), (torch.randn(2, 3, 6, 6),), None))


class TwoNorms(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(6)

    def forward(self, x):
        return self.norm(self.norm(x))


PROGRAMS.append(("batch_norm_twice", TwoNorms().train(), (X,), None))


class ResidualBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(3, 3, 3, padding=1), nn.Conv2d(3, 3, 3, padding=1)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        out = self.b(self.relu(self.a(x)))
        out += x
        return self.relu(out)


PROGRAMS.append(("residual_block", ResidualBlock(), (torch.randn(1, 3, 8, 8),), None))


@program(X)
def dropout_eval_is_its_input(self, x):
    b = x + 1
    d = F.dropout(b, 0.5, training=False)
    d.add_(1)
    return b, d


@program(X)
def dropout_of_nothing_in_training(self, x):
    b = x + 1
    d = F.dropout(b, 0.0, training=True)
    d.add_(1)
    return b, d


@program(X)
def reshape_that_copies(self, x):
    b = x + 1
    c = b.t().reshape(24)
    c.zero_()
    return b, c


@program(X)
def reshape_that_views_a_slice(self, x):
    b = x + 1
    c = b[1:3].reshape(12)
    c.zero_()
    return b, c


@program(X)
def reshape_that_views_a_transpose(self, x):
    b = x + 1
    c = b.t().reshape(2, 3, 4)
    c.zero_()
    return b, c


@program(X)
def contiguous_that_copies(self, x):
    b = x + 1
    c = b.t().contiguous()
    c.zero_()
    return b, c


@program(torch.randn(1, 3, 4, 4))
def contiguous_channels_last(self, x):
    b = (x + 1).contiguous(memory_format=torch.channels_last)
    c = b.contiguous(memory_format=torch.channels_last)
    c.zero_()
    return b, c


@program(X)
def to_that_copies(self, x):
    b = x + 1
    c = b.to(torch.float64)
    c.zero_()
    d = b.to(torch.float32, copy=True)
    d.zero_()
    return b, c, d


@program(X)
def type_as_same(self, x):
    b = x + 1
    c = b.type_as(x)
    c.zero_()
    return b, c


@program(X)
def float_and_type_and_cpu(self, x):
    b = x + 1
    b.float().add_(1)
    b.cpu().add_(2)
    b.type(torch.float32).add_(4)
    return b


@program(C)
def view_as_real_written(self, x):
    b = x * 2
    r = torch.view_as_real(b)
    r[..., 0] = 1
    return r + 0, torch.view_as_real(b)


@program(torch.randn(3, 4, 2))
def view_as_complex_written(self, x):
    b = x * 2
    c = torch.view_as_complex(b)
    c.mul_(2)
    return b


@program(C)
def real_and_imag_written(self, x):
    b = x * 2
    b.real.fill_(1)
    b.imag.add_(2)
    return torch.view_as_real(b)


@program(X)
def real_of_real_is_itself(self, x):
    b = x * 2
    torch.real(b).fill_(1)
    return b


@program(X)
def atleast_and_positive(self, x):
    b = x * 2
    torch.atleast_2d(b).add_(1)
    torch.positive(b).mul_(2)
    torch.atleast_3d(b).add_(1)
    return b


@program(X)
def out_variants(self, x):
    b = torch.zeros(4, 6)
    torch.add(x, x, out=b)
    c = torch.zeros(6)
    torch.sum(x, 0, out=c)
    return b, c


@program(X)
def out_variant_into_view(self, x):
    b = torch.zeros(2, 4, 6)
    torch.mul(x, 2, out=b[1])
    return b


@program(X)
def foreach_in_place(self, x):
    a, b = x + 1, x + 2
    torch._foreach_add_([a, b], 1.0)
    torch._foreach_mul_([a, b], [b.clone(), a.clone()])
    return a, b


@program(X)
def write_in_no_grad(self, x):
    y = x + 1
    with torch.no_grad():
        y.add_(1)
        z = y * 2
    return y, z


@program(X, state={"seen": torch.zeros(6)})
def buffer_written_in_no_grad(self, x):
    with torch.no_grad():
        self.seen.copy_(x.mean(0))
    return x - self.seen


@program(X)
def nested_grad_modes(self, x):
    with torch.no_grad():
        y = x * 2
        with torch.enable_grad():
            y = y + 1
            with torch.no_grad():
                y.mul_(3)
        z = y - 1
    return z, y


@program(X)
def view_crosses_no_grad(self, x):
    b = x + 1
    v = b[1:3]
    with torch.no_grad():
        v.zero_()
    return b


class AutocastLinear(nn.Module):
    def __init__(self, dtype=torch.bfloat16):
        super().__init__()
        self.a, self.b, self.norm = nn.Linear(6, 8), nn.Linear(8, 4), nn.LayerNorm(8)
        self.dtype = dtype

    def forward(self, x):
        with torch.autocast("cpu", dtype=self.dtype):
            y = self.norm(self.a(x))
            z = self.b(F.gelu(y))
        return z.float() + 1


PROGRAMS.append(("autocast_linear", AutocastLinear(), (X,), None))
PROGRAMS.append(("autocast_linear_half", AutocastLinear(torch.float16), (X,), None))


@program(torch.randn(4, 6), torch.randn(6, 6))
def autocast_with_disabled_inside(self, x, w):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = x @ w
        with torch.autocast("cpu", enabled=False):
            z = y.float() @ w
        return z @ w


@program(torch.randn(4, 6), torch.randn(6, 6))
def autocast_disabled(self, x, w):
    with torch.autocast("cpu", enabled=False):
        return (x @ w).cos()


@program(torch.randn(4, 6), torch.randn(6, 6))
def autocast_float32_operators(self, x, w):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = x @ w
        loss = F.mse_loss(y, x)
        p = torch.prod(y, 1)
    return loss, p


@program(torch.randn(4, 6), torch.randn(6, 6))
def autocast_promotes(self, x, w):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = x @ w
        return torch.cat([y, x], 1), torch.stack([y, y])


@program(torch.randn(2, 3, 4, 8), torch.randn(2, 3, 4, 8), torch.randn(2, 3, 4, 8))
def autocast_attention(self, q, k, v):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        a = F.scaled_dot_product_attention(q, k, v)
        b = torch.softmax(q @ k.transpose(-1, -2), -1) @ v
    return a, b


@program(torch.randn(1, 3, 8, 8), torch.randn(4, 3, 3, 3))
def autocast_convolution(self, x, w):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = F.conv2d(x, w)
        y = F.relu(y, inplace=True)
        return F.avg_pool2d(y, 2), F.interpolate(y, scale_factor=2)


@program(torch.randn(4, 6), torch.randn(4, 6, dtype=torch.float64))
def autocast_leaves_double(self, x, y):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return y @ y.t(), x @ x.t()


@program(torch.randn(4, 6), torch.randn(6, 6))
def autocast_einsum_is_composite(self, x, w):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return torch.einsum("ij,jk->ik", x, w)


@program(X)
def cond_with_in_place_branches(self, x):
    def yes(a):
        b = a + 1
        b.mul_(2)
        b[0].zero_()
        return (b,)

    def no(a):
        b = a.clone()
        b.transpose(0, 1)[1].add_(1)
        return (b,)

    return torch.cond(x.sum() > 0, yes, no, (x,))[0]


@program(X)
def cond_after_write(self, x):
    b = x + 1
    b.add_(1)
    return torch.cond(b.sum() > 0, lambda a: a.sin(), lambda a: a.cos(), (b,))


BATCH = {"x": {0: Dim("n", min=3, max=64)}}
BATCH_TUPLE = ({0: Dim("n", min=3, max=64)},)


@program(X, dynamic=BATCH_TUPLE)
def dynamic_in_place(self, x):
    b = x + 1
    b.mul_(2)
    return b


@program(X, dynamic=BATCH_TUPLE)
def dynamic_slice_assignment(self, x):
    b = x.clone()
    b[:, 1:3] = 0
    b[0] = 1
    b[1:] += 2
    return b


@program(X, dynamic=BATCH_TUPLE)
def dynamic_view_written(self, x):
    b = x + 1
    v = b.view(-1, 2, 3)
    v[:, 0].add_(1)
    return b, v


@program(X, dynamic=BATCH_TUPLE)
def dynamic_transpose_written(self, x):
    b = x + 1
    b.t()[1:3].zero_()
    return b


@program(X, dynamic=BATCH_TUPLE)
def dynamic_reshape_written(self, x):
    b = x + 1
    b.reshape(x.shape[0] * 6).add_(1)
    return b


@program(X, dynamic=BATCH_TUPLE)
def dynamic_copy_broadcasts(self, x):
    b = x + 1
    b.copy_(x[0])
    b.flatten()[0] = 1
    return b


@program(X, dynamic=BATCH_TUPLE)
def dynamic_split_written(self, x):
    b = x + 1
    p, q = b.chunk(2, dim=1)
    p.add_(q)
    return b, q


@program(X, dynamic=BATCH_TUPLE)
def dynamic_narrow_written(self, x):
    b = x + 1
    n = x.shape[0] - 1
    b.narrow(0, 1, n).mul_(2)
    return b


@program(X, dynamic=BATCH_TUPLE, state={"sum": torch.zeros(6)})
def dynamic_buffer_written(self, x):
    self.sum.add_(x.sum(0))
    return x - self.sum


@program(X)
def bernoulli_in_place(self, x):
    b = x + 1
    b.bernoulli_(0.5)
    return b


@program(X)
def normal_and_uniform_in_place(self, x):
    b = x + 1
    b.normal_(1.0, 2.0)
    c = x + 1
    c.uniform_(-1, 1)
    d = x + 1
    d.exponential_(2.0)
    return b, c, (d > 0).all()  # decomposed to the logarithm of a uniform sample: the same distribution, not the same draw


@program(torch.tensor([[0, 1], [2, 3]]))
def embedding_with_max_norm(self, i):
    return F.embedding(i, torch.ones(4, 6) * 3, max_norm=1.0)


@program(X)
def write_through_expand_is_refused_or_right(self, x):
    b = x[:, :1] * 2
    e = b.expand(4, 6)
    b.add_(1)
    return e + 0


@program(X)
def unfold_read_after_write(self, x):
    b = x * 2
    u = b.unfold(1, 2, 2)
    b.add_(1)
    return u + 0


@program(X)
def as_strided_reads_written_base(self, x):
    b = x * 2
    s = b.as_strided((2, 2), (6, 1), 3)
    b.t().copy_(x.t() + 1)
    return s + 0, b[1:].as_strided((2, 2), (1, 6), 0)


@program(torch.arange(60.0).reshape(1, 3, 4, 5))
def as_strided_reads_channels_last(self, x):
    last = torch.channels_last
    converted, cloned, contiguous = x.to(memory_format=last), x.clone(memory_format=last), x.contiguous(memory_format=last)
    tensors = converted, cloned, contiguous, converted * 2, x.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2)
    return tuple(t.as_strided((1, 4, 5, 3), (60, 15, 3, 1), 0) + 1 for t in tensors)


@program(torch.arange(60.0).reshape(1, 3, 4, 5))
def as_strided_reads_written_channels_last(self, x):
    b = torch.empty_like(x, memory_format=torch.channels_last)
    b.copy_(x)
    return b.as_strided((20, 3), (3, 1), 0) * 2, b + 1


@program(X)
def meshgrid_and_broadcast_tensors(self, x):
    a, b = torch.broadcast_tensors(x[0] + 1, x)
    return a * 2 + b


@program(X)
def self_assignment(self, x):
    b = x.clone()
    b[0], b[1] = b[1].clone(), b[0].clone()
    b[:2] = b[2:] * b[:2]
    return b


@program(X)
def augmented_slices(self, x):
    b = x.clone()
    b[:, ::2] *= -1
    b[1:, 1] -= b[:-1, 1].clone()
    b[..., 2] /= 2
    return b


@program(Y)
def nested_views_of_three_levels(self, x):
    b = x * 1
    b[0][1][2:].add_(5)
    b[:, 0][1].copy_(b[0, 1])
    b.permute(1, 2, 0)[2, :, 1].zero_()
    return b


@program(X, torch.randn(4, 6))
def returned_aliases(self, x, y):
    x.add_(y)
    v = x.view(24)
    return v, x, x[0]


@program(X)
def dead_write(self, x):
    b = x + 1
    b.add_(1)
    return x * 2


@program(X)
def write_to_one_of_two_clones(self, x):
    a, b = x.clone(), x.clone()
    a.zero_()
    return a, b


@program(X)
def set_item_with_none_and_ellipsis(self, x):
    b = x.clone()
    b[None, ..., 1] = 4
    b[..., 2:4, ] = b[..., 0:2]
    return b


@program(torch.arange(4), torch.arange(6))
def vmap_causal_mask(self, q, k):
    return torch.vmap(lambda i: torch.vmap(lambda j: j <= i)(k))(q)


@program(torch.arange(2), torch.arange(4), torch.arange(6), torch.randn(2, 6) > 0)
def vmap_padding_mask(self, b, q, k, padding):
    def allowed(i, j, l):
        return (l <= j) & torch.ops.aten.index(padding, [i, l])

    inner = torch.vmap(allowed, in_dims=(None, None, 0))
    middle = torch.vmap(inner, in_dims=(None, 0, None))
    return torch.vmap(middle, in_dims=(0, None, None))(b, q, k)


@program(torch.randn(3, 4))
def vmap_of_matmul_is_refused(self, x):
    return torch.vmap(lambda a: a @ a)(x)


class NormalizeInPlace(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.tensor([1.0, 2, 3]))

    def forward(self, x):
        x = x.clone()
        x.sub_(self.mean[:, None, None]).div_(2)
        return x


PROGRAMS.append(("normalize_like_torchvision", NormalizeInPlace(), (torch.randn(3, 4, 4),), None))


class EmaParameter(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(6), requires_grad=False)

    def forward(self, x):
        self.weight.mul_(0.9).add_(x.mean(0), alpha=0.1)
        return x * self.weight


PROGRAMS.append(("parameter_written", EmaParameter(), (X,), None))


# Factories that write into a tensor.
@program(torch.zeros(12, dtype=torch.int64), torch.zeros(12))
def ranges_into_inputs(self, n, x):
    torch.ops.aten.arange.start_out(0, 24, 2, out=n)
    return torch.ops.aten.arange.out(12, out=x) + 1


@program(torch.zeros(3), torch.zeros(5), torch.zeros(2, 2, dtype=torch.int32))
def factories_into_inputs(self, x, y, z):
    torch.ops.aten.full.out([3], 2, out=x)
    torch.ops.aten.ones.out([2, 2], out=z)
    return torch.ops.aten.linspace.out(0, 1, 5, out=y) + 1, x * 2


@program(X)
def range_into_row_of_clone(self, x):
    y = x.clone()
    torch.ops.aten.arange.start_out(0, 6, out=y[0])
    return y, y.as_strided((2, 2), (1, 6), 3)


@program(torch.zeros(3, 4, dtype=torch.int64))
def range_into_matrix(self, x):
    return torch.ops.aten.arange.start_out(1, 13, out=x)


@program(X)
def outputs_that_grow(self, x):
    total = torch.add(x, x, out=torch.empty(0))
    values, places = torch.max(x, 0, out=(torch.empty(0), torch.empty(0, dtype=torch.int64)))
    total.mul_(2)
    return total, values * 2, places + torch.arange(6, out=torch.empty(0, dtype=torch.int64))
