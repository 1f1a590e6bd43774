# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Completions and manual pages say what the commands declare: all of it, in every shell that is here."""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from support import CLI, OUTPUT_TYPES, SAMPLES, CliTest

ROW = re.compile(r"^  (--?[\w-]+|[A-Z]+(?:\.\.)?)(?: (\S+))?  +(.*)$", re.M)


class Commands(CliTest):
    def commands(self):
        return re.findall(r"^  (\w+(?: \w+)?)  ", self.check("--help").split("Commands:")[1].split("\n\n")[0], re.M)

    def rows(self, command):
        """(name, placeholder, help) of what --help lists."""
        return [row for row in ROW.findall(self.check(*command.split(), "--help"))]

    def candidates(self, *words, shell="zsh"):
        return [line.split("\t")[0] for line in self.check("completion", shell, "--", *words).splitlines()]


class Candidates(Commands):
    def test_every_command_and_every_option_is_offered(self):
        commands = self.commands()
        self.assertGreater(len(commands), 20)
        self.assertEqual(sorted({name.split()[0] for name in commands}), sorted(self.candidates("fxscope-cli", "")))
        for name in commands:
            with self.subTest(command=name):
                if " " in name:
                    self.assertIn(name.split()[1], self.candidates("fxscope-cli", name.split()[0], ""))
                options = {row[0] for row in self.rows(name) if row[0].startswith("-")}
                self.assertGreater(len(options), 5)
                self.assertEqual(options, set(self.candidates("fxscope-cli", *name.split(), "-")))

    def test_values_that_are_offered_are_those_of_the_help_and_are_accepted(self):
        offered = {}
        for name in self.commands():
            command = name.split()
            rows = [row[0] for row in self.rows(name)]
            others = [{"NODE": "addmm"}.get(row, str(SAMPLES / "addmm.pt2")) for row in rows if not row.startswith("-")]
            others += ["--to", "raw"] * ("--to" in rows) + ["-o", str(self.work / "out")] * ("-o" in rows)
            for option, placeholder, text in self.rows(name):
                if not option.startswith("--") or not placeholder or placeholder.startswith("TYPE"):
                    continue
                values = [value for value in self.candidates("fxscope-cli", *command, option, "") if value != ":files"]
                for value in values:
                    with self.subTest(command=name, option=option, value=value):
                        self.assertIn(value, f"{placeholder} {text}")
                if values:
                    offered[name, option] = values
                    with self.subTest(command=name, option=option):
                        status, _, err = self.run_cli(*command, *others, option, "nonsense")
                        self.assertEqual(status, 2, err)
                        self.assertIn("nonsense", err)
        self.assertEqual(offered["diagnose", "--format"], ["text", "json", "sarif", "html", "markdown"])
        self.assertEqual(offered["lower", "--via"], ["torch-mlir", "nodes", "registry", "fixed"])
        self.assertGreater(len(offered), 12)

    def test_what_fits_depends_on_the_words_before(self):
        types = OUTPUT_TYPES
        for words, expected in [
                (["lower", "--to", ""], types),
                (["lower", "x.pt2", "--to", "to"], ["torch", "tosa"]),
                (["lower", "--to=to"], ["--to=torch", "--to=tosa"]),
                (["diagnose", "x.pt2", "--to", "tosa,st"], ["tosa,stablehlo"]),
                (["diagnose", "x.pt2", "--to", "tosa,tos"], []),
                (["lower", ""], [":files"]),
                (["lower", "--weights", ""], [":files"]),
                (["lower", "--to", "tosa", ""], [":files"]),
                (["lower", "--func-name", ""], []),
                (["lower", "-o", ""], [":files"]),
                (["lower", "--", "--"], [":files"]),
                (["lower", "x.pt2", "--fi"], ["--fix"]),
                (["lower", "--fix", "--fi"], []),
                (["sweep", "a", ""], [":files"]),
                (["sweep", "report", "--form"], ["--format"]),
                (["engine", "f"], ["fetch"]),
                (["completion", "f"], ["fish"]),
                (["man", ""], ["fxscope-cli", "fxscope"]),
                (["--v"], ["--version"]),
                (["nonsense", ""], []),
        ]:
            with self.subTest(words=words):
                self.assertEqual(self.candidates("fxscope-cli", *words), expected)
        self.assertEqual(self.candidates("/usr/bin/fxscope", "--theme", ""), ["light", "dark", "system"])
        self.assertEqual(self.candidates("fxscope", "--target", "st"), ["stablehlo"])
        self.assertEqual(self.candidates("fxscope", "--ver"), ["--version"])
        self.assertEqual(self.candidates("fxscope", ""), [":files"])

    def test_known_engines_are_offered(self):
        self.check("engine", "add", "mine", self.fake_engine("cat"))
        self.assertEqual(self.candidates("fxscope-cli", "lower", "--engine", ""), ["mine", ":files"])
        self.assertEqual(self.candidates("fxscope", "--engine", "m"), ["mine", ":files"])

    def test_usage(self):
        self.refuses("completion", "csh", code=2, message="unknown shell 'csh'; expected bash, zsh or fish")
        self.refuses("man", "ls", code=2, message="unknown program 'ls'; expected fxscope-cli or fxscope")


