# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the engine, and a Python, may do on this machine: fxscope-cli runs both in a cage, without what they could inherit."""
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest
import zipfile

from support import CLI, ENGINE, SAMPLES, SOURCE, CliTest, needs_engine

ATTENTION = SAMPLES / "masked_attention.pt2"
ADDMM = SAMPLES / "addmm.pt2"
PINNED = re.search(r"^program torch-mlir-opt (\w{64})$", (SOURCE / "resources/engine/pinned.txt").read_text(), re.M)[1]
VERSION = re.search(r"^wheel \S+ (\S+) ", (SOURCE / "resources/engine/pinned.txt").read_text(), re.M)[1]
MODULE = "module {}"


class CageTest(CliTest):
    """Nothing is excepted from these cages, and every variable that could do harm is set."""

    def setUp(self):
        super().setUp()
        self.here = self.work / "here"
        self.temporary = self.work / "tmp"
        for folder in (self.here, self.temporary):
            folder.mkdir()

    def environment(self, engine):
        env = super().environment(engine)
        del env["FXSCOPE_CAGE_WRITE"]
        return env | {"TMPDIR": str(self.temporary), "FXSCOPE_TEST_TOKEN": "secret", "PYTHONPATH": str(self.here)}

    def run_here(self, *args, engine=ENGINE, timeout=300, **variables):
        done = subprocess.run([CLI, *map(str, args)], capture_output=True, env=self.environment(engine) | variables, cwd=self.here,
                              timeout=timeout, text=True)
        return done.returncode, done.stdout, done.stderr

    def script(self, path, body):
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return path

    def skip_unless(self, what):
        cage = {wall["what"]: wall for wall in json.loads(self.run_here("engine", "--json", engine=self.fake_engine("cat"))[1])["cage"]}
        if not cage[what]["held"]:
            self.skipTest(f"{what}: {cage[what]['message']}")


class EngineCommand(CageTest):
    def test_it_says_what_the_cage_holds(self):
        engine = self.fake_engine("cat")
        status, out, err = self.run_here("engine", "--json", engine=engine)
        self.assertEqual((status, err), (0, ""))
        walls = self.check_json("engine", out)["cage"]
        self.assertEqual([wall["what"] for wall in walls], ["files", "network", "processes", "signals", "limits"])
        text = self.run_here("engine", engine=engine)[1]
        self.assertTrue(text.endswith("".join(f"{'cage' if i == 0 else '':9} {w['what']}: {w['message']}\n" for i, w in enumerate(walls))), text)


