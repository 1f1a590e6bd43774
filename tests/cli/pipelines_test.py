# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stages that other tools than the engine run: they lower, fail, trace and link to nodes as those of the engine do."""
import importlib
import json
import os
import pathlib
import re
import shutil
import stat
import sys
import unittest
import unittest.mock

from support import CLI, ENGINE, SAMPLES, SOURCE, CliTest, needs_engine

ADDMM = SAMPLES / "addmm.pt2"
IREE = pathlib.Path(ENGINE).resolve().parent.parent / "iree/iree-compile"
HAS_LLVM = all(shutil.which(name) for name in ("mlir-opt-22", "mlir-translate-22", "clang-22"))
needs_llvm = unittest.skipUnless(HAS_LLVM, "no LLVM 22 here: ./run --numbers installs it")
needs_iree = unittest.skipUnless(os.access(IREE, os.X_OK), "no IREE here: ./run --numbers installs it")

COPY = "#!/bin/sh\nexec cat\n"
# The share of operations whose node is known must not fall below these: measured on the samples, less a few per cent.
FLOORS = {"loops": 0.95, "llvm-dialect": 0.95, "llvm-ir": 0.80, "assembly": 0.50, "iree-input": 0.90, "iree-flow": 0.85,
          "iree-stream": 0.80, "iree-executable-sources": 0.80, "iree-executable-targets": 0.60, "iree-cuda-dispatches": 0.85,
          "iree-ptx": 0.68, "iree-vulkan-dispatches": 0.85, "iree-spirv": 0.93, "iree-amdgcn": 0.60}


class Pipelines(CliTest):
    def types(self, *types, name="mine.json"):
        path = self.work / name
        path.write_text(json.dumps({"schema": "fxscope-output-types/1", "types": types}))
        self.check_json("output_types", path.read_text())
        return path

    def program(self, text, name="tool"):
        path = self.work / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return f"./{name}"

    def own(self, body, **members):
        """--output-types with one of a shell script, after linalg."""
        return self.types({"id": "own", "title": "Own", "after": "linalg-on-tensors", "tool": self.program("#!/bin/sh\n" + body + "\n"), **members})

    def stages(self, *args, code=0):
        status, out, err = self.run_cli("lower", *args, "--json", "-o", self.work / "out")
        self.assertEqual(status, code, out + err)
        return self.check_json("lower", out)

    def fails(self, types, status, message, *options):
        """The stage `own` of these output types fails with one line, and what was before it is kept."""
        value = self.stages(ADDMM, "--to", "own", "--output-types", types, *options, code=4)
        self.assertEqual([s["status"] for s in value["stages"]], ["ok", "ok", "ok", status])
        self.assertEqual([f["message"] for f in value["findings"]], [message])
        self.assertTrue((self.work / "out/02-linalg-on-tensors.mlir").read_text())
        self.assertFalse(list((self.work / "out").glob("03-own.*")))


