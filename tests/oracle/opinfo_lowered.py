# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many of PyTorch's OpInfo samples lower: python3 opinfo_lowered.py --cli FXSCOPE_CLI [--programs N]

Programs of one operator (opinfo_programs.py) all of whose operators torch-mlir's dialect registers, in all their element types. Most must lower
as they are to each output type that can express them, and nearly all with the verified fixes (`fix`): TOSA has no complex numbers, no sizes of 0
and no sizes that depend on data; StableHLO's pipeline makes no complex numbers. What is left is listed. Skipped (77) without an engine or
PyTorch's expecttest.
"""
import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings

import torch

try:
    import opinfo_programs
    CHOSEN = opinfo_programs.programs()
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
REGISTERED = pathlib.Path(__file__).resolve().parents[2] / "resources/engine/registered_ops.txt"
WANTED = {"linalg-on-tensors": 0.92, "tosa": 0.90, "stablehlo": 0.92}
WANTED_WITH_FIXES = 0.97
SAMPLE = 60
SEED = 3


def values_of(program):
    for node in program.graph.nodes:
        value = node.meta.get("val")
        yield from (v for v in torch.utils._pytree.tree_leaves(value) if isinstance(v, (torch.Tensor, torch.SymInt)))


def calls_of(program):
    return [node.target for node in program.graph.nodes if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload)]


def mlir_name(target):
    name = "torch." + str(target)
    return name.removesuffix(".default")


def impossible(program):
    """The output types that cannot express the program."""
    out = set()
    for value in values_of(program):
        if isinstance(value, torch.SymInt) or (isinstance(value, torch.Tensor) and any(not isinstance(s, int) for s in value.shape)):
            out |= {"tosa", "stablehlo"}
        elif value.dtype.is_complex:
            out |= {"tosa", "stablehlo"}
        elif value.numel() == 0:
            out.add("tosa")
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--programs", type=int, default=SAMPLE)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    registered = set(REGISTERED.read_text().split())
    chosen = list(CHOSEN)
    random.Random(SEED).shuffle(chosen)
    count, plain, fixed, left = collections.Counter(), collections.Counter(), collections.Counter(), []
    with tempfile.TemporaryDirectory(prefix="fxscope-oracle-") as directory:
        file, out = str(pathlib.Path(directory, "program.pt2")), str(pathlib.Path(directory, "fixed.pt2"))
        programs = 0
        for _, name, export in chosen:
            if programs == arguments.programs:
                break
            try:
                program = export()
                calls = calls_of(program)
                if not calls or not all(mlir_name(target) in registered for target in calls):
                    continue
                torch.export.save(program, file)
            except Exception:
                continue
            programs += 1
            targets = [target for target in WANTED if target not in impossible(program)]
            missing = []
            for target in targets:
                done = subprocess.run([arguments.cli, "lower", file, "--to", target, "--json"], capture_output=True, text=True)
                if done.returncode == 4 and "engine fetch" in done.stderr:
                    print(done.stderr)
                    sys.exit(77)
                count[target] += 1
                plain[target] += done.returncode == 0
                if done.returncode != 0:
                    missing.append(target)
            for target in set(targets) - set(missing):
                fixed[target] += 1
            for target in missing:
                done = subprocess.run([arguments.cli, "fix", file, "--to", target, "-o", out, "--json"], capture_output=True, text=True)
                answer = json.loads(done.stdout) if done.returncode in (0, 1) else {"lowers": {target: False}, "stops": {target: done.stderr}}
                if answer["lowers"][target]:
                    fixed[target] += 1
                else:
                    left.append(f"{name} to {target}: {answer['stops'][target][:150]}")
                    if arguments.verbose:
                        print(left[-1], flush=True)
    problems = 0
    for target, wanted in WANTED.items():
        share, with_fixes = (kind[target] / max(count[target], 1) for kind in (plain, fixed))
        problems += share < wanted or with_fixes < WANTED_WITH_FIXES
        print(f"{target}: {plain[target]} of {count[target]} lower ({share:.1%}, wanted {wanted:.0%}), {fixed[target]} with fixes ({with_fixes:.1%})")
    for line in left:
        print(f"  {line}")
    sys.exit(1 if problems or not count else 0)


if __name__ == "__main__":
    main()
