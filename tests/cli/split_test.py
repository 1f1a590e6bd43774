# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fxscope-cli split: each dispatch or operation of a lowered program by itself, with values of a run of the whole program."""
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import unittest

from support import ALL, SAMPLES, SOURCE, CliTest, needs_engine

ADDMM = SAMPLES / "addmm.pt2"
BLOCK = SAMPLES / "transformer_block.pt2"
IREE = pathlib.Path(os.environ.get("FXSCOPE_IREE") or SOURCE / ".cache/iree")
MODULE = """func.func @main(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty() : tensor<3x5xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x5xf32>) -> tensor<3x5xf32>
  %product = linalg.matmul ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>) outs(%filled : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %product : tensor<3x5xf32>
}
"""


def with_numpy():
    """A Python that has NumPy; None if there is none."""
    for python in (sys.executable, SOURCE / ".cache/oracle/bin/python"):
        if os.access(python, os.X_OK) and subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0:
            return str(python)
    return None


PYTHON = with_numpy()


class Usage(CliTest):
    def test_usage(self):
        self.refuses("split", ADDMM, "--to", "iree-flow", code=2, message="'split' needs -o DIR, for the programs")
        self.refuses("split", ADDMM, "--to", "iree-flow,tosa", "-o", self.work / "out", code=2, message="'split' expects one output type with --to")
        self.refuses("split", ADDMM, "--to", "iree-flow", "-o", self.work / "out", "--size", "s0", code=2,
                     message="option '--size': 's0' is not a size such as s0=4")
        self.assertFalse((self.work / "out").exists())


