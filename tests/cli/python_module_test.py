# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python module on files, with no PyTorch: the command line's answers as objects, errors in its words, an interrupt that stops it."""
import importlib
import json
import os
import pathlib
import pty
import re
import shlex
import signal
import subprocess
import sys
import textwrap
import time
import types
import unittest
import xml.etree.ElementTree as xml
from unittest import mock

import json_schema
from support import CLI, ENGINE, SAMPLES, SOURCE, CliTest, needs_engine

MODULE = SOURCE / "resources/python"
ATTENTION = SAMPLES / "masked_attention.pt2"
sys.path.insert(0, str(MODULE))
fxscope = importlib.import_module("fxscope")
layers = importlib.import_module("fxscope.layers")
VARYING = {"seconds", "compile_seconds", "run_seconds", "stderr"}


def steady(value):
    """Without what no two runs have in common."""
    if isinstance(value, dict):
        return {name: steady(each) for name, each in value.items() if name not in VARYING}
    return [steady(each) for each in value] if isinstance(value, list) else value


class ModuleTest(CliTest):
    def setUp(self):
        super().setUp()
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        os.environ.update(self.environment(ENGINE), FXSCOPE_CLI=CLI)

    def python(self, script, **variables):
        """(exit code, stdout, stderr) of a Python that has the module."""
        env = {**os.environ, "PYTHONPATH": str(MODULE), "PYTHONDONTWRITEBYTECODE": "1", **variables}
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, env=env, timeout=120)
        return done.returncode, done.stdout, done.stderr

    def run_module(self, *arguments, **variables):
        """(exit code, stdout, stderr) of python -m fxscope."""
        env = {**os.environ, "PYTHONPATH": str(MODULE), **variables}
        done = subprocess.run([sys.executable, "-B", "-m", "fxscope", *map(str, arguments)], capture_output=True, text=True, env=env, timeout=120)
        return done.returncode, done.stdout, done.stderr


