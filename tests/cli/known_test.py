"""What says nothing about a program is never said of it: pipelines and tools with a mistake, engines that fail, lie, flood, hang or are
killed. Such an outcome is not known, is one error or a line that says so, and has the exit code 4."""
import itertools
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import threading
import time
import unittest

from support import CLI, ENGINE, SAMPLES, CliTest, needs_engine

ADDMM = SAMPLES / "addmm.pt2"
NOT_KNOWN = 4
# Each names the program last, and takes an output type.
COMMANDS = (("lower", "--json"), ("diagnose", "--json"), ("trace", "--json"), ("fix", "-o", "fixed.pt2"), ("sweep", "-o", "-"))
PASSES = ("canonicalize", "stablehlo-legalize-to-linalg", "symbol-dce", "torch-verify-tosa-backend-contract", "func.func(convert-torch-to-tosa)")
OPTIONS = (("canonicalize", "max-iterations", "3"), ("inline", "max-iterations", "2"),
           ("torch-backend-to-linalg-on-tensors-backend-pipeline", "allow-non-finites", "true"))


def misspellings(name):
    """The ways in which a name is mistyped: a letter swapped, lost, doubled or replaced, another hyphen, a capital."""
    i = len(name) // 2 - (name[len(name) // 2] in "-" or name[len(name) // 2 - 1] in "-")
    yield name[:i - 1] + name[i] + name[i - 1] + name[i + 1:] if name[i] != name[i - 1] else name[1] + name[0] + name[2:]
    yield name[:i] + name[i + 1:]
    yield name[:i] + name[i] + name[i:]
    yield name[:-1] + "q"
    yield name.replace("-", "_") if "-" in name else name + "_"
    yield name[0].upper() + name[1:]


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


def told(text, form):
    """An answer without what differs from run to run: times, the argv with folders of the run, and the names of the files that hops go
    through, of which a trace that is run again pass by pass has one a pass."""
    if form == "text":
        return re.sub(r"[0-9.]+ (s|ms)\b", "T", text)
    value = lines_of(text) if form == "lines" else json.loads(text)

    def without(each):
        if isinstance(each, dict):
            return {k: without(v) for k, v in each.items() if k not in ("seconds", "peak_memory", "argv", "runs", "directory", "file", "hops")}
        return [without(v) for v in each] if isinstance(each, list) else each

    return without(value)


class Known(CliTest):
    def output_types(self, **member):
        path = self.work / "mine.json"
        path.write_text(json.dumps({"schema": "fxscope-output-types/1",
                                    "types": [{"id": "mine", "title": "Mine", "after": "torch", **member}]}))
        return "--to", "mine", "--output-types", path

    def blames_nobody(self, status, out, err, what):
        """One error; or an answer that has no word about the program."""
        self.assertEqual(status, NOT_KNOWN, (what, out, err))
        for found in re.findall(r'"(?:blockers|blocked)": ?\[[^\]]', out):
            self.fail((what, found, out))
        for finding in re.findall(r'"kind": ?"([a-z-]+)"', out):
            self.assertIn(finding, ("engine", "timeout", "output", "memory"), (what, out))
        for line in out.splitlines():
            if '"fxscope-sweep/1"' in line:
                self.assertIn(json.loads(line)["status"], ("abandoned", "timeout"), what)
        if not out:
            self.assertEqual(err.count("fxscope-cli: "), 1, (what, err))
        self.assertNotRegex(out + err, r"blocks? it|stops? at|invalid IR|rewrite it in the model", what)

    def refused(self, command, to, message, what):
        status, out, err = self.run_cli(command[0], ADDMM, *to, *(self.work / a if a.endswith(".pt2") else a for a in command[1:]))
        self.assertEqual((status, out, err), (NOT_KNOWN, "", f"fxscope-cli: {message}\n"), what)


