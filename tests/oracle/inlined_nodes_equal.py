# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs inline_nodes over programs: every distinct node, lowered by itself and inlined into a caller, is after canonicalization what it was.

    inlined_nodes_equal.py INLINE_NODES FILE ...

Needs an engine: FXSCOPE_ENGINE names it, or ./run has installed it.
"""
import os
import pathlib
import subprocess
import sys

SKIPPED = 77
AT_LEAST = 400

engine = os.environ.get("FXSCOPE_ENGINE") or str(pathlib.Path(__file__).resolve().parents[2] / ".cache/engine/torch-mlir-opt")
if not os.access(engine, os.X_OK):
    print("no engine: FXSCOPE_ENGINE names none and ./run has installed none")
    sys.exit(SKIPPED)
sys.exit(subprocess.run([sys.argv[1], engine, str(AT_LEAST), *sys.argv[2:]]).returncode)