@needs_engine
class OwnPrograms(Pipelines):
    def test_a_program_that_copies_its_input_keeps_the_nodes(self):
        value = self.stages(ADDMM, "--to", "own", "--output-types", self.own("exec cat"))
        self.assertEqual([(s["name"], s["status"], s["file"]) for s in value["stages"][2:]],
                         [("linalg-on-tensors", "ok", "02-linalg-on-tensors.mlir"), ("own", "ok", "03-own.mlir")])
        self.assertEqual(value["stages"][3]["coverage"], 1.0)
        self.assertEqual(value["stages"][3]["argv"][0].rsplit("/", 1)[-1], "tool")
        self.assertEqual((self.work / "out/03-own.mlir").read_text(), (self.work / "out/02-linalg-on-tensors.mlir").read_text())

    def test_files_in_and_out(self):
        tool = {"program": self.program('#!/bin/sh\necho "$1" > a.txt; echo second > b.txt; echo other > c.log; ls > /dev/null\n'),
                "arguments": ["${input}"], "output": "*.txt"}
        self.stages(ADDMM, "--to", "own", "--output-types",
                    self.types({"id": "own", "title": "Own", "after": "linalg-on-tensors", "tool": tool, "writes": "text"}))
        self.assertEqual((self.work / "out/03-own.txt").read_text(), "# a.txt\ninput.mlir\n# b.txt\nsecond\n")

    def test_a_pipeline_is_an_argument_of_a_program_that_has_a_place_for_it(self):
        tool = {"program": self.program('#!/bin/sh\necho "$@"\n'), "arguments": ["--passes=${pipeline}", "x"]}
        self.stages(ADDMM, "--to", "own", "--output-types",
                    self.types({"id": "own", "title": "Own", "after": "torch", "tool": tool, "writes": "text", "pipeline": "builtin.module(cse)"}))
        self.assertEqual((self.work / "out/02-own.txt").read_text(), "--passes=builtin.module(cse) x\n")

    def test_what_fails_says_so_in_one_line_and_keeps_what_came_before(self):
        fix = "; correct the stage's tool in the file that defines it"
        for body, status, message in (
                ("echo 'no idea' >&2; exit 3", "unknown", "tool ended with status 3: no idea" + fix),
                ("exit 3", "unknown", "tool ended with status 3" + fix),
                ("kill -SEGV $$", "unknown", "tool crashed (signal 11)" + fix),
                ("exit 0", "unknown", "tool succeeded but printed nothing" + fix),
                ("echo garbage", "unknown", "tool succeeded but printed no MLIR module" + fix),
                ("printf 'module {}\\000'", "unknown", "tool succeeded but printed bytes that are not text" + fix)):
            self.fails(self.own(body), status, message)
        self.fails(self.own("sleep 60"), "timeout", "tool did not end within 2 s; raise --timeout, or rewrite this part of the model",
                   "--timeout", "2s")
        self.fails(self.own("echo module", writes="llvm-ir"), "unknown", "tool succeeded but printed no LLVM IR" + fix)
        self.fails(self.own("cat", tool={"program": self.program(COPY), "output": "x.mlir"}), "unknown",
                   "tool succeeded but wrote no file x.mlir" + fix)
        gone = self.types({"id": "own", "title": "Own", "after": "linalg-on-tensors", "tool": "./gone"})
        self.fails(gone, "unknown", "gone: no such program; correct its path in the file that names it")

    def test_an_error_with_a_location_is_a_finding_of_its_node(self):
        types = self.own("cat > /dev/null; echo 'fx:3:0: error: this is not for me' >&2; exit 1")
        value = self.stages(ADDMM, "--to", "own", "--output-types", types, code=1)
        self.assertEqual([(f["node"], f["stage"], f["message"]) for f in value["findings"]],
                         [("addmm", "own", "aten.addmm.default: tool: this is not for me")])

    def test_later_stages_are_skipped(self):
        tool = self.program("#!/bin/sh\nexit 1\n")
        types = self.types({"id": "own", "title": "Own", "after": "torch", "tool": tool},
                           {"id": "later", "title": "Later", "after": "own", "pipeline": "builtin.module(cse)"})
        value = self.stages(ADDMM, "--to", "later", "--output-types", types, code=4)
        self.assertEqual([(s["name"], s["status"], s["message"]) for s in value["stages"][2:]],
                         [("own", "unknown", None), ("later", "skipped", "own is not known")])

    def test_they_are_one_step_of_a_trace(self):
        types = self.own("exec cat")
        value = self.check_json("trace", self.check("trace", ADDMM, "--to", "own", "--output-types", types, "--json", "-o", self.work / "t"))
        self.assertEqual([(p["pass"], p["anchor"], p["ran"]) for p in value["passes"] if p["stage"] == "own"], [("tool", "mlir", True)])
        last = value["snapshots"][-1]
        self.assertEqual((last["stage"], last["coverage"], value["untraced"]), ("own", 1.0, "same"))
        self.assertTrue((self.work / "t" / last["file"]).read_text())
        self.assertIn("to own,", self.check("trace", self.work / "t/trace.json", "--output-types", types))

    def test_an_operation_that_they_refuse_is_diagnosed(self):
        types = self.own("text=$(cat); case $text in *linalg.matmul*) echo 'fx:3:0: error: no matmul' >&2; exit 1;; esac; printf '%s\\n' \"$text\"")
        value = self.check_json("diagnose", self.check("diagnose", ADDMM, "--to", "own", "--output-types", types, "--json", code=1))
        self.assertEqual([(t["to"], t["lowers"], t["stopped_at"]) for t in value["targets"]], [("own", False, "own")])
        self.assertEqual({f["stage"] for f in value["findings"]}, {"own"})

    def test_no_bundle_names_a_program(self):
        self.refuses("bundle", ADDMM, "--to", "own", "--output-types", self.own("exit 1"), "-o", self.work / "b.zip", code=2,
                     message="a bundle replays stages of the engine, but tool runs own; choose an output type before it, such as linalg-on-tensors")
        self.refuses("bundle", ADDMM, "--to", "llvm-ir", "-o", self.work / "b.zip", code=2,
                     message="a bundle replays stages of the engine, but mlir-opt-22 runs loops; choose an output type before it, such as "
                             "linalg-on-tensors")

    def test_a_missing_known_tool_says_how_to_get_it(self):
        environment = self.environment
        self.environment = lambda engine: {**environment(engine), "PATH": "/bin-that-is-not-there"}
        value = self.stages(ADDMM, "--to", "llvm-dialect", code=4)
        self.assertEqual([(s["name"], s["status"]) for s in value["stages"][3:]], [("loops", "unknown"), ("llvm-dialect", "skipped")])
        self.assertEqual([f["message"] for f in value["findings"]], ["mlir-opt-22 is not installed; Debian's package mlir-22-tools contains it"])


