# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a comparison with PyTorch costs besides its executors: the time of `compare` against the sum of what its executors took to compile
and to run, and the memory of all its processes together for a program with large weights. Needs a Python with PyTorch.

    ORACLE_PYTHON tests/bench/compare.py build/release/bin ENGINE [--to TYPE] [--memory]

Prints one row a program: the executors' own time, ours, ratio, wanted.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "oracle"))

SAMPLES = ("addmm", "tanh_gelu", "residual_block", "transformer_block", "control_flow")
MODELS = ("model_mlp_mixer", "model_autoencoder", "model_mobile", "model_gpt", "model_vit", "model_resnet", "model_transformer_encoder")
MOST_TIME = 1.5
MOST_MEMORY = 6  # GiB
WEIGHTS = 2  # GiB
PAUSE = 0.05


def programs(folder):
    yield from ((name, str(ROOT / "samples" / f"{name}.pt2")) for name in SAMPLES)
    import torch
    from oracle_programs import export, load_all

    known = load_all()
    for name in MODELS:
        file = os.path.join(folder, f"{name}.pt2")
        torch.export.save(export(known[name], "exported"), file)
        yield name, file


def large_program(folder):
    """A few layers whose weights are 2 GiB together."""
    import torch

    width, layers = 8192, 8 * WEIGHTS // 4
    file = os.path.join(folder, "large.pt2")
    net = torch.nn.Sequential(*[torch.nn.Linear(width, width, bias=False) for _ in range(layers * 2)])
    with torch.no_grad():
        torch.export.save(torch.export.export(net.eval(), (torch.ones(1, width),)), file)
    return file


def descendants(pid):
    children = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError):
            continue
        children.setdefault(parent, []).append(int(entry.name))
    found, work = [], [pid]
    while work:
        now = work.pop()
        found.append(now)
        work += children.get(now, [])
    return found


def resident(pid):
    """Bytes, where pages that processes share count once."""
    try:
        rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
        name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return 0, ""
    pss = next((int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")), 0)
    return pss * 1024, name


class MemoryWatch(threading.Thread):
    """The most memory that a process and those that it starts have at the same time, and whose it is."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.peak, self.of, self.most = pid, 0, {}, {}
        self.ended = threading.Event()

    def run(self):
        while not self.ended.wait(PAUSE):
            now = {}
            for pid in descendants(self.pid):
                size, name = resident(pid)
                now[name] = now.get(name, 0) + size
            for name, size in now.items():
                self.most[name] = max(size, self.most.get(name, 0))
            if sum(now.values()) > self.peak:
                self.peak, self.of = sum(now.values()), now


def listed(sizes):
    return ", ".join(f"{name} {size / 2**30:.2f}" for name, size in sorted(sizes.items(), key=lambda each: -each[1]) if size > 2**26)


def compare(cli, file, to, watched=False):
    begin = time.perf_counter()
    argv = [cli, "compare", file, "--to", to, "--python", sys.executable, "--json"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        watch = MemoryWatch(process.pid)
        if watched:
            watch.start()
        out, err = process.communicate()
        watch.ended.set()
    seconds = time.perf_counter() - begin
    assert process.returncode in (0, 1), f"{file}: {err}"
    return seconds, json.loads(out), watch


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("engine")
    parser.add_argument("--to", default="linalg-on-tensors")
    parser.add_argument("--memory", action="store_true", help="the memory instead of the time")
    args = parser.parse_args()
    cli = os.path.join(args.bin, "fxscope-cli")
    os.environ["FXSCOPE_ENGINE"] = args.engine
    with tempfile.TemporaryDirectory() as folder:
        if args.memory:
            seconds, answer, watch = compare(cli, large_program(folder), args.to, watched=True)
            peak = watch.peak / 2**30
            print(f"{'ok ' if peak <= MOST_MEMORY else 'NO '} {WEIGHTS} GiB of weights, {answer['targets'][0]['verdict']}: {peak:.2f} GiB in "
                  f"{seconds:.0f} s (wanted <= {MOST_MEMORY} GiB); then {listed(watch.of)}; each at most {listed(watch.most)}")
            return 0 if peak <= MOST_MEMORY else 1
        ratios = []
        compare(cli, str(ROOT / "samples" / "addmm.pt2"), args.to)  # warm
        for name, file in programs(folder):
            ours, answer, _ = compare(cli, file, args.to)
            theirs = answer["executor_seconds"]
            ratios.append(ours / theirs)
            verdict = answer["targets"][0]["verdict"]
            print(f"{'ok ' if ratios[-1] <= MOST_TIME else 'NO '} {name:28} {verdict:14} executors {theirs:6.2f} s  ours {ours:6.2f} s  "
                  f"{ratios[-1]:5.2f}x  wanted <= {MOST_TIME}x", flush=True)
        print(f"median {statistics.median(ratios):.2f}x, at most {max(ratios):.2f}x")
    return 0 if max(ratios) <= MOST_TIME else 1


if __name__ == "__main__":
    sys.exit(main())
