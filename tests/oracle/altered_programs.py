"""Defects of a compiler are found: python3 altered_programs.py --cli FXSCOPE_CLI [--all]

Ten kinds of defects (altered_text.py) are made in the linalg text of ten programs, by an engine that alters what torch-mlir-opt prints at
one node. `compare` must find each one, at that node, or the altered program computes the same: then this script, which knows nothing of
fxscope's rule, finds equal values too. By default a sample of each kind; with --all, three of each kind in each program. Skipped (77)
without an engine or executor.
"""
import argparse
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import warnings

import torch

import altered_text

warnings.filterwarnings("ignore")
SKIP = 77
LINALG = "torch-backend-to-linalg-on-tensors-backend-pipeline"
MOST_MISSED = 0.02

ENGINE = """#!{python}
import subprocess, sys
sys.path.insert(0, {here!r})
import altered_text
done = subprocess.run([{engine!r}, *sys.argv[1:]], stdin=sys.stdin, capture_output=True, text=True)
sys.stderr.write(done.stderr)
out = done.stdout
if done.returncode == 0 and any({linalg!r} in a for a in sys.argv[1:]):
    out = altered_text.altered(out, {kind!r}, {node!r}, {place}) or out
sys.stdout.write(out)
sys.exit(done.returncode)
"""


def module(forward, **children):
    kind = type("M", (torch.nn.Module,), {"forward": forward})
    made = kind()
    for name, child in children.items():
        setattr(made, name, child)
    return made


def programs():
    torch.manual_seed(0)
    nn = torch.nn
    f = nn.functional
    x = torch.randn(4, 16)
    yield "mlp", module(lambda s, x: torch.softmax(s.b(f.gelu(s.a(x))), -1), a=nn.Linear(16, 32), b=nn.Linear(32, 10)), (x,), None
    yield "norm", module(lambda s, x: (s.n(x) * torch.tanh(x), x.mean(-1), x.std(-1)), n=nn.LayerNorm(16)), (x,), None
    yield "attention", module(lambda s, q, k, v: torch.softmax(q @ k.transpose(-1, -2) / 4.0, -1) @ v), tuple(torch.randn(2, 8, 8) for _ in range(3)), None
    yield "conv", module(lambda s, x: f.avg_pool2d(f.relu(s.n(s.c(x))), 2), c=nn.Conv2d(3, 4, 3), n=nn.BatchNorm2d(4).eval()), (torch.randn(1, 3, 10, 10),), None
    yield "square", module(lambda s, a, b: (a @ b, torch.exp(a) - b.T, a / (b * b + 1.5))), (torch.randn(6, 6), torch.randn(6, 6)), None
    batch = torch.export.Dim("batch", min=2, max=64)
    yield "dynamic", module(lambda s, x: torch.log_softmax(s.a(x) * 0.25, -1) - x.sum(-1, keepdim=True), a=nn.Linear(16, 16)), (x,), {"x": {0: batch}}
    yield "rnn", module(lambda s, x, h: (torch.sigmoid(s.z(x)) * h + (1 - torch.sigmoid(s.z(x))) * torch.tanh(s.h(x)), h), z=nn.Linear(16, 16), h=nn.Linear(16, 16)), (x, torch.randn(4, 16)), None
    yield "swiglu", module(lambda s, x: s.d(f.silu(s.g(x)) * s.u(x)) * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5), g=nn.Linear(16, 24), u=nn.Linear(16, 24), d=nn.Linear(24, 16)), (x,), None
    yield "losses", module(lambda s, p, t: (f.mse_loss(p, t), f.smooth_l1_loss(p, t), f.binary_cross_entropy_with_logits(p, torch.sigmoid(t)))), (x, torch.randn(4, 16)), None
    yield "waves", module(lambda s, x, y: (torch.sin(x) - torch.cos(y), torch.atan(x) * 0.5, torch.erf(y) / 3.0, (x - y).abs().sqrt())), (x, torch.randn(4, 16)), {"x": {0: batch}, "y": {0: batch}}


def tensors(path):
    data = pathlib.Path(path).read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    kinds = {"F32": torch.float32, "F64": torch.float64, "I64": torch.int64, "BOOL": torch.bool, "F16": torch.float16, "BF16": torch.bfloat16}
    out = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            out[name] = torch.frombuffer(bytearray(data[8 + size + begin:8 + size + end]) or bytearray(8), dtype=kinds[entry["dtype"]])[:torch.Size(entry["shape"]).numel()]
    return out


