"""What a survey of every operation costs for three output types, against one plain lowering to one of them. Needs no PyTorch.

    python3 tests/bench/survey.py build/release/bin ENGINE [--program FILE.pt2]

Both are whole processes of fxscope-cli, in turn. Prints one row: theirs, ours, ratio, wanted.
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
    return 0 if surveyed <= limit else 1


if __name__ == "__main__":
    sys.exit(main())
