# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails for what a run of ctest left out, unless a line of allowed_skips.txt names the reason: python3 check_skips.py TESTS.xml

TESTS.xml is what `ctest --output-junit` writes with the whole output of tests that pass. Tests are left out by ctest (exit code 77, GTEST_SKIP),
within one program of GoogleTest, or by unittest. Prints nothing where nothing is wrong, so that ctest has the last word.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

ALLOWED = pathlib.Path(__file__).with_name("allowed_skips.txt")
GTEST = re.compile(r"^\[ RUN      \] (\S+)\n((?:(?!\[ RUN).*\n)*?)\[  SKIPPED \]", re.M)
UNITTEST = re.compile(r"^(\w+ \([\w.]+\))(?:\n.*)? \.\.\. skipped (['\"].*)$", re.M)
UNITTEST_COUNT = re.compile(r"^OK \((?:.*, )?skipped=(\d+)", re.M)


def left_out(case):
    """(name, reason) of what one test left out."""
    name, output = case.get("name"), case.findtext("system-out") or ""
    by_unittest = [(f"{name}: {inner}", reason) for inner, reason in UNITTEST.findall(output)]
    if count := UNITTEST_COUNT.search(output):
        by_unittest += [(name, "the reason is not printed")] * (int(count[1]) - len(by_unittest))
    if by_unittest:
        return by_unittest
    inner = [(found if found in name else f"{name}: {found}", " ".join(text.split())) for found, text in GTEST.findall(output)]
    if inner or case.get("status") in ("run", "fail"):
        return inner
    return [(name, " ".join(output.split()) or case.get("status") or "not run")]


def main():
    rows = [line.split(" | ") for line in ALLOWED.read_text().splitlines() if line and not line.startswith("#")]
    skips = [skip for case in ElementTree.parse(sys.argv[1]).iter("testcase") for skip in left_out(case)]
    bad = [(name, reason) for name, reason in skips if not any(re.search(row[0], f"{name}: {reason}") for row in rows)]
    for name, reason in bad:
        print(f"{name} was skipped: {reason[-300:]}")
    if bad:
        print(f"{len(bad)} of {len(skips)} skipped tests are not allowed to be: see tests/support/{ALLOWED.name}")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