@needs_engine
class WrongPipelines(Known):
    """A mistake in a pipeline is found where the output type is chosen."""

    def test_misspelt_passes(self):
        commands = itertools.cycle(COMMANDS)
        for nested in PASSES:
            name = nested.split("(")[-1].rstrip(")")
            for wrong in misspellings(name):
                to = self.output_types(pipeline=f"builtin.module(cse,{nested.replace(name, wrong)})")
                self.refused(next(commands), to, f"output type mine: the engine has no pass '{wrong}'; did you mean '{name}'?", wrong)
        for command in COMMANDS:
            self.refused(command, self.output_types(pipeline="builtin.module(no-such-thing-at-all)"),
                         "output type mine: the engine has no pass 'no-such-thing-at-all'", command)

    def test_misspelt_options(self):
        commands = itertools.cycle(COMMANDS)
        for name, option, value in OPTIONS:
            for wrong in misspellings(option):
                to = self.output_types(pipeline=f"builtin.module({name}{{{wrong}={value}}})")
                self.refused(next(commands), to, f"output type mine: pass '{name}' of the engine has no option '{wrong}'; did you mean '{option}'?", wrong)

    def test_what_only_the_engine_can_say(self):
        for command, (pipeline, said) in itertools.product(COMMANDS, (
                ("builtin.module(canonicalize{max-iterations=many})", "'many' value invalid for long argument!"),
                ("builtin.module(func.func(torch-backend-to-tosa-backend-pipeline))", "LLVM ERROR: Can't add pass"))):
            status, out, err = self.run_cli(command[0], ADDMM, *self.output_types(pipeline=pipeline),
                                            *(self.work / a if a.endswith(".pt2") else a for a in command[1:]))
            self.blames_nobody(status, out, err, (command, pipeline))
            self.assertIn(said, err)

    def test_tools(self):
        """Missing, not executable, with an option that does not exist; a tool that says nothing, or something that is not about its input."""
        no = self.work / "not-executable"
        no.write_text("")
        bodies = ("exit 0", "exit 3", "echo no >&2; exit 1", "kill -SEGV $$", "kill -9 $$", "echo 'disk quota exceeded' >&2; exit 0", "printf 'module {'", "sleep 100")
        tools = [{"program": str(self.work / "nowhere")}, {"program": str(no)}, {"program": "clang-22", "arguments": ["--no-such-option"]}]
        for i, body in enumerate(bodies):
            path = self.work / f"tool-{i}"
            path.write_text(f"#!/bin/sh\n{body}\n")
            path.chmod(0o755)
            tools.append({"program": str(path)})
        commands = itertools.cycle(COMMANDS)
        for tool in tools:
            for command in (next(commands), next(commands)):
                to = self.output_types(tool={"arguments": [], **tool})
                status, out, err = self.run_cli(command[0], ADDMM, *to, "--timeout", "1", *(self.work / a if a.endswith(".pt2") else a for a in command[1:]))
                self.blames_nobody(status, out, err, (command, tool))


class StandIns(Known):
    """What takes the engine's place: nothing that it does is the program's fault."""

    BODIES = (
        "exit 0", "exit 1", "exit 3", "exit 137", "echo garbage", "cat; exit 1", "cat | head -c 300", "cat | head -c -40", "echo 'module {'", "echo 'module {}'",
        "cat | sed s/@main/@other/", "printf 'module {\\n  func.func @main() {\\n    return\\n  }\\n}\\n'", "cat", "cat >&2; exit 1",
        "echo 'error: disk quota exceeded' >&2; exit 1", "echo 'x: 1: error: no license' >&2; exit 1", "echo 'no license' >&2; exit 0",
        "kill -SEGV $$", "kill -ABRT $$", "kill -9 $$", "kill -TERM $$", "echo 'LLVM ERROR: out of memory' >&2; exit 1", "printf '\\0\\0\\0'",
        "echo 'Killed' >&2; exit 137", "echo 'bash: fork: Cannot allocate memory' >&2; exit 254", "exec sleep 100", "while :; do :; done", "exec yes error >&2", "exec yes module")

    def test_of_the_engine(self):
        commands = itertools.cycle(COMMANDS)
        for body in self.BODIES:
            slow = body.startswith(("exec", "while"))
            engine = self.fake_engine(body)
            for command in (next(commands),) if slow else (next(commands), next(commands)):
                status, out, err = self.run_cli(command[0], ADDMM, "--to", "linalg-on-tensors", "--timeout", "1" if slow else "20",
                                                *(self.work / a if a.endswith(".pt2") else a for a in command[1:]), engine=engine)
                self.blames_nobody(status, out, err, (command, body))

    def test_of_the_probe(self):
        for body in ("exit 0", "exit 1", "echo no >&2; exit 2", "kill -SEGV $$", "kill -9 $$", "echo 'LLVM version 99'", "echo garbage"):
            engine = self.work / "probe"
            engine.write_text(f"#!/bin/sh\n{body}\n")
            engine.chmod(0o755)
            for command in COMMANDS:
                status, out, err = self.run_cli(command[0], ADDMM, "--to", "tosa", *(self.work / a if a.endswith(".pt2") else a for a in command[1:]), engine=engine)
                self.assertEqual((status, out), (NOT_KNOWN, ""), (command, body))
                self.assertRegex(err, rf"^fxscope-cli: engine {engine}: .*\n$")

    def test_waiting_for_a_processor_is_no_timeout(self):
        """The engine needs 0.4 s of a processor that it shares with six others."""
        engine = self.fake_engine("python3 -c 'import time\nwhile time.process_time() < 0.4: pass'; cat")
        busy = [subprocess.Popen(["taskset", "-c", "0", "sh", "-c", "while :; do :; done"]) for _ in range(6)]
        try:
            done = subprocess.run(["taskset", "-c", "0", CLI, "lower", ADDMM, "--to", "raw", "--timeout", "1.5"], capture_output=True,
                                  env=self.environment(engine), text=True)
        finally:
            for each in busy:
                each.kill()
                each.wait()
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_a_flood_ends_with_the_time_limit(self):
        begin = time.monotonic()
        status, out, err = self.run_cli("lower", ADDMM, "--to", "raw", "--timeout", "1", engine=self.fake_engine("exec yes error >&2"))
        self.assertEqual(status, NOT_KNOWN, (out, err))
        self.assertLess(time.monotonic() - begin, 30)


