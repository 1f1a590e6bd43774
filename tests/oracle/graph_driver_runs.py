# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that are split into a main function and subgraphs compute what PyTorch computes.

    ORACLE_PYTHON graph_driver_runs.py --cli build/release/bin/fxscope-cli [--samples DIR] [FILE.pt2 ..]

`registry --groups module|node` writes one module, which is run with its weights. `registry --graph-driver DIR` writes forward.mlir,
subgraph0.mlir .. and arg0.data ..; each module is compiled by itself, forward.mlir by passes for memrefs alone, and linked, as builds of Buddy
Compiler do. What both compute is compared with the exported program.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from registry_matches_torch import case_of, wrong_results  # noqa: E402
from run_mlir import DTYPES, LOWERING, Failed, Module  # noqa: E402
from torch_mlir import ir, passmanager  # noqa: E402
from torch_mlir.execution_engine import ExecutionEngine  # noqa: E402

OF_MEMREFS = (
    "builtin.module(expand-strided-metadata,lower-affine,func.func(llvm-request-c-wrappers),convert-arith-to-llvm,"
    "finalize-memref-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)"
)
SAMPLES = ("transformer_block", "residual_block", "addmm", "masked_attention")
GROUPS, OF_DRIVER = ("module", "node"), ("all", "module")
# Any layout may be passed to a subgraph, and what it returns has the identity layout.
OF_TENSORS = LOWERING.replace("function-boundary-type-conversion=identity-layout-map", "function-boundary-type-conversion=fully-dynamic-layout-map")


class Linked(Module):
    """forward.mlir and its subgraphs, compiled by themselves and then put into one module."""

    def __init__(self, folder):
        self.context = ir.Context()
        with self.context, ir.Location.unknown():
            try:
                main = ir.Module.parse((folder / "forward.mlir").read_text())
                self.results = {}
                for operation in main.body.operations:
                    name = ir.StringAttr(operation.operation.attributes["sym_name"]).value
                    types = ir.FunctionType(ir.TypeAttr(operation.operation.attributes["function_type"]).value).results
                    self.results[name] = [(list(ir.MemRefType(t).shape), DTYPES[str(ir.MemRefType(t).element_type)]) for t in types]
                passmanager.PassManager.parse(OF_MEMREFS).run(main.operation)
                # Main's own wrappers of what it declares are private.
                text = re.sub(r"@(subgraph\d+)\b", r"@wrapped_\1", str(main))
                for number, path in enumerate(sorted(folder.glob("subgraph*.mlir"))):
                    text = linked(text, compiled(path.read_text()), number)
                self.engine = ExecutionEngine(ir.Module.parse(text))
            except Exception as error:
                raise Failed(str(error)[:2000]) from None
        self.register()


def compiled(text):
    module = ir.Module.parse(text)
    passmanager.PassManager.parse(OF_TENSORS).run(module.operation)
    return str(module)


def operations(text):
    """The top-level operations of a printed module of the LLVM dialect by their symbols, and its resources, which get other names when parsed."""
    module = ir.Module.parse(text)
    resources = dict(re.findall(r'^ +(\S+): ("0x\w+"),?$', str(module), re.MULTILINE))
    return resources, {ir.StringAttr(o.operation.attributes["sym_name"]).value: (str(o), bool(len(o.operation.regions[0].blocks))) for o in module.body.operations}


def linked(main, part, number):
    """Symbols of constants get the part's number; what a declaration names is defined by the other module."""
    part = re.sub(r"@(__constant\w*)", rf"@part{number}\1", part)
    resources, both = operations(main)
    more, others = operations(part)
    resources |= more
    for name, (text, has_body) in others.items():
        if name not in both or (has_body and not both[name][1]):
            both[name] = text, has_body
    data = ",\n".join(f"      {key}: {value}" for key, value in resources.items())
    section = "{-#\n  dialect_resources: {\n    builtin: {\n" + data + "\n    }\n  }\n#-}\n" if data else ""
    return "module {\n" + "\n".join(text for text, _ in both.values()) + "\n}\n" + section


def run(cli, *arguments):
    done = subprocess.run([cli, "registry", *arguments], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise Failed(f"exit code {done.returncode}: {done.stderr.strip()[:400]}{done.stdout.strip()[:400]}")
    return done.stdout


def packed_arguments(folder, forward):
    """The tensors of arg0.data .., with the types that the main function gives them."""
    types = re.search(r"func\.func @forward\((.*?)\)(?: ->| \{)", forward).group(1)
    found = re.findall(r"%arg\d+: memref<(\d+)x([\w<>]+?)>", types)
    out = []
    for number, path in enumerate(sorted(folder.glob("arg*.data"))):
        count, element = found[number]
        dtype = DTYPES[element]
        data = torch.frombuffer(bytearray(path.read_bytes()), dtype=dtype)
        if data.numel() != int(count):
            raise Failed(f"{path.name} has {data.numel()} elements, main takes {count}")
        out.append(data)
    return out


def has_symbolic_sizes(exported):
    values = [n.meta.get("val") for n in exported.graph.nodes]
    return any(isinstance(size, torch.SymInt) for v in values if isinstance(v, torch.Tensor) for size in v.shape)


def check(options, path):
    problems, count = [], 0
    exported = torch.export.load(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        inputs, wanted = case_of(exported, exported.example_inputs)
    name = pathlib.Path(path).stem
    for groups in GROUPS:
        count += 1
        try:
            text = run(options.cli, str(path), "--groups", groups, "--weights")
            if text.count('sym_visibility = "private"') + text.count("func.func private") < 1:
                problems.append(f"{name}/{groups}: no subgraph")
            problems += [f"{name}/{groups}: {p}" for p in wrong_results(Module(text), inputs, wanted)]
        except Failed as error:
            problems.append(f"{name}/{groups}: {str(error)[:400]}")
    for groups in () if has_symbolic_sizes(exported) else OF_DRIVER:
        with tempfile.TemporaryDirectory() as scratch:
            count += 1
            folder = pathlib.Path(scratch)
            try:
                run(options.cli, str(path), "--graph-driver", scratch, "--groups", groups)
                module = Linked(folder)
                arguments = packed_arguments(folder, (folder / "forward.mlir").read_text())
                got = module.call("forward", *arguments, *inputs)
                problems += [f"{name}/{groups}/driver: {p}" for p in wrong_results(Given(got), inputs, wanted)]
            except Failed as error:
                problems.append(f"{name}/{groups}/driver: {str(error)[:400]}")
    return count, problems


class Given:
    """Results as a module that gives them."""

    def __init__(self, results):
        self.results = results

    def call(self, *_):
        return self.results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", required=True, help="fxscope-cli")
    parser.add_argument("--samples", default=str(pathlib.Path(__file__).parents[2] / "samples"))
    parser.add_argument("files", nargs="*", help="only these saved programs")
    options = parser.parse_args()
    files = options.files or [pathlib.Path(options.samples) / f"{name}.pt2" for name in SAMPLES]
    total, problems = 0, []
    for path in files:
        count, wrong = check(options, path)
        total += count
        problems += wrong
    print(f"{total - len({p.rsplit(':', 1)[0] for p in problems})} of {total} split programs compute what PyTorch computes")
    for problem in problems:
        print(problem)
    return 1 if problems or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
