# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `report` writes of programs that torch-mlir does not lower, or computes wrong: python3 report_scripts.py --cli FXSCOPE_CLI [--all]

- repro.py fails here as `report` says, which runs it with this Python, and has at most 25 lines for 9 of 10 programs.
- test.mlir fails under FileCheck as it is, and passes once the engine prints a function that is lowered.
- e2e_test.py registers one test case, whose module fails to lower with the inputs that it draws.
A fixed sample of the oracle programs, for one output type each, or all of them for all. Of programs that it lowers and computes wrong, where an executor is installed:

- repro.py shows the wrong values here as `report` says, in at most 25 lines for 9 of 10 programs.
- e2e_test.py registers one test case whose values differ by the tolerance of the suite, executed as repro.py does.

Of a program that IREE does not compile, where it is installed: the command fails as `report` says.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import types
import warnings
from unittest import mock

import torch
from torch_mlir import fx

import installed
import oracle_programs

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
TYPES = ("linalg-on-tensors", "tosa", "stablehlo")
# Every how many of the programs, and the most scripts that are run.
STEP, ENOUGH = 47, 40
LINES = 25
# Programs of any sample, and an output type: what only a loaded program meets, sizes that PyTorch computes or asserts, inputs that are permuted, and
# operators of other libraries.
ALWAYS = {"dyn_assert_multiple": "tosa", "while_loop": "linalg-on-tensors", "dyn_numel": "tosa", "nonzero": "stablehlo", "dyn_two_dims": "tosa",
          "quantize_dequantize": "stablehlo", "custom_op_mutates": "tosa", "custom_op_list_argument": "linalg-on-tensors"}
# Wrong results without --all.
FEW_WRONG = 1
# Programs that take long, and whose operators others have.
LARGE = ("model_", "hf_")
FILECHECK = shutil.which("FileCheck-22") or shutil.which("FileCheck", path="/usr/lib/llvm-22/bin")
IREE_COMPILE = installed.ROOT / ".cache/iree/iree-compile"
LOWERED = "module {\n  func.func @main() {\n    return\n  }\n}\n"


F = torch.nn.functional
NAN = float("nan")