class Engine(CageTest):
    def answers(self, script):
        """What a script that is an engine prints as an error for a module."""
        engine = self.fake_engine(f"exec 2>&1\n{{ {script}; }} | sed 's/^/said: /' >&2; exit 1")
        text = engine.read_text().replace("exec 2>&1\n", "")
        engine.write_text(text)
        status, out, err = self.run_here("lower", ADDMM, "--to", "torch", "--json", "--full-paths", engine=engine)
        self.assertEqual((status, err), (4, ""), out)  # an engine that gives no reason
        return [line[6:] for line in json.loads(out)["stages"][0]["stderr"].splitlines() if line.startswith("said: ")]

    def test_it_writes_nowhere(self):
        self.skip_unless("files")
        targets = [self.here / "written", self.work / "written", self.temporary / "written", pathlib.Path("/tmp/fxscope-cage-test")]
        said = self.answers("; ".join(f"(echo x > {t}) 2>&1" for t in targets) + f"; rm -rf {self.here} 2>&1")
        self.assertEqual(len([line for line in said if "ermission denied" in line]), 5, said)
        self.assertTrue(self.here.is_dir())
        self.assertFalse(any(t.exists() for t in targets))

    def test_it_reaches_no_network(self):
        self.skip_unless("network")
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            connect = f"/usr/bin/python3 -I -c 'import socket; socket.create_connection((\"127.0.0.1\", {port})); print(\"reached\")' 2>&1 | tail -n 1"
            self.assertEqual(self.answers(connect), ["PermissionError: [Errno 1] Operation not permitted"])

    def test_it_inherits_no_variable(self):
        self.assertEqual([line for line in self.answers("env | sort") if not line.startswith(("PWD=", "OLDPWD=", "SHLVL=", "_=", "ASAN_"))],
                         ["LANG=C.UTF-8", "PATH=/usr/local/bin:/usr/bin:/bin", "TMPDIR=/tmp"])

    def test_folder_that_the_user_allows(self):
        engine = self.fake_engine(f"cat > {self.here}/seen; cat {self.here}/seen")
        status, _, _ = self.run_here("lower", ADDMM, "--to", "torch", engine=engine, FXSCOPE_CAGE_WRITE=str(self.here))
        self.assertIn("func.func @main", (self.here / "seen").read_text())

    def test_name_is_looked_up_in_the_search_path_only(self):
        """What lies in the current folder is neither run nor hashed for it."""
        bin_ = self.work / "bin"
        bin_.mkdir()
        good = self.fake_engine("cat").rename(bin_ / "my-engine")
        self.script(self.here / "my-engine", "echo '  LLVM version 66.6.6'; touch ran")
        path = f".::{bin_}:" + os.environ["PATH"]
        status, out, err = self.run_here("engine", "--engine", "my-engine", "--json", PATH=path)
        self.assertEqual((status, err), (0, ""))
        answer = json.loads(out)
        self.assertEqual((answer["path"], answer["version"]), (str(good), "LLVM 99.0.0fake"))
        self.assertEqual(answer["sha256"], subprocess.check_output(["sha256sum", good], text=True).split()[0])
        self.assertFalse((self.here / "ran").exists())
        self.assertEqual(self.run_here("engine", "--engine", "no-such-engine", PATH=path),
                         (4, "", "fxscope-cli: engine no-such-engine: no such program in PATH, and no known engine; run 'fxscope-cli engine fetch' to install one, or pass another with "
                          "--engine or FXSCOPE_ENGINE ('fxscope-cli engine list' lists the known ones)\n"))


class InstalledEngine(CageTest):
    def setUp(self):
        super().setUp()
        self.place = self.work / "data/fxscope/engines" / VERSION / "torch-mlir-opt"
        self.place.parent.mkdir(parents=True)

    def refusal(self, found):
        return (4, "", f"fxscope-cli: engine {self.place}: it is not the pinned one (SHA-256 {found[:12]}.., expected "
                       f"{PINNED[:12]}..), and was not run; remove it and run 'fxscope-cli engine fetch' to install it again, or put your own engine elsewhere and pass it with --engine or FXSCOPE_ENGINE\n")

    def test_one_that_was_changed_is_not_run(self):
        ran = self.here / "ran"
        self.script(self.place, f"touch {ran}; echo '  LLVM version 23.0.0git'")
        found = subprocess.check_output(["sha256sum", self.place], text=True).split()[0]
        self.assertEqual(self.run_here("engine", engine=self.place, FXSCOPE_CAGE_WRITE=str(self.here)), self.refusal(found))
        self.assertEqual(self.run_here("lower", ADDMM, "--to", "torch", "--engine", self.place, FXSCOPE_CAGE_WRITE=str(self.here)), self.refusal(found))
        self.assertFalse(ran.exists())

    @needs_engine
    def test_one_that_is_changed_after_its_first_use_is_not_run(self):
        shutil.copy(ENGINE, self.place)
        if subprocess.check_output(["sha256sum", self.place], text=True).split()[0] != PINNED:
            self.skipTest("the engine of these tests is not the pinned one")
        self.assertEqual(json.loads(self.run_here("engine", "--json", engine=self.place)[1])["sha256"], PINNED)
        before = self.place.stat()
        with self.place.open("r+b") as file:  # one byte, in place, and the times set back
            file.seek(4096)
            byte = file.read(1)
            file.seek(4096)
            file.write(bytes([byte[0] ^ 1]))
        os.utime(self.place, ns=(before.st_atime_ns, before.st_mtime_ns))
        found = subprocess.check_output(["sha256sum", self.place], text=True).split()[0]
        self.assertEqual(self.run_here("engine", engine=self.place), self.refusal(found))


