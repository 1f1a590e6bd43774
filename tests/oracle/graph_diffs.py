# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `diff` says of two programs: python3 graph_diffs.py --cli FXSCOPE_CLI

Graphs that PyTorch exported are changed in ways that are known (a node added, removed, given other arguments or operands; all nodes renamed), and
`diff` must name those changes and nothing else. Two exports of one module, strict and not, and after decompositions, must be the same where PyTorch's
nodes have the same targets, arguments and values, and differ where they have not.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings

import torch

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
SAMPLES = pathlib.Path(__file__).parents[2] / "samples"
UNARY = torch.ops.aten.sinh.default


class Block(torch.nn.Module):
    def __init__(self, size=8):
        super().__init__()
        self.norm = torch.nn.LayerNorm(size)
        self.up, self.down = torch.nn.Linear(size, 2 * size), torch.nn.Linear(2 * size, size)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x)))).clamp(min=-3.0, max=3.0)


class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList([Block(), Block()])
        self.attention = torch.nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        for block in self.blocks:
            x = block(x) + self.attention(x, x, x, need_weights=False)[0]
        return torch.cat([x, x.mean(dim=1, keepdim=True)], dim=1).softmax(-1)


class Convolutions(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3, padding=1), torch.nn.BatchNorm2d(4), torch.nn.ReLU(), torch.nn.MaxPool2d(2))

    def forward(self, x):
        return torch.nn.functional.interpolate(self.layers(x), scale_factor=2.0, mode="nearest").flatten(1)


class Sizes(torch.nn.Module):
    """Sums and products of sizes, which PyTorch prints in the order of its symbols, and a number as an input."""

    def forward(self, x, y, n):
        both = torch.cat([x.flatten(), y.flatten()])
        padded = torch.nn.functional.pad(x, (0, y.shape[0], y.shape[1], 0))
        return both * n, padded, x.sum() * (x.shape[0] - y.shape[1] + n), n + 1


class Unknown(torch.nn.Module):
    """Sizes known only at run time."""

    def forward(self, x):
        return x.nonzero() * 2, x[x > 0].exp(), x.T.nonzero()


AUTO = torch.export.Dim.AUTO
DYNAMIC = [(Block, ((2, 8),), ({0: AUTO},)), (Attention, ((2, 5, 8),), ({0: AUTO, 1: AUTO},)), (Convolutions, ((2, 3, 8, 8),), ({0: AUTO},)),
           (Sizes, ((4, 7), (5, 6), 3), ({0: AUTO, 1: AUTO}, {0: AUTO, 1: AUTO}, AUTO)), (Unknown, ((3, 4),), ({0: AUTO, 1: AUTO},))]
MODULES = [(Block, (2, 8)), (Attention, (2, 5, 8)), (Convolutions, (2, 3, 8, 8))]


def exported(make, shape, **options):
    torch.manual_seed(0)
    return torch.export.export(make().eval(), (torch.randn(shape),), **options)