class Definitions(Pipelines):
    def test_malformed_tools_are_one_error(self):
        base = {"id": "own", "title": "Own", "after": "torch"}
        known = "engine, mlir-opt-22, mlir-translate-22, clang-22, llc-22, iree-opt, iree-compile, or the path of a program, with a '/'"
        for members, message in (
                ({"tool": "sh"}, f".tool: 'sh' is not a known tool; expected {known}"),
                ({"tool": "mlir-opt-23"}, f".tool: 'mlir-opt-23' is not a known tool; did you mean 'mlir-opt-22'?; expected {known}"),
                ({"tool": {"program": "clang-22", "env": {}}}, ".tool.env: unknown member; expected program, arguments, output"),
                ({"tool": {"program": "clang-22", "output": "../x"}}, ".tool.output: expected the name of a file in the tool's working directory"),
                ({"tool": {"program": "clang-22", "arguments": ["${home}"]}},
                 ".tool.arguments[0]: character 0: unknown placeholder; expected ${input}, ${pipeline}"),
                ({"tool": {"program": "clang-22", "arguments": ["${pipeline}"]}}, ": an argument has ${pipeline}, but there is no pipeline"),
                ({"tool": "clang-22", "pipeline": "builtin.module(cse)"}, ": it has a pipeline, but no argument of its tool has ${pipeline}"),
                ({"tool": "mlir-opt-22"}, ": member 'pipeline' is missing"),
                ({"after": "llvm-ir", "pipeline": "builtin.module(cse)"}, ".after: writes llvm-ir, which the engine does not read"),
                ({"tool": "clang-22", "writes": "object"}, ".writes: expected mlir, llvm-ir, assembly, ptx or text"),
                ({"tool": "clang-22", "prepare": ["x"]}, ".prepare[0]: expected external-weights, parameter-weights or node-locations")):
            path = self.work / "bad.json"
            path.write_text(json.dumps({"schema": "fxscope-output-types/1", "types": [{**base, **members}]}))
            self.refuses("lower", ADDMM, "--to", "raw", "--output-types", path, code=3, message=f"{path}: types[0]{message}")

    def test_parameters_that_there_are_not_and_values_that_are_not_allowed(self):
        for options, message in (
                (["--to", "tosa", "--set", "tile=8"], "output type 'tosa' has no parameter 'tile', nor any other; leave out --set"),
                (["--to", "iree-ptx", "--set", "cuda-traget=sm_89"],
                 "output type 'iree-ptx' has no parameter 'cuda-traget'; did you mean 'cuda-target'?"),
                (["--to", "iree-ptx", "--set", "cuda-target=sm89"], "parameter 'cuda-target': 'sm89' is not allowed; did you mean 'sm_89'?"),
                (["--to", "iree-amdgcn", "--set", "rocm-target=--x"],
                 "parameter 'rocm-target': '--x' is not allowed; expected one such as gfx908, gfx90a, gfx942, gfx950, gfx1100, "
                 "gfx1101, gfx1103, gfx1150, gfx1151, gfx1200, gfx1201, gfx1250"),
                (["--to", "iree-ptx", "--set", "cuda-target"], "option '--set': expected NAME=VALUE, got 'cuda-target'"),
                (["--pass-pipeline", "builtin.module(canonicalize{max-iterations=${n}})"],
                 "pass pipeline, character 43: parameter 'n' has no default; write ${n=VALUE}")):
            self.refuses("lower", ADDMM, *options, code=3 if "--pass-pipeline" in options else 2, message=message)
        self.refuses("render", ADDMM, "--to", "tosa", "--set", "x=1", code=2,
                     message="output type 'tosa' has no parameter 'x', nor any other; leave out --set")

    @needs_engine
    def test_an_option_of_a_pipeline_is_a_parameter(self):
        pipeline = "builtin.module(canonicalize{max-iterations=${n=1}})"
        for settings, number in (([], 1), (["--set", "n=3"], 3)):
            value = self.stages(ADDMM, "--pass-pipeline", pipeline, *settings)
            self.assertEqual(value["parameters"], [{"name": "n", "value": str(number)}])
            self.assertIn(f"--pass-pipeline=builtin.module(canonicalize{{max-iterations={number}}})", value["stages"][-1]["argv"])

    @needs_engine
    def test_they_are_in_no_survey(self):
        value = self.check_json("engine", self.check("engine", "--json"))
        self.assertEqual(value["targets"], ["raw", "torch", "linalg-on-tensors", "tosa", "stablehlo"])


