# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--from` and `--skip-pass`: a lowering that continues from an edited text, or without some passes."""
import json
import re
import unittest

import json_schema
from support import SAMPLES, SOURCE, CliTest, needs_engine

ADDMM = SAMPLES / "addmm.pt2"


class VariantsFileTest(unittest.TestCase):
    def errors(self, name):
        schema = json.loads((SOURCE / "resources/schemas/variants.schema.json").read_text())
        return list(json_schema.errors(json.loads((SOURCE / "tests/fuzz/corpus/variants" / name).read_text()), schema))

    def test_a_file_is_that_of_the_schema(self):
        self.assertEqual(self.errors("tree"), [])
        self.assertNotEqual(self.errors("wrong_type"), [])


@needs_engine
class VariantTest(CliTest):
    def stages(self, *args, name="out", to="tosa", code=0):
        out = self.work / name
        self.check("lower", ADDMM, "--to", to, *args, "-o", out, code=code)
        return {path.name[3:-5]: path.read_text() for path in sorted(out.glob("*.mlir"))}

    def write(self, text):
        path = self.work / "edited.mlir"
        path.write_text(text)
        return path

    def plain(self, text):
        """As people copy it: without locations."""
        return re.sub(r" loc\((?:[^()]|\([^()]*\))*\)", "", re.sub(r"(?m)^#loc.*\n", "", text))

    def test_unedited_texts_give_the_texts_that_were_there(self):
        texts = self.stages()
        for stage in ("raw", "torch", "tosa"):
            for text in (texts[stage], self.plain(texts[stage])):
                self.assertEqual(self.stages("--from", f"{stage}={self.write(text)}"), texts)

    def test_passes_are_named_by_number_or_name(self):
        texts = self.stages(to="linalg-on-tensors")
        trace = self.work / "trace"
        self.check("trace", ADDMM, "--to", "linalg-on-tensors", "-o", trace)
        listed = json.loads((trace / "trace.json").read_text())
        number = next(p["index"] for p in listed["passes"] if p["pass"] == "convert-torch-to-linalg")
        file = trace / listed["snapshots"][listed["passes"][number]["snapshot"]]["file"]
        for position in (number + 1, "convert-torch-to-linalg"):
            self.assertEqual(self.stages("--from", f"{position}={file}", to="linalg-on-tensors"), texts)

    def test_an_edit_changes_what_follows(self):
        texts = self.stages()
        edited = self.plain(texts["torch"]).replace("torch.constant.float 5.000000e-01", "torch.constant.float 2.500000e-01")
        self.assertNotEqual(edited, self.plain(texts["torch"]))
        after = self.stages("--from", f"torch={self.write(edited)}")
        self.assertEqual(after["raw"], texts["raw"])
        self.assertIn("2.500000e-01", after["tosa"])
        self.assertIn('"addmm"', after["tosa"])

    def test_errors_have_their_line(self):
        text = self.plain(self.stages()["torch"]).replace("torch.aten.mm", "torch.aten.mn").replace("torch.aten.addmm", "torch.aten.mn")
        line = next(i for i, each in enumerate(text.splitlines(), 1) if "torch.aten.mn" in each)
        out = self.check("lower", ADDMM, "--to", "tosa", "--from", f"torch={self.write(text)}", code=1)
        self.assertIn(f"line {line}: ", out)

    def test_passes_without_a_name_cannot_be_left_out(self):
        self.refuses("trace", ADDMM, "--to", "tosa", "--skip-pass", "14", code=2,
                     message="stage tosa: the engine does not run its pass 'tosa-layerwise-constant-fold' by name, so that none can be left out")

    def test_passes_are_skipped(self):
        out = self.check("trace", ADDMM, "--to", "linalg-on-tensors", "--skip-pass", "9,11").splitlines()
        rows = [line.split() for line in out if re.match(r" *\d+  ", line)]
        self.assertEqual([row[0] for row in rows if row[3] == "skipped"], ["9", "11"])
        self.assertEqual(len(rows), 26)

    def test_what_does_not_exist_is_refused_with_what_does(self):
        file = self.write("module {\n}\n")
        lower = ("lower", ADDMM, "--to", "raw")
        self.refuses(*lower, "--from", f"tosa={file}", code=2,
                     message="option '--from': no stage or pass 'tosa'; the stages are raw, the passes none")
        self.refuses(*lower, "--skip-pass", "1", code=2, message="option '--skip-pass': no pass '1'; the passes are none")
        self.refuses(*lower, "--from", "raw", code=2, message="option '--from': expected STAGE=FILE or PASS=FILE, got 'raw'")
        to_torch = ("lower", ADDMM, "--to", "torch")
        passes = ("1 torch-match-quantized-custom-ops, 2 inline, 3 torch-reduce-op-variants, 4 canonicalize, 5 torch-decompose-complex-ops, "
                  "6 torch-recompose-complex-ops, 7 canonicalize")
        self.refuses(*to_torch, "--from", f"99={file}", code=2, message=f"option '--from': no pass '99'; the passes are {passes}")
        self.refuses(*to_torch, "--from", f"canonicalize={file}", code=2,
                     message="option '--from': 'canonicalize' runs several times: 4 canonicalize, 7 canonicalize")
        self.refuses(*to_torch, "--via", "nodes", "--skip-pass", "1", code=2,
                     message="--from and --skip-pass change the pipelines: leave out --via")

    def test_an_argument_of_a_node_is_set(self):
        texts = self.stages(to="torch")
        changed = self.stages("--set-arg", "addmm.alpha=3", to="torch")
        self.assertNotEqual(self.plain(changed["raw"]), self.plain(texts["raw"]))
        lower = ("lower", ADDMM, "--to", "torch")
        self.refuses(*lower, "--set-arg", "addmm=3", code=2, message="option '--set-arg': expected NODE.ARG=VALUE, got 'addmm=3'")
        self.refuses(*lower, "--set-arg", "admm.alpha=3", code=2, message="the program has no node 'admm'; did you mean 'addmm'?")
        self.refuses(*lower, "--set-arg", "addmm.alpha=3", "--via", "nodes", code=2,
                     message="--set-arg, --decompose-node and --keep-node change what the pipelines lower: leave out --via and --fix")

    def test_the_changed_node_is_inspected_and_diagnosed(self):
        inspect = ("inspect", ADDMM, "--graph")
        before = self.check(*inspect, "--rewritten")
        self.assertEqual(self.check(*inspect, "--rewritten", "--keep-node", "addmm"), before)
        self.assertIn("alpha: 3}", self.check(*inspect, "--rewritten", "--set-arg", "addmm.alpha=3"))
        self.refuses(*inspect, "--set-arg", "addmm.alpha=3", code=2, message="--set-arg requires --rewritten")
        diagnose = ("diagnose", ADDMM, "--to", "torch", "--no-experiments")
        self.check(*diagnose, "--set-arg", "addmm.alpha=3")
        self.refuses(*diagnose, "--set-arg", "admm.alpha=3", code=2, message="the program has no node 'admm'; did you mean 'addmm'?")

    def test_one_node_is_decomposed(self):
        self.refuses("lower", ADDMM, "--to", "torch", "--decompose-node", "x", code=2,
                     message="node 'x': there is no decomposition of x in this form")


if __name__ == "__main__":
    unittest.main()
