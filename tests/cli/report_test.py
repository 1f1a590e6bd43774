# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`report`: the issue has the smallest case in every form, says what was verified, and nothing of this machine."""
import ast
import pathlib
import unittest

from support import SAMPLES, CliTest, needs_engine


@needs_engine
class Report(CliTest):
    SAMPLE = SAMPLES / "masked_attention.pt2"

    def report(self, *options, code=0):
        return self.check("report", self.SAMPLE, "--to", "tosa", *options, code=code)

    def test_the_files_are_those_of_the_answer(self):
        folder = self.work / "report"
        answer = self.check_json("report", self.report("-o", folder, "--json"))
        self.assertEqual({file["name"]: file["text"] for file in answer["files"]},
                         {file.name: file.read_text() for file in folder.iterdir()})
        self.assertEqual({file.name for file in folder.iterdir()}, {"issue.md", "repro.py", "minimal.mlir", "test.mlir", "e2e_test.py"})
        self.assertEqual((answer["project"], answer["to"], answer["script"]), ("llvm/torch-mlir", "tosa", "not-run"))
        for file in ("repro.py", "e2e_test.py"):
            ast.parse((folder / file).read_text())
        script = (folder / "repro.py").read_text()
        self.assertLessEqual(len(script.splitlines()), 25)
        self.assertIn(answer["failure"]["target"].removesuffix(".default"), script)
        self.assertIn('output_type="tosa"', script)
        self.assertNotIn("loc(", (folder / "minimal.mlir").read_text())
        for file in folder.iterdir():
            self.assertNotIn(str(pathlib.Path.home()), file.read_text())

    def test_the_text_is_the_issue(self):
        text = self.report("-o", self.work)
        self.assertEqual(text, (self.work / "issue.md").read_text())
        self.assertLessEqual(len(text.splitlines()), 60)
        for heading in ("## What happens", "## To reproduce", "## What was looked up", "## Versions"):
            self.assertIn(f"\n{heading}\n", text)
        self.assertIn("The script was not run, as no Python with torch-mlir was named", text)

    def test_the_lit_test_names_the_failing_pass_alone(self):
        self.report("-o", self.work)
        first = (self.work / "test.mlir").read_text().splitlines()[0]
        self.assertEqual(first, "// RUN: torch-mlir-opt %s -pass-pipeline='builtin.module(func.func(convert-torch-to-tosa))' | FileCheck %s")

    def test_what_cannot_be_reported_is_said(self):
        self.refuses("report", SAMPLES / "addmm.pt2", "--to", "tosa", "--failures-only", code=2,
                     message=f"{SAMPLES / 'addmm.pt2'}: torch-mlir lowers it to tosa: there is no failure to report")
        self.refuses("report", self.SAMPLE, "--to", "tosa", "--node", "nothing", code=2, message="the program has no node 'nothing'")
        module = self.work / "m.mlir"
        module.write_text("module {}\n")
        self.refuses("report", module, "--to", "tosa", code=2,
                     message=f"{module}: is an MLIR module; a report needs an exported PyTorch program (.pt2)")

    def test_a_right_program_has_no_wrong_values(self):
        status, _, said = self.run_cli("report", SAMPLES / "addmm.pt2", "--to", "tosa")
        self.assertEqual(status, 2)
        self.assertIn("torch-mlir lowers it to tosa: there is no failure to report; ", said)
        self.assertRegex(said, "; (it computes what is expected by|it is not certain|.*no executor is installed)")

    def test_small_errors_are_not_reported_without_pytorch(self):
        status, out, said = self.run_cli("report", SAMPLES / "tanh_gelu.pt2", "--to", "linalg-on-tensors", "-o", self.work)
        if "no executor is installed" in said:
            self.skipTest(said)
        self.assertEqual((status, out), (2, ""))
        self.assertIn("torch-mlir lowers it to linalg-on-tensors: there is no failure to report; it is not certain that a result is wrong: ", said)
        self.assertIn("--python compares with PyTorch, which decides more", said)
        self.assertFalse((self.work / "issue.md").exists())

    def test_a_python_that_is_not_there_is_said(self):
        self.assertIn("The script was not run: ", self.report("--python", self.work / "no-python"))


if __name__ == "__main__":
    unittest.main()
