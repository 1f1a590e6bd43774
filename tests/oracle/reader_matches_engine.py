# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what fxscope's MLIR reader sees with what the engine prints.

Each program is imported and lowered to each backend. The engine prints each module in generic form with its locations in place; read line by
line by a few regular expressions here, that is the answer. Our reader must see the same operations, in order, with the same names and
locations: in that generic text, in the pretty text with aliases, and in the pretty text with locations in place. The pretty form leaves out
the regions of named linalg operations and terminators that have nothing to say; what it leaves out is not compared, and counted.

    reader_matches_engine.py --list-ops PROGRAM [--engine TORCH_MLIR_OPT] --cli FXSCOPE_CLI FILE.pt2 ...
    reader_matches_engine.py --list-ops PROGRAM [--engine TORCH_MLIR_OPT] FILE.mlir ...

Another printer, such as mlir-opt --allow-unregistered-dialect, may stand in for the engine: --engine "mlir-opt-22 --allow-unregistered-dialect".
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from backend_stages import PIPELINES

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
DEBUG = ["--mlir-print-debuginfo", "--mlir-print-local-scope"]
OP = re.compile(r'^\s*(?:%[\w$.-]+(?::\d+)?(?:, %[\w$.-]+(?::\d+)?)* = )?"([\w.$-]+)"\(')


def location_at_end(line):
    """The body of the `loc(..)` that ends the line: the one whose parens balance exactly there."""
    line = re.sub(r"\s*//.*$", "", line) if '"' not in line else line
    assert line.endswith(")"), line
    at = line.find("loc(")
    while at >= 0:
        depth, quoted, i = 0, False, at + 3
        while i < len(line):
            c = line[i]
            if quoted:
                if c == "\\":
                    i += 1
                elif c == '"':
                    quoted = False
            elif c == '"':
                quoted = True
            elif c == "(":
                depth += 1
            elif c == ")":
                depth -= 1
                if depth == 0:
                    break
            i += 1
        if i == len(line) - 1:
            return line[at + 4:-1]
        at = line.find("loc(", at + 1)
    raise AssertionError(line[:200])


def answer(generic):
    """[depth, regions, name, location] of each operation of a generic text."""
    ops, open_ops, resources = [], [], False
    for line in generic.split("\n"):
        resources = (resources or line.startswith("{-#")) and not line.startswith("#-}")
        stripped = line.strip()
        if resources or not stripped or stripped.startswith("#-}"):
            continue
        if stripped.startswith("}"):
            op = ops[open_ops[-1]]
            if stripped.startswith("}, {"):
                op[1] += 1
            else:
                op[3] = location_at_end(stripped)
                open_ops.pop()
            continue
        match = OP.match(line)
        if match is None:
            continue
        ops.append([len(open_ops), 0, match[1], None])
        if stripped.endswith("({"):
            ops[-1][1] = 1
            open_ops.append(len(ops) - 1)
        else:
            ops[-1][3] = location_at_end(stripped)
    return ops


def children(ops):
    """The operations as a tree: [op, its children] each."""
    root = [None, []]
    stack = [root]
    for op in ops:
        node = [op, []]
        del stack[op[0] + 1:]
        stack[-1][1].append(node)
        stack.append(node)
    return root


def same(mine, other):
    """Name and location agree. Where a text prints no location the engine makes one up: the place in the text."""
    return mine[2] == other[2] and (mine[3] == other[3] or (mine[3] == "" and other[3].startswith('"<stdin>":')))


def compare_pretty(ours, theirs):
    """(differences, operations that the pretty form leaves out)"""
    differences, hidden = [], 0
    todo = [(children(ours), children(theirs))]
    while todo:
        mine, other = todo.pop()
        if mine[0] is not None and mine[0][1] == 0 and other[0][1] > 0:
            inside = list(other[1])
            while inside:
                hidden += 1
                inside.extend(inside.pop()[1])
            continue
        i = 0
        for node in other[1]:
            mine_here = mine[1][i] if i < len(mine[1]) else None
            if mine_here is not None and same(mine_here[0], node[0]):
                todo.append((mine_here, node))
                i += 1
            elif not node[1] and node[0][2].rsplit(".", 1)[1] in ("yield", "return", "reduce", "terminator", "finalize", "end"):
                hidden += 1  # an implicit terminator
            else:
                differences.append(f"engine: {node[0]}, ours: {mine_here and mine_here[0]}")
                break
        else:
            differences.extend(f"ours alone: {extra[0]}" for extra in mine[1][i:])
    return differences, hidden


class Comparison:
    def __init__(self, list_ops, engine, work):
        self.list_ops, self.engine, self.work = list_ops, shlex.split(engine), work
        self.texts = self.ops = self.hidden = 0
        self.differences = []

    def print_as(self, text, *options):
        run = subprocess.run([*self.engine, *options], input=text, capture_output=True)
        return run.stdout if run.returncode == 0 else None

    def ours(self, text):
        path = self.work / "text.mlir"
        path.write_bytes(text)
        lines = subprocess.run([self.list_ops, path], capture_output=True, check=True).stdout.decode().splitlines()
        return [[int(depth), int(regions), name, location] for depth, regions, name, location in (line.split("\t") for line in lines)]

    def check(self, label, text):
        """Of one module's text, printed with its locations as aliases or in place."""
        generic = self.print_as(text, "--mlir-print-op-generic", *DEBUG)
        if generic is None:
            print(f"{label}: the engine does not read it")
            return
        theirs = answer(generic.decode())
        found = [f"{label}, generic: {a} {b}" for a, b in zip(theirs, self.ours(generic)) if a != b][:5]
        if len(theirs) != len(self.ours(generic)):
            found.append(f"{label}, generic: {len(theirs)} operations, ours {len(self.ours(generic))}")
        for form, pretty in (("as it is", text), ("pretty", self.print_as(text, *DEBUG)), ("pretty with aliases", self.print_as(text, "--mlir-print-debuginfo"))):
            differences, hidden = compare_pretty(self.ours(pretty), theirs)
            found += [f"{label}, {form}: {d}" for d in differences[:5]]
        self.texts += 1
        self.ops += len(theirs)
        self.hidden += hidden
        self.differences += found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--list-ops", required=True)
    parser.add_argument("--engine", default=os.environ.get("FXSCOPE_ENGINE") or str(SOURCE / ".cache/engine/torch-mlir-opt"))
    parser.add_argument("--cli")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    if shutil.which(shlex.split(arguments.engine)[0]) is None:
        print("no engine here: FXSCOPE_ENGINE names none and ./run has installed none")
        return SKIPPED
    with tempfile.TemporaryDirectory() as work:
        comparison = Comparison(arguments.list_ops, arguments.engine, pathlib.Path(work))
        for file in arguments.files:
            if file.suffix != ".pt2":
                comparison.check(file.name, file.read_bytes())
                continue
            raw = subprocess.run([arguments.cli, "import", file], capture_output=True, check=True).stdout
            comparison.check(f"{file.name} raw", raw)
            for stage, pipeline in PIPELINES.items():
                lowered = comparison.print_as(raw, f"--pass-pipeline={pipeline}", "--mlir-print-debuginfo")
                if lowered is not None:
                    comparison.check(f"{file.name} {stage}", lowered)
    print("\n".join(comparison.differences))
    print(f"{comparison.texts} modules, {comparison.ops} operations in generic form, {comparison.hidden} of them not printed in pretty form, "
          f"{len(comparison.differences)} differences")
    return 1 if comparison.differences or comparison.ops == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
