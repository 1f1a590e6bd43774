# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lit tests exported from random variants are right: python3 exported_tests.py --cli FXSCOPE_CLI [--tests N] [--seed SEED]

A text of a random program, stage or pass is edited at random (an operation twice, another constant); `lower --from --export-test` writes
a test, which must pass with the stock engine and FileCheck, and fail when the pass that it is about is left out. By default 6
tests. Skipped (77) without an engine or FileCheck.
"""
import argparse
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import installed
from continued_texts import Program
from installed import SKIP

TYPES = ("torch", "linalg-on-tensors", "tosa", "stablehlo")
TRIES = 12  # for each test: a position from which no pass changes anything gives none


def edited(text, choice):
    """One operation twice, or another constant; the text if it has neither."""
    lines = text.splitlines(keepends=True)
    single = [i for i, line in enumerate(lines) if re.match(r"\s+%[\w#]+ = (torch\.aten|tosa\.|arith\.|stablehlo\.|tensor\.)[^{]*$", line)]
    constants = [i for i, line in enumerate(lines) if re.search(r"constant\.(float|int) \d", line)]
    if constants and choice.random() < 0.5:
        i = choice.choice(constants)
        lines[i] = re.sub(r"(constant\.(?:float|int) )\d", rf"\g<1>{choice.randint(1, 9)}", lines[i], count=1)
    elif single:
        i = choice.choice(single)
        lines.insert(i + 1, re.sub(r"%[\w#]+ =", "%twice =", lines[i], count=1))
    return "".join(lines)


def verdict(test, program, with_pass, directory):
    """Whether the test passes with the stock tools, with its pass or without."""
    text = test.read_text()
    run = next(line.split("RUN:", 1)[1].split(" | ")[0] for line in text.splitlines() if "RUN:" in line)
    options = [word for word in shlex.split(run)[1:] if word != "%s"]
    done = subprocess.run([program, str(test), *(options if with_pass else [])], capture_output=True, text=True)
    output = pathlib.Path(directory) / "output.mlir"
    output.write_text(done.stdout)
    return done.returncode == 0 and subprocess.run(["FileCheck-22", str(test), "--input-file", str(output)], capture_output=True).returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--tests", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    engine = installed.engine()
    if not engine or shutil.which("FileCheck-22") is None:
        print("FileCheck-22 is not installed" if engine else "no engine")
        return SKIP
    choice = random.Random(arguments.seed)
    samples = installed.samples()
    written, problems, tries = 0, [], 0
    while written < arguments.tests and tries < TRIES * arguments.tests:
        tries += 1
        file, to = choice.choice(samples), choice.choice(TYPES)
        with tempfile.TemporaryDirectory() as directory:
            program = Program(arguments.cli, file, to, directory)
            out, _ = program.run("lower", "lower")
            program.texts = program.stages(out)
            position, text = choice.choice(list(program.positions()))
            source = pathlib.Path(directory) / "edited.mlir"
            source.write_text(edited(text, choice))
            test = pathlib.Path(directory) / "test.mlir"
            program.run("lower", "again", "--from", f"{position}={source}", "--export-test", str(test))
            if not test.exists():
                continue
            written += 1
            for with_pass in (True, False):
                if verdict(test, engine, with_pass, directory) != with_pass:
                    problems.append(f"{file.stem} to {to} from {position}: {'fails' if with_pass else 'passes without its pass'}")
    print("\n".join(problems))
    print(f"{written} tests written of {tries} variants, {len(problems)} wrong")
    return 0 if written == arguments.tests and not problems else 1


if __name__ == "__main__":
    sys.exit(main())
