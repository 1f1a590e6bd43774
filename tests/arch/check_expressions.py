# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds that no conditional expression stands inside another one: a chain of them is a function with early returns."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
# What is no code: comments, and literals.
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)


def nested(text):
    """The lines of conditionals inside another one, also in parentheses; a body in braces begins anew."""
    text = NOT_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    open_here, around = 0, []  # conditionals of the innermost bracket, and of those around it
    for at, char in enumerate(text):
        if char in "([{":
            around.append((open_here, char))
            open_here = open_here if char != "{" else 0
        elif char in ")]}":
            open_here, _ = around.pop() if around else (0, "")
        elif char == ";":
            open_here = 0
        elif char == "," and around:
            outer, bracket = around[-1]
            open_here = outer if bracket != "{" else 0
        elif char == "?":
            if open_here:
                yield text.count("\n", 0, at) + 1
            open_here += 1


scanned, bad = 0, []
for folder in ("core", "ui", "app"):
    for path in sorted((root / folder).rglob("*")):
        if path.suffix in (".h", ".cpp"):
            scanned += 1
            bad += [f"{path.relative_to(root)}:{line}: a conditional inside a conditional" for line in nested(path.read_text())]

assert list(nested("int a = b ? 1 : c ? 2 : 3;")) and list(nested("f(b ? g(c ? 1 : 2) : 3);")) and not list(nested("f(b ? 1 : 2, c ? 1 : 2);"))
print("\n".join(bad) or f"{scanned} files, none")
sys.exit(bool(bad) or not scanned)
