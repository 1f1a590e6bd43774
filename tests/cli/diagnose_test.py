# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fxscope-cli diagnose: what blocks a program in every form of the answer, and what goes wrong."""
import json
import re
import signal
import subprocess
import time
import unittest

import hostile_programs as made
from support import CLI, ENGINE, SAMPLES, CliTest, listed, needs_engine

ATTENTION = SAMPLES / "masked_attention.pt2"
CUSTOM = SAMPLES / "custom_op.pt2"
SDPA = "aten.scaled_dot_product_attention.default"
BACKENDS = "linalg-on-tensors,tosa,stablehlo"


@needs_engine
class Answer(CliTest):
    def test_json_names_what_blocks_why_and_what_was_proved(self):
        answer = self.check_json("diagnose", self.check("diagnose", ATTENTION, "--to", BACKENDS, "--json", code=1))
        self.assertEqual([(t["to"], t["lowers"]) for t in answer["targets"]],
                         [("linalg-on-tensors", True), ("tosa", False), ("stablehlo", False)])
        self.assertEqual({(f["target"], f["kind"]) for f in answer["findings"]}, {(SDPA, "no-pattern")})
        for finding in answer["findings"]:
            shortest, decomposed = finding["experiments"][0], next(e for e in finding["experiments"] if e["id"] == "decompose")
            self.assertEqual((shortest["id"], shortest["proof"]), ("run-decompositions", "proved"))
            self.assertEqual(shortest["snippet"], "program = program.run_decompositions()")
            self.assertEqual(decomposed["outcome"], "passed")
            self.assertEqual(finding["tried"], ["DecomposeAtenScaledDotProductAttentionOp (torch-decompose-complex-ops)"])

    def test_what_is_proposed_does_what_it_says(self):
        answer = json.loads(self.check("diagnose", ATTENTION, "--to", "tosa", "--json", code=1))
        snippet = next(e for e in answer["findings"][0]["experiments"] if e["id"] == "decompose")["snippet"].split()
        self.assertEqual(snippet[0], "fxscope-cli")
        self.check(*snippet[1:])

    def test_forms_agree(self):
        answer = json.loads(self.check("diagnose", ATTENTION, "--to", "tosa", "--format", "json", code=1))
        text = self.check("diagnose", ATTENTION, "--to", "tosa", code=1)
        sarif = json.loads(self.check("diagnose", ATTENTION, "--to", "tosa", "--format", "sarif", code=1))
        self.assertEqual([r["occurrenceCount"] for r in sarif["runs"][0]["results"]], [f["count"] for f in answer["findings"]])
        for name in [f["node"] for f in answer["findings"]]:
            self.assertIn(name, text)
            self.assertIn(name, self.check("diagnose", ATTENTION, "--to", "tosa", "--format", "markdown", code=1))
            self.assertIn(name, self.check("diagnose", ATTENTION, "--to", "tosa", "--format", "html", code=1))

    def test_layers_are_in_what_is_read_and_not_in_what_is_parsed(self):
        said = {form: self.check("diagnose", ATTENTION, "--to", "tosa", "--no-experiments", "--layer", "flops", "--layer-rows", "2", "--format", form, code=1)
                for form in ("text", "markdown", "html", "json", "sarif")}
        self.assertRegex(said["text"], r"(?m)^  node +operator +FLOPs\n  linear_4 +aten.linear.default +\d+\n  \w+ ")
        self.assertRegex(said["markdown"], r"(?m)^\| node \| operator \| FLOPs \|\n\| --- \| --- \| ---: \|\n\| linear")
        for form in ("text", "markdown", "html"):
            self.assertRegex(said[form], r"\d+ of \d+ nodes with a value are left out; --layer-rows all lists all")
        page = said["html"]
        self.assertEqual(len(re.findall('<section id="layers">', page)), 1)
        self.assertIn('<p>FLOPs, up to: <span class="swatch level1">', page)
        self.assertGreater(len(re.findall(r'class="body" .*?fill="var\(--graph-level5\)"', page)), 0)
        for form in ("json", "sarif"):
            self.assertNotIn("FLOPs", said[form])
        self.refuses("diagnose", ATTENTION, "--to", "tosa", "--layer", "/nowhere.csv", code=3, message="/nowhere.csv: no such file")

    def test_one_change_that_is_all_is_enough(self):
        out = self.check("diagnose", SAMPLES / "decoder_dynamic.pt2", "--to", "tosa", code=1)
        self.assertIn("the whole program lowers with fix 1\n", out)
        self.assertIn("export with static shapes (s27 = 7) (whole program lowers with it; the program is fixed to these sizes)\n", out)
        self.assertNotIn("not enough by itself", out)

    def test_survey_only(self):
        answer = json.loads(self.check("diagnose", CUSTOM, "--to", "torch,linalg-on-tensors", "--json", "--no-experiments", code=1))
        self.assertEqual({f["kind"] for f in answer["findings"]}, {"not-registered"})
        self.assertEqual([f["experiments"] for f in answer["findings"]], [[]] * len(answer["findings"]))

    def test_program_that_lowers(self):
        answer = self.check_json("diagnose", self.check("diagnose", SAMPLES / "residual_block.pt2", "--to", BACKENDS, "--json"))
        self.assertEqual(answer["findings"], [])
        self.assertTrue(all(t["lowers"] for t in answer["targets"]))

    def test_outcomes_are_kept_by_content(self):
        first = json.loads(self.check("diagnose", ATTENTION, "--to", "tosa", "--json", code=1))
        kept = list(self.work.glob("**/outcomes/*"))
        self.assertTrue(kept)
        second = json.loads(self.check("diagnose", ATTENTION, "--to", "tosa", "--json", code=1))
        self.assertEqual(first["findings"], second["findings"])
        self.assertEqual(sorted(kept), sorted(self.work.glob("**/outcomes/*")))

    def test_operation_is_kept_whole(self):
        self.check("lower", SAMPLES / "residual_block.pt2", "--to", "linalg-on-tensors", "--backend-legal-ops", "aten.relu")
        self.refuses("lower", ATTENTION, "--to", "tosa", "--backend-legal-ops", "aten}x", code=2,
                     message="'aten}x' is not an operation name; expected a name such as aten.softmax.int")


