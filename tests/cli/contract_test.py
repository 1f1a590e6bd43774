# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exit codes, what goes to which stream, messages and JSON forms of every command."""
import json
import os
import pty
import shutil
import signal
import subprocess
import time
import unittest

from support import CLI, SAMPLES, SOURCE, CliTest, listed, needs_engine

ADDMM = SAMPLES / "addmm.pt2"


class Usage(CliTest):
    def test_nothing_given(self):
        self.refuses(code=2, message="no command given; 'fxscope-cli --help' lists them")

    def test_unknown_command_names_the_nearest(self):
        self.refuses("inspct", code=2, message="unknown command 'inspct'; did you mean 'inspect'?")
        self.refuses("zzz", code=2, message="unknown command 'zzz'")
        self.refuses("--hlep", code=2, message="unknown option '--hlep'; did you mean '--help'?")

    def test_unknown_option_names_the_nearest(self):
        self.refuses("inspect", ADDMM, "--jsn", code=2, message="unknown option '--jsn' of 'inspect'; did you mean '--json'?")
        self.refuses("lower", ADDMM, "--too=raw", code=2, message="unknown option '--too' of 'lower'; did you mean '--to'?")

    def test_option_without_its_value(self):
        self.refuses("lower", ADDMM, "--to", code=2, message="option '--to' needs a value: --to TYPE")
        self.refuses("lower", ADDMM, "--to", "raw", "--to", "torch", code=2, message="option '--to' may be given only once")

    def test_file_missing_or_too_many(self):
        status, out, err = self.run_cli("inspect")
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r"^fxscope-cli: 'inspect' needs FILE \(.*\)\n$")
        self.refuses("inspect", ADDMM, "another.pt2", code=2, message="unexpected argument 'another.pt2' of 'inspect'")

    def test_output_type(self):
        self.refuses("lower", ADDMM, code=2, message=f"'lower' needs --to TYPE: {listed('or')}")
        self.refuses("lower", ADDMM, "--to", "linalg", code=2, message="unknown output type 'linalg'; did you mean 'linalg-on-tensors'?")

    def test_limits_and_modes(self):
        self.refuses("lower", ADDMM, "--to", "raw", "--timeout", "soon", code=2,
                     message="option '--timeout': 'soon' is not a positive time such as 120 (seconds) or 5m")
        self.refuses("lower", ADDMM, "--to", "raw", "--memory", "-1", code=2, message="option '--memory': '-1' is not a positive size such as 4096 (MiB) or 8G")
        self.refuses("lower", ADDMM, "--to", "raw", "--mode", "froze", code=2, message="unknown mode 'froze'; did you mean 'frozen'?")
        self.refuses("lower", ADDMM, "--to", "raw", "--extra-library", "/no/such", code=2, message="option '--extra-library': /no/such: no such file")

    def test_help_and_version_go_to_stdout(self):
        out = self.check("--help")
        for command in ("inspect", "import", "lower", "engine"):
            self.assertIn(f"  {command} ", out)
            self.assertIn("--engine", self.check(command, "--help"))
        self.assertRegex(self.check("--version"), r"^fxscope-cli [0-9]+\.[0-9]+\.[0-9]+\n$")


class Input(CliTest):
    def test_missing_file(self):
        for command in (["inspect"], ["import"], ["lower", "--to", "raw"]):
            status, out, err = self.run_cli(command[0], "/no/such.pt2", *command[1:])
            self.assertEqual((status, out), (3, ""), err)
            self.assertTrue(err.startswith("fxscope-cli: /no/such.pt2: "), err)

    def test_standard_input_is_a_file(self):
        data = ADDMM.read_bytes()
        named = json.loads(self.check("inspect", ADDMM, "--json"))
        piped = json.loads(self.check("inspect", "-", "--json", stdin=data))
        self.assertEqual(piped.pop("input"), "-")
        named.pop("input")
        self.assertEqual(named, piped)
        self.assertEqual(self.check("import", ADDMM), self.check("import", "-", stdin=data))

    def test_empty_standard_input(self):
        status, out, err = self.run_cli("inspect", "-")
        self.assertEqual((status, out), (3, ""))
        self.assertTrue(err.startswith("fxscope-cli: -: "), err)

    def test_answers_are_the_same_every_time(self):
        for sample in sorted(SAMPLES.glob("*.pt2")):
            status, out, _ = self.run_cli("import", sample)
            self.assertIn(status, (0, 1))
            self.assertEqual(self.run_cli("import", sample)[1], out)


