# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrong results are diagnosed and become small reproducers: python3 wrong_results.py --cli FXSCOPE_CLI --engine ENGINE [--all]

Programs that the pinned engine computes wrong, each inside a larger one: `diagnose --numbers` must name the operation, and verify a fix
where there is one; `bundle --wrong` must reduce each to the operation named here, in at
most 50 kB; `replay` must find the same wrong result; the code of the bundle's README must give the expected values in PyTorch; and with an
engine whose text is put right, `replay` must say that it is fixed. A right program must not become a bundle. By default the first two programs. Skipped (77) without an
executor.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings
import zipfile

import torch
from safetensors.torch import load_file

warnings.filterwarnings("ignore")
SKIP = 77
LARGEST = 50_000
SAMPLE = 1


class Block(torch.nn.Module):
    """A function between linear layers."""

    def __init__(self, function, width=48):
        super().__init__()
        self.function = function
        self.layers = torch.nn.ModuleList(torch.nn.Linear(width, width) for _ in range(3))

    def forward(self, x):
        x = torch.tanh(self.layers[0](x))
        x = self.function(self.layers[1](x))
        return self.layers[2](x) + x


def some_nan(x):
    return torch.maximum(torch.where(x > 0.1, float("nan"), x), x * 0.5)


# Name: the function, output type, (stage, target) that is to blame, what turns the engine's text into a right one, and the fix.
PROGRAMS = {
    "gelu": (lambda x: torch.nn.functional.gelu(x, approximate="tanh"), "linalg-on-tensors", ("linalg-on-tensors", "aten.gelu.default"),
             r"s/0\.79772[0-9]*/0.797884561/g; s/7\.97724[0-9]*[eE]-01/7.978845608e-01/g", "decompose"),
    "softshrink": (lambda x: torch.nn.functional.softshrink(x, 0.1), "stablehlo", ("torch", "aten.softshrink.default"), None, "decompose"),
    "maximum": (some_nan, "linalg-on-tensors", ("linalg-on-tensors", "aten.maximum.default"), None, None),
}


def run(cli, *arguments):
    return subprocess.run([cli, *map(str, arguments)], capture_output=True, text=True)


def readme_values(folder):
    """What the Python code of the README prints, as tensors."""
    code = re.search(r"```python\n(.*?)```", (folder / "README.md").read_text(), re.DOTALL)[1]
    code = re.sub(r"print\((.*)\)", r"values = \1", code)
    code = code.replace('"program.pt2"', repr(str(folder / "program.pt2"))).replace('"inputs.safetensors"', repr(str(folder / "inputs.safetensors")))
    names = {}
    exec(code, names)  # pylint: disable=exec-used
    return torch.utils._pytree.tree_leaves(names["values"])


def problems_of(name, cli, engine, work):
    function, to, where, mend, fix = PROGRAMS[name]
    torch.manual_seed(0)
    program, path = work / f"{name}.pt2", work / f"{name}.zip"
    torch.export.save(torch.export.export(Block(function).eval(), (torch.randn(16, 48),)), program)
    done = run(cli, "bundle", program, "--to", to, "--wrong", "--python", sys.executable, "-o", path)
    if done.returncode == 2 and "no executor is installed" in done.stderr:
        print(done.stderr)
        sys.exit(SKIP)
    if done.returncode != 0:
        return [f"no bundle: {done.stdout}{done.stderr}"]
    found = []
    with zipfile.ZipFile(path) as archive:
        archive.extractall(work / "room")
    folder = work / "room" / zipfile.ZipFile(path).namelist()[0].split("/")[0]
    manifest = json.loads((folder / "manifest.json").read_text())
    if (manifest["signature"]["stage"], manifest["signature"]["target"]) != where:
        found.append(f"blames {manifest['signature']}")
    if manifest["call_nodes"] != 1:
        found.append(f"has {manifest['call_nodes']} operations")
    if path.stat().st_size > LARGEST:
        found.append(f"has {path.stat().st_size} bytes")
    expected = list(load_file(folder / "expected.safetensors").values())
    if not all(torch.equal(a.nan_to_num(7), b.nan_to_num(7)) for a, b in zip(readme_values(folder), expected, strict=True)):
        found.append("its README computes other values")
    outcomes = {"replay": (["replay", path, "--json"], "same-failure")}
    if mend:
        mended = work / "mended-engine"
        mended.write_text(f"#!/bin/sh\n'{engine}' \"$@\" | sed -e '{mend}'\n")
        mended.chmod(0o755)
        outcomes["replay with a mended engine"] = (["replay", path, "--json", "--engine", mended], "fixed")
    for what, (command, outcome) in outcomes.items():
        answer = run(cli, *command)
        said = json.loads(answer.stdout)["outcome"] if answer.stdout else answer.stderr
        if said != outcome:
            found.append(f"{what}: {said}")
    diagnosed = run(cli, "diagnose", program, "--to", to, "--numbers", "--python", sys.executable, "--json")
    answer = json.loads(diagnosed.stdout)
    wrong = [(f["stage"], f["target"], f["best"]) for f in answer["findings"] if f["kind"] == "wrong-result"]
    if diagnosed.returncode != 1 or wrong != [(*where, fix)]:
        found.append(f"diagnose: {diagnosed.returncode}, {wrong}")
    if fix and (answer["targets"][0]["fixed_computed"] or {}).get("verdict") != "same":
        found.append(f"diagnose: no verified fix: {answer['targets'][0]}")
    print(f"{name}: {path.stat().st_size} bytes, {manifest['wrong']['why']}")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        for name in list(PROGRAMS)[:None if arguments.all else SAMPLE]:
            for problem in problems_of(name, arguments.cli, arguments.engine, work):
                print(f"{name}: {problem}")
                failed = True
        torch.export.save(torch.export.export(Block(torch.relu).eval(), (torch.randn(16, 48),)), work / "right.pt2")
        done = run(arguments.cli, "bundle", work / "right.pt2", "--to", "tosa", "--wrong", "--python", sys.executable, "-o", work / "right.zip")
        if done.returncode != 2 or "computes what is expected by" not in done.stderr or (work / "right.zip").exists():
            print(f"right: {done.returncode}: {done.stdout}{done.stderr}")
            failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
