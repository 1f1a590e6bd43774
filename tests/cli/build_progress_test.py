# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far a build is: on a terminal one line that is overwritten, elsewhere a line now and then."""
import os
import pty
import subprocess
import unittest
from pathlib import Path

SETUP = Path(os.environ["FXSCOPE_SOURCE"]) / "resources" / "setup.sh"
NINJA = "building 1/3 Building CXX object a.o\nsomething else\nbuilding 2/3 Linking CXX executable b\n"


def progress(argument, **streams):
    return subprocess.Popen(["bash", "-c", f'. "$1"; build_progress {argument}', "bash", str(SETUP)], stdin=subprocess.PIPE, text=True, **streams)


class BuildProgress(unittest.TestCase):
    def test_without_a_terminal_each_interval_has_a_line(self):
        out, _ = progress("0", stdout=subprocess.PIPE).communicate(NINJA)
        self.assertEqual(out, "fxscope: building 1/3\nfxscope: building 2/3\n")

    def test_without_a_terminal_a_short_build_says_nothing(self):
        out, _ = progress("", stdout=subprocess.PIPE).communicate(NINJA)
        self.assertEqual(out, "")

    def test_on_a_terminal_one_line_is_overwritten_and_removed(self):
        ours, theirs = pty.openpty()
        progress("", stdout=theirs).communicate(NINJA)
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):  # one read may return a part
                shown += part
        except OSError:  # the end, on Linux
            pass
        self.assertEqual(shown.decode(),
                         "\r\x1b[Kbuilding 1/3 Building CXX object a.o\r\x1b[Kbuilding 2/3 Linking CXX executable b\r\x1b[K")
        os.close(ours)


if __name__ == "__main__":
    unittest.main()
