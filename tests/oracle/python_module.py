# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python module with PyTorch: python3 python_module.py --cli FXSCOPE_CLI

An ExportedProgram and a module with inputs give what the command line gives of the file that torch.export.save writes. What decompositions()
returns decomposes the program into one that computes the same and that torch-mlir lowers, which without it does not. Skipped (77) without an engine.
"""
import argparse
import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import warnings

import torch
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupport
from torch_mlir import fx
from torch_mlir.compiler_utils import TorchMlirCompilerError

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "resources/python"), str(ROOT / "samples")]
import fxscope  # noqa: E402
import fxscope.capture  # noqa: E402
from fxscope import layers  # noqa: E402
from masked_attention import Model  # noqa: E402

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
SKIP = 77
VARYING = {"input", "file", "seconds", "compile_seconds", "run_seconds", "stderr"}


def steady(value):
    """Without what two runs, or two files, do not have in common."""
    if isinstance(value, dict):
        return {name: steady(each) for name, each in value.items() if name not in VARYING}
    return [steady(each) for each in value] if isinstance(value, list) else value


def lowered(program, table=None):
    """What torch-mlir makes of it for TOSA; TorchMlirCompilerError if it does not lower."""
    return str(fx.export_and_import(program, output_type="tosa", **({} if table is None else {"decomposition_table": table})))


class Breaks(torch.nn.Module):
    def forward(self, x):
        return x + 1 if x.sum() > 0 else x


class Qr(torch.nn.Module):
    def __init__(self, whole):
        super().__init__()
        self.whole = whole

    def forward(self, x):
        parts = torch.linalg.qr(x)
        return parts if self.whole else parts.Q


class TwoNamed(torch.nn.Module):
    def forward(self, x, *, a, b):
        return x + a * 2 - b


class Branches(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.relu(), lambda x: x.neg(), (x,))


class PythonModule(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        torch.manual_seed(0)
        cls.model = Model().eval()
        cls.x, cls.mask = torch.randn(1, 10, 32), torch.zeros(1, 1, 10, 10).masked_fill(torch.ones(10, 10).triu(1).bool(), -1e9)
        cls.program = torch.export.export(cls.model, (cls.x, cls.mask))
        cls.work = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="fxscope-oracle-")))
        cls.file = cls.work / "saved.pt2"
        torch.export.save(cls.program, cls.file)

    def equal(self, answer, *command):
        done = subprocess.run([os.environ["FXSCOPE_CLI"], command[0], self.file, *command[1:]], capture_output=True, text=True)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        # Commands to paste name the file.
        path = answer._source.path
        text = json.dumps(answer.json)
        for own, saved in ((str(path), str(self.file)), (f'"{path.stem}.fixed', '"saved.fixed'), (f'"{path.name}"', '"saved.pt2"')):
            text = text.replace(own, saved)
        self.assertEqual(steady(json.loads(text)), steady(json.loads(done.stdout)))

    def test_a_program_and_a_module_with_inputs_are_the_saved_file(self):
        ways = {"program": (self.program, {}), "args": (self.model, {"args": (self.x, self.mask)}),
                "kwargs": (self.model, {"args": (self.x,), "kwargs": {"mask": self.mask}}), "path": (self.file, {})}
        for name, (x, inputs) in ways.items():
            with self.subTest(name):
                self.equal(fxscope.lower(x, to="tosa", **inputs), "lower", "--to", "tosa", "-o", self.work / "stages", "--json")
        self.assertEqual(fxscope.lower(self.program, to="tosa").input.rpartition("/")[2], "program.pt2")
        self.assertEqual(fxscope.lower(self.model, to="tosa", args=(self.x, self.mask)).input.rpartition("/")[2], "Model.pt2")

    def test_every_function_takes_a_program(self):
        self.equal(fxscope.diagnose(self.program, to=["tosa", "stablehlo"]), "diagnose", "--to", "tosa,stablehlo", "--json")
        self.equal(fxscope.trace(self.program, to="tosa"), "trace", "--to", "tosa", "-o", self.work / "passes", "--json")
        self.equal(fxscope.fix(self.program, to="tosa"), "fix", "--to", "tosa", "-o", self.work / "o.pt2", "--python", self.work / "o.py", "--json")
        self.assertIn("scaled_dot_product_attention", fxscope.graph(self.program, to="tosa", expand="all").svg)

    def test_dynamic_shapes_reach_torch_export(self):
        answer = fxscope.lower(torch.nn.Linear(4, 4), to="torch", args=(torch.rand(3, 4),), dynamic_shapes=({0: torch.export.Dim("n")},))
        self.assertIn("vtensor<[?,4],f32>", answer.text())

    def test_compare_with_this_python(self):
        answer = fxscope.compare(torch.nn.Linear(4, 2), to="linalg-on-tensors", args=(torch.rand(3, 4),), python=sys.executable)
        if not answer.executors:
            self.skipTest("no executor here: ./run --numbers installs them")
        self.assertIn("PyTorch", answer.reference)
        self.assertEqual([each.verdict for each in answer.targets], ["same"])

    def test_the_fixed_program_loads_computes_the_same_and_lowers(self):
        with self.assertRaises(TorchMlirCompilerError):
            lowered(self.program)
        fixed = fxscope.fix(self.program, to="tosa")
        torch.testing.assert_close(fixed.load().module()(self.x, self.mask), self.model(self.x, self.mask))
        self.assertIn("tosa.matmul", lowered(fixed.load()))

    def test_decompositions_are_a_table_for_run_decompositions_and_for_torch_mlir(self):
        table = fxscope.decompositions(self.program, to="tosa")
        decomposed = self.program.run_decompositions(table)
        self.assertNotIn(torch.ops.aten.scaled_dot_product_attention.default, {node.target for node in decomposed.graph.nodes})
        torch.testing.assert_close(decomposed.module()(self.x, self.mask), self.model(self.x, self.mask))
        self.assertIn("tosa.matmul", lowered(decomposed))
        self.assertIn("tosa.matmul", lowered(torch.export.load(self.file), table))

    def test_no_decompositions_where_none_helps(self):
        with self.assertRaisesRegex(fxscope.Error, "^no decomposition makes it lower to tosa: "):
            fxscope.decompositions(Qr(whole=False), to="tosa", args=(torch.rand(2, 2),))

    def test_what_torch_cannot_save_is_one_error(self):
        with self.assertRaisesRegex(fxscope.Error, "^torch.export.save cannot write the program: "):
            fxscope.lower(Qr(whole=True), to="tosa", args=(torch.rand(2, 2),))

    def test_a_module_that_does_not_export_is_one_error_with_the_way_out(self):
        with self.assertRaisesRegex(fxscope.Error, r"^torch.export cannot export .*\.Breaks: .*\n.*backend=fxscope\.capture\.backend\(out\)") as raised:
            fxscope.lower(Breaks(), to="tosa", args=(torch.rand(2),))
        self.assertIsNotNone(raised.exception.__cause__)
        captures = self.work / "captures"
        torch.compile(Breaks(), backend=fxscope.capture.backend(captures))(torch.rand(2))
        self.assertTrue(fxscope.lower(captures / "00_aten.json", to="raw").ok)

    def test_explain_gives_python_for_a_program_in_memory(self):
        answer = fxscope.explain(self.model, self.x, self.mask, to="tosa")
        self.assertEqual([each.standing for each in answer.verdicts], ["does not lower"])
        self.assertTrue(str(answer).startswith("Model\n\n"))
        self.assertEqual(pathlib.Path(re.search(r"at +(\S+):24,", str(answer))[1]).resolve(), ROOT / "samples/masked_attention.py")
        names = {"fxscope": fxscope, "model": self.model, "args": (self.x, self.mask), "program": self.program}
        exec(answer.next.code, names)
        self.assertIn("tosa.matmul", lowered(names["fixed"]))
        exec(answer.fix.code, names)
        self.assertIn("tosa.matmul", lowered(names["program"]))
        self.assertTrue(str(fxscope.explain(self.program, to="tosa")).endswith("fixed = fxscope.fix(program, to='tosa').load()"))

    def test_explain_compares_what_lowers_with_this_python(self):
        answer = fxscope.explain(torch.nn.Linear(4, 2), torch.rand(3, 4), to="linalg-on-tensors")
        self.assertEqual(answer.code, 0)
        self.assertEqual(answer.next.code, "fxscope.compare(model, to='linalg-on-tensors', python=sys.executable, args=args)")

    def test_explain_says_why_a_module_does_not_export(self):
        answer = fxscope.explain(Breaks(), torch.rand(2), to="tosa")
        line = next(number for number, text in enumerate(pathlib.Path(__file__).read_text().splitlines(), 1) if "if x.sum() > 0 else x" in text)
        self.assertEqual(str(answer), f"""\