class Output(CliTest):
    def test_full_device_is_told(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([CLI, "inspect", ADDMM], stdout=full, stderr=subprocess.PIPE, env=self.environment(None))
        self.assertEqual((done.returncode, done.stderr.decode()),
                         (5, "fxscope-cli: standard output: cannot be written: No space left on device; free some space there, or use another "
                             "folder (-o, TMPDIR)\n"))

    def test_answer_goes_to_the_file(self):
        text = self.check("import", ADDMM)
        summary = self.check("import", ADDMM, "-o", self.work / "a.mlir")
        self.assertEqual((self.work / "a.mlir").read_text(), text)
        self.assertIn("a.mlir: ", summary)
        status, out, err = self.run_cli("import", ADDMM, "-o", "/no/such/dir/a.mlir")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("/no/such/dir/a.mlir", err)

    def test_timings_go_to_stderr(self):
        status, _, err = self.run_cli("import", ADDMM, "--timings")
        self.assertEqual(status, 0)
        self.assertRegex(err, r"(?m)^read [0-9.]+ ms$")
        self.assertRegex(err, r"(?m)^import [0-9.]+ ms$")

    @staticmethod
    def all_of(terminal):
        """What was written to a terminal whose other end is closed: it comes in pieces, then fails."""
        text = b""
        try:
            while piece := os.read(terminal, 65536):
                text += piece
        except OSError:
            pass
        os.close(terminal)
        return text.decode()

    def test_progress_only_on_a_terminal(self):
        engine = self.fake_engine("cat; sleep 0.1")
        master, slave = pty.openpty()
        done = subprocess.run([CLI, "lower", ADDMM, "--to", "torch", "--engine", engine], stdout=subprocess.PIPE, stderr=slave, env=self.environment(None))
        os.close(slave)
        shown = self.all_of(master)
        self.assertEqual(done.returncode, 0)
        self.assertIn("lowering to Torch backend IR", shown)
        self.assertTrue(shown.endswith("\r\x1b[K"), repr(shown[-40:]))
        self.assertNotIn(b"lowering to", done.stdout)

    def test_inspect_json_fits_its_schema(self):
        for sample in sorted(SAMPLES.glob("*.pt2")):
            self.check_json("inspect", self.check("inspect", sample, "--json"))


class Engine(CliTest):
    def test_without_an_engine_the_rest_works(self):
        elsewhere = shutil.copy(CLI, self.work / "fxscope-cli")  # beside no source tree, which may have an engine
        status, out, err = self.run_cli("lower", ADDMM, "--to", "raw", engine=None, program=elsewhere)
        self.assertEqual((status, out), (4, ""))
        self.assertRegex(err, r"^fxscope-cli: no engine found \(searched .*\); run 'fxscope-cli engine fetch' to install one, or pass a torch-mlir-opt with "
                              r"--engine or FXSCOPE_ENGINE\n$")
        self.assertEqual(self.run_cli("engine", engine=None, program=elsewhere)[0], 4)
        self.check("inspect", ADDMM, engine=None, program=elsewhere)
        self.check("import", ADDMM, engine=None)

    def test_engine_option_wins_over_the_variable(self):
        engine = self.fake_engine("cat")
        value = self.check_json("engine", self.check("engine", "--json", "--engine", engine, engine="/no/such"))
        self.assertEqual((value["path"], value["version"]), (str(engine), "LLVM 99.0.0fake"))
        self.assertEqual(value["targets"], ["raw", "torch", "linalg-on-tensors", "tosa", "stablehlo"])
        self.refuses("engine", engine="/no/such", code=4,
                     message="engine /no/such: does not exist; run 'fxscope-cli engine fetch' to install one, or pass another with --engine or FXSCOPE_ENGINE")

    def test_faults_of_the_program_are_exit_code_1_and_what_says_nothing_of_it_4(self):
        # With an empty module, which is not the program's, they do well.
        well = 'in=$(cat); case "$in" in *torch*) ;; *) echo "$in"; exit 0 ;; esac; '
        cases = [
            ("exit 0", 4, "engine", "unknown"),
            ("echo garbage", 4, "engine", "unknown"),
            (well + "kill -SEGV $$", 1, "crash", "crashed"),
            (well + "kill -KILL $$", 4, "engine", "unknown"),
            (well + "sleep 100", 4, "timeout", "timeout"),
            (well + "yes module | head -c 1500000000", 4, "output", "unknown"),
            ("echo 'fx:0:0: error: no' >&2; exit 1", 1, "refused", "failed"),
            (well + "echo 'no' >&2; exit 1", 4, "engine", "unknown"),
        ]
        for body, code, kind, status in cases:
            with self.subTest(body):
                limit = "2" if kind == "timeout" else "120"
                out = self.check("lower", ADDMM, "--to", "raw", "--json", "--timeout", limit, "--engine", self.fake_engine(body), code=code, engine=None)
                value = self.check_json("lower", out)
                self.assertFalse(value["ok"])
                self.assertEqual(value["stages"][0]["status"], status)
                self.assertEqual([f["kind"] for f in value["findings"]], [kind])
                self.assertEqual(len(value["stages"][0]["argv"]) > 2, True)

    def test_interrupt_kills_the_engine_and_keeps_the_stages(self):
        for sent in (signal.SIGINT, signal.SIGTERM):
            pid_file = self.work / "pid"
            pid_file.unlink(missing_ok=True)
            engine = self.fake_engine(f'case "$*" in *pipeline=*) sleep 1; echo $$ > {pid_file}.part; mv {pid_file}.part {pid_file}; sleep 100 ;; esac\ncat')
            cli = subprocess.Popen([CLI, "lower", ADDMM, "--to", "torch", "--json", "--engine", engine], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=self.environment(None))
            deadline = time.monotonic() + 60
            while not pid_file.exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            cli.send_signal(sent)
            out, err = cli.communicate(timeout=60)
            self.assertEqual((cli.returncode, err), (130, b""))
            value = self.check_json("lower", out)
            self.assertEqual([s["status"] for s in value["stages"]], ["ok", "skipped"])
            self.assertEqual(value["stages"][1]["message"], "cancelled")
            self.assertFalse(self.running(int(pid_file.read_text())))

    def test_engine_dies_with_the_program(self):
        pid_file = self.work / "pid"
        engine = self.fake_engine(f"echo $$ > {pid_file}.part; mv {pid_file}.part {pid_file}; exec sleep 100")
        cli = subprocess.Popen([CLI, "lower", ADDMM, "--to", "raw", "--engine", engine], stdout=subprocess.DEVNULL, env=self.environment(None))
        deadline = time.monotonic() + 60
        while not pid_file.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        cli.kill()
        cli.wait()
        engine_pid = int(pid_file.read_text())
        while self.running(engine_pid) and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertFalse(self.running(engine_pid))


@needs_engine
class Lower(CliTest):
    def test_directory_holds_every_stage_and_the_report(self):
        directory = self.work / "out"
        text = self.check("lower", SAMPLES / "masked_attention.pt2", "--to", "TOSA", "-o", directory, code=1)
        self.assertIn("IR in 02-tosa.failure.mlir", text)
        value = self.check_json("lower", (directory / "lower.json").read_text())
        self.assertEqual([(s["name"], s["status"], s["file"]) for s in value["stages"]],
                         [("raw", "ok", "00-raw.mlir"), ("torch", "ok", "01-torch.mlir"), ("tosa", "failed", None)])
        self.assertEqual(value["stages"][2]["failure_file"], "02-tosa.failure.mlir")
        self.assertEqual(sorted(p.name for p in directory.iterdir()), ["00-raw.mlir", "01-torch.mlir", "02-tosa.failure.mlir", "lower.json"])
        culprits = {(f["target"], f["op"]) for f in value["findings"]}
        self.assertEqual(culprits, {("aten.scaled_dot_product_attention.default", "torch.aten.scaled_dot_product_attention")})
        for finding in value["findings"]:
            self.assertTrue(finding["source"]["file"].endswith("masked_attention.py"), finding)
            self.assertTrue(finding["module"])

    def test_a_folder_holds_one_run(self):
        directory = self.work / "out"
        failed = ["00-raw.mlir", "01-torch.mlir", "02-tosa.failure.mlir", "lower.json"]
        lowered = ["00-raw.mlir", "01-torch.mlir", "02-tosa.mlir", "lower.json"]
        for sample, code, files in (("masked_attention", 1, failed), ("addmm", 0, lowered), ("masked_attention", 1, failed)):
            self.check("lower", SAMPLES / f"{sample}.pt2", "--to", "TOSA", "-o", directory, code=code)
            (directory / "notes.txt").write_text("the user's")
            self.assertEqual(sorted(p.name for p in directory.iterdir()), [*files, "notes.txt"])

    def test_argv_reproduces_the_stage(self):
        directory = self.work / "out"
        value = json.loads(self.check("lower", ADDMM, "--to", "linalg-on-tensors", "-o", directory, "--json", "--full-paths"))
        for before, stage in zip(value["stages"], value["stages"][1:]):
            again = subprocess.run(stage["argv"], input=(directory / before["file"]).read_bytes(), capture_output=True, check=True)
            self.assertEqual(again.stdout, (directory / stage["file"]).read_bytes())
            self.assertEqual(stage["coverage"] > 0.5, True)

    def test_dash_prints_the_last_stage(self):
        self.assertIn("linalg.", self.check("lower", ADDMM, "--to", "linalg_on_tensors", "-o", "-"))

    def test_unwritable_directory(self):
        status, out, err = self.run_cli("lower", ADDMM, "--to", "raw", "-o", "/proc/no")
        self.assertEqual((status, out), (2, ""))
        self.assertTrue(err.startswith("fxscope-cli: /proc/no: cannot be written: "), err)

    def test_extra_library_lets_a_custom_operation_pass(self):
        library = self.work / "extra.mlir"
        library.write_text("func.func @__torch_mlir_has_value_semantics_fn.torch.acme.swiglu() {\n  return\n}\n")
        value = json.loads(self.check("lower", SAMPLES / "custom_op.pt2", "--to", "torch", "--extra-library", library, "--json"))
        self.assertTrue(value["ok"])
        value = json.loads(self.check("lower", SAMPLES / "custom_op.pt2", "--to", "torch", "--json", code=1))
        self.assertIn(("swiglu", "torch.acme.swiglu", "not-registered"), {(f["node"], f["op"], f["kind"]) for f in value["findings"]})

    def test_function_name(self):
        self.assertIn("@forward(", self.check("lower", ADDMM, "--to", "torch", "--func-name", "forward", "-o", "-"))

    def test_schema_of_every_sample(self):
        for sample in sorted(SAMPLES.glob("*.pt2")):
            status, out, _ = self.run_cli("lower", sample, "--to", "tosa", "--json")
            self.assertIn(status, (0, 1), sample)
            self.check_json("lower", out)


if __name__ == "__main__":
    unittest.main()
