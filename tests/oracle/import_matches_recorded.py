# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports the recorded programs and compares each text with the one that equalled torch-mlir's when it was recorded.

    import_matches_recorded.py --cli build/bin/fxscope-cli

Needs neither PyTorch nor an engine. When the text changes on purpose, the live comparison records anew:
import_matches_torch_mlir.py --record.
"""
import argparse
import concurrent.futures
import difflib
import os
import pathlib
import subprocess
import sys
import tempfile

import recorded


def check(cli, folder, name, expected):
    program, mode, _ = name.rsplit(".", 2)
    run = subprocess.run([cli, "import", f"{folder}/{program}.pt2", "--mode", mode, "--weights"], capture_output=True, text=True)
    if run.stdout == expected:
        return None
    if not run.stdout:
        return f"{name}: exit {run.returncode}: {run.stderr.strip()}"
    diff = difflib.unified_diff(expected.splitlines(), run.stdout.splitlines(), "recorded", "imported", lineterm="", n=1)
    return f"{name}:\n" + "\n".join(list(diff)[:20])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    options = parser.parse_args()
    members = recorded.read()
    texts = [name for name in members if name.endswith(".mlir")]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, data in members.items():
            if name.endswith(".pt2"):
                pathlib.Path(folder, name).write_bytes(data)
        found = pool.map(lambda name: check(options.cli, folder, name, members[name].decode()), texts)
        failures = [failure for failure in found if failure]
    print("\n".join(failures[:20]))
    print(f"{len(texts) - len(failures)} of {len(texts)} recorded imports are the same")
    return bool(failures) or len(texts) < 500


if __name__ == "__main__":
    sys.exit(main())
