# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helion kernels put together by `registry` compute what the kernels compute.

    ORACLE_PYTHON helion_kernels.py --cli build/release/bin/fxscope-cli [--only REGEX] [--helion PYTHON]

Each file of samples/kernels is lowered with the tile sizes of its file and with sizes that do not divide the extents, with TOSA as the
primary registry and with linalg; the text is verified by torch-mlir-opt where there is one and by mlir-opt-22 where it is installed, every
operation in it is located at a node, and it runs on the CPU (run_mlir.py), kernels with symbolic sizes at several sizes. The results are
those of the same mathematics in eager PyTorch; with --helion, a Python that has Helion 1.5.1, the kernels are captured anew, and the results
are those of Helion's interpreter, too (77 if it has none).
"""
import argparse
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import torch

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
sys.path.insert(0, str(HERE))
from run_mlir import Failed, Module  # noqa: E402

# Absolute; of f16, in parts of values above 1: one unit in the last place.
TOLERANCE = {torch.float32: 1e-5, torch.float16: 1e-3, torch.int64: 0}
ENGINE = os.environ.get("FXSCOPE_ENGINE", str(SOURCE / ".cache" / "engine" / "torch-mlir-opt"))


def softmax_attention(q, k, v):
    return torch.softmax(q @ k.transpose(1, 2) / math.sqrt(q.shape[-1]), -1) @ v


def add_if(x, y, tile):
    v = x + y * 2.0
    v = torch.where(torch.arange(len(v)) < tile, torch.sigmoid(v), v)
    return torch.where(v > 0, v, x)


def jagged_sum(x, offsets):
    ends = offsets.tolist()
    return torch.stack([x[a:b].sum(0) for a, b in zip(ends, ends[1:])])


R = torch.randn
IDS = torch.tensor([3, 0, 7, 7, 2, 5, 1, 9, 4, 4, 6, 0, 8])
OFFSETS = torch.tensor([0, 3, 8, 8, 15, 20])
# By kernel: the tensors that the host function makes and the kernel reads.
MADE = {"scatter_rows": lambda ids, x: [torch.zeros(10, 24)], "two_steps": lambda x: [torch.zeros(20)],
        "jagged_sum": lambda x, offsets: [x.reshape(-1)]}
# Helion's interpreter does not implement hl.jagged_tile.
NOT_INTERPRETED = ("jagged_sum",)
# By kernel: what it computes, the shapes of its inputs, and the sizes of tiles besides those of the file.
KERNELS = {
    "matmul": (lambda x, y: [x @ y], [[(64, 32), (32, 48)], [(70, 33), (33, 50)], [(5, 7), (7, 3)]],
               [{"u0": 16, "u1": 16, "u2": 8}, {"u0": 7, "u1": 9, "u2": 5}]),
    "matmul_f16": (lambda x, y: [torch.relu(x.float() @ y.float()).half()], [[(64, 32), (32, 48)]],
                   [{"u0": 16, "u1": 16, "u2": 8}, {"u0": 7, "u1": 9, "u2": 5}]),
    "softmax": (lambda x: [torch.softmax(x, 1)], [[(64, 100)]], [{"u0": 16}, {"u0": 7}, {"u0": 100}]),
    "max_dim": (lambda x: [x.amax(1), x.argmax(1)], [[(64, 100)]], [{"u0": 16}, {"u0": 7}]),
    "attention": (lambda q, k, v: [softmax_attention(q, k, v)], [[(2, 64, 32)] * 3],
                  [{"u0": 1, "u1": 16, "u3": 16}, {"u0": 2, "u1": 7, "u3": 10}]),
    "layer_norm": (lambda x, w, b, eps: [torch.nn.functional.layer_norm(x, (64,), w, b, eps)], [[(32, 64), (64,), (64,), 1e-5]],
                   [{"u0": 16}, {"u0": 7}]),
    "add_if": (None, [[(100,), (100,)]], [{"u0": 16}, {"u0": 7}, {"u0": 100}]),
    "sum_rows": (lambda x: [x.sum(-1)], [[(64, 100)], [(37, 41)], [(1, 5)]], [{"u0": 16}, {"u0": 7}]),
    "cubic_gelu": (lambda x, share: [torch.clamp(torch.nn.functional.gelu(x**3), max=share) * (1 - share)], [[(100,), 0.25]],
                   [{"u0": 16}, {"u0": 7}]),
    "dot_f16": (lambda x, y: [x.float() @ y.float()], [[(32, 40), (40, 48)]], [{"u0": 16, "u1": 7, "u2": 9}]),
    "turned_pairs": (lambda x: [torch.stack([-x[..., 1], x[..., 0]], -1)], [[(20, 24, 2)]], [{"u0": 7, "u1": 9}]),
    "gather_rows": (lambda ids, table: [table[ids]], [[IDS, (10, 24)]], [{"u0": 4, "u1": 7}]),
    "scatter_rows": (lambda ids, x: [torch.zeros(10, 24).index_add(0, ids, x)], [[IDS, (13, 24)]], [{"u1": 4, "u2": 7}]),
    "joined_columns": (lambda x, y: [torch.cat([x, y], 1)], [[(20, 40), (20, 25)]], [{"u0": 7, "u1": 16}]),
    "jagged_sum": (lambda x, offsets: [jagged_sum(x, offsets)], [[(20, 12), OFFSETS]], [{"u0": 2, "u1": 5, "u2": 3}]),
    "two_steps": (lambda x: [x.sum(1), x - x.sum(1, keepdim=True)], [[(20, 30)]], [{"u0": 7, "u2": 16, "u3": 7}]),
}
FAILURES = []


def check(condition, what):
    if not condition:
        FAILURES.append(what)
        print("FAILED:", what)


def unlocated(text):
    """Lines of operations in the function without a node."""
    inside = text[text.index('"func.func"'):text.rindex("}) : () -> ()")]
    ends = [line for line in inside.splitlines()[2:] if re.search(r"\) -> |^\s*\^bb", line) and not line.endswith("({")]  # those end further down
    return [line for line in ends if 'loc("' not in line]


def verified(text, name):
    for tool in (ENGINE, shutil.which("mlir-opt-22")):
        if tool and os.path.exists(tool):
            done = subprocess.run([tool, "-o", os.devnull], input=text, capture_output=True, text=True)
            check(done.returncode == 0, f"{name}: {os.path.basename(tool)} rejects the text: {done.stderr[:500]}")


def lower(cli, path, blocks, primary):
    command = [cli, "registry", str(path), "--primary", primary, "--engine", ENGINE]
    for symbol, size in blocks.items():
        command += ["--block-size", f"{symbol}={size}"]
    return subprocess.run(command, capture_output=True, text=True)


def same(got, want, name):
    check(len(got) == len(want), f"{name}: {len(got)} results instead of {len(want)}")
    worst = 0.0
    for a, b in zip(got, want):
        check((a.dtype, a.shape) == (b.dtype, b.shape), f"{name}: {a.dtype}{list(a.shape)} instead of {b.dtype}{list(b.shape)}")
        if a.shape != b.shape:
            continue
        scale = b.double().abs().clamp(min=1) if b.dtype is torch.float16 else 1
        error = ((a.double() - b.double()).abs() / scale).max().item()
        worst = max(worst, error)
        check(error <= TOLERANCE[b.dtype], f"{name}: an error of {error:.3g}")
    return worst


def inputs_of(shapes, dtype):
    return [shape if isinstance(shape, (float, torch.Tensor)) else R(shape).to(dtype) for shape in shapes]


def run_kernel(cli, kernel, path, interpreted):
    mathematics, shapes, choices = KERNELS[kernel]
    given = [inputs_of(each, torch.float16 if kernel.endswith("f16") else torch.float32) for each in shapes]
    isInterpreted = interpreted and kernel not in NOT_INTERPRETED
    helions = [interpreted(kernel, inputs) if isInterpreted else None for inputs in given]
    for blocks in [{}, *choices]:
        for primary in ("tosa", "linalg"):
            name = f"{kernel} {blocks or 'as in the file'} {primary}"
            done = lower(cli, path, blocks, primary)
            check(done.returncode == 0, f"{name}: exit {done.returncode}: {done.stderr[:500]}")
            if done.returncode:
                continue
            verified(done.stdout, name)
            check(not unlocated(done.stdout), f"{name}: without a node: {unlocated(done.stdout)[:3]}")
            try:
                module = Module(done.stdout)
            except Failed as error:
                check(False, f"{name}: {error}")
                continue
            for each, inputs, helion in zip(shapes, given, helions):
                got = module.call("main", *inputs, *(MADE[kernel](*inputs) if kernel in MADE else []))
                want = mathematics(*inputs) if mathematics else [add_if(*inputs, blocks.get("u0", 64))]
                worst = same(got, want, f"{name} {each}")
                if helion and (kernel != "add_if" or blocks.get("u0") == 100):
                    worst = max(worst, same(got, helion, f"{name} {each} against Helion"))
                print(f"{name} {each}: {'scf.forall' if 'scf.forall' in done.stdout else 'scf.for'}, error {worst:.2g}")


# Helion's interpreter multiplies with a dtype, which PyTorch implements for GPUs only; and it runs all of a loop as one tile.
INTERPRET = """
import runpy, sys, torch
cpu = torch.library.Library("aten", "IMPL")
for product in ("mm", "bmm"):
    cpu.impl(product + ".dtype", lambda a, b, dtype: a.to(dtype) @ b.to(dtype), "CPU")
