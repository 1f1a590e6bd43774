"""Programs that torch-mlir refuses as they are, and that `fix` must make lower, MENDED to every output type: (name, module, inputs, dynamic shapes)."""
import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401 - defines quantized_decomposed


aten, quantized = torch.ops.aten, torch.ops.quantized_decomposed


class Held(torch.nn.Module):
    """A function of parameters, a buffer, a constant, and the inputs."""

    def __init__(self, function):
        super().__init__()
        self.function = function
        self.a, self.b = torch.nn.Parameter(torch.randn(1, 4)), torch.nn.Parameter(torch.randn(3, 4))
        self.empty = torch.nn.Parameter(torch.zeros(1, 0, 4))
        self.register_buffer("shift", torch.randn(1, 4))
        self.register_buffer("bytes", torch.randint(0, 256, (6, 4), dtype=torch.uint8))
        self.register_buffer("codes", torch.randint(-128, 128, (6, 8), dtype=torch.int8))
        self.register_buffer("scales", torch.rand(6, 2) + 0.1)
        self.register_buffer("zeros", torch.randint(-8, 8, (6, 2), dtype=torch.int8))
        self.picked = torch.tensor([2, 0, 1])

    def forward(self, *inputs):
        return self.function(self, *inputs)


torch.manual_seed(6)
x, few, head, unsigned = torch.randn(4, 4), torch.randn(2, 3), torch.randn(1, 2, 5, 8), torch.randint(0, 256, (3, 4), dtype=torch.uint8)

MENDED = (
    ("weights_in_a_list", lambda s, x: torch.cat([s.a, s.b]) + x, (x,), None),
    ("a_weight_beside_a_buffer", lambda s, x: torch.cat([s.a, s.shift, s.b, x]), (x,), None),
    ("a_weight_in_a_stack", lambda s, x: torch.stack([s.a, x[:1]]), (x,), None),
    ("a_constant_as_an_index", lambda s, x: x[:, s.picked], (few,), None),
    ("weights_of_a_composite", lambda s, x: torch.hstack([s.b, x[:3]]), (x,), None),
    ("complex_scalar", lambda s, x: torch.exp(1j * x).real, (x,), None),
    ("threshold_backward", lambda s, g, x: aten.threshold_backward(g, x, 0), (x, x - 0.2), None),
    ("flash_attention_with_a_mask", lambda s, q, m: aten._scaled_dot_product_flash_attention_for_cpu(q, q, q, 0.0, False, attn_mask=m)[0], (head, torch.randn(1, 1, 5, 5)), None),
    ("quantized_groups", lambda s, x: x @ quantized.dequantize_per_channel_group(s.codes, s.scales, s.zeros, -8, 7, torch.int8, 4, torch.float32).T, (torch.randn(2, 8),), None),
    ("a_weight_without_elements", lambda s, x: torch.cat([x, s.empty.expand(2, -1, -1)], 1), (torch.randn(2, 3, 4),), None),
    ("shifted_bytes", lambda s, x: x >> 4, (unsigned,), None),
    ("bits_of_bytes", lambda s, x: (x | 5, x ^ 3, x & 15, ~x), (unsigned,), None),
    ("an_argument_that_is_none", lambda s, x, mask: x * 2 if mask is None else x + mask, (x, None), None),
    ("an_argument_that_is_a_text", lambda s, x, mode: x * 2 if mode == "twice" else x, (x, "twice"), None),
    ("bytes_shifted_left", lambda s, x: (x << 3) + 1, (unsigned,), None),
    ("product_of_shorts", lambda s, x: x.prod(1), (torch.randint(-3, 4, (3, 4, 5), dtype=torch.int16),), None),
    ("product_of_unsigned_bytes", lambda s, x: torch._int_mm(x, s.codes[:4]), (unsigned,), None),
    ("permuted_from_the_back", lambda s, x: x.permute(0, -1, 1), (torch.randn(2, 3, 4),), None),
    ("deviation_of_symbolic_sizes", lambda s, x: x.std((1, 2), correction=0, keepdim=True), (torch.randn(3, 4, 5),), ({0: torch.export.Dim.AUTO, 2: torch.export.Dim.AUTO},)),
    ("clamped_from_one_number", lambda s, x, low: torch.clamp(x, min=low), (x, torch.randn(1)), ({0: torch.export.Dim.AUTO}, None)),
    ("views_outside_aten", lambda s, x: torch.ops.prims.squeeze(torch.ops.prims.view_of(x)[None], [0]) + 1, (x,), None),
)
# Of these, linalg is wanted.
TO_LINALG = (
    ("a_buffer_of_bytes_shifted", lambda s, x: x + (s.bytes >> 4).float(), (torch.randn(6, 4),), None),
    ("the_larger_of_sizes", lambda s, x: x.new_zeros(torch.sym_max(x.shape[0], 5), 2) + x.sum(), (torch.randn(3, 6),), ({0: torch.export.Dim.AUTO},)),
    ("the_smaller_of_sizes", lambda s, x: x.reshape(-1)[: torch.sym_min(x.shape[0], 5)], (torch.randn(3, 6),), ({0: torch.export.Dim.AUTO},)),
    ("the_larger_of_two_sizes", lambda s, x, y: x.new_zeros(torch.sym_max(x.shape[0], y.shape[0])) + y.sum(), (torch.randn(3, 6), torch.randn(7)),
     ({0: torch.export.Dim.AUTO}, {0: torch.export.Dim.AUTO})),
    ("minus_a_size", lambda s, x: x[:, -x.shape[0]:], (torch.randn(3, 6),), ({0: torch.export.Dim.AUTO},)),
    ("groups_of_a_symbolic_batch", lambda s, x: torch.native_group_norm(x, s.shift[0], None, x.shape[0], 4, 5, 2, 1e-5)[0], (torch.randn(3, 4, 5),), ({0: torch.export.Dim.AUTO},)),
    ("a_power_of_a_size", lambda s, x: x.reshape(-1)[: x.shape[0] ** 2], (torch.randn(3, 6),), ({0: torch.export.Dim.AUTO},)),
)
