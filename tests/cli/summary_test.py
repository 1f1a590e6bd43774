# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""inspect --summary: a program in numbers."""
import unittest

from support import SAMPLES, CliTest, needs_engine

ADDMM = SAMPLES / "addmm.pt2"


class Summary(CliTest):
    def test_text(self):
        self.assertEqual(self.check("inspect", ADDMM, "--summary"), f"""\
{ADDMM}: PyTorch exported program (.pt2, schema 8.20)

Parameters   36 in 2 tensors, 144 bytes: float32
FLOPs        192 in 1 call
             counted: 2 for each multiply-add of matrix products, convolutions and attention; nothing else
Activations  144 bytes in 2 tensors: float32
Peak         144 bytes at a time, in program order, at addmm
Operators    1 operator in 1 call

operators
  calls  operator            FLOPs
      1  aten.addmm.default    192
""")

    def test_json_keeps_its_schema(self):
        for sample in ("masked_attention", "control_flow", "decoder_dynamic", "buffer_mutation"):
            said = self.check_json("summary", self.check("inspect", SAMPLES / f"{sample}.pt2", "--summary", "--json"))
            self.assertEqual(said["modules"][0]["path"], "")
            self.assertEqual(said["flops"]["flops"], said["modules"][0]["flops"]["flops"])

    def test_usage(self):
        for options, message in (
                (("--to", "tosa"), "--to requires --summary"),
                (("--summary", "--graph"), "--graph and --summary cannot be combined")):
            self.refuses("inspect", ADDMM, *options, code=2, message=message)
        self.refuses("inspect", SAMPLES, "--summary", code=2, message=f"--summary requires a file; '{SAMPLES}' is a folder")


@needs_engine
class Becomes(CliTest):
    def test_output_types_share_their_first_stages(self):
        said = self.check_json("summary", self.check("inspect", ADDMM, "--summary", "--to", "tosa,linalg-on-tensors", "--json"))
        self.assertEqual([each["stage"] for each in said["became"]], ["raw", "torch", "tosa", "linalg-on-tensors"])
        self.assertIn("linalg", [each["dialect"] for each in said["became"][3]["dialects"]])

    def test_a_module(self):
        module = SAMPLES / "matmul_relu.mlir"
        self.assertEqual(self.check("inspect", module, "--summary", "--to", "raw"), f"""\
{module}: MLIR module

Constants    64 in 1 tensor, 256 bytes: float32
FLOPs        not known: operations of MLIR have no rule
Activations  1.1 KiB in 4 tensors: float32
Peak         not known
Operators    2 operators in 2 calls
Dialects     linalg 3, func 2, arith 1, tensor 1
Functions    @main
Becomes      raw: 7 operations, linalg 3, func 2, arith 1, tensor 1

operators
  calls  operator
      1  linalg.matmul
      1  linalg.max
""")


if __name__ == "__main__":
    unittest.main()
