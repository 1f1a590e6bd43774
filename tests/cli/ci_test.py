# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""samples/ci: the steps of the GitHub action, the script of the GitLab job and the hook of pre-commit, run on a git repository with programs of
which one does not lower. Only pip is not the real one: it installs this module and this fxscope-cli."""
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import unittest
import xml.etree.ElementTree

import json_schema
from support import CLI, ENGINE, SAMPLES, SOURCE, CliTest, needs_engine

CI = SOURCE / "samples/ci"
# `python3 -m venv FOLDER` makes these; other calls go to the real Python.
VENV = """#!/bin/sh
if [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$FAKES"/venv/* "$3/bin"; exit; fi
PYTHONPATH={module} FXSCOPE_CLI={cli} exec {python} -B "$@"
"""
PIP = """#!/bin/sh
echo "pip $*" >> "$FAKES/log"
"""
COMMANDS = """#!/bin/sh
echo "fxscope-cli $*" >> "$FAKES/log"
[ "$1" = engine ] || exec {cli} "$@"
"""


def steps(action):
    """[(environment, script)] of the steps of shell: a block of YAML, of which the layout is ours."""
    out = []
    for step in re.split(r"^    - ", action.read_text(), flags=re.M)[1:]:
        script = re.search(r"^      run: \|\n((?:        .*\n?)+)", step, re.M)
        if script:
            out.append((dict(re.findall(r"^        (\w+): (.+)$", step[:script.start()], re.M)), textwrap.dedent(script[1])))
    return out


def inputs(action):
    """{name: default}"""
    text = action.read_text()
    found = re.findall(r"^  ([\w-]+):\n    description: .+\n    default: (.*)$", text[text.index("inputs:"):text.index("outputs:")], re.M)
    return {name: value.strip('"') for name, value in found}


def job(file):
    """(variables, lines of the script) of the job of GitLab."""
    text = file.read_text()
    variables = re.search(r"^  variables:\n((?:    .*\n)+)", text, re.M)[1]
    script = re.search(r"^  script:\n((?:    - .*\n)+)", text, re.M)[1]
    return ({name: re.sub(r" #.*", "", value).strip('"') for name, value in re.findall(r"^    (\w+): (.*)$", variables, re.M)},
            re.findall(r"^    - (.*)$", script, re.M))


@needs_engine
class Repository(CliTest):
    def setUp(self):
        super().setUp()
        self.fakes, self.repository, self.temporary = self.work / "fakes", self.work / "repository", self.work / "temporary"
        for folder in (self.fakes / "venv", self.repository / "models/deep", self.temporary):
            folder.mkdir(parents=True)
        real = {"module": SOURCE / "resources/python", "cli": CLI, "python": sys.executable}
        for name, text in (("python3", VENV), ("venv/python", VENV), ("venv/pip", PIP), ("venv/fxscope-cli", COMMANDS)):
            (self.fakes / name).write_text(text.format(**real))
            (self.fakes / name).chmod(0o755)
        for name, place in (("addmm", "deep"), ("tanh_gelu", "."), ("masked_attention", ".")):
            shutil.copy(SAMPLES / f"{name}.pt2", self.repository / "models" / place)
        shutil.copytree(SAMPLES, self.repository / "samples", ignore=lambda folder, names: [n for n in names if not n.endswith(".py")])
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("-c", "user.name=n", "-c", "user.email=e@x", "commit", "-qm", "models")

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.repository, check=True, capture_output=True)

    def shell(self, script, *, code=0, **variables):
        environment = {**self.environment(ENGINE), "PATH": f"{self.fakes}:/usr/bin:/bin", "FAKES": str(self.fakes), "RUNNER_TEMP": str(self.temporary),
                       "GITHUB_OUTPUT": str(self.work / "output"), "GITHUB_STEP_SUMMARY": str(self.work / "summary.md"), **variables}
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=self.repository, env=environment, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def action(self, code=0, **chosen):
        """Runs the steps of shell as GitHub does."""
        values = {"package": "tools/fxscope.whl", **inputs(CI / "action.yml"), **{name.replace("_", "-"): value for name, value in chosen.items()}}
        scripts = steps(CI / "action.yml")
        self.assertEqual(len(scripts), 2)
        for i, (variables, script) in enumerate(scripts):
            self.assertNotIn("${{", script)  # what a user gives is not part of a script
            given = {name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: values[match[1]], value) for name, value in variables.items()}
            done = self.shell(script, code=code if i == len(scripts) - 1 else 0, **given)
        return done

    def report(self, name):
        return (self.repository / "fxscope-report" / name).read_text()

    def test_the_action_reports_what_does_not_lower(self):
        self.action(to="tosa", code=1)
        self.assertEqual((self.fakes / "log").read_text().splitlines()[:2], ["pip install --quiet tools/fxscope.whl", "fxscope-cli engine fetch"])
        self.assertEqual((self.work / "output").read_text(), "report=fxscope-report\n")
        self.assertIn("| masked\\_attention.pt2 | tosa | failed |", (self.work / "summary.md").read_text())
        log = json.loads(self.report("fxscope.sarif"))
        self.assertEqual(list(json_schema.errors(log, json.loads((SOURCE / "tests/report/sarif-schema-2.1.0.json").read_text()))), [])
        at = [result["locations"][0]["physicalLocation"] for result in log["runs"][0]["results"]]
        self.assertEqual([(each["artifactLocation"]["uri"], each["region"]["startLine"]) for each in at], [("samples/masked_attention.py", 24)])
        for line in self.report("results.jsonl").splitlines():
            self.check_json("sweep", line)

    def test_only_losses_fail_against_a_stored_sweep(self):
        stored = self.repository / "models/sweep.jsonl"
        missing = self.action(to="tosa", against="models/sweep.jsonl")
        self.assertIn("models/sweep.jsonl does not exist, so there is nothing to compare with; store fxscope-report/results.jsonl there", missing.stderr)
        shutil.copy(self.repository / "fxscope-report/results.jsonl", stored)
        self.action(to="tosa", against="models/sweep.jsonl")
        self.assertEqual(self.report("results.jsonl"), stored.read_text())  # times, too: no program was lowered again
        self.action(to="tosa", against="models/sweep.jsonl", fail_on="failed", code=1)

        shutil.copy(SAMPLES / "masked_attention.pt2", self.repository / "models/deep/addmm.pt2")
        done = self.action(to="tosa", against="models/sweep.jsonl", code=1)
        self.assertRegex(done.stdout, r"lost +deep/addmm\.pt2 +tosa +ok before, failed now")
        lines = [[json.loads(line) for line in text.splitlines()] for text in (stored.read_text(), self.report("results.jsonl"))]
        kept = [line for line in lines[0] if line in lines[1]]
        self.assertEqual([line["program"] for line in kept], ["masked_attention.pt2", "tanh_gelu.pt2"])
        self.action(to="tosa", against="models/sweep.jsonl", fail_on="nothing")

    def test_a_stored_sweep_of_other_options_is_compared_and_not_continued(self):
        self.action(to="stablehlo", fail_on="nothing")
        shutil.copy(self.repository / "fxscope-report/results.jsonl", self.repository / "before.jsonl")
        done = self.action(to="tosa,stablehlo", against="before.jsonl")
        self.assertIn("only one of the sweeps has it", done.stdout)

    def test_the_job_of_gitlab_writes_what_gitlab_reads(self):
        variables, lines = job(CI / "fxscope.gitlab-ci.yml")
        self.assertEqual(len(lines), 5)
        variables = {name: value for name, value in variables.items() if name.startswith("FXSCOPE_")}
        script = "\n".join(lines).replace("/tmp/fxscope", str(self.temporary / "venv"))
        self.assertIn("set FXSCOPE_PACKAGE to the path", self.shell(script, code=2, **variables).stdout)
        self.shell(script, code=1, **{**variables, "FXSCOPE_PACKAGE": "tools/fxscope.whl", "FXSCOPE_TO": "tosa"})
        suites = xml.etree.ElementTree.fromstring(self.report("fxscope.xml"))
        self.assertEqual([(case.get("name"), [child.tag for child in case]) for case in suites.iter("testcase")],
                         [("deep/addmm.pt2", []), ("masked_attention.pt2", ["failure"]), ("tanh_gelu.pt2", [])])
        quality = json.loads(self.report("code-quality.json"))
        self.assertEqual([(each["check_name"], each["severity"], each["location"]) for each in quality],
                         [("no-pattern", "major", {"path": "samples/masked_attention.py", "lines": {"begin": 24}})])
        self.assertIn("aten.scaled_dot_product_attention", quality[0]["description"])
        self.assertRegex(quality[0]["fingerprint"], "^[0-9a-f]{64}$")
        for name in re.findall(r"fxscope-report/([\w.-]+)", (CI / "fxscope.gitlab-ci.yml").read_text()):
            self.assertTrue((self.repository / "fxscope-report" / name).is_file(), name)

    def test_the_hook_checks_the_programs_that_are_committed(self):
        hook = (SOURCE / ".pre-commit-hooks.yaml").read_text()
        entry, files = re.search(r"^  entry: (.*)$", hook, re.M)[1], re.search(r"^  files: (.*)$", hook, re.M)[1]
        committed = subprocess.run(["git", "ls-files"], cwd=self.repository, capture_output=True, text=True).stdout.split()
        chosen = [name for name in committed if re.search(files, name)]
        self.assertEqual(chosen, ["models/deep/addmm.pt2", "models/masked_attention.pt2", "models/tanh_gelu.pt2"])
        self.assertIn("masked_attention.pt2", self.shell(" ".join([entry, "--to", "tosa", *chosen]), code=1).stdout)
        self.shell(" ".join([entry, "--to", "tosa", chosen[0], chosen[2]]))
        self.assertFalse((self.repository / "fxscope-report").exists())

    def test_what_it_cannot_do_is_a_message(self):
        shutil.rmtree(self.repository / "models")
        for options, code, message in (({}, 3, "models: no such file or folder"), ({"to": "tosaa"}, 2, "unknown output type 'tosaa'; did you mean 'tosa'?")):
            if options:
                (self.repository / "models").mkdir()
                shutil.copy(SAMPLES / "addmm.pt2", self.repository / "models")
            with self.subTest(**options):
                self.assertIn(f"fxscope: {message}", self.action(code=code, **options).stderr)


if __name__ == "__main__":
    unittest.main()
