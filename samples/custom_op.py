"""A gated MLP whose gate is a custom operator that no compiler knows: imported as torch.operator, it stops at the torch stage."""
import torch
from torch import library, nn

from save import save


@library.custom_op("acme::swiglu", mutates_args=())
def swiglu(x: torch.Tensor, y: torch.Tensor, beta: float) -> torch.Tensor:
    return x * torch.sigmoid(beta * x) * y


@swiglu.register_fake
def _(x, y, beta):
    return torch.empty_like(x)


class GatedMLP(nn.Module):
    def __init__(self, width=16, hidden=32):
        super().__init__()
        self.gate = nn.Linear(width, hidden)
        self.up = nn.Linear(width, hidden)
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        return self.down(torch.ops.acme.swiglu(self.gate(x), self.up(x), 1.5))


if __name__ == "__main__":
    torch.manual_seed(0)
    save(GatedMLP(), (torch.randn(2, 16),), "custom_op")
