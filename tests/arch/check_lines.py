# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every source names its license in its first two lines, and the product's lines have at most 100 columns: check_lines.py SOURCE_DIR"""
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
LICENSE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
COLUMNS = 100


def sources(*folders):
    for folder in folders:
        yield from (path for path in sorted((root / folder).rglob("*")) if path.suffix in (".h", ".cpp") or path.name == "CMakeLists.txt")


bad, seen = [], 0
for path in sources("core", "ui", "app", "tests", "cmake"):
    lines = path.read_text(encoding="utf-8").splitlines()
    seen += 1
    if not any(LICENSE in line for line in lines[:2]):
        bad.append(f"{path.relative_to(root)}: names no license")
    if path.suffix in (".h", ".cpp") and path.relative_to(root).parts[0] != "tests":
        bad += [f"{path.relative_to(root)}:{n}: {len(line)} columns" for n, line in enumerate(lines, 1) if len(line) > COLUMNS]
assert seen > 1000, f"{seen} sources below {root}"
sys.exit("\n".join(bad) if bad else 0)
