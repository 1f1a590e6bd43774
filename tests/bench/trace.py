# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a trace costs, as a ratio within one run against the plain run of the engine on the same text. Needs no PyTorch.

    python3 tests/bench/trace.py build/release/bin ENGINE [--program FILE.pt2]

Prints one row a claim: what, theirs, ours, ratio or figure, wanted.
"""
import argparse
import os
import statistics
import sys
import tempfile

import large_pt2
from speed import peak_memory, phase_seconds, run


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("engine")
    parser.add_argument("--program")
    args = parser.parse_args()
    cli = os.path.join(args.bin, "fxscope-cli")
    os.environ["FXSCOPE_ENGINE"] = args.engine
    work = tempfile.mkdtemp()
    program = args.program or os.path.join(work, "n2400.pt2")
    if not args.program:
        large_pt2.write(program, 2400)
    raw, stored = os.path.join(work, "lowering.mlir"), os.path.join(work, "trace")
    run([cli, "import", program, "-o", raw])
    pipeline = ("builtin.module(func.func(torch-match-quantized-custom-ops),torchdynamo-export-to-torch-backend-pipeline{extra-library=},"
                "torch-backend-to-linalg-on-tensors-backend-pipeline)")
    trace = [cli, "trace", program, "--to", "linalg-on-tensors", "-o", stored, "--timings"]
    run(trace)  # warm: the engine's flattened pipelines are kept
    plain, traced, opened = [], [], []
    for _ in range(21):
        plain.append(run([args.engine, f"--pass-pipeline={pipeline}", raw, "-o", os.path.join(work, "out.mlir")])[0])
        traced.append(phase_seconds(run(trace)[1].stderr, "trace"))
        opened.append(run([cli, "trace", stored])[0])
    middle = statistics.median
    good = []

    def row(ok, text):
        good.append(ok)
        print(f"{'ok ' if ok else 'NO '} {text}", flush=True)

    ratio = middle(traced) / middle(plain)
    row(ratio <= 1.8, f"trace to linalg: engine alone {middle(plain) * 1000:.0f} ms, trace {middle(traced) * 1000:.0f} ms, {ratio:.2f}x (wanted <= 1.8x)")
    row(middle(opened) < 0.2, f"opening the stored trace: {middle(opened) * 1000:.0f} ms, the whole process (wanted < 200 ms)")
    _, peak = peak_memory(trace[:-1])
    row(peak < 300 * 2**20, f"memory of a trace, the engine's included where it is larger: {peak / 2**20:.0f} MiB (wanted < 300 MiB)")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
