# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds resources/python/fxscope_capture.py against PyTorch: python3 capture_helper.py --cli CLI [--all] [NAME ..]

A sample of the oracle programs (with --all each, or those NAMEd; or the test classes NAMEd), exported and decomposed, is saved as a .pt2 and dumped as JSON. The two must give the same
graph, the same normalized metadata, and the same imported module. Then models that PyTorch finds hard are captured: a graph break,
a custom operator, a dynamic dimension, a tensor subclass, modules that are traced symbolically, attributes; and nothing of a
model's tensors may be in a file unless it was asked for. Every file is held to fx.schema.json's required members by opening it.
Prints what differs and exits 1.
"""
import argparse
import base64
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

import torch
from torch import library

SAMPLED = 14
SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "resources" / "python"))
import fxscope_capture  # noqa: E402
import oracle_programs  # noqa: E402

try:
    import helion
    import helion.language as hl
except ImportError:
    helion = None
else:
    @helion.kernel(autotune_effort="none")
    def helion_add(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        out = torch.empty_like(x)
        for tile in hl.tile(x.size()):
            out[tile] = x[tile] + y[tile]
        return out

warnings.filterwarnings("ignore")
CLI = None
NAMES = None


def cli(*arguments):
    return subprocess.run([CLI, *map(str, arguments)], capture_output=True, text=True)


def lowered(path):
    """The imported text; handles without data in both, so that only the graph is compared."""
    done = cli("import", path, "--mode", "program")
    # A small constant is written inline where its bytes are there.
    text = re.sub(r"dense(_resource)?<[^>]*> : ", "dense<> : ", done.stdout)
    findings = [line for line in done.stderr.replace(str(path), "FILE").splitlines() if "handle without data" not in line]
    return done.returncode, text, findings


def metadata(path):
    nodes = json.loads(cli("normalize", path, "--json").stdout)["nodes"]
    return [{k: v for k, v in node.items() if k != "changes"} for node in nodes]


class SameAsPt2(unittest.TestCase):
    def compare(self, program, folder, name):
        pt2, dumped = folder / f"{name}.pt2", folder / f"{name}.json"
        torch.export.save(program, pt2)
        fxscope_capture.dump(program, dumped, data=True)
        ours, theirs = cli("inspect", "--graph", dumped), cli("inspect", "--graph", pt2)
        self.assertEqual(theirs.returncode, 0, theirs.stderr)
        self.assertEqual(ours.returncode, 0, ours.stderr)
        self.assertEqual(ours.stdout, theirs.stdout)
        self.assertEqual(metadata(dumped), metadata(pt2))
        self.assertEqual(lowered(dumped), lowered(pt2))

    def test_oracle_programs(self):
        compared, skipped = 0, []
        for n, (name, program) in enumerate(sorted(oracle_programs.load_all().items())):
            if name not in NAMES if NAMES else n % STEP != 0:
                continue
            with tempfile.TemporaryDirectory() as folder:
                for form in ("exported", "core"):
                    try:
                        made = oracle_programs.export(program, form)
                        torch.export.save(made, pathlib.Path(folder) / "probe.pt2")
                    except Exception as error:  # PyTorch itself cannot
                        skipped.append(f"{name} ({form}): {type(error).__name__}")
                        break
                    with self.subTest(program=name, form=form):
                        self.compare(made, pathlib.Path(folder), form)
                        compared += 1
        print(f"{compared} dumps are the same as their .pt2; PyTorch cannot export {len(skipped)}: {', '.join(skipped)}", file=sys.stderr)


def captured(model, *args, **kwargs):
    """The paths that capture() wrote, in a folder that the caller keeps."""
    return [pathlib.Path(p) for p in fxscope_capture.capture(model, *args, **kwargs)]


class Difficult(unittest.TestCase):
    """What the helper must survive, each opened by fxscope."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        torch.manual_seed(0)
        torch._dynamo.reset()

    def graph(self, path):
        done = cli("inspect", "--graph", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def compiled(self, model, *args):
        """What the backend wrote, by file; and that the model still computes what it did."""
        expected = model(*args)
        torch.testing.assert_close(torch.compile(model, backend=fxscope_capture.backend(self.folder))(*args), expected)
        return {c["file"]: c for c in json.loads(cli("inspect", self.folder, "--json").stdout)["captures"]}

    def test_a_graph_break(self):
        class Breaks(torch.nn.Module):
            def forward(self, x):
                y = x.relu()
                print(end="")
                return y.sin()

        files = self.compiled(Breaks(), torch.randn(3))
        self.assertEqual(list(files), ["00_aten.json", "00_dynamo.json", "01_aten.json", "01_dynamo.json"])
        self.assertTrue(all(f["error"] is None for f in files.values()), files)
        self.assertRegex(files["00_dynamo.json"]["graph_break"], r"print|builtin.*capture_helper.py:\d+ in forward")
        self.assertIsNone(files["01_dynamo.json"]["graph_break"])
        self.assertIn("torch.ops.aten.relu.default", self.graph(self.folder / "00_aten.json"))

    def test_a_branch_on_data_and_a_loss(self):
        class Branches(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = torch.nn.Linear(3, 3)

            def forward(self, x):
                y = self.linear(x)
                return y.relu() if y.sum() > 0 else y.sin()

        model = Branches()
        torch.compile(model, backend=fxscope_capture.backend(self.folder))(torch.randn(2, 3)).sum().backward()
        names = sorted(p.name for p in self.folder.iterdir())
        self.assertIn("00_aten_backward.json", names)
        for name in names:
            self.graph(self.folder / name)

    def test_dynamic_dimensions(self):
        model = torch.nn.Linear(4, 2)
        paths = captured(model, torch.randn(3, 4), out=self.folder, dynamic_shapes=({0: torch.export.Dim("n", min=2, max=64)},))
        for path in paths:
            text = self.graph(path)
            self.assertRegex(text, r"f32\[s\d+, 4\]")
            self.assertIn("VR[2, 64]", text)
        torch.compile(model, backend=fxscope_capture.backend(self.folder / "dynamo"), dynamic=True)(torch.randn(5, 4))
        self.assertRegex(self.graph(self.folder / "dynamo" / "00_dynamo.json"), r"f32\[s\d+, 4\]")

    def test_a_custom_operator(self):
        @library.custom_op("fxscope_test::twice", mutates_args=())
        def twice(x: torch.Tensor, by: float = 2.0) -> torch.Tensor:
            return x * by

        twice.register_fake(lambda x, by=2.0: torch.empty_like(x))

        class Custom(torch.nn.Module):
            def forward(self, x):
                return twice(x, 3.0) + 1

        for path in captured(Custom(), torch.randn(3), out=self.folder):
            self.assertIn("torch.ops.fxscope_test.twice.default](args = (%x, 3.0)", self.graph(path))

    def test_a_tensor_subclass(self):
        from torch.testing._internal.two_tensor import TwoTensor

        files = self.compiled(torch.nn.ReLU(), TwoTensor(torch.randn(3), torch.randn(3)))
        self.assertTrue(files and all(f["error"] is None for f in files.values()), files)
        held = torch.fx.symbolic_trace(torch.nn.ReLU())
        next(iter(held.graph.nodes)).meta["val"] = TwoTensor(torch.randn(3), torch.randn(3))
        path = fxscope_capture.dump(held, self.folder / "subclass.json")
        value = json.loads(pathlib.Path(path).read_text())["graphs"][0]["nodes"][0]["meta"]["val"]
        self.assertEqual((value["kind"], value["shape"]), ("TensorSubclass", [3]))
        self.assertIn("a tensor of class torch.testing._internal.two_tensor.TwoTensor", cli("normalize", path, "--json").stdout)

    def test_symbolic_traces_and_shape_propagation(self):
        from torch.fx.passes.shape_prop import ShapeProp

        traced = torch.fx.symbolic_trace(torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()))
        path = self.folder / "traced.json"
        fxscope_capture.dump(traced, path)
        self.assertIn("call_module[target=0]", self.graph(path))
        ShapeProp(traced).propagate(torch.randn(2, 4))
        fxscope_capture.dump(traced, path)
        out = cli("normalize", path).stdout
        self.assertIn("tensor_meta has its shape, dtype and stride", cli("normalize", path, "--json").stdout)
        self.assertIn("[inferred-val]", out)

    def test_attributes_become_literals(self):
        from torch.fx.experimental.proxy_tensor import make_fx

        layer = torch.nn.Linear(4, 2)
        graph = make_fx(lambda x: layer(x) + torch.tensor([1.0, 2.0]))(torch.randn(3, 4))
        path = self.folder / "made.json"
        fxscope_capture.dump(graph, path)
        done = cli("import", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(re.findall(r'dense_resource<"([^"]*)"', done.stdout)), {"_param_constant0", "_param_constant1", "_tensor_constant0"})

    def test_arguments_and_values_of_every_kind(self):
        graph = torch.fx.Graph()
        x = graph.placeholder("x", default_value=1.5)
        arguments = (1, True, None, 2.5, float("inf"), float("nan"), 1 + 2j, "text", torch.float32, torch.device("cpu"), torch.strided,
                     torch.channels_last, (holder := slice(None, x, 2)), [1, (2, {"a": 3})], torch.relu, torch.ops.aten.add.Tensor, object(), 2**70, ...)
        called = graph.call_function(torch.relu, (x,))
        called.meta["val"] = [torch.randn(2, 3).t(), torch.empty(2, device="meta"), None, 3, 2.5, float("-inf"), True, "s", object(),
                              torch.randn(3, 3).to_sparse()]
        node = graph.call_function(print, (x,), {"key": x})
        graph.output({"out": [node, called]})
        module = torch.fx.GraphModule({}, graph)
        # Not all of these can be written as Python source again, which a GraphModule does at once.
        x = next(iter(module.graph.nodes))
        printed = next(n for n in module.graph.nodes if n.target is print)
        printed.args = tuple(a if a is not holder else slice(None, x, 2) for a in arguments)
        path = fxscope_capture.dump(module, self.folder / "kinds.json")
        text = self.graph(path)
        self.assertIn(
            "args = (1, True, None, 2.5, inf, nan, (1+2j), 'text', torch.float32, cpu, torch.strided, torch.channels_last, "
            "slice(None, %x, 2), [1, [2, {a: 3}]], object('torch.relu'), aten.add.Tensor, object('<builtins.object object>'), "
            "object('<builtins.int object>'), object('Ellipsis')), kwargs = {key: %x})", text)

    def test_no_tensor_data_is_stored_unless_asked(self):
        class Secret(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = torch.nn.Parameter(torch.full((7,), 1234.5))
                self.register_buffer("table", torch.full((3,), 6789, dtype=torch.int64))
                self.plain = torch.full((7,), 4321.25)

            def forward(self, x):
                return x * self.weight + self.table.sum() + self.plain

        model = Secret()
        secrets = ["1234.5", "6789", "4321.25"]
        for values in (model.weight.detach(), model.table, model.plain):
            dense = values.contiguous().view(torch.uint8).numpy().tobytes()
            secrets += [base64.b64encode(dense).decode(), dense.hex(), base64.b64encode(dense[:9]).decode()[:8]]

        def everything(data):
            captured(model, torch.full((7,), 1234.5), out=self.folder / "exported", data=data)
            torch._dynamo.reset()
            torch.compile(model, backend=fxscope_capture.backend(self.folder / "dynamo", data=data))(torch.full((7,), 1234.5))
            # A line of the user's source that is in a stack trace holds what the user wrote there.
            texts = [json.loads(p.read_text()) for p in self.folder.rglob("*.json")]
            for text in texts:
                for graph in text["graphs"]:
                    for node in graph["nodes"]:
                        node["meta"].pop("stack_trace", None)
            return [json.dumps(text) for text in texts]

        for text in everything(data=False):
            self.assertNotIn('"data"', text)
            for secret in secrets:
                self.assertNotIn(secret, text)
        exported = json.loads((self.folder / "exported" / "exported.json").read_text())
        self.assertNotIn("data", exported["attributes"][0])
        everything(data=True)
        exported = json.loads((self.folder / "exported" / "exported.json").read_text())
        stored = {a["name"]: a.get("data") for a in exported["attributes"]}
        self.assertEqual(base64.b64decode(stored["weight"]), model.weight.detach().numpy().tobytes())
        self.assertIn("6789", cli("import", self.folder / "exported" / "exported.json").stdout)

    def test_what_cannot_be_exported_says_the_way_out(self):
        class Breaks(torch.nn.Module):
            def forward(self, x):
                return x if x.sum() > 0 else -x

        with self.assertRaisesRegex(fxscope_capture.CaptureError, "cannot export .*Breaks: .*\\n.*backend=fxscope_capture.backend"):
            captured(Breaks(), torch.randn(3), out=self.folder)
        with self.assertRaisesRegex(fxscope_capture.CaptureError, "dump expects a torch.fx.GraphModule or a torch.export.ExportedProgram, got builtins.int"):
            fxscope_capture.dump(3, self.folder / "x.json")

    def test_the_command_line(self):
        (self.folder / "model.py").write_text("import torch\ndef make():\n    return torch.nn.ReLU(), (torch.randn(2),)\n")
        helper = SOURCE / "resources" / "python" / "fxscope_capture.py"
        done = subprocess.run([sys.executable, helper, "model:make", "out"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.stdout.split(), ["out/exported.json", "out/decomposed.json"], done.stderr)
        self.assertIn("torch.ops.aten.relu.default", self.graph(self.folder / "out" / "decomposed.json"))
        self.assertEqual(subprocess.run([sys.executable, helper], capture_output=True).returncode, 2)

    @unittest.skipIf(helion is None, "helion is not installed")
    def test_a_helion_kernel(self):
        path = fxscope_capture.helion(helion_add, (torch.randn(32, 64), torch.randn(32, 64)), self.folder / "kernel.json")
        self.assertIn("torch.ops.aten.add.Tensor", self.graph(path))
        self.assertIn("Helion Device IR (helion-device-ir/1, kernel helion_add", cli("inspect", path).stdout)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    CLI, NAMES, STEP = options.cli, set(options.names), 1 if options.all else SAMPLED
    names = [] if not NAMES else ["SameAsPt2"] if NAMES & set(oracle_programs.load_all()) else sorted(NAMES)
    unittest.main(argv=[sys.argv[0], *names], verbosity=2)
