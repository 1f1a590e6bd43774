# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a survey of every operation costs for three output types, against one plain lowering to one of them; and what a diagnosis of a
large program costs, against lowering it once. Needs no PyTorch.

    python3 tests/bench/survey.py build/release/bin ENGINE [--program FILE.pt2]

All are whole processes of fxscope-cli, in turn. Prints one row a claim: theirs, ours, ratio, wanted.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

import large_pt2


def seconds(argv):
    begin = time.perf_counter()
    subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("engine")
    parser.add_argument("--program")
    args = parser.parse_args()
    cli = os.path.join(args.bin, "fxscope-cli")
    os.environ["FXSCOPE_ENGINE"] = args.engine
    work = tempfile.mkdtemp()
    program = args.program or os.path.join(work, "n600.pt2")
    if not args.program:
        large_pt2.write(program, 600)
    lower = [cli, "lower", program, "--to", "linalg-on-tensors"]
    survey = [cli, "diagnose", program, "--to", "linalg-on-tensors,tosa,stablehlo", "--no-experiments"]
    seconds(survey)  # warm: what the engine registers is kept
    plain, surveyed = [], []
    for _ in range(7):
        plain.append(seconds(lower))
        surveyed.append(seconds(survey))
    plain, surveyed = statistics.median(plain), statistics.median(surveyed)
    limit = max(3 * plain, 3.0)
    print(f"{'ok ' if surveyed <= limit else 'NO '} survey for three output types: one lowering {plain * 1000:.0f} ms, survey "
          f"{surveyed * 1000:.0f} ms, {surveyed / plain:.1f}x (wanted <= 3x or 3 s)")
    large = os.path.join(work, "n20000.pt2")
    large_pt2.write(large, 20_000)
    lower = [cli, "lower", large, "--to", "linalg-on-tensors"]
    diagnose = [cli, "diagnose", large, "--to", "linalg-on-tensors"]
    plain, diagnosed = [], []
    for _ in range(3):
        plain.append(seconds(lower))
        diagnosed.append(seconds(diagnose))
    ratio = statistics.median(diagnosed) / statistics.median(plain)
    print(f"{'ok ' if ratio <= 2.5 else 'NO '} diagnosis of 20,000 nodes: one lowering {statistics.median(plain):.1f} s, diagnosis "
          f"{statistics.median(diagnosed):.1f} s, {ratio:.2f}x (wanted <= 2.5x)")
    return 0 if surveyed <= limit and ratio <= 2.5 else 1


if __name__ == "__main__":
    sys.exit(main())