@needs_engine
class Answers(ModuleTest):
    def equal(self, answer, *command, code):
        out = self.check(*command, code=code)
        self.assertEqual(steady(answer.json), steady(json.loads(out)))
        self.assertEqual(answer, answer.json)

    def test_lower_has_the_content_of_the_json_and_the_texts(self):
        answer = fxscope.lower(ATTENTION, to="tosa")
        self.equal(answer, "lower", ATTENTION, "--to", "tosa", "-o", self.work / "stages", "--json", code=1)
        self.assertEqual([(each.name, each["status"]) for each in answer.stages], [("raw", "ok"), ("torch", "ok"), ("tosa", "failed")])
        self.assertEqual(answer.text(), (self.work / "stages/01-torch.mlir").read_text())
        self.assertEqual(answer.text("raw"), (self.work / "stages/00-raw.mlir").read_text())
        self.assertEqual(answer.text("tosa"), (self.work / "stages/02-tosa.failure.mlir").read_text())
        with self.assertRaisesRegex(fxscope.Error, "^there is no text of stage 'llvm'; stages are raw, torch, tosa$"):
            answer.text("llvm")
        self.assertEqual(repr(answer), f"<{answer.input} to tosa: raw ok, torch ok, tosa failed; 2 findings>")

    def test_options_are_those_of_the_command(self):
        answer = fxscope.lower(ATTENTION, to="tosa", decompose=["aten.scaled_dot_product_attention"], timeout=60, symbolic_shapes=False)
        self.equal(answer, "lower", ATTENTION, "--to", "tosa", "--decompose", "aten.scaled_dot_product_attention", "-o", self.work / "stages", "--json",
                   code=0)
        answer = fxscope.lower(SAMPLES / "control_flow.pt2", to="linalg-on-tensors", as_="torch-mlir", output=self.work / "as")
        self.assertIn("importer does not implement the higher-order operation", answer.findings[0].message)
        self.assertEqual(json.loads((self.work / "as/lower.json").read_text())["target"], "linalg-on-tensors")

    def test_a_module_is_text_a_file_or_an_object_of_the_bindings(self):
        text = (SAMPLES / "matmul_relu.mlir").read_text()
        pipeline = "builtin.module(canonicalize,cse)"
        file = fxscope.lower(SAMPLES / "matmul_relu.mlir", pass_pipeline=pipeline)

        class Module:
            operation = None

            def __str__(self):
                return text

        for module in (text, Module()):
            answer = fxscope.lower(module, pass_pipeline=pipeline)
            self.assertEqual([(each.name, each["status"]) for each in answer.stages], [("raw", "ok"), ("pipeline", "ok")])
            self.assertEqual(answer.text(), file.text())
        self.assertEqual(fxscope.diagnose(text, to="raw").targets[0]["lowers"], True)
        with self.assertRaisesRegex(fxscope.Error, "^args, kwargs and dynamic_shapes are inputs of a PyTorch module; an MLIR module has none$"):
            fxscope.lower(text, to="raw", args=(1,))

    def test_diagnose(self):
        answer = fxscope.diagnose(ATTENTION, to=["tosa", "stablehlo"])
        self.equal(answer, "diagnose", ATTENTION, "--to", "tosa,stablehlo", "--json", code=1)
        self.assertEqual(answer.html, self.check("diagnose", ATTENTION, "--to", "tosa,stablehlo", "--format", "html", code=1))

    def test_fix(self):
        answer = fxscope.fix(ATTENTION, to="tosa", output=self.work / "one.pt2")
        self.equal(answer, "fix", ATTENTION, "--to", "tosa", "-o", self.work / "one.pt2", "--python", self.work / "two.py", "--json", code=0)
        self.assertEqual(answer.script, (self.work / "two.py").read_text())
        self.assertTrue(fxscope.lower(answer.path, to="tosa").ok)

    def test_trace_of_a_program_and_of_a_node(self):
        answer = fxscope.trace(SAMPLES / "addmm.pt2", to="tosa")
        self.equal(answer, "trace", SAMPLES / "addmm.pt2", "--to", "tosa", "-o", self.work / "passes", "--json", code=0)
        last = max(each.index for each in answer.passes if each.changed)
        self.assertIn("tosa.", answer.text(last))
        node = fxscope.trace(SAMPLES / "addmm.pt2", to="tosa", node="addmm")
        self.equal(node, "trace", SAMPLES / "addmm.pt2", "--to", "tosa", "--node", "addmm", "--json", code=0)
        self.assertIn("node", repr(node))

    def test_compare_several_engines(self):
        answer = fxscope.compare(SAMPLES / "addmm.pt2", to="tosa", engine=[ENGINE, ENGINE])
        self.equal(answer, "compare", SAMPLES / "addmm.pt2", "--to", "tosa", "--engine", ENGINE, "--engine", ENGINE, "--json", code=0)
        self.assertIn("no difference", repr(answer))

    def test_graph_is_the_picture_of_render(self):
        picture = fxscope.graph(ATTENTION, to="tosa", expand="all")
        self.assertEqual(picture.svg, self.check("render", ATTENTION, "--to", "tosa", "--expand", "all", code=1))
        picture.save(self.work / "graph.svg")
        self.assertEqual((self.work / "graph.svg").read_text(), picture._repr_svg_())

    def test_a_layer_is_a_file_that_the_schema_describes_and_render_shows(self):
        values = {"linear": 12.5, "linear_1": (float("inf"), "never \u2026"), "softmax": float("nan"), "add": "npu"}
        file = fxscope.layer(values, self.work / "time.json", title="Time", unit="µs", scale="log")
        content = json.loads(file.read_text())
        schema = json.loads((SOURCE / "resources/schemas/layer.schema.json").read_text())
        self.assertEqual(list(json_schema.errors(content, schema)), [])
        self.assertEqual(content["nodes"], {"linear": 12.5, "linear_1": {"value": "Infinity", "text": "never \u2026"}, "softmax": "NaN", "add": "npu"})
        other = fxscope.layer({"aten.linear": 3}, self.work / "other.json", title="Other", by="operator")
        picture = fxscope.graph(ATTENTION, layer=[file, other], expand="all").svg
        for said in ("Time, up to:", "Time: 12.5 µs\nOther: 3", "Time: inf µs: never \u2026", "Time: npu"):
            self.assertIn(said, picture)
        with self.assertRaises(ValueError):
            fxscope.layer({"linear": "1", "add": (None, "")}, self.work / "wrong.json", title="Wrong")
        self.assertFalse((self.work / "wrong.json").exists())

    def test_times_of_dispatches_are_those_of_their_nodes(self):
        asked = []
        known = [{"name": "main_dispatch_1_mm", "calls": 1, "seconds": 4e-6, "nodes": ["mm", "add"]},
                 {"name": "main_dispatch_12_relu", "calls": 2, "seconds": 2e-6, "nodes": ["relu", "relu_1"]}]
        answer = json.dumps({"stages": [{"stage": "raw", "dispatches": []}, {"stage": "linalg-on-tensors", "dispatches": known}]})
        self.enterContext(mock.patch.object(layers.programs, "run", lambda arguments: asked.append(arguments) or answer))
        own = layers.dispatched(ATTENTION, "linalg-on-tensors", inputs="seed:7")
        self.assertEqual(asked, [["run", str(ATTENTION), "--to", "linalg-on-tensors", "--inputs", "seed:7", "--dispatches", "--json"]])
        mm, relu = "main_dispatch_1_mm, 2 nodes", "main_dispatch_12_relu, 2 nodes in 2 calls"
        self.assertEqual(own, {"mm": (4.0, mm), "add": (4.0, mm), "relu": (1.0, relu), "relu_1": (1.0, relu)})
        forms = {"tracy.csv": "name,src_file,src_line,total_ns,total_perc,counts,mean_ns\nmain_dispatch_1_mm_elf,a.c,1,14000,9,2,7000\nidle,a.c,2,5,1,1,5\n",
                 "profile.jsonl": '{"type": "summary"}\n{"type": "host_dispatch_group", "key": "main_dispatch_1_mm", "count": 2, "total_ns": 14000}\n',
                 "benchmark.json": '{"benchmarks": [{"name": "BM_main_dispatch_1_mm/real_time", "run_type": "iteration", "real_time": 0.007, "time_unit": "ms"},'
                                   ' {"name": "BM_main_dispatch_1_mm_mean", "run_type": "aggregate", "real_time": 9, "time_unit": "ms"}]}'}
        for name, text in forms.items():
            (self.work / name).write_text(text)
            self.assertEqual(layers.dispatched(ATTENTION, "linalg-on-tensors", self.work / name), {"mm": (7.0, mm), "add": (7.0, mm)}, name)
        self.assertEqual(layers.dispatched(ATTENTION, "linalg-on-tensors", {"main_dispatch_12_relu": 3}), {"relu": (3.0, relu), "relu_1": (3.0, relu)})
        with self.assertRaisesRegex(fxscope.Error, "^none of the times is of a dispatch of this program, such as main_dispatch_1_mm$"):
            layers.dispatched(ATTENTION, "linalg-on-tensors", {"main_dispatch_3": 3})
        for text in ("a,b\n1,2\n", '{"type": "host_dispatch_group"}', "name,total_ns,counts\nx,many,1\n"):
            (self.work / "wrong").write_text(text)
            with self.assertRaisesRegex(fxscope.Error, "wrong: expected lines of iree-profile, a CSV of tracy-csvexport with name, total_ns and counts, or JSON"):
                layers.dispatched(ATTENTION, "linalg-on-tensors", self.work / "wrong")
        answer = '{"stages": []}'
        with self.assertRaisesRegex(fxscope.Error, "^no dispatch was measured"):
            layers.dispatched(ATTENTION, "linalg-on-tensors")

    def test_times_of_an_etdump_are_those_of_their_nodes(self):
        """ExecuTorch is not here: objects with the attributes that its Inspector documents."""
        def event(name, time, *nodes, backend=None):
            return types.SimpleNamespace(name=name, perf_data=None if time is None else types.SimpleNamespace(avg=time), delegate_backend_name=backend,
                                         stack_traces=dict.fromkeys(nodes), module_hierarchy=dict.fromkeys(nodes[:1]))
        events = [event("Method::execute", 9.0), event("native_call_addmm.out", 0.5, "aten_addmm_default"), event("debug", None, "aten_addmm_default"),
                  event("17", 2.0, "aten_relu_default", "aten_add_tensor", backend="XnnpackBackend")]
        inspector = types.SimpleNamespace(event_blocks=[types.SimpleNamespace(name="Execute", events=events)])
        delegated = "17, XnnpackBackend, 2 nodes"
        times = {"aten_addmm_default": (0.5, "native_call_addmm.out"), "aten_relu_default": (2.0, delegated), "aten_add_tensor": (2.0, delegated)}
        self.assertEqual(layers.executed(inspector), times)
        self.assertEqual(layers.executed(inspector.event_blocks), times)
        rows = [{"event_block_name": "Execute", "event_name": each.name, "avg (ms)": each.perf_data.avg if each.perf_data else float("nan"),
                 "stack_traces": each.stack_traces, "module_hierarchy": each.module_hierarchy, "delegate_backend_name": each.delegate_backend_name}
                for each in events]
        frame = types.SimpleNamespace(to_dict=lambda orient: rows if orient == "records" else None)
        self.assertEqual(layers.executed(frame), times)
        self.assertEqual(layers.executed(inspector, {"aten_addmm_default": ["linear"], "aten_relu_default": ["linear"]}),
                         {"linear": (2.5, "native_call_addmm.out; " + delegated), "aten_add_tensor": (2.0, delegated)})
        with self.assertRaisesRegex(fxscope.Error, "^no event has nodes: give the Inspector the ETRecord"):
            layers.executed(types.SimpleNamespace(event_blocks=[types.SimpleNamespace(name="Execute", events=events[:1])]))