@needs_engine
class Kills(Known):
    """Engines that are killed from outside, at random moments: what is said is what is said of a quiet run, or that it is not known."""
    RUNS = ((("sweep", SAMPLES, "--to", "tosa,stablehlo", "--no-experiments", "-o", "-"), "lines"),
            (("diagnose", SAMPLES / "masked_attention.pt2", "--to", "tosa", "--json"), "json"),
            (("trace", SAMPLES / "masked_attention.pt2", "--to", "linalg-on-tensors", "--json"), "json"),
            (("lower", SAMPLES / "transformer_block.pt2", "--to", "stablehlo", "--json"), "json"))

    def children(self, parent):
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                stat = pathlib.Path(f"/proc/{name}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if stat[1] == str(parent):
                yield int(name)

    def killed(self, arguments, dice, kills):
        """The answer of a run whose engines are killed now and then."""
        run = subprocess.Popen([CLI, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment(ENGINE))
        answer = []
        reader = threading.Thread(target=lambda: answer.extend(run.communicate()))
        reader.start()
        done = 0
        while reader.is_alive() and done < kills:
            time.sleep(dice.uniform(0.01, 0.15))
            for child in list(self.children(run.pid))[:1]:
                try:
                    os.kill(child, dice.choice([signal.SIGKILL, signal.SIGTERM]))
                    done += 1
                except OSError:
                    pass
        reader.join()
        return run.returncode, answer[0].decode(), answer[1].decode(), done

    def known(self, got, quiet):
        """An answer in which what is said not to be known is as in the other one."""
        if isinstance(got, dict) and isinstance(quiet, dict):
            if any("not known" in value for value in got.values() if isinstance(value, str)):
                return quiet
            return {key: self.known(value, quiet.get(key)) for key, value in got.items()}
        if isinstance(got, list) and isinstance(quiet, list) and len(got) == len(quiet):
            return [self.known(*pair) for pair in zip(got, quiet)]
        return got

    def test_nothing_false_is_said(self):
        dice = random.Random(11)
        kills = 0
        for arguments, form in self.RUNS:
            status, out, err = self.run_cli(*arguments)
            quiet = told(out, form)
            for _ in range(3):
                got, out, err, done = self.killed(arguments, dice, 4)
                kills += done
                if form == "lines":
                    for line, right in zip(told(out, form), quiet, strict=True):
                        if line["status"] != "abandoned":
                            self.assertEqual({**line, "blockers": right["blockers"]} if not line["blockers"] else line, right)
                elif got == NOT_KNOWN:
                    self.blames_nobody(got, out, err, arguments)
                else:
                    self.assertEqual((got, self.known(told(out, form), quiet)), (status, quiet), err)
        self.assertGreater(kills, 12)


if __name__ == "__main__":
    unittest.main()
