# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of kilobytes that used to end the program, or to cost gigabytes and minutes: each is refused, or costs little."""
import json
import os
import resource
import signal
import subprocess
import time
import unittest

from support import CLI, SAMPLES, SANITIZER_OPTIONS, CliTest, limit_memory

MEMORY = 2 << 30
NOBODY = 65534


def tensor(shape, dtype="float32"):
    strides = []
    for size in reversed(shape):
        strides.insert(0, strides[0] * max(shape[-len(strides)], 1) if strides else 1)
    return {"kind": "Tensor", "shape": shape, "stride": strides, "dtype": dtype, "device": "cpu"}


def placeholder(name, shape, dtype="float32"):
    return {"op": "placeholder", "name": name, "target": name, "meta": {"val": tensor(shape, dtype)}}


def call(name, target, args, value):
    return {"op": "call_function", "name": name, "target": target, "args": args, "meta": {"val": value}}


def node(name):
    return {"node": name}


def constant(value):
    return {"const": value}


def ints(*values):
    return {"list": [constant(v) for v in values]}


class UnboundedWork(CliTest):
    def program(self, *nodes):
        path = self.work / "hostile.json"
        last = {"op": "output", "name": "output", "target": "output", "args": [{"tuple": [node(nodes[-1]["name"])]}]}
        path.write_text(json.dumps({"schema": "fxscope-fx/1", "torch": "2.13.0", "graphs": [{"name": "main", "nodes": [*nodes, last]}]}))
        return path

    def log(self, text):
        path = self.work / "hostile.log"
        path.write_text(text)
        return path

    def limited(self, *args):
        """As run_cli, in 2 GiB of memory and 60 s, which sanitizers make ten times as long."""
        done = subprocess.run([CLI, *map(str, args)], capture_output=True, env=self.environment(None), timeout=600 if SANITIZER_OPTIONS else 60,
                              preexec_fn=lambda: limit_memory(MEMORY))
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def refusals(self, path):
        status, out, err = self.limited("registry", path, "--json")
        self.assertEqual(status, 1, err)
        return [r for n in json.loads(out)["nodes"] for r in n["refusals"]]

    def test_sizes_that_go_below_zero_are_refused(self):
        path = self.program(placeholder("x", [1, 3, 8, 8]), placeholder("w", [4, 3, 3, 3]),
                            call("conv", "aten.convolution.default",
                                 [node("x"), node("w"), constant(None), ints(1, 1), ints(1, 4096), ints(1, 1), constant(False), ints(0, 0),
                                  constant(1)], tensor([1, 4, 8, 8])))
        self.assertEqual(self.refusals(path),
                         ["tosa: incompatible sizes: -4086 elements from 0 on are out of range for size 8",
                          "linalg: the recorded sizes are not those of the windows"])

    def test_indices_of_another_rank_are_refused(self):
        path = self.program(placeholder("x", [2, 3, 4]), placeholder("i", [5], "int64"),
                            call("gather", "aten.gather.default", [node("x"), constant(2), node("i")], tensor([5])))
        self.assertEqual(self.refusals(path),
                         ["linalg: incompatible sizes: dimension 2 is out of range for rank 1"])

    def test_a_split_into_a_trillion_parts_is_refused(self):
        path = self.program(placeholder("x", [1 << 40]),
                            call("split", "aten.split.Tensor", [node("x"), constant(1)], {"kind": "tuple", "elements": [tensor([1])]}))
        self.assertIn("linalg: the program records a different number of parts", self.refusals(path))

    def test_constants_that_may_each_be_each_other_are_refused(self):
        module = "module {\n" + "".join(f'  %k{i} = "tosa.const"() : () -> f32\n' for i in range(15_000))
        text = "".join(f"// -----// IR Dump After A: a{i} //----- //\n{module}  x.y{i}\n}}\n" for i in range(2))
        status, out, err = self.limited("trace", self.log(text))
        self.assertEqual((status, out), (3, ""))
        self.assertEqual(err, "fxscope-cli: the trace: constants without locations: exceeds the limit of 100,000,000 values for one "
                              "input; if you trust it, raise the limit with --limit values=..\n")

    def functions(self):
        text = "// -----// IR Dump After A: a //----- //\nmodule {\n  func.func @main() {\n    return\n  }\n" + "x.y\n" * 50_000 + "}\n"
        for i in range(10_000):
            text += f"// -----// IR Dump After B: b ('func.func' operation: @main) //----- //\nfunc.func @main() {{\n  x.z{i % 2}\n  return\n}}\n"
        return self.log(text)

    def test_a_log_of_functions_makes_no_gigabytes_of_modules(self):
        path = self.functions()
        status, out, err = self.limited("trace", path)
        self.assertEqual((status, out), (3, ""))
        self.assertEqual(err, f"fxscope-cli: {path}: it contains functions, and expanding each to its module makes it more than 16 "
                              "times as long; record the log with --mlir-print-ir-module-scope\n")

    def test_an_interrupt_ends_it_within_a_second(self):
        path = self.functions()
        running = subprocess.Popen([CLI, "trace", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment(None))
        time.sleep(0.5)
        running.send_signal(signal.SIGINT)
        sent = time.monotonic()
        running.communicate(timeout=30)
        self.assertLess(time.monotonic() - sent, 3)  # within one second; a busy machine is slower
        self.assertNotEqual(running.returncode, 0)

    def test_no_graph_of_that_number_is_an_error_wherever_the_number_stands(self):
        path = self.work / "k.json"
        nodes = [{"op": "call_function", "name": "f", "target": "helion.language._tracing_ops._for_loop",
                  "kwargs": {"graph_id": constant(7)}, "meta": {}},
                 {"op": "output", "name": "output", "target": "output", "args": [constant(None)], "kwargs": {}, "meta": {}}]
        path.write_text(json.dumps({"schema": "helion-device-ir/1", "root_ids": [0],
                                    "graphs": [{"graph_id": 0, "type": "RootGraphInfo", "nodes": nodes}]}))
        self.refuses("inspect", path, code=3, message=f"{path}: graphs[0].nodes[0]: there is no graph 7; the file has 1")


@unittest.skipIf(SANITIZER_OPTIONS, "sanitizers reserve address space and start threads")
class LittleIsLeft(CliTest):
    """What cannot be had is one error with a documented exit code, or is done without."""
    CODES = (0, 1, 2, 3, 4, 70, 130)
    LOADER = (b"error while loading shared libraries", b"cannot allocate TLS data structures")  # of the dynamic loader

    def ended(self, done, what):
        self.assertIn(done.returncode, self.CODES, (what, done))
        if done.returncode == 4 and done.stdout:
            self.assertIn(b"not known whether it lowers: it reached a limit", done.stdout, what)
        elif done.returncode > 1:
            self.assertEqual(done.stderr.count(b"\n"), 1, (what, done))
            self.assertTrue(done.stderr.startswith(b"fxscope-cli: "), (what, done))

    def test_address_space(self):
        commands = (("--version",), ("--help",), ("inspect", SAMPLES / "addmm.pt2"), ("diagnose", SAMPLES / "addmm.pt2", "--to", "tosa"))
        lasts = {}
        for kilobytes in (*range(30_000, 120_000, 3_000), 160_000, 200_000, 280_000, 400_000):
            for command in commands:
                done = subprocess.run([CLI, *map(str, command)], capture_output=True, env=self.environment(None), timeout=60,
                                      preexec_fn=lambda: limit_memory(kilobytes << 10))
                if done.returncode == 127 and any(text in done.stderr for text in self.LOADER):
                    continue
                self.ended(done, (kilobytes, command))
                lasts[command] = done.returncode
        self.assertEqual([lasts[command] for command in commands[:3]], [0, 0, 0])

    def test_processes(self):
        def one_process():
            resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
            if os.getuid() == 0:  # root is not limited
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
        if subprocess.run([CLI, "--version"], capture_output=True, user=NOBODY if os.getuid() == 0 else None).returncode != 0:
            self.skipTest("another user cannot run fxscope-cli where it is")
        engine = self.fake_engine("cat")
        os.chmod(self.work, 0o755)
        for command, code in ((("--version",), 0), (("inspect", SAMPLES / "addmm.pt2"), 0), (("lower", SAMPLES / "addmm.pt2", "--to", "tosa"), 4)):
            done = subprocess.run([CLI, *map(str, command)], capture_output=True, env=self.environment(engine), timeout=60, preexec_fn=one_process)
            self.ended(done, command)
            self.assertEqual(done.returncode, code, (command, done))


if __name__ == "__main__":
    unittest.main()
