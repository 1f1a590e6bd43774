# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs that mean harm: whatever a file holds, each command ends by itself, soon, in little memory, with an exit code of the contract
and, where it refuses, with one message of a line or two. Of many commands each input gets some in turn, with --all all."""
import os
import pathlib
import resource
import subprocess
import tempfile
import unittest

import hostile_inputs
import support

# Of processor time, of the program and all it starts; a machine that is busy does not count. Sanitizers take several times as much.
SECONDS = 120 if support.SANITIZER_OPTIONS else 10
MEMORY = 2 << 30
CODES = {0: "done", 1: "findings", 2: "usage", 3: "input", 4: "engine"}
LONGEST_MESSAGE = 4000
AT_ONCE = 2


def survive(cli, command, environment, seconds=SECONDS):
    """What is wrong with how a command ended ("" when nothing is), its exit code and its standard error."""
    def bounds():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        support.limit_memory(MEMORY)

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            done = subprocess.run([cli, *map(str, command)], stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment,
                                  timeout=12 * seconds, preexec_fn=bounds)
        except subprocess.TimeoutExpired:
            return "did not end", None, ""
        err.seek(0)
        said = err.read(1 << 20).decode("utf-8", "replace")
        answered = os.fstat(out.fileno()).st_size > 0
    if done.returncode < 0:
        return f"killed by signal {-done.returncode}", done.returncode, said
    if done.returncode not in CODES:
        return f"ended with {done.returncode}", done.returncode, said
    if done.returncode >= 2 and not said.startswith("fxscope-cli: ") and not (answered and done.returncode == 4):
        return f"ended with {done.returncode} and no message", done.returncode, said
    if done.returncode >= 2 and len(said) > LONGEST_MESSAGE:  # findings are as many as they are
        return f"said {len(said)} characters", done.returncode, said
    return "", done.returncode, said


def runs(work, make, commands, cli, environment):
    """(command, what is wrong, exit code, standard error) of each command on what `make` writes."""
    words = {"@": make(work), "%engine": work / "engine", "%sample": support.SAMPLES / "addmm.pt2"}
    for command in commands:
        yield (command, *survive(cli, [words.get(word, word) for word in command.split()], environment))


def in_turn(commands, turn):
    """The commands that the input of this turn has to survive."""
    if support.ALL or len(commands) <= AT_ONCE:
        return commands
    return [commands[(turn * AT_ONCE + i) % len(commands)] for i in range(AT_ONCE)]


class HostileInputs(support.CliTest):
    def test_each_is_refused_or_bounded(self):
        self.assertGreaterEqual(len(hostile_inputs.INPUTS), 60)
        for turn, (name, make, commands) in enumerate(hostile_inputs.INPUTS):
            commands = in_turn(commands, turn)
            with self.subTest(name), tempfile.TemporaryDirectory(prefix="fxscope-hostile-", dir=self.work) as folder:
                for command, wrong, code, said in runs(pathlib.Path(folder), make, commands, support.CLI, self.environment(support.ENGINE)):
                    self.assertEqual(wrong, "", f"{command}\n{said[-2000:]}")

    def test_what_should_be_refused_is(self):
        """The harness can fail: a program that hangs, one that dies, one that says nothing, one that floods."""
        script = self.work / "fake"
        for body, wrong in (("kill -SEGV $$", "killed by signal 11"), ("exit 3", "ended with 3 and no message"), ("exit 70", "ended with 70"),
                            ("echo fxscope-cli: no >&2; exit 3", ""), ("while :; do :; done", "killed by signal 24"),
                            ("i=0; while [ $i -lt 999 ]; do echo fxscope-cli: aaaa >&2; i=$((i+1)); done; exit 3", "said 17982 characters")):
            script.write_text("#!/bin/sh\n" + body + "\n")
            script.chmod(0o700)
            self.assertEqual(survive(str(script), [], {"PATH": os.environ["PATH"]}, seconds=1)[0], wrong)


if __name__ == "__main__":
    unittest.main()
