# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m fxscope.ci: the check of a repository's exported programs, as CI systems run it.

    python -m fxscope.ci --models models --to tosa --against models/sweep.jsonl    every program below models
    python -m fxscope.ci --to tosa models/a.pt2 models/b.pt2                       these, as pre-commit passes them

It sweeps, and writes to --out what code hosts and CI systems read: results.jsonl, fxscope.sarif, fxscope.xml (JUnit), code-quality.json (GitLab),
summary.md and report.html. A stored sweep is where it starts: a program whose file, engine and options are the same is not lowered again.
Exits 0 if all is well, 1 if it is not, 4 if that is not known, 2 and 3 if it cannot run."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

from .programs import Error, cli

WELL, WRONG, USAGE, UNKNOWN = 0, 1, 2, 4
SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(cli()), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace")


def checked(done: subprocess.CompletedProcess[str], *expected: int) -> subprocess.CompletedProcess[str]:
    if done.returncode not in expected:
        raise Error(done.stderr.strip().removeprefix("fxscope-cli: ") or f"fxscope-cli ended with {done.returncode}", done.returncode)
    return done


def swept(paths: Sequence[str], options: Sequence[str], results: pathlib.Path, before: pathlib.Path | None) -> int:
    """Writes the lines; the exit code of the sweep."""
    results.parent.mkdir(parents=True, exist_ok=True)
    results.unlink(missing_ok=True)
    if before:
        shutil.copyfile(before, results)
        done = run("sweep", *paths, *options, "--resume", "-o", results)
        if done.returncode != USAGE:
            return checked(done, WELL, WRONG, UNKNOWN).returncode
        results.unlink()  # of other options: nothing of it can be kept
    return checked(run("sweep", *paths, *options, "-o", results), WELL, WRONG, UNKNOWN).returncode


def code_quality(sarif: dict[str, Any]) -> list[dict[str, Any]]:
    """The results of a SARIF log in the form of GitLab's code quality reports."""
    out: list[dict[str, Any]] = []
    seen: dict[str, int] = {}
    for result in sarif["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        path, line = place["artifactLocation"]["uri"], place.get("region", {}).get("startLine", 1)
        message = result["message"]["text"]
        key = json.dumps([result["ruleId"], path, line, message])
        seen[key] = seen.get(key, 0) + 1
        out.append({"description": message, "check_name": result["ruleId"], "severity": SEVERITIES.get(result.get("level", "warning"), "info"),
                    "fingerprint": hashlib.sha256(f"{key} {seen[key]}".encode()).hexdigest(), "location": {"path": path, "lines": {"begin": line}}})
    return out


def reported(out: pathlib.Path, folder: str, before: pathlib.Path | None) -> int:
    """Writes the reports, and prints that for people; the exit code of the comparison."""
    results = out / "results.jsonl"
    against = ["--against", before] if before else []
    compared = checked(run("sweep", "report", results, *against), WELL, WRONG, UNKNOWN)
    for form, name in (("junit", "fxscope.xml"), ("markdown", "summary.md"), ("html", "report.html")):
        checked(run("sweep", "report", results, *against, "--format", form, "-o", out / name), WELL, WRONG, UNKNOWN)
    sarif = out / "fxscope.sarif"
    checked(run("sweep", "report", results, "--format", "sarif", "--folder", folder, "-o", sarif), WELL)
    quality = code_quality(json.loads(sarif.read_text(encoding="utf-8")))
    (out / "code-quality.json").write_text(json.dumps(quality, indent=1) + "\n", encoding="utf-8")
    print(compared.stdout, end="")
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with open(summary, "a", encoding="utf-8") as file:
            file.write((out / "summary.md").read_text(encoding="utf-8"))
    return compared.returncode


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fxscope.ci", description="Lowers a repository's exported programs, and reports what does not lower.")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="check only these (default: every program below --models)")
    parser.add_argument("--models", default="models", metavar="DIR", help="folder of exported programs, from the root of the repository (default: models)")
    parser.add_argument("--to", default="linalg-on-tensors", metavar="TYPE,..", help="output types (default: linalg-on-tensors)")
    parser.add_argument("--against", type=pathlib.Path, metavar="BEFORE.jsonl", help="a stored results.jsonl, to compare with")
    parser.add_argument("--fail-on", choices=["lost", "failed", "nothing"],
                        help="exit 1 if a program lowered in BEFORE.jsonl and does not now (default with --against), if one does not lower, or never")
    parser.add_argument("--experiments", action="store_true", help="try fixes for what blocks; takes longer")
    parser.add_argument("--out", type=pathlib.Path, metavar="DIR", help="folder of the reports (default: fxscope-report; with PROGRAM, none are kept)")
    return parser.parse_args(arguments)


def check(arguments: argparse.Namespace, out: pathlib.Path) -> int:
    options = ["--to", arguments.to, *([] if arguments.experiments else ["--no-experiments"])]
    before = None if arguments.programs else arguments.against
    if before and not before.is_file():
        print(f"fxscope: {before} does not exist, so there is nothing to compare with; store {out / 'results.jsonl'} there", file=sys.stderr)
        before = None
    fail_on = arguments.fail_on or ("lost" if arguments.against and not arguments.programs else "failed")
    if fail_on == "lost" and not before:
        fail_on = "nothing"
    outcome = swept(arguments.programs or [arguments.models], options, out / "results.jsonl", before)
    drift = reported(out, "." if arguments.programs else arguments.models, before)
    return {"lost": drift, "failed": outcome, "nothing": WELL}[fail_on]


def main(arguments: Sequence[str] | None = None) -> int:
    chosen = parsed(arguments)
    try:
        if chosen.out or not chosen.programs:
            return check(chosen, chosen.out or pathlib.Path("fxscope-report"))
        with tempfile.TemporaryDirectory(prefix="fxscope-") as folder:
            return check(chosen, pathlib.Path(folder))
    except Error as error:
        print(f"fxscope: {error}", file=sys.stderr)
        return error.code


if __name__ == "__main__":
    sys.exit(main())
