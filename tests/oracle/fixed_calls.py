# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A fixed program is called as the original is, and returns what it does: python3 fixed_calls.py --cli FXSCOPE_CLI

For pytrees of every kind, keywords, defaults and values that are no tensors: `fix` writes the program, torch.export.load opens it, and
its module gives for the same call a result of the same structure and values; constants among them are put back by the written Python.
"""
import collections
import dataclasses
import pathlib
import subprocess
import tempfile
import warnings

import torch
from torch.utils import _pytree as pytree

import installed

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
DYNAMIC = torch.export.Dim.DYNAMIC
Pair = collections.namedtuple("Pair", ["left", "right"])


@dataclasses.dataclass
class State:
    hidden: torch.Tensor
    cells: list


pytree._register_namedtuple(Pair, serialized_type_name="fixed_calls.Pair")
torch.export.register_dataclass(State, serialized_type_name="fixed_calls.State")
X, Y = torch.arange(6.0).reshape(2, 3) ** 2, torch.linspace(-1, 1, 6).reshape(2, 3)


class Call(torch.nn.Module):
    """A program of a function that needs a fix for every output type."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args, **kwargs):
        return self.function(*args, **kwargs)


def changed(x):
    """Of a value; torch-mlir does not lower aten.diff."""
    return torch.diff(x, append=x[:, :1])


class Named(torch.nn.Module):
    def forward(self, x, pair, *, scale=None, flag=True, count=3, rest=()):
        y = changed(x) + pair["a"][0] * count
        return {"out": y + scale["z"] if flag else y, "more": (y * 2, [y - 1]), "rest": list(rest)}


def factory_dict(**values):
    return collections.defaultdict(list, values)


# name: (module, args, kwargs, dynamic shapes of args)
CALLS = {
    "tensor": (Call(lambda x: changed(x)), (X,), {}, None),
    "tuple_of_one": (Call(lambda x: (changed(x),)), (X,), {}, None),
    "list": (Call(lambda l: [changed(l[0]), l[1]]), ([X, Y],), {}, None),
    "dict": (Call(lambda d: {"b": changed(d["x"]), "a": d["y"]["z"] + 1}), ({"x": X, "y": {"z": Y}},), {}, None),
    "dict_of_integers": (Call(lambda d: {7: changed(d[1]), 2: d[3]}), ({1: X, 3: Y},), {}, None),
    "ordered_dict": (Call(lambda d: collections.OrderedDict(k=changed(d["a"]))), (collections.OrderedDict(a=X, b=Y),), {}, None),
    "default_dict": (Call(lambda d: factory_dict(k=changed(d["a"]))), (factory_dict(a=X),), {}, None),
    "deque": (Call(lambda d: collections.deque([changed(d[0]), d[1]])), (collections.deque([X, Y]),), {}, None),
    "named_tuple": (Call(lambda p: Pair(p.right, changed(p.left))), (Pair(X, Y),), {}, None),
    "dataclass": (Call(lambda s: State(changed(s.hidden), [s.cells[0] + 1])), (State(X, [Y, Y]),), {}, None),
    "keywords": (Named(), (X, {"a": [Y, X]}), {"scale": {"z": Y}, "rest": (X,)}, None),
    "keyword_only": (Call(lambda *, x, y: changed(x) * y), (), {"x": X, "y": Y}, None),
    "no_tensors": (Call(lambda x, n, flag, text, none: (changed(x) * n,)), (X, 3, True, "mean", None), {}, None),
    "empty": (Call(lambda x, l, d: [changed(x), [], {}, ()]), (X, [], {}), {}, None),
    "dynamic": (Call(lambda d: {"y": changed(d["x"][0])}), ({"x": [X, Y]},), {}, ({"x": [{0: DYNAMIC}, None]},)),
    "constants": (Call(lambda x: {"y": changed(x), "n": None, "more": [3, x, "mean"]}), (X,), {}, None),
    "alias": (Call(lambda x: (changed(x), x, x)), (X,), {}, None),
}


def problem(cli, name, folder):
    """What is wrong with the fixed program; None if it is called as the original."""
    module, args, kwargs, shapes = CALLS[name]
    program = torch.export.export(module, args, kwargs, dynamic_shapes=shapes and {"args": shapes})
    file, fixed, script = folder / "program.pt2", folder / "fixed.pt2", folder / "fixed.py"
    torch.export.save(program, file)
    done = subprocess.run([cli, "fix", file, "--to", "linalg-on-tensors", "-o", fixed, "--python", script], capture_output=True, text=True)
    if done.returncode != 0:
        return f"not fixed: {done.stdout}{done.stderr}"
    loaded = torch.export.load(fixed)
    call = loaded.module()
    if script.exists() and "def results(" in script.read_text():
        names = {}
        exec(script.read_text(), names)
        call = lambda *args, **kwargs: names["results"](pytree.tree_leaves(loaded.module()(*args, **kwargs)))
    if any("diff" in str(node.target) for node in loaded.graph.nodes):
        return "nothing was changed"
    expected, found = program.module()(*args, **kwargs), call(*args, **kwargs)
    trees = [pytree.tree_structure(value) for value in (expected, found)]
    if trees[0] != trees[1]:
        return f"another structure: {trees[1]}, not {trees[0]}"
    for a, b in zip(pytree.tree_leaves(expected), pytree.tree_leaves(found)):
        assert type(a) is type(b), (a, b)
        torch.testing.assert_close(b, a) if isinstance(a, torch.Tensor) else None
    if loaded.module_call_graph[0].signature.in_spec != program.module_call_graph[0].signature.in_spec:
        return "other inputs"
    if loaded.module_call_graph[0].signature.forward_arg_names != program.module_call_graph[0].signature.forward_arg_names:
        return "other names of arguments"
    if str(loaded.range_constraints) != str(program.range_constraints):
        return f"other ranges: {loaded.range_constraints}"
    return None


def main():
    options = installed.asked(__doc__)
    wrong = 0
    for name in options.names or CALLS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = problem(options.cli, name, pathlib.Path(folder))
            except Exception as error:
                found = f"{type(error).__name__}: {error}"
        wrong += found is not None
        print(f"{name}: {found or 'called as the original'}", flush=True)
    assert not wrong, f"{wrong} of {len(CALLS)} are not"


if __name__ == "__main__":
    main()
