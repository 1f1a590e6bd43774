# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`registry`: chains, coverage, a registry of one's own, and texts that the engine verifies."""
import json
import pathlib
import unittest

import json_schema
from support import SAMPLES, SOURCE, CliTest, needs_engine

ADDMM = SAMPLES / "addmm.pt2"
CUSTOM = SAMPLES / "custom_op.pt2"
TRANSFORMER = SAMPLES / "transformer_block.pt2"
ACME = SAMPLES / "registries" / "acme.fxreg"
SCHEMA = json.loads((SOURCE / "resources/schemas/registry.schema.json").read_text())


class Registry(CliTest):
    def answer(self, *args, code=0, **kw):
        out = self.run_cli("registry", *args, "--json", **kw)
        self.assertEqual(out[0], code, out[2])
        answer = json.loads(out[1])
        self.assertEqual(list(json_schema.errors(answer, SCHEMA)), [])
        return answer

    def test_the_text_is_one_module_in_generic_form(self):
        out = self.check("registry", ADDMM, engine=None)
        self.assertTrue(out.startswith('"builtin.module"() ({\n'), out[:200])
        self.assertIn('sym_name = "main"', out)
        self.assertIn('loc("addmm"("fx":3:0))', out)

    def test_function_takes_the_given_name(self):
        self.assertIn('sym_name = "forward"', self.check("registry", ADDMM, "--func-name", "forward", engine=None))

    def test_with_a_file_the_summary_is_the_answer(self):
        out = self.check("registry", ADDMM, "-o", self.work / "a.mlir", engine=None)
        self.assertTrue(out.startswith("addmm.pt2 -> a.mlir: 1 of 1 node lowered by tosa, then linalg, then math, then func\n"), out)
        self.assertTrue((self.work / "a.mlir").read_text().startswith('"builtin.module"'))

    def test_json_follows_the_schema_and_says_which_registry_lowered_what(self):
        answer = self.answer(TRANSFORMER, engine=None)
        self.assertTrue(answer["complete"])
        self.assertEqual(answer["chain"], ["tosa", "linalg", "math", "func"])
        self.assertIn("aten.linear.default", answer["decomposed"])
        self.assertEqual(sum(r["nodes"] for r in answer["registries"]), sum(n["status"] == "lowered" for n in answer["nodes"]))
        self.assertEqual({n["registry"] for n in answer["nodes"] if n["class"] == "ErfOp"} | {"math"}, {"math"})

    def test_another_primary_is_asked_first(self):
        answer = self.answer(ADDMM, "--primary", "linalg", engine=None)
        self.assertEqual(answer["chain"], ["linalg", "tosa", "math", "func"])
        self.assertEqual([n["registry"] for n in answer["nodes"] if n["class"]], ["linalg"])

    def test_parameters_are_arguments_in_buddys_order_on_request(self):
        out = self.check("registry", ADDMM, "--arguments", "buddy", engine=None)
        self.assertNotIn("dense_resource", out)
        packed = self.answer(ADDMM, "--arguments", "packed", engine=None)["packing"]
        self.assertEqual(len(packed), 1)

    def test_main_calls_a_function_for_each_submodule_on_request(self):
        answer = self.answer(TRANSFORMER, "--groups", "module", engine=None)
        self.assertEqual([(g["function"], g["module"]) for g in answer["groups"]],
                         [("subgraph0", "blocks.0"), ("subgraph1", "blocks.1"), ("subgraph2", "norm")])
        self.assertEqual(answer["graph_driver"], [])
        code, _, err = self.run_cli("registry", ADDMM, "--groups", "addm", engine=None)
        self.assertEqual(code, 2)
        self.assertIn("no node 'addm' to begin a group at; did you mean 'addmm'?", err)

    def test_files_for_builds_of_buddy_hold_all_weights_in_order(self):
        folder = self.work / "driver"
        answer = self.answer(TRANSFORMER, "--graph-driver", folder, "--groups", "layer_norm_2", engine=None)
        self.assertEqual(sorted(p.name for p in folder.iterdir()), ["arg0.data", "forward.mlir", "subgraph0.mlir", "subgraph1.mlir"])
        self.assertEqual([g["from"] for g in answer["groups"]], ["layer_norm", "layer_norm_2"])
        elements = int(answer["packing"][0].split("[")[1].split("]")[0])
        self.assertEqual((folder / "arg0.data").stat().st_size, 4 * elements)
        self.assertIn(f"func.func @forward(%arg0: memref<{elements}xf32>", (folder / "forward.mlir").read_text())
        self.assertEqual([pathlib.Path(f["path"]).name for f in answer["graph_driver"]][:2], ["forward.mlir", "subgraph0.mlir"])

    def test_a_program_with_symbolic_sizes_has_no_main_graph_on_memrefs(self):
        code, _, err = self.run_cli("registry", SAMPLES / "decoder_dynamic.pt2", "--graph-driver", self.work / "none", engine=None)
        self.assertEqual(code, 3)
        self.assertIn("symbolic sizes; export it with static shapes", err)

    def test_weights_are_handles_unless_asked_for(self):
        self.assertNotIn("dialect_resources", self.check("registry", ADDMM, engine=None))
        self.assertIn("dialect_resources", self.check("registry", ADDMM, "--weights", engine=None))

    def test_an_operator_of_no_class_is_named_with_the_way_out(self):
        code, out, err = self.run_cli("registry", CUSTOM, engine=None)
        self.assertEqual(code, 1)
        self.assertIn('"fxscope.unmapped"', out)
        self.assertIn("'acme.swiglu.default' belongs to no op class", err)
        self.assertIn("add a handler in a user registry (--stub writes a beginning)", err)

    def test_a_registry_of_ones_own_adds_an_operator(self):
        answer = self.answer(CUSTOM, "--registry", ACME, engine=None)
        self.assertEqual(answer["chain"][0], "acme")
        self.assertEqual([n["registry"] for n in answer["nodes"] if n["target"] == "acme.swiglu.default"], ["acme"])
        self.assertTrue(answer["complete"])

    def test_a_stub_lowers_an_unknown_operator_at_once(self):
        stub = self.work / "stub.fxreg"
        self.run_cli("registry", CUSTOM, "--stub", stub, engine=None)
        self.assertIn("\nop acme.swiglu.default (x, y, beta)\n  external acme_swiglu\n", stub.read_text())
        answer = self.answer(CUSTOM, "--registry", stub, engine=None)
        self.assertTrue(answer["complete"])
        self.assertEqual([n["registry"] for n in answer["nodes"] if n["target"] == "acme.swiglu.default"], ["stubs"])
        code, _, err = self.run_cli("registry", ADDMM, "--stub", self.work / "none.fxreg", engine=None)
        self.assertEqual((code, err), (0, f"fxscope-cli: {self.work / 'none.fxreg'} is not written: registries know every operator\n"))

    @needs_engine
    def test_the_engine_verifies_a_stub(self):
        stub = self.work / "stub.fxreg"
        self.run_cli("registry", CUSTOM, "--stub", stub)
        self.assertEqual(self.answer(CUSTOM, "--registry", stub)["verified"]["status"], "ok")

    def test_a_registry_that_is_written_wrong_is_refused_at_its_line(self):
        wrong = self.work / "wrong.fxreg"
        wrong.write_text("registry a\nop AdOp (x)\n")
        self.assertEqual(self.run_cli("registry", ADDMM, "--registry", wrong),
                         (3, "", f"fxscope-cli: {wrong}:2: 'AdOp' is not an op class; did you mean 'AddOp'?\n"))

    def test_usage_errors_name_the_nearest(self):
        self.assertEqual(self.run_cli("registry", ADDMM, "--primary", "linlag"),
                         (2, "", "fxscope-cli: unknown registry 'linlag'; did you mean 'linalg'?\n"))
        self.assertEqual(self.run_cli("registry", ADDMM, "--arguments", "budy"),
                         (2, "", "fxscope-cli: unknown argument convention 'budy'; did you mean 'buddy'?\n"))
        self.assertEqual(self.run_cli("registry", ADDMM, "--registry", self.work / "no.fxreg")[0], 2)

    @needs_engine
    def test_the_engine_verifies_what_is_complete(self):
        for file, more in ((TRANSFORMER, ()), (SAMPLES / "residual_block.pt2", ()), (TRANSFORMER, ("--primary", "linalg")),
                           (SAMPLES / "masked_attention.pt2", ()), (CUSTOM, ("--registry", ACME))):
            with self.subTest(file=file.name, more=more):
                self.assertEqual(self.answer(file, *more)["verified"]["status"], "ok")


if __name__ == "__main__":
    unittest.main()
