# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares `fxscope-cli lit` with a shell: each RUN line that it runs is read by lit's own Python, as lit would, and run by bash.

Compared are whether the line passes, and of each program that it runs: the arguments, the bytes that it reads and writes, and its exit code.
Programs are recorded on both sides by scripts that stand in for them; `fxscope-cli lit` runs them once more in the cage, without scripts.
A RUN line that is not run although it only needs programs that are named here is listed; more than 2 % of them fail the comparison.

    lit_matches_shell.py --cli FXSCOPE_CLI [--tool NAME=PATH]... [--sample N] FOLDER|FILE ...

For instance with a checkout of LLVM 22, of which 120 tests are drawn:

    lit_matches_shell.py --cli FXSCOPE_CLI --sample 120 mlir/test/Dialect mlir/test/Conversion mlir/test/Transforms
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
LLVM = pathlib.Path("/usr/lib/llvm-22")
EXPLAIN_OPTIONS = ["-vv", "--dump-input=never"]  # kExplainOptions of core/lit/matches.h
KNOWN_TO_SHELL = {"not", "env", "!"}
TIMEOUT = 120

RECORDER = """#!{python} -ISB
import json, os, subprocess, sys, tempfile
given = sys.stdin.buffer.read()
one, two = os.fstat(1), os.fstat(2)
joined = (one.st_dev, one.st_ino) == (two.st_dev, two.st_ino)
done = subprocess.run([{program!r}, *sys.argv[1:]], input=given, stdout=None if joined else subprocess.PIPE)
if not joined:
    sys.stdout.buffer.write(done.stdout)
    sys.stdout.flush()
record = {{"argv": [{name!r}, *sys.argv[1:]], "stdin": given.decode("latin-1"), "stdout": None if joined else done.stdout.decode("latin-1"), "status": done.returncode}}
handle, path = tempfile.mkstemp(dir={folder!r})
with os.fdopen(handle, "w") as file:
    json.dump(record, file)
sys.exit(done.returncode if done.returncode >= 0 else 128 - done.returncode)
"""


class Recorders:
    """Scripts by the names of programs, which note what they ran."""

    def __init__(self, folder, tools):
        self.folder, self.records = folder, folder / "records"
        self.records.mkdir(parents=True)
        self.paths = {}
        for name, program in tools.items():
            path = self.paths[name] = folder / name
            path.write_text(RECORDER.format(python=sys.executable, name=name, program=program, folder=str(self.records)))
            path.chmod(0o755)

    def take(self):
        out = []
        for path in self.records.iterdir():
            record = json.loads(path.read_text())
            if record["argv"][0] == "FileCheck":
                record["argv"] = [word for word in record["argv"] if word not in EXPLAIN_OPTIONS]
            out.append(record)
            path.unlink()
        return sorted(out, key=lambda record: json.dumps(record, sort_keys=True))


def lit_files(roots, sample):
    """The tests in folders and files, or as many of them as `sample` says, always the same."""
    tests = sorted(path.resolve() for root in roots for path in ([root] if root.is_file() else root.rglob("*.mlir")))
    return sorted(random.Random(22).sample(tests, min(sample, len(tests)))) if sample else tests


def lines_of(test, name):
    """The RUN lines as lit would give them to a shell, by the lines of the file in which they begin; None if lit does not understand the test."""
    import lit.TestRunner as runner
    folder = str(test.parent)
    substitutions = [(r"%s(?=\.\w)", str(test)), ("%{pathsep}", ":"), ("%basename_t", name), ("%{s:basename}", name), ("%{t:stem}", name),
                     ("%{fs-src-root}", "/"), ("%{fs-tmp-root}", "/"), ("%{fs-sep}", "/"), ("%shlibext", ".so")]
    for letter, path in (("s", name), ("S", folder), ("p", folder), ("t", name + ".tmp")):
        substitutions += [("%" + letter, path), ("%/" + letter, path)]
    try:
        script = runner._parseKeywords(str(test), require_script=False)["RUN:"]
        commands = runner.applySubstitutions(script, substitutions, recursion_limit=20)
    except (ValueError, UnicodeDecodeError):
        return None
    runs = [each for each in script if isinstance(each, runner.CommandDirective)]
    return {run.start_line_number: re.sub(r"^%dbg\(.*?\) ?", "", command) for run, command in zip(runs, commands)}


