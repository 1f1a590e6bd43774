# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fxscope-cli trace: every pass, stored traces, the history of a node."""
import json
import pathlib
import re
import subprocess
import unittest

from support import ENGINE, SAMPLES, CliTest, listed, needs_engine

ATTENTION = SAMPLES / "masked_attention.pt2"
DECODER = SAMPLES / "decoder_dynamic.pt2"


@needs_engine
class Trace(CliTest):
    def test_every_sample_has_its_nodes_in_every_snapshot(self):
        for sample in sorted(SAMPLES.glob("*.pt2")):
            for target in ("linalg-on-tensors", "tosa", "stablehlo"):
                with self.subTest(sample=sample.name, target=target):
                    status, out, err = self.run_cli("trace", sample, "--to", target, "--json")
                    self.assertIn(status, (0, 1), err)
                    value = self.check_json("trace", out)
                    # A breach of a contract is an error of a trace that is complete.
                    broken = any(f["severity"] == "error" and f["kind"] == "contract" for f in value["findings"]) and value["ok"]
                    self.assertEqual(broken, (sample.stem, target) == ("merge_heads", "linalg-on-tensors"))
                    self.assertEqual(value["ok"] and not broken, status == 0)
                    if value["ok"]:
                        self.assertEqual(value["untraced"], "same")
                    else:
                        self.assertEqual(len([p for p in value["passes"] if p["failed"]]), 1)
                        self.assertGreaterEqual(len(value["snapshots"]), 1)
                    for snapshot in value["snapshots"]:
                        self.assertGreaterEqual(snapshot["coverage"], 0.995, snapshot["file"])
                    for stage in value["stages"]:
                        if stage["name"] == "linalg-on-tensors" or stage["status"] != "ok":
                            continue
                        last = value["snapshots"][stage["last_snapshot"]]
                        self.assertGreaterEqual(last["exact"], 0.98 * last["counted"], last["file"])

    def test_stored_trace_gives_the_same_answers(self):
        out = self.check("trace", DECODER, "--to", "linalg-on-tensors", "-o", self.work / "t")
        stored = self.work / "t" / "trace.json"
        value = self.check_json("trace", stored.read_text())
        self.assertEqual({s["file"] for s in value["snapshots"]} | {"trace.json"}, {p.name for p in (self.work / "t").iterdir()})
        self.assertEqual({run[0] for run in value["runs"]}, {pathlib.Path(ENGINE).name})  # a trace is handed on
        self.assertEqual(self.check("trace", stored), out)
        self.assertEqual(self.check("trace", self.work / "t"), out)
        again = json.loads(self.check("trace", stored, "--json"))
        self.assertEqual({**value, "findings": [], "runs": []}, {**again, "runs": []})
        node = next(n for n in value["nodes"] if n.startswith("softmax") or n.startswith("linear"))
        live = self.check_json("trace_node", self.check("trace", DECODER, "--to", "linalg-on-tensors", "--node", node, "--json"))
        self.assertEqual(self.check_json("trace_node", self.check("trace", stored, "--node", node, "--json")), live)
        self.assertIsNone(live["history"][0]["pass"])
        self.assertGreater(len(live["history"]), 2)

    def test_a_stored_trace_of_a_pass_pipeline_opens(self):
        folder = self.work / "t"
        out = self.check("trace", SAMPLES / "matmul_relu.mlir", "--pass-pipeline", "builtin.module(canonicalize,cse)", "-o", folder)
        self.assertEqual(self.check("trace", folder), out)
        self.assertEqual(json.loads(self.check("trace", folder, "--json"))["target"], "pipeline")
        # As a type of a file that is not given now.
        stored = json.loads((folder / "trace.json").read_text())
        (folder / "trace.json").write_text(json.dumps({**stored, "target": "mine"}))
        self.assertIn(" to mine", self.check("trace", folder))

    def test_a_folder_holds_one_trace(self):
        folder = self.work / "t"
        for sample, to, code in ((ATTENTION, "tosa", 1), (DECODER, "linalg-on-tensors", 0), (ATTENTION, "torch", 0)):
            self.check("trace", sample, "--to", to, "-o", folder, code=code)
            (folder / "12-mine.mlir").write_text("the user's")
            value = json.loads((folder / "trace.json").read_text())
            self.assertEqual({s["file"] for s in value["snapshots"]} | {"trace.json", "12-mine.mlir"}, {p.name for p in folder.iterdir()})

    def test_links_name_lines_of_the_files(self):
        self.check("trace", DECODER, "--to", "linalg-on-tensors", "-o", self.work / "t")
        value = json.loads((self.work / "t" / "trace.json").read_text())
        for snapshot, links in zip(value["snapshots"], value["links"]):
            lines = (self.work / "t" / snapshot["file"]).read_text().split("\n")
            self.assertEqual(len(links["links"]), snapshot["ops"])
            begin = 0
            for line, end, link in zip(links["lines"], links["node_ends"], links["links"]):
                self.assertRegex(lines[line - 1], r'^ *(%|"|[a-z_]+[. {])')
                self.assertEqual(link == "-", begin == end)
                begin = end

    def test_broken_stored_traces_say_what_is_wrong(self):
        self.check("trace", SAMPLES / "addmm.pt2", "--to", "torch", "-o", self.work / "t")
        stored = self.work / "t" / "trace.json"
        good = json.loads(stored.read_text())

        def broken(change, message):
            value = json.loads(json.dumps(good))
            change(value)
            stored.write_text(json.dumps(value))
            status, _, err = self.run_cli("trace", stored)
            self.assertEqual((status, err), (3, f"fxscope-cli: {stored}: {message}\n"))

        broken(lambda v: v.update(schema="x/1"), "its schema is 'x/1', not 'fxscope-trace/1': it is not a trace of fxscope")
        broken(lambda v: v.update(target="No Type"), "target: 'No Type' is not the name of an output type")
        broken(lambda v: v["snapshots"][0].update(file="../00-raw.mlir"),
               "snapshots[0]: '../00-raw.mlir' is not a file name in the trace's directory")
        broken(lambda v: v["passes"][0].update(snapshot=99), "passes[0].snapshot: 99 is not an index below 2")
        broken(lambda v: v["stages"][0].update(status="fine"), "stages[0]: 'fine' is not a stage status")
        broken(lambda v: v["links"][0].update(links="?" * len(v["links"][0]["links"])), "links[0]: '?' is not a kind of link")
        broken(lambda v: v["links"][0].update(links="x"), "links[0]: its lists do not all have one entry per operation of its snapshot")
        broken(lambda v: v["links"].pop(), "it has links for only some snapshots")
        broken(lambda v: v["links"][0]["nodes"].__setitem__(0, 100), "links[0]: there is no node 100")
        broken(lambda v: v["snapshots"][0].pop("ops"), "snapshots[0]: member 'ops' is missing")
        stored.write_text(json.dumps(good))
        snapshot = self.work / "t" / good["snapshots"][0]["file"]
        text = snapshot.read_text()
        snapshot.unlink()
        self.assertEqual(self.run_cli("trace", stored, "--node", "x")[0], 3)
        snapshot.write_text(text + "module {\n}\n")
        status, _, err = self.run_cli("trace", stored, "--node", "x")
        self.assertEqual(status, 3)
        self.assertRegex(err, r"00-raw.mlir: it holds \d+ operations, but had \d+ when it was traced; it was changed since; trace again\n$")

    def test_failing_pass_leaves_what_came_before_it(self):
        status, out, _ = self.run_cli("trace", ATTENTION, "--to", "tosa", "-o", self.work / "t")
        self.assertEqual(status, 1)
        self.assertRegex(out, r"(?m)^ *\d+  tosa +convert-torch-to-tosa +failed .*\.failed\.mlir$")
        self.assertRegex(out, r"(?m)^ *\d+  tosa +tosa-reduce-transposes +not run ")
        self.assertTrue(list(pathlib.Path(self.work / "t").glob("*-convert-torch-to-tosa.failed.mlir")))

    def test_a_module_that_the_engine_does_not_accept_has_no_passes(self):
        self.refuses("trace", SAMPLES / "kernels/softmax.json", "--to", "tosa", code=4,
                     message="the engine does not accept the imported module, so that no pass runs")

    def test_traces_of_the_engine_itself_open(self):
        raw = self.check("import", DECODER).encode()
        pipeline = ("builtin.module(torchdynamo-export-to-torch-backend-pipeline{extra-library=},"
                    "torch-backend-to-linalg-on-tensors-backend-pipeline)")
        argv = [ENGINE, "-", f"--pass-pipeline={pipeline}", "--mlir-print-debuginfo", "--mlir-print-ir-after-all", "-o", "/dev/null"]
        log = self.work / "passes.log"
        log.write_bytes(subprocess.run(argv, input=raw, capture_output=True, check=True).stderr)
        subprocess.run([*argv, "--mlir-print-ir-tree-dir=tree"], input=raw, capture_output=True, check=True, cwd=self.work)
        for made in (log, self.work / "tree"):
            with self.subTest(made=made.name):
                value = self.check_json("trace", self.check("trace", made, "--json", "-o", self.work / f"{made.stem}-out"))
                self.assertTrue(any(p["pass"] == "convert-torch-to-linalg" and p["changed"] for p in value["passes"]))
                self.assertGreaterEqual(value["snapshots"][-1]["coverage"], 0.995)
                self.check("trace", self.work / f"{made.stem}-out")
        # Where the log was stored without its program, nodes are numbers.
        stored = self.work / "passes-out"
        self.refuses("trace", stored, "--node", "linear", code=2, message="the trace has no node 'linear'")
        self.assertEqual(self.check("trace", stored, "--program", DECODER, "--node", "linear").split("\n")[1:],
                         self.check("trace", log, "--program", DECODER, "--node", "linear").split("\n")[1:])
        self.refuses("trace", log, "--patterns", code=2,
                     message=f"option '--patterns': {log} is a stored trace; patterns require the program")

    def test_lines_of_python_tie_what_other_importers_made(self):
        log = self.work / "other.log"
        log.write_text("""// -----// IR Dump After CSE: cse //----- //
module {
  func.func @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = "x.y"(%arg0) : (tensor<1xf32>) -> tensor<1xf32> loc(callsite("torch/nn.py":7:1 at "samples/masked_attention.py":24:8))
    return %0 : tensor<1xf32> loc("samples/masked_attention.py":9999:0)
  } loc(unknown)
} loc(unknown)
""")
        value = self.check_json("trace", self.check("trace", log, "--program", ATTENTION, "--json"))
        links = value["links"][0]
        self.assertEqual((links["links"], [value["nodes"][n] for n in links["nodes"]]),
                         ("--s-", ["scaled_dot_product_attention", "scaled_dot_product_attention_1"]))
        self.assertEqual((value["snapshots"][0]["source_line"], value["snapshots"][0]["coverage"]), (1, 0))
        self.assertIn("x.y", self.check("trace", log, "--program", ATTENTION, "--node", "scaled_dot_product_attention_1"))
        self.assertEqual(json.loads(self.check("trace", log, "--json", "-o", self.work / "t"))["links"][0]["links"], "----")
        again = self.check_json("trace", self.check("trace", self.work / "t", "--program", ATTENTION, "--json"))
        self.assertEqual((again["nodes"], again["links"]), (value["nodes"], value["links"]))

    def test_a_stored_trace_says_whether_it_is_of_the_program(self):
        addmm = SAMPLES / "addmm.pt2"
        self.check("trace", addmm, "--to", "torch", "-o", self.work / "t")
        arguments = ("trace", self.work / "t", "--node", "addmm")
        self.assertEqual(self.check(*arguments, "--program", addmm), self.check(*arguments))
        names = [re.search(r"%(\w+) :", self.check("inspect", each, "--graph"))[1] for each in (ATTENTION, addmm)]
        self.refuses(*arguments, "--program", ATTENTION, code=2,
                     message=f"option '--program': {ATTENTION} is not the program of {self.work / 't'}: its node 0 is '{names[0]}', not '{names[1]}'")
        self.assertEqual(self.run_cli(*arguments, "--program", self.work / "none.pt2"),
                         (3, "", f"fxscope-cli: {self.work / 'none.pt2'}: no such file\n"))

    def test_patterns_of_a_node_are_named(self):
        status, out, _ = self.run_cli("trace", ATTENTION, "--to", "tosa", "--node", "scaled_dot_product_attention", "--patterns")
        self.assertEqual(status, 1)
        self.assertIn("DecomposeAtenScaledDotProductAttentionOp", out)
        self.assertIn("starts as torch.aten.scaled_dot_product_attention, torch.constant.float", out)

    def test_a_history_names_what_does_the_work_first(self):
        out = self.check("trace", ATTENTION, "--to", "linalg-on-tensors", "--node", "scaled_dot_product_attention")
        self.assertRegex(out, r"(?m)torch\.aten\.scaled_dot_product_attention became linalg\.generic, tm_tensor\.attention, "
                              r"tensor\.collapse_shape x4, linalg\.fill, tensor\.expand_shape and \d+ constants, casts etc\.$")

    def test_an_operation_is_followed_to_the_pass_that_made_it(self):
        addmm = SAMPLES / "addmm.pt2"
        self.check("trace", addmm, "--to", "linalg-on-tensors", "-o", self.work / "t")
        matmul = "op=linalg.matmul"
        live = self.check_json("trace_op", self.check("trace", addmm, "--to", "linalg-on-tensors", "--op", matmul, "--patterns", "--json"))
        op = live["operations"][0]
        self.assertEqual((op["made"]["pass"], op["last_changed"]["pass"], op["pattern"], op["nodes"]),
                         ("convert-torch-to-linalg", "canonicalize", "ConvertAtenMmOp", ["addmm"]))
        self.assertEqual([(o["name"], o["made"]["pass"], o["pattern"]) for o in live["came_from"]],
                         [("torch.aten.mm", "torch-decompose-complex-ops", "DecomposeAtenAddmmOp"), ("torch.aten.addmm", None, None)])
        stored = json.loads(self.check("trace", self.work / "t", "--op", matmul, "--json"))
        for each in live["operations"] + live["came_from"]:  # patterns need the program
            each.update(message=each["message"].split(" by ")[0] + "".join(each["message"].partition("; ")[1:]), pattern=None)
        self.assertEqual(stored, live)
        text = self.check("trace", self.work / "t", "--op", f"line={op['line']}")
        self.assertIn("made in pass 12 (convert-torch-to-linalg); last changed in 13 (canonicalize)", text)
        self.assertRegex(text, r"\ncomes from\n(.*\n)+.*torch\.aten\.mm (.*\n)*.* imported +%\d+ = torch\.aten\.addmm ")
        first = self.check_json("trace_op", self.check("trace", self.work / "t", "--op", "op=torch.aten.addmm", "--after", "0", "--json"))
        self.assertEqual(first["came_from"], [])
        self.assertIn("linalg.matmul", first["went_to"][1]["message"])
        self.assertEqual(self.check("trace", self.work / "t", "--op", "op=tosa.*", code=1),
                         f"{stored['input']}: op=tosa.*\n\nno operation of the module has them\n")

    def test_a_search_says_where_the_trace_ends(self):
        """What follows the end is not known to have no such operation."""
        types = self.work / "types.json"
        types.write_text(json.dumps({"schema": "fxscope-output-types/1", "types": [
            {"id": "acme", "title": "Acme", "after": "torch", "tool": {"program": "./acme-opt", "arguments": ["-"]}}]}))
        addmm, attention = (SAMPLES / f"{name}.pt2" for name in ("addmm", "masked_attention"))
        for program, to, code, end in ((addmm, ("acme", "--output-types", types), 4, "the trace ends at stage acme: "),
                                       (attention, ("tosa",), 1, "the trace ends at stage tosa: aten.scaled_dot_product_attention.default: no pattern of TOSA"),
                                       (addmm, ("tosa",), 1, "")):
            for search in (("--op", "op=acme.*"), ("--until", "op=acme.* appears")):
                with self.subTest(program=program.name, to=to[0], search=search):
                    status, out, err = self.run_cli("trace", program, "--to", *to, *search)
                    self.assertEqual(status, code, out + err)
                    self.assertTrue(err.startswith(end) if end else not err, err)
        self.assertEqual(self.run_cli("trace", attention, "--to", "tosa", "--op", "op=acme.*", "--after", "0")[::2], (1, ""))

    def test_wrong_operations_say_how_they_are_meant(self):
        addmm = SAMPLES / "addmm.pt2"
        self.check("trace", addmm, "--to", "torch", "-o", self.work / "t")
        count = len(json.loads((self.work / "t" / "trace.json").read_text())["passes"])
        self.refuses("trace", self.work / "t", "--op", "op=a", "--after", "x", code=2,
                     message=f"option '--after': expected a pass from 0, the import, to {count}, got 'x'")
        self.refuses("trace", self.work / "t", "--after", "1", code=2, message="option '--after' requires --op TERMS")
        self.refuses("trace", self.work / "t", "--op", "line=x", code=2, message="condition: line=: expected a number, got 'x'")
        self.refuses("trace", self.work / "t", "--op", "op=a", "--node", "addmm", code=2,
                     message="option '--op': not with --node; 'node=NAME' is a term of it")

    def test_until_shows_the_first_pass_at_which_a_condition_holds(self):
        addmm = SAMPLES / "addmm.pt2"
        self.check("trace", addmm, "--to", "linalg-on-tensors", "-o", self.work / "t")
        live = self.check("trace", addmm, "--to", "linalg-on-tensors", "--until", "op=linalg.matmul appears", "--json")
        value = self.check_json("stop", live)
        self.assertEqual((value["found"], value["stage"], value["pass"]), (True, "linalg-on-tensors", "convert-torch-to-linalg"))
        self.assertEqual([(op["name"], op["origin"]) for op in value["before"]["operations"]],
                         [("torch.aten.mm", f"made in pass {1 + self.pass_index('torch-decompose-complex-ops')} (torch-decompose-complex-ops)")])
        after = value["after"]
        self.assertEqual([(op["name"], op["nodes"]) for op in after["operations"]], [("linalg.matmul", ["addmm"])])
        line = (self.work / "t" / after["file"]).read_text().split("\n")[after["operations"][0]["line"] - 1]
        self.assertIn(" = linalg.matmul ", line)
        self.assertEqual(json.loads(self.check("trace", self.work / "t", "--until", "op=linalg.matmul appears", "--json")), value)
        out = self.check("trace", self.work / "t", "--until", "node=addmm changes")
        self.assertIn("(torch)\noperations: ", out)
        self.assertRegex(out, r"(?m)^before .* addmm +imported +%\d+ = torch\.aten\.addmm ")
        for condition in ("size static", "match /linalg\\.generic/", "count(op=linalg.*) > 3", "op=torch.* vanishes"):
            self.check_json("stop", self.check("trace", self.work / "t", "--until", condition, "--json"))

    def test_until_names_the_patterns_of_the_pass(self):
        arguments = ("trace", SAMPLES / "addmm.pt2", "--to", "linalg-on-tensors", "--until", "op=linalg.matmul appears", "--patterns")
        patterns = self.check_json("stop", self.check(*arguments, "--json"))["patterns"]
        self.assertEqual(patterns["node"], "addmm")
        rewrite = json.loads(self.check(*arguments, "--json"))["rewrite"]
        self.assertEqual((rewrite["number"], rewrite["count"]), (1, 1))
        self.assertIn("ConvertAtenMmOp", rewrite["pattern"])
        self.assertIn("= linalg.matmul ", rewrite["after"][0])
        self.assertIn(("torch.aten.mm", "took effect"), [(a["op"], a["effect"]) for a in patterns["attempts"]])
        self.assertRegex(self.check(*arguments), r"(?m)\npatterns on addmm\nlinalg-on-tensors  convert-torch-to-linalg\n(.*\n)*  took effect +.*: torch\.aten\.mm")

    def pass_index(self, name):
        passes = json.loads((self.work / "t" / "trace.json").read_text())["passes"]
        return next(i for i, each in enumerate(passes) if each["pass"] == name)

    def test_until_says_what_it_looked_at_and_what_is_wrong(self):
        addmm = SAMPLES / "addmm.pt2"
        self.check("trace", addmm, "--to", "torch", "-o", self.work / "t")
        value = json.loads((self.work / "t" / "trace.json").read_text())
        changed = sum(each["changed"] for each in value["passes"])
        self.assertEqual(self.check("trace", self.work / "t", "--until", "op=tosa.* appears", code=1),
                         f"{value['input']}: 'op=tosa.* appears' never holds in the modules of the trace: {len(value['snapshots'])}, from "
                         f"{len(value['passes'])} passes, of which {changed} changed it\n")
        never = self.check_json("stop", self.check("trace", self.work / "t", "--until", "fails", "--json", code=1))
        self.assertEqual((never["found"], never["pass"], never["after"]["operations"]), (False, None, []))
        value = self.check_json("stop", self.check("trace", ATTENTION, "--to", "tosa", "--until", "fails", "--json"))
        self.assertEqual(value["pass"], "convert-torch-to-tosa")
        self.assertEqual({op["name"] for op in value["before"]["operations"]}, {"torch.aten.scaled_dot_product_attention"})
        self.assertIn("scaled_dot_product_attention", value["message"])
        self.refuses("trace", addmm, "--to", "tosa", "--until", "op=a apears", code=2,
                     message="condition: 'apears': expected appears, vanishes or changes at the end; did you mean 'appears'?")
        self.refuses("trace", self.work / "t", "--until", "node=adddmm changes", code=2,
                     message="condition: the trace has no node 'adddmm'; did you mean 'addmm'?")
        self.refuses("trace", addmm, "--to", "tosa", "--node", "addmm", "--until", "fails", code=2,
                     message="option '--until': not with --node; 'node=NAME changes' is a condition")

    def test_the_lines_of_a_node(self):
        addmm = SAMPLES / "addmm.pt2"
        lines = self.check("trace", addmm, "--to", "torch", "--node", "addmm", "--text").splitlines()
        self.assertRegex(lines[0], r"addmm\.pt2: addmm at torch, \d+ of \d+ lines$")
        for line in lines[2:]:
            self.assertRegex(line, r"^ *\d+  +%\S+ = torch\.")
        self.assertIn("torch.aten.addmm", self.check("trace", addmm, "--to", "torch", "--node", "addmm", "--text", "--stage", "raw"))
        self.refuses("trace", addmm, "--to", "torch", "--node", "addmm", "--text", "--stage", "tosa", code=2,
                     message="option '--stage': the trace has no text of 'tosa'; it has raw, torch")
        self.refuses("trace", addmm, "--to", "torch", "--text", code=2, message="--text requires --node N")
        self.refuses("trace", addmm, "--to", "torch", "--node", "addmm", "--stage", "raw", code=2, message="--stage requires --text")
        self.refuses("trace", addmm, "--to", "torch", "--node", "addmm", "--text", "--json", code=2,
                     message="--text and --json exclude each other")

    def test_wrong_use_says_how_it_is_meant(self):
        self.refuses("trace", ATTENTION, code=2, message=f"'trace' needs --to TYPE: {listed('or')}")
        self.refuses("trace", ATTENTION, "--to", "tosa", "--patterns", code=2,
                     message="option '--patterns' requires --node N, --op TERMS or --until CONDITION")
        self.refuses("trace", self.work / "none.json", code=3, message=f"{self.work}/none.json: no such file")


if __name__ == "__main__":
    unittest.main()