@needs_engine
class Shipped(Pipelines):
    def covered(self, sample, target, statuses=("ok",)):
        value = self.stages(SAMPLES / sample, "--to", target)
        for stage in value["stages"]:
            self.assertIn(stage["status"], statuses, (sample, stage))
            if stage["name"] in FLOORS:
                print(f"{sample} {stage['name']}: {stage['ops']} ops, {100 * stage['coverage']:.1f} %")
                self.assertGreaterEqual(stage["coverage"], FLOORS[stage["name"]], (sample, stage["name"]))
        return value

    @needs_llvm
    def test_llvm_down_to_instructions(self):
        for sample in ("addmm.pt2", "tanh_gelu.pt2", "residual_block.pt2"):
            value = self.covered(sample, "assembly")
            self.assertEqual([s["file"] for s in value["stages"][3:]],
                             ["03-loops.mlir", "04-llvm-dialect.mlir", "05-llvm-ir.ll", "06-assembly.s"])
            self.assertIn('DIFile(filename: "fx"', (self.work / "out/05-llvm-ir.ll").read_text())

    @needs_llvm
    def test_passes_of_mlir_opt_are_traced_and_lead_to_nodes(self):
        value = self.check_json("trace", self.check("trace", ADDMM, "--to", "assembly", "--json", "-o", self.work / "t"))
        passes = [p["pass"] for p in value["passes"] if p["stage"] == "loops"]
        self.assertIn("one-shot-bufferize", passes)
        self.assertGreater(len({s["index"] for s in value["snapshots"] if s["stage"] == "loops"}), 2)
        self.assertEqual([(s["stage"], s["file"].rsplit(".", 1)[1]) for s in value["snapshots"][-2:]], [("llvm-ir", "ll"), ("assembly", "s")])
        self.assertGreater(value["snapshots"][-1]["debug_line"], 10)
        history = self.check_json("trace_node", self.check("trace", ADDMM, "--to", "assembly", "--node", "addmm", "--json"))
        self.assertLessEqual({"loops", "llvm-dialect", "llvm-ir", "assembly"}, {entry["stage"] for entry in history["history"]})

    @needs_iree
    def test_iree_down_to_the_assembly_of_dispatches(self):
        for sample in ("addmm.pt2", "tanh_gelu.pt2"):
            value = self.covered(sample, "iree-assembly")
            self.assertEqual([s["name"] for s in value["stages"][3:]],
                             ["iree-input", "iree-flow", "iree-stream", "iree-executable-sources", "iree-executable-targets", "iree-assembly"])
            # The assembly has the functions of IREE's runtime, too, which are of no node: only the dispatches count.
            text = (self.work / "out/08-iree-assembly.s").read_text()
            self.assertIn('.file\t1 "fx"', text)
            dispatches = re.findall(r"^\w*_dispatch_\w+:.*?^\.Lfunc_end", text, re.M | re.S)
            self.assertTrue(dispatches)
            for dispatch in dispatches:
                self.assertRegex(dispatch, r"\.loc\t1 [1-9]")

    def gpu_code(self, sample, target, last, entry):
        """The code for a GPU, which has every dispatch, as its lines with nodes say."""
        stages = self.covered(sample, target)["stages"]
        dispatches = set(re.findall(r"hal\.executable\.export public @(\w+)", (self.work / "out" / stages[4]["file"]).read_text()))
        self.assertTrue(dispatches)
        self.assertEqual(stages[-1]["file"], last)
        text = (self.work / "out" / last).read_text()
        self.assertEqual(set(re.findall(entry, text, re.M)), dispatches, (sample, target))
        return text

    @needs_iree
    def test_iree_down_to_the_code_of_gpus(self):
        for sample in ("addmm.pt2", "buffer_mutation.pt2", "control_flow.pt2", "residual_block.pt2", "tanh_gelu.pt2"):
            ptx = self.gpu_code(sample, "iree-ptx", "06-iree-ptx.ptx", r"^\.visible \.entry (\w+)\(")
            self.assertRegex(ptx, r"(?s)\.target sm_80\n.*\n\t\.loc\t1 [1-9].*\n\t\.file\t1 \"fx\"")
            self.gpu_code(sample, "iree-spirv", "05-iree-spirv.mlir", r"^ +spirv\.func @(\w+)")
        for sample in ("addmm.pt2", "residual_block.pt2", "tanh_gelu.pt2"):
            amdgcn = self.gpu_code(sample, "iree-amdgcn", "05-iree-amdgcn.s", r"^\t\.type\t(\w+),@function")
            self.assertRegex(amdgcn, r"(?s)\.amdgcn_target \"amd\S+gfx942\".*\n\t\.loc\t1 [1-9]")

    @needs_iree
    def test_the_gpu_is_a_parameter(self):
        value = self.stages(ADDMM, "--to", "iree-ptx", "--set", "cuda-target=sm_89")
        self.assertEqual(value["parameters"], [{"name": "cuda-target", "value": "sm_89"}])
        self.assertIn("--iree-cuda-target=sm_89", value["stages"][-1]["argv"])
        self.assertIn(".target sm_89\n", (self.work / "out/06-iree-ptx.ptx").read_text())
        lines = self.check("trace", ADDMM, "--to", "iree-ptx", "--node", "addmm", "--text").splitlines()
        self.assertRegex(lines[0], r"addmm\.pt2: addmm at iree-ptx, \d+ of \d+ lines$")
        self.assertTrue(any("ld.global" in line for line in lines))
        self.assertFalse(any(".loc" in line or ".entry" in line for line in lines))

    @needs_iree
    def test_dispatches_have_a_share_of_the_time_and_nodes(self):
        sample = SAMPLES / "transformer_block.pt2"
        calls = {row["name"] for row in json.loads(self.check("normalize", sample, "--json"))["nodes"]}
        value = self.check_json("run", self.check("run", sample, "--to", "linalg-on-tensors", "--dispatches", "--json"))
        run = next(s for s in value["stages"] if (s["stage"], s["executor"]) == ("linalg-on-tensors", "iree"))
        dispatches = run["dispatches"]
        self.assertGreater(len(dispatches), 5)
        self.assertAlmostEqual(sum(d["share"] for d in dispatches), 1)
        self.assertEqual([d["seconds"] for d in dispatches], sorted((d["seconds"] for d in dispatches), reverse=True))
        for dispatch in dispatches:
            self.assertTrue(dispatch["nodes"], dispatch)
            self.assertLessEqual(set(dispatch["nodes"]), calls)
        # Equal dispatches became one, which is of all their nodes.
        norms = [d for d in dispatches if "_reduction_" in d["name"]]
        self.assertTrue(norms)
        for norm in norms:
            self.assertEqual((norm["calls"], len(norm["nodes"])), (5, 5), norm)
        gelu = next(d for d in dispatches if "gelu" in d["nodes"])
        self.assertIn("linear_2", gelu["nodes"])
        text = self.check("run", sample, "--to", "linalg-on-tensors", "--dispatches")
        self.assertRegex(text, r"  \d+ dispatches in [\d.]+ us\n +[\d.]+ % +[\d.]+ us  x \d+ +main")
        without = self.check_json("run", self.check("run", sample, "--to", "linalg-on-tensors", "--json"))
        self.assertEqual([s["dispatches"] for s in without["stages"]], [[]] * len(without["stages"]))

    @needs_iree
    def test_dispatches_are_a_layer(self):
        sys.path.insert(0, str(SOURCE / "resources/python"))
        layers = importlib.import_module("fxscope.layers")
        sample = SAMPLES / "transformer_block.pt2"
        with unittest.mock.patch.dict(os.environ, self.environment(ENGINE) | {"FXSCOPE_CLI": CLI}):
            times = layers.dispatched(sample, "linalg-on-tensors")
        file = layers.layer(times, self.work / "time.json", title="Time", unit="µs")
        status, _, err = self.run_cli("render", sample, "--layer", file, "-o", self.work / "time.html")
        self.assertEqual((status, err), (0, ""))
        said = [row for row in re.findall(r"<tr data-n.*?</tr>", (self.work / "time.html").read_text())]
        self.assertEqual(len(said), len(times))
        self.assertTrue(any("<td>gelu</td>" in row and "dispatch" in row for row in said))

    @needs_llvm
    @needs_iree
    def test_a_pipeline_of_ten_stages_of_four_tools(self):
        copy = self.program(COPY)
        iree = ["${input}", "--mlir-print-debuginfo", "--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu"]
        types = self.types(
            {"id": "a", "title": "A", "after": "linalg-on-tensors", "pipeline": "builtin.module(canonicalize,cse)"},
            {"id": "b", "title": "B", "after": "a", "tool": "mlir-opt-22", "pipeline": "builtin.module(func.func(linalg-generalize-named-ops))"},
            {"id": "c", "title": "C", "after": "b", "tool": copy},
            {"id": "d", "title": "D", "after": "c", "tool": {"program": "engine", "arguments": ["-", "--mlir-print-debuginfo"]}},
            {"id": "e", "title": "E", "after": "d", "pipeline": "builtin.module(cse)"},
            {"id": "f", "title": "F", "after": "e", "tool": {"program": "iree-compile", "arguments": [*iree, "--compile-to=input"]},
             "prepare": ["parameter-weights"], "contract": {"function": False}},
            {"id": "g", "title": "G", "after": "f", "contract": {"function": False},
             "tool": {"program": "iree-compile", "arguments": [*iree, "--compile-from=input", "--compile-to=flow"]}})
        value = self.stages(ADDMM, "--to", "g", "--output-types", types)
        self.assertEqual([(s["name"], s["status"]) for s in value["stages"]],
                         [(name, "ok") for name in ("raw", "torch", "linalg-on-tensors", *"abcdefg")])
        self.assertGreater(min(s["coverage"] for s in value["stages"]), 0.85)


if __name__ == "__main__":
    unittest.main()