def programs_of(line):
    """The programs that a line of a shell names, or None if it has more than pipelines of them."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=";|&<>")
    lexer.whitespace_split = True
    lexer.commenters = ""
    out, begins = set(), True
    try:
        for token in lexer:
            if token in ("|", "&&"):
                begins = True
            elif set(token) <= set(";|&") or token.startswith("<<"):
                return None
            elif begins and not re.match(r"--crash$|\w+=", token):
                out.add(token)
                begins = token in KNOWN_TO_SHELL
    except ValueError:
        return None
    return out - KNOWN_TO_SHELL


class Comparison:
    def __init__(self, cli, tools, work):
        self.cli, self.tools, self.work = cli, tools, work
        self.plain, self.caged = Recorders(work / "plain", tools), Recorders(work / "caged", tools)
        (work / "plain" / "not").symlink_to(LLVM / "bin/not")
        self.counts = collections.Counter()
        self.left, self.differences = [], []

    def fxscope(self, test, tools):
        """The RUN lines of a test as `fxscope-cli lit` reports them."""
        options = [word for name, path in tools.items() for word in ("--tool", f"{name}={path}")]
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.work), "XDG_CACHE_HOME": str(self.work / "cache"), "LC_ALL": "C.UTF-8",
                       "FXSCOPE_CAGE_READ": str(self.work), "FXSCOPE_CAGE_WRITE": str(self.work)}
        done = subprocess.run([self.cli, "lit", test, "--json", *options], stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=900)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"exit code {done.returncode}: {done.stderr.decode()}")
        return json.loads(done.stdout)["tests"][0]["runs"]

    def shell(self, line, folder):
        environment = {"PATH": f"{self.work / 'plain'}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": str(self.work)}
        done = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=TIMEOUT)
        return done.returncode == 0

    def check(self, test):
        runs = self.fxscope(test, self.tools)
        name = test.name if re.fullmatch(r"\w[\w.+-]*", test.name, re.ASCII) else "input.mlir"
        lines = lines_of(test, name)
        if lines is None:
            self.counts["tests that lit does not understand"] += 1
            return
        if sorted(lines) != [run["line"] for run in runs]:
            self.differences.append(f"{test}: RUN lines begin at {sorted(lines)} for lit, at {[run['line'] for run in runs]} here")
            return
        self.counts["tests"] += 1
        passed = [self.count(test, run, lines[run["line"]]) for run in runs]
        recorded = self.recorded(test, name, lines, passed)
        if not any(each is not None for each in passed):
            return
        caged = self.fxscope(test, self.caged.paths)
        self.counts["passed in the shell"] += passed.count(True)
        self.compare(test, runs, caged, passed)
        difference = self.compare_records(test, runs, recorded, self.caged.take())
        if difference and any(self.recorded(test, name, lines, list(passed)) != recorded for _ in range(5)):
            self.counts["tests whose programs say something else each time"] += 1
        elif difference:
            self.differences.append(difference)

    def recorded(self, test, name, lines, outcomes):
        """What the shell runs for the lines to compare, in order of the file; sets whether they pass."""
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            shutil.copy(test, pathlib.Path(folder) / name)
            for index, line in enumerate(sorted(lines)):
                if outcomes[index] is not None:
                    outcomes[index] = self.shell(lines[line], folder)
        return self.plain.take()

    def count(self, test, run, line):
        """Whether the line is to be compared: True, or None."""
        self.counts["RUN lines"] += 1
        programs = programs_of(line)
        is_known = bool(programs) and programs <= set(self.tools)  # lit runs nothing for `%if FEATURE %{ .. %}`
        self.counts["of programs that are named"] += is_known
        if run["outcome"] == "not run":
            if is_known:
                self.left.append(f"{test}:{run['line']}: {run['message']}")
            else:
                self.counts["not run: " + re.sub(r"^the RUN: line |; it is not run$", "", run["message"])] += 1
            return None
        self.counts["run"] += 1
        return True

    def compare(self, test, runs, caged, passed):
        for run, other, expected in zip(runs, caged, passed):
            if expected is None:
                continue
            outcome = "passed" if expected else "failed"
            for where, each in (("in the cage", run), ("recorded", other)):
                if each["outcome"] != outcome:
                    said = [command["message"] or command["stderr"] for command in each["commands"] if not command["as_expected"]]
                    self.differences.append(f"{test}:{run['line']}: {outcome} in the shell, {each['outcome']} {where}: {said}")

    def compare_records(self, test, runs, plain, caged):
        """What differs, or ""."""
        self.counts["programs recorded"] += len(plain)
        for theirs, ours in zip(plain, caged):
            for key in ("argv", "stdin", "stdout", "status"):
                if theirs[key] != ours[key]:
                    return f"{test}: {key} of {theirs['argv']}: {str(theirs[key])[:400]!r} in the shell, {str(ours[key])[:400]!r} here"
        if len(plain) != len(caged):
            return f"{test}: {len(plain)} programs ran in the shell, {len(caged)} here"
        verdicts = sorted((record["argv"][1:], record["status"]) for record in plain if record["argv"][0] == "FileCheck")
        here = sorted(([word for word in command["argv"][1:] if word not in EXPLAIN_OPTIONS], command["exit_code"]) for run in runs
                      for command in run["commands"] if command["ran"] and pathlib.Path(command["argv"][0]).name.startswith("FileCheck"))
        return f"{test}: FileCheck ended with {verdicts} in the shell, with {here} here" if verdicts != here else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--tool", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("tests", nargs="+", type=pathlib.Path)
    given = parser.parse_args()
    if not ((LLVM / "utils/lit").is_dir() and (LLVM / "bin/mlir-opt").exists()):
        print("skipped: lit, FileCheck and mlir-opt of LLVM 22 (llvm-22-tools, mlir-22-tools) are not installed")
        return SKIPPED
    sys.path.insert(0, str(LLVM / "utils/lit"))
    tools = {"mlir-opt": "/usr/bin/mlir-opt-22", "FileCheck": "/usr/bin/FileCheck-22", **dict(each.split("=", 1) for each in given.tool)}
    tests = lit_files(given.tests, given.sample)
    with tempfile.TemporaryDirectory(prefix="lit-matches-shell-") as work:
        comparison = Comparison(given.cli, tools, pathlib.Path(work))
        for test in tests:
            try:
                comparison.check(test)
            except (RuntimeError, subprocess.TimeoutExpired, ValueError) as error:
                comparison.differences.append(f"{test}: {error}")
    for what, number in comparison.counts.items():
        print(f"{number:6} {what}")
    for each in comparison.left:
        print("left:", each)
    for each in comparison.differences:
        print("differs:", each)
    known = comparison.counts["of programs that are named"]
    print(f"{len(tests)} tests, {known} RUN lines of programs that are named, {len(comparison.left)} left, {len(comparison.differences)} differences")
    return 1 if comparison.differences or not known or len(comparison.left) > known * 0.02 else 0


if __name__ == "__main__":
    sys.exit(main())
