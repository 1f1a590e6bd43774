# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the files that CONTRIBUTING.md shows whole to a folder: recipes.py SOURCE OUT, run by CMake.

"This is all of `PATH`" (words between them are free) names the file of the next fenced block. "add one to `PATH`" names a file of the
repository that the block is added to. A file is only touched when its text changes.
"""
import pathlib
import re
import sys
import textwrap

source, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
page = (source / "CONTRIBUTING.md").read_text()
announced = re.compile(r"(This\s+is\s+all\s+of|add\s+one\s+to)\s+`([\w./-]+)`(?:(?!^#|```).)*?\n( *)```(\w+)\n(.*?)\n\3```\n", re.S | re.M)

files = {}
for how, path, _, _, text in announced.findall(page):
    text = textwrap.dedent(text) + "\n"
    new = how.startswith("This")
    if new and (source / path).exists():
        sys.exit(f"CONTRIBUTING.md: {path} exists; an example has a file of its own")
    files[path] = text if new else (source / path).read_text() + text
blocks = len(re.findall(r"^ *```(?:cpp|text|json)$", page, re.M))
if len(files) != blocks:
    sys.exit(f"CONTRIBUTING.md: {blocks} blocks of code, but {len(files)} say which file they are")

for old in out.rglob("*"):
    if old.is_file() and str(old.relative_to(out)) not in files:
        old.unlink()
for path, text in files.items():
    file = out / path
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists() or file.read_text() != text:
        file.write_text(text)
