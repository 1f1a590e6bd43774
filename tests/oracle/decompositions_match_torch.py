# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decomposed programs compute what PyTorch computes.

Exports a sample of programs_decompositions.py, with every target, as torch.export.save writes it, lets fxscope decompose it (the essential
rules, and the program's own targets on request), runs the rewritten graph with PyTorch (run_dump.py) and compares the results
with eager execution. The targets that a program is about must be gone from its graph.

    decompositions_match_torch.py --cli build/release/bin/fxscope-cli [--all | --only NAME..]
"""
import argparse
import copy
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from programs_decompositions import PROGRAMS, RANDOM, Program  # noqa: E402
from run_dump import Runner, parse  # noqa: E402

# (relative, absolute): the half types keep 11 and 8 bits, and a decomposition rounds elsewhere than a kernel.
TOLERANCES = {torch.float16: (2e-2, 2e-2), torch.bfloat16: (4e-2, 4e-2)}
SAMPLED, FIRST_SAMPLED = 8, 4


def targets_of(text):
    return {node.target.removeprefix("torch.ops.") for nodes in parse(text).values() for node in nodes if node.op == "call_function"}


def inspect(cli, path, *options):
    done = subprocess.run([cli, "inspect", str(path), "--graph", *options], capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr.strip()[:300]}")
    return done.stdout


def differences(got, wanted, random):
    if len(got) != len(wanted):
        return [f"{len(got)} results, eager has {len(wanted)}"]
    problems = []
    for i, (a, b) in enumerate(zip(got, wanted)):
        if not isinstance(b, torch.Tensor):
            continue
        if a.dtype != b.dtype or a.shape != b.shape:
            problems.append(f"result {i} is {a.dtype}{list(a.shape)}, eager gives {b.dtype}{list(b.shape)}")
            continue
        relative, absolute = TOLERANCES.get(b.dtype, (1e-4, 2e-5))
        if not random and not torch.allclose(a, b, rtol=relative, atol=absolute, equal_nan=True):
            worst = (a.double() - b.double()).abs().max().item()
            problems.append(f"result {i} differs by {worst:.3g}")
    return problems


def check(cli, folder, name, targets, module, inputs, dynamic):
    """What is wrong with one program; [] when nothing is."""
    path = folder / f"{name}.pt2"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # A Program takes *inputs, so its shapes are those of one argument.
        shapes = {"inputs": dynamic} if dynamic and isinstance(module, Program) else dynamic
        exported = torch.export.export(copy.deepcopy(module), copy.deepcopy(inputs), dynamic_shapes=shapes, strict=False)
        torch.export.save(exported, path)
    before = targets_of(inspect(cli, path))
    problems = [f"{t} is not in the exported program, which has {sorted(before)}" for t in targets if t not in before]
    asked = [t for t in targets if t in before]
    text = inspect(cli, path, "--rewritten", *(["--decompose", ",".join(asked)] if asked else []))
    problems += [f"{t} is still there" for t in targets_of(text) if t in targets and t in before]
    with torch.no_grad():
        wanted = torch.utils._pytree.tree_leaves(copy.deepcopy(module)(*copy.deepcopy(inputs)))
    runner = Runner(text, {**exported.state_dict, **exported.constants})
    values, specs = runner(*copy.deepcopy(inputs))
    results = [value for value, (kind, _) in zip(values, specs) if kind == "user_output"]
    return problems + list(runner.mismatches) + differences(results, wanted, name in RANDOM)


def sample():
    """One in SAMPLED of the programs, and one in FIRST_SAMPLED of those that are the first of a target."""
    seen, first = set(), 0
    for number, program in enumerate(PROGRAMS):
        is_first = not seen.issuperset(program[1])
        seen.update(program[1])
        first += is_first
        if number % SAMPLED == 0 or (is_first and first % FIRST_SAMPLED == 1):
            yield program


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", required=True, help="fxscope-cli")
    parser.add_argument("--all", action="store_true", help="not only a sample")
    parser.add_argument("--only", nargs="*", help="these programs")
    options = parser.parse_args()
    failures, count = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name, targets, module, inputs, dynamic in PROGRAMS if options.all or options.only else sample():
            if options.only and name not in options.only:
                continue
            count += 1
            try:
                problems = check(options.cli, pathlib.Path(folder), name, targets, module, inputs, dynamic)
            except Exception as error:  # noqa: BLE001 - the program under test may raise anything
                problems = [f"{type(error).__name__}: {error}".splitlines()[0][:300]]
            if problems:
                failures += 1
                print(f"{name}: {'; '.join(problems)[:500]}", flush=True)
    print(f"{count - failures} of {count} programs compute what PyTorch computes")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
