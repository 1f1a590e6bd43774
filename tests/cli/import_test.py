# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`import`: modes, weights, names, and samples that the engine parses and verifies."""
import re
import subprocess
import unittest

from support import ENGINE, SAMPLES, CliTest, needs_engine

ADDMM = SAMPLES / "addmm.pt2"
MUTATION = SAMPLES / "buffer_mutation.pt2"
DYNAMIC = SAMPLES / "decoder_dynamic.pt2"


def signature(text):
    """The line of @main, without locations."""
    line = next(line for line in text.splitlines() if line.startswith("  func.func @"))
    return re.sub(r' loc\("(?:[^"\\]|\\.)*"\("fx":\d+:0\)\)', "", line)


class Import(CliTest):
    def test_every_line_of_the_body_is_located_at_a_node(self):
        body = self.check("import", ADDMM).splitlines()[2:-2]
        for line in body:
            self.assertRegex(line, r' loc\("[^"]+"\("fx":\d+:0\)\)$')

    def test_function_takes_the_given_name(self):
        self.assertIn("func.func @forward(", self.check("import", ADDMM, "--func-name", "forward"))

    def test_buffers_are_literals_in_lowering_mode_and_arguments_in_frozen_mode(self):
        lowering = signature(self.check("import", MUTATION))
        frozen = signature(self.run_cli("import", MUTATION, "--mode", "frozen")[1])
        self.assertLess(lowering.count("%arg"), frozen.count("%arg"))
        self.assertIn("torch.assume_strict_symbolic_shapes", lowering)
        self.assertNotIn("torch.assume_strict_symbolic_shapes", frozen)

    def test_weights_are_handles_unless_asked_for(self):
        bare = self.check("import", SAMPLES / "transformer_block.pt2")
        full = self.check("import", SAMPLES / "transformer_block.pt2", "--weights")
        self.assertNotIn("dialect_resources", bare)
        self.assertEqual(full[: len(bare)], bare)
        self.assertTrue(full[len(bare) :].startswith("{-#\n  dialect_resources: {\n    builtin: {\n"))

    def test_symbolic_shapes_are_written_on_request(self):
        self.assertNotIn("torch.symbolic_int", self.check("import", DYNAMIC))
        self.assertIn("torch.bind_symbolic_shape", self.check("import", DYNAMIC, "--symbolic-shapes"))

    def test_unknown_mode_is_named_with_the_nearest(self):
        code, out, err = self.run_cli("import", ADDMM, "--mode", "frozn")
        self.assertEqual((code, out, err), (2, "", "fxscope-cli: unknown mode 'frozn'; did you mean 'frozen'?\n"))

    def test_parity_modes_do_not_decompose(self):
        code, _, err = self.run_cli("import", ADDMM, "--mode", "program", "--decompose", "aten.addmm")
        self.assertEqual(code, 2)
        self.assertEqual(err, "fxscope-cli: --decompose requires --mode lowering: frozen and program import the program unchanged\n")

    @needs_engine
    def test_engine_verifies_every_sample(self):
        for sample in sorted(SAMPLES.glob("*.pt2")):
            with self.subTest(sample.name):
                text = self.run_cli("import", sample, "--weights")[1]
                done = subprocess.run([ENGINE, "-o", "/dev/null"], input=text, capture_output=True, text=True, timeout=60)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    @needs_engine
    def test_named_engine_says_what_it_registers(self):
        self.assertEqual(self.check("import", ADDMM, "--engine", ENGINE), self.check("import", ADDMM))


if __name__ == "__main__":
    unittest.main()
