# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fxscope-cli diagnose: what blocks a program in every form of the answer, and what goes wrong."""
import json
import signal
import subprocess
import time
import unittest

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
            self.assertEqual(finding["experiments"][0]["id"], "decompose")
            self.assertEqual(finding["experiments"][0]["proof"], "proved")
            self.assertEqual(finding["tried"], ["DecomposeAtenScaledDotProductAttentionOp (torch-decompose-complex-ops)"])

    def test_what_is_proposed_does_what_it_says(self):
        answer = json.loads(self.check("diagnose", ATTENTION, "--to", "tosa", "--json", code=1))
        snippet = answer["findings"][0]["experiments"][0]["snippet"].split()
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
