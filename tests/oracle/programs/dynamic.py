"""Dynamic shapes: symbolic sizes as operands, in lists, in arithmetic, and as results."""
import torch
import torch.nn.functional as F
from oracle_programs import Case, f32, fn, i64, layer, program
from torch import nn
from torch.export import Dim

N = AUTO = Dim.AUTO  # whatever range the program allows
X = f32(4, 3)


def dyn(name, function, *args, dims=None, **options):
    """Dimension 0 of the first input is dynamic unless `dims` says otherwise."""
    shapes = (dims if dims is not None else tuple({0: N} if i == 0 else None for i in range(len(args))),)
    fn(f"dyn_{name}", function, *args, dynamic=shapes, **options)


dyn("relu", torch.relu, X)
dyn("add_two", lambda x, y: x + y, X, X, dims=({0: N}, {0: N}))
dyn("add_broadcast", lambda x, y: x + y, X, f32(1, 3))
dyn("reshape_size", lambda x: x.reshape(x.shape[0] * 3), X)
dyn("view_minus_one", lambda x: x.view(-1), X)
dyn("expand_size", lambda x, y: y.expand(x.shape[0], 3), X, f32(1, 3))
dyn("zeros_size", lambda x: torch.zeros(x.shape[0], 2) + 1, X)
dyn("full_size", lambda x: torch.full((x.shape[0], x.shape[1]), 2.0), X)
dyn("arange_size", lambda x: torch.arange(x.shape[0]), X)
dyn("slice_to_size", lambda x, y: y[: x.shape[0]], X, f32(64))
dyn("slice_minus_one", lambda x: x[:-1], X)
dyn("size_plus_one", lambda x: torch.zeros(x.shape[0] + 1), X)
dyn("size_times_two", lambda x: torch.ones(2 * x.shape[0]), X)
dyn("size_floordiv", lambda x: torch.ones(x.shape[0] // 2), X)
dyn("size_mod", lambda x: torch.ones(x.shape[0] % 3 + 1), X)
dyn("size_minus", lambda x: torch.ones(64 - x.shape[0]), X)
dyn("size_power", lambda x: torch.ones(x.shape[0] ** 2), X)
dyn("size_returned", lambda x: (x + 1, x.shape[0] * 2), X)
dyn("size_truediv", lambda x: x / x.shape[0], X)
dyn("size_scales", lambda x: x * (1.0 / x.shape[0]), X)
dyn("size_sqrt", lambda x: x * (x.shape[0] ** 0.5), X)
dyn("size_added", lambda x: x + x.shape[0], X)
dyn("size_subtracted", lambda x: x.shape[0] - x, X)
dyn("size_where", lambda x: torch.where(x > 0, x, x.shape[0]), X)
dyn("size_max", lambda x, y: torch.zeros(torch.sym_max(x.shape[0], y.shape[0])), X, f32(5), dims=({0: N}, {0: AUTO}))
dyn("size_min", lambda x, y: torch.zeros(torch.sym_min(x.shape[0], y.shape[0])), X, f32(5), dims=({0: N}, {0: AUTO}))
dyn("size_float", lambda x: x * float(x.shape[0]), X)
dyn("numel", lambda x: x / x.numel(), X)
dyn("two_dims", lambda x: x.permute(1, 0).reshape(-1), X, dims=({0: N, 1: AUTO},))
dyn("cat", lambda x, y: torch.cat([x, y]), X, X, dims=({0: N}, {0: AUTO}))
dyn("split_by_one", lambda x: torch.split(x, 1, dim=1)[0], X)
dyn("mean", lambda x: x.mean(0), X)
dyn("std", lambda x: x.std((0, 1)), X)
dyn("softmax", lambda x: x.softmax(0), X)
dyn("matmul", torch.matmul, X, f32(3, 5))
dyn("tril_mask", lambda x: torch.ones(x.shape[0], x.shape[0]).tril(), X)
dyn("repeat_size", lambda x, y: y.repeat(x.shape[0], 1), X, f32(1, 2))
dyn("pad", lambda x: F.pad(x, (0, 1, 0, 1)), X)
dyn("one_hot", lambda x: F.one_hot(x, 4), i64(4))
dyn("index", lambda x, i: x[i], X, i64(2), dims=({0: N}, {0: AUTO}))
dyn("unsqueeze_expand", lambda x: x.unsqueeze(0).expand(2, -1, -1), X)
dyn("interpolate", lambda x: F.interpolate(x, scale_factor=2), f32(1, 2, 4, 4), dims=({2: AUTO, 3: AUTO},))
dyn("interpolate_to_size", lambda x: F.interpolate(x, size=(2, 7), mode="bilinear"), f32(1, 2, 4, 5), dims=({2: AUTO, 3: AUTO},))
dyn("interpolate_corners", lambda x: F.interpolate(x, size=(3, 7), mode="bilinear", align_corners=True), f32(1, 2, 4, 5), dims=({2: AUTO, 3: AUTO},))
dyn("interpolate_nearest", lambda x: F.interpolate(x, size=(3, 7)), f32(1, 2, 4, 5), dims=({2: AUTO, 3: AUTO},))
dyn("max_pool", lambda x: F.max_pool2d(x, 2), f32(1, 2, 8, 8), dims=({2: AUTO},))
dyn("im2col", lambda x: F.unfold(x, (3, 2), dilation=(2, 1), padding=1, stride=(1, 2)), f32(3, 2, 8, 9), dims=({0: AUTO, 2: AUTO, 3: AUTO},))
dyn("im2col_rows", lambda x: F.unfold(x, (3, 1), padding=(1, 0)), f32(3, 2, 8, 1), dims=({0: AUTO, 2: AUTO},))
dyn("assert_multiple", lambda x: x.reshape(-1, 2, 3), X, dims=({0: 2 * Dim("h", min=1, max=32)},))
dyn("nonzero", lambda x: torch.nonzero(x), X)
dyn("where_transposed", lambda x: torch.where(x.t() > 0), X)
dyn("item_sizes", lambda n: torch.zeros(n.item() + 2), lambda: torch.tensor(3), dims=(None,))
dyn("item_float", lambda x, s: x * s.item(), X, lambda: torch.tensor(0.5))
dyn("masked_select", lambda x: torch.masked_select(x, x > 0).sum(), X)

layer("dyn_linear", lambda: nn.Linear(3, 4), X, dynamic=({0: N},))
layer("dyn_layer_norm", lambda: nn.LayerNorm(3), X, dynamic=({0: N},))
layer("dyn_batch_norm", lambda: nn.BatchNorm2d(2), f32(4, 2, 3, 3), dynamic=({0: N},))
layer("dyn_embedding", lambda: nn.Embedding(8, 4), i64(4, 3), dynamic=({0: N, 1: AUTO},))
layer("dyn_conv2d", lambda: nn.Conv2d(2, 3, 3, padding=1), f32(2, 2, 6, 6), dynamic=({0: N, 2: AUTO, 3: AUTO},))
layer("dyn_attention", lambda: nn.MultiheadAttention(8, 2, batch_first=True), f32(2, 4, 8), f32(2, 4, 8), f32(2, 4, 8),
      dynamic={"query": {1: N}, "key": {1: N}, "value": {1: N}})


class SymIntInput(nn.Module):
    def forward(self, x, n):
        return x + n, torch.ones(n)


@program("dyn_int_input")
def _():
    return Case(SymIntInput(), (X(), 5), {}, {"x": None, "n": Dim.DYNAMIC})
