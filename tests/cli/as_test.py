# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--as torch-mlir`: the outcome of fx.export_and_import, and what the default rewrites beyond it."""
import unittest

from support import SAMPLES, CliTest, needs_engine


@needs_engine
class AsTorchMlir(CliTest):
    def lowered(self, sample, *options, code=0):
        return self.check_json("lower", self.check("lower", SAMPLES / f"{sample}.pt2", "--to", "linalg-on-tensors", "--json", *options, code=code))

    def test_what_only_fxscope_takes_is_said_with_the_outcome_without(self):
        beyond = {"operators": [{"operator": "higher_order.cond", "nodes": 1}],
                  "outcomes": [{"to": "linalg-on-tensors", "lowers": False, "fails_at": "higher_order.cond"}]}
        self.assertEqual(self.lowered("control_flow")["rewritten_beyond_torch_mlir"], beyond)
        sentence = ("rewritten or imported beyond torch-mlir: higher_order.cond; without it, fx.export_and_import fails for "
                    "linalg-on-tensors at higher_order.cond")
        self.assertIn(f"\n{sentence}\n", self.check("lower", SAMPLES / "control_flow.pt2", "--to", "linalg-on-tensors"))
        diagnosis = self.check("diagnose", SAMPLES / "control_flow.pt2", "--to", "linalg-on-tensors", "--no-experiments")
        self.assertIn(f"note: {sentence}\n", diagnosis)

    def test_it_fails_where_theirs_fails(self):
        answer = self.lowered("control_flow", "--as", "torch-mlir", code=1)
        self.assertIsNone(answer["rewritten_beyond_torch_mlir"])
        self.assertEqual([(f["stage"], f["message"]) for f in answer["findings"] if f["severity"] == "error"],
                         [("raw", "torch-mlir's importer does not implement the higher-order operation higher_order.cond")])
        diagnosis = self.check("diagnose", SAMPLES / "control_flow.pt2", "--to", "linalg-on-tensors", "--as", "torch-mlir", code=1)
        self.assertIn("stops at raw", diagnosis)
        self.lowered("addmm", "--as", "torch-mlir")

    def test_it_is_a_way_of_lowering_of_its_own(self):
        file = SAMPLES / "addmm.pt2"
        self.refuses("lower", file, "--to", "tosa", "--as", "torch-mlir", "--via", "nodes", code=2,
                     message="--as lowers the whole program as torch-mlir does: leave out --fix and --via")
        self.refuses("lower", file, "--to", "tosa", "--as", "iree", code=2, message="option '--as': 'iree' is not torch-mlir or run-decompositions")

    def test_what_pytorch_decomposes_first(self):
        file = SAMPLES / "masked_attention.pt2"
        self.check("lower", file, "--to", "tosa", "--as", "torch-mlir", code=1)
        self.check("lower", file, "--to", "tosa", "--as", "run-decompositions")
        graph = self.check("inspect", file, "--graph", "--rewritten", "--as", "run-decompositions")
        self.assertIn("aten._softmax.default", graph)
        self.assertNotIn("aten.linear.default", graph)
        self.refuses("inspect", file, "--graph", "--as", "run-decompositions", code=2, message="--as requires --rewritten")


if __name__ == "__main__":
    unittest.main()
