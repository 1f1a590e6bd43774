# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No text of a file runs when fxscope reads it, or when PyTorch loads what fxscope wrote of it.

    python3 hostile_programs.py --cli FXSCOPE_CLI --write-programs WRITE_PROGRAMS

Each case is a program of torch.export.save with one text or member changed, such that PyTorch runs what it says: it makes a file, the
mark. First PyTorch opens the file itself and must make the mark; a case that does not is no test. Then fxscope must refuse the file,
with the whole message given here, or open it; what it writes of it (the program itself, the one that it gives to Python, the one in a
bundle) must leave no mark when PyTorch loads it, makes its module and decomposes it. With an engine (FXSCOPE_ENGINE), diagnose --python
and bundle are run too.
"""
import argparse
import copy
import io
import json
import logging
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

MODEL = "models/model.json"
SAMPLES = "data/sample_inputs/model.pt"
CONSTANTS = "data/constants/model_constants_config.json"
SIZE = "graph_module.graph.tensor_values.x.sizes[0].as_expr.expr_str"


class Bessel(torch.nn.Module):
    """A call that no output type takes and PyTorch does not take apart, so that there is a failure to diagnose and to bundle."""

    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(4), persistent=False)

    def forward(self, x):
        return torch.special.bessel_j0(x) * self.scale


class Touch:
    """Its pickle makes a file."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return open, (self.path, "w")


class Archive:
    def __init__(self, data):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            self.root = archive.namelist()[0].split("/")[0] + "/"
            self.members = {name: archive.read(name) for name in archive.namelist()}

    def model(self):
        return json.loads(self.members[self.root + MODEL])

    def set(self, member, data):
        self.members[self.root + member] = data.encode() if isinstance(data, str) else data
        return self

    def edit(self, change):
        model = self.model()
        change(model)
        return self.set(MODEL, json.dumps(model))

    def save(self, path):
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in self.members.items():
                archive.writestr(name, data)


class Case:
    """`build(archive, mark, folder)` changes the archive; `error`: the whole message of fxscope, with FILE for the file's name and SHOWN
    for the first 60 bytes of the text; None where it opens the file. `step`: what PyTorch does when it makes the mark."""

    def __init__(self, name, build, error=None, step="load"):
        self.name, self.build, self.error, self.step = name, build, error, step


def code(mark):
    """An expression without quotes that makes the mark, of functions that sympy's eval has too."""
    return "open(" + "+".join(f"chr({byte})" for byte in os.fsencode(mark)) + ",chr(119))"


def first_size(model):
    return model["graph_module"]["graph"]["tensor_values"]["x"]["sizes"][0]["as_expr"]


def sized(make):
    def build(archive, mark, folder):
        def change(model):
            first_size(model)["expr_str"] = make(code(mark))
        archive.edit(change)
        return first_size(archive.model())["expr_str"]
    return build


def named_input(archive, mark, folder):
    name = f"x={code(mark)}"

    def rename(value):
        if isinstance(value, dict):
            return {name if key == "x" else key: rename(item) for key, item in value.items()}
        if isinstance(value, list):
            return [rename(item) for item in value]
        return name if value == "x" else value
    archive.set(MODEL, json.dumps(rename(archive.model())))
    return name


def guarded(archive, mark, folder):
    archive.edit(lambda model: model["guards_code"].append(f"(lambda: {code(mark)})() != 0"))


def treespec(archive, mark, folder):
    (folder / "imported_by_treespec.py").write_text(f"{code(mark)}\n")
    sys.modules.pop("imported_by_treespec", None)

    def change(model):
        signature = model["graph_module"]["module_call_graph"][0]["signature"]
        protocol, spec = json.loads(signature["in_spec"])
        spec["children_spec"][0]["context"] = json.dumps({"__enum__": True, "fqn": "imported_by_treespec:X", "name": "a"})
        signature["in_spec"] = json.dumps([protocol, spec])
    archive.edit(change)


def sample_inputs(archive, mark, folder):
    data = io.BytesIO()
    torch.save(((Touch(mark),), {}), data)
    archive.set(SAMPLES, data.getvalue())


