# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fxscope-cli node: one node by itself, lowered, and inlined into a caller."""
import json
import subprocess
import unittest

from support import ENGINE, SAMPLES, CliTest, listed, needs_engine

ADDMM = SAMPLES / "addmm.pt2"
TYPES = ("raw", "torch", "linalg-on-tensors", "tosa", "stablehlo")

INLINED = """\
module {
  func.func @caller(%p_b: tensor<4xf32>, %x: tensor<3x8xf32>, %p_w: tensor<8x4xf32>) -> (tensor<3x4xf32>) {
    %addmm.cst = arith.constant 0.000000e+00 : f32
    %addmm.cst_0 = arith.constant 5.000000e-01 : f32
    %addmm.cst_1 = arith.constant 2.000000e+00 : f32
    %addmm.0 = tensor.empty() : tensor<3x4xf32>
    %addmm.1 = linalg.fill ins(%addmm.cst : f32) outs(%addmm.0 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %addmm.2 = linalg.matmul ins(%x, %p_w : tensor<3x8xf32>, tensor<8x4xf32>) outs(%addmm.1 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %addmm.3 = tensor.empty() : tensor<4xf32>
    %addmm.4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} \
ins(%p_b : tensor<4xf32>) outs(%addmm.3 : tensor<4xf32>) {
    ^bb0(%addmm.in: f32, %addmm.out: f32):
      %addmm.6 = arith.mulf %addmm.in, %addmm.cst_0 : f32
      linalg.yield %addmm.6 : f32
    } -> tensor<4xf32>
    %addmm.5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, \
affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%addmm.4, %addmm.2 : tensor<4xf32>, tensor<3x4xf32>) \
outs(%addmm.0 : tensor<3x4xf32>) {
    ^bb0(%addmm.in_0: f32, %addmm.in_2: f32, %addmm.out_0: f32):
      %addmm.6_0 = arith.mulf %addmm.in_2, %addmm.cst_1 : f32
      %addmm.7 = arith.addf %addmm.in_0, %addmm.6_0 : f32
      linalg.yield %addmm.7 : f32
    } -> tensor<3x4xf32>
    return %addmm.5 : tensor<3x4xf32>
  }
}
"""


class Usage(CliTest):
    def test_usage(self):
        self.refuses("node", ADDMM, code=2, message="'node' needs NODE (node name, \"sub.name\" or index)")
        self.refuses("node", ADDMM, "addmm", code=2,
                     message=f"'node' needs --to TYPE: {listed('or')}")
        self.refuses("node", ADDMM, "admm", "--to", "raw", code=2, message="there is no node 'admm'; did you mean 'addmm'?")
        self.refuses("node", ADDMM, "x", "--to", "raw", code=1,
                     message="node 'x' cannot be lowered by itself: it is a placeholder, not a call of an operator")
        self.refuses("node", self.work / "none.pt2", "x", "--to", "raw", code=3, message=f"{self.work}/none.pt2: no such file")

    def test_no_engine(self):
        status, out, err = self.run_cli("node", ADDMM, "addmm", "--to", "raw", engine=self.work / "none")
        self.assertEqual((status, out), (4, ""), err)


@needs_engine
class Node(CliTest):
    def test_addmm_is_a_matmul_and_an_add_under_fresh_names(self):
        out = self.check("node", ADDMM, "addmm", "--to", "linalg-on-tensors", "--inline")
        self.assertEqual(out.split("== inlined into a caller ==\n")[1], INLINED)
        self.assertEqual(out.split("\n\n")[1], """\
graph():
    %p_b : f32[4] [num_users=1] = placeholder[target=p_b]
    %x : f32[3, 8] [num_users=1] = placeholder[target=x]
    %p_w : f32[8, 4] [num_users=1] = placeholder[target=p_w]
    %addmm : f32[3, 4] [num_users=1] = call_function[target=torch.ops.aten.addmm.default](args = (%p_b, %x, %p_w), \
kwargs = {beta: 0.5, alpha: 2.0})
    return (addmm,)""")

    def test_every_node_of_the_samples_is_answered_to_every_type(self):
        for sample in ("addmm", "residual_block", "control_flow"):
            graph = self.check("inspect", SAMPLES / f"{sample}.pt2", "--graph")
            main = graph.split("graph():\n")[1].split("\n\n")[0]
            nodes = [line.split("%")[1].split(" ")[0] for line in main.splitlines() if " = call_function[" in line and "operator.getitem" not in line]
            for node in nodes[:6]:
                for target in TYPES:
                    with self.subTest(sample=sample, node=node, target=target):
                        status, out, err = self.run_cli("node", SAMPLES / f"{sample}.pt2", node, "--to", target, "--json")
                        self.assertIn(status, (0, 1), err)
                        value = self.check_json("node", out)
                        self.assertEqual((value["ok"], value["node"], value["target"]), (status == 0, node, target))
                        self.assertEqual(value["verified"], True if value["ok"] else None)
                        self.assertTrue(value["ok"] or any(f["severity"] == "error" for f in value["findings"]))

    def test_the_module_is_written_and_the_engine_reads_it(self):
        for inline in ([], ["--inline"]):
            text = self.check("node", ADDMM, "addmm", "--to", "tosa", "-o", "-", *inline)
            self.assertEqual("@caller" in text, bool(inline))
            read = subprocess.run([ENGINE], input=text, capture_output=True, text=True, timeout=60)
            self.assertEqual((read.returncode, read.stderr), (0, ""))
            self.check("node", ADDMM, "addmm", "--to", "tosa", "-o", self.work / "out.mlir", *inline)
            self.assertEqual((self.work / "out.mlir").read_text(), text)


if __name__ == "__main__":
    unittest.main()
