# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python module is typed: python3 module_types.py. mypy --strict accepts the module, and a user's script on it. Of scripts with one mistake each it
finds that mistake, on its line, and no other: options, types of options, members at several depths, output types, states."""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIGHT = '''\
import sys

import torch

import fxscope
from fxscope.types import Cause, Stage, UserOutputType


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.gelu(x)


def failing(stages: list[Stage]) -> list[str]:
    return [stage.name for stage in stages if stage.status == "failed"]


def line(cause: Cause) -> int | None:
    return cause.source.line if cause.source else None


x = torch.rand(2, 3)
own = UserOutputType("acme")

lowering = fxscope.lower(Model(), to="tosa", args=(x,), timeout=60, memory="4G")
fxscope.lower("model.pt2", to=own, output_types="acme.json")
fxscope.lower("model.pt2", "linalg-on-tensors", via="registry", decompose=["aten.gelu"])
fxscope.lower("model.pt2", "tosa", as_="torch-mlir", output="stages")
fxscope.lower(torch.export.export(Model(), (x,)), "tosa", weights=True)
fxscope.lower("model.mlir", pass_pipeline="builtin.module(canonicalize)", mode="frozen")
is_ok: bool = lowering.ok
text: str = lowering.text("torch")
failing(lowering.stages)
failed_in: str | None = lowering["stages"][0]["failing_pass"]
seconds: float = sum(stage.seconds or 0 for stage in lowering.stages)
by_pass = {finding.pass_: finding["pass"] for finding in lowering.findings}
plain: object = lowering.json["findings"][0]["message"]

diagnosis = fxscope.diagnose("model.pt2", to=["tosa", "stablehlo"], python=sys.executable, no_experiments=False)
lowers: bool | None = diagnosis.targets[0].lowers
sentence: str = diagnosis.targets[0].message
for finding in diagnosis.findings:
    for experiment in finding.experiments:
        if experiment.verified == "whole-lowers":
            print(finding.nodes[0].name, experiment.snippet)
lines = [line(cause) for cause in diagnosis.causes]
page: str = diagnosis.html

fixed = fxscope.fix("model.pt2", to="tosa", output="fixed.pt2")
program: torch.export.ExportedProgram = fixed.load()
symbol: str = fixed.changes[0].sizes[0].dimensions[0].input
table = fxscope.decompositions(program, to="tosa")
program.run_decompositions(table)

trace = fxscope.trace("model.pt2", to="tosa")
after: str = trace.text(3)
changed = [each.index for each in trace.passes if each.changed]
history = fxscope.trace("model.pt2", to="tosa", node="gelu").history
attempts = fxscope.trace("model.pt2", to="tosa", node="gelu", patterns=True).attempts
found: bool = fxscope.trace("model.pt2", to="tosa", until="op=tosa.* appears").found
made = fxscope.trace("model.pt2", to="tosa", op="op=tosa.add").operations[0].made

same = [each.to for each in fxscope.compare("model.pt2", to="tosa").targets if each.verdict == "same"]
differs: bool = fxscope.compare("model.pt2", to="tosa", engine=["a", "b"]).differs

picture = fxscope.graph("model.pt2", to="tosa", theme="dark")
picture.save("graph.svg")
fxscope.show("model.pt2", to="tosa", arrangement="passes").wait()

explanation = fxscope.explain(Model(), x, to="tosa")
good = [each.output_type for each in explanation.verdicts if each.standing == "lowers"]
if explanation.next:
    print(explanation.next.code)
try:
    fxscope.lower("model.pt2", to="tosa")
except fxscope.Error as error:
    code: int = error.code
'''
# A piece of one line, and the mistake in its place.
MISTAKES = [
    ("timeout=60", "timeuot=60"), ("timeout=60", "timeout=[60]"), ("weights=True", 'weights="yes"'), ('args=(x,), timeout', "args=x.size, timeout"),
    ('"linalg-on-tensors", via', '"linalg", via'), ('via="registry"', 'via="registries"'), ('decompose=["aten.gelu"]', "decompose=[5]"),
    ('mode="frozen"', 'mode="freeze"'), ('as_="torch-mlir"', 'as_="torch_mlir"'), ('output="stages"', "output=5"), ('["tosa", "stablehlo"]', '["tosa", "stable-hlo"]'),
    ("no_experiments=False", "experiments=False"), ("to=own", 'to=str("acme")'), ("fxscope.lower(torch.export", "fxscope.lower(torch.export.export, torch.export"),
    ("is_ok: bool", "is_ok: str"), ('lowering.text("torch")', "lowering.text(1)"), ("[stage.name for", "[stage.nmae for"), ('== "failed"', '== "fialed"'),
    ('["failing_pass"]', '["failing_pas"]'), ('lowering["stages"]', 'lowering["stage"]'), ("finding.pass_:", "finding.passs:"),
    ("targets[0].message", "targets[0].lowers"), ("experiment.snippet", "experiment.snipet"), ('== "whole-lowers"', '== "whole-lower"'),
    ("finding.nodes[0].name", "finding.nodes[0].module.path"), ("cause.source.line if cause.source else None", "cause.source.line"),
    ("fixed.load()", "fixed.laod()"), ("dimensions[0].input", "dimensions[0].inputs"), ("each.index for", "each.number for"), ('node="gelu").history', 'node="gelu").passes'),
    ("patterns=True).attempts", "patterns=True).history"), (").found", ").fuond"), ("[0].made", "[0].made.name"), ('== "same"', '== "equal"'), (").differs", ").targets"),
    ('theme="dark"', 'theme="drak"'), ('save("graph.svg")', "save(5)"), ('arrangement="passes"', 'arrangement="pass"'), ('.standing == "lowers"', '.standing == "lower"'),
    ("explanation.next.code", "explanation.next.command"), ("Model(), x, to=", "Model(), x, too="), ("fxscope.Error", "fxscope.Eror"), ("error.code", "error.message"),
    ("page: str = diagnosis.html", "page: str = diagnosis.html()"),
]


def mypy(*arguments):
    done = subprocess.run([sys.executable, "-m", "mypy", *arguments], capture_output=True, text=True, cwd=ROOT)
    return done.stdout + done.stderr


def main():
    problems = []
    with tempfile.TemporaryDirectory(prefix="fxscope-types-") as folder:
        options = ("--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", f"{folder}/cache")
        scripts = {"right": RIGHT}
        for number, (right, wrong) in enumerate(MISTAKES):
            assert RIGHT.count(right) == 1, right
            scripts[f"wrong_{number}"] = RIGHT.replace(right, wrong)
        for name, text in scripts.items():
            pathlib.Path(folder, f"{name}.py").write_text(text)
        said = mypy(*options, *(f"{folder}/{name}.py" for name in scripts))
        found = collections.defaultdict(set)
        for name, line in re.findall(r"(\w+)\.py:(\d+): error:", said):
            found[name].add(int(line))
        for number, (right, wrong) in enumerate(MISTAKES):
            expected = RIGHT[:RIGHT.index(right)].count("\n") + 1
            if found[f"wrong_{number}"] != {expected}:
                problems.append(f"with {wrong!r} for {right!r}: errors in lines {sorted(found[f'wrong_{number}'])}, expected {expected}")
        of_others = [line for line in said.splitlines() if ": error:" in line and not re.search(r"wrong_\d+\.py:", line)]
        problems += of_others
        module = mypy(*options)
        if "Success" not in module:
            problems.append(f"the module: {module}")
    print("\n".join(problems) or f"the module and a script of {RIGHT.count(chr(10))} lines are accepted, and {len(MISTAKES)} of {len(MISTAKES)} mistakes found")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
