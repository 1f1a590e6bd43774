"""Heads merged after attention, with length and batch dynamic, as nn.MultiheadAttention does it (llvm/torch-mlir#4743): linalg takes the
batch for 1, so that the text lowers and is wrong."""
import torch
from torch import nn

from save import save


class MergeHeads(nn.Module):
    def __init__(self, heads=4, width=8):
        super().__init__()
        self.proj = nn.Linear(heads * width, heads * width)

    def forward(self, x):
        length, batch, heads, width = x.shape
        return self.proj(torch.relu(x).reshape(length * batch, heads * width))


if __name__ == "__main__":
    torch.manual_seed(0)
    length, batch = torch.export.Dim("length", min=2, max=64), torch.export.Dim("batch", min=2, max=16)
    save(MergeHeads(), (torch.randn(6, 3, 4, 8),), "merge_heads", dynamic_shapes=[{0: length, 1: batch}])
