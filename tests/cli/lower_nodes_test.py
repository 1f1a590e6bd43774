# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fxscope-cli lower --nodes: what became of each node, beside its lines of Python."""
import unittest

from support import SAMPLES, CliTest, needs_engine


class LowerNodes(CliTest):
    def answer(self, *args, code=0, **kw):
        return self.check_json("lower_nodes", self.check("lower", *args, "--nodes", "--json", code=code, **kw))

    @needs_engine
    def test_each_node_that_computes_has_its_lines_and_its_operations(self):
        value = self.answer(SAMPLES / "addmm.pt2", "--to", "tosa")
        self.assertEqual((value["target"], value["stage"], value["failed"], value["findings"]), ("tosa", "tosa", False, []))
        (node,) = value["nodes"]
        self.assertEqual((node["name"], node["target"], node["lines"][0]["file"]), ("addmm", "aten.addmm.default", "samples/addmm.py"))
        self.assertIn("tosa.matmul", node["became"])
        text = self.check("lower", SAMPLES / "addmm.pt2", "--to", "tosa", "--nodes").splitlines()
        self.assertEqual(text[0], "addmm.pt2 to tosa: tosa")
        self.assertRegex(text[3], r"\Asamples/addmm\.py:\d+  addmm  aten\.addmm\.default  tosa\.matmul, ")

    @needs_engine
    def test_of_a_program_that_stops_it_is_the_text_at_the_failure(self):
        value = self.answer(SAMPLES / "masked_attention.pt2", "--to", "tosa", code=1)
        self.assertEqual((value["stage"], value["failed"], value["findings"][0]["kind"]), ("tosa", True, "illegal-op"))
        became = {node["name"]: node["became"] for node in value["nodes"]}
        self.assertEqual(became["scaled_dot_product_attention"], ["torch.aten.scaled_dot_product_attention"])

    @needs_engine
    def test_of_a_module_lines_are_those_of_its_text(self):
        text = (SAMPLES / "matmul_relu.mlir").read_bytes()
        value = self.answer("-", "--to", "loops", stdin=text)
        lines = text.decode().splitlines()
        for node in value["nodes"]:
            self.assertEqual([line["file"] for line in node["lines"]], ["-"])
            self.assertIn(node["target"], lines[node["lines"][0]["line"] - 1])

    def test_usage(self):
        self.refuses("lower", SAMPLES / "addmm.pt2", "--to", "tosa", "--nodes", "-o", self.work / "x", code=2,
                     message="--nodes prints what became of the nodes: leave out -o and --export-test")


if __name__ == "__main__":
    unittest.main()
