# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A full disk at every write of every command, a full standard output, and kills: one error that says so with its exit code, nothing said of
the program that is not so, nothing half under a name, nothing beside it. The disk is a small file system in memory, mounted for this process
alone. Each command runs with a few sizes; `full_disk_test.py --all-sizes` tries many, from 0 to 2 MB."""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
import unittest
import zipfile

from support import CLI, ENGINE, FAKE_PROBE, SAMPLES, CliTest, needs_engine

ALL_SIZES = "--all-sizes" in sys.argv
SIZES = [0, 4096, 8192, *range(16384, 131072, 16384), *range(131072, 2 << 20, 131072), 2 << 20] if ALL_SIZES else [0, 16 << 10, 96 << 10]
ROOM = 64 << 20
KILLS = 40 if ALL_SIZES else 4
DISK_FULL = 5
SAID = "cannot be written: No space left on device; free some space there, or use another folder (-o, TMPDIR)"

ADDMM, GELU, ATTENTION, CUSTOM = (SAMPLES / f"{name}.pt2" for name in ("addmm", "tanh_gelu", "masked_attention", "custom_op"))


def mounts_of_its_own():
    """Whether this process may mount; starts it again in a mount namespace first."""
    if os.environ.get("FXS_OWN_MOUNTS"):
        return True
    unshare = ["unshare", "--mount", "--propagation", "private", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    if shutil.which("unshare") and subprocess.run([*unshare, "true"], capture_output=True).returncode == 0:
        os.environ["FXS_OWN_MOUNTS"] = "1"
        os.execvp("unshare", [*unshare, sys.executable, "-B", *sys.argv])
    return False


def timeless(text):
    return re.sub(r" +<?-?[0-9.]+ (ms|s)\b", " TIME", re.sub(r'("[a-z_]*seconds[a-z_]*"|"seconds"): [0-9.e-]+', r"\1: 0", text))


class DiskTest(CliTest):
    def setUp(self):
        super().setUp()
        if not os.environ.get("FXS_OWN_MOUNTS"):
            self.skipTest("this user may not mount a file system in a namespace of its own")
        self.disk = self.work / "disk"
        self.disk.mkdir()

    def mount(self):
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", self.disk], check=True)

    def unmount(self):
        subprocess.run(["umount", self.disk], check=True)

    def leave(self, room):
        """Fills the disk, but for so many bytes."""
        with open(self.disk / "filler", "wb") as filler:
            free = os.statvfs(self.disk).f_bavail * os.statvfs(self.disk).f_frsize
            os.posix_fallocate(filler.fileno(), 0, max(free - room, 1))

    def run_with(self, args, env, stdout=subprocess.PIPE):
        done = subprocess.run([CLI, *map(str, args)], stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                              env={**self.environment(ENGINE), **{name: str(value) for name, value in env.items()}}, timeout=300)
        return done.returncode, (done.stdout or b"").decode(), done.stderr.decode()

    def files(self):
        """Path and bytes of every file on the disk."""
        return {str(path.relative_to(self.disk)): path.read_bytes() for path in sorted(self.disk.rglob("*"))
                if path.is_file() and path.name != "filler"}

    def attempt(self, args, env, room, before):
        self.mount()
        try:
            for name, text in before.items():
                (self.disk / name).write_bytes(text)
            for folder in ("tmp", "cache", "data"):
                (self.disk / folder).mkdir()
            if room is not None:
                self.leave(room)
            return self.run_with(args, env), self.files()
        finally:
            self.unmount()

    def said_full(self, ended, where=""):
        code, out, err = ended
        self.assertEqual((code, out), (DISK_FULL, ""), err)
        self.assertRegex(err, r"\A(\[\d+/\d+\] .*\n)*fxscope-cli: [^\n]*" + re.escape(where) + r"[^\n]*: " + re.escape(SAID) + r"\n\Z")

    def at_every_size(self, *args, env={}, before={}, where="", needs=True, sizes=None):
        """Runs the command on a disk with room, then on small ones. `before`: files that are there. What a failed run leaves must be whole
        files of those of the run with room, and none that says what the others are."""
        args = [str(arg).replace("DISK", str(self.disk)) for arg in args]
        env = {name: value.replace("DISK", str(self.disk)) for name, value in env.items()}
        whole, files = self.attempt(args, env, None, before)
        self.assertIn(whole[0], (0, 1), whole[2])
        failed = 0
        for room in sizes or SIZES:
            with self.subTest(args=args[0], room=room):
                ended, left = self.attempt(args, env, room, before)
                if ended[0] == whole[0]:
                    self.assertEqual([timeless(text) for text in ended[1:]], [timeless(text) for text in whole[1:]])
                    self.assertEqual(set(left) - {name for name in left if name.startswith("cache/")},
                                     set(files) - {name for name in files if name.startswith("cache/")})
                    continue
                failed += 1
                self.said_full(ended, where)
                self.assertEqual(set(left) - set(files), set())
                for name, bytes in left.items():
                    self.assertNotIn(name.rpartition("/")[2], ("lower.json", "trace.json"))
                    self.assertIn(bytes, (files[name], before.get(name)), name)
        self.assertEqual(failed > 0, needs, "no size was too small" if needs else "a disk that only caches use was needed")
        return whole, files


@needs_engine
class FullDisk(DiskTest):
    # Options that name one file, which is written as a whole, and others that are tried in tests of their own.
    FILES = (["import", ATTENTION, "-o"], ["import", ATTENTION, "--weights", "-o"], ["render", ATTENTION, "-o"],
             ["diagnose", ATTENTION, "--to", "tosa", "--no-experiments", "-o"], ["node", ATTENTION, "linear", "--to", "tosa", "-o"],
             ["registry", GELU, "-o"], ["registry", CUSTOM, "--stub"], ["bundle", ATTENTION, "--to", "tosa", "-o"],
             ["bundle", ATTENTION, "--to", "tosa", "--reduce", "-o"], ["compare", GELU, "--to", "linalg-on-tensors", "-o"],
             ["compare", ADDMM, "--to", "tosa", "--engine", ENGINE, "--engine", ENGINE, "-o"], ["sweep report", "RESULTS", "-o"],
             ["lower", ADDMM, "--to", "linalg-on-tensors", "--tool", "mlir-opt-22", "--pass-pipeline",
              "builtin.module(one-shot-bufferize{bufferize-function-boundaries})", "--export-test"],
             ["trace", ADDMM, "--to", "linalg-on-tensors", "--pass", "12", "--export-test"], ["fix", ATTENTION, "--to", "tosa", "-o"])
    OTHERS = {"fix --python", "lower -o", "registry --graph-driver", "report -o", "trace -o", "run -o", "split -o", "sweep -o"}
    READ = {"serve --folder", "sweep report --folder", "sweep report --against"}

    def test_a_file_that_an_option_names(self):
        before = {"x": b"before"}
        results = self.work / "r.jsonl"
        self.run_cli("sweep", ADDMM, "--to", "tosa", "-o", results)
        for args in self.FILES:
            args = [results if arg == "RESULTS" else arg for arg in args]
            slow = args[0] == "compare"  # what is lowered is run, too
            _, files = self.at_every_size(*args[0].split(), *args[1:], "DISK/x", before=before, where="disk/x",
                                          sizes=None if ALL_SIZES and not slow else [0])
            self.assertEqual(set(files), {"x"})
            self.assertNotEqual(files["x"], b"before")

    def test_every_option_that_names_a_file_is_tried(self):
        tried = {f"{args[0]} {args[-1]}" for args in self.FILES} | self.OTHERS
        for command in re.findall(r"^  ([a-z]+(?: [a-z]+)?)  ", self.check("--help"), re.M):
            named = re.findall(r"^  (-[-a-z]+) +(?:OUT|DIR|[A-Z]+\.[a-z0-9]+)", self.check(*command.split(), "--help"), re.M)
            self.assertEqual([f"{command} {option}" for option in named if f"{command} {option}" not in tried | self.READ], [])

    def test_a_picture(self):
        if not (SAMPLES.parent and os.access(os.path.join(os.path.dirname(CLI), "fxscope-raster"), os.X_OK)):
            self.skipTest("this build draws no PNG")
        self.at_every_size("render", ATTENTION, "-o", "DISK/x.png", where="disk/x.png")

    def test_a_page(self):
        self.at_every_size("render", ATTENTION, "--layer", "flops", "-o", "DISK/x.html", where="disk/x.html")

    def test_a_fixed_program_and_its_python(self):
        self.at_every_size("fix", ATTENTION, "--to", "tosa", "-o", "DISK/fixed.pt2", "--python", "DISK/fixed.py", before={"fixed.pt2": b"before"})

    def test_a_folder_of_stages(self):
        for sample in (GELU, ATTENTION):
            self.at_every_size("lower", sample, "--to", "tosa", "-o", "DISK/out", where="disk/out")

    def test_a_folder_of_a_report(self):
        self.at_every_size("report", ATTENTION, "--to", "tosa", "-o", "DISK/out", where="disk/out", sizes=[0, 4096])

    def test_a_folder_of_a_graph_driver(self):
        for sample in (ADDMM, ATTENTION):
            self.at_every_size("registry", sample, "--graph-driver", "DISK/out", where="disk/out")

    def test_a_folder_of_passes(self):
        for to in ("linalg-on-tensors", "tosa"):
            self.at_every_size("trace", ATTENTION, "--to", to, "-o", "DISK/out", where="disk/out")

    def test_temporary_files(self):
        env = {"TMPDIR": "DISK/tmp"}
        for args in (["trace", GELU, "--to", "linalg-on-tensors"], ["trace", ATTENTION, "--to", "tosa"],
                     ["trace", GELU, "--to", "linalg-on-tensors", "--node", "gelu", "--patterns"]):
            self.at_every_size(*args, env=env, where="disk/tmp")
        # In a folder, a bundle has a name of its own.
        self.at_every_size("bundle", ATTENTION, "--to", "tosa", "-o", "DISK/tmp", where="disk/tmp")

    def test_programs_and_values(self):
        temporary = {"TMPDIR": str(self.disk / "tmp")}
        for args, env, where in ((["run", GELU, "--to", "linalg-on-tensors"], temporary, "disk/tmp"),
                                 (["compare", GELU, "--to", "linalg-on-tensors,tosa"], temporary, "disk/tmp")):
            ended, left = self.attempt(args, env, 0, {})
            self.said_full(ended, where)
            self.assertEqual(left, {})
            if ALL_SIZES:  # executors take seconds
                self.at_every_size(*args, env=env, where=where)
        if ALL_SIZES:
            self.at_every_size("run", GELU, "--to", "linalg-on-tensors", "-o", "DISK/out", where="disk/out")
        self.at_every_size("split", ADDMM, "--to", "torch", "-o", "DISK/out", where="disk/out", sizes=None if ALL_SIZES else [0])

    def test_results_of_a_sweep_are_whole_lines(self):
        zoo = self.work / "zoo"
        zoo.mkdir()
        for sample in (ADDMM, GELU, ATTENTION):
            shutil.copy(sample, zoo)
        for room in SIZES if ALL_SIZES else [0, 4096]:
            ended, left = self.attempt(["sweep", zoo, "--to", "linalg-on-tensors,tosa", "--no-experiments", "-o", self.disk / "r.jsonl"], {}, room, {})
            text = left["r.jsonl"].decode()
            self.assertTrue(text == "" or text.endswith("\n"))
            lines = [json.loads(line) for line in text.splitlines()]
            self.assertEqual(len({line["program"] for line in lines}) * 2, len(lines))
            self.assertEqual([line["status"] for line in lines if line["status"] not in ("ok", "failed")], [])
            if ended[0] not in (0, 1):
                self.said_full(ended, "disk/r.jsonl")
        self.assertIn(ended[0], (0, 1, DISK_FULL))

    def test_temporary_files_of_a_sweep_are_no_results(self):
        zoo = self.work / "zoo"
        zoo.mkdir()
        shutil.copy(SAMPLES / "merge_heads.pt2", zoo)  # breaks a contract, so that its passes are traced
        ended, left = self.attempt(["sweep", zoo, "--to", "linalg-on-tensors", "-o", self.work / "r.jsonl"], {"TMPDIR": str(self.disk / "tmp")}, 0, {})
        self.said_full(ended, "disk/tmp")
        self.assertEqual((self.work / "r.jsonl").read_text(), "")

    def test_a_cache_is_not_needed(self):
        env = {"XDG_CACHE_HOME": "DISK/cache"}
        for args in (["lower", ATTENTION, "--to", "tosa"], ["diagnose", ATTENTION, "--to", "tosa"], ["trace", GELU, "--to", "tosa"]):
            self.at_every_size(*args, env=env, needs=False, sizes=None if ALL_SIZES else [0, 4096])

    def test_what_is_stored_on_request(self):
        self.at_every_size("support", "aten.relu", "--measure", env={"XDG_CACHE_HOME": "DISK/cache"}, where="disk/cache", sizes=None if ALL_SIZES else [0])
        wheel = self.work / "engine.whl"
        with zipfile.ZipFile(wheel, "w") as out:
            out.writestr("torch_mlir/_mlir_libs/torch-mlir-opt", FAKE_PROBE + "exit 0\n#" + "x" * (100 << 10))
        self.at_every_size("engine", "add", "one", wheel, env={"XDG_DATA_HOME": "DISK/data"}, where="disk/data", sizes=None if ALL_SIZES else [0, 32 << 10])

    def test_a_disk_without_room_for_names(self):
        self.mount()
        try:
            subprocess.run(["mount", "-o", f"remount,size={ROOM},nr_inodes=2", self.disk], check=True)
            (self.disk / "filler").write_bytes(b"")
            self.said_full(self.run_with(["import", ADDMM, "-o", self.disk / "x"], {}), "disk/x")
            self.said_full(self.run_with(["lower", ADDMM, "--to", "tosa", "-o", self.disk / "out"], {}), "disk/out")
            self.said_full(self.run_with(["trace", ADDMM, "--to", "tosa"], {"TMPDIR": self.disk}), "disk")
            self.assertEqual(self.files(), {})
        finally:
            self.unmount()

    def test_a_kill_leaves_nothing_beside_the_file(self):
        chance = random.Random(5)
        for args, name in ((["bundle", ATTENTION, "--to", "tosa"], "x.zip"), (["fix", ATTENTION, "--to", "tosa"], "x.pt2"),
                           (["render", ATTENTION], "x.svg")):
            command = [CLI, *map(str, args), "-o", str(self.disk / name)]
            begin = time.monotonic()
            subprocess.run(command, capture_output=True, env=self.environment(ENGINE), timeout=300)
            takes = time.monotonic() - begin
            whole = (self.disk / name).read_bytes()
            for _ in range(KILLS):
                if chance.random() < 0.5:
                    (self.disk / name).unlink(missing_ok=True)
                there = self.files()
                process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment(ENGINE))
                time.sleep(chance.uniform(0, takes))
                process.kill()
                process.wait()
                self.assertIn(self.files(), (there, {name: whole}))
            (self.disk / name).unlink(missing_ok=True)


@needs_engine
class FullOutput(CliTest):
    """Standard output is a disk that is full."""

    def commands(self):
        self.check("lower", ADDMM, "--to", "torch", "-o", self.work / "stages")
        self.run_cli("bundle", ATTENTION, "--to", "tosa", "-o", self.work / "b.zip")
        self.check("engine", "add", "one", ENGINE)
        self.run_cli("sweep", ADDMM, "--to", "tosa", "-o", self.work / "r.jsonl")
        stage = self.work / "stages/01-torch.mlir"
        return [["bundle", ATTENTION, "--to", "tosa", "-o", self.work / "c.zip"], ["compare", ADDMM, "--to", "torch", "--engine", ENGINE, "--engine", "one"],
                ["completion", "bash"], ["diagnose", ADDMM, "--to", "tosa"], ["diff", stage, stage], ["engine"], ["engine", "add", "two", ENGINE],
                ["engine", "bisect", ADDMM, "--to", "torch", "--engine", ENGINE, "--engine", "one"], ["engine", "list"], ["explain"],
                ["fix", ATTENTION, "--to", "tosa", "-o", self.work / "f.pt2"], ["import", ADDMM], ["inspect", ADDMM], ["lower", ADDMM, "--to", "tosa"],
                ["man", "fxscope-cli"], ["node", ADDMM, "addmm", "--to", "tosa"], ["normalize", ADDMM], ["notes", ADDMM], ["passes", "cse"], ["registry", ADDMM],
                ["lit", stage], ["render", ADDMM], ["replay", self.work / "b.zip"], ["report", ATTENTION, "--to", "tosa"], ["run", ADDMM, "--to", "torch"],
                ["split", ADDMM, "--to", "torch", "-o", self.work / "programs"], ["support", "aten.relu"],
                ["sweep", ADDMM, "--to", "tosa", "-o", "-"], ["sweep", "report", self.work / "r.jsonl"], ["trace", ADDMM, "--to", "torch"],
                ["--version"], ["--help"]]

    def test_every_command_says_so(self):
        commands = self.commands()
        known = re.findall(r"^  ([a-z]+(?: [a-z]+)?)  ", self.check("--help"), re.M)
        covered = {" ".join(map(str, args[:2])) for args in commands} | {str(args[0]) for args in commands}
        # What needs a network, what prints nothing, and what answers requests (mcp_test.py).
        self.assertEqual([name for name in known if name not in covered and name not in ("engine fetch", "engine remove", "serve")], [])
        for args in commands:
            with self.subTest(args=args[:2]), open("/dev/full", "wb") as full:
                done = subprocess.run([CLI, *map(str, args)], stdout=full, stderr=subprocess.PIPE, env=self.environment(ENGINE), timeout=300)
                said = re.sub(r"(?m)^\[\d+/\d+\] .*\n", "", done.stderr.decode())  # the progress of a sweep
                self.assertEqual((done.returncode, said), (DISK_FULL, f"fxscope-cli: standard output: {SAID}\n"))


if __name__ == "__main__":
    if mounts_of_its_own():
        sys.argv = [arg for arg in sys.argv if arg != "--all-sizes"]
    unittest.main()
