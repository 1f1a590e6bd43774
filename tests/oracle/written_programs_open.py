# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch opens what fxscope writes: python3 written_programs_open.py --write-programs PROGRAM FILE.pt2 ..

Each file is written as it was read, with its weights, as it is rewritten for lowering, and every call of that by itself, both without
weights. torch.export.load must open them all; the first must have the nodes, values and state of the original, and compute
what it computes. With --cli and an engine, the programs in reproducer bundles of what does not lower must open too.
"""
import argparse
import io
import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings
import zipfile

import torch
from torch import library

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)


def register_sample_operators():
    """What samples/custom_op.py defines."""
    acme = library.Library("acme", "DEF")
    acme.define("swiglu(Tensor x, Tensor y, float beta=1.0) -> Tensor")
    acme.impl("swiglu", lambda x, y, beta=1.0: x * torch.sigmoid(beta * x) * y, "CompositeExplicitAutograd")
    return acme


def random_like(meta):
    shape = [int(size) if isinstance(size, int) else 4 for size in meta.shape]
    if meta.dtype.is_floating_point or meta.dtype.is_complex:
        return torch.randn(shape, dtype=meta.dtype)
    return torch.ones(shape, dtype=meta.dtype)


def flat(value):
    return torch.utils._pytree.tree_leaves(value)


def compare(original, written):
    """What differs between a program and its copy, one line each."""
    def line(node):
        return f"{node.name} {node.op} {node.target} {node.args} {node.kwargs}"
    nodes = [(line(a), line(b)) for a, b in zip(original.graph.nodes, written.graph.nodes) if line(a) != line(b)]
    if nodes or len(original.graph.nodes) != len(written.graph.nodes):
        yield f"nodes: {nodes[:1]}"
    if original.state_dict.keys() != written.state_dict.keys():
        yield f"state: {sorted(original.state_dict.keys() ^ written.state_dict.keys())}"
    for name, value in original.state_dict.items():
        if not torch.equal(value, written.state_dict.get(name, torch.empty(0))):
            yield f"state: {name}"
    inputs = [n.meta["val"] for n in original.graph.nodes if n.name in original.graph_signature.user_inputs]
    if all(isinstance(value, torch.Tensor) for value in inputs):
        torch.manual_seed(1)
        inputs = [random_like(value) for value in inputs]
        given = torch.utils._pytree.tree_unflatten([x.clone() for x in inputs], original.call_spec.in_spec)
        torch.manual_seed(2)
        expected = flat(original.module(check_guards=False)(*given[0], **given[1]))
        torch.manual_seed(2)
        got = flat(written.module(check_guards=False)(*[x.clone() for x in inputs]))
        for i, (a, b) in enumerate(zip(expected, got, strict=True)):
            if not torch.equal(torch.as_tensor(a), torch.as_tensor(b)):
                yield f"result {i}"


def bundled_programs(cli, file, directory):
    """The programs in the bundles of a file, for each output type that it does not reach."""
    for target in ("linalg-on-tensors", "tosa", "stablehlo"):
        for options in ((), ("--reduce",)):
            out = pathlib.Path(directory) / "bundle.zip"
            done = subprocess.run([cli, "bundle", file, "--to", target, "-o", out, *options], capture_output=True, text=True)
            if done.returncode == 2 and "there is no failure to bundle" in done.stderr:
                continue
            if done.returncode != 0:
                raise RuntimeError(f"bundle to {target}: {done.stdout}{done.stderr}")
            with zipfile.ZipFile(out) as archive:
                yield io.BytesIO(archive.read(next(name for name in archive.namelist() if name.endswith("/program.pt2"))))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write-programs", required=True)
    parser.add_argument("--step", type=int, default=3, help="cut out every STEP-th call")
    parser.add_argument("--cli", help="fxscope-cli; bundles are made where FXSCOPE_ENGINE names an engine")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    library = register_sample_operators()
    opened, bundled, problems = 0, 0, []
    for file in arguments.files:
        with tempfile.TemporaryDirectory(prefix="fxscope-oracle-") as directory:
            done = subprocess.run([arguments.write_programs, file, directory, str(arguments.step)], capture_output=True, text=True)
            problems += [f"{file}: {line}" for line in done.stdout.splitlines() if "\tsame\t" not in line]
            if done.returncode != 0:
                problems.append(f"{file}: write_programs ended with {done.returncode} {done.stderr}")
            for written in sorted(pathlib.Path(directory).iterdir()):
                try:
                    program = torch.export.load(written)
                    opened += 1
                    if written.name == "whole.pt2":
                        problems += [f"{file}: {difference}" for difference in compare(torch.export.load(file), program)]
                except Exception as error:
                    problems.append(f"{file}: {written.name}: {type(error).__name__}: {str(error)[:300]}")
            try:
                for program in bundled_programs(arguments.cli, file, directory) if arguments.cli and os.environ.get("FXSCOPE_ENGINE") else []:
                    torch.export.load(program)
                    bundled += 1
            except Exception as error:
                problems.append(f"{file}: in a bundle: {type(error).__name__}: {str(error)[:300]}")
    del library
    print(f"{opened} programs opened, {bundled} in bundles, {len(problems)} problems")
    for problem in problems:
        print(problem)
    return 1 if problems or opened < 2 * len(arguments.files) else 0


if __name__ == "__main__":
    sys.exit(main())
