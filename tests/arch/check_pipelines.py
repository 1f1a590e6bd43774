# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pass pipelines and the flags of tools stand once, in resources/output_types.json: check_pipelines.py SOURCE_DIR

No source of the product lists passes that a pipeline of the table runs, has an argument that a tool of the table is called with, or an
argument that says how LLVM or IREE compile, in the table or not.
"""
import json
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
TABLE = root / "resources/output_types.json"
SOURCES = {".cpp", ".h", ".c", ".py"}
# Levels of optimization, the processor, floating point, IREE's options.
COMPILES = re.compile(r"-O[0-3s]|-[fm][a-z][a-z0-9-]+(=.*)?|-Xclang|--compile-(from|to)=.+|--iree-.*|builtin\.module\(.*,.*\)")
PRINTS_LOCATIONS = "--mlir-print-debuginfo"  # of every tool of MLIR


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from strings(each)


def passes_of(pipeline):
    return {name for name in re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)+(?=[,){])", pipeline)}


table = json.loads(TABLE.read_text())
every = list(strings(table))
passes = set().union(*(passes_of(text) for text in every if text.startswith("builtin.module(")))
flags = {text for text in every if re.match(r"--?[a-z].*-", text)} - {PRINTS_LOCATIONS}
assert len(passes) > 40 and len(flags) > 5, "the table is not read as it is written"

found = []
for folder in ("core", "app", "ui", "resources"):
    for path in sorted((root / folder).rglob("*")):
        if path.suffix not in SOURCES:
            continue
        text = path.read_text()
        for literal in re.finditer(r'"(?:[^"\\\n]|\\.)*"', text):
            named = [name for name in re.split(r"[,(){}]", literal[0].strip('"')) if name in passes]
            argument = literal[0].strip('"')
            has_flag = argument in flags or path.suffix != ".py" and COMPILES.fullmatch(argument) is not None
            if len(named) > 1 or has_flag:
                found.append(f"{path.relative_to(root)}:{text.count(chr(10), 0, literal.start()) + 1}: {literal[0][:100]}")
print("\n".join(found) or f"{len(passes)} passes and {len(flags)} flags stand in {TABLE.relative_to(root)} alone")
sys.exit(1 if found else 0)
