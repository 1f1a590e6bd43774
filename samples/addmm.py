"""One addmm with alpha and beta: the smallest program worth looking at."""
import torch
from torch import nn

from save import save


class AddMM(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(8, 4))
        self.b = nn.Parameter(torch.randn(4))

    def forward(self, x):
        return torch.addmm(self.b, x, self.w, beta=0.5, alpha=2.0)


if __name__ == "__main__":
    torch.manual_seed(0)
    save(AddMM(), (torch.randn(3, 8),), "addmm")
