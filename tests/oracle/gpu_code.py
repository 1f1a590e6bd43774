# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code for GPUs opens, has every dispatch, and its instructions know their nodes: python3 gpu_code.py --cli FXSCOPE_CLI [--to TYPE=SHARE,..] [FILE.pt2 ..]

Without files, the samples; by hand, programs of any folder. Of each text are printed its instructions and the share with nodes;
over all programs of a type it must not fall below SHARE. Programs that stop before IREE are listed. Skipped (77) without an engine or IREE.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import installed
from installed import SKIP

TYPES = "iree-ptx=0.85,iree-spirv=0.95,iree-amdgcn=0.85"
ENTRIES = {".ptx": r"^\.visible \.entry (\w+)\(", ".mlir": r"^ +spirv\.func @(\w+)", ".s": r"^\t\.type\t(\w+),@function"}
FIRST_OF_IREE = 3  # after raw, torch and linalg-on-tensors


def dispatches_of(folder, stages):
    """Names of the exported functions of the last stage before the code that is MLIR with executables."""
    for stage in reversed(stages[:-1]):
        found = set(re.findall(r"hal\.executable\.export public @(\w+)", (folder / stage["file"]).read_text()))
        if found:
            return found
    return set()


class Measure:
    def __init__(self, cli):
        self.cli, self.problems = cli, []

    def program(self, file, to):
        """(instructions, those with nodes) of a program's code."""
        with tempfile.TemporaryDirectory() as work:
            folder = pathlib.Path(work) / "out"
            done = subprocess.run([self.cli, "lower", str(file), "--to", to, "--json", "-o", str(folder)], capture_output=True, text=True)
            if done.returncode not in (0, 1, 4):
                self.problems.append(f"{file.name} to {to}: exit code {done.returncode}: {done.stderr.strip()}")
                return 0, 0
            value = json.loads(done.stdout)
            stages = value["stages"]
            failed = next((i for i, stage in enumerate(stages) if stage["status"] != "ok"), None)
            if failed is not None:
                why = next((each["message"] for each in value["findings"] if each["stage"] == stages[failed]["name"]), "")
                title = f"{file.name} to {to}: {stages[failed]['name']} {stages[failed]['status']}: {why}"
                print(title)
                if failed >= FIRST_OF_IREE:
                    self.problems.append(title)
                return 0, 0
            return self.code(file, to, folder, stages)

    def code(self, file, to, folder, stages):
        last = folder / stages[-1]["file"]
        dispatches, found = dispatches_of(folder, stages), set(re.findall(ENTRIES[last.suffix], last.read_text(), re.MULTILINE))
        if dispatches - found:
            self.problems.append(f"{file.name} to {to}: {len(dispatches - found)} of {len(dispatches)} dispatches are not in the code")
        ops, coverage = stages[-1]["ops"], stages[-1]["coverage"] or 0
        print(f"{file.name} to {to}: {len(found)} functions, {ops} instructions, {100 * coverage:.1f} % with nodes", flush=True)
        return ops, ops * coverage


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--to", default=TYPES)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    engine = installed.engine()
    if not engine or not os.access(pathlib.Path(engine).resolve().parent.parent / "iree/iree-compile", os.X_OK):
        print("no engine, or no IREE beside it")
        return SKIP
    measure = Measure(arguments.cli)
    for each in arguments.to.split(","):
        to, share = each.split("=")
        counts = [measure.program(file, to) for file in arguments.files or installed.samples()]
        ops, known = (sum(column) for column in zip(*counts))
        print(f"{to}: {sum(count > 0 for count, _ in counts)} of {len(counts)} programs, {ops} instructions, {100 * known / max(ops, 1):.1f} % with nodes")
        if known < float(share) * ops or not ops:
            measure.problems.append(f"{to}: less than {100 * float(share):g} % of the instructions know their node")
    print("\n".join(measure.problems))
    return 1 if measure.problems else 0


if __name__ == "__main__":
    sys.exit(main())
