# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What comparisons need of the machine, and the programs that they run over."""
import argparse
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIP = 77  # the exit code of a comparison that cannot run here


def engine():
    """The engine's path, which programs started from now on take too; None if there is none."""
    path = os.environ.get("FXSCOPE_ENGINE") or str(ROOT / ".cache/engine/torch-mlir-opt")
    if not os.access(path, os.X_OK):
        return None
    os.environ["FXSCOPE_ENGINE"] = path
    return path


def asked(description, is_sampled=False):
    """The arguments of a comparison, --cli FXSCOPE_CLI and names of programs, or --all where there is a sample; ends as skipped without an engine."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--cli", required=True)
    if is_sampled:
        parser.add_argument("--all", action="store_true", help="not only a sample")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if engine() is None:
        print("no engine")
        sys.exit(SKIP)
    return options


def samples(names=None):
    """The sample programs of these names, or all."""
    return sorted(file for file in (ROOT / "samples").glob("*.pt2") if names is None or file.stem in names)