class TemporaryFiles(CageTest):
    @needs_engine
    def test_cold_trace_leaves_nothing(self):
        before = set(pathlib.Path("/tmp").glob("mlir_snapshot*"))
        status, _, err = self.run_here("trace", ADDMM, "--to", "tosa")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(list(self.temporary.rglob("*")), [])
        self.assertEqual(set(pathlib.Path("/tmp").glob("mlir_snapshot*")) - before, set())

    @needs_engine
    def test_trace_kept_in_a_folder_leaves_the_snapshots_only(self):
        out = self.work / "trace"
        self.assertEqual(self.run_here("trace", ADDMM, "--to", "tosa", "-o", out)[0], 0)
        kept = {entry["file"] for entry in json.loads((out / "trace.json").read_text())["snapshots"]}
        self.assertEqual({p.name for p in out.iterdir()}, kept | {"trace.json"})

    @needs_engine
    def test_what_a_killed_run_leaves_goes_with_the_next(self):
        slow = self.script(self.work / "slow", f'case "$*" in *snapshot-op-locations*timing*|*timing*snapshot-op-locations*|*filename=0*) sleep 100 ;; esac\nexec {ENGINE} "$@"')
        with subprocess.Popen([CLI, "trace", str(ADDMM), "--to", "tosa"], env=self.environment(slow), cwd=self.here,
                              stdout=subprocess.DEVNULL) as process:
            deadline = time.monotonic() + 60
            while not list(self.temporary.iterdir()):
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.05)
            process.send_signal(signal.SIGKILL)
        left = set(self.temporary.iterdir())
        self.assertTrue(left)
        self.assertEqual(self.run_here("trace", ADDMM, "--to", "tosa")[0], 0)
        self.assertEqual(list(self.temporary.iterdir()), [])


# PyTorch as far as the helper needs it to say that it can do nothing, and what a module of its name in a wrong place would do.
STUB = """
__version__ = "0.0.stub"
class Nothing:
    def __getattr__(self, name):
        raise AttributeError(name)
ops = Nothing()
"""
EVIL = """
import sys
try:
    open({marker!r}, "w")
except OSError:
    pass
print('{{"python": "evil", "torch": "' + __name__ + '"}}', flush=True)
sys.exit(0)
"""