Breaks does not export. torch.export says:
    Could not guard on data-dependent expression Eq(u0, 1)
    at {os.path.relpath(__file__) if pathlib.Path(__file__).is_relative_to(pathlib.Path.cwd()) else __file__}:{line}   return x + 1 if x.sum() > 0 else x

next: capture the graphs around what it cannot trace, and look at each
    torch.compile(model, backend=fxscope.capture.backend("captures"))(*inputs)
    print(fxscope.explain("captures/00_aten.json", to="tosa"))""")
        self.assertEqual(answer.code, 1)
        self.assertIn("Could not guard", answer._repr_html_())
        with contextlib.chdir(self.enterContext(tempfile.TemporaryDirectory())), contextlib.redirect_stdout(io.StringIO()) as out:
            exec(answer.next.code, {"torch": torch, "fxscope": fxscope, "model": Breaks(), "inputs": (torch.rand(2),)})
        self.assertTrue(out.getvalue().startswith("00_aten.json\n"))

    def test_explain_asks_for_the_inputs_of_a_module(self):
        answer = fxscope.explain(self.model, to="tosa")
        self.assertEqual(answer.failure.message, "TypeError: missing a required argument: 'x'")
        self.assertEqual(answer.next.message, "a model is exported with its inputs; give them")

    def test_layers_of_a_program_in_memory(self):
        """Values of nodes against those that the model computes, and tags of each kind, by the names that fxscope has for nodes."""
        values = layers.recorded(self.program, (self.x, self.mask))
        torch.testing.assert_close(list(values.values())[-1], self.model(self.x, self.mask))
        self.assertEqual(set(values), {node.name for node in self.program.graph.nodes if node.op == "call_function"})
        decomposed = self.program.run_decompositions()
        others = layers.recorded(decomposed, (self.x, self.mask))
        errors = layers.errors(values, others, layers.origins(decomposed))
        self.assertIn("linear", errors)
        self.assertNotIn("linear", others)  # by its origin
        self.assertLess(max(error for error, _ in errors.values()), 1e-5)
        self.assertGreater(layers.errors(values, others)["add_1"][0], 0.01)  # by its name, it is another
        rounded = {name: value.bfloat16().float() for name, value in values.items()}
        error, words = layers.errors(values, rounded)["linear"]
        expected = float((rounded["linear"] - values["linear"]).norm() / values["linear"].norm())
        self.assertAlmostEqual(error, expected, places=6)
        self.assertRegex(words, r"^largest difference [\d.e-]+, [45]\d\.\d dB$")
        self.assertEqual(layers.errors({"a": torch.zeros(2), "b": torch.zeros(2)}, {"a": torch.zeros(2), "b": torch.ones(2)}),
                         {"a": (0.0, "largest difference 0, exact"), "b": (float("inf"), "largest difference 1, no signal")})
        with self.assertRaisesRegex(fxscope.Error, "^no node of one is in the other with the same shape$"):
            layers.errors({"a": torch.zeros(2)}, {"a": torch.zeros(3), "b": torch.zeros(2)})

        keyed = torch.export.export(TwoNamed(), (self.x,), {"b": self.x * 3, "a": self.x * 5})
        last = list(layers.recorded(keyed, (self.x,), {"a": self.x * 5, "b": self.x * 3}).values())[-1]
        torch.testing.assert_close(last, TwoNamed()(self.x, a=self.x * 5, b=self.x * 3))

        for node in decomposed.graph.nodes:
            node.meta["partition_tag"] = 1 if "addmm" in node.name else None
        self.assertEqual(set(layers.tagged(decomposed).values()), {"1"})
        with self.assertRaisesRegex(fxscope.Error, "^no node has a tag of a partition in its meta$"):
            layers.tagged(self.program)
        with self.assertRaisesRegex(fxscope.Error, "^no node has mine in its meta$"):
            layers.tagged(decomposed, "mine")
        branches = torch.export.export(Branches(), (self.x,))
        for _, node in layers._nodes(branches):
            node.meta["delegation_tag"] = "npu"
        torch.export.save(branches, self.work / "branches.pt2")
        file = layers.layer(layers.tagged(branches), self.work / "tags.json", title="Partition")
        done = subprocess.run([os.environ["FXSCOPE_CLI"], "render", self.work / "branches.pt2", "--layer", file, "-o", self.work / "tags.svg"],
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))  # every name is one of the program
        self.assertIn("true_graph_0.relu", layers.tagged(branches))
        linear = type("Linear", (OperatorSupport,), {"is_node_supported": lambda _, modules, node: "linear" in str(node.target)})
        found = CapabilityBasedPartitioner(self.program.graph_module, linear(), allows_single_node_partition=True).propose_partitions()
        self.assertEqual(set(layers.tagged(found)), {node.name for node in self.program.graph.nodes if "linear" in str(node.target)})

    def test_the_example_of_layers_runs(self):
        block, = re.findall(r"```python\n(.*?)```", (ROOT / "docs/layers.md").read_text(), re.S)
        folder = self.work / "layers"
        (folder / "samples").mkdir(parents=True)
        (folder / "samples/masked_attention.pt2").symlink_to(ROOT / "samples/masked_attention.pt2")
        with contextlib.chdir(folder):
            names = {}
            exec(compile(block, "layers.py", "exec"), names)
            picture = fxscope.graph(names["program"], layer=[names["time"], names["error"], names["partition"]], expand="all").svg
        for said in ("CPU time, up to:", "Relative error: ", "Partition: npu"):
            self.assertIn(said, picture)

    def test_show_takes_a_program(self):
        window = self.work / "programs/fxscope"
        window.parent.mkdir()
        window.with_name("fxscope-cli").symlink_to(os.environ["FXSCOPE_CLI"])
        window.write_text(f"#!/bin/sh\nfor file; do :; done; cp $file {self.work}/shown.pt2\n")
        window.chmod(0o755)
        with unittest.mock.patch.dict(os.environ, FXSCOPE_CLI=str(window.with_name("fxscope-cli")), DISPLAY=":9"):
            for x, args in ((self.program, ()), (self.model, (self.x, self.mask))):
                self.assertEqual(fxscope.show(x, to="tosa", args=args).wait(timeout=60), 0)
                torch.testing.assert_close(torch.export.load(self.work / "shown.pt2").module()(self.x, self.mask), self.model(self.x, self.mask))

    def test_the_examples_of_the_page_run(self):
        blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.S)
        self.assertEqual(len(blocks), 5)
        folder, names = self.work / "page", {"__name__": "page"}
        folder.mkdir()
        script = folder / "model.py"
        script.write_text(blocks[0])
        with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(blocks[0], script, "exec"), names)
            for block in blocks[1:]:
                exec(block, names)
        shown = re.search(r"```text\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.S)[1]
        self.assertEqual(out.getvalue()[:len(shown)], shown)
        self.assertIn("\n[('raw', 'ok'), ('torch', 'ok'), ('tosa', 'failed')]\n", out.getvalue())
        self.assertIn("tosa.matmul", str(names["module"]))
        self.assertTrue(fxscope.lower(names["decomposed"], to="tosa").ok)

    def test_what_is_no_program_is_refused(self):
        with self.assertRaisesRegex(fxscope.Error, "^expected an ExportedProgram, a torch.nn.Module, an MLIR module or a path, not builtins.int$"):
            fxscope.lower(3, to="tosa")
        with self.assertRaisesRegex(fxscope.Error, "^args, kwargs and dynamic_shapes are inputs of a module; an ExportedProgram has its own$"):
            fxscope.lower(self.program, to="tosa", args=(self.x,))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    arguments, rest = parser.parse_known_args()
    os.environ["FXSCOPE_CLI"] = arguments.cli
    if subprocess.run([arguments.cli, "engine"], capture_output=True).returncode != 0:
        print("no engine: FXSCOPE_ENGINE names none and ./run has installed none")
        sys.exit(SKIP)
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