class Shells(Commands):
    def environment(self, engine):
        # The scripts find the program in PATH.
        return {**super().environment(engine), "PATH": f"{pathlib.Path(CLI).parent}:{os.environ['PATH']}", "TERM": "dumb"}

    def script(self, shell):
        path = self.work / f"completion.{shell}"
        path.write_text(self.check("completion", shell))
        return path

    def typed(self, text, until):
        """What an interactive bash shows after `text` is typed, read until it has `until`."""
        script = self.script("bash")
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(SAMPLES)
            os.execve(shutil.which("bash"), ["bash", "--norc", "--noprofile", "-i"], self.environment(None))
        try:
            os.write(terminal, f"source {script}; bind 'set enable-bracketed-paste off'; PS1=ready'> '\n".encode())
            shown, deadline, sent = "", time.monotonic() + 60, False
            while time.monotonic() < deadline:
                if select.select([terminal], [], [], 0.2)[0]:
                    shown += os.read(terminal, 65536).decode(errors="replace").replace("\a", "")
                if not sent and "\nready> " in shown:
                    os.write(terminal, text.encode())
                    shown, sent = "", True
                if sent and until in shown:
                    return shown
            self.fail(f"typed {text!r}, saw {shown!r}")
        finally:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
            os.close(terminal)

    def test_bash_completes_what_is_typed(self):
        self.typed("fxscope-cli norm\t", "normalize ")
        self.typed("fxscope-cli lower --to=line\t\x15fxscope-cli lower --to=lina\t", "--to=linalg-on-tensors ")
        self.typed("fxscope-cli inspect addmm.pt\t", "addmm.pt2 ")
        self.typed("fxscope-cli lower addmm.pt2 --to to\t\t", "torch  tosa")
        self.typed("fxscope --the\t", "--theme ")

    @unittest.skipUnless(shutil.which("fish"), "no fish here")
    def test_fish_completes(self):
        script = self.script("fish")

        def completed(line):
            done = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"], capture_output=True, text=True,
                                  env=self.environment(None), cwd=SAMPLES, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return [row.split("\t")[0] for row in done.stdout.splitlines()]

        self.assertEqual(completed("fxscope-cli norm"), ["normalize"])
        self.assertEqual(sorted(completed("fxscope-cli lower x --to to")), ["torch", "tosa"])
        self.assertEqual(completed("fxscope-cli inspect addmm.pt"), ["addmm.pt2"])
        self.assertEqual(completed("fxscope --them"), ["--theme"])

    @unittest.skipUnless(shutil.which("zsh"), "no zsh here")
    def test_zsh_completes(self):
        script = self.script("zsh")

        def completed(*words):
            """What the function gives to zsh's own ones."""
            lines = f"compdef() {{ }}; source {script}; _describe() {{ print -l -- \"${{(@)candidates}}\"; }}; _files() {{ print files; }}; compset() {{ print cut $2; }}\n"
            lines += "words=(" + " ".join(f"'{word}'" for word in words) + f"); CURRENT={len(words)}; PREFIX='{words[-1]}'; _fxscope"
            done = subprocess.run(["zsh", "-f", "-c", lines], capture_output=True, text=True, env=self.environment(None), timeout=60)
            self.assertEqual(done.stderr, "")
            return done.stdout.splitlines()

        self.assertEqual([row.split(":")[0] for row in completed("fxscope-cli", "norm")], ["normalize"])
        self.assertEqual(completed("fxscope-cli", "lower", "--to", "to"), ["torch", "tosa"])
        self.assertEqual(completed("fxscope-cli", "inspect", ""), ["files"])
        self.assertEqual(subprocess.run(["zsh", "-n", script]).returncode, 0)


