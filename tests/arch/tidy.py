# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-tidy finds nothing in a target's sources: python3 tidy.py BUILD_DIRECTORY TARGET

The sources are checked as they are compiled, several in one translation unit, by .clang-tidy.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIAGNOSTIC = re.compile(r"^(.*?:\d+:\d+): (?:warning|error): (.* \[[\w.,-]+\])$", re.M)
# GCC's own options; compiling has warned before. What a unity source includes are sources, and the files of one that come first hide from
# clang-tidy that values are moved later.
ARGUMENTS = ["--quiet", "--extra-arg=-w", "--extra-arg=-Wno-unknown-warning-option", "--checks=-bugprone-suspicious-include,-performance-unnecessary-value-param",
             f"--config-file={ROOT}/.clang-tidy", rf"--header-filter=^{re.escape(str(ROOT))}/(core|ui|app)/"]


def units(build, target):
    """The translation units of a target, without those that only hold generated text."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        is_written = ROOT in file.parents and build not in file.parents
        if f"/{target}.dir/" in f"/{entry.get('output') or entry['command']}" and (is_written or "Unity" in file.parts):
            yield file


def main():
    build, target = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    files = sorted(units(build, target))
    assert files, f"{target} has no sources"
    found, failed = set(), []
    for file in files:
        done = subprocess.run(["clang-tidy-22", "-p", build, *ARGUMENTS, file], capture_output=True, text=True)
        found.update(DIAGNOSTIC.findall(done.stdout))
        if done.returncode != 0 and not DIAGNOSTIC.search(done.stdout):
            failed.append(f"{file}: {done.stderr[-500:]}")
    for place, message in sorted(found):
        print(f"{os.path.relpath(place, ROOT)}: {message}")
    print(*failed, sep="\n")
    sys.exit(1 if found or failed else 0)


if __name__ == "__main__":
    main()