def said(cli, a, b):
    with tempfile.TemporaryDirectory() as folder:
        files = [f"{folder}/{name}.pt2" for name in "ab"]
        for program, file in zip((a, b), files):
            torch.export.save(program, file)
        done = subprocess.run([cli, "diff", *files, "--json"], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    answer = json.loads(done.stdout)
    assert answer["same"] == (done.returncode == 0)
    found = [(each["change"], (each["b"] or each["a"])["node"], *each["differs"]) for each in answer["differences"]]
    return sorted(found) + [("size", each["size"]) for each in answer["sizes"]]


def calls(graph):
    return [node for node in graph.nodes if node.op == "call_function" and isinstance(node.meta.get("val"), torch.Tensor)]


def rename(program, dice):
    for i, node in enumerate(calls(program.graph)):
        node.name = f"renamed_{i}"
    for spec in program.graph_signature.output_specs:
        spec.arg.name = program.graph.output_node().args[0][program.graph_signature.output_specs.index(spec)].name
    return []


def add(program, dice):
    node = dice.choice([each for each in calls(program.graph) if each.users and all(user.op != "output" for user in each.users)])
    with program.graph.inserting_after(node):
        new = program.graph.call_function(UNARY, (node,))
    new.meta = dict(node.meta)
    node.replace_all_uses_with(new, delete_user_cb=lambda user: user is not new)
    return [("added", new.name)]


def remove(program, dice):
    """Of a node that was added, seen from the other side."""
    (_, name), = add(program, dice)
    return [("removed", name)]


def argument(program, dice):
    node = next(each for each in calls(program.graph) if each.target in CONSTANTS)
    index, value = CONSTANTS[node.target]
    node.args = node.args[:index] + (value,) + node.args[index + 1:]
    return [("changed", node.name, "arguments")]


CONSTANTS = {torch.ops.aten.clamp.default: (1, -2.0), torch.ops.aten.max_pool2d.default: (2, [1, 1])}


def operands(program, dice):
    node = next(each for each in calls(program.graph) if each.target is torch.ops.aten.add.Tensor)
    node.args = (node.args[1], node.args[0])
    return [("changed", node.name, "operands")]


def places(program):
    """{symbol: where it is first}"""
    out, counts = {}, {}
    for node in program.graph.nodes:
        value = node.meta.get("val")
        sizes = value.shape if isinstance(value, torch.Tensor) else [value]
        for i, size in enumerate(sizes):
            for symbol in size.node.expr.free_symbols if isinstance(size, torch.SymInt) else ():
                place = node.name if node.op == "placeholder" else str(node.target)
                if symbol not in out:
                    counts[place] = counts.get(place, 0) + 1
                    out[symbol] = f"{place} {counts[place]} {i}"
    return out


def facts(program):
    """What of a graph counts, independent of names: symbolic sizes are what they are for some sizes of the inputs."""
    numbers, out = {}, []
    values = [{symbol: random.Random(f"{place} {seed}").randrange(seed * 1000 + 1) for symbol, place in places(program).items()} for seed in range(4)]

    def evaluated(size):
        return [size.node.expr.subs(each) for each in values] if isinstance(size, torch.SymInt) else size

    for node in program.graph.nodes:
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor):
            mark = str(([evaluated(size) for size in value.shape], value.dtype, [evaluated(stride) for stride in value.stride()]))
        else:
            mark = str(evaluated(value))
        text = torch.fx.node.map_arg((node.args, dict(node.kwargs)), lambda each: f"%{numbers[each]}")
        out.append((node.op, str(node.target) if node.op == "call_function" else "", str(text), mark))
        numbers[node] = len(numbers)
    return out


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--cli", required=True)
    cli = arguments.parse_args().cli
    dice, failed, checked = random.Random(5), [], 0
    for make, shape in MODULES:
        before = exported(make, shape)
        for change in (rename, add, remove, argument, operands):
            for _ in range(3 if change in (add, remove) else 1):
                if make is Convolutions and change is operands:
                    continue
                after = exported(make, shape)
                expected = change(after, dice)
                found = said(cli, *((after, before) if change is remove else (before, after)))
                checked += 1
                if found != sorted(expected):
                    failed.append(f"{make.__name__}, {change.__name__}: {found}, expected {expected}")
        for what, other in (("strict", exported(make, shape, strict=True)), ("decomposed", before.run_decompositions()),
                            ("dynamic", exported(make, shape, dynamic_shapes=({0: torch.export.Dim("n", min=2, max=9)},)))):
            same = facts(before) == facts(other)
            found = said(cli, before, other)
            checked += 1
            if same != (not found):
                failed.append(f"{make.__name__}, {what}: PyTorch's nodes are {'the same' if same else 'not the same'}, found {found}")
            if what == "dynamic" and not any(each[0] == "size" for each in found):
                failed.append(f"{make.__name__}, dynamic: no size is named")
    for make, shapes, sizes in DYNAMIC:
        inputs = tuple(torch.randn(shape) if isinstance(shape, tuple) else shape for shape in shapes)
        one, other = (torch.export.export(make().eval(), inputs, dynamic_shapes=sizes, strict=strict) for strict in (False, True))
        same, found = facts(one) == facts(other), said(cli, one, other)
        checked += 1
        if same != (not [each for each in found if each[0] != "moved"]):
            failed.append(f"{make.__name__}, dynamic and strict: PyTorch's nodes are {'the same' if same else 'not the same'}, found {found}")
    print("\n".join(failed))
    print(f"{checked - len(failed)} of {checked} comparisons are as expected")
    return bool(failed) or checked < 35


if __name__ == "__main__":
    sys.exit(main())
