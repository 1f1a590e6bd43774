# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed as ratios within one run, against what people would otherwise use. Needs a Python with PyTorch and torch-mlir.

    ORACLE_PYTHON tests/bench/speed.py build/release/bin ENGINE [--program FILE.pt2]

Start-up of Python and its imports is not counted against it; our figures are whole processes, start-up included, the median of
several runs taken in turn with theirs. Prints one row a claim: what, theirs, ours, ratio, wanted.
"""
import argparse
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import large_pt2

LOWERINGS = 51


def run(argv, **kw):
    began = time.perf_counter()
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **kw)
    return time.perf_counter() - began, done


def median_of(count, call):
    return statistics.median(call() for _ in range(count))


def phase_seconds(stderr, phase):
    found = re.search(rf"^{phase} ([0-9.]+) ms$", stderr.decode(), re.M)
    assert found, f"no timing of {phase} in: {stderr.decode()[:300]}"
    return float(found[1]) / 1000


def peak_memory(argv):
    """Of the largest child so far, bytes; call it in a fresh process."""
    code = ("import resource,subprocess,sys,time\nb=time.perf_counter()\nr=subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL).returncode\n"
            "print(r, time.perf_counter()-b, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss*1024)")
    done = subprocess.run([sys.executable, "-S", "-c", code, *argv], capture_output=True, text=True)
    status, seconds, peak = done.stdout.split()
    assert status in ("0", "1"), done.stderr
    return float(seconds), float(peak)


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

    import logging
    logging.disable(logging.WARNING)
    import torch
    from torch_mlir import ir
    from torch_mlir.dialects import torch as torch_d
    from torch_mlir.extras.fx_importer import FxImporter

    loaded = []

    def load():
        began = time.perf_counter()
        loaded[:] = [torch.export.load(program)]
        return time.perf_counter() - began

    def fx_import():
        context = ir.Context()
        torch_d.register_dialect(context)
        importer = FxImporter(context=context)
        began = time.perf_counter()
        importer.import_frozen_program(loaded[0])
        return time.perf_counter() - began

    load(), fx_import(), run([cli, "inspect", program]), run([cli, "import", program])  # warm
    rows = []

    def row(what, theirs, ours, wanted, at_least=True):
        ratio = theirs / ours if at_least else ours / theirs
        good = ratio >= wanted if at_least else ratio <= wanted
        rows.append(good)
        print(f"{'ok ' if good else 'NO '} {what:58} theirs {theirs * 1000:9.1f} ms  ours {ours * 1000:8.1f} ms  "
              f"{ratio:7.2f}x  wanted {'>=' if at_least else '<='} {wanted}x", flush=True)

    loads, inspects, fximports, imports, alone = [], [], [], [], []
    for _ in range(5):
        loads.append(load())
        fximports.append(fx_import())
        inspects.append(run([cli, "inspect", program])[0])
        seconds, done = run([cli, "import", program, "--mode", "frozen", "--timings", "-o", os.path.join(work, "raw.mlir")])
        imports.append(seconds)
        alone.append(phase_seconds(done.stderr, "import"))
    middle = statistics.median
    row("inspect, against torch.export.load", middle(loads), middle(inspects), 50)
    row("read and import, against torch.export.load and FxImporter", middle(loads) + middle(fximports), middle(imports), 50)
    row("import alone, against FxImporter alone", middle(fximports), middle(alone), 10)

    raw = os.path.join(work, "lowering.mlir")
    run([cli, "import", program, "-o", raw])
    pipeline = ("builtin.module(func.func(torch-match-quantized-custom-ops),torchdynamo-export-to-torch-backend-pipeline{extra-library=},"
                "torch-backend-to-linalg-on-tensors-backend-pipeline)")
    by_engine = [args.engine, f"--pass-pipeline={pipeline}", "--mlir-print-debuginfo", raw, "-o", os.path.join(work, "out.mlir")]
    # A machine that others use changes its pace: each of ours is set against the engine's runs right before and after it.
    engine, ours = [run(by_engine)[0]], []
    for _ in range(LOWERINGS):
        ours.append(run([cli, "lower", program, "--to", "linalg-on-tensors", "-o", os.path.join(work, "lowered")])[0])
        engine.append(run(by_engine)[0])
    beside = [mine / statistics.mean(engine[i:i + 2]) for i, mine in enumerate(ours)]
    row("lower to linalg, against the engine alone on the same text", middle(engine), middle(engine) * middle(beside), 1.3, at_least=False)

    sizes = (12_500, 25_000, 50_000)
    seconds = {}
    for size in sizes:
        file = os.path.join(work, f"n{size}.pt2")
        large_pt2.write(file, size)
        runs = [peak_memory([cli, "inspect", file]) for _ in range(5)]
        seconds[size], peak = middle([s for s, _ in runs]), max(p for _, p in runs)
    print(f"{'ok ' if seconds[50_000] < 2 and peak < 2**30 else 'NO '} inspect of 50,000 nodes: {seconds[50_000]:.2f} s, {peak / 2**20:.0f} MiB (wanted < 2 s, < 1024 MiB)")
    growth = (seconds[50_000] / seconds[25_000], seconds[25_000] / seconds[12_500])
    print(f"{'ok ' if max(growth) <= 2.2 else 'NO '} cost of twice the nodes: {growth[1]:.2f}x, {growth[0]:.2f}x (linear is 2x, wanted <= 2.2x)")
    return 0 if all(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
