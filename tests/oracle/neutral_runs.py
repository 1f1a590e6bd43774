# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executors get the same values however a program is run: python3 neutral_runs.py --cli FXSCOPE_CLI [--all] [FILE.pt2 ..]

Each program is run twice with its weights as arguments, and twice with constants for them, at every output type: an executor that writes to
its arguments, or to weights that are kept for the next run, computes something else. Without files, one sample; with --all each. What
does not run is said. Skipped (77) without an engine.
"""
import argparse
import pathlib
import sys
import tempfile

import installed
from altered_programs import PIPELINES, Harness, depends_on_the_run
from installed import SKIP

SAMPLE = ("buffer_mutation",)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    if not (engine := installed.engine()):
        print("no engine")
        return SKIP
    files = arguments.files or installed.samples(None if arguments.all else SAMPLE)
    neutral, problems = 0, []
    with tempfile.TemporaryDirectory() as directory:
        h = Harness(arguments.cli, engine, directory)
        for file in files:
            for to, depends in depends_on_the_run(h, file, list(PIPELINES)).items():
                print(f"{file.stem} to {to}: {depends or 'the same'}", flush=True)
                neutral += depends is None
                if depends not in (None, "does not run"):
                    problems.append(f"{file.stem} to {to}: {depends}")
    print(f"{neutral} the same, {len(problems)} not")
    return 0 if neutral and not problems else 1


if __name__ == "__main__":
    sys.exit(main())
