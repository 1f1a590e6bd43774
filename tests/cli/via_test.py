# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fxscope-cli lower --via: the ways that lead to an output type."""
import re
import subprocess
import unittest

from support import ENGINE, SAMPLES, CliTest, needs_engine

TYPES = ("raw", "torch", "linalg-on-tensors", "tosa", "stablehlo")


class Usage(CliTest):
    def test_usage(self):
        addmm = SAMPLES / "addmm.pt2"
        self.refuses("lower", addmm, "--to", "tosa", "--via", "node", code=2, message="unknown lowering path 'node'; did you mean 'nodes'?")
        self.refuses("lower", addmm, "--to", "tosa", "--via", "nodes", "--mode", "frozen", code=2,
                     message="--via nodes requires --mode lowering, without --symbolic-shapes")


@needs_engine
class Nodes(CliTest):
    def signature(self, text):
        """Types of the function's arguments and results, without names and locations."""
        head = re.search(r"func\.func @main\((.*)\{\n", text).group(1)
        return re.findall(r"tensor<[^<>]*>|!torch\.vtensor<[^<>]*>|\bi64\b", re.sub(r'loc\("[^"]*"[^)]*\)\)', "", head))

    def test_what_lowers_whole_lowers_node_by_node_with_the_same_signature(self):
        for sample in sorted(SAMPLES.glob("*.pt2")):
            for target in TYPES:
                with self.subTest(sample=sample.name, target=target):
                    whole = self.run_cli("lower", sample, "--to", target, "-o", self.work / "whole")
                    nodes = self.run_cli("lower", sample, "--to", target, "--via", "nodes", "-o", self.work / "nodes")
                    self.assertEqual(nodes[0], whole[0], nodes[1] + nodes[2])
                    value = self.check_json("lower", (self.work / "nodes/lower.json").read_text())
                    self.assertEqual(value["via"], "nodes")
                    for text in sorted((self.work / "nodes").glob("*.mlir")):
                        if ".failure." not in text.name and (self.work / "whole" / text.name).exists():
                            self.assertEqual(self.signature(text.read_text()), self.signature((self.work / "whole" / text.name).read_text()), text)
                        text.unlink()

    def test_the_module_on_standard_output_is_read_by_the_engine(self):
        text = self.check("lower", SAMPLES / "residual_block.pt2", "--to", "tosa", "--via", "nodes", "-o", "-")
        read = subprocess.run([ENGINE], input=text, capture_output=True, text=True, timeout=60)
        self.assertEqual((read.returncode, read.stderr), (0, ""))

    def test_a_node_that_does_not_lower_by_itself_is_named(self):
        status, out, err = self.run_cli("lower", SAMPLES / "masked_attention.pt2", "--to", "tosa", "--via", "nodes")
        self.assertEqual((status, err), (1, ""))
        self.assertRegex(out, r"(?m)^tosa +failed ")
        self.assertIn("aten.scaled_dot_product_attention.default: no pattern of TOSA lowers torch.aten.scaled_dot_product_attention", out)


@needs_engine
class Registry(CliTest):
    def test_a_transformer_and_a_cnn_lower_whole(self):
        for sample in ("transformer_block.pt2", "residual_block.pt2", "masked_attention.pt2"):
            with self.subTest(sample=sample):
                status, out, err = self.run_cli("lower", SAMPLES / sample, "--to", "tosa", "--via", "registry", "-o", self.work / "direct")
                self.assertEqual((status, err), (0, ""), out)
                value = self.check_json("lower", (self.work / "direct/lower.json").read_text())
                self.assertEqual((value["via"], [stage["name"] for stage in value["stages"]]), ("registry", ["registry"]))
                (text,) = (self.work / "direct").glob("*.mlir")
                self.assertIn("tosa.", text.read_text())
                read = subprocess.run([ENGINE, str(text)], capture_output=True, text=True, timeout=60)
                self.assertEqual((read.returncode, read.stderr), (0, ""))
                text.unlink()

    def test_a_node_that_no_registry_takes_is_named(self):
        status, out, err = self.run_cli("lower", SAMPLES / "custom_op.pt2", "--to", "tosa", "--via", "registry")
        self.assertEqual((status, err), (1, ""))
        self.assertRegex(out, r"(?m)^registry +failed ")
        self.assertIn("error at registry: 'acme.swiglu.default' belongs to no op class", out)

    def test_usage(self):
        self.refuses("lower", SAMPLES / "addmm.pt2", "--to", "tosa", "--block-size", "u0=4", code=2, message="--block-size requires --via registry")
        self.refuses("lower", SAMPLES / "addmm.pt2", "--to", "stablehlo", "--via", "registry", code=2,
                     message="--via registry supports linalg-on-tensors or tosa; choose one with --to")


@needs_engine
class Fixed(CliTest):
    def test_it_is_lower_fix_and_says_what_was_changed(self):
        lower = ("lower", SAMPLES / "masked_attention.pt2", "--to", "tosa", "--json")
        via, fix = self.run_cli(*lower, "--via", "fixed"), self.run_cli(*lower, "--fix")
        self.assertEqual((via[0], via[2]), (fix[0], fix[2]))
        self.assertTrue(via[2].startswith("aten.scaled_dot_product_attention.default (2 nodes): call program.run_decompositions() first"), via[2])
        for code, out, _ in (via, fix):
            value = self.check_json("lower", out)
            self.assertEqual((code, value["via"], value["ok"], [stage["name"] for stage in value["stages"]]),
                             (0, "fixed", True, ["raw", "torch", "tosa"]))


if __name__ == "__main__":
    unittest.main()
