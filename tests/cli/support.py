# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the command line share. They are told where the program is by FXSCOPE_CLI and where the sources are by
FXSCOPE_SOURCE; FXSCOPE_ENGINE may name an engine. No network, no home: caches go to a directory of the test's own."""
import atexit
import json
import os
import pathlib
import resource
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

import json_schema

CLI = os.environ["FXSCOPE_CLI"]
SOURCE = pathlib.Path(os.environ["FXSCOPE_SOURCE"])
SAMPLES = SOURCE / "samples"
ENGINE = os.environ.get("FXSCOPE_ENGINE") or str(SOURCE / ".cache/engine/torch-mlir-opt")
HAS_ENGINE = os.access(ENGINE, os.X_OK)
# Under a sanitizer, whose options the test presets set.
SANITIZER_OPTIONS = {name: os.environ[name] for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS") if name in os.environ}
# Tests that take a sample of their cases take all of them.
ALL = "--all" in sys.argv and not sys.argv.remove("--all")
needs_engine = unittest.skipUnless(HAS_ENGINE, "no engine here: FXSCOPE_ENGINE names none and ./run has installed none")

# That the executors' 340 MB are the pinned ones is verified once by a program of tests: each test begins with it in its cache, where it holds
# as long as the files do not change.
VERIFIED = tempfile.TemporaryDirectory(prefix="fxscope-cli-verified-")
atexit.register(VERIFIED.cleanup)

OUTPUT_TYPES = [each["id"] for each in json.loads((SOURCE / "resources/output_types.json").read_text())["types"]]


def listed(last, *more):
    """The output types as messages list them: "raw, torch or tosa" for `last` "or"."""
    names = [*OUTPUT_TYPES, *more]
    return ", ".join(names[:-1]) + f" {last} {names[-1]}"


FAKE_PROBE = """#!/bin/sh
case "$1" in
--version) echo '  LLVM version 99.0.0fake'; exit 0 ;;
--help) for p in torch-match-quantized-custom-ops torchdynamo-export-to-torch-backend-pipeline torch-backend-to-linalg-on-tensors-backend-pipeline \\
    torch-backend-to-tosa-backend-pipeline torch-backend-to-stablehlo-backend-pipeline; do echo "      --$p   -   x"; done; exit 0 ;;
esac
case "$*" in *--split-input-file*) echo "x:1:1: error: unregistered operation 'torch.fxscope.no_such_operation' found" >&2; exit 1 ;; esac
"""


def limit_memory(limit):
    """Bytes of address space, for a child process; a sanitizer reserves terabytes of it."""
    if not SANITIZER_OPTIONS:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


class CliTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="fxscope-cli-")
        self.addCleanup(self.directory.cleanup)
        self.work = pathlib.Path(self.directory.name)
        self.copy_if_there(VERIFIED.name, self.work / "cache/fxscope/verified")
        self.addCleanup(self.copy_if_there, self.work / "cache/fxscope/verified", VERIFIED.name)

    @staticmethod
    def copy_if_there(source, destination):
        if os.path.isdir(source) and os.listdir(source):
            shutil.copytree(source, destination, dirs_exist_ok=True)

    def environment(self, engine):
        env = {**SANITIZER_OPTIONS, "PATH": os.environ["PATH"], "HOME": str(self.work), "XDG_CACHE_HOME": str(self.work / "cache"),
               "XDG_DATA_HOME": str(self.work / "data"), "LC_ALL": "C.UTF-8",
               # Engines of the tests note in the test's directory what they were asked.
               "FXSCOPE_CAGE_WRITE": str(self.work)}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                env[name] = os.environ[name]
        if engine is not None:
            env["FXSCOPE_ENGINE"] = str(engine)
        return env

    def run_cli(self, *args, engine=ENGINE, stdin=b"", timeout=300, program=CLI):
        """(exit code, stdout, stderr) as text."""
        done = subprocess.run([program, *map(str, args)], input=stdin, capture_output=True, env=self.environment(engine), timeout=timeout)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def check(self, *args, code=0, **kw):
        """stdout of a run that must end with `code` and say nothing on stderr when that is 0."""
        status, out, err = self.run_cli(*args, **kw)
        self.assertEqual(status, code, f"{args}\n{out}\n{err}")
        if code == 0:
            self.assertEqual(err, "")
        return out

    def refuses(self, *args, code, message, **kw):
        status, out, err = self.run_cli(*args, **kw)
        self.assertEqual((status, out, err), (code, "", f"fxscope-cli: {message}\n"), args)

    def check_json(self, schema, text):
        value = json.loads(text)
        self.assertEqual(list(json_schema.errors(value, json.loads((SOURCE / f"resources/schemas/{schema}.schema.json").read_text()))), [])
        return value

    def fake_engine(self, body):
        """An engine as far as probing goes; `body` runs with the module on standard input."""
        path = self.work / "fake-engine"
        path.write_text(FAKE_PROBE + body + "\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def running(self, pid):
        try:
            state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            return False
        return state not in "ZX"
