# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No pickle of a file runs, whatever is asked of it with a Python: python3 pickled_members.py --cli FXSCOPE_CLI [--all]

Programs of torch.export.save with pickles in the members that PyTorch opens. A pickle makes a file, the mark, in a folder that the cage
leaves open, and prints an answer of its own. First PyTorch opens each file itself and must make the mark; a file that does not is no test.
Then each command that takes --python, and those that do not, must leave no mark and print nothing of that answer. Where the pickles are
not what the program computes with, its values must be PyTorch's; where they are, they are not known. Skipped (77) without an executor.
"""
import argparse
import contextlib
import io
import json
import logging
import multiprocessing
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import warnings
import zipfile

import torch

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
SKIP = 77
CANARY = "canary-of-a-pickle"
WEIGHTS, CONSTANTS = "data/weights/model_weights_config.json", "data/constants/model_constants_config.json"


class Program(torch.nn.Module):
    """The engine computes gelu wrong, so that there is a result to bundle. The second weight is a view of the first, of other strides."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)
        base = torch.randn(8, 8)
        self.register_buffer("base", base)
        self.register_buffer("turned", base.t()[:, 2:])

    def forward(self, x):
        return torch.nn.functional.gelu(self.linear(x) @ self.base, approximate="tanh") @ torch.as_strided(self.turned, (8, 3), (1, 8), 16)


class Runs:
    def __init__(self, mark):
        self.code = f"open({str(mark)!r}, 'w').close(); print({json.dumps({'python': '3', 'torch': CANARY})!r}, flush=True)"

    def __reduce__(self):
        return exec, (self.code,)


def torch_pickle(value):
    data = io.BytesIO()
    torch.save(value, data)
    return data.getvalue()


def beside(members, evil):
    """Pickles beside what the program computes with."""
    members["data/sample_inputs/model.pt"] = torch_pickle(((evil,), {}))
    for config, member, entry in ((CONSTANTS, "data/constants/opaque_obj_0", pickle.dumps(evil)),
                                  (CONSTANTS, "data/constants/tensor_9", torch_pickle(evil)), (WEIGHTS, "data/weights/weight_9", torch_pickle(evil))):
        members[member] = entry
        entries = json.loads(members[config])
        name = member.rsplit("/", 1)[1]
        entries["config"]["unused_" + name] = {"path_name": name, "is_param": False, "use_pickle": True, "tensor_meta": None}
        members[config] = json.dumps(entries).encode()
    return members


def pickled_weight(members, evil):
    entries = json.loads(members[WEIGHTS])
    entry = entries["config"]["linear.weight"]
    entry["use_pickle"] = True
    members["data/weights/" + entry["path_name"]] = torch_pickle(evil)
    members[WEIGHTS] = json.dumps(entries).encode()
    return members


def pickled_dicts(members, evil):
    """As PyTorch 2.8 saved it."""
    out = {name: data for name, data in members.items() if not name.startswith(("data/weights/", "data/constants/"))}
    return out | {"data/weights/model.pt": torch_pickle(evil), "data/constants/model.pt": torch_pickle(evil)}


def before(members, evil):
    """As PyTorch 2.7 and older ones saved it."""
    pickles = {name: torch_pickle(evil) for name in ("serialized_state_dict.pt", "serialized_constants.pt", "serialized_example_inputs.pt")}
    return {"version": b"8.8", "serialized_exported_program.json": members["models/model.json"], **pickles}


# Name: (what makes the file, whether its values are known)
FILES = {"beside": (beside, True), "weight": (pickled_weight, False), "dicts": (pickled_dicts, False), "before": (before, False)}


def opened(file):
    with contextlib.suppress(Exception):
        torch.export.load(file)


def commands(file, out):
    python = ("--python", sys.executable)
    yield "compare", file, "--to", "linalg-on-tensors", *python
    yield "diagnose", file, "--to", "linalg-on-tensors", "--numbers", *python
    yield "bundle", file, "--to", "linalg-on-tensors", "--wrong", "-o", out / "wrong.zip", *python
    yield "run", file, "--to", "linalg-on-tensors"
    yield "fix", file, "--to", "linalg-on-tensors", "-o", out / "fixed.pt2"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True, type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="every command on every file, not one or two")
    arguments = parser.parse_args()
    cli = arguments.cli.resolve()
    torch.manual_seed(0)
    data = io.BytesIO()
    torch.export.save(torch.export.export(Program().eval(), (torch.randn(4, 8),)), data)
    with zipfile.ZipFile(data) as archive:
        root = archive.namelist()[0].split("/")[0] + "/"
        whole = {name.removeprefix(root): archive.read(name) for name in archive.namelist()}
    problems, answers = [], 0
    with tempfile.TemporaryDirectory(prefix="fxscope-pickles-") as directory:
        folder = pathlib.Path(directory)
        marks = folder / "marks"
        marks.mkdir()
        mark = marks / "mark"
        for i, (name, (make, known)) in enumerate(FILES.items()):
            file = folder / f"{name}.pt2"
            with zipfile.ZipFile(file, "w") as archive:
                members = make(dict(whole), Runs(mark))
                for member, content in members.items():
                    archive.writestr(member if "version" in members else root + member, content)
            opening = multiprocessing.Process(target=opened, args=(str(file),))
            opening.start()
            opening.join()
            if not mark.exists():
                problems.append(f"{name}: PyTorch did not run it, so that nothing is tested")
            mark.unlink(missing_ok=True)
            compare, *others = commands(file, folder)
            some = [compare] * (i < 2) + [others[(i + 1) % len(others)]] * (i != 1)
            for command in [compare, *others] if arguments.all else some:
                done = subprocess.run([cli, *map(str, command)], capture_output=True, text=True, cwd=folder,
                                      env=os.environ | {"FXSCOPE_CAGE_WRITE": str(marks)})
                if "no executor is installed" in done.stderr:
                    print(done.stderr)
                    return SKIP
                answers += 1
                said = done.stdout + done.stderr
                if CANARY in said or mark.exists():
                    problems.append(f"{name}: {command[0]}: a pickle ran: {said}")
                mark.unlink(missing_ok=True)
                if command[0] == "compare":
                    expected = f"with PyTorch {torch.__version__}" if known else "not compared with PyTorch: "
                    if expected not in said or (not known and "cannot be read: " not in said):
                        problems.append(f"{name}: {expected!r} is not in: {said}")
                if command[0] == "bundle" and known and done.returncode != 0:
                    problems.append(f"{name}: no bundle: {said}")
    print(f"{answers} commands, {len(problems)} problems")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


sys.exit(main())