def opaque_constant(archive, mark, folder):
    archive.set("data/constants/opaque_obj_0", pickle.dumps(Touch(mark)))
    config = json.loads(archive.members[archive.root + CONSTANTS])
    config["config"]["other"] = {"path_name": "opaque_obj_0", "is_param": False, "use_pickle": True, "tensor_meta": None}
    archive.set(CONSTANTS, json.dumps(config))


def pickled_constant(archive, mark, folder):
    config = json.loads(archive.members[archive.root + CONSTANTS])
    entry = next(iter(config["config"].values()))
    data = io.BytesIO()
    torch.save(Touch(mark), data)
    archive.set("data/constants/" + entry["path_name"], data.getvalue())
    entry["use_pickle"] = True
    archive.set(CONSTANTS, json.dumps(config))


def call_target(archive, mark, folder):
    """A function of Python that PyTorch finds below its own module, run where the graph is."""
    def change(model):
        node = next(n for n in model["graph_module"]["graph"]["nodes"] if "bessel" in n["target"])
        node["target"] = "torch.os.open"
        node["inputs"] = [{"name": "", "arg": {"as_string": str(mark)}, "kind": 1}, {"name": "", "arg": {"as_int": os.O_CREAT}, "kind": 1}]
    archive.edit(change)


REFUSED_SIZE = f"FILE: {MODEL}: {SIZE}: symbolic expression SHOWN at offset "
CASES = [
    Case("a call in a symbol", sized(lambda run: f"Symbol('s77', {run}, positive=True, integer=True)"),
         REFUSED_SIZE + "26: expected ',' or ')'"),
    Case("a call as the value of an assumption", sized(lambda run: f"Symbol('s77', integer={run} is not None)"),
         REFUSED_SIZE + "26: expected ',' or ')'"),
    Case("a call in place of an expression", sized(lambda run: f"{run} and Symbol('s77', integer=True)"),
         REFUSED_SIZE + "12: expected ',' or ')'"),
    Case("a default of an input", named_input,
         f"FILE: {MODEL}: graph_module.graph.inputs[1].as_tensor.name: SHOWN is not a name of letters, digits and '_'; PyTorch would run it as "
         "Python"),
    Case("a guard", guarded, step="decompose"),
    Case("a module named in a treespec", treespec),
    Case("the sample inputs", sample_inputs),
    Case("an opaque constant", opaque_constant),
    Case("a pickled constant", pickled_constant),
]


def quoted_symbol(archive, mark):
    """A name that ends the quotes it is written in: PyTorch takes it for a name, until a program prints it in quotes of the other kind."""
    def change(model):
        first_size(model)["expr_str"] = f"Symbol(\"s77', eval('{code(mark)}'), z='1\", integer=True)"
    archive.edit(change)


def shown(text):
    return "'" + text[:60] + (".." if len(text) > 60 else "") + "'"


