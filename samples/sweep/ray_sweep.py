"""A sweep on the workers of a Ray cluster: python ray_sweep.py FOLDER OUT [--address auto]. Without an address it starts workers on this
machine. The folders must be the same on all workers; the shard of a worker that is lost is done by another, which goes on."""
import argparse
import pathlib
import subprocess
import sys

import ray


@ray.remote(num_cpus=1, max_retries=-1)
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
    arguments.add_argument("--address", help="of a running cluster")
    arguments.add_argument("--option", action="append", default=[], help="of fxscope-cli sweep: --option=--no-experiments")
    given = arguments.parse_args()
    zoo, out = pathlib.Path(given.zoo).resolve(), pathlib.Path(given.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    failed = False
    ray.init(address=given.address, include_dashboard=False)
    tasks = [sweep.remote(str(zoo), str(out), given.to, i, given.shards, given.option) for i in range(1, given.shards + 1)]
    while tasks:
        done, tasks = ray.wait(tasks)
        shard, error = ray.get(done[0])
        failed |= error is not None
        print(f"shard {shard}/{given.shards}: {error or 'done'}", file=sys.stderr)
    if failed:
        return 2
    results = [str(out / f"{i}.jsonl") for i in range(1, given.shards + 1)]
    return subprocess.run(["fxscope-cli", "sweep", "report", *results]).returncode


if __name__ == "__main__":
    sys.exit(main())
