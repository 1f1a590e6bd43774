# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`lit`: which RUN lines pass, fail and are not run, and what FileCheck says, as text and as JSON. `--export-test` of
`trace` and `lower`: only tests that pass, and that fail without the pass, are written."""
import shutil
import unittest

from support import SAMPLES, CliTest, needs_engine

MODULE = """func.func @f(%arg0: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %arg0, %c0 : i32
  return %0 : i32
}
"""
needs_llvm = unittest.skipUnless(shutil.which("FileCheck-22") and shutil.which("mlir-opt-22"), "FileCheck-22 is not installed")


class Lit(CliTest):
    def lit(self, *lines, name="a.mlir"):
        path = self.work / name
        path.write_text("".join(f"// {line}\n" for line in lines) + MODULE)
        return path

    @needs_llvm
    def test_each_line_has_an_outcome(self):
        test = self.lit("RUN: mlir-opt -canonicalize %s | FileCheck %s", "RUN: mlir-opt %s | FileCheck %s --check-prefix=PLAIN", "RUN: split-file %s %t",
                        "RUN: not mlir-opt --no-such-option %s", "REQUIRES: asserts", "CHECK-LABEL: func.func @f", "CHECK-NOT: arith.addi",
                        "CHECK-NEXT: return", "PLAIN: arith.subi")
        self.assertEqual(self.check("lit", test, code=1), """\
