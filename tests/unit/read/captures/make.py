# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the captures of this folder: python make.py

Each sample named in SAMPLES as fxscope_capture dumps it, to be held against the sample's .pt2; and in breaks/ the graphs of a model
that torch.compile breaks in two.
"""
import json
import pathlib
import runpy
import subprocess
import sys

import torch

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[3]
sys.path[:0] = [str(SOURCE / "resources" / "python"), str(SOURCE / "samples")]
import fxscope_capture

SAMPLES = ("buffer_mutation", "control_flow", "decoder_dynamic")


def compact(path):
    path.write_text(json.dumps(json.loads(path.read_text()), separators=(",", ":")).replace('{"op":', '\n{"op":') + "\n")


class Breaks(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        y = self.linear(x)
        print("between")
        return y.relu()


def sample(name):
    """Runs the sample's script, with what it saves dumped instead."""
    out = HERE / f"{name}.json"
    torch.export.save, real = lambda program, _: fxscope_capture.dump(program, out, title=name), torch.export.save
    try:
        runpy.run_path(str(SOURCE / "samples" / f"{name}.py"), run_name="__main__")
    finally:
        torch.export.save = real
    compact(out)


def breaks():
    torch.manual_seed(0)
    torch.compile(Breaks(), backend=fxscope_capture.backend(str(HERE / "breaks")))(torch.randn(3, 4))
    for path in (HERE / "breaks").glob("*.json"):
        text = path.read_text()
        path.write_text(text.replace(str(HERE) + "/", "captures/"))
        compact(path)


if __name__ == "__main__":
    if len(sys.argv) == 2:
        sample(sys.argv[1])
    else:
        for each in SAMPLES:  # PyTorch counts the functions that it makes: each in a process of its own, as the sample was
            subprocess.run([sys.executable, "-B", __file__, each], check=True)
        breaks()
