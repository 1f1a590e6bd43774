"""Programs whose fixed form PyTorch or torch-mlir once refused: (name, module or function, inputs, dynamic shapes or None)."""
import torch
from torch.nn.functional import scaled_dot_product_attention


class Named(torch.nn.Module):
    """A submodule whose name PyTorch writes, and cannot read or run."""

    def __init__(self, name):
        super().__init__()
        self.name = name
        self.add_module(name, torch.nn.Linear(4, 4))

    def forward(self, x):
        return getattr(self, self.name)(x)


class Cache(torch.nn.Module):
    """A buffer that keeps a projection, which requires a gradient."""

    def __init__(self):
        super().__init__()
        self.project = torch.nn.Linear(4, 4)
        self.register_buffer("kept", torch.zeros(2, 4))

    def forward(self, x):
        self.kept.copy_(self.project(x))
        return self.kept.sum(1)


class Shift(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("packed", torch.arange(24, dtype=torch.uint8).reshape(6, 4))

    def forward(self, x):
        return x + (self.packed >> 4).float()


class Heads(torch.nn.Module):
    """Attention as libraries of models write it."""

    def __init__(self, causal=False):
        super().__init__()
        self.qkv, self.out, self.causal = torch.nn.Linear(12, 36), torch.nn.Linear(12, 12), causal

    def forward(self, x, mask):
        q, k, v = (part.view(*x.shape[:2], 3, 4).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        made = scaled_dot_product_attention(q, k, v, None if self.causal else mask, is_causal=self.causal)
        return self.out(made.transpose(1, 2).contiguous().view(*x.shape))


def attention(q, k, v, mask):
    return scaled_dot_product_attention(q, k, v, mask).transpose(1, 2).contiguous().view(2, 5, 12)


torch.manual_seed(7)
heads, mask = [torch.rand(2, 3, 5, 4) for _ in range(3)], torch.rand(2, 1, 5, 5) > 0.3
small, image, pixels = torch.rand(2, 4), torch.rand(2, 3, 4, 5), torch.arange(200, 212, dtype=torch.uint8).reshape(3, 4)
batch = torch.export.Dim("batch", max=64)
FIXED = (
    ("view_after_attention", attention, (*heads, mask), None),
    ("view_after_heads", Heads(), (torch.rand(2, 5, 12), mask), None),
    ("view_after_causal_heads", Heads(True), (torch.rand(2, 5, 12), mask), None),
    ("view_after_dynamic_heads", Heads(), (torch.rand(2, 5, 12), mask), {"x": {0: batch}, "mask": {0: batch}}),
    ("view_after_write", lambda x: x.transpose(0, 1).mul_(2).add_(1).transpose(0, 1).view(-1), (small,), None),
    ("view_after_activation", lambda x: torch.nn.functional.logsigmoid(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2).view(2, -1), (image,), None),
    ("view_after_diff", lambda x: torch.diff(x.transpose(1, 3), dim=1).transpose(1, 3).reshape(2, 12, -1).view(-1, 4), (image,), None),
    ("reshape_to_dynamic", lambda x: x.permute(1, 0).reshape(-1), (small,), (({0: batch},),)),
    ("flatten_dynamic", lambda x: x.transpose(0, 2).flatten(), (image,), (({0: batch},),)),
    ("reshape_as_dynamic", lambda x, y: x.permute(1, 0).reshape_as(y), (small, small.T.contiguous()), (({0: batch}, {1: batch}),)),
    ("shift_uint8", lambda x: x >> 4, (pixels,), None),
    ("shift_uint8_buffer", Shift(), (torch.rand(6, 4),), None),
    ("full_uint8", lambda x: x + torch.full((3, 4), 4, dtype=torch.uint8), (pixels,), None),
    ("full_int8", lambda x: x + torch.full((3, 4), -4, dtype=torch.int8), (pixels.view(torch.int8),), None),
    ("complex_to_device", lambda x: torch.view_as_real(torch.view_as_complex(x).to("cpu") * 2), (torch.rand(3, 2),), None),
    ("argument_named_from", lambda x: torch.ops.aten.uniform.default(x), (small,), None),
    ("none_result", lambda x: (x + 1, None, 3), (small,), None),
    ("text_result", lambda x: {"y": x * 2, "mode": "it's", "rate": float("inf")}, (small,), None),
    ("cache_of_a_projection", Cache(), (small,), None),
    *((f"module_named_{ord(name[1]) if len(name) < 6 else name}", Named(name), (small,), None) for name in ("a,b", "a;b", "a(b", "a]b", "lambda")),
)