@needs_engine
class Python(CageTest):
    def setUp(self):
        super().setUp()
        self.ran = self.here / "ran"
        version = "%d.%d" % sys.version_info[:2]
        self.python = self.work / "venv/bin/python"
        site = self.work / f"venv/lib/python{version}/site-packages"
        for folder in (self.python.parent, site / "torch/_decomp"):
            folder.mkdir(parents=True)
        base = pathlib.Path(sys.executable).resolve()
        self.python.symlink_to(base)
        (self.work / "venv/pyvenv.cfg").write_text(f"home = {base.parent}\ninclude-system-site-packages = false\n")
        (site / "torch/__init__.py").write_text(STUB)
        (site / "torch/_decomp/__init__.py").write_text("def get_decompositions(ops):\n    return {}\n")
        self.site = site
        self.version = "%d.%d.%d" % sys.version_info[:3]
        users = self.work / f".local/lib/python{version}/site-packages"  # HOME is self.work
        users.mkdir(parents=True)
        for folder in (self.here, users):
            for name in ("torch", "json", "os", "sitecustomize", "usercustomize"):
                (folder / f"{name}.py").write_text(EVIL.format(marker=str(self.ran)))
        (users / "evil.pth").write_text(f"import os; open({str(self.ran)!r}, 'w')\n")

    def python_says(self, python=None, **variables):
        status, out, err = self.run_here("diagnose", ATTENTION, "--to", "tosa", "--json", "--python", python or self.python, **variables)
        self.assertEqual((status, err), (1, ""))
        return json.loads(out)["python"]

    def test_modules_of_the_current_folder_and_of_the_environment_are_not_run(self):
        self.assertEqual(self.python_says(PYTHONSTARTUP=str(self.here / "torch.py"), PYTHONUSERBASE=str(self.work / ".local")),
                         f"Python {self.version} with PyTorch 0.0.stub ({self.python})")
        self.assertFalse(self.ran.exists())

    def test_python_in_the_current_folder_is_not_run_by_its_name(self):
        self.script(self.here / "python3", f"touch {self.ran}")
        self.assertIn("PyTorch 0.0.stub (python3)", self.python_says("auto", PATH=f".::{self.work}/none:{self.python.parent}:/usr/bin")
                      if (self.python.parent / "python3").exists() or not (self.python.parent / "python3").symlink_to(self.python.name) else "")
        self.assertFalse(self.ran.exists())

    def test_it_writes_in_its_folder_only_and_reaches_no_network(self):
        self.skip_unless("files")
        (self.site / "torch/__init__.py").write_text(STUB + f"""
import os, socket
found = []
for path in ({str(self.ran)!r}, "/tmp/fxscope-cage-test", {str(self.work / 'venv/lib/x')!r}):
    try: open(path, "w"); found.append("wrote " + path)
    except OSError: pass
for path in ("/etc/passwd", {str(ATTENTION)!r}, {str(self.here / 'torch.py')!r}):
    try: open(path).close(); found.append("read " + path)
    except OSError: pass
for attempt in (socket.socket, os.fork, lambda: os.kill(os.getppid(), 0)):
    try: attempt(); found.append(repr(attempt))
    except OSError: pass
open("own", "w").close()
found.append(" ".join(sorted(os.environ)) + " " + ",".join(os.listdir(".")) + " " + str(os.getcwd().startswith({str(self.temporary)!r})))
__version__ = "; ".join(found)
""")
        self.assertEqual(re.sub(r" ASAN_OPTIONS|ASAN_OPTIONS ", "", self.python_says()),
                         f"Python {self.version} with PyTorch HOME LANG LOGNAME PATH TMPDIR USER own True ({self.python})")
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_it_gets_a_copy_without_a_member_of_the_file(self):
        """What it is given is read here as PyTorch would: each member, wherever a pickle could be."""
        (self.site / "torch/__init__.py").write_text("""
import sys, zipfile
members = zipfile.ZipFile(sys.argv[1])
found = [name for name in members.namelist() if b"canary" in members.read(name) or b"\\x80" == members.read(name)[:1]]
raise SystemExit(f"given {sys.argv[1].rsplit('/', 1)[1]} of {len(members.namelist())} members, pickles in {found}")
""")
        program = self.work / "net.pt2"
        with zipfile.ZipFile(ATTENTION) as old, zipfile.ZipFile(program, "w") as new:
            for info in old.infolist():
                pickled = info.filename.endswith("/data/sample_inputs/model.pt")
                content = b"\x80\x02canary" if pickled else old.read(info)
                if info.filename.endswith("/model_constants_config.json"):
                    config = json.loads(content)
                    config["config"]["evil"] = {"path_name": "opaque_obj_0", "is_param": False, "use_pickle": True, "tensor_meta": None}
                    content = json.dumps(config)
                    new.writestr(info.filename.replace("model_constants_config.json", "opaque_obj_0"), b"\x80\x02canary")
                new.writestr(info, content)
        asked = {"compare": (), "diagnose": ("--numbers",), "bundle": ("--wrong", "-o", self.work / "b.zip")}
        for command, options in asked.items():
            status, out, err = self.run_here(command, program, "--to", "linalg-on-tensors", *options, "--python", self.python)
            if "no executor is installed" in err:
                self.skipTest(err.strip())
            said = re.findall(r"given (\S+) of \d+ members, pickles in (.*)", out)
            if command != "bundle":  # which says nothing where nothing is wrong
                self.assertTrue(said, out + err)
            self.assertEqual({(file, found.strip(" ;)")) for file, found in said} - {("program.pt2", "[]")}, set(), out)

    def test_answer_elsewhere_is_not_opened(self):
        (self.site / "torch/__init__.py").write_text(STUB + f"""
import json, os, sys
print(json.dumps({{"python": "3", "torch": "0"}}))
print(json.dumps({{"op": sys.argv[3], "file": {str(ATTENTION)!r}}}), flush=True)
os._exit(0)
""")
        status, out, _ = self.run_here("diagnose", ATTENTION, "--to", "tosa", "--json", "--python", self.python)
        tried = [e for f in json.loads(out)["findings"] for e in f["experiments"] if e["id"] == "torch-decompose"]
        self.assertEqual([e["message"] for e in tried], ["the Python helper returned a file outside its folder"])


if __name__ == "__main__":
    unittest.main()