@needs_engine
class RunTimeSizes(CliTest):
    """A selection of rows, whose number is known only at run time."""

    def program(self):
        u0, i64, boolean = made.sym("Symbol('u0', integer=True)", None), 5, 12
        nodes = [made.call("nz", "aten.nonzero.default", self="mask"),
                 made.call("rows", "aten.select.int", self="nz", dim=1, index=0),
                 made.call("picked", "aten.index_select.default", self="x", dim=0, index="rows"),
                 made.call("mine", "mine.op.default", self="x")]
        tensors = {"mask": made.meta(2, dtype=boolean), "nz": made.meta(u0, 1, dtype=i64, strides=(1, 1)),
                   "rows": made.meta(u0, dtype=i64, strides=(1,)), "picked": made.meta(u0, 8, strides=(8, 1))}
        return made.pt2(self.work, made.model(nodes, tensors, inputs=("x", "mask"), outputs=["picked", "mine"]))

    def test_what_fails_for_them_is_one_cause(self):
        model = self.program()
        answer = self.check_json("diagnose", self.check("diagnose", model, "--to", "tosa", "--json", code=1))
        source, = answer["size_sources"]
        self.assertEqual((source["name"], source["symbols"]), ("aten.nonzero", ["u0"]))
        self.assertEqual([n["name"] for n in source["nodes"]], ["nz"])
        blocks, = source["blocks"]
        self.assertEqual((blocks["to"], blocks["message"]), ("tosa", "TOSA has static sizes only"))
        self.assertIn("aten.nonzero.default", blocks["operators"])
        self.assertEqual([t["to"] for t in answer["other_types"]], ["linalg-on-tensors", "stablehlo"])
        own, = (f for f in answer["findings"] if f["node"] == "mine")
        self.assertIsNone(own["sizes"])

    def test_forms_agree(self):
        model = self.program()
        answer = json.loads(self.check("diagnose", model, "--to", "tosa", "--json", code=1))
        blocks = answer["size_sources"][0]["blocks"][0]
        title = "Sizes known only at run time (u0, from aten.nonzero)"
        count = f"{blocks['nodes']} node"
        text = self.check("diagnose", model, "--to", "tosa", "--wide", code=1)
        self.assertIn(f"tosa  stops at torch: sizes known only at run time block it, from aten.nonzero, at {count}", text)
        self.assertIn(f"  1. {title}: {count}", text)
        self.assertIn("\n  2. mine.op.default", text)
        for form in ("markdown", "html"):
            written = self.check("diagnose", model, "--to", "tosa", "--format", form, code=1)
            self.assertIn(title, written.replace("\\", ""))
            self.assertIn(f"{count}", written)

    def test_the_next_step_is_what_goes_further(self):
        text = self.check("diagnose", self.program(), "--to", "tosa", "--wide", code=1)
        self.assertRegex(text, r"\nnext: linalg-on-tensors goes further: it stops at 1 operator only\n"
                               r"  fxscope-cli lower .*model.pt2 --to linalg-on-tensors\n$")

    def test_without_experiments_no_other_output_type_is_tried(self):
        answer = json.loads(self.check("diagnose", self.program(), "--to", "tosa", "--json", "--no-experiments", code=1))
        self.assertEqual(answer["other_types"], [])
        self.assertEqual(len(answer["size_sources"]), 1)