for product in ("addmm", "baddbmm"):
    cpu.impl(product + ".dtype", lambda c, a, b, dtype, beta=1, alpha=1: beta * c + alpha * (a.to(dtype) @ b.to(dtype)), "CPU")
kernels = runpy.run_path(sys.argv[1])["KERNELS"]
given = torch.load(sys.argv[3])
kernel, captured = kernels[sys.argv[2]][:2]
out = kernel(*given, *captured[len(given):])  # numbers of the host come last
torch.save(list(out) if isinstance(out, tuple) else [out], sys.argv[3])
"""


def interpreter(python, work):
    def interpreted(kernel, inputs):
        path = os.path.join(work, "values.pt")
        torch.save(inputs, path)
        subprocess.run([python, "-B", "-c", INTERPRET, str(SOURCE / "samples" / "kernels" / "make_kernels.py"), kernel, path], check=True,
                       env={**os.environ, "HELION_INTERPRET": "1"}, capture_output=True)
        return torch.load(path)

    return interpreted


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--helion", help="a Python with Helion 1.5.1")
    options = parser.parse_args()
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as work:
        folder, interpreted = SOURCE / "samples" / "kernels", None
        if options.helion:
            if subprocess.run([options.helion, "-c", "import helion"], capture_output=True).returncode:
                print(f"skipped: {options.helion} has no Helion")
                return 77
            subprocess.run([options.helion, "-B", str(folder / "make_kernels.py"), work], check=True, capture_output=True)
            folder, interpreted = pathlib.Path(work), interpreter(options.helion, work)
        for kernel in KERNELS:
            if re.search(options.only, kernel):
                run_kernel(options.cli, kernel, folder / f"{kernel}.json", interpreted)
    print(f"{len(FAILURES)} failures")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
