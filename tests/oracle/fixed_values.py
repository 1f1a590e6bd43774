# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `fix --python` says that PyTorch computes with a fixed program is so: python3 fixed_values.py --cli FXSCOPE_CLI [--all]

Of two samples, each fixed for one output type, every result is the original's; with --all, of more for all types. A Python that computes
one operator wrong, which only the fixed program has, is told with the result, the inputs and exit code 1; one that makes NaN of infinities
there, without. A Python without PyTorch compares nothing. Skipped (77) without an engine.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

SKIP = 77
TYPES = ("tosa", "linalg-on-tensors", "stablehlo")
NAMES = ("buffer_mutation", "custom_op", "control_flow", "decoder_dynamic", "masked_attention")
SAMPLE = 2  # of the names; each takes several starts of PyTorch
SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"
# fxscope's own operator comes with no definition in Python.
WITHOUT_PYTORCH = {"custom_op"}
# Of the softmax that the sample's decomposed attention has, and PyTorch's own attention has not.
ALTERED = """
import torch, builtins
_library = torch.library.Library("aten", "IMPL")
_library.impl("_softmax", lambda x, dim, half: ({}), "CPU")
"""
RIGHT = "torch.exp(x - x.amax(dim, True)) / torch.exp(x - x.amax(dim, True)).sum(dim, True)"


def fixed(cli, program, python, directory, to=TYPES[0]):
    done = subprocess.run([cli, "fix", program, "--to", to, "-o", pathlib.Path(directory, "fixed.pt2"), "--python", python, "--json"],
                          capture_output=True, text=True)
    if done.returncode == 4 and "engine fetch" in done.stderr:
        print(done.stderr)
        sys.exit(SKIP)
    return done.returncode, json.loads(done.stdout)["compared"]


def altered(directory, name, softmax):
    """An interpreter that runs `prelude` before the script that it is given."""
    prelude, python = pathlib.Path(directory, f"{name}.py"), pathlib.Path(directory, name)
    prelude.write_text(ALTERED.format(softmax))
    python.write_text(f"#!/bin/sh\nscript=$(cat)\nprintf '%s\\n%s\\n' \"$(cat {prelude})\" \"$script\" | {sys.executable} \"$@\"\n")
    python.chmod(0o755)
    return str(python)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    cli = arguments.cli
    problems, compared = [], 0
    with tempfile.TemporaryDirectory(prefix="fxscope-oracle-") as directory:
        for number, name in enumerate(NAMES if arguments.all else NAMES[:SAMPLE]):
            sample = SAMPLES / f"{name}.pt2"
            _, values = fixed(cli, sample, sys.executable, directory, ",".join(TYPES) if arguments.all else TYPES[number % len(TYPES)])
            if sample.stem in WITHOUT_PYTORCH:
                if values["results"] or not values["not_compared"]:
                    problems.append(f"{sample.stem}: {values}")
                continue
            compared += values["results"]
            if values["differences"] or values["not_compared"] or len(values["sets"]) < 5:
                problems.append(f"{sample.stem}: {values}")
        attention = SAMPLES / "masked_attention.pt2"
        code, values = fixed(cli, attention, altered(directory, "right", RIGHT), directory)
        if code or values["differences"]:
            problems.append(f"a softmax of its own that is right: exit code {code}, {values}")
        code, values = fixed(cli, attention, altered(directory, "wrong", f"({RIGHT}) * 1.01"), directory)
        if code != 1 or not values["differences"] or not all(d["wrong"] and d["result"] and d["set"] in values["sets"] for d in values["differences"]):
            problems.append(f"a wrong softmax: exit code {code}, {values}")
        code, values = fixed(cli, attention, "/bin/false", directory)
        if code or values["results"] or not values["not_compared"]:
            problems.append(f"no Python: exit code {code}, {values}")
    print(f"{compared} results of fixed samples compared")
    for line in problems:
        print(f"  {line}")
    sys.exit(1 if problems or compared == 0 else 0)


if __name__ == "__main__":
    main()
