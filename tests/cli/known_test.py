# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What says nothing about a program is never said of it: pipelines and tools with a mistake, engines that fail, lie, flood, hang or are
killed. Such an outcome is not known, is one error or a line that says so, and has the exit code 4. The cases are a table, each mistake with
each command; of it a sample is run, each mistake with one command. With --all, all are run, and more is killed; --seed N chooses when."""
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import threading
import time
import unittest

from support import ALL, CLI, ENGINE, SAMPLES, CliTest, needs_engine


def option(name, otherwise):
    """The value of an option of this program, which unittest does not see."""
    if name not in sys.argv:
        return otherwise
    at = sys.argv.index(name)
    return sys.argv.pop(at) and int(sys.argv.pop(at))


SEED = option("--seed", 11)
SHARE = 1 if ALL else 9  # one in so many of the cases that take long
KILLED_RUNS = option("--kills", 50 if ALL else 1)
ADDMM = SAMPLES / "addmm.pt2"
NOT_KNOWN = 4
# @: a program, an output type and limits; +: a file of the test's folder.
COMMANDS = ("lower @ --json", "diagnose @ --json", "trace @ --json", "fix @ -o +f.pt2", "sweep @ -o -", "compare @ --json", "run @ --json",
            "bundle @ -o +b.zip", "bundle @ --reduce -o +b.zip", "bundle @ --wrong -o +b.zip", "node @ addmm --json", "lower @ --via nodes --json",
            "lower @ --fix --json", "lower @ -o +stages", "diagnose @ --format sarif", "diagnose @ --no-experiments", "trace @ --node addmm --patterns --json",
            "render @ -o +x.svg", "render @ --stage mine -o +x.svg", "engine bisect @ --engine ENGINE --engine ENGINE", "compare @ --engine ENGINE --engine ENGINE")
COMMANDS_TO_LINALG = tuple(command.replace("mine", "torch") for command in COMMANDS)
HAS_NO_LIMITS = ("render", "sweep")
PASSES = ("canonicalize", "stablehlo-legalize-to-linalg", "symbol-dce", "torch-verify-tosa-backend-contract", "func.func(convert-torch-to-tosa)")
OPTIONS = (("canonicalize", "max-iterations", "3"), ("inline", "max-iterations", "2"),
           ("torch-backend-to-linalg-on-tensors-backend-pipeline", "allow-non-finites", "true"))
TOOLS = ("exit 0", "exit 3", "echo no >&2; exit 1", "kill -SEGV $$", "kill -9 $$", "echo 'disk quota exceeded' >&2; exit 0", "printf 'module {'",
         "echo 'module {}'", "cat; exit 1", "sleep 100")
ENGINES = (
    "exit 0", "exit 1", "exit 3", "exit 137", "echo garbage", "cat; exit 1", "cat | head -c 300", "cat | head -c -40", "echo 'module {'", "echo 'module {}'",
    "cat | sed s/@main/@other/", "printf 'module {\\n  func.func @main() {\\n    return\\n  }\\n}\\n'", "cat", "cat >&2; exit 1",
    "echo 'error: disk quota exceeded' >&2; exit 1", "echo 'x: 1: error: no license' >&2; exit 1", "echo 'no license' >&2; exit 0",
    "kill -SEGV $$", "kill -ABRT $$", "kill -9 $$", "kill -TERM $$", "echo 'LLVM ERROR: out of memory' >&2; exit 1", "printf '\\0\\0\\0'",
    "echo 'Killed' >&2; exit 137", "echo 'bash: fork: Cannot allocate memory' >&2; exit 254", "cat; cat; exit 0", "cat; kill -9 $$",
    "exec sleep 100", "while :; do :; done", "exec yes error >&2", "exec yes module")
PROBES = ("exit 0", "exit 1", "echo no >&2; exit 2", "kill -SEGV $$", "kill -9 $$", "echo 'LLVM version 99'", "echo garbage", "exec sleep 100")
# Of an engine that is right otherwise, in one stage: REAL is its right answer.
STAGES = {"raw": "", "torch": "torchdynamo-export", "linalg": "to-linalg"}
LIES = ("cat", "echo 'module {}'", "REAL | sed 's/f32/f64/g'", "REAL | sed 's/f32/i32/g'", "REAL | sed 's/x[0-9]*xf32/x9xf32/g; s/,[0-9]*],f32/,9],f32/g'",
        "REAL | sed 's/xf32/x1xf32/g; s/],f32/,1],f32/g'", "REAL | sed 's/<[0-9]*x/<?x/g; s/<.[0-9]*,/<[?,/g'", "REAL | sed 's/@main/@forward/'", "REAL | sed 's/@main(/@main(%a: f32, /'",
        "REAL | sed 's/return %.*/return loc(unknown)/'", "REAL | head -c -30", "REAL | head -n -1", "REAL | head -n -3", "REAL; exit 1", "REAL; kill -9 $$",
        "REAL; kill -SEGV $$", "REAL >&2", "REAL; REAL", "cat OTHER", "cat OTHER; REAL", "echo 'builtin.module {}'", "REAL | tr a-z A-Z",
        "printf 'module {\\n  func.func private @main()\\n}\\n'", "REAL | grep -v aten", "REAL | sed 's/^module/builtin.module/; s/func.func/func.call/'")


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


def normalized(text, form):
    """An answer without what differs from run to run: times, the argv with folders of the run, and the names of the files that hops go
    through, of which a trace that is run again pass by pass has one a pass."""
    if form == "text":
        return re.sub(r"[0-9.]+ (s|ms)\b", "T", text)
    value = lines_of(text) if form == "lines" else json.loads(text)

    def without(each):
        if isinstance(each, dict):
            return {k: without(v) for k, v in each.items() if not k.endswith("seconds") and k not in ("peak_memory", "argv", "runs", "directory", "file", "hops")}
        return [without(v) for v in each] if isinstance(each, list) else each

    return without(value)


class Known(CliTest):
    turn = itertools.count()

    def output_types(self, **member):
        path = self.work / "mine.json"
        path.write_text(json.dumps({"schema": "fxscope-output-types/1",
                                    "types": [{"id": "mine", "title": "Mine", "after": "torch", **member}]}))
        return "--to", "mine", "--output-types", str(path)

    def commands(self, among=COMMANDS):
        """All, or the one whose turn it is."""
        return among if ALL else (among[next(self.turn) % len(among)],)

    def run_command(self, command, to, engine=ENGINE, seconds=None):
        """(exit code, stdout, stderr)"""
        words = []
        for word in command.split():
            limits = ("--timeout", str(seconds)) if seconds and not command.startswith(HAS_NO_LIMITS) else ()
            words += (ADDMM, *to, *limits) if word == "@" else (engine,) if word == "ENGINE" else (self.work / word[1:],) if word[0] == "+" else (word,)
        return self.run_cli(*words, engine=engine)

    def blames_nobody(self, status, out, err, what):
        """One error; or an answer that has no word about the program."""
        self.assertEqual(status, NOT_KNOWN, (what, out, err))
        for found in re.findall(r'"(?:blockers|blocked)": ?\[[^\]]', out):
            self.fail((what, found, out))
        kind = "kind"
        if '"$schema"' in out:  # SARIF, which explains all rules
            answer, kind = json.loads(out), "ruleId"
            for run in answer["runs"]:
                del run["tool"]["driver"]["rules"]
            out = json.dumps(answer)
        for finding in re.findall(rf'"{kind}": ?"([a-z-]+)"', out):
            self.assertIn(finding, ("engine", "timeout", "output", "memory"), (what, out))
        for line in out.splitlines():
            if '"fxscope-sweep/1"' in line:
                self.assertIn(json.loads(line)["status"], ("abandoned", "timeout"), what)
        if not out:
            self.assertEqual(err.count("fxscope-cli: "), 1, (what, err))
        self.assertNotRegex(out + err, r"blocks? it|stops? at|invalid IR|rewrite it in the model", what)


@needs_engine
class WrongPipelines(Known):
    """A mistake in a pipeline is found where the output type is chosen."""

    def refused(self, to, message):
        for command in self.commands():
            with self.subTest(command=command, message=message):
                self.assertEqual(self.run_command(command, to), (NOT_KNOWN, "", f"fxscope-cli: {message}\n"))

    def test_misspelt_passes(self):
        for nested in PASSES:
            name = nested.split("(")[-1].rstrip(")")
            for wrong in misspellings(name):
                self.refused(self.output_types(pipeline=f"builtin.module(cse,{nested.replace(name, wrong)})"),
                             f"output type mine: the engine has no pass '{wrong}'; did you mean '{name}'?")
        self.refused(self.output_types(pipeline="builtin.module(no-such-thing-at-all)"), "output type mine: the engine has no pass 'no-such-thing-at-all'")

    def test_misspelt_options(self):
        for name, option, value in OPTIONS:
            for wrong in misspellings(option):
                self.refused(self.output_types(pipeline=f"builtin.module({name}{{{wrong}={value}}})"),
                             f"output type mine: pass '{name}' of the engine has no option '{wrong}'; did you mean '{option}'?")

    def test_what_only_the_engine_can_say(self):
        for pipeline, said in (("builtin.module(canonicalize{max-iterations=many})", "'many' value invalid for long argument!"),
                               ("builtin.module(func.func(torch-backend-to-tosa-backend-pipeline))", "LLVM ERROR: Can't add pass")):
            for command in self.commands():
                with self.subTest(command=command, pipeline=pipeline):
                    status, out, err = self.run_command(command, self.output_types(pipeline=pipeline))
                    self.blames_nobody(status, out, err, (command, pipeline))
                    self.assertIn(said, err)

    def test_tools(self):
        """Missing, not executable, with an option that does not exist; a tool that says nothing, or something that is not about its input."""
        no = self.work / "not-executable"
        no.write_text("")
        tools = [{"program": str(self.work / "nowhere")}, {"program": str(no)}, {"program": "clang-22", "arguments": ["--no-such-option"]}]
        for i, body in enumerate(TOOLS):
            path = self.work / ("sleep" if body.startswith("sleep") else f"tool-{i}")
            path.write_text(f"#!/bin/sh\n{body}\n")
            path.chmod(0o755)
            tools.append({"program": str(path)})
        for tool in tools:
            slow = "sleep" in str(tool)
            no = (*HAS_NO_LIMITS, "bundle") if slow else ("bundle",)  # which says that it takes no tools
            for command in self.commands([c for c in COMMANDS if not c.startswith(no)]):
                with self.subTest(command=command, tool=tool):
                    to = self.output_types(tool={"arguments": [], **tool})
                    self.blames_nobody(*self.run_command(command, to, seconds=1), (command, tool))


    def test_a_tool_that_does_not_end(self):
        tool = self.work / "slow"
        tool.write_text("#!/bin/sh\nsleep 100\n")
        tool.chmod(0o755)
        slow = [c for c in COMMANDS if c.startswith(("fix", "compare", "run", "lower @ --via", "diagnose @ --format", "engine bisect"))]
        slow = slow if ALL else slow[::2]
        to = self.output_types(tool={"arguments": [], "program": str(tool)})
        with concurrent.futures.ThreadPoolExecutor(len(slow)) as pool:  # they wait
            answers = pool.map(lambda command: self.run_command(command, to, seconds=1), slow)
        for command, answer in zip(slow, answers):
            with self.subTest(command=command):
                self.blames_nobody(*answer, command)


class StandIns(Known):
    """What takes the engine's place: nothing that it does is the program's fault."""

    def test_of_the_engine(self):
        for body in ENGINES:
            slow = body.startswith(("exec", "while"))
            engine = self.fake_engine(body)
            for command in self.commands([c for c in COMMANDS_TO_LINALG if not (slow and c.startswith(HAS_NO_LIMITS))]):
                with self.subTest(command=command, engine=body):
                    to = ("--to", "linalg-on-tensors")
                    self.blames_nobody(*self.run_command(command, to, engine, 1 if slow else 20), (command, body))

    def test_of_the_probe(self):
        for body in PROBES:
            engine = self.work / "probe"
            engine.write_text(f"#!/bin/sh\n{body}\n")
            engine.chmod(0o755)
            for command in self.commands():
                with self.subTest(command=command, engine=body):
                    status, out, err = self.run_command(command, ("--to", "tosa"), engine)
                    self.assertEqual((status, out), (NOT_KNOWN, ""))
                    self.assertRegex(err, rf"^fxscope-cli: engine {engine}: .*\n$")

    @needs_engine
    def test_where_it_only_confirms(self):
        """It verifies what registries write, measures operators, and replays bundles."""
        self.check("bundle", SAMPLES / "masked_attention.pt2", "--to", "tosa", "-o", self.work / "good.zip")
        for body in ENGINES[:25:SHARE]:
            if body == "cat" or "@main" in body:
                continue  # which prints the module as it is, or one that verifies
            engine = self.fake_engine(body)
            with self.subTest(engine=body):
                status, out, err = self.run_cli("registry", ADDMM, "--json", engine=engine)
                self.assertEqual((status, json.loads(out)["verified"]), (0, None), err)
                status, out, err = self.run_cli("support", "aten.relu", "--measure", "--again", "--json", engine=engine)
                self.assertNotRegex(out, r'"(blocked|lowers|only-[a-z]+)"', (body, err))
                status, out, err = self.run_cli("replay", self.work / "good.zip", engine=engine)
                self.assertEqual(status, NOT_KNOWN, (body, out, err))

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
class Lies(Known):
    """An engine that is right but for one stage, or that lies in all of them."""

    def liar(self, stage, lie):
        real = f"{ENGINE} \"$@\""
        lie = lie.replace("exec REAL", real).replace("REAL", real).replace("OTHER", str(self.others[stage if stage in self.others else "torch"]))
        path = self.work / "liar"
        tells = "*) true ;;" if stage == "all" else f"*--pass-pipeline=*{STAGES[stage]}*) true ;;" if STAGES[stage] else "*--pass-pipeline=*) false ;;"
        path.write_text(f"#!/bin/sh\ncase \"$*\" in --version|--help) exec {real} ;; esac\n"
                        f"if case \"$*\" in {tells} *) {'true' if stage == 'raw' else 'false'} ;; esac; then\n{lie}\nelse exec {real}; fi\n")
        path.chmod(0o755)
        return path

    def setUp(self):
        super().setUp()
        self.check("lower", SAMPLES / "masked_attention.pt2", "--to", "linalg-on-tensors", "-o", self.work / "other")
        self.others = dict(zip(("raw", "torch", "linalg"), sorted((self.work / "other").glob("*.mlir"))))

    def of_the_program(self, out):
        """An answer without what it says of the engine, and times."""
        out = re.sub(r'"seconds": \{[^}]*\}', "", out)
        out = re.sub(r'(\\n)+"', '"', out)  # an empty line at the end of a text
        out = re.sub(r'"(version|sha256|argv|bytes|note)": ?("[^"\n]*"|\[[^\]]*\]|[0-9]+)', "", re.sub(r"(?m)sha256 \w+|^note: rules .*\n|[0-9]+ bytes|[0-9.]+ +s\b", "", out))
        return re.sub(r'"[a-z_]*(seconds|memory)": [-0-9.e]+', "", out)

    def test_in_a_stage(self):
        """What is said is what is said with an engine that does not lie, as a lie in what is not used is none; or it is not known."""
        honest, to = {}, ("--to", "linalg-on-tensors")
        for stage, lie in list(itertools.product((*STAGES, "all"), LIES))[::SHARE]:
            for command in self.commands(COMMANDS_TO_LINALG):
                with self.subTest(command=command, stage=stage, lie=lie):
                    if command not in honest:
                        status, out, _ = self.run_command(command, to, self.liar("raw", "REAL"), 20)
                        honest[command] = status, self.of_the_program(out)
                    status, out, err = self.run_command(command, to, self.liar(stage, lie), 20)
                    is_said = command.startswith("trace") and '"untraced": "differs"' in out  # of the engine: it contradicts itself
                    if (status, self.of_the_program(out)) != honest[command] and not is_said:
                        self.blames_nobody(status, out, err, (command, stage, lie))

    def test_is_not_kept(self):
        """An engine that lies once: what it said then is not in what is kept of earlier runs."""
        lies = self.work / "lies"
        engine = self.work / "engine"
        for lie in ("echo 'module {}'", "exit 1", "exec REAL | head -c -30", "kill -9 $$"):
            lie = lie.replace("exec REAL", f"{ENGINE} \"$@\"")
            engine.write_text(f"#!/bin/sh\ncase \"$*\" in *--pass-pipeline=*) [ -e {lies} ] && {{ {lie}; exit; }} ;; esac\nexec {ENGINE} \"$@\"\n")
            engine.chmod(0o755)
            ask = ("diagnose", SAMPLES / "masked_attention.pt2", "--to", "tosa", "--json")
            lies.touch()
            status, out, err = self.run_cli(*ask, engine=engine)
            self.blames_nobody(status, out, err, lie)
            lies.unlink()
            after = normalized(self.check(*ask, engine=engine, code=1), "json")
            self.assertEqual(after, normalized(self.check(*ask, engine=engine, code=1), "json"))
            self.assertTrue(after["fixes"] if "fixes" in after else after["findings"])


@needs_engine
class Kills(Known):
    """Engines that are killed from outside, at random moments: what is said is what is said of a quiet run, or that it is not known."""
    RUNS = {"sweep": (("sweep", *sorted(SAMPLES.glob("*.pt2")), "--to", "tosa,stablehlo", "--no-experiments", "-o", "-"), "lines"),
            "diagnose": (("diagnose", SAMPLES / "masked_attention.pt2", "--to", "tosa", "--json"), "json"),
            "trace": (("trace", SAMPLES / "masked_attention.pt2", "--to", "linalg-on-tensors", "--json"), "json"),
            "lower": (("lower", SAMPLES / "transformer_block.pt2", "--to", "stablehlo", "--json"), "json"),
            "compare": (("compare", ADDMM, "--to", "linalg-on-tensors,tosa", "--json"), "json"),
            "support": (("support", "aten.relu", "aten.topk", "aten.gelu", "--measure", "--again", "--json"), "json")}

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
                    os.kill(child, dice.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
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
            if isinstance(got.get("notes"), list):
                got = {**got, "notes": [note for note in got["notes"] if "tried are unknown" not in str(note)]}
            if got.get("kind") == "illegal-op" and got.get("tried") is None:
                got = {**got, **{key: quiet.get(key) for key in ("kind", "title", "tried")}}
            return {key: self.known(value, quiet.get(key)) for key, value in got.items()}
        if isinstance(got, list) and isinstance(quiet, list) and len(got) == len(quiet):
            return [self.known(*pair) for pair in zip(got, quiet)]
        return got

    def nothing_false(self, name):
        dice = random.Random(f"{SEED} {name}")
        arguments, form = self.RUNS[name]
        status, out, err = self.run_cli(*arguments)
        quiet = normalized(out, form)
        kills = 0
        for turn in range(16 * KILLED_RUNS):
            if turn >= KILLED_RUNS and kills >= KILLED_RUNS:
                break  # a run that ends soon may escape
            with self.subTest(turn=turn):
                got, out, err, done = self.killed(arguments, dice, 4)
                kills += done
                if form == "lines":
                    for line, right in zip(normalized(out, form), quiet, strict=True):
                        if line["status"] != "abandoned":
                            blockers = [{**is_, "class": was["class"]} if is_["class"] == "illegal-op" else is_
                                for is_, was in zip(line["blockers"], right["blockers"])] if line["blockers"] else right["blockers"]
                    self.assertEqual({**line, "blockers": blockers}, right)
                elif name == "compare" and out:
                    self.assertIn(got, (status, NOT_KNOWN), err)
                    self.assertNotIn('"outcome": "crashed"', out)
                    for target, right in zip(json.loads(out)["targets"], quiet["targets"], strict=True):
                        self.assertIn(target["verdict"], (right["verdict"], "not-compared"), out)
                elif got == NOT_KNOWN:
                    self.blames_nobody(got, out, err, arguments)
                else:
                    self.assertEqual((got, self.known(normalized(out, form), quiet)), (status, quiet), err)
        self.assertGreaterEqual(kills, KILLED_RUNS)

    def test_in_a_sweep(self):
        self.nothing_false("sweep")

    def test_in_a_diagnosis(self):
        self.nothing_false("diagnose")

    def test_in_a_trace(self):
        self.nothing_false("trace")

    def test_in_a_lowering(self):
        self.nothing_false("lower")

    def test_in_a_comparison(self):
        self.nothing_false("compare")

    def test_in_a_measurement(self):
        self.nothing_false("support")


if __name__ == "__main__":
    unittest.main()