class Manual(Commands):
    def plain(self, *args):
        """The text of a page without the markup of roff."""
        text = re.sub(r"\\f[BIR]", "", self.check("man", *args))
        for escape, meant in ((r"\-", "-"), (r"\(aq", "'"), (r"\(dq", '"'), (r"\(ha", "^"), (r"\(ti", "~"), (r"\(ga", "`"), (r"\&", ""), (r"\e", "\\")):
            text = text.replace(escape, meant)
        return text

    def test_every_command_option_and_exit_code_is_there(self):
        page = self.plain()
        sections = dict(re.findall(r'^\.SS "(.*?)"\n(.*?)(?=^\.S[SH] )', page, re.M | re.S))
        self.assertEqual(sorted(sections), sorted(self.commands()))
        every = page.split(".SH OPTIONS OF EVERY COMMAND\n")[1].split(".SH ")[0]
        for name, section in sections.items():
            for option, placeholder, text in self.rows(name):
                with self.subTest(command=name, option=option):
                    entry = f".TP\n{option}{' ' + placeholder if placeholder else ''}\n{text}\n"
                    self.assertTrue(entry in section or entry in every, entry)
        codes = page.split(".SH EXIT STATUS\n")[1].split(".SH ")[0]
        self.assertEqual(re.findall(r"^\.TP\n(\d+)$", codes, re.M), ["0", "1", "2", "3", "4", "5", "70", "130"])
        for variable in ("FXSCOPE_ENGINE", "FXSCOPE_CAGE_READ", "FXSCOPE_CAGE_WRITE", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
            self.assertIn(f".TP\n{variable}\n", page)

    @unittest.skipUnless((pathlib.Path(CLI).parent / "fxscope").exists(), "the window was not built")
    def test_the_window_has_the_options_of_its_page(self):
        done = subprocess.run([pathlib.Path(CLI).parent / "fxscope", "--help"], capture_output=True, text=True, timeout=60,
                              env={**self.environment(None), "QT_QPA_PLATFORM": "offscreen"})
        listed = set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", done.stdout, re.M)) - {"--help-all"}
        self.assertGreater(len(listed), 10)
        self.assertEqual(listed, set(re.findall(r"^\.TP\n(--[\w-]+)", self.plain("fxscope"), re.M)))

    def test_formatters_have_nothing_to_say(self):
        for program in ("fxscope-cli", "fxscope"):
            page = self.work / f"{program}.1"
            page.write_text(self.check("man", program))
            for tool in (["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page], ["mandoc", "-T", "lint", "-W", "warning", page]):
                if shutil.which(tool[0]) is None:
                    continue
                done = subprocess.run(tool, capture_output=True, text=True, env={**os.environ, "MANROFFSEQ": ""})
                with self.subTest(program=program, tool=tool[0]):
                    said = done.stderr + (done.stdout if tool[0] == "mandoc" else "")
                    # The page has no date, because nothing in it depends on one.
                    self.assertEqual([line for line in said.splitlines() if "STYLE" not in line and "missing date" not in line], [])


if __name__ == "__main__":
    unittest.main()
