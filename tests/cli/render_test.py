"""`render`: a picture that parses, shows every node, opens what it is told to open, and marks what stops the program."""
import re
import unittest
import xml.etree.ElementTree as xml

from support import SAMPLES, CliTest, needs_engine

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture):
    return [t.text for t in xml.fromstring(picture).iter(f"{SVG}text")]


def tips(picture):
    return [t.text for t in xml.fromstring(picture).iter(f"{SVG}title")]


class Render(CliTest):
    def test_every_sample_is_a_picture_without_an_engine(self):
        for sample in sorted(SAMPLES.glob("*.pt2")):
            for expand in ("none", "all"):
                with self.subTest(sample=sample.name, expand=expand):
                    root = xml.fromstring(self.check("render", sample, "--expand", expand, engine=None))
                    self.assertEqual(root.tag, f"{SVG}svg")
                    self.assertGreater(float(root.get("width")), 50)
                    self.assertGreater(len(list(root.iter(f"{SVG}path"))), 1)

    def test_every_node_is_in_the_open_picture(self):
        nodes = [line.split()[0].lstrip("%") for line in self.check("inspect", SAMPLES / "residual_block.pt2", "--graph").splitlines()
                 if "= call_function" in line]
        self.assertGreater(len(nodes), 4)
        shown = "\n".join(texts(self.check("render", SAMPLES / "residual_block.pt2", "--expand", "all")))
        for node in nodes:
            self.assertIn(node, shown)

    def test_to_a_file_says_what_is_in_it(self):
        out = self.work / "out.svg"
        said = self.check("render", SAMPLES / "addmm.pt2", "-o", out)
        self.assertRegex(said, rf"^{out}: \d+ boxes in \d+ open modules, \d+ edges, \d+ stubs\n$")
        self.assertEqual(self.check("render", SAMPLES / "addmm.pt2"), out.read_text())

    def test_the_dark_theme_is_another_picture(self):
        light, dark = (self.check("render", SAMPLES / "addmm.pt2", "--theme", theme) for theme in ("light", "dark"))
        self.assertNotEqual(light, dark)
        self.assertEqual(texts(light), texts(dark))

    def test_wrong_words_are_named(self):
        self.refuses("render", SAMPLES / "addmm.pt2", "--theme", "drak", code=2, message="unknown theme 'drak'; expected light or dark")
        status, out, err = self.run_cli("render", SAMPLES / "transformer_block.pt2", "--expand", "no.such.module")
        self.assertEqual((status, out), (2, ""))
        self.assertTrue(err.startswith("fxscope-cli: no module 'no.such.module' to expand"), err)

    @needs_engine
    def test_what_stops_the_program_is_marked(self):
        picture = self.check("render", SAMPLES / "custom_op.pt2", "--to", "linalg-on-tensors", "--expand", "all", code=1)
        self.assertIn("!", texts(picture))
        self.assertNotIn("!", texts(self.check("render", SAMPLES / "custom_op.pt2", "--expand", "all")))

    @needs_engine
    def test_every_operation_of_a_stage_is_drawn_once_in_the_modules_of_the_program(self):
        stage = ("--to", "linalg-on-tensors", "--stage", "linalg-on-tensors")
        for sample in ("masked_attention.pt2", "residual_block.pt2"):
            self.check("lower", SAMPLES / sample, "--to", "linalg-on-tensors", "-o", self.work / sample)
            module = next((self.work / sample).glob("*linalg-on-tensors.mlir")).read_text()
            drawn = tips(self.check("render", SAMPLES / sample, *stage, "--expand", "all"))
            for op in ("linalg.generic", "linalg.matmul", "linalg.batch_matmul", "tensor.collapse_shape", "tensor.expand_shape"):
                with self.subTest(sample=sample, op=op):
                    self.assertEqual(sum(tip.startswith(op + " =") for tip in drawn), len(re.findall(rf"= {re.escape(op)}\b", module)))
            modules, of_program = ([tip.split(" (")[0] for tip in tips(self.check("render", SAMPLES / sample, *args, "--expand", "none"))
                                    if " nodes)" in tip] for args in (stage, ()))
            self.assertEqual([path for path in modules if path in of_program], of_program)

    @needs_engine
    def test_a_pass_is_drawn(self):
        first, second = (self.check("render", SAMPLES / "addmm.pt2", "--to", "linalg-on-tensors", "--pass", n, "--expand", "all") for n in ("0", "1"))
        self.assertIn("torch.aten.addmm", texts(first))
        self.assertEqual(xml.fromstring(second).tag, f"{SVG}svg")

    @needs_engine
    def test_what_cannot_be_drawn_is_named(self):
        to = ("--to", "linalg-on-tensors")
        self.refuses("render", SAMPLES / "addmm.pt2", *to, "--stage", "lower", code=2,
                     message="no stage 'lower'; expected one of raw, torch, linalg-on-tensors")
        self.refuses("render", SAMPLES / "addmm.pt2", "--stage", "raw", code=2, message="--stage requires an output type; add --to TYPE")
        self.refuses("render", SAMPLES / "addmm.pt2", *to, "--stage", "raw", "--pass", "1", code=2, message="--stage and --pass exclude each other")
        self.assertEqual(self.run_cli("render", SAMPLES / "addmm.pt2", *to, "--pass", "999")[0], 2)


if __name__ == "__main__":
    unittest.main()
