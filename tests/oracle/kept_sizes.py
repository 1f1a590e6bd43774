# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `fix` keeps symbolic: python3 kept_sizes.py --cli FXSCOPE_CLI [NAME ..]

Each program is exported with dynamic sizes that TOSA does not lower as they are. `fix --to tosa` must keep the sizes that the program says and name
them, torch_mlir.fx.export_and_import must lower what it writes, and that must compute what the original does, also for sizes that neither was
exported with. The Python that it writes must lower the original, with sizes fixed where `python_cost` says so. Skipped (77) without an engine.
"""
import json
import pathlib
import runpy
import subprocess
import sys
import tempfile
import warnings

import torch
from torch.nn.functional import embedding, layer_norm, scaled_dot_product_attention
from torch_mlir import fx

import installed

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
count, rows = torch.export.Dim("count", min=2, max=60), torch.export.Dim("rows", min=2, max=60)
torch.manual_seed(3)
TABLE, POSITIONS = torch.rand(64, 8), torch.arange(64).reshape(1, 64)


class Held(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function
        self.register_buffer("table", TABLE)
        self.register_buffer("positions", POSITIONS)
        self.register_buffer("windows", torch.where(torch.rand(64, 64) > 0.3, torch.rand(64, 64), float("-inf"))[None, None])

    def forward(self, *inputs):
        return self.function(self, *inputs)


def heads(x, number=2):
    return x.view(x.shape[0], x.shape[1], number, x.shape[2] // number).transpose(1, 2)


def attended(held, x, mask):
    """A mask of fewer dimensions, in operations that several symbolic sizes broadcast."""
    wide = mask[:, None, None, :].expand(1, 1, x.shape[1], x.shape[1]).to(x.dtype)
    made = scaled_dot_product_attention(heads(x), heads(x), heads(x), (1 - wide) * -1e4)
    return made.transpose(1, 2).reshape(1, x.shape[1], 8)


def written_out(held, x):
    causal = torch.arange(x.shape[1])[None, :] <= torch.arange(x.shape[1])[:, None]
    scores = torch.matmul(heads(x), heads(x).transpose(-1, -2)) / 2
    return torch.matmul(scores.masked_fill(~causal, -1e4).softmax(-1), heads(x)).transpose(1, 2).reshape(1, -1, 8)


def in_evaluation(held, x, mask):
    """Of two sizes, by operations of fewer dimensions, with a dropout that does nothing."""
    scores = torch.matmul(heads(x), heads(x).transpose(-1, -2)) / 2 + (1.0 - mask[:, None, None, :].type_as(x)) * -1e4
    weights = torch.nn.functional.dropout(scores.softmax(-1), 0.1, training=False)
    return torch.matmul(weights, heads(x)).transpose(1, 2).reshape(1, -1, 8)


def across(held, x, mask):
    """Attention of a static size to a symbolic one."""
    wide = mask[:, None, None, :].expand(1, 1, 4, x.shape[1])
    return scaled_dot_product_attention(heads(held.table[None, :4]), heads(x), heads(x), wide)


def window(held, x):
    """Of a table, in two dimensions; the rest does not count."""
    seen = held.windows[:, :, :x.shape[1], :x.shape[1]]
    scores = torch.matmul(heads(x), heads(x).transpose(-1, -2))
    scores = torch.max(torch.where(seen > 0.5, scores * seen, -1e4), torch.tensor(-1e3))
    return torch.matmul(scores.softmax(-1), heads(x))


def narrow(held, x):
    kept = (x > 0.5).int()
    return torch.nn.functional.embedding((kept.cumsum(1).type_as(kept) * kept).long(), held.table)


def filtered(held, x):
    """By groups that are not depthwise."""
    return torch.nn.functional.gelu(torch.nn.functional.conv1d(x, held.table[:8, :4, None].repeat(1, 1, 3), None, 1, 1, 1, 2), approximate="tanh")


def with_class(held, x):
    token = held.table[:1, None, :].expand(x.shape[0], -1, -1)
    return layer_norm(torch.cat([token, x], 1), [8])[:, 0]


BATCH, LINE = {0: count}, {1: count}
# (name, function, inputs, sizes of each input, inputs of other sizes, how many symbolic sizes are kept)
PROGRAMS = (
    ("class_token", with_class, (torch.rand(3, 5, 8),), (BATCH,), (torch.rand(7, 5, 8),), 1),
    ("view", lambda held, x: x.transpose(1, 2).reshape(x.shape[0], -1), (torch.rand(3, 5, 8),), (BATCH,), (torch.rand(6, 5, 8),), 1),
    ("slice", lambda held, x: x[:, 1:4] + x[:, -3:] * 2, (torch.rand(3, 5, 8),), (BATCH,), (torch.rand(4, 5, 8),), 1),
    ("chunks", lambda held, x: torch.cat([-x.chunk(2, -1)[1], x.chunk(2, -1)[0]], -1), (torch.rand(1, 5, 8),), (LINE,), (torch.rand(1, 9, 8),), 1),
    ("gated", lambda held, x: torch.nn.functional.glu(x) * torch.tensor([2.0, 3.0, 4.0, 5.0]), (torch.rand(3, 5, 8),), (BATCH,), (torch.rand(6, 5, 8),), 1),
    ("zeros", lambda held, x: torch.zeros(x.shape[0], 4) + x.sum((1, 2))[:, None], (torch.rand(3, 5, 8),), (BATCH,), (torch.rand(9, 5, 8),), 1),
    ("positions", lambda held, x: embedding(held.positions[:, :x.shape[1]], held.table) + x, (torch.rand(1, 5, 8),), (LINE,), (torch.rand(1, 40, 8),), 1),
    ("last", lambda held, x: x[:, -1], (torch.rand(1, 5, 8),), (LINE,), (torch.rand(1, 11, 8),), 1),
    ("count", lambda held, x: x.cumsum(1) / torch.arange(1, x.shape[1] + 1)[None, :], (torch.rand(1, 5),), (LINE,), (torch.rand(1, 12),), 1),
    ("attention", attended, (torch.rand(1, 5, 8), torch.tensor([[1, 1, 1, 0, 1]])), (LINE, LINE), (torch.rand(1, 7, 8), torch.ones(1, 7, dtype=torch.int64)), 1),
    ("products", written_out, (torch.rand(1, 5, 8),), (LINE,), (torch.rand(1, 8, 8),), 1),
    ("evaluation", in_evaluation, (torch.rand(1, 5, 8), torch.tensor([[1, 1, 1, 0, 1]])), (LINE, LINE), (torch.rand(1, 9, 8), torch.ones(1, 9, dtype=torch.int64)), 1),
    ("window", window, (torch.rand(1, 5, 8),), (LINE,), (torch.rand(1, 9, 8),), 1),
    ("narrow", narrow, (torch.rand(1, 5),), (LINE,), (torch.rand(1, 12),), 1),
    ("filtered", filtered, (torch.rand(3, 8, 6),), (BATCH,), (torch.rand(5, 8, 6),), 1),
    ("repeated", lambda held, x: x + held.table[:2].repeat(x.shape[0], 1)[: x.shape[0]], (torch.rand(3, 8),), (BATCH,), (torch.rand(5, 8),), 1),
    ("across", across, (torch.rand(1, 5, 8), torch.rand(1, 5)), (LINE, LINE), (torch.rand(1, 6, 8), torch.rand(1, 6)), 1),
)


def saved(program, folder):
    name, function, inputs, sizes, _, _ = program
    path = folder / f"{name}.pt2"
    torch.export.save(torch.export.export(Held(function), inputs, dynamic_shapes={"inputs": sizes}, strict=False), path)
    return path


def failure(cli, program, folder):
    path, fixed, script = saved(program, folder), folder / "fixed.pt2", folder / "fixed.py"
    run = subprocess.run([cli, "fix", path, "--to", "tosa", "-o", fixed, "--python", script, "--json"], capture_output=True, text=True)
    if run.returncode != 0:
        return f"fix: {run.stderr or run.stdout}"
    sizes = [size for change in json.loads(run.stdout)["changes"] for size in change["sizes"]]
    kept = [size for size in sizes if size["fixed"] is None]
    if len(kept) != program[5] or any(not size["dimensions"] for size in sizes):
        return f"sizes: {sizes}"
    original, written = torch.export.load(path), torch.export.load(fixed)
    for inputs in (program[2], program[4]):
        torch.testing.assert_close(written.module()(*inputs), original.module()(*inputs))
    fx.export_and_import(written, output_type="tosa")
    if not script.exists():
        return f"no Python: {run.stderr}"
    if "is fixed to" not in json.loads(run.stdout)["python_cost"]:
        return f"python_cost: {run.stdout}"
    runpy.run_path(script)["lower"](original)
    return ""


def main():
    given = installed.asked(__doc__)
    failed = 0
    for program in PROGRAMS:
        if given.names and program[0] not in given.names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                why = failure(given.cli, program, pathlib.Path(folder))
            except Exception as error:
                why = f"{type(error).__name__}: {' '.join(str(error).split())[:400]}"
        print(f"{program[0]}: {why or 'as the original'}")
        failed += bool(why)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
