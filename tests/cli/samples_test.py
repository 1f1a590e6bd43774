# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every sample from the file as it is to every output type: the outcome is known, and a surprise in either direction fails."""
import json
import unittest

from support import SAMPLES, CliTest, needs_engine

TARGETS = ("linalg-on-tensors", "tosa", "stablehlo")
# What stops a sample: output type -> the stage and the operations that are named. Not listed: it lowers.
STOPS = {
    "control_flow": {"tosa": ("tosa", {"torch.prim.If", "torch.aten.Bool.Tensor"}), "stablehlo": ("stablehlo", {"torch.prim.If"})},
    "custom_op": {t: ("torch", {"torch.acme.swiglu"}) for t in TARGETS},
    "decoder_dynamic": {"tosa": ("tosa", {"torch.aten.size.int"})},
    "merge_heads": {"linalg-on-tensors": ("linalg-on-tensors", {"tensor.cast"}), "tosa": ("tosa", {"torch.aten.size.int"})},
    "masked_attention": {t: (t, {"torch.aten.scaled_dot_product_attention"}) for t in ("tosa", "stablehlo")},
}


@needs_engine
class Samples(CliTest):
    def outcome(self, sample, target):
        status, out, err = self.run_cli("lower", sample, "--to", target, "--json")
        self.assertIn(status, (0, 1), err)
        value = json.loads(out)
        bad = [s["name"] for s in value["stages"] if s["status"] not in ("ok", "skipped")]
        ops = {f["op"] for f in value["findings"] if f["severity"] == "error"}
        return (bad[0], ops) if bad else None

    def test_every_sample_to_every_stage(self):
        for sample in sorted(SAMPLES.glob("*.pt2")):
            for target in TARGETS:
                with self.subTest(f"{sample.stem} to {target}"):
                    self.assertEqual(self.outcome(sample, target), STOPS.get(sample.stem, {}).get(target))


if __name__ == "__main__":
    unittest.main()
