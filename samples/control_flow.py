"""Data-dependent control flow with torch.cond: two subgraphs, called through torch.prim.If."""
import torch
from torch import nn

from save import save


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        def positive(x):
            return torch.relu(self.linear(x))

        def negative(x):
            return torch.tanh(x) - 1.0

        return torch.cond(x.sum() > 0, positive, negative, (x,)) * 2.0


if __name__ == "__main__":
    torch.manual_seed(0)
    save(Branches(), (torch.randn(3, 8),), "control_flow")