class Harness:
    def __init__(self, cli, engine, directory):
        self.cli, self.engine, self.directory = cli, engine, pathlib.Path(directory)

    def call(self, *args, engine=None):
        env = {**os.environ, "FXSCOPE_ENGINE": str(engine or self.engine), "XDG_CACHE_HOME": str(self.directory / "cache"),
               "FXSCOPE_CAGE_READ": ":".join([str(pathlib.Path(__file__).parent), str(pathlib.Path(self.engine).parent), sys.prefix, sys.base_prefix])}
        return subprocess.run([self.cli, *map(str, args)], capture_output=True, text=True, env=env)

    def altering(self, kind, node, place):
        path = self.directory / "engine"
        path.write_text(ENGINE.format(python=sys.executable, here=str(pathlib.Path(__file__).parent), engine=str(self.engine), linalg=LINALG,
                                      kind=kind, node=node, place=place))
        path.chmod(0o755)
        return path

    def values(self, program, engine=None):
        """What the executors compute: {executor: {result: values}}."""
        out = self.directory / "values"
        subprocess.run(["rm", "-rf", out])
        self.call("run", program, "--to", "linalg-on-tensors", "-o", out, engine=engine)
        return {p.name: tensors(p) for p in sorted(out.glob("linalg-on-tensors.*.safetensors"))}


def equal(found, expected):
    """Bitwise but for rounding: this script's own opinion."""
    return bool(found) and all(
        name in found and all(torch.allclose(found[name][k].double(), v.double(), rtol=1e-6, atol=1e-7, equal_nan=True) for k, v in want.items())
        for name, want in expected.items())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    engine = os.environ.get("FXSCOPE_ENGINE") or pathlib.Path(__file__).parents[2] / ".cache/engine/torch-mlir-opt"
    if not os.access(engine, os.X_OK):
        print("no engine")
        sys.exit(SKIP)
    each = 3 if arguments.all else 1
    made, missed, harmless, wrong_node = 0, [], 0, []
    with tempfile.TemporaryDirectory() as directory:
        h = Harness(arguments.cli, engine, directory)
        for number, (name, model, inputs, dynamic) in enumerate(programs()):
            program = pathlib.Path(directory, name + ".pt2")
            torch.export.save(torch.export.export(model, inputs, dynamic_shapes=dynamic), program)
            text = h.call("lower", program, "--to", "linalg-on-tensors", "-o", "-").stdout
            clean = h.call("compare", program, "--to", "linalg-on-tensors", "--python", sys.executable, "--json")
            if clean.returncode == 2 and "executor" in clean.stderr:
                print(clean.stderr)
                sys.exit(SKIP)
            verdict = json.loads(clean.stdout)["targets"][0]
            assert verdict["verdict"] == "same" and clean.returncode == 0, (name, verdict["verdict"], verdict["why"])
            for k, kind in enumerate(altered_text.KINDS):
                if not arguments.all and (k + number) % 5:
                    continue
                places = [(node, p) for node, count in altered_text.places(text, kind) for p in range(count)]
                step = max(1, len(places) // each)
                for node, place in places[number % step::step][:each] if places else []:
                    made += 1
                    altering = h.altering(kind, node, place)
                    done = h.call("compare", program, "--to", "linalg-on-tensors", "--python", sys.executable, "--json", engine=altering)
                    what = f"{name}: {kind} at {node}, place {place}"
                    try:
                        target = json.loads(done.stdout)["targets"][0]
                    except (ValueError, IndexError):
                        missed.append(f"{what}: no answer: {done.stderr[-300:]}")
                        continue
                    first = target["first"]["node"] if target["first"] else None
                    if arguments.verbose:
                        print(what, "->", target["verdict"], first, target["why"], flush=True)
                    if target["verdict"] in ("same", "not-compared", "suspicious"):
                        if target["verdict"] != "not-compared" and equal(h.values(program, altering), h.values(program)):
                            harmless += 1
                        else:
                            missed.append(f"{what}: {target['verdict']}, {target['why']}")
                    elif kind != "output order" and first != node:
                        wrong_node.append(f"{what}: said to be at {first}")
    print(f"{made} defects, {harmless} harmless, {len(missed)} missed, {len(wrong_node)} at another node")
    for line in missed + wrong_node:
        print("  " + line)
    sys.exit(1 if made == 0 or len(missed) + len(wrong_node) > MOST_MISSED * made else 0)


if __name__ == "__main__":
    main()
