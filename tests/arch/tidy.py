# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-tidy finds nothing in the sources of targets: python3 tidy.py BUILD_DIRECTORY TARGET..

The sources are checked by .clang-tidy, as they are compiled, but all batches in one translation unit: most of the time goes into headers.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIAGNOSTIC = re.compile(r"^(.*?:\d+:\d+): (?:warning|error): (.* \[[\w.,-]+\])$", re.M)
# GCC's own options; compiling has warned before. What a unity source includes are sources, and the files of one that come first hide from
# clang-tidy that values are moved later.
ARGUMENTS = ["--quiet", "--extra-arg=-w", "--extra-arg=-Wno-unknown-warning-option", "--checks=-bugprone-suspicious-include,-performance-unnecessary-value-param",
             f"--config-file={ROOT}/.clang-tidy", rf"--header-filter=^{re.escape(str(ROOT))}/(core|ui|app)/"]
BATCH = re.compile(r"unity_\d+_cxx\.cxx")
WITH_VALUE = ("-isystem", "-include", "-I", "-D")


def units(build, targets):
    """(source, directory, command) of the translation units of targets, without those that only hold generated text."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        target = re.search(r"/([\w.-]+)\.dir/", f"/{entry.get('output') or entry['command']}")[1]
        is_written = ROOT in file.parents and build not in file.parents
        if target in targets and (is_written or "Unity" in file.parts):
            yield file, entry["directory"], entry["command"]


def options(command):
    """The standard, and where and with what definitions headers are found."""
    words = iter(shlex.split(command))
    for word in words:
        if word in WITH_VALUE:
            yield (word, next(words))
        elif word.startswith(("-I", "-D", "-std=")):
            yield (word,)


def diagnostics(arguments, **kw):
    """({(position, message)}, what kept clang-tidy from an answer)"""
    done = subprocess.run(["clang-tidy-22", *ARGUMENTS, *arguments], capture_output=True, text=True, **kw)
    found = set(DIAGNOSTIC.findall(done.stdout))
    return found, [f"{arguments}: {done.stderr[-500:]}"] if done.returncode != 0 and not found else []


def found_together(made):
    """What is found in the units as one; None if they do not compile as one."""
    with tempfile.TemporaryDirectory() as folder:
        together = pathlib.Path(folder) / "together.cpp"
        together.write_text("".join(f'#include "{file}"\n' for file, _, _ in made))
        flags = dict.fromkeys(option for _, _, command in made for option in options(command))
        found, failed = diagnostics([together, "--", *(word for option in flags for word in option)], cwd=made[0][1])
    return None if failed or any("[clang-diagnostic-error]" in message for _, message in found) else found


def found_apart(build, made):
    """What is found in each unit by itself, and what kept clang-tidy from an answer."""
    found, failed = set(), []
    for file, _, _ in made:
        more, reasons = diagnostics(["-p", build, file])
        found |= more
        failed += reasons
    return found, failed


def main():
    build, targets = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    made = sorted(units(build, targets))
    assert made, f"{targets} have no sources"
    # Groups of a unity build are apart because names in them are alike.
    batches = [unit for unit in made if "Unity" not in unit[0].parts or BATCH.fullmatch(unit[0].name)]
    together = found_together(batches) if len(batches) > 1 else None
    found, failed = found_apart(build, made if together is None else [unit for unit in made if unit not in batches])
    found |= together or set()
    for place, message in sorted(found):
        print(f"{os.path.relpath(place, ROOT)}: {message}")
    print(*failed, sep="\n")
    sys.exit(1 if found or failed else 0)


if __name__ == "__main__":
    main()