def wide(function):
    """The function between linear layers."""

    class Wide(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = torch.nn.ModuleList(torch.nn.Linear(24, 24) for _ in range(2))

        def forward(self, x):
            return self.layers[1](function(torch.tanh(self.layers[0](x)))) + x

    torch.manual_seed(0)
    return Wide().eval(), (torch.randn(8, 24),)


def of(function, *inputs):
    """The function alone."""

    class Module(torch.nn.Module):
        def forward(self, *args):
            return function(*args)

    return Module(), inputs


SOME, OTHER = torch.arange(20.0).reshape(5, 4) - 9.5, torch.arange(20.0).reshape(5, 4).flip(0) * 0.75 - 6
# What the pinned torch-mlir computes wrong: the program and an output type.
WRONG = {
    "negative_indices": (lambda: of(lambda x: x[torch.tensor([-1, 0, -2])] * 2, SOME), "stablehlo"),
    "gelu_tanh": (lambda: wide(lambda x: F.gelu(x, approximate="tanh")), "linalg-on-tensors"),
    "bool_sum": (lambda: of(lambda x, y: ((x > 0) + (y > 0)).float(), SOME, OTHER), "tosa"),
    "bool_sum_too": (lambda: of(lambda x, y: ((x > 0) + (y > 0)).float(), SOME, OTHER), "stablehlo"),
    "maximum_nan": (lambda: of(lambda x: torch.maximum(torch.where(x > 0.1, NAN, x), x * 0.5), SOME), "linalg-on-tensors"),
    "minimum_nan": (lambda: of(lambda x: torch.minimum(torch.where(x > 0.1, NAN, x), x * 0.5), SOME), "linalg-on-tensors"),
    "remainder": (lambda: of(torch.remainder, SOME, OTHER), "stablehlo"),
    "hardtanh_nan": (lambda: of(lambda x: F.hardtanh(torch.log(x)), SOME), "linalg-on-tensors"),
    "relu_infinity": (lambda: of(lambda x: F.relu(x / 0), SOME), "tosa"),
    "clamp_nan": (lambda: of(lambda x: torch.clamp(torch.log(x), -1, 1), SOME), "linalg-on-tensors"),
    "last_index": (lambda: of(lambda x: x[:, torch.tensor([-1, 1])] + 1, SOME), "stablehlo"),
    "relu6_nan": (lambda: of(lambda x: F.relu6(torch.log(x)), SOME), "linalg-on-tensors"),
}


def report(cli, program, to, *options):
    """The answer, or None if torch-mlir lowers the program."""
    done = subprocess.run([cli, "report", program, "--to", to, "--python", sys.executable, "--json", *options], capture_output=True, text=True)
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


def executed_as(script):
    """A function that executes an exported program as a repro.py does; it raises where values differ by the suite's tolerance."""
    body = script[script.index("expected = "):]
    body = body.replace("Repro()(*inputs)", "program.module()(*inputs)").replace("Repro(), *inputs", "program")
    body = body[:body.index("print(")] + "torch.testing.assert_close(found, expected, rtol=1e-3, atol=1e-7, equal_nan=True)\n"
    imports = "import ctypes\nimport torch\nfrom torch_mlir import execution_engine, fx, passmanager, runtime\n"
    return lambda program, inputs: exec(compile(imports + body, "executed", "exec"), {"program": program, "inputs": list(inputs)})


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


def define_once(name, *arguments, define=torch.library.define, **keywords):
    """Programs of this process may have the operator."""
    namespace, packet = name.split("::")
    if not hasattr(getattr(torch.ops, namespace), packet):
        define(name, *arguments, **keywords)


def e2e_problem(text, fails):
    """What is wrong with a test case of the suite; None if `fails` says so of its program and inputs."""
    cases, dynamic = [], []
    annotations, framework, registry = (types.ModuleType(f"torch_mlir_e2e_test.{name}") for name in ("annotations", "framework", "registry"))
    annotations.export = lambda function: function
    annotations.annotate_args = lambda arguments: lambda function: (dynamic.extend(arguments), function)[1]
    framework.TestUtils = TestUtils
    registry.register_test_case = lambda module_factory: lambda function: cases.append((module_factory, function))
    sys.modules.update({module.__name__: module for module in (annotations, framework, registry)}, torch_mlir_e2e_test=types.ModuleType("e2e"))
    with mock.patch("torch.library.define", define_once):
        exec(compile(text, "e2e_test.py", "exec"), {})
    if len(cases) != 1:
        return f"{len(cases)} test cases"
    factory, function = cases[0]
    module = factory()

    outcomes = []

    def forward(*args):
        shapes = [{d: torch.export.Dim.AUTO for d, size in enumerate(form[0]) if size == -1} or None for form in dynamic[1:]]
        outcomes.append(fails(torch.export.export(module, args, dynamic_shapes=shapes), args))

    function(types.SimpleNamespace(forward=forward), TestUtils())
    return None if outcomes == [True] else f"its module does not fail, or is not called: {outcomes}"


def differs(execute):
    def fails(program, inputs):
        try:
            execute(program, inputs)
            return False
        except AssertionError as error:
            return "not close" in str(error) or "not equal" in str(error)

    return fails


def wrong_results(cli, count):
    """How long the scripts are, and what is wrong; None without an executor."""
    lengths, wrong = [], []
    for name in list(WRONG)[:count]:
        build, to = WRONG[name]
        module, inputs = build()
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "program.pt2"
            torch.export.save(torch.export.export(module, inputs), file)
            done = subprocess.run([cli, "report", file, "--to", to, "--python", sys.executable, "--json"], capture_output=True, text=True)
        if "no executor is installed" in done.stderr:
            return None
        if not done.stdout:
            wrong.append(f"{name} {to}: {done.stderr.strip()}")
            continue
        answer = json.loads(done.stdout)
        texts = {file["name"]: file["text"] for file in answer["files"]}
        script = texts.get("repro.py", "")
        problems = [] if answer["script"] == "fails-alike" else [answer["verified"]]
        if not answer["wrong"]["elements"] or answer["failure"]["kind"] != "wrong-result":
            problems.append(f"says {answer['wrong']}")
        if script and "e2e_test.py" in texts:
            problems.append(e2e_problem(texts["e2e_test.py"], differs(executed_as(script))))
        lengths.append(len(script.splitlines()))
        wrong += [f"{name} {to}: {problem}" for problem in problems if problem]
        print(f"{name} {to}: {answer['title']}, {lengths[-1]} lines{', e2e' if 'e2e_test.py' in texts else ''}", flush=True)
    return lengths, wrong


def tool_problem(cli, folder):
    """What is wrong with the report of a failure of iree-compile, whose linker knows no log10f."""
    module, inputs = of(lambda x: torch.log10(x) + 1, torch.rand(4, 8))
    file = folder / "program.pt2"
    torch.export.save(torch.export.export(module, inputs), file)
    done = subprocess.run([cli, "report", file, "--to", "iree-assembly", "--json"], capture_output=True, text=True)
    if not done.stdout:
        return done.stderr.strip()
    answer = json.loads(done.stdout)
    texts = {each["name"]: each["text"] for each in answer["files"]}
    (folder / "minimal.mlir").write_text(texts["minimal.mlir"])
    command = shlex.split(re.search(r"^iree-compile .*$", texts["issue.md"], re.M)[0])
    ran = subprocess.run([IREE_COMPILE, *command[1:]], cwd=folder, capture_output=True, text=True)
    if ran.returncode == 0 or answer["message"] not in ran.stderr:
        return f"the command does not fail as said: {ran.stderr}"
    if answer["script"] != "fails-alike" or answer["project"] != "iree-org/iree":
        return f"says {answer['script']} for {answer['project']}"
    return None if "IREE compiler version" in answer["versions"] else f"says {answer['versions']}"


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
        if not options.all and name not in ALWAYS and (number % STEP or len(lengths) >= ENOUGH):
            continue
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "program.pt2"
            case = oracle_programs.PROGRAMS[name].build()
            try:
                torch.export.save(torch.export.export(case.module, case.args, case.kwargs, dynamic_shapes=case.dynamic_shapes), file)
            except Exception as error:
                print(f"{name}: not exported: {str(error).splitlines()[0]}")
                continue
            for to in TYPES if options.all else [ALWAYS.get(name, TYPES[number // STEP % len(TYPES)])]:
                answer = report(options.cli, file, to, "--failures-only")
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
                    problems.append(e2e_problem(texts["e2e_test.py"], lambda program, _: not lowers(program, to)))
                wrong += [f"{name} {to}: {problem}" for problem in problems if problem]
                print(f"{name} {to}: {answer['title']}", flush=True)
    short = sum(length <= LINES for length in lengths)
    print(f"{len(lengths)} scripts, {short} of at most {LINES} lines; {len(unsaid)} programs have none")
    values = wrong_results(options.cli, len(WRONG) if options.all else FEW_WRONG)
    if values is None:
        print("wrong results were not looked at: no executor is installed")
    else:
        wrong += values[1]
        enough = sum(length <= LINES for length in values[0]) >= 0.9 * len(values[0])
        wrong += [] if enough else [f"scripts of wrong results are long: {values[0]}"]
    if os.access(IREE_COMPILE, os.X_OK):
        with tempfile.TemporaryDirectory() as folder:
            problem = tool_problem(options.cli, pathlib.Path(folder))
        wrong += [f"log10 iree-assembly: {problem}"] if problem else []
    else:
        print("failures of IREE were not looked at: it is not installed")
    for line in unsaid + wrong:
        print(" ", line)
    assert lengths and not wrong and short >= 0.9 * len(lengths)
    assert len(unsaid) <= 0.1 * len(lengths)


if __name__ == "__main__":
    main()