@needs_engine
class Faults(CliTest):
    def test_engine_that_dies_in_the_middle_costs_what_it_was_asked(self):
        """Every second process is killed: the survey still ends, with what is known."""
        counter = self.work / "count"
        wrapper = self.work / "flaky"
        wrapper.write_text(f"""#!/bin/sh
case "$*" in *--split-input-file*--mlir-disable-threading*|*--mlir-disable-threading*--split-input-file*)
  echo x >> {counter}; if [ $(($(wc -l < {counter}) % 2)) = 1 ]; then cat > /dev/null; kill -9 $$; fi;;
esac
exec {ENGINE} "$@"
""")
        wrapper.chmod(0o755)
        status, out, err = self.run_cli("diagnose", ATTENTION, "--to", "tosa", "--json", "--no-experiments", engine=wrapper)
        self.assertEqual(status, 1, err)
        self.assertEqual({f["target"] for f in json.loads(out)["findings"]}, {SDPA})

    def test_interrupt_ends_everything(self):
        started = self.work / "started"
        wrapper = self.work / "slow"
        wrapper.write_text(f"""#!/bin/sh
case "$*" in *--split-input-file*--mlir-disable-threading*) echo $$ > {started}; exec sleep 100;; esac
exec {ENGINE} "$@"
""")
        wrapper.chmod(0o755)
        with subprocess.Popen([CLI, "diagnose", str(ATTENTION), "--to", "tosa"], env=self.environment(wrapper),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            deadline = time.monotonic() + 60
            while not started.exists() or not started.read_text().strip():
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertFalse(self.running(int(started.read_text())))

    def test_answer_that_cannot_be_written(self):
        status, out, err = self.run_cli("diagnose", ATTENTION, "--to", "tosa", "--no-experiments", "-o", self.work / "no" / "such" / "f.txt")
        self.assertEqual((status, out), (2, ""))
        self.assertIn(str(self.work / "no" / "such" / "f.txt"), err)


class Usage(CliTest):
    def test_form_that_does_not_exist(self):
        self.refuses("diagnose", ATTENTION, "--to", "tosa", "--format", "pdf", code=2,
                     message="option '--format': 'pdf' is not one of text, json, sarif, html, markdown")

    def test_no_target(self):
        self.refuses("diagnose", ATTENTION, code=2,
                     message=f"'diagnose' needs --to TYPE: {listed('or')}")

    def test_file_that_is_not_there(self):
        status, out, err = self.run_cli("diagnose", self.work / "none.pt2", "--to", "tosa")
        self.assertEqual((status, out), (3, ""))


if __name__ == "__main__":
    unittest.main()
