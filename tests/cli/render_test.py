"""`render`: a picture that parses, shows every node, opens what it is told to open, and marks what stops the program."""
import unittest
import xml.etree.ElementTree as xml

from support import SAMPLES, CliTest, needs_engine

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture):
    return [t.text for t in xml.fromstring(picture).iter(f"{SVG}text")]


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


if __name__ == "__main__":
    unittest.main()