def open_with_torch(file, steps):
    """Whatever PyTorch raises is not the question here."""
    try:
        program = torch.export.load(file)
        if "module" in steps:
            program.module()
        if "decompose" in steps:
            program.run_decompositions()
        return True
    except Exception:
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--write-programs", required=True, type=lambda path: pathlib.Path(path).resolve())
    arguments = parser.parse_args()
    engine = bool(os.environ.get("FXSCOPE_ENGINE"))
    data = io.BytesIO()
    shapes = {"x": {0: torch.export.Dim("batch")}}
    torch.export.save(torch.export.export(Bessel(), (torch.rand(3, 4),), dynamic_shapes=shapes), data)
    whole = Archive(data.getvalue())
    problems, written_files, torch_ran, refused = [], 0, 0, 0

    with tempfile.TemporaryDirectory(prefix="fxscope-hostile-") as directory:
        folder = pathlib.Path(directory)
        sys.path.insert(0, directory)

        def run(*command):
            return subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=folder)

        def check_written(case, mark, file):
            """What fxscope makes of a file leaves no mark."""
            nonlocal written_files
            out = folder / "written"
            out.mkdir(exist_ok=True)
            for old in out.iterdir():
                old.unlink()
            run(arguments.write_programs, file, out, 1)
            if engine:
                done = run(arguments.cli, "bundle", file, "--to", "linalg-on-tensors", "-o", folder / "bundle.zip")
                if done.returncode != 0:
                    problems.append(f"{case}: bundle: {done.stderr}")
                else:
                    with zipfile.ZipFile(folder / "bundle.zip") as archive:
                        (out / "bundled.pt2").write_bytes(archive.read(next(n for n in archive.namelist() if n.endswith("/program.pt2"))))
            if mark.exists():
                problems.append(f"{case}: fxscope made the mark")
            for written in sorted(out.iterdir()):
                written_files += 1
                if not open_with_torch(written, ("module", "decompose")):
                    problems.append(f"{case}: {written.name} does not open in PyTorch")
                if mark.exists():
                    problems.append(f"{case}: {written.name} runs code in PyTorch")
                    mark.unlink()

        for number, case in enumerate(CASES):
            mark, file = folder / f"mark{number}", folder / f"case{number}.pt2"
            archive = copy.deepcopy(whole)
            text = case.build(archive, mark, folder)
            archive.save(file)
            open_with_torch(file, (case.step,))
            if mark.exists():
                torch_ran += 1
                mark.unlink()
            else:
                problems.append(f"{case.name}: PyTorch did not run it, so that nothing is tested")
            done = run(arguments.cli, "inspect", file)
            if case.error is not None:
                refused += 1
                message = "fxscope-cli: " + case.error.replace("FILE", str(file)).replace("SHOWN", shown(text or "")) + "\n"
                if done.returncode == 0 or done.stderr != message:
                    problems.append(f"{case.name}: {done.returncode} {done.stdout[:200]}{done.stderr}expected: {message}")
            elif done.returncode != 0:
                problems.append(f"{case.name}: not opened: {done.stderr}")
            else:
                check_written(case.name, mark, file)
            if engine:
                run(arguments.cli, "diagnose", file, "--to", "linalg-on-tensors", "--python", sys.executable)
            if mark.exists():
                problems.append(f"{case.name}: fxscope made the mark")

        # A name in the quotes that fxscope does not write: what it once wrote is the first case.
        mark, file = folder / "mark", folder / "quotes.pt2"
        archive = copy.deepcopy(whole)
        quoted_symbol(archive, mark)
        archive.save(file)
        for command in ("inspect", "diagnose", "bundle"):
            options = {"diagnose": ("--to", "linalg-on-tensors", "--python", sys.executable), "bundle": ("--to", "linalg-on-tensors", "-o", folder / "quotes.zip")}
            done = run(arguments.cli, command, file, *options.get(command, ()))
            text = first_size(archive.model())["expr_str"]
            name = text[text.index('"') + 1:text.rindex('"')]
            expected = (f"fxscope-cli: {file}: {MODEL}: {SIZE}: symbolic expression {shown(text)} at offset {len(text)}: {shown(name)} is not "
                        "the name of a symbol, such as s0 or u3\n")
            if done.stderr != expected or done.returncode == 0:
                problems.append(f"quotes: {command}: {done.returncode} {done.stderr}expected: {expected}")
            if mark.exists() or (folder / "quotes.zip").exists():
                problems.append(f"quotes: {command}: something was run or written")

        # A function of Python as target: PyTorch's verifier refuses it today, fxscope shows it and gives it to nobody.
        file = folder / "target.pt2"
        archive = copy.deepcopy(whole)
        call_target(archive, mark, folder)
        archive.save(file)
        done = run(arguments.cli, "inspect", file)
        if done.returncode != 0:
            problems.append(f"target: not opened: {done.stderr}")
        done = run(arguments.write_programs, file, folder / "written", 1)
        line = ("whole.pt2\trefused\tnode 'special_bessel_j0' cannot be written to a .pt2, whose strings PyTorch evaluates: 'torch.os.open' is "
                "neither an operator nor a function that an exported program can call")
        if done.stdout.splitlines()[:1] != [line]:
            problems.append(f"target: {done.stdout}expected: {line}")
        if mark.exists():
            problems.append("target: fxscope made the mark")

    print(f"{torch_ran} of {len(CASES)} ran in PyTorch, {refused} were refused, {written_files} written programs ran nothing, "
          f"{len(problems)} problems")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
