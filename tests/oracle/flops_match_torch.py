# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""FLOPs, parameters and buffers of `inspect --summary` against PyTorch: python3 flops_match_torch.py --cli FXSCOPE_CLI

FLOPs are those of torch.utils.flop_counter.FlopCounterMode, run on the exported program. It does not count the kernel that attention has on
CPUs, so that attention runs as the matrix products that it is; nor products of vectors, which are in BEYOND.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn import functional as F
from torch.utils.flop_counter import FlopCounterMode

warnings.filterwarnings("ignore")
PROGRAMS = {}
BEYOND = {"vectors": 2 * (3 * 4 + 4)}


def program(*inputs):
    """Makes a module of the decorated forward(*inputs), or takes a class."""

    def register(made):
        module = made() if isinstance(made, type) else type(made.__name__, (nn.Module,), {"forward": staticmethod(made)})()
        PROGRAMS[made.__name__] = (module.eval(), inputs)
        return made

    return register


def r(*sizes):
    return torch.randn(*sizes)


@program(r(3, 4), r(4, 5), r(2, 3, 4), r(2, 4, 5), r(5))
def products(a, b, c, d, e):
    return a @ b, c @ d, c @ b, torch.addmm(e, a, b), torch.baddbmm(c @ d, c, d), torch.mm(a, b)


@program(r(3, 4), r(4))
def vectors(a, v):
    return a @ v, v @ v


@program(r(2, 3, 4), r(2, 4, 5), r(4, 5), r(6, 3))
def contractions(a, b, c, d):
    return torch.einsum("bij,bjk->bik", a, b), torch.einsum("bij,jk->bik", a, c), torch.tensordot(d, a, dims=([1], [1]))


@program(r(2, 4, 9, 8), r(6, 2, 3, 3), r(4, 3, 2, 2), r(2, 4, 9), r(5, 4, 3))
def convolutions(x, w, t, y, v):
    return (F.conv2d(x, w, groups=2), F.conv2d(x, w, stride=2, padding=1, groups=2), F.conv2d(x, w, dilation=2, groups=2, padding="same"),
            F.conv_transpose2d(x, t, stride=2), F.conv1d(y, v), F.conv3d(y[None, :, :, :, None], v[:, :2, :, None, None]))


@program(r(2, 4, 5, 8), r(2, 4, 7, 8), r(2, 4, 7, 8))
def attention(q, k, v):
    return F.scaled_dot_product_attention(q, k, v), F.scaled_dot_product_attention(q, q, q, is_causal=True)


@program(r(2, 6))
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.last = nn.Linear(6, 6), nn.BatchNorm1d(6), nn.Linear(6, 6)
        self.last.weight = self.first.weight
        self.register_buffer("scale", torch.ones(6), persistent=False)

    def forward(self, x):
        return self.last(self.norm(self.first(x))) * self.scale


@program(r(1, 3, 32, 32))
class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 7, stride=2, padding=3, bias=False), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2))
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.head = nn.Linear(8, 10)

    def forward(self, x):
        return self.head(self.layer(self.stem(x).flatten(2).transpose(1, 2)).mean(1))


def counted_by_torch(exported, inputs):
    with sdpa_kernel(SDPBackend.MATH), torch.no_grad(), FlopCounterMode(display=False) as counter:
        exported.module()(*inputs)
    return counter.get_total_flops()


def difference(name, cli, folder):
    """What differs, a line each."""
    module, inputs = PROGRAMS[name]
    exported = torch.export.export(module, inputs)
    file = pathlib.Path(folder, name + ".pt2")
    torch.export.save(exported, file)
    said = json.loads(subprocess.run([cli, "inspect", file, "--summary", "--json"], check=True, capture_output=True).stdout)
    parameters, buffers = list(module.parameters()), list(module.buffers())
    pairs = {
        "FLOPs": (said["flops"]["flops"], counted_by_torch(exported, inputs) + BEYOND.get(name, 0)),
        "calls of unknown FLOPs": (said["flops"]["unknown"], 0),
        "parameters": (said["stored"]["parameters"]["elements"], sum(each.numel() for each in parameters)),
        "parameter bytes": (said["stored"]["parameters"]["bytes"], sum(each.nbytes for each in parameters)),
        "buffers": (said["stored"]["buffers"]["elements"], sum(each.numel() for each in buffers)),
    }
    return [f"{name}: {what}: {ours}, PyTorch {theirs}" for what, (ours, theirs) in pairs.items() if ours != theirs]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        different = [line for name in PROGRAMS for line in difference(name, options.cli, folder)]
    print("\n".join(different) or f"{len(PROGRAMS)} programs: equal")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
