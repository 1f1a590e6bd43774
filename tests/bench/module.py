# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an MLIR module costs, as ratios of CPU time within one run against the same program from a .pt2. Needs no PyTorch.

    python3 tests/bench/module.py build/release/bin ENGINE [--operations N]

Prints one row a claim: what, of the .pt2, of the module, ratio, wanted.
"""
import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile

import large_pt2
from speed import run

RUNS = {"inspect": 11, "render": 5, "lower": 3, "trace": 3}


def cpu(argv, **kw):
    """Of the command and what it started, user and system, seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(argv, stdout=subprocess.DEVNULL, check=True, **kw)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("engine")
    parser.add_argument("--operations", type=int, default=20_000)
    args = parser.parse_args()
    cli = os.path.join(args.bin, "fxscope-cli")
    os.environ["FXSCOPE_ENGINE"] = args.engine
    work = tempfile.mkdtemp()
    program, raw, module = (os.path.join(work, name) for name in ("n.pt2", "raw.mlir", "n.mlir"))
    large_pt2.write(program, args.operations * 7 // 9)  # seven nodes are nine operations
    run([cli, "import", program, "-o", raw])
    run([args.engine, raw, "-o", module])  # without locations, as a stranger's file
    options = {"inspect": [], "render": ["--expand", "all", "-o", os.path.join(work, "out.svg")],
               "lower": ["--to", "linalg-on-tensors", "-o", os.path.join(work, "lowered")],
               "trace": ["--to", "linalg-on-tensors", "-o", os.path.join(work, "trace")]}
    good = []

    def row(what, theirs, ours, wanted):
        ratio = ours / theirs
        good.append(ratio <= wanted)
        print(f"{'ok ' if good[-1] else 'NO '} {what:45} .pt2 {theirs * 1000:8.0f} ms  module {ours * 1000:8.0f} ms  "
              f"{ratio:5.2f}x  wanted <= {wanted}x", flush=True)

    for command, count in RUNS.items():
        theirs, ours, printed = [], [], []
        for _ in range(count):
            theirs.append(cpu([cli, command, program, *options[command]]))
            ours.append(cpu([cli, command, module, *options[command]]))
            if command == "inspect":
                with open(module) as text:
                    printed.append(cpu([args.engine, "-"], stdin=text))
        middle = statistics.median
        if command == "inspect":
            # A .pt2 needs no engine to be shown; a module is printed by it first.
            row("inspect, without the engine that reads it", middle(theirs), middle(ours) - middle(printed), 1.2)
            row("inspect", middle(theirs), middle(ours), 2.2)
        else:
            row(command, middle(theirs), middle(ours), 1.2)
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
