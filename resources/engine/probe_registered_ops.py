"""Writes registered_ops.txt: the torch-dialect operations that an engine registers.

    probe_registered_ops.py ENGINE > registered_ops.txt

No flag of the engine lists its operations. Candidates are the operation-like names among the strings of the executable; each is then
written as an operation of its own chunk, and the parser says which it does not know.
"""
import re
import subprocess
import sys

engine = sys.argv[1]
with open(engine, "rb") as executable:
    found = re.findall(rb"(?<![\w.])torch\.[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*(?=\0)", executable.read())
candidates = sorted({name.decode() for name in found})
chunks = "\n// -----\n".join(f'"{name}"() : () -> ()' for name in candidates)
run = subprocess.run([engine, "-split-input-file", "--mlir-disable-diagnostic-notes"], input=chunks, text=True, capture_output=True)
unknown = set(re.findall(r"unregistered operation '([\w.]+)'", run.stderr))
sys.stdout.write("".join(name + "\n" for name in candidates if name not in unknown))
print(f"{len(candidates) - len(unknown)} of {len(candidates)} names are registered", file=sys.stderr)
