# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's decompositions as experiments: python3 python_decompositions.py --cli FXSCOPE_CLI

An operator that PyTorch takes apart into what lowers is proved to be helped; one that becomes another blocked operator is not, nor
is one that PyTorch cannot take apart; a Python without PyTorch is said to be none. Skipped (77) without an engine.
"""
import argparse
import json
import logging
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
SKIP = 77


class FloatPower(torch.nn.Module):
    def forward(self, x):
        return torch.float_power(x, 2).relu()


class Factors(torch.nn.Module):
    def forward(self, x):
        return torch.linalg.eigvalsh(x), torch.linalg.qr(x)[0]


class Bessel(torch.nn.Module):
    def forward(self, x):
        return torch.special.bessel_j0(x)


def diagnose(cli, model, directory, target, python):
    path = pathlib.Path(directory, "model.pt2")
    torch.export.save(torch.export.export(model, (torch.rand(4, 4),)), path)
    done = subprocess.run([cli, "diagnose", path, "--to", target, "--json", "--python", python], capture_output=True, text=True)
    if done.returncode == 4 and "engine fetch" in done.stderr:
        print(done.stderr)
        sys.exit(SKIP)
    answer = json.loads(done.stdout)
    tried = {f["target"]: e for f in answer["findings"] for e in f["experiments"] if e["id"] == "torch-decompose"}
    return answer, tried


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    cli = parser.parse_args().cli
    wrong = []

    def expect(what, condition):
        if not condition:
            wrong.append(what)

    with tempfile.TemporaryDirectory() as directory:
        answer, tried = diagnose(cli, FloatPower(), directory, "linalg-on-tensors", sys.executable)
        helped = tried.get("aten.float_power.Tensor_Scalar", {})
        expect(f"float_power is proved: {helped}", helped.get("proof") == "proved")
        expect(f"the Python is named: {answer['python']}", torch.__version__ in answer["python"])

        _, tried = diagnose(cli, Factors(), directory, "tosa", sys.executable)
        values = tried.get("aten.linalg_eigvalsh.default", {})
        expect(f"linalg_eigvalsh becomes _linalg_eigh, which is blocked: {values}",
               values.get("outcome") == "failed" and "aten._linalg_eigh" in values["message"])
        expect(f"linalg_qr has no decomposition: {tried}",
               tried.get("aten.linalg_qr.default", {}).get("message") == "PyTorch has no decomposition of it")

        _, tried = diagnose(cli, Bessel(), directory, "tosa", sys.executable)
        expect(f"bessel_j0 has none: {tried}", tried.get("aten.special_bessel_j0.default", {}).get("outcome") == "failed")

        answer, tried = diagnose(cli, Bessel(), directory, "tosa", "/bin/false")
        expect(f"no Python: {answer['python']}", answer["python"].startswith("none: ") and not tried)
    for line in wrong:
        print("WRONG:", line)
    print("1 helped, 3 not, 1 without PyTorch" if not wrong else f"{len(wrong)} wrong")
    return 1 if wrong else 0


sys.exit(main())
