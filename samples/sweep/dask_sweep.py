"""A sweep on the workers of a Dask cluster: python dask_sweep.py FOLDER OUT [--scheduler tcp://host:8786]. Without a scheduler it starts
workers on this machine. The folders must be the same on all workers; a worker that is lost is replaced by another, which goes on."""
import argparse
import pathlib
import subprocess
import sys

from dask.distributed import Client, as_completed


def sweep(zoo, out, to, shard, shards, options):
    """Runs one shard; the last line that it said if it failed."""
    done = subprocess.run(["fxscope-cli", "sweep", zoo, "--to", to, "--shard", f"{shard}/{shards}", "--resume", "-o", f"{out}/{shard}.jsonl", *options],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    # 1 says that some programs do not lower, which the report says too.
    return shard, None if done.returncode in (0, 1) else (done.stderr.splitlines() or [f"exit code {done.returncode}"])[-1]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("zoo")
    arguments.add_argument("out")
    arguments.add_argument("--to", default="linalg-on-tensors,tosa,stablehlo")
    arguments.add_argument("--shards", type=int, default=16)
    arguments.add_argument("--scheduler", help="address of a running scheduler")
    arguments.add_argument("--option", action="append", default=[], help="of fxscope-cli sweep: --option=--no-experiments")
    given = arguments.parse_args()
    zoo, out = pathlib.Path(given.zoo).resolve(), pathlib.Path(given.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    failed = False
    with Client(given.scheduler) if given.scheduler else Client(threads_per_worker=1, dashboard_address=None) as client:
        tasks = [client.submit(sweep, str(zoo), str(out), given.to, i, given.shards, given.option, pure=False) for i in range(1, given.shards + 1)]
        for _, (shard, error) in as_completed(tasks, with_results=True):
            failed |= error is not None
            print(f"shard {shard}/{given.shards}: {error or 'done'}", file=sys.stderr)
    if failed:
        return 2
    results = [str(out / f"{i}.jsonl") for i in range(1, given.shards + 1)]
    return subprocess.run(["fxscope-cli", "sweep", "report", *results]).returncode


if __name__ == "__main__":
    sys.exit(main())