@needs_engine
class Explain(ModuleTest):
    """The first answer."""

    def test_what_stops_it_where_and_what_makes_it_lower(self):
        answer = fxscope.explain(ATTENTION, to=["linalg-on-tensors", "tosa"])
        self.assertEqual([(each.output_type, each.standing) for each in answer.verdicts], [("linalg-on-tensors", "lowers"), ("tosa", "does not lower")])
        self.assertEqual(str(answer), f"""\
masked_attention.pt2

✓ linalg-on-tensors  lowers, 1 warning
✗ tosa               does not lower: 1 operation blocks it, at 2 nodes. Fix verified: the whole program lowers.
! tm_tensor.attention is left in linalg-on-tensors: tools other than torch-mlir and IREE may not read it; --decompose
  aten.scaled_dot_product_attention.default lowers without it

1. aten.scaled_dot_product_attention.default: no pattern of this output type matches it (tosa)
   at   samples/masked_attention.py:24, in layers.0.attention, and 1 other node
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
   fix  call program.run_decompositions() first (whole program lowers with it)

fix in Python:
    program = program.run_decompositions()

next: a verified fix makes the whole program lower to tosa
    fxscope-cli fix {ATTENTION} --to tosa -o masked_attention.fixed.pt2""")
        self.assertEqual(answer.code, 1)
        self.assertEqual(answer.causes, answer.diagnosis.causes)
        self.assertEqual(repr(answer), "<masked_attention.pt2: linalg-on-tensors lowers, tosa does not lower>")

    def test_it_is_one_process_and_that_of_diagnose(self):
        log = self.work / "log"
        wrapper = self.work / "fxscope-cli"
        wrapper.write_text(f'#!/bin/sh\necho "$1" >> {log}\nexec {CLI} "$@"\n')
        wrapper.chmod(0o755)
        os.environ["FXSCOPE_CLI"] = str(wrapper)
        fxscope.explain(ATTENTION, to="tosa")._repr_html_()
        self.assertEqual(log.read_text(), "diagnose\n")

    def test_the_command_line(self):
        code, out, err = self.run_module("explain", ATTENTION, "--to", "linalg-on-tensors,tosa")
        self.assertEqual((code, err), (1, ""))
        self.assertEqual(out, f"{fxscope.explain(ATTENTION, to=['linalg-on-tensors', 'tosa'])}\n")
        code, out, err = self.run_module("explain", SAMPLES / "transformer_block.pt2")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("\n✓ linalg-on-tensors, tosa, stablehlo  lowers\n", out)
        code, _, err = self.run_module("explain", ATTENTION, "--to", "linalg")
        self.assertEqual((code, err), (2, "fxscope: unknown output type 'linalg'; did you mean 'linalg-on-tensors'?\n"))
        code, _, err = self.run_module("explain", ATTENTION, "--decompse", "aten.gelu")
        self.assertEqual(code, 2)
        self.assertIn("did you mean '--decompose'?", err)

    def test_every_sample_is_explained_in_25_lines(self):
        for sample in sorted(SAMPLES.glob("*.pt2")):
            with self.subTest(sample.name):
                answer = fxscope.explain(sample)
                lines = str(answer).splitlines()
                self.assertLessEqual(len(lines), 25)
                self.assertLessEqual(max(map(len, lines)), 118)
                self.assertEqual(answer.code == 0, all(each.standing == "lowers" for each in answer.verdicts))
                for step in (answer.fix, answer.next):
                    if step is not None and step.language == "python":
                        compile(step.code, "step", "exec")
                xml.fromstring(answer._repr_html_())

    def test_the_fix_and_the_next_step_hold(self):
        answer = fxscope.explain(ATTENTION, to="tosa")
        command = shlex.split(answer.next.code)
        self.assertEqual(command[:3], ["fxscope-cli", "fix", str(ATTENTION)])
        done = subprocess.run([CLI, *command[1:]], cwd=self.work, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(fxscope.explain(self.work / command[command.index("-o") + 1], to="tosa").code, 0)

    def test_what_is_not_known_is_said_so(self):
        slow = self.fake_engine(f'module=$(cat)\ncase "$module" in *vtensor*) exec sleep 60 ;; esac\nprintf %s "$module" | {ENGINE} "$@"')
        answer = fxscope.explain(SAMPLES / "addmm.pt2", to="tosa", engine=slow, timeout=2)
        self.assertEqual([each.standing for each in answer.verdicts], ["not known"])
        self.assertEqual(answer.code, 4)
        self.assertRegex(str(answer), r"\? tosa  not known whether it lowers: it reached a limit")

    def test_without_an_engine_it_says_how_to_get_one(self):
        os.environ["FXSCOPE_ENGINE"] = "/no/such"
        with self.assertRaisesRegex(fxscope.Error, "fxscope-cli engine fetch") as raised:
            fxscope.explain(ATTENTION, to="tosa")
        self.assertEqual(raised.exception.code, 4)
        code, out, err = self.run_module("explain", ATTENTION, FXSCOPE_ENGINE="/no/such")
        self.assertEqual((code, out), (4, ""))
        self.assertIn("fxscope-cli engine fetch", err)

    def test_what_a_program_says_is_text(self):
        """A module whose names are markup."""
        evil = self.work / "<i>&.mlir"
        evil.write_text('func.func @main(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {\n  %0 = torch.operator "torch.<script>"(%arg0) : '
                        '(!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>\n  return %0 : !torch.vtensor<[2],f32>\n}\n')
        answer = fxscope.explain(evil, to="tosa")
        page = answer._repr_html_()
        self.assertIn("&lt;i&gt;&amp;.mlir", page)
        self.assertNotRegex(page, "<script|<i>|&[^a-z#]")
        xml.fromstring(page)

    def test_what_a_program_says_is_not_obeyed_by_a_terminal(self):
        answer = fxscope.explain(ATTENTION, to="tosa")
        answer.causes[0]["title"] = "\x1b[2J\u202eevil\n\x07"
        answer.causes[0]["messages"] = ["\x9b31m"]
        answer.causes[0].source["code"] = "a\rb"
        self.assertIn("1. \\x1b[2J\\u202eevil\\n\\x07: ", str(answer))
        for text in (str(answer), answer._repr_html_()):
            self.assertTrue(all(c.isprintable() or c == "\n" for c in text), repr(text))
        xml.fromstring(answer._repr_html_())


class Classes(ModuleTest):
    def test_what_a_result_contains_has_its_class(self):
        content = {"stages": [{"name": "raw", "status": "ok"}], "findings": [{"pass": "cse", "source": {"file": "a.py", "line": 3, "code": None}}]}
        answer = fxscope.results.result(fxscope.Lowering, json.dumps(content), None)
        self.assertIs(type(answer.stages[0]), fxscope.types.Stage)
        self.assertIs(type(answer.findings[0].source), fxscope.types.Source)
        self.assertEqual(repr(answer.stages[0]), "Stage(name='raw', status='ok')")
        self.assertEqual(answer, content)
        self.assertEqual((answer.findings[0].pass_, answer.findings[0]["pass"]), ("cse", "cse"))

    def test_an_unknown_member_names_those_that_there_are(self):
        with self.assertRaisesRegex(AttributeError, "^there is no 'stage'; there is stages, ok$"):
            fxscope.Record(stages=[], ok=True).stage


@needs_engine
class Notebook(ModuleTest):
    """What a notebook shows, by the form of its hooks."""

    def parsed(self, page):
        return xml.fromstring(f"<div>{page}</div>")

    def test_a_lowering_is_a_table_of_stages(self):
        tables = self.parsed(fxscope.lower(ATTENTION, to="tosa")._repr_html_()).findall("table")
        rows = [[cell.text for cell in row] for row in tables[0]]
        self.assertEqual([row[:2] for row in rows],
                         [["stage", "status"], ["RAW torch dialect", "ok"], ["Torch backend IR", "ok"], ["TOSA", "failed"]])
        self.assertEqual(rows[3][4], "in convert-torch-to-tosa")
        self.assertEqual([[cell.text for cell in row][:4] for row in tables[1]][1],
                         ["error", "scaled_dot_product_attention", "layers.0.attention", "samples/masked_attention.py:24"])

    def test_a_diagnosis_is_its_page_in_a_sandbox(self):
        answer = fxscope.diagnose(ATTENTION, to="tosa")
        frame = answer._repr_html_()
        self.assertTrue(frame.startswith('<iframe sandbox="allow-scripts" srcdoc="'))
        self.assertNotIn("allow-same-origin", frame)
        self.assertEqual(xml.fromstring(frame).get("srcdoc").split(), answer.html.split())

    def test_a_fix_names_changes_and_reasons(self):
        shown = self.parsed(fxscope.fix(ATTENTION, to="tosa")._repr_html_())
        self.assertIn("scaled_dot_product_attention_1", "".join(shown.itertext()))
        self.assertIn("program.run_decompositions()", shown.find("details/pre").text)

    def test_what_a_file_says_is_text(self):
        answer = fxscope.results.result(fxscope.Fixed, json.dumps({"input": "x", "lowers": {"<b>": False}, "stops": {"<b>": "<script>"}, "changes": [],
                                                                    "blocked": []}), None)
        answer.script = None
        self.assertEqual([cell.text for cell in self.parsed(answer._repr_html_()).findall("table/tr/td")], ["<b>", "does not lower", "<script>"])


class Errors(ModuleTest):
    def test_the_message_and_the_code_are_those_of_the_command(self):
        for code, x, to in ((2, ATTENTION, "linalg"), (3, self.work / "missing.pt2", "raw"), (3, SOURCE / "README.md", "raw")):
            status, _, err = self.run_cli("lower", x, "--to", to)
            with self.subTest(err), self.assertRaises(fxscope.Error) as raised:
                fxscope.lower(x, to=to)
            self.assertEqual((status, err), (code, f"fxscope-cli: {raised.exception}\n"))
            self.assertEqual(raised.exception.code, code)

    def test_without_an_engine_it_says_how_to_get_one(self):
        status, _, err = self.run_cli("lower", ATTENTION, "--to", "tosa", engine="/no/such")
        os.environ["FXSCOPE_ENGINE"] = "/no/such"
        with self.assertRaises(fxscope.Error) as raised:
            fxscope.lower(ATTENTION, to="tosa")
        self.assertEqual((status, err), (4, f"fxscope-cli: {raised.exception}\n"))

    def test_on_a_terminal_a_script_asks_whether_to_fetch_the_engine(self):
        """With programs that have one once it was fetched."""
        command = self.work / "fxscope-cli"
        command.write_text(f'#!/bin/sh\nif [ "$1" = engine ]; then touch {self.work}/fetched; exit 0; fi\n'
                           f'[ -e {self.work}/fetched ] && exec {CLI} "$@"\necho "fxscope-cli: no engine found (searched a); run b" >&2\nexit 4\n')
        command.chmod(0o755)
        script = "import fxscope\ntry: print(fxscope.lower('" + str(SAMPLES / "addmm.pt2") + "', to='torch').ok)\nexcept fxscope.Error as error: print(error)"
        env = {**os.environ, "PYTHONPATH": str(MODULE), "PYTHONDONTWRITEBYTECODE": "1", "FXSCOPE_CLI": str(command)}
        for typed, said in ((b"n\n", "no engine found (searched a); run b"), (b"\n", "True")):
            with self.subTest(typed):
                master, slave = pty.openpty()
                process = subprocess.Popen([sys.executable, "-c", script], stdin=slave, stdout=subprocess.PIPE, stderr=slave, text=True, env=env)
                os.write(master, typed)
                out, _ = process.communicate(timeout=120)
                os.close(slave)
                self.assertEqual(out, said + "\n")
                shown = os.read(master, 65536).decode()
                os.close(master)
                self.assertEqual(shown.count("fetch it now (80 MB)? [Y/n]"), 1)
        (self.work / "fetched").unlink()
        code, out, _ = self.python(script, FXSCOPE_CLI=str(command))
        self.assertEqual((code, out, (self.work / "fetched").exists()), (0, "no engine found (searched a); run b\n", False))

    def test_without_pytorch(self):
        code, out, err = self.python("""
            import sys
            sys.modules["torch"] = None
            import fxscope
            try: fxscope.lower(5, to="tosa")
            except fxscope.Error as error: print(error)
            try: fxscope.capture
            except ImportError as error: print(error)""")
        self.assertEqual((code, out), (0, "expected an ExportedProgram, a torch.nn.Module, an MLIR module or a path, not builtins.int\n"
                                          "fxscope.capture needs PyTorch, in the Python that has the model: pip install torch\n"), err)

    def test_the_traceback_is_short(self):
        code, _, err = self.python(f"import fxscope\nfxscope.lower({str(ATTENTION)!r}, to='linalg')")
        self.assertEqual(code, 1)
        self.assertLess(err.count("  File "), 3)
        self.assertTrue(err.endswith("\nfxscope.Error: unknown output type 'linalg'; did you mean 'linalg-on-tensors'?\n"), err)
        self.assertEqual(fxscope.Error("no")._render_traceback_(), ["fxscope.Error: no"])

    def test_a_file_has_inputs_of_its_own(self):
        with self.assertRaisesRegex(fxscope.Error, "^args, kwargs and dynamic_shapes are inputs of a module; a file has its own$"):
            fxscope.lower(ATTENTION, to="tosa", args=(1,))

    def test_without_the_programs(self):
        code, out, _ = self.python("import fxscope\ntry: fxscope.lower('x', to='raw')\nexcept fxscope.Error as error: print(error)", FXSCOPE_CLI="",
                                   PATH="/nowhere")
        self.assertEqual((code, out), (0, "fxscope-cli was not found: it is not installed with this package, FXSCOPE_CLI does not name it, and it is "
                                          "not in PATH\n"))

    def test_without_the_window_or_a_display(self):
        lone = self.work / "lone/fxscope-cli"
        lone.parent.mkdir()
        lone.symlink_to(CLI)
        with self.subTest("no window"):
            os.environ["FXSCOPE_CLI"] = str(lone)
            with self.assertRaisesRegex(fxscope.Error, "/lone/fxscope does not exist: this fxscope was installed without its window"):
                fxscope.show(ATTENTION)
        with self.subTest("no display"):
            (lone.parent / "fxscope").write_text("#!/bin/sh\necho \"$@\"\n")
            (lone.parent / "fxscope").chmod(0o755)
            done = subprocess.run([sys.executable, "-B", "-m", "fxscope", "model.pt2"], capture_output=True, text=True,
                                  env={"PATH": os.environ["PATH"], "PYTHONPATH": str(MODULE), "FXSCOPE_CLI": str(lone)})
            self.assertEqual((done.returncode, done.stderr), (1, "fxscope: there is no display for the window: neither DISPLAY nor WAYLAND_DISPLAY is set\n"))
        with self.subTest("both"):
            done = subprocess.run([sys.executable, "-B", "-m", "fxscope", "model.pt2", "--target", "tosa"], capture_output=True, text=True,
                                  env={"PATH": os.environ["PATH"], "PYTHONPATH": str(MODULE), "FXSCOPE_CLI": str(lone), "DISPLAY": ":9"})
            self.assertEqual((done.returncode, done.stdout), (0, "model.pt2 --target tosa\n"))
            os.environ["DISPLAY"] = ":9"
            process = fxscope.show(ATTENTION, to="tosa", arrangement="passes")
            self.assertEqual(process.args[1:], ["--watch", "--target", "tosa", "--arrangement", "passes", str(ATTENTION)])
            self.assertEqual(process.wait(timeout=20), 0)
        with self.subTest("a program in memory"):
            (lone.parent / "fxscope").write_text(f"#!/bin/sh\nfor file; do :; done; cp $file {self.work}/shown\n")
            text = (SAMPLES / "matmul_relu.mlir").read_text()
            self.assertEqual(fxscope.show(text).wait(timeout=20), 0)
            self.assertEqual((self.work / "shown").read_text(), text)
        with self.subTest("an open window is updated"):
            (lone.parent / "fxscope").write_text(
                f"#!/bin/sh\nfor file; do :; done; while [ ! -e {self.work}/closed ]; do sleep 0.05; done; cp $file {self.work}/shown\n")
            first = fxscope.show(text, to="loops")
            self.assertIs(fxscope.show(text + "// again\n", to="loops"), first)
            other = fxscope.show(text, to="raw")
            self.assertIsNot(other, first)
            (self.work / "closed").touch()
            self.assertEqual(other.wait(timeout=20), 0)
            (self.work / "shown").unlink(missing_ok=True)
            (self.work / "closed").unlink()
            again = fxscope.show(text + "// again\n", to="raw")
            self.assertIsNot(again, other)
            (self.work / "closed").touch()
            self.assertEqual((first.wait(timeout=20), again.wait(timeout=20)), (0, 0))
            self.assertEqual((self.work / "shown").read_text(), text + "// again\n")


class Imports(ModuleTest):
    def test_neither_the_import_nor_a_file_needs_torch(self):
        code, out, err = self.python(f"""
            import sys
            sys.modules["torch"] = None  # importing it fails
            import fxscope
            print(fxscope.graph({str(ATTENTION)!r}))
        """)
        self.assertEqual(code, 0, err)
        self.assertTrue(out.startswith("<graph of masked_attention.pt2, "))

    def test_capture_is_the_helper(self):
        self.assertTrue(os.path.samefile(MODULE / "fxscope/capture.py", MODULE / "fxscope_capture.py"))


class Interrupt(ModuleTest):
    def test_it_stops_the_engine_and_fxscope_cli(self):
        pid = self.work / "pid"
        engine = self.fake_engine(f"echo $$ > {pid}.part; mv {pid}.part {pid}; exec sleep 60")
        script = f"import fxscope\nfxscope.lower({str(ATTENTION)!r}, to='tosa', engine={str(engine)!r})"
        env = {**os.environ, "PYTHONPATH": str(MODULE), "FXSCOPE_CLI": CLI}
        process = subprocess.Popen([sys.executable, "-B", "-c", script], stderr=subprocess.PIPE, text=True, env=env)
        until = time.monotonic() + 60
        while not pid.exists() and time.monotonic() < until:
            time.sleep(0.02)
        child = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        self.assertLess(time.monotonic() - began, 10)
        self.assertIn("KeyboardInterrupt", err)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertEqual(len(child), 1)
        for each in (child[0], pid.read_text().strip()):
            self.assertFalse(self.running(int(each)))


if __name__ == "__main__":
    unittest.main()
