"""Holds resources/python/fxscope_capture.py against PyTorch: python3 capture_helper.py --cli CLI [NAME ..]

Every oracle program (or those NAMEd), exported and decomposed, is saved as a .pt2 and dumped as JSON. The two must give the same
graph, the same normalized metadata, and the same imported module. Then models that PyTorch finds hard are captured: a graph break,
a custom operator, a dynamic dimension, a tensor subclass, modules that are traced symbolically, attributes; and nothing of a
model's tensors may be in a file unless it was asked for. Every file is held to fx.schema.json's required members by opening it.
Prints what differs and exits 1.
"""
import argparse
import base64
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

import torch

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "resources" / "python"))
import fxscope_capture  # noqa: E402
import oracle_programs  # noqa: E402

warnings.filterwarnings("ignore")
CLI = None
NAMES = None


def cli(*arguments):
    return subprocess.run([CLI, *map(str, arguments)], capture_output=True, text=True)


def lowered(path):
    """The imported text; handles without data in both, so that only the graph is compared."""
    done = cli("import", path, "--mode", "program")
    # A small constant is written inline where its bytes are there.
    text = re.sub(r"dense(_resource)?<[^>]*> : ", "dense<> : ", done.stdout)
    findings = [line for line in done.stderr.replace(str(path), "FILE").splitlines() if "handle without data" not in line]
    return done.returncode, text, findings


def metadata(path):
    nodes = json.loads(cli("normalize", path, "--json").stdout)["nodes"]
    return [{k: v for k, v in node.items() if k != "changes"} for node in nodes]


class SameAsPt2(unittest.TestCase):
    def compare(self, program, folder, name):
        pt2, dumped = folder / f"{name}.pt2", folder / f"{name}.json"
        torch.export.save(program, pt2)
        fxscope_capture.dump(program, dumped, data=True)
        ours, theirs = cli("inspect", "--graph", dumped), cli("inspect", "--graph", pt2)
        self.assertEqual(theirs.returncode, 0, theirs.stderr)
        self.assertEqual(ours.returncode, 0, ours.stderr)
        self.assertEqual(ours.stdout, theirs.stdout)
        self.assertEqual(metadata(dumped), metadata(pt2))
        self.assertEqual(lowered(dumped), lowered(pt2))

    def test_every_oracle_program(self):
        compared, skipped = 0, []
        for name, program in sorted(oracle_programs.load_all().items()):
            if NAMES and name not in NAMES:
                continue
            with tempfile.TemporaryDirectory() as folder:
                for form in ("exported", "core"):
                    try:
                        made = oracle_programs.export(program, form)
                        torch.export.save(made, pathlib.Path(folder) / "probe.pt2")
                    except Exception as error:  # PyTorch itself cannot
                        skipped.append(f"{name} ({form}): {type(error).__name__}")
                        break
                    with self.subTest(program=name, form=form):
                        self.compare(made, pathlib.Path(folder), form)
                        compared += 1
        print(f"{compared} dumps are the same as their .pt2; PyTorch cannot export {len(skipped)}: {', '.join(skipped)}", file=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    CLI, NAMES = options.cli, set(options.names)
    unittest.main(argv=[sys.argv[0]], verbosity=1)
