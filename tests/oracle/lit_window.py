# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens lit tests in the window and runs their RUN lines on the page *Test*, one window a test, without a display.

Each window must end within the time, with exit code 0, without a word of Qt, and with a picture on which something is drawn.

    lit_window.py --window FXSCOPE [--sample N] [--seconds N] FOLDER|FILE ...
"""
import argparse
import collections
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

from lit_matches_shell import lit_files

ACTIONS = "show-test,run-test"
MIN_DISTINCT_LINES = 64  # of pixels; an empty window has a few
FAULT = re.compile(r"ASSERT|QPainter|Warning|QObject|QAbstract|Sanitizer|runtime error")


def distinct_lines(png):
    """How many lines of pixels of a PNG differ from each other."""
    at, data, height = 8, b"", 0
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        chunk = png[at + 8:at + 8 + length]
        if kind == b"IHDR":
            height = struct.unpack(">I", chunk[4:8])[0]
        elif kind == b"IDAT":
            data += chunk
        at += 12 + length
    pixels = zlib.decompress(data)
    width = len(pixels) // height
    return len({pixels[line * width:(line + 1) * width] for line in range(height)})


def fault_of(window, test, seconds, work):
    """What is wrong with the window of a test, or ""."""
    picture = work / "window.png"
    picture.unlink(missing_ok=True)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(work), "HOME": str(work), "LC_ALL": "C.UTF-8"}
    try:
        done = subprocess.run([window, "--screenshot", picture, "--size", "1280x800", "--do", ACTIONS, test], stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"no picture within {seconds} s"
    said = done.stderr.decode(errors="replace")
    if done.returncode != 0:
        return f"exit code {done.returncode}: {said.strip()[-400:]}"
    if FAULT.search(said):
        return said.strip()
    if not picture.is_file() or distinct_lines(picture.read_bytes()) < MIN_DISTINCT_LINES:
        return "the picture is empty"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--window", required=True)
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--seconds", type=int, default=60, metavar="N")
    parser.add_argument("tests", nargs="+", type=pathlib.Path)
    given = parser.parse_args()
    tests = lit_files(given.tests, given.sample)
    counts = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="lit-window-") as work:
        os.chmod(work, 0o700)
        for test in tests:
            fault = fault_of(given.window, test, given.seconds, pathlib.Path(work))
            counts["faults" if fault else "drawn"] += 1
            if fault:
                print(f"{test}: {fault}", flush=True)
    print(f"{len(tests)} tests, {counts['drawn']} drawn, {counts['faults']} faults")
    return 1 if counts["faults"] or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
