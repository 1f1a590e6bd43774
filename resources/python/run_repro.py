"""Runs a repro.py that fxscope wrote, which lowers a module with torch_mlir.fx.export_and_import.

    python3 run_repro.py REPRO.py

Prints a JSON object a line: first {"python", "torch", "torch_mlir"}; then {"error", "files"}: what it raised, "" if nothing, and the names of the
source files that the call went through.
"""
import importlib.metadata
import json
import os
import runpy
import sys
import traceback


def say(**what):
    print(json.dumps(what), flush=True)


def version(module):
    names = importlib.metadata.packages_distributions().get(module, [])
    return importlib.metadata.version(names[0]) if names else "of unknown version"


def main():
    import torch
    import torch_mlir.fx

    say(python=sys.version.split()[0], torch=torch.__version__, torch_mlir=version("torch_mlir"))
    try:
        runpy.run_path(sys.argv[1])
        say(error="", files=[])
    except Exception as error:  # whatever it raises is the answer
        files = [os.path.basename(frame.filename) for frame in traceback.extract_tb(error.__traceback__)]
        say(error=f"{type(error).__name__}: {error}"[:10000], files=files)


main()
