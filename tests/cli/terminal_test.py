# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fxscope-cli as a program of the terminal: its width, its colours, the progress, the next step, and what its words mean."""
import fcntl
import os
import pty
import re
import select
import shlex
import struct
import subprocess
import termios
import unicodedata
import unittest

from support import CLI, ENGINE, SAMPLES, CliTest, needs_engine

ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
TYPES = ["tosa", "linalg-on-tensors"]
PROGRAMS = sorted(SAMPLES.glob("*.pt2")) + sorted(SAMPLES.glob("kernels/*.json"))


def columns(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


class TerminalTest(CliTest):
    def on_terminal(self, *args, width=80, variables=(), piped_error=False, timeout=300):
        """What a terminal of that width receives."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
        env = {**self.environment(ENGINE), "TERM": "xterm-256color", **dict(variables)}
        error = subprocess.DEVNULL if piped_error else slave
        process = subprocess.Popen([CLI, *map(str, args)], stdin=subprocess.DEVNULL, stdout=slave, stderr=error, env=env, cwd=self.work)
        os.close(slave)
        out = b""
        while select.select([master], [], [], timeout)[0]:
            try:
                read = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            if not read:
                break
            out += read
        os.close(master)
        process.wait(timeout)
        return out.decode().replace("\r\n", "\n")

    def shown(self, text):
        """The lines that remain on the screen: what is erased is not."""
        return [re.sub(r".*\r\x1b\[K", "", line) for line in text.split("\n")]


class Width(TerminalTest):
    def commands(self):
        attention, block = SAMPLES / "masked_attention.pt2", SAMPLES / "transformer_block.pt2"
        yield from ([name, attention, "--to", "tosa"] for name in ("lower", "diagnose"))
        yield ["lower", SAMPLES / "custom_op.pt2", "--to", "tosa"]
        yield ["diagnose", SAMPLES / "kernels/softmax.json", "--to", "tosa"]
        yield ["fix", attention, "--to", "tosa", "-o", "a-fixed-program.pt2"]
        yield ["registry", block]
        yield ["registry", block, "--coverage"]
        yield ["inspect", block]
        yield ["inspect", block, "--graph"]
        yield ["normalize", block]
        yield ["import", block]
        yield ["lower", block, "--to", "tosa", "-o", "-"]
        yield ["trace", SAMPLES / "addmm.pt2", "--to", "tosa"]
        yield ["lower", SAMPLES / "none.pt2", "--to", "tosa"]
        yield ["bundle", attention, "--to", "tosa", "-o", "b.zip"]
        yield ["engine"]
        yield ["--help"]
        yield ["lower", "--help"]
        yield ["explain", "suspicious"]

    @needs_engine
    def test_no_line_is_longer_than_the_terminal_and_no_progress_remains(self):
        for command in self.commands():
            for width in (80, 120, 200):
                with self.subTest(command=command[0], width=width):
                    lines = self.shown(self.on_terminal(*command, width=width))
                    self.assertGreater(len(lines), 1)
                    for line in lines:
                        self.assertLessEqual(columns(ESCAPE.sub("", line)), width, line)
                        self.assertNotIn("\x1b[K", line)

    @needs_engine
    def test_code_is_printed_in_full_if_it_may_be_wide(self):
        command = ["import", SAMPLES / "transformer_block.pt2"]
        self.assertIn("…", self.on_terminal(*command))
        wide = "\n".join(self.shown(self.on_terminal(*command, "--wide")))
        self.assertNotIn("…", wide)
        self.assertEqual(wide, self.check(*command))

    def test_wide_characters_count_twice(self):
        path = self.work / ("漢字" * 60 + ".pt2")
        for line in self.shown(self.on_terminal("inspect", path)):
            self.assertLessEqual(columns(ESCAPE.sub("", line)), 80, line)

    @needs_engine
    def test_a_command_that_is_broken_can_be_copied(self):
        out = "\n".join(self.shown(self.on_terminal("lower", SAMPLES / "masked_attention.pt2", "--to", "tosa", width=40)))
        message, command = ESCAPE.sub("", out).split("next:")[1].split("\n  fxscope-cli ")
        self.assertNotEqual(message.strip(), "")
        words = shlex.split(command.replace("\\\n", ""))
        self.assertEqual(words, ["fix", str(SAMPLES / "masked_attention.pt2"), "--to", "tosa", "-o", "masked_attention.fixed.pt2"])


class Colours(TerminalTest):
    COMMAND = ("lower", SAMPLES / "masked_attention.pt2", "--to", "tosa")

    @needs_engine
    def test_they_are_those_of_a_terminal(self):
        out = self.on_terminal(*self.COMMAND)
        self.assertIn("\x1b[31mfailed", out)
        self.assertIn("\x1b[32mok", out)
        self.assertIn("\x1b[31merror", out)
        for line in out.split("\n"):
            self.assertFalse(COLOUR.findall(line) and COLOUR.findall(line)[-1] != "\x1b[0m", line)

    @needs_engine
    def test_they_can_be_turned_off(self):
        for args, variables in (((), {"NO_COLOR": "1"}), (("--color", "never"), {}), ((), {"TERM": "dumb"})):
            with self.subTest(args=args, variables=variables):
                self.assertNotRegex(self.on_terminal(*self.COMMAND, *args, variables=variables), COLOUR)

    @needs_engine
    def test_elsewhere_there_are_none_unless_they_are_asked_for(self):
        for command in ("lower", "diagnose"):
            _, out, err = self.run_cli(command, *self.COMMAND[1:])
            self.assertNotIn("\x1b", out + err)
            _, coloured, err = self.run_cli(command, *self.COMMAND[1:], "--color", "always")
            self.assertIn("\x1b[3", coloured)
            self.assertEqual(re.sub(r"[0-9.]+ s\b", "", COLOUR.sub("", coloured)), re.sub(r"[0-9.]+ s\b", "", out))

    def test_another_value_is_refused(self):
        self.assertEqual(self.run_cli("inspect", SAMPLES / "addmm.pt2", "--color", "often"),
                         (2, "", "fxscope-cli: option '--color': 'often' is not auto, always or never\n"))

    @needs_engine
    def test_the_name_of_a_file_brings_none(self):
        name = self.work / "a\x1b[35mb.pt2"
        name.write_bytes((SAMPLES / "addmm.pt2").read_bytes())
        for command in ("lower", "diagnose"):
            self.assertNotIn("\x1b[35m", self.on_terminal(command, name, "--to", "tosa"))


class Progress(TerminalTest):
    @needs_engine
    def test_it_goes_to_a_terminal_only(self):
        command = ("diagnose", SAMPLES / "decoder_dynamic.pt2", "--to", "tosa")
        self.assertNotIn("\x1b[K", self.on_terminal(*command, piped_error=True))
        self.assertEqual(self.run_cli(*command)[2], "")
        out = self.on_terminal(*command)
        self.assertIn("\x1b[K", out)
        self.assertNotIn("\x1b[K", out[out.index("next:"):])


class NextStep(CliTest):
    def next_of(self, out):
        if "\nnext: " not in out:
            return None
        (line,) = out.split("\nnext: ")[1].splitlines()[1:]
        words = shlex.split(line)
        self.assertEqual(words[0], "fxscope-cli")
        return words[1:]

    @needs_engine
    def test_every_next_step_works(self):
        os.chdir(self.work)
        wanted = {"custom_op": ("diagnose", "bundle"), "masked_attention": ("fix", "fix"), "merge_heads": ("fix", "fix"), "addmm": ("compare", "compare")}
        for program in PROGRAMS:
            for command in ("lower", "diagnose"):
                with self.subTest(program=program.name, command=command):
                    step = self.next_of(self.run_cli(command, program, "--to", "tosa")[1])
                    self.assertIsNotNone(step)
                    if program.suffix == ".json":
                        self.assertEqual(step[-1], "registry")
                    if program.stem in wanted:
                        self.assertEqual(step[0], wanted[program.stem][command == "diagnose"])
                    status, out, err = self.run_cli(*step)
                    # A comparison ends with 1 where it has doubts.
                    doubts = (1,) if "suspicious: " in out else ()
                    self.assertIn(status, {"diagnose": (1,), "compare": (0, 4, *doubts)}.get(step[0], (0,)), out + err)

    @needs_engine
    def test_it_keeps_the_options_that_were_given(self):
        program = SAMPLES / "addmm.pt2"
        status, out, err = self.run_cli("lower", program, "--to", "tosa", "--timeout", "100", "--func-name", "f g", "--timings")
        self.assertEqual(status, 0, err)
        self.assertEqual(self.next_of(out), ["compare", str(program), "--to", "tosa", "--func-name", "f g", "--timeout", "100"])

    @needs_engine
    def test_json_and_modules_on_standard_output_have_none(self):
        for option in (("--json",), ("-o", "-")):
            self.assertNotIn("next:", self.check("lower", SAMPLES / "addmm.pt2", "--to", "tosa", *option))


class Explain(CliTest):
    def test_words_reasons_and_exit_codes(self):
        self.assertTrue(self.check("explain", "suspicious").startswith("suspicious: A difference in one executor"))
        self.assertEqual(self.check("explain", "No-Pattern"),
                         "no-pattern: A reason for which an operation does not lower: no pattern of this output type matches it.\n")
        self.assertEqual(self.check("explain", "3"), "exit code 3, 3: the input cannot be read.\n")
        self.assertEqual(self.check("explain", "provenance").split(":")[0], "origin, provenance")

    def test_every_word_that_is_listed_is_explained_without_markup(self):
        for line in self.check("explain").splitlines():
            with self.subTest(line=line):
                self.assertNotRegex(self.check("explain", line.split(", ")[0]), r"[`*]|\]\(")

    def test_another_word_is_refused(self):
        self.assertEqual(self.run_cli("explain", "suspicous")[::2],
                         (2, "fxscope-cli: the glossary has no 'suspicous'; did you mean 'suspicious'?\n"))


class Help(CliTest):
    def test_commands_are_in_groups(self):
        lines = self.check("--help").split("Commands:\n")[1].split("\n\n")[0].splitlines()
        groups = [line for line in lines if not line.startswith(" ")]
        self.assertEqual(groups, ["open and look", "lower", "find out why", "mend", "check numbers", "passes and tests", "share", "set up"])

    def test_options_are_in_one_order(self):
        order = ["--to", "--via", "--node", "--format", "--json", "-o", "--engine", "--help"]
        for name in ("lower", "diagnose", "compare", "node", "trace", "registry", "inspect"):
            with self.subTest(command=name):
                options = re.findall(r"^  (--?[\w-]+)", self.check(name, "--help"), re.M)
                found = [option for option in options if option in order and (option != "--engine" or name != "compare")]
                self.assertEqual(found, sorted(found, key=order.index))


if __name__ == "__main__":
    unittest.main()