@needs_engine
class Split(CliTest):
    def setUp(self):
        super().setUp()
        if not os.access(IREE / "iree-compile", os.X_OK):
            self.skipTest("IREE is not installed")

    def split(self, program, to, *options, code=0):
        out = self.work / "out"
        answer = self.check_json("split", self.check("split", program, "--to", to, "-o", out, "--json", *options, code=code))
        self.assertEqual(json.loads((out / "index.json").read_text()), answer)
        return out, answer

    def run_test(self, folder, *names):
        """test_dispatches.py without pytest: (exit code, output)."""
        env = {**os.environ, "IREE_COMPILE": str(IREE / "iree-compile"), "IREE_RUN_MODULE": str(IREE / "iree-run-module")}
        done = subprocess.run([PYTHON, folder / "test_dispatches.py", *names], env=env, capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout + done.stderr

    def executables(self, program, to="iree-flow"):
        """What IREE counts: executables of the lowered text, and calls."""
        self.check("lower", program, "--to", to, "-o", self.work / "lowered")
        text = next((self.work / "lowered").glob(f"*{to}.mlir")).read_text()
        return len(re.findall(r"^ *flow\.executable ", text, re.M)), len(re.findall(r"= flow\.dispatch @", text))

    def test_each_dispatch_computes_by_itself_what_it_computed_in_the_program(self):
        for program in (ADDMM, BLOCK, *((SAMPLES / name for name in ("residual_block.pt2", "decoder_dynamic.pt2", "masked_attention.pt2")) if ALL else ())):
            with self.subTest(program=program.name):
                out, answer = self.split(program, "iree-flow")
                self.assertEqual((answer["distinct"], answer["sites"]), self.executables(program))
                self.assertEqual(len(answer["programs"]) + len(answer["left"]), answer["distinct"])
                self.assertLessEqual({each["outcome"] for each in answer["programs"]}, {"equal", "same"})
                self.assertEqual(sum(len(each["sites"]) for each in answer["programs"]) + sum(each["sites"] for each in answer["left"]), answer["sites"])
                self.assertTrue(any(site["nodes"] for each in answer["programs"] for site in each["sites"]))
                shutil.rmtree(out)

    def test_the_test_that_is_written_finds_another_value(self):
        if PYTHON is None:
            self.skipTest("NumPy is not installed")
        out, answer = self.split(ADDMM, "iree-flow")
        names = [each["name"] for each in answer["programs"]]
        self.assertEqual(self.run_test(out), (0, "".join(f"{name} as recorded\n" for name in names) + f"{len(names)} as recorded\n"))
        file = out / answer["programs"][0]["folder"] / answer["programs"][0]["results"][0]["file"]
        bytes_ = file.read_bytes()
        file.write_bytes(bytes_[:-4] + struct.pack("<f", struct.unpack("<f", bytes_[-4:])[0] + 1))
        status, said = self.run_test(out, names[0])
        self.assertEqual(status, 1, said)
        self.assertRegex(said, rf"^{names[0]} result 0: relative error .*\n1 of 1 differ\n$")

    def test_the_readme_has_commands_that_run(self):
        out, _ = self.split(ADDMM, "iree-flow")
        commands = re.search(r"```sh\n(.*?)```", (out / "README.md").read_text(), re.S)[1]
        env = {**os.environ, "PATH": f"{IREE}:{os.environ['PATH']}"}
        done = subprocess.run(["sh", "-ec", commands], cwd=out, env=env, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("[SUCCESS] all function outputs matched their expected values.", done.stdout)

    def test_operations(self):
        for program, to in ((SAMPLES / "tanh_gelu.pt2", "linalg-on-tensors"), (ADDMM, "tosa")):
            with self.subTest(program=program.name, to=to):
                out, answer = self.split(program, to)
                self.assertEqual(answer["by"], "node")
                self.assertEqual(len(answer["programs"]) + len(answer["left"]), answer["distinct"])
                self.assertLessEqual({each["outcome"] for each in answer["programs"]}, {"equal", "same"})
                self.assertTrue(answer["programs"])
                for each in answer["programs"]:
                    self.assertEqual([site["nodes"] for site in each["sites"]][0], [each["name"]])
                if PYTHON is not None:
                    self.assertEqual(self.run_test(out)[0], 0)
                shutil.rmtree(out)

    def test_inputs_are_those_of_run(self):
        self.check("run", ADDMM, "--to", "linalg-on-tensors", "--inputs", "seed:3", "-o", self.work / "values")
        _, drawn = self.split(ADDMM, "iree-flow", "--inputs", "seed:3")
        first = {path.relative_to(self.work): path.read_bytes() for path in (self.work / "out").rglob("input_*")}
        _, given = self.split(ADDMM, "iree-flow", "--inputs", self.work / "values/inputs.safetensors")
        self.assertEqual((drawn["set"], given["set"]), ("ordinary", "given"))
        self.assertEqual(first, {path.relative_to(self.work): path.read_bytes() for path in (self.work / "out").rglob("input_*")})

    def test_a_module_is_split_into_dispatches_only(self):
        module = self.work / "module.mlir"
        module.write_text(MODULE)
        _, answer = self.split(module, "iree-flow")
        self.assertEqual([(each["outcome"], len(each["inputs"])) for each in answer["programs"]], [("equal", 2)])
        self.refuses("split", SAMPLES / "matmul_relu.mlir", "--to", "raw", "-o", self.work / "out", code=2,
                     message=f"{SAMPLES / 'matmul_relu.mlir'}: an MLIR module has no nodes; choose an output type that divides it into dispatches")

    def test_operations_of_dynamic_sizes(self):
        """Sizes that an operation computes from are inputs of others, too, and are no results of it."""
        out, answer = self.split(SAMPLES / "decoder_dynamic.pt2", "linalg-on-tensors")
        self.assertLessEqual({each["outcome"] for each in answer["programs"]}, {"equal", "same"})
        self.assertEqual({each["reason"] for each in answer["left"]}, {"it computes no tensor"})

    def test_an_output_type_without_the_function(self):
        self.refuses("split", ADDMM, "--to", "iree-stream", "-o", self.work / "out", code=2,
                     message="iree-stream: its text has no function with the program's arguments and results; choose an output type before it")

    def test_a_program_that_does_not_lower(self):
        out = self.check("split", SAMPLES / "masked_attention.pt2", "--to", "tosa", "-o", self.work / "out", code=1)
        self.assertRegex(out, r"^tosa: does not lower: .*\n$")
        self.assertEqual(os.listdir(self.work / "out"), [])


if __name__ == "__main__":
    unittest.main()
