# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every source stands as clang-format writes it: check_formatting.py CLANG_FORMAT SOURCE_DIR"""
import pathlib
import subprocess
import sys

clang_format, root = sys.argv[1], pathlib.Path(sys.argv[2])
files = sorted(str(path.relative_to(root)) for folder in ("core", "ui", "app", "tests") for path in (root / folder).rglob("*")
               if path.suffix in (".h", ".cpp"))
assert files, f"no sources below {root}"
run = subprocess.run([clang_format, "--dry-run", "--Werror", *files], cwd=root, stderr=subprocess.PIPE, text=True)
unformatted = sorted({line.split(":")[0] for line in run.stderr.splitlines() if "-Wclang-format-violations" in line})
if run.returncode != 0 and not unformatted:
    sys.exit(run.stderr)
if unformatted:
    sys.exit(f"{len(unformatted)} of {len(files)} sources are not formatted; run\n  {pathlib.Path(clang_format).name} -i {' '.join(unformatted)}")
print(f"{len(files)} sources are formatted")
