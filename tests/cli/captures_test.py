# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Captured graphs, folders of them and Helion's Device IR on the command line."""
import json
import re
import unittest

import json_schema
from support import SAMPLES, SOURCE, CliTest, needs_engine

READ = SOURCE / "tests" / "unit" / "read"
CAPTURES, HELION = READ / "captures", READ / "helion"
SCHEMAS = SOURCE / "resources" / "schemas"


def schema(name):
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text())


class Captures(CliTest):
    def test_every_capture_is_what_the_schema_says(self):
        for path in CAPTURES.rglob("*.json"):
            with self.subTest(path.name):
                self.assertEqual(list(json_schema.errors(json.loads(path.read_text()), schema("fx"))), [])

    def test_a_dump_imports_as_its_archive_does(self):
        for name in ("control_flow", "decoder_dynamic"):
            with self.subTest(name):
                self.assertEqual(self.check("import", CAPTURES / f"{name}.json"), self.check("import", SAMPLES / f"{name}.pt2"))

    def test_without_data_a_small_constant_stays_a_handle(self):
        status, dumped, err = self.run_cli("import", CAPTURES / "buffer_mutation.json")
        self.assertEqual((status, err), (0, "note: node 'b_steps' (b_steps): weight 'steps' is a resource handle without data: the capture contains no tensor data; capture again with data=True to store it\n"))
        archived = self.check("import", SAMPLES / "buffer_mutation.pt2")
        self.assertIn('dense_resource<"steps"> : tensor<si64>', dumped)
        self.assertEqual(dumped.replace('dense_resource<"steps">', "dense<0>"), archived)

    def test_a_folder_is_a_list(self):
        out = self.check("inspect", CAPTURES / "breaks", "--json")
        value = json.loads(out)
        self.assertEqual(list(json_schema.errors(value, schema("folder"))), [])
        self.assertEqual([(c["file"], c["nodes"], c["graph_break"] is not None) for c in value["captures"]],
                         [("00_aten.json", 6, True), ("00_dynamo.json", 5, True), ("01_aten.json", 4, False), ("01_dynamo.json", 3, False)])
        self.assertEqual(self.check("inspect", CAPTURES / "breaks").splitlines()[1:3], [
            "  00_aten.json    6 nodes  FX graph (fxscope-fx/1, aten graph of graph 0, torch 2.13.0+cpu)",
            "                  graph break: Failed to trace builtin operator (captures/make.py:33 in forward)"])

    def test_graph_of_a_folder_is_refused(self):
        status, out, err = self.run_cli("inspect", "--graph", CAPTURES)
        self.assertEqual((status, out, err), (2, "", f"fxscope-cli: --graph requires a file; '{CAPTURES}' is a folder\n"))

    def test_normalize_shows_every_kind_of_capture(self):
        for path in [*CAPTURES.rglob("*.json"), *HELION.glob("*.json")]:
            with self.subTest(path.name):
                value = json.loads(self.check("normalize", path, "--json"))
                self.assertEqual(list(json_schema.errors(value, schema("normalize"))), [])
        out = self.check("normalize", HELION / "layer_norm.json", "--node", "var_mean")
        self.assertIn("args", out)
        self.assertIn("_extra_deps=[%var_mean_extra_1]) -> (%load, [-1], correction=0, keepdim=True)  [helion-arguments]", out)

    def test_python_calls_are_findings_at_their_nodes(self):
        status, _, err = self.run_cli("import", CAPTURES / "breaks" / "01_dynamo.json")
        self.assertEqual(status, 1)
        self.assertIn("calls the method relu of a Python object, which is not an operator; export the model with torch.export, or capture its ATen graph", err)

    @needs_engine
    def test_an_aten_graph_of_dynamo_lowers(self):
        for name in ("00_aten", "01_aten"):
            for target in ("linalg-on-tensors", "tosa", "stablehlo"):
                with self.subTest(f"{name} to {target}"):
                    self.check("lower", CAPTURES / "breaks" / f"{name}.json", "--to", target)

    @needs_engine
    def test_a_dump_lowers_traces_and_is_diagnosed_as_its_archive_is(self):
        def masked(text):
            return re.sub(r'"(seconds|input|fingerprint|file)": [^\n]*', "", re.sub(r"(?:\S*/)?(\w+)\.(json|pt2)\b", r"\1", text))

        for name in ("control_flow", "decoder_dynamic"):
            for command in (("lower", "--to", "tosa", "--json"), ("trace", "--to", "linalg-on-tensors", "--json"), ("diagnose", "--to", "tosa", "--format", "json")):
                with self.subTest(f"{command[0]} {name}"):
                    dumped = self.run_cli(command[0], CAPTURES / f"{name}.json", *command[1:])
                    archived = self.run_cli(command[0], SAMPLES / f"{name}.pt2", *command[1:])
                    self.assertEqual((dumped[0], masked(dumped[1])), (archived[0], masked(archived[1])))


if __name__ == "__main__":
    unittest.main()
