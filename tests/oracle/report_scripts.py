# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `report` writes of programs that torch-mlir does not lower: python3 report_scripts.py --cli FXSCOPE_CLI [--all]

- repro.py fails here as `report` says, which runs it with this Python, and has at most 25 lines for 9 of 10 programs.
- test.mlir fails under FileCheck as it is, and passes once the engine prints a function that is lowered.
- e2e_test.py registers one test case, whose module fails to lower with the inputs that it draws.
A fixed sample of the oracle programs, or all of them.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types
import warnings

import torch
from torch_mlir import fx

import installed
import oracle_programs

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
TYPES = ("linalg-on-tensors", "tosa", "stablehlo")
# Every how many of the programs, and the most scripts that are run.
STEP, ENOUGH = 23, 40
LINES = 25
# Programs that take long, and whose operators others have.
LARGE = ("model_", "hf_")
FILECHECK = shutil.which("FileCheck-22") or shutil.which("FileCheck", path="/usr/lib/llvm-22/bin")
LOWERED = "module {\n  func.func @main() {\n    return\n  }\n}\n"


def report(cli, program, to):
    """The answer, or None if torch-mlir lowers the program."""
    done = subprocess.run([cli, "report", program, "--to", to, "--python", sys.executable, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        assert "there is no failure to report" in done.stderr, done.stderr
        return None
    answer = json.loads(done.stdout)
    answer["texts"] = {file["name"]: file["text"] for file in answer["files"]}
    return answer


def lit_problem(text, engine):
    """What is wrong with a lit test; None if it fails now and can pass."""
    with tempfile.TemporaryDirectory() as folder:
        test = pathlib.Path(folder) / "test.mlir"
        test.write_text(text)
        pipeline = text.split("'", 2)[1]
        printed = subprocess.run([engine, test, f"-pass-pipeline={pipeline}"], capture_output=True, text=True)
        if printed.returncode == 0:
            return "the pipeline does not fail"
        check = lambda output: subprocess.run([FILECHECK, test], input=output, capture_output=True, text=True).returncode
        if check(printed.stdout) == 0:
            return "it passes as it is"
        return None if check(LOWERED) == 0 else "it does not pass for a lowered function"


class TestUtils:
    """As that of the suite, as far as the test cases use it."""

    def rand(self, *sizes):
        return torch.rand(sizes)

    def randint(self, *sizes, high):
        return torch.randint(0, high, sizes)


def lowers(program, to):
    """Whether torch-mlir lowers it; it prints why not."""
    kept = os.dup(2)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            fx.export_and_import(program, output_type=to)
            return True
        except Exception:
            return False
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def e2e_problem(text, to):
    """What is wrong with a test case of the suite; None if its module does not lower."""
    cases, dynamic = [], []
    annotations, framework, registry = (types.ModuleType(f"torch_mlir_e2e_test.{name}") for name in ("annotations", "framework", "registry"))
    annotations.export = lambda function: function
    annotations.annotate_args = lambda arguments: lambda function: (dynamic.extend(arguments), function)[1]
    framework.TestUtils = TestUtils
    registry.register_test_case = lambda module_factory: lambda function: cases.append((module_factory, function))
    sys.modules.update({module.__name__: module for module in (annotations, framework, registry)}, torch_mlir_e2e_test=types.ModuleType("e2e"))
    exec(compile(text, "e2e_test.py", "exec"), {})
    if len(cases) != 1:
        return f"{len(cases)} test cases"
    factory, function = cases[0]
    module = factory()

    outcomes = []

    def forward(*args):
        shapes = [{d: torch.export.Dim.AUTO for d, size in enumerate(form[0]) if size == -1} or None for form in dynamic[1:]]
        outcomes.append(lowers(torch.export.export(module, args, dynamic_shapes=shapes), to))

    function(types.SimpleNamespace(forward=forward), TestUtils())
    return None if outcomes == [False] else f"its module lowers, or is not called: {outcomes}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--all", action="store_true", help="all oracle programs")
    options = parser.parse_args()
    engine = installed.engine()
    if engine is None or FILECHECK is None:
        print("no engine, or no FileCheck")
        sys.exit(installed.SKIP)
    oracle_programs.load_all()
    names = [name for name in sorted(oracle_programs.PROGRAMS) if not name.startswith(LARGE)]
    lengths, wrong, unsaid = [], [], []
    for number, name in enumerate(names):
        if not options.all and (number % STEP or len(lengths) >= ENOUGH):
            continue
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "program.pt2"
            case = oracle_programs.PROGRAMS[name].build()
            try:
                torch.export.save(torch.export.export(case.module, case.args, case.kwargs, dynamic_shapes=case.dynamic_shapes), file)
            except Exception as error:
                print(f"{name}: not exported: {str(error).splitlines()[0]}")
                continue
            for to in TYPES:
                answer = report(options.cli, file, to)
                if answer is None:
                    continue
                texts = answer["texts"]
                if "repro.py" not in texts:
                    unsaid.append(f"{name} {to}: {answer['no_script']}")
                    continue
                lengths.append(len(texts["repro.py"].splitlines()))
                problems = [] if answer["script"] == "fails-alike" else [f"repro.py: {answer['verified']}"]
                if "test.mlir" in texts:
                    problems.append(lit_problem(texts["test.mlir"], engine))
                if "e2e_test.py" in texts and answer["failure"]["kind"] != "crash":  # which would be that of this program
                    problems.append(e2e_problem(texts["e2e_test.py"], to))
                wrong += [f"{name} {to}: {problem}" for problem in problems if problem]
                print(f"{name} {to}: {answer['title']}", flush=True)
    short = sum(length <= LINES for length in lengths)
    print(f"{len(lengths)} scripts, {short} of at most {LINES} lines; {len(unsaid)} programs have none")
    for line in unsaid + wrong:
        print(" ", line)
    assert lengths and not wrong and short >= 0.9 * len(lengths)
    assert len(unsaid) <= 0.1 * len(lengths)


if __name__ == "__main__":
    main()
