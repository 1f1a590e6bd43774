# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run of ctest left out is seen, however it was left out: by ctest, within a program of GoogleTest, by unittest."""
import pathlib
import subprocess
import sys
import tempfile
import unittest
from xml.sax.saxutils import escape

CHECK = pathlib.Path(__file__).resolve().parents[1] / "support/check_skips.py"
IN_GTEST = "[ RUN      ] Cage.Files\nx.cpp:7: Skipped\n{}\n[  SKIPPED ] Cage.Files (0 ms)\n"
IN_UNITTEST = "test_x (__main__.Cage.test_x)\nWhat it holds. ... skipped '{}'\n\nOK (skipped=1)\n"


class Skips(unittest.TestCase):
    def said_of(self, status, output):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(f'<testsuite><testcase name="t" status="{status}"><system-out>{escape(output)}</system-out></testcase></testsuite>')
            file.flush()
            done = subprocess.run([sys.executable, "-B", CHECK, file.name], capture_output=True, text=True)
        return done.returncode, done.stdout

    def test_each_way_is_seen(self):
        for status, output in (("notrun", "there is no engine"), ("run", IN_GTEST.format("there is no engine")),
                               ("run", IN_UNITTEST.format("there is no engine"))):
            with self.subTest(output):
                code, said = self.said_of(status, output)
                self.assertEqual(code, 1)
                self.assertIn("there is no engine", said)
                self.assertIn("1 of 1", said)

    def test_a_count_without_reasons_counts(self):
        self.assertEqual(self.said_of("run", "OK (skipped=2)")[0], 1)

    def test_a_reason_that_is_allowed_passes(self):
        for status, output in (("notrun", "no zsh here"), ("run", IN_GTEST.format("no zsh here")), ("run", IN_UNITTEST.format("no zsh here"))):
            self.assertEqual(self.said_of(status, output), (0, ""))

    def test_what_ran_passes(self):
        for status in ("run", "fail"):
            self.assertEqual(self.said_of(status, "[       OK ] Cage.Files (0 ms)\nOK"), (0, ""))


if __name__ == "__main__":
    unittest.main()
