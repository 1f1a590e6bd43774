# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`sweep`: a line for every program and output type, whatever becomes of it; the report is the same however it was sharded, killed and
resumed."""
import json
import random
import shutil
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree
import zipfile

import json_schema
from support import ALL, CLI, ENGINE, SAMPLES, SOURCE, CliTest, needs_engine

TARGETS = "linalg-on-tensors,tosa,stablehlo"
# What a fake engine does with the RAW module; other runs pass the module on.
PASS_ON = "cat"


def lines_of(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


def outcome(line):
    return {key: value for key, value in line.items() if key not in ("seconds", "peak_memory")}


class Sweep(CliTest):
    def zoo(self, *names):
        folder = self.work / "zoo"
        for i, name in enumerate(names):
            place = folder / ("deep" if i % 2 else ".")
            place.mkdir(parents=True, exist_ok=True)
            shutil.copy(SAMPLES / f"{name}.pt2", place)
        return folder

    def sweep(self, *args, to=TARGETS, code=0, **kw):
        """(stdout, stderr)"""
        status, out, err = self.run_cli("sweep", *args, "--to", to, **kw)
        self.assertEqual(status, code, f"{args}\n{out}\n{err}")
        return out, err

    def report(self, *files, form="text", code=0, **kw):
        return self.check("sweep", "report", *files, "--format", form, code=code, **kw)

    def reports(self, *files):
        return {form: self.report(*files, form=form) for form in ("text", "markdown", "json", "html", "sarif", "junit")}


@needs_engine
class Samples(Sweep):
    def test_samples_in_shards_killed_and_resumed_give_one_report(self):
        once = self.work / "once.jsonl"
        out, err = self.sweep(SAMPLES, "--no-experiments", "-o", once, code=1)
        programs = sorted(path.relative_to(SAMPLES).as_posix() for path in (*SAMPLES.glob("*.pt2"), *SAMPLES.rglob("*.mlir"), *SAMPLES.glob("kernels/*.json")))
        self.assertEqual([line["program"] for line in lines_of(once)], [name for name in programs for _ in range(3)])
        for line in once.read_text().splitlines():
            self.check_json("sweep", line)
        self.assertEqual(len(err.splitlines()), len(programs))
        self.assertIn(f"tosa: {sum(l['status'] == 'ok' for l in lines_of(once) if l['to'] == 'tosa')} of {len(programs)} programs lower\n", out)
        wanted = self.reports(once)
        self.check_json("sweep_report", wanted["json"])

        for shards in (3, 16) if ALL else (5,):
            files = []
            for i in range(1, shards + 1):
                files.append(self.work / f"{shards}-{i}.jsonl")
                status, _, err = self.run_cli("sweep", SAMPLES, "--no-experiments", "--to", TARGETS, "--shard", f"{i}/{shards}", "-o", files[-1])
                self.assertIn(status, (0, 1), err)
            together = sorted((outcome(line) for file in files for line in lines_of(file)), key=lambda l: (l["program"], l["to"]))
            self.assertEqual(together, sorted(map(outcome, lines_of(once)), key=lambda l: (l["program"], l["to"])))
            random.Random(shards).shuffle(files)
            self.assertEqual(self.reports(*files), wanted)

        killed = self.work / "killed.jsonl"
        dice = random.Random(7)
        for _ in range(4):
            child = subprocess.Popen([CLI, "sweep", SAMPLES, "--no-experiments", "--to", TARGETS, "--resume", "-o", killed],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment(ENGINE))
            time.sleep(dice.uniform(0.1, 1.0))
            child.send_signal(dice.choice([signal.SIGKILL, signal.SIGTERM]))
            child.wait()
            if killed.exists():
                killed.write_bytes(killed.read_bytes()[:-dice.randrange(1, 200)] if killed.stat().st_size > 400 else killed.read_bytes())
        self.sweep(SAMPLES, "--no-experiments", "--resume", "-o", killed, code=1)
        self.assertEqual(self.reports(killed), wanted)
        before = killed.read_bytes()
        _, err = self.sweep(SAMPLES, "--no-experiments", "--resume", "-o", killed, code=1)
        self.assertEqual((killed.read_bytes(), err), (before, ""))

    def test_lines_do_not_depend_on_how_busy_the_machine_is(self):
        zoo = self.zoo("custom_op", "merge_heads")
        quiet, loaded = self.work / "quiet.jsonl", self.work / "loaded.jsonl"
        self.sweep(zoo, "-o", quiet, code=1)
        busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2)]
        try:
            shutil.rmtree(self.work / "cache", ignore_errors=True)
            self.sweep(zoo, "-o", loaded, code=1)
        finally:
            for each in busy:
                each.kill()
                each.wait()
        self.assertEqual([outcome(line) for line in lines_of(loaded)], [outcome(line) for line in lines_of(quiet)])

    def test_a_blocker_names_its_verified_fix(self):
        file = self.work / "r.jsonl"
        self.sweep(SAMPLES / "masked_attention.pt2", "-o", file, to="tosa", code=1)
        line = lines_of(file)[0]
        self.assertEqual((line["program"], line["status"], line["complete"], line["fixed_lowers"]), ("masked_attention.pt2", "failed", True, True))
        self.assertEqual([(b["operator"], b["nodes"], b["fix"]["verified"]) for b in line["blockers"]],
                         [("aten.scaled_dot_product_attention.default", 2, "whole-lowers")])
        self.assertGreater(line["peak_memory"], 1 << 20)
        self.assertIn("aten.scaled_dot_product_attention.default", self.report(file))

    def test_an_unreadable_file_is_a_line(self):
        zoo = self.zoo("addmm", "tanh_gelu")
        (zoo / "broken.pt2").write_bytes((SAMPLES / "addmm.pt2").read_bytes()[:5000])
        (zoo / "empty.pt2").write_bytes(b"")
        (zoo / "notes.txt").write_text("not a program")
        file = self.work / "r.jsonl"
        self.sweep(zoo, "-o", file, to="tosa", code=1)
        lines = lines_of(file)
        self.assertEqual([(l["program"], l["status"]) for l in lines],
                         [("addmm.pt2", "ok"), ("broken.pt2", "unreadable"), ("deep/tanh_gelu.pt2", "ok"), ("empty.pt2", "unreadable")])
        self.assertTrue(lines[1]["message"].startswith("broken.pt2: "), lines[1]["message"])
        self.assertNotIn(str(self.work), file.read_text())

    def test_what_changed_is_swept_again(self):
        zoo = self.zoo("addmm", "tanh_gelu", "residual_block")
        file = self.work / "r.jsonl"
        self.sweep(zoo, "--no-experiments", "-o", file, to="tosa")
        shutil.copy(SAMPLES / "masked_attention.pt2", zoo / "addmm.pt2")
        (zoo / "residual_block.pt2").unlink()
        _, err = self.sweep(zoo, "--no-experiments", "--resume", "-o", file, to="tosa", code=1)
        self.assertEqual([l["program"] for l in lines_of(file)], ["deep/tanh_gelu.pt2", "addmm.pt2"])
        self.assertTrue(err.startswith("[1/2] addmm.pt2: tosa failed (aten.scaled_dot_product_attention.default); "), err)
        self.sweep(zoo, "--resume", "-o", file, to="tosa", code=1)  # other options
        self.assertEqual([l["program"] for l in lines_of(file)], ["addmm.pt2", "deep/tanh_gelu.pt2"])

    def test_drift_names_what_was_lost_and_ends_with_1(self):
        zoo = self.zoo("addmm", "tanh_gelu")
        before, now = self.work / "before.jsonl", self.work / "now.jsonl"
        self.sweep(zoo, "--no-experiments", "-o", before, to="tosa")
        shutil.copy(SAMPLES / "masked_attention.pt2", zoo / "addmm.pt2")
        self.sweep(zoo, "--no-experiments", "-o", now, to="tosa", code=1)
        text = self.check("sweep", "report", now, "--against", before, code=1)
        self.assertIn("1 outcome lost, 0 gained", text)
        self.assertIn("  lost          addmm.pt2", text)
        self.assertIn("  newly blocks  aten.scaled_dot_product_attention.default  tosa", text)
        drift = self.check_json("sweep_report", self.check("sweep", "report", now, "--against", before, "--json", code=1))["drift"]
        self.assertEqual(drift["lost"], [{"program": "addmm.pt2", "type": "tosa", "from": "ok", "to": "failed"}])
        self.assertEqual(self.check_json("sweep_report", self.check("sweep", "report", before, "--against", now, "--json"))["drift"]["gained"],
                         [{"program": "addmm.pt2", "type": "tosa", "from": "failed", "to": "ok"}])


    def exported_in(self, folder, sample):
        """The sample as if its model lay in `folder`, called from it, and its libraries in an environment there."""
        out = folder / "models" / f"{sample}.pt2"
        out.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(SAMPLES / f"{sample}.pt2") as old, zipfile.ZipFile(out, "w") as new:
            for entry in old.infolist():
                data = old.read(entry)
                if entry.filename.endswith("model.json"):
                    data = data.replace(b'File \\"site-packages/', f'File \\"{folder}/.venv/lib/site-packages/'.encode())
                    data = data.replace(b'File \\"samples/', f'File \\"{folder}/src/'.encode())
                new.writestr(entry, data)
        return out

    def sarif(self, text):
        log = json.loads(text)
        schema = json.loads((SOURCE / "tests/report/sarif-schema-2.1.0.json").read_text())
        self.assertEqual(list(json_schema.errors(log, schema)), [])
        return log["runs"][0]

    def test_code_hosts_show_blockers_at_lines_of_the_repository(self):
        repository = self.work / "a repository"
        program = self.exported_in(repository, "masked_attention")
        file = self.work / "r.jsonl"
        command = [CLI, "sweep", "models", "--no-experiments", "--to", "tosa", "-o", file]
        self.assertEqual(subprocess.run(command, cwd=repository, env=self.environment(ENGINE), capture_output=True).returncode, 1)
        self.check_json("sweep", file.read_text())
        self.assertNotIn(str(self.work), file.read_text())
        run = self.sarif(self.report(file, "--folder", "models", form="sarif"))

        def at(places):
            physical = [place["physicalLocation"] for place in places]
            return [(each["artifactLocation"]["uri"], each.get("region", {}).get("startLine")) for each in physical]

        self.assertEqual([at(result["locations"]) for result in run["results"]], [[("src/masked_attention.py", 24)]])
        self.assertEqual(at(run["results"][0]["relatedLocations"]), [("models/masked_attention.pt2", None)])

        command = [CLI, "diagnose", program.relative_to(repository), "--no-experiments", "--to", "tosa", "--format", "sarif"]
        one = subprocess.run(command, cwd=repository, env=self.environment(ENGINE), capture_output=True, text=True)
        result = self.sarif(one.stdout)["results"][0]
        self.assertEqual(at(result["locations"]), at(run["results"][0]["locations"]))

    def test_a_line_of_a_library_is_related_and_the_program_is_the_location(self):
        repository = self.work / "repository"
        elsewhere = self.exported_in(self.work / "elsewhere", "masked_attention")
        repository.mkdir()
        command = [CLI, "diagnose", elsewhere, "--no-experiments", "--to", "tosa", "--format", "sarif"]
        one = subprocess.run(command, cwd=repository, env=self.environment(ENGINE), capture_output=True, text=True)
        result = self.sarif(one.stdout)["results"][0]
        self.assertEqual([place["physicalLocation"]["artifactLocation"].get("index") for place in result["locations"]], [0])
        self.assertEqual([place["physicalLocation"]["region"]["startLine"] for place in result["relatedLocations"]], [24])

    def test_junit_has_a_case_for_each_program_and_output_type(self):
        zoo = self.zoo("addmm", "tanh_gelu")
        shutil.copy(SAMPLES / "masked_attention.pt2", zoo)
        (zoo / "empty.pt2").write_bytes(b"")
        before, now = self.work / "before.jsonl", self.work / "now.jsonl"
        self.sweep(zoo, "--no-experiments", "-o", before, to="tosa,stablehlo", code=1)
        suites = xml.etree.ElementTree.fromstring(self.report(before, form="junit"))
        said = {(suite.get("name"), case.get("name")): [child.tag for child in case] for suite in suites for case in suite}
        for line in lines_of(before):
            self.assertEqual(said.pop((line["to"], line["program"])), {"ok": [], "failed": ["failure"], "unreadable": ["error"]}[line["status"]])
        self.assertEqual(said, {})
        for node in (suites, *suites):
            cases = list(node.iter("testcase"))
            self.assertEqual([int(node.get(name)) for name in ("tests", "failures", "errors", "skipped")],
                             [len(cases)] + [sum(child.tag == tag for case in cases for child in case) for tag in ("failure", "error", "skipped")])

        (zoo / "empty.pt2").unlink()
        shutil.copy(SAMPLES / "masked_attention.pt2", zoo / "addmm.pt2")
        self.sweep(zoo, "--no-experiments", "-o", now, to="tosa,stablehlo", code=1)
        drift = json.loads(self.report(now, "--against", before, form="json", code=1))["drift"]
        suites = xml.etree.ElementTree.fromstring(self.report(now, "--against", before, form="junit", code=1))
        failed = {(suite.get("name"), case.get("name")) for suite in suites for case in suite if case.find("failure") is not None}
        self.assertEqual(failed, {(each["type"], each["program"]) for each in drift["lost"]})
        self.assertIn(("tosa", "addmm.pt2"), failed)


class Engines(Sweep):
    def test_an_engine_that_crashes_or_hangs_is_a_line(self):
        zoo = self.zoo("addmm", "tanh_gelu")
        # With an empty module, which is not the program's, it does well; one that never does says nothing about a program.
        well = 'in=$(cat); case "$in" in *torch*) ;; *) echo "$in"; exit 0 ;; esac; '
        for i, (body, status, code) in enumerate(((well + "kill -SEGV $$", "crashed", 1), (well + "exec sleep 60", "timeout", 4),
                                                  ("kill -SEGV $$", "abandoned", 4), ("exec sleep 60", "abandoned", 4))):
            file = self.work / f"{i}.jsonl"
            self.sweep(zoo, "--no-experiments", "-o", file, "--timeout", "1", to="raw", code=code, engine=self.fake_engine(body))
            self.assertEqual([(l["program"], l["status"]) for l in lines_of(file)], [("addmm.pt2", status), ("deep/tanh_gelu.pt2", status)])

    def test_an_interrupted_sweep_ends_with_130_and_whole_lines(self):
        file, began = self.work / "r.jsonl", self.work / "began"
        engine = self.fake_engine(f"if [ -e {began} ]; then touch {began}2; exec sleep 60; fi; touch {began}; exec cat")
        child = subprocess.Popen([CLI, "sweep", self.zoo("addmm", "tanh_gelu"), "--no-experiments", "--to", "raw", "-o", file],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self.environment(engine))
        while not (self.work / "began2").exists() and child.poll() is None:
            time.sleep(0.01)
        child.send_signal(signal.SIGTERM)
        _, err = child.communicate(timeout=60)
        self.assertEqual((child.returncode, err.decode().splitlines()[-1]), (130, "fxscope-cli: cancelled"))
        self.assertEqual([l["program"] for l in lines_of(file)], ["addmm.pt2"])

    def test_without_an_engine_nothing_is_swept(self):
        file = self.work / "r.jsonl"
        self.refuses("sweep", SAMPLES, "--to", "tosa", "-o", file, engine="/nowhere/opt", code=4,
                     message="engine /nowhere/opt: does not exist; run 'fxscope-cli engine fetch' to install one, or pass another with --engine or FXSCOPE_ENGINE")
        self.assertFalse(file.exists())


class Usage(Sweep):
    def line(self, **changes):
        return json.dumps({"schema": "fxscope-sweep/1", "program": "a", "to": "tosa", "status": "ok", "stage": None, "message": None,
                           "blockers": [], "complete": None, "fixed_lowers": None, "nodes": 1, "sha256": "aa", "options": "o", "fxscope": "1",
                           "engine": {"version": "e", "sha256": "f"}, "seconds": {"read": 0.0, "lower": 0.0, "diagnose": 0.0},
                           "peak_memory": None, **changes}) + "\n"

    def results(self, text):
        file = self.work / "r.jsonl"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def test_results_are_never_overwritten(self):
        engine = self.fake_engine(PASS_ON)
        file = self.results(self.line())
        self.refuses("sweep", SAMPLES, "--to", "raw", "-o", file, engine=engine, code=2,
                     message=f"{file}: holds results already; go on with --resume, or write to another file")
        self.refuses("sweep", SAMPLES, "--to", "raw", "--resume", "-o", file, engine=engine, code=2,
                     message=f"{file}:1: is of another sweep (to tosa); resume with the same arguments, or write to another file")
        self.refuses("sweep", SAMPLES, "--to", "tosa", "--resume", "-o", file, engine=engine, code=2,
                     message=f"{file}: has no line of a program under these paths; resume with the same paths, or write to another file")
        self.assertEqual(file.read_text(), self.line())

    def test_options_are_checked_before_anything_is_swept(self):
        for args, message in (
                (["sweep", SAMPLES, "--to", "tosa"], "sweep: say where to write the results, with -o RESULTS.jsonl"),
                (["sweep", "--to", "tosa"], "'sweep' needs PATH (a program, or a folder of programs with its subfolders)"),
                (["sweep", SAMPLES, "--to", "tosa", "-o", "-", "--resume"], "option '--resume' requires a file with -o, not standard output"),
                (["sweep", SAMPLES, "--to", "tosa", "-o", "x", "--shard", "4/3"],
                 "option '--shard': expected I/N with I from 1 to N, such as 2/16, got '4/3'"),
                (["sweep", "report", self.results(""), "--format", "pdf"], "option '--format': 'pdf' is not one of text, markdown, json, html, sarif, junit")):
            self.refuses(*args, code=2, message=message)

    def test_hostile_results_are_one_error_with_file_and_line(self):
        good = self.line()
        for text, line in ((good + "{}\n", 2), (good + "[" * 100000 + "\n", 2), (good + "\xff\n", 2), (b"\xff\xfe\n", 1), (good + "\n", 2),
                           (good + self.line(status="fine"), 2), (good + self.line(nodes=-1), 2), (good + self.line(blockers=[[]]), 2),
                           (good + self.line(engine="x"), 2), (good + self.line()[:-40], 2), (good + self.line(status="failed"), 2),
                           ('{"schema": "fxscope-diagnose/1"}\n', 1), (b"\0" * 70, 1)):
            file = self.results(text)
            status, out, err = self.run_cli("sweep", "report", file)
            self.assertEqual((status, out), (3, ""), text[-60:])
            self.assertTrue(err.startswith(f"fxscope-cli: {file}:{line}: "), err)
            self.assertEqual(len(err.splitlines()), 1, err)

    def test_names_are_text_in_every_form(self):
        file = self.results(self.line(program="<script>alert(1)</script>|\u001b[2J\u202e`@octocat", status="failed", message="<b>"))
        page = self.report(file, form="html")
        self.assertNotIn("<script", page)
        self.assertIn("&lt;script&gt;", page)
        self.assertIn("<script>", xml.etree.ElementTree.fromstring(self.report(file, form="junit")).find("testsuite/testcase").get("name"))
        for form in ("text", "markdown", "html", "junit"):
            self.assertNotIn("\u001b", self.report(file, form=form))
            self.assertNotIn("\u202e", self.report(file, form=form))
        self.assertIn("\\|", self.report(file, form="markdown"))

    def test_missing_results_are_named(self):
        self.refuses("sweep", "report", self.work / "none.jsonl", code=3, message=f"{self.work}/none.jsonl: no such file")


if __name__ == "__main__":
    unittest.main()
