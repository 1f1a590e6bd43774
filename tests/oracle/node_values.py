# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The values that resources/python/node_values.py writes, against PyTorch run without it: python3 node_values.py PROGRAM.pt2 ..

Outputs equal those of ExportedProgram.module(), to the bit; nodes before a write in place have their values from before it; all element
types come through; a program that fails keeps what was computed, and names the node.
"""
import json
import logging
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import traceback
import warnings

import torch
from torch.utils._pytree import tree_leaves

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
SCRIPT = pathlib.Path(__file__).parents[2] / "resources/python/node_values.py"
TYPES = {
    "F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "C64": torch.complex64, "I64": torch.int64,
    "I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool, "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
}


def write(path, tensors):
    header, data = {}, b""
    for name, tensor in tensors.items():
        raw = bytes(tensor.contiguous().reshape(-1).view(torch.uint8).tolist()) if tensor.numel() else b""
        dtype = next(n for n, t in TYPES.items() if t == tensor.dtype)
        header[name] = {"dtype": dtype, "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(text)) + text + data)


def read(path):
    raw = pathlib.Path(path).read_bytes()
    at = 8 + struct.unpack("<Q", raw[:8])[0]
    out = {}
    for name, entry in json.loads(raw[8:at]).items():
        begin, end = entry["data_offsets"]
        dtype = TYPES[entry["dtype"]]
        flat = torch.frombuffer(bytearray(raw[at + begin : at + end]), dtype=dtype) if end > begin else torch.empty(0, dtype=dtype)
        out[name] = flat.reshape(entry["shape"])
    return out


def same(a, b):
    a, b = (torch.as_tensor(t).detach().resolve_conj() for t in (a, b))
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    raw = [t.contiguous().reshape(-1).view(torch.uint8) for t in (a, b)]
    return torch.equal(*raw)


def given(exported):
    """The example inputs that are not constants."""
    args, kwargs = exported.example_inputs
    specs = [s for s in exported.graph_signature.input_specs if s.kind.name == "USER_INPUT"]
    leaves = tree_leaves((args, kwargs))
    return [torch.as_tensor(v) for v, s in zip(leaves, specs, strict=True) if type(s.arg).__name__ != "ConstantArgument"]


def lines_of(*arguments):
    """What the script prints in a process that is forked, because PyTorch takes seconds to start."""
    sys.stdout.flush()
    with tempfile.TemporaryFile("w+") as out:
        child = os.fork()
        if child == 0:
            try:
                os.dup2(out.fileno(), 1)
                sys.argv[1:] = map(str, arguments)
                exec(compile(SCRIPT.read_text(), SCRIPT.name, "exec"), {"__name__": "__main__"})
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        _, status = os.waitpid(child, 0)
        if status:
            raise RuntimeError(f"{SCRIPT.name} ended with {status}")
        out.seek(0)
        return [json.loads(line) for line in out]


def run(path, inputs, directory):
    write(directory / "in.safetensors", {str(i): t for i, t in enumerate(inputs)})
    out = directory / "out.safetensors"
    out.unlink(missing_ok=True)
    return lines_of(path, 3, directory / "in.safetensors", out), read(out)


def run_twice(path, inputs, directory):
    """The values of two runs of one process, which is started as fxscope does."""
    write(directory / "in.safetensors", {str(i): t for i, t in enumerate(inputs)})
    outs = [directory / "first.safetensors", directory / "second.safetensors"]
    files = [str(file) for out in outs for file in (directory / "in.safetensors", out)]
    with open(SCRIPT, "rb") as script:
        done = subprocess.run([sys.executable, "-I", "-B", "-", str(path), "3", *files], stdin=script, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()], *map(read, outs)


def plain_names(path):
    """The nodes as the script reads them without torch.export; None if it does not."""
    script = {}
    exec(SCRIPT.read_text().rsplit("\nmain()", 1)[0], script)
    try:
        return [node.name for node in script["Plain"](path).graph.nodes]
    except script["NotPlain"]:
        return None


class Normalizes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(2))
        self.register_buffer("variance", torch.ones(2))

    def forward(self, x):
        return torch.nn.functional.batch_norm(x, self.mean, self.variance, training=True) * 2


class Mutates(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(2))

    def forward(self, x, y):
        a = x * 2
        a.add_(1)
        self.count.add_(y.sum())
        y.mul_(3)
        first, second = a.split(1)
        return first, second + self.count


class Types(torch.nn.Module):
    def forward(self, x, flags, k):
        half, brain = x.to(torch.float16) * 3, x.to(torch.bfloat16) * 3
        eight = x.to(torch.float8_e4m3fn), x.to(torch.float8_e5m2)
        turned = torch.fft.fft(x).conj()
        return half, brain, eight, turned, flags.logical_not(), k.to(torch.int8), (x.t(), x.shape[0], x.double())


class Chooses(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda v: v.sin(), lambda v: v.cos(), (x,))


class Halves(torch.nn.Module):
    """A loop, with a choice in it."""

    def forward(self, x, n):
        def body(i, v):
            return i + 1, torch.cond(v.sum() > 1, lambda w: (w / 2, w + 1), lambda w: (w - 1, w + x), (v,))[0]

        return torch._higher_order_ops.while_loop(lambda i, v: i < n, body, (torch.zeros((), dtype=torch.int64), x.sin()))


class Looks(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(4, 3)

    def forward(self, i):
        return self.table(i + 1).relu()


class Rolls(torch.nn.Module):
    def forward(self, x):
        return x + torch.rand_like(x)


def main():
    wrong = []

    def expect(what, condition):
        if not condition:
            wrong.append(what)

    count = 0
    with tempfile.TemporaryDirectory() as folder:
        directory = pathlib.Path(folder)

        def saved(model, inputs, **options):
            path = directory / "model.pt2"
            torch.export.save(torch.export.export(model.eval(), inputs, **options), path)
            return path

        def compare(name, path, inputs=None):
            nonlocal count
            exported = torch.export.load(path)
            inputs = given(exported) if inputs is None else inputs
            said, values = run(path, inputs, directory)
            expect(f"{name}: {said[-1]}", "values" in said[-1])
            torch.manual_seed(3)
            numbers = iter([t.clone() for t in inputs])
            leaves = [s.arg.value if type(s.arg).__name__ == "ConstantArgument" else next(numbers)
                      for s in exported.graph_signature.input_specs if s.kind.name == "USER_INPUT"]
            args, kwargs = torch.utils._pytree.tree_unflatten(leaves, exported.call_spec.in_spec)
            with torch.no_grad():
                outputs = tree_leaves(exported.module()(*args, **kwargs))
            for i, expected in enumerate(outputs):
                count += 1
                expect(f"{name}: output#{i}", f"output#{i}" in values and same(values[f"output#{i}"], expected))
            return said, values

        for path in sys.argv[1:]:
            try:
                exported = torch.export.load(path)
            except Exception:  # an operator of another library
                said, _ = run(path, [], directory)
                expect(f"{path}: {said[-1]}", "failed to resolve" in said[-1].get("error", ""))
                continue
            _, values = compare(path, path)
            missing = [n.name for n in exported.graph.nodes
                       if n.op == "call_function" and isinstance(n.meta.get("val"), torch.Tensor) and n.name not in values]
            expect(f"{path}: nodes without a value: {missing}", not missing)

        x, y = torch.tensor([[1.0, -2.0], [3.0, 4.0]]), torch.tensor([1.0, 2.0])
        path = saved(Mutates(), (x, y))
        said, values = run(path, [x, y], directory)
        after = {k: v.tolist() for k, v in values.items() if k.endswith("#after")}
        expect(f"before the write: {values.get('mul')}", same(values["mul"], x * 2))
        expect(f"after the write: {values.get('add_')}", same(values["add_"], x * 2 + 1))
        expect(f"elements of a tuple: {sorted(values)}", same(values["split#1"], (x * 2 + 1)[1:]))
        expect(f"inputs and buffers: {after}", after == {"b_count#after": [3.0, 3.0], "y#after": [3.0, 6.0]})
        compare("Mutates", path)
        _, first, second = run_twice(path, [x, y], directory)
        expect("the second run begins where the first did", sorted(first) == sorted(second) and all(same(first[k], second[k]) for k in first))

        x = torch.tensor([[1.0, 2.0], [3.0, 8.0]])
        _, first, second = run_twice(saved(Normalizes(), (x,)), [x, x], directory)
        means = [values["b_mean#after"].tolist() for values in (first, second)]
        expect(f"running means, of each run the first: {means}", all(same(torch.tensor(mean), x.mean(0) * 0.1) for mean in means))

        inputs = (torch.tensor([[0.5, -1.25, 3.0], [2.0, 0.0, -0.0]]), torch.tensor([True, False]), torch.tensor([3, -4]))
        compare("Types", saved(Types(), inputs))
        batch = torch.export.Dim("batch", min=2, max=9)
        path = saved(Types(), inputs, dynamic_shapes=({0: batch}, None, None))
        compare("Types, dynamic", path, [torch.randn(5, 3), *inputs[1:]])
        names = [node.name for node in torch.export.load(path).graph.nodes]
        expect(f"read without torch.export: {plain_names(path)}", plain_names(path) == names)
        compare("a transposed input", saved(torch.nn.ReLU(), (torch.randn(3, 4).t(),)), [torch.randn(4, 3)])
        path = saved(Halves(), (x, torch.tensor(2)))
        expect(f"a loop is read without torch.export: {plain_names(path)}", plain_names(path))
        for trips, taken in ((0, "0"), (1, "1"), (5, "several")):
            said, _ = compare(f"Halves, {trips} times", path, [x, torch.tensor(trips)])
            said = [line["taken"] for line in said if "taken" in line]
            expect(f"trips: {said}", said == [taken])
        path = saved(Chooses(), (x,))
        names = [node.name for node in torch.export.load(path).graph.nodes if node.op != "get_attr"]
        expect(f"a branch is read without torch.export: {plain_names(path)}", plain_names(path) == names)
        compare("Chooses", path)
        for values, branch in ((x, "true"), (-x, "false")):
            taken = [line["taken"] for line in run(path, [values], directory)[0] if "taken" in line]
            expect(f"the branch: {taken}", taken == [branch])
        compare("Rolls", saved(Rolls(), (x,)))

        path = saved(Looks(), (torch.tensor([0, 2]),))
        compare("Looks", path)
        said, values = run(path, [torch.tensor([0, 3])], directory)
        expect(f"an index out of range: {said[-1]}", said[-1] == {"node": "embedding", "error": "IndexError: index out of range in self"})
        expect(f"what was computed before: {sorted(values)}", sorted(values) == ["add"] and values["add"].tolist() == [1, 4])

    for line in wrong:
        print("WRONG:", line)
    print(f"{count} outputs equal" if not wrong else f"{len(wrong)} wrong")
    return 1 if wrong else 0


sys.exit(main())
