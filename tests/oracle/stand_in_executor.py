# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executors that disagree are never the same: python3 stand_in_executor.py --cli FXSCOPE_CLI [--all]

A stand-in for clang alters what LLVM computes of a right program, by a change of one kind, or lets it crash. `compare` must say that the program is
suspicious, with exit code 1, that LLVM accuses and IREE defends it, and that it is not the program's fault where the node shows it by itself. By default a
sample. Skipped (77) without both executors.
"""
import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import warnings

import torch

from oracle_programs import Function

warnings.filterwarnings("ignore")
SKIP = 77
SAMPLE = ("add", "nan_is_less", "crash")
f, x, y = torch.nn.functional, torch.randn(3, 19), torch.randn(3, 19)
i, j = torch.randint(-9, 9, (3, 19)), torch.randint(1, 9, (3, 19))
# Name: the program, its inputs, and a change of the LLVM IR as a script of sed.
CASES = {
    "add": (lambda a, b: torch.relu(a) + b, (x, y), "s/ fadd / fsub /"),
    "multiply": (lambda a, b: a * b, (x, y), "s/ fmul / fadd /"),
    "divide": (lambda a, b: a / (b.abs() + 1), (x, y), "s/ fdiv / fmul /"),
    "negate": (lambda a: -a, (x,), r"s/= fneg \(.*\) \(%[0-9a-z.]*\)$/= fadd \1 \2, 0.0/"),
    "nan_is_less": (torch.relu, (x,), "s/ fcmp ugt / fcmp ogt /; s/ fcmp uno / fcmp false /"),
    "equal_is_greater": (lambda a, b: (a > b).to(torch.float32), (x, y), "s/ fcmp ogt / fcmp oge /"),
    "less_is_greater": (lambda a, b: (a < b).to(torch.float32), (x, y), "s/ fcmp olt / fcmp ogt /"),
    "integer_add": (lambda a, b: a + b, (i, j), "s/ add i64 / sub i64 /"),
    "integer_product": (lambda a, b: a * b, (i, j), "s/ mul i64 %\\([0-9]*\\), %/ or i64 %\\1, %/"),
    "signed_quotient": (lambda a, b: torch.div(a, b, rounding_mode="trunc"), (i, j), "s/ sdiv i64/ udiv i64/"),
    "signed_less": (lambda a, b: torch.where(a < b, 1, 2), (i, j), "s/ icmp slt i64 %\\([0-9]*\\), %/ icmp ult i64 %\\1, %/"),
    "signed_maximum": (lambda a, b: torch.maximum(a, b), (i, j), "s/ icmp sgt i64 %\\([0-9]*\\), %/ icmp ugt i64 %\\1, %/"),
    "signed_shift": (lambda a: a >> 1, (i,), "s/ ashr i64/ lshr i64/"),
    "signed_to_float": (lambda a: a.to(torch.float32), (i,), "s/ sitofp / uitofp /"),
    "sign_extension": (lambda a: a.to(torch.int64), (i.to(torch.int8),), "s/ sext i8/ zext i8/"),
    "narrow": (lambda a: a.to(torch.int8), (i,), "s/ trunc i64 %\\([0-9]*\\) to i8/ trunc i64 0 to i8/"),
    "xor": (lambda a, b: a ^ b, (i, j), "s/ xor i64 %\\([0-9]*\\), %/ and i64 %\\1, %/"),
    "not": (torch.logical_not, (i,), "s/ icmp eq i64 %\\([0-9]*\\), 0$/ icmp ne i64 %\\1, 0/; s/ xor i1 / or i1 /"),
    "exponential": (torch.exp, (x,), "s/llvm.exp.f32/llvm.exp2.f32/g; s/@expf/@exp2f/g"),
    "constant": (lambda a: a * 3 + 1, (x,), "s/, 3.000000e+00/, 3.500000e+00/; s/float 3.000000e+00/float 3.500000e+00/"),
    "last_row": (lambda a, b: a + b, (x, y), "s/icmp slt i64 %\\([0-9]*\\), 3$/icmp slt i64 %\\1, 2/"),
    "crash": (lambda a, b: a + b, (x, y), "/fadd/i call void @llvm.trap()\n$a declare void @llvm.trap()"),
}
CLANG = """#!/bin/sh
for argument in "$@"; do case $argument in *.ll) /usr/bin/sed -i {change} "$argument" ;; esac; done
exec /usr/bin/clang-22 "$@"
"""


def problems_of(name, cli, work):
    """What is wrong with the answer, a line each; None if an executor is missing."""
    function, inputs, change = CASES[name]
    folder = work / name
    folder.mkdir()
    program = folder / "program.pt2"
    torch.export.save(torch.export.export(Function(function), inputs), program)
    # Within the script: the cage lets a tool read no other file of the folder.
    (folder / "clang-22").write_text(CLANG.format(change=shlex.quote(change)))
    (folder / "clang-22").chmod(0o755)
    done = subprocess.run([cli, "compare", program, "--to", "linalg-on-tensors", "--python", sys.executable, "--json"], capture_output=True, text=True,
                          env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"})
    if not done.stdout:
        return [f"no answer: {done.stderr[-300:]}"]
    answer = json.loads(done.stdout)
    if len(answer["executors"]) < 2:
        return None
    target = answer["targets"][0]
    out = [] if done.returncode == 1 else [f"exit code {done.returncode}"]
    for key, expected in (("verdict", "suspicious"), ("accusers", ["llvm"]), ("defenders", ["iree"])):
        if target[key] != expected:
            out.append(f"{key} is {target[key]}: {target['message']}")
    if "of the text" in (target["fault"] or "") or not target["fault"]:
        out.append(f"fault: {target['fault']}")
    print(f"{name}: {target['verdict']}, {target['message']}; {target['fault']}", flush=True)
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", nargs="+")
    arguments = parser.parse_args()
    problems = []
    with tempfile.TemporaryDirectory() as directory:
        for name in arguments.only or (CASES if arguments.all else SAMPLE):
            found = problems_of(name, arguments.cli, pathlib.Path(directory))
            if found is None:
                print("an executor is missing")
                sys.exit(SKIP)
            problems += [f"{name}: {line}" for line in found]
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
