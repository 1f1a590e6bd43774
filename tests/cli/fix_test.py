# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`fix`: the program that it writes lowers without further options, has the original's weights, and what it cannot fix is named."""
import json
import shutil
import unittest
import zipfile

from support import SAMPLES, CliTest, needs_engine

TARGETS = "linalg-on-tensors,tosa,stablehlo"


def weights(file):
    """Bytes of each weight by name."""
    out = {}
    with zipfile.ZipFile(file) as archive:
        for config in (name for name in archive.namelist() if name.endswith("_config.json") and "/data/" in name):
            folder = config.rsplit("/", 1)[0]
            for name, entry in json.loads(archive.read(config))["config"].items():
                out[name] = archive.read(f"{folder}/{entry['path_name']}")
    return out


@needs_engine
class Fix(CliTest):
    def fixed(self, sample, to=TARGETS, code=0):
        file = self.work / "fixed.pt2"
        out = self.check("fix", SAMPLES / f"{sample}.pt2", "--to", to, "-o", file, "--json", code=code)
        return file, self.check_json("fix", out)

    def test_python_that_would_change_nothing_is_not_written(self):
        script = self.work / "nothing.py"
        code, out, err = self.run_cli("fix", SAMPLES / "custom_op.pt2", "--to", "linalg-on-tensors", "-o", self.work / "c.pt2", "--python", script)
        self.assertEqual(code, 1)
        self.assertIn("nothing.py is not written: no change was found", err)
        self.assertFalse(script.exists())
        self.assertNotIn("for your own script", out)

    def test_a_blocked_program_lowers_when_it_is_fixed(self):
        self.check("lower", SAMPLES / "masked_attention.pt2", "--to", "tosa", code=1)
        file, answer = self.fixed("masked_attention")
        self.assertEqual(answer["lowers"], {"linalg-on-tensors": True, "tosa": True, "stablehlo": True})
        self.assertEqual([(c["target"], c["operator"], c["nodes"], c["verified"]) for c in answer["changes"]],
                         [("tosa", "aten.scaled_dot_product_attention.default",
                           ["scaled_dot_product_attention", "scaled_dot_product_attention_1"], "whole program lowers with it")])
        for target in TARGETS.split(","):
            self.check("lower", file, "--to", target)
            self.check("lower", file, "--to", target, "--mode", "frozen")

    def test_lower_can_fix_first(self):
        code, out, err = self.run_cli("lower", SAMPLES / "masked_attention.pt2", "--to", "tosa", "--fix", "-o", "-")
        self.assertEqual(code, 0, err)
        self.assertIn("tosa.matmul", out)
        self.assertTrue(err.startswith("aten.scaled_dot_product_attention.default (2 nodes): call program.run_decompositions() first"), err)
        self.refuses("lower", SAMPLES / "addmm.pt2", "--to", "tosa", "--fix", "--via", "nodes", code=2,
                     message="--fix is --via fixed: leave out one of them")

    def test_the_text_says_what_was_changed_and_why(self):
        out = self.check("fix", SAMPLES / "masked_attention.pt2", "--to", "tosa", "-o", self.work / "fixed.pt2")
        for line in ("  tosa  lowers", "changed for tosa", "     nodes     2 nodes: scaled_dot_product_attention, scaled_dot_product_attention_1",
                     "     verified  whole program lowers with it"):
            self.assertIn(line + "\n", out)

    def test_executors_compare_the_values_without_a_python(self):
        if shutil.which("mlir-opt-22") is None:
            self.skipTest("no executor")
        file = self.work / "fixed.pt2"
        ask = ("fix", SAMPLES / "masked_attention.pt2", "--to", "tosa", "-o", file)
        values = self.check_json("fix", self.check(*ask, "--numbers", "--json"))["compared"]
        self.assertRegex(values["by"], "at linalg-on-tensors$")
        self.assertGreater(len(values["sets"]), 1)
        self.assertEqual(values["differences"], [])
        self.assertRegex(self.check(*ask, "--numbers"), r"values: [0-9]+ results as the original's, in .*LLVM")
        self.assertNotIn("values:", self.check(*ask))

    def test_the_changes_are_written_as_python(self):
        script = self.work / "fixed.py"
        out = self.check("fix", SAMPLES / "masked_attention.pt2", "--to", "tosa", "-o", self.work / "fixed.pt2", "--python", script)
        self.assertIn("lower(program) with torch-mlir", out)
        self.assertNotIn(str(script), out.split("\nnext: ")[1])  # is no interpreter
        self.assertEqual([line for line in script.read_text().splitlines() if line],
                         ["from torch_mlir import fx", 'def lower(program, output_type="tosa"):',
                          "    return fx.export_and_import(program.run_decompositions(), output_type=output_type)"])
        _, answer = self.fixed("masked_attention")
        self.assertEqual([change["python"] for change in answer["changes"]], [script.read_text()])
        self.refuses("fix", SAMPLES / "addmm.pt2", "--to", "tosa", "-o", self.work / "fixed.pt2", "--python", self.work / "none" / "fixed.py",
                     code=2, message=f"{self.work}/none/fixed.py: cannot be written: No such file or directory")

    def test_torch_mlir_itself_is_asked_where_a_python_is_given(self):
        missing = self.work / "none" / "python"
        file, script = self.work / "fixed.pt2", self.work / "fixed.py"
        out = self.check("fix", SAMPLES / "addmm.pt2", "--to", "tosa", "-o", file, "--python", script, "--python", missing)
        self.assertIn(f"\n  tosa  lowers\n\n  asked: not asked: {missing}: ", out)
        self.assertTrue(script.is_file())
        answer = self.check_json("fix", self.check("fix", SAMPLES / "addmm.pt2", "--to", "tosa", "-o", file, "--python", missing, "--json"))
        self.assertTrue(answer["asked"].startswith("not asked: "), answer["asked"])

    def test_weights_are_copied_as_they_are(self):
        file, _ = self.fixed("transformer_block")
        original, copied = weights(SAMPLES / "transformer_block.pt2"), weights(file)
        self.assertEqual(original.keys(), copied.keys())
        self.assertTrue(any(original.values()))
        for name, value in original.items():
            self.assertEqual(copied[name], value, name)

    def test_names_and_metadata_of_nodes_stay(self):
        file, _ = self.fixed("residual_block")
        nodes = [json.loads(self.check("inspect", f, "--json")) for f in (SAMPLES / "residual_block.pt2", file)]
        text = [json.dumps(n) for n in nodes]
        for word in ("relu", "conv2d"):
            self.assertIn(word, text[0])
            self.assertIn(word, text[1])
        with zipfile.ZipFile(file) as archive:
            model = archive.read("fixed/models/model.json").decode()
        self.assertIn("stack_trace", model)
        self.assertIn("nn_module_stack", model)

    def test_what_cannot_be_fixed_is_named_and_the_file_is_written(self):
        file, answer = self.fixed("custom_op", code=1)
        self.assertEqual(set(answer["lowers"].values()), {False})
        self.assertEqual({b["operator"] for b in answer["blocked"]}, {"acme.swiglu.default"})
        self.assertEqual({b["class"] for b in answer["blocked"]}, {"not-registered"})
        self.assertTrue(answer["stops"]["tosa"])
        self.check("inspect", file)

    def test_the_original_is_never_overwritten(self):
        file = self.work / "model.pt2"
        shutil.copy(SAMPLES / "addmm.pt2", file)
        before = file.read_bytes()
        self.refuses("fix", file, "--to", "tosa", "-o", file, code=2, message=f"{file}: is the program that is fixed; write to another file")
        self.assertEqual(file.read_bytes(), before)

    def test_an_output_file_is_required_and_must_be_writable(self):
        self.refuses("fix", SAMPLES / "addmm.pt2", "--to", "tosa", code=2, message="fix: say where to write the fixed program, with -o FIXED.pt2")
        status, out, err = self.run_cli("fix", SAMPLES / "addmm.pt2", "--to", "tosa", "-o", self.work / "none" / "fixed.pt2")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("fixed.pt2: cannot be written", err)


if __name__ == "__main__":
    unittest.main()