a.mlir: failed
  line 5: REQUIRES: asserts (not decided here)
  line 1: passed: mlir-opt -canonicalize %s | FileCheck %s
  line 2: failed: mlir-opt %s | FileCheck %s --check-prefix=PLAIN
    FileCheck-22: ended with exit code 1, expected 0
      a.mlir:9:11: error: PLAIN: expected string not found in input
          9 | // PLAIN: arith.subi
      <stdin>:1:1: note: scanning from here
          1 | module {
      <stdin>:4:7: note: possible intended match here
          4 | %0 = arith.addi %arg0, %c0_i32 : i32
  line 3: not run: split-file %s %t
    the RUN: line runs 'split-file', which is none of the programs in the settings; it is not run
  line 4: passed: not mlir-opt --no-such-option %s
not known here: split-file; name a program with --tool NAME=PATH
tests: 0 passed, 1 failed, 0 not run; RUN lines: 2 passed, 1 failed, 1 not run
""")
        value = self.check_json("lit", self.check("lit", test, "--json", code=1))
        [only] = value["tests"]
        self.assertEqual([run["outcome"] for run in only["runs"]], ["passed", "failed", "not run", "passed"])
        self.assertEqual(only["runs"][0]["commands"][0]["argv"], ["mlir-opt-22", "-canonicalize", "a.mlir"])
        self.assertEqual(only["conditions"], [{"kind": "REQUIRES", "line": 5, "text": "asserts", "holds": None}])
        [match] = only["runs"][1]["commands"][1]["checks"]["matches"]
        self.assertEqual((match["outcome"], match["directive"], match["check"]["line"]), ("failed", "PLAIN", 9))

    @needs_llvm
    def test_matches_stand_beside_the_lines_that_they_matched(self):
        test = self.lit("RUN: mlir-opt -canonicalize %s | FileCheck %s", "RUN: mlir-opt %s | FileCheck %s --check-prefix=PLAIN",
                        "CHECK-LABEL: func.func @f", "CHECK-NEXT: return", "PLAIN: arith.subi")
        self.assertEqual(self.check("lit", test, "--line", 1, "--matches"), """\
a.mlir: passed
  line 1: passed: mlir-opt -canonicalize %s | FileCheck %s
    checked line -> line of the input
          3  CHECK-LABEL: func.func @f
         ->     2  func.func @f(%arg0: i32) -> i32 {
          4  CHECK-NEXT: return
         ->     3  return %arg0 : i32
tests: 1 passed, 0 failed, 0 not run; RUN lines: 1 passed, 0 failed, 0 not run
""")
        value = self.check_json("lit", self.check("lit", test, "--line", 1, "--matches", "--json"))
        matches = value["tests"][0]["runs"][0]["commands"][1]["checks"]["matches"]
        self.assertEqual([(m["outcome"], m["check"]["line"], m["input"]["line"]) for m in matches], [("found", 3, 2), ("found", 4, 3)])

    @needs_llvm
    def test_conditions_that_hold_everywhere_count(self):
        failing, passing = "RUN: mlir-opt --no-such-option %s", "RUN: mlir-opt %s"
        for lines, said, code in ((("XFAIL: *", failing), "failed as expected", 0), (("XFAIL: *", passing), "passed unexpectedly", 1),
                                  (("XFAIL: windows", passing), "passed", 0), (("UNSUPPORTED: *", failing), "not run", 0), ((), "not run", 0)):
            with self.subTest(lines=lines):
                self.assertTrue(self.check("lit", self.lit(*lines), code=code).startswith(f"a.mlir: {said}\n"))

    @needs_llvm
    def test_a_line_runs_with_those_that_write_its_files(self):
        test = self.lit("RUN: mlir-opt %s -o %t", "RUN: mlir-opt --no-such-option %s", "RUN: FileCheck %s < %t", "CHECK: addi")
        value = self.check_json("lit", self.check("lit", test, "--line", 3, "--json"))
        self.assertEqual([(run["line"], run["outcome"]) for run in value["tests"][0]["runs"]], [(1, "passed"), (3, "passed")])
        self.refuses("lit", test, "--line", 4, code=2, message=f"{test}: line 4 has no RUN line; they begin at 1, 2, 3")

    @needs_engine
    def test_the_engine_is_torch_mlir_opt(self):
        self.assertIn("a.mlir: passed\n", self.check("lit", self.lit("RUN: torch-mlir-opt -canonicalize %s")))
        missing = self.check("lit", self.lit("RUN: torch-mlir-opt %s"), engine="/nowhere/torch-mlir-opt")
        self.assertIn("runs 'torch-mlir-opt', which was not found: engine torch-mlir-opt: does not exist; ", missing)

    def test_own_programs_are_named(self):
        tool = self.work / "tool"
        tool.write_text("#!/bin/sh\necho told \"$@\" >&2\nexit 3\n")
        tool.chmod(0o755)
        test = self.lit("RUN: mine --now %s")
        out = self.check("lit", test, "--tool", f"mine={tool}", code=1)
        self.assertIn("    tool: ended with exit code 3, expected 0\n      stderr: told --now a.mlir\n", out)
        self.check("lit", test)
        for given in ("mine", "=x", "mine="):
            self.refuses("lit", test, "--tool", given, code=2, message=f"option '--tool': expected NAME=PATH, got '{given}'")
        self.refuses("lit", test, "--tool", "mine=/nowhere/x", code=2, message="option '--tool': /nowhere/x: no such file")

    def exports(self, out, message, *args):
        status, _, err = self.run_cli(*args, "--export-test", out)
        self.assertEqual((status, err), (0, f"{out}: {message}\n"))

    @needs_llvm
    @needs_engine
    def test_passes_are_exported_as_tests(self):
        out = self.work / "pass.mlir"
        trace = ("trace", SAMPLES / "addmm.pt2", "--to", "linalg-on-tensors")
        plain = self.check(*trace, "-o", self.work / "passes")
        number = next(line.split()[0] for line in plain.splitlines() if " convert-torch-to-linalg " in line)
        for given in (trace, ("trace", self.work / "passes")):
            self.exports(out, "not reduced: no operation can be left out", *given, "--pass", number)
            text = out.read_text()
            self.assertRegex(text, r"^// RUN: torch-mlir-opt '--pass-pipeline=builtin.module\(func.func\(convert-torch-to-linalg\{.*\}\)\)' %s \| FileCheck %s\n")
            self.assertIn("// CHECK: %[[V9:.*]] = linalg.matmul ", text)
            self.assertNotIn("loc(", text)
            self.assertIn("pass.mlir: passed\n", self.check("lit", out))
            out.unlink()
        for number, message in (("0", "expected a pass from 1 to 26, got '0'"), ("27", "expected a pass from 1 to 26, got '27'"),
                                ("1", "pass 1 (torch-match-quantized-custom-ops) changed nothing, so that a test could not fail")):
            self.refuses(*trace, "--pass", number, "--export-test", out, code=2, message=f"option '--pass': {message}")
        for alone in (("--pass", "1"), ("--export-test", out)):
            self.refuses(*trace, *alone, code=2, message="--export-test and --pass require each other")
        self.assertFalse(out.exists())

    @needs_llvm
    @needs_engine
    def test_exported_tests_have_only_what_the_pass_changes(self):
        module, out = self.work / "m.mlir", self.work / "reduced.mlir"
        module.write_text("""func.func @other(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%a: tensor<4xf32>, %i: i32) -> (tensor<4xf32>, i32, i32) {
  %zero = arith.constant 0 : i32
  %0 = math.sqrt %a : tensor<4xf32>
  %1 = arith.muli %i, %i : i32
  %2 = arith.addi %1, %zero : i32
  %3 = arith.muli %2, %i : i32
  %4 = arith.addi %3, %zero : i32
  return %0, %2, %4 : tensor<4xf32>, i32, i32
}
""")
        self.exports(out, "reduced from 7 operations to 2", "lower", module, "--pass-pipeline", "builtin.module(canonicalize)", "--tool", "mlir-opt-22")
        self.assertEqual(out.read_text(), """// RUN: mlir-opt '--pass-pipeline=builtin.module(canonicalize)' %s | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME:   %[[ARG0:[A-Za-z0-9_$.-]+]]: i32) -> i32 {
// CHECK: return %[[ARG0]] : i32
// CHECK: }

module {
  func.func @main(%arg0: i32) -> i32 {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.addi %arg0, %c0_i32 : i32
    return %0 : i32
  }
}

""")
        self.assertIn("reduced.mlir: passed\n", self.check("lit", out))

    @needs_llvm
    @needs_engine
    def test_pipelines_are_exported_as_tests(self):
        out = self.work / "pipeline.mlir"
        lower = ("lower", SAMPLES / "addmm.pt2", "--to", "linalg-on-tensors")
        pipeline = "builtin.module(one-shot-bufferize{bufferize-function-boundaries})"
        self.exports(out, "not reduced: no operation can be left out", *lower, "--pass-pipeline", pipeline, "--tool", "mlir-opt-22")
        self.assertTrue(out.read_text().startswith(f"// RUN: mlir-opt '--pass-pipeline={pipeline}' %s | FileCheck %s\n"))
        self.assertIn("pipeline.mlir: passed\n", self.check("lit", out))
        out.unlink()
        lower += ("--export-test", out)
        self.refuses(*lower, "--pass-pipeline", "builtin.module(cse)", code=2,
                     message="the test passes without 'builtin.module(cse)' too, since CHECK lines name only what it leaves; it is not written")
        self.refuses(*lower, code=2, message="--export-test requires --pass-pipeline or --from")
        self.assertFalse(out.exists())

    def test_inputs(self):
        self.assertTrue(self.check("lit", "-", stdin=b"// RUN: no %s\n").startswith("-: not run\n"))
        self.refuses("lit", "-", self.lit(), code=2, message="'-', standard input, is one FILE and no other")
        self.refuses("lit", self.work / "none", code=3, message=f"{self.work}/none: no such file")
        self.refuses("lit", self.lit(), "--line", "x", code=2, message="option '--line': expected the number of a line of one FILE")
        self.refuses("lit", self.lit(), "--line", "1", code=2, message=f"{self.work}/a.mlir: line 1 has no RUN line")


if __name__ == "__main__":
    unittest.main()
