"""The Python module with PyTorch: python3 python_module.py --cli FXSCOPE_CLI

An ExportedProgram and a module with inputs give what the command line gives of the file that torch.export.save writes. What decompositions()
returns decomposes the program into one that computes the same and that torch-mlir lowers, which without it does not. Skipped (77) without an engine.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

import torch
from torch_mlir import fx

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "resources/python"), str(ROOT / "samples")]
import fxscope  # noqa: E402
from masked_attention import example, exported  # noqa: E402

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
SKIP = 77
VARYING = {"input", "file", "seconds", "compile_seconds", "run_seconds", "stderr"}


def steady(value):
    """Without what two runs, or two files, do not have in common."""
    if isinstance(value, dict):
        return {name: steady(each) for name, each in value.items() if name not in VARYING}
    return [steady(each) for each in value] if isinstance(value, list) else value
