# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Continuing from an unedited text gives the texts that were there: python3 continued_texts.py --cli FXSCOPE_CLI [--all] [--to TYPE,..] [FILE.pt2 ..]

For each program and output type, `lower --from` takes the text of every stage, and the module of a trace after every pass, without
locations; all texts must come out byte for byte. Without files, one sample; with --all each. Where the engine does not register the
passes that follow, or does not read what it prints, the position is listed as refused. Skipped (77) without an engine.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import installed
from installed import SKIP

SAMPLE = ("addmm",)
TYPES = "linalg-on-tensors,tosa,stablehlo"
REFUSALS = ("by name, so that", "not found for custom op")


def without_locations(text):
    """Of a text in which no name has brackets."""
    text = re.sub(r"(?m)^#loc.*\n", "", text)
    while (shorter := re.sub(r" loc\((?:[^()]|\([^()]*\))*\)", "", text)) != text:
        text = shorter
    return text


class Program:
    def __init__(self, cli, file, to, directory):
        self.cli, self.file, self.to, self.directory = cli, file, to, pathlib.Path(directory)
        self.same, self.refused, self.problems = 0, [], []

    def run(self, command, name, *args):
        """The folder that a command writes, and what it says."""
        out = self.directory / name
        shutil.rmtree(out, ignore_errors=True)
        done = subprocess.run([self.cli, command, str(self.file), "--to", self.to, *args, "-o", str(out)], capture_output=True, text=True)
        return out, done.stdout + done.stderr

    def stages(self, out):
        """The texts of those that were reached; the text of a failure is none to continue from."""
        return {path.name: path.read_text() for path in sorted(out.glob("*.*")) if path.name != "lower.json" and ".failure." not in path.name}

    def positions(self):
        """Every stage and every pass with its text."""
        for name, text in self.texts.items():
            yield name[3:].rsplit(".", 1)[0], text
        trace, _ = self.run("trace", "trace")
        listed = json.loads((trace / "trace.json").read_text())
        for each in listed["passes"]:
            if each["ran"] and not each["failed"] and each["anchor"] not in ("mlir", "llvm-ir", "assembly"):
                yield str(each["index"] + 1), (trace / listed["snapshots"][each["snapshot"]]["file"]).read_text()

    def check(self):
        out, _ = self.run("lower", "lower")
        self.texts = self.stages(out)
        for position, text in self.positions():
            edited = self.directory / "edited.mlir"
            edited.write_text(without_locations(text))
            out, said = self.run("lower", "again", "--from", f"{position}={edited}")
            title = f"{self.file.stem} to {self.to} from {position}"
            now = self.stages(out)
            if any(refusal in said for refusal in REFUSALS):
                self.refused.append(title)
            elif now == self.texts:
                self.same += 1
            else:
                other = [name for name in self.texts if now.get(name) != self.texts[name]]
                self.problems.append(f"{title}: {', '.join(other)} differ: {said.strip().splitlines()[-1:]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--to", default=TYPES)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    if not installed.engine():
        print("no engine")
        return SKIP
    files = arguments.files or installed.samples(None if arguments.all else SAMPLE)
    same, refused, problems = 0, [], []
    for file in files:
        for to in arguments.to.split(","):
            with tempfile.TemporaryDirectory() as directory:
                program = Program(arguments.cli, file, to, directory)
                program.check()
            same += program.same
            refused += program.refused
            problems += program.problems
            print(f"{file.stem} to {to}: {program.same} the same, {len(program.refused)} refused, {len(program.problems)} not", flush=True)
    print("\n".join([f"refused: {each}" for each in refused] + problems))
    print(f"{same} the same, {len(refused)} refused, {len(problems)} not")
    return 0 if same and not problems else 1


if __name__ == "__main__":
    sys.exit(main())
