# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a sweep costs against running the engine alone: python3 tests/bench/sweep.py BIN ENGINE FOLDER.. [--jobs N] [--shards N]

The engine alone gets what `fxscope-cli import` wrote before, and runs once for each program and output type, in as many processes at a time.
Only programs that lower to all three types count, and keep their contracts: for the others a sweep finds out why. Needs no PyTorch. Prints theirs, ours, ratio, wanted.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "oracle"))
from single_ops import TARGETS, our_modules  # noqa: E402

WANTED = 1.15
PIPELINES = {target: "builtin.module(torchdynamo-export-to-torch-backend-pipeline{backend-legal-ops= extra-library=},"
                     f"torch-backend-to-{target}-backend-pipeline)" for target in TARGETS}


def sweep(cli, paths, out, shards, jobs):
    """Seconds, with a process a shard. More shards than jobs, because shards differ in size."""
    begin = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda i: subprocess.run([cli, "sweep", *paths, "--to", ",".join(TARGETS), "--no-experiments", "--shard", f"{i + 1}/{shards}",
                                                "-o", f"{out}.{i}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL), range(shards)))
    return time.perf_counter() - begin


def engine_alone(engine, modules, jobs):
    """Seconds for (module, target) of `modules`; the processes that failed."""
    begin = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        codes = list(pool.map(lambda job: subprocess.run([engine, job[0], f"--pass-pipeline={PIPELINES[job[1]]}", "-o", os.devnull],
                                                         stderr=subprocess.DEVNULL).returncode, modules))
    return time.perf_counter() - begin, sum(code != 0 for code in codes)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("engine")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--programs", type=int, default=300)
    args = parser.parse_args()
    cli = os.path.join(args.bin, "fxscope-cli")
    os.environ["FXSCOPE_ENGINE"] = args.engine
    work = pathlib.Path(tempfile.mkdtemp())
    files = sorted(file for path in args.paths for file in pathlib.Path(path).rglob("*.pt2"))[:args.programs]
    sweep(cli, files, work / "all", args.shards, args.jobs)
    lines = [json.loads(line) for i in range(args.shards) for line in open(f"{work}/all.{i}")]
    stopped = {line["program"] for line in lines if line["status"] != "ok"}
    kept = [file for file in files if file.name not in stopped]
    modules = []
    for number, file in enumerate(kept):
        for target, module in our_modules(cli, file).items():
            modules.append((work / f"{number}.{target}.mlir", target))
            modules[-1][0].write_text(module)
    theirs, failed = engine_alone(args.engine, modules, args.jobs)
    ours = sweep(cli, kept, work / "kept", args.shards, args.jobs)
    ratio = ours / theirs
    print(f"{'ok ' if ratio <= WANTED else 'NO '} sweep of {len(kept)} programs to {len(TARGETS)} types: engine alone {theirs:.1f} s ({failed} failed), "
          f"sweep {ours:.1f} s, {ratio:.2f}x (wanted <= {WANTED}x)")
    return ratio > WANTED


if __name__ == "__main__":
    sys.exit(main())
