# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`render`: a picture that parses, shows every node, opens what it is told to open, and marks what stops the program."""
import base64
import contextlib
import hashlib
import json
import pathlib
import re
import shutil
import struct
import subprocess
import unittest
import xml.etree.ElementTree as xml
import zlib

from support import CLI, SAMPLES, SOURCE, CliTest, needs_engine

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture):
    return [t.text for t in xml.fromstring(picture).iter(f"{SVG}text")]


def tips(picture):
    return [t.text for t in xml.fromstring(picture).iter(f"{SVG}title")]


def decoded(png):
    """(width, height, rows of RGB) of a PNG of 8 bits a channel without transparency."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        chunks[kind] = chunks.get(kind, b"") + png[at + 8:at + 8 + size]
        at += size + 12
    width, height, depth, color, *rest = struct.unpack(">2I5B", chunks[b"IHDR"])
    assert (depth, color, rest) == (8, 2, [0, 0, 0]), (depth, color, rest)
    data, stride = zlib.decompress(chunks[b"IDAT"]), 3 * width
    rows, above = [], bytearray(stride)
    for y in range(height):
        kind, row = data[y * (stride + 1)], bytearray(data[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            left, corner = (row[x - 3], above[x - 3]) if x >= 3 else (0, 0)
            paeth = min((abs(above[x] - corner), 0, left), (abs(left - corner), 1, above[x]), (abs(left + above[x] - 2 * corner), 2, corner))[2]
            row[x] = (row[x] + (0, left, above[x], (left + above[x]) // 2, paeth)[kind]) & 255
        rows.append(bytes(row))
        above = row
    return width, height, rows


RASTER = pathlib.Path(CLI).with_name("fxscope-raster")
needs_raster = unittest.skipUnless(RASTER.exists(), "built without librsvg: there is no fxscope-raster")


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

    def test_a_layer_colours_the_nodes_and_has_a_legend(self):
        sample, layer = SAMPLES / "masked_attention.pt2", self.work / "layer.csv"
        layer.write_text("node,time,where\nlinear,1,npu\nlinear_1,1000,cpu\nno_node,3,cpu\n")
        out = self.work / "l.svg"
        done = self.run_cli("render", sample, "--expand", "all", "--layer", layer, "-o", out)
        self.assertEqual(done[0], 0, done)
        self.assertIn("layer.csv: time: 2 of 78 nodes have a value; 1 name is not in this program: 'no_node'", done[2])
        picture = out.read_text()
        self.assertIn("linear = aten.linear.default : f32[1, 10, 32]\ntime: 1\nwhere: npu", "\n".join(tips(picture)))
        shown = texts(picture)
        for said in ("time, up to:", "3.98", "1000"):
            self.assertIn(said, shown)
        for color, count in (("#fff3c4", 2), ("#6a93e0", 2), ("#8fd0bd", 1)):  # a box and its entry of the legend, or this alone
            self.assertEqual(picture.count(f'fill="{color}"'), count, color)
        plain = self.check("render", sample, "--expand", "all")
        height = [float(xml.fromstring(text).get("height")) for text in (plain, picture)]
        self.assertEqual(height[1] - height[0], 32)
        # Operations have the colours of the nodes that they come from.
        layer.write_text("node,time\nlinear,1\nlinear_1,1000\n")
        stage = self.check("render", sample, "--expand", "all", "--layer", layer, "--to", "linalg-on-tensors", "--stage", "linalg-on-tensors")
        self.assertGreater(stage.count('fill="#6a93e0"'), 2)

    def test_a_page_has_the_graph_and_the_values(self):
        sample, layer, out = SAMPLES / "masked_attention.pt2", self.work / "layer.csv", self.work / "page.html"
        layer.write_text("node,time,where\nlinear,1,npu\nlinear_1,1000,cpu <b>\nadd,,npu\n")
        self.assertEqual(self.run_cli("render", sample, "--expand", "all", "--layer", layer, "--layer", "flops", "-o", out)[0], 0)
        page = out.read_text()
        self.assertIn("<title>masked_attention.pt2</title>", page)
        self.assertNotIn("<b>", page)
        self.assertEqual(re.findall("<dt>(.*?)</dt>", page), ["time", "where", "FLOPs"])
        self.assertEqual(re.findall("<th .*?>(.*?)</th>", page), ["node", "operator", "time", "where", "FLOPs"])
        # The largest numbers of the first layer are first.
        rows = [re.findall("<td.*?>(.*?)</td>", row) for row in re.findall("<tr data-n.*?</tr>", page)]
        self.assertEqual([row[0] for row in rows[:3]], ["linear_1", "linear", rows[2][0]])
        self.assertEqual(rows[0][2:4], ['<span class="swatch level5">1000</span>', '<span class="swatch class2">cpu &lt;b&gt;</span>'])
        self.assertEqual(rows[1][2:4], ['<span class="swatch level1">1</span>', '<span class="swatch class1">npu</span>'])
        self.assertIn(["add", '<span class="muted">aten.add.Tensor</span>', "", '<span class="swatch class1">npu</span>', ""], rows)
        # Legend and colours are those of the first layer, whose picture has no legend of its own.
        self.assertEqual(page.count("var(--graph-level5)"), 2)  # a box, and the style of swatches
        legend = re.search(r'<h2 id="graph-title">Graph</h2><p>(.*?)</p>', page)[1]
        self.assertTrue(legend.startswith('time, up to: <span class="swatch level1">3.98</span>'), legend)
        svg = re.search("<svg.*?</svg>", page, re.S)[0]
        self.assertNotIn("up to:", "".join(texts(svg)))
        # A row names the boxes of its node.
        index = re.search(r'<tr data-n="(\d+)"><td>linear_1<', page)[1]
        self.assertRegex(svg, rf'class="box" data-n="[\d ]*\b{index}"><title>linear_1 = ')
        style = re.search("<style>(.*?)</style>", page, re.S)[1]
        self.assertIn("sha256-" + base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(), page)

        self.assertEqual(self.run_cli("render", sample, "--layer", layer, "--layer-rows", "1", "-o", out)[0], 0)
        page = out.read_text()
        self.assertEqual(len(re.findall("<tr data-n", page)), 1)
        self.assertIn("2 of 3 nodes with a value are left out; --layer-rows all lists all", page)
        # Without layers, it is the graph alone; of a stage, a row selects the operations of its node.
        self.check("render", sample, "-o", out)
        self.assertNotIn("<table", out.read_text())

    @needs_engine
    def test_a_row_of_a_page_selects_the_operations_of_a_stage(self):
        out = self.work / "stage.html"
        self.check("render", SAMPLES / "addmm.pt2", "--to", "linalg-on-tensors", "--stage", "linalg-on-tensors", "--expand", "all", "--layer", "flops", "-o", out)
        page = out.read_text()
        nodes = set(re.search(r'<tr data-n="([\d ]+)"><td>addmm<', page)[1].split())
        boxes = {index for box in re.findall(r'class="box" data-n="([\d ]+)"', page) for index in box.split()}
        self.assertTrue(nodes)
        self.assertLessEqual(nodes, boxes)

    def test_computed_layers_are_those_of_the_summary(self):
        out = self.work / "flops.html"
        self.check("render", SAMPLES / "masked_attention.pt2", "--layer", "flops", "--layer", "bytes", "-o", out)
        shown = {row[0]: row[1:] for row in re.findall(r"<tr data-n=.*?<td>(.*?)</td>.*?<td.*?>.*?</td><td.*?>(?:<span.*?>)?(.*?)(?:</span>)?</td>"
                                                       r"<td.*?>(?:<span.*?>)?(.*?)(?:</span>)?</td></tr>", out.read_text())}
        self.assertEqual(shown["linear"], (str(2 * 10 * 32 * 32), str(4 * 10 * 32)))
        self.assertEqual(shown["layer_norm"], ("", str(4 * 10 * 32)))
        (self.work / "flops").write_text("node,mine\nlinear,3\n")
        with contextlib.chdir(self.work):
            self.assertIn("mine, up to:", self.check("render", SAMPLES / "masked_attention.pt2", "--layer", "./flops"))

    def test_texts_have_colours_of_their_own(self):
        layer, out = self.work / "l.csv", self.work / "l.svg"
        nodes = re.findall("^ *%?(\\w+) .*= call_function", self.check("inspect", SAMPLES / "masked_attention.pt2", "--graph"), re.M)[:12]
        long = "a" * 60
        layer.write_text("node,where\n" + "".join(f"{name},{long if i == 11 else chr(97 + i)}\n" for i, name in enumerate(nodes)))
        self.check("render", SAMPLES / "masked_attention.pt2", "--expand", "all", "--layer", layer, "-o", out)
        picture = out.read_text()
        light = json.loads((SOURCE / "resources/themes/light.json").read_text())["colors"]
        for number in range(1, 11):  # a box and its swatch; the last is that of three
            self.assertEqual(picture.count(f'fill="{light[f"graphClass{number}"]}"'), 4 if number == 10 else 2, number)
        self.assertIn("3 others", texts(picture))
        width = float(xml.fromstring(picture).get("width"))
        layer.write_text(f"node,where\n{nodes[0]},{long}\n{nodes[1]},{long}b\n")
        picture = self.check("render", SAMPLES / "masked_attention.pt2", "--expand", "all", "--layer", layer)
        self.assertEqual(float(xml.fromstring(picture).get("width")), width)
        self.assertIn("a" * 38 + "..", texts(picture))

    def test_rows_of_layers_are_a_number_and_for_a_page(self):
        layer = ("--layer", "flops")
        for options, message in ((("--layer-rows", "all", "-o", "x.html"), "option '--layer-rows' requires --layer"),
                                 ((*layer, "--layer-rows", "0", "-o", "x.html"), "--layer-rows: expected a number above 0, or all, got '0'"),
                                 ((*layer, "--layer-rows", "many", "-o", "x.html"), "--layer-rows: expected a number above 0, or all, got 'many'"),
                                 ((*layer, "--layer-rows", "2"), "--layer-rows is for a page; add -o OUT.html")):
            self.refuses("render", SAMPLES / "addmm.pt2", *options, code=2, message=message)

    def test_a_wrong_layer_is_refused(self):
        layer = self.work / "layer.json"
        layer.write_text('{"schema": "fxscope-layer/1", "title": "T", "node": {}}')
        self.refuses("render", SAMPLES / "addmm.pt2", "--layer", layer, code=3, message=f"{layer}: node: unknown member; expected schema, title, unit, scale, nodes, operators")
        self.refuses("render", SAMPLES / "addmm.pt2", "--layer", "/nowhere.csv", code=3, message="/nowhere.csv: no such file")

    def test_the_dark_theme_is_another_picture(self):
        light, dark = (self.check("render", SAMPLES / "addmm.pt2", "--theme", theme) for theme in ("light", "dark"))
        self.assertNotEqual(light, dark)
        self.assertEqual(texts(light), texts(dark))

    def test_wrong_words_are_named(self):
        self.refuses("render", SAMPLES / "addmm.pt2", "--theme", "drak", code=2, message="unknown theme 'drak'; expected light or dark")
        status, out, err = self.run_cli("render", SAMPLES / "transformer_block.pt2", "--expand", "no.such.module")
        self.assertEqual((status, out), (2, ""))
        self.assertTrue(err.startswith("fxscope-cli: no module 'no.such.module' to expand"), err)

    def test_a_query_marks_the_nodes_that_match_and_dims_the_others(self):
        out = self.work / "out.svg"
        said = self.check("render", SAMPLES / "masked_attention.pt2", "--query", "op=aten.linear module~attention", "--expand", "all", "-o", out)
        self.assertTrue(said.endswith("\n8 of 78 nodes match\n"), said)
        boxes = [g for g in xml.fromstring(out.read_text()).iter(f"{SVG}g") if g.find(f"{SVG}title") is not None]
        bright = [g.find(f"{SVG}title").text for g in boxes if g.get("opacity") is None]
        self.assertEqual(len(bright), 8)
        self.assertLess(len(bright), len(boxes))
        for tip in bright:
            self.assertIn("= aten.linear.default", tip)

    def test_a_part_of_the_graph_is_drawn_by_itself(self):
        def drawn(*args):
            return [tip.split(" = ")[0] for tip in tips(self.check("render", SAMPLES / "masked_attention.pt2", *args)) if " = " in tip]
        self.assertEqual(drawn("--around", "layer_norm:0"), ["layer_norm"])
        self.assertEqual(drawn("--between", "layer_norm,linear"), ["layer_norm", "linear"])
        self.assertIn("linear", drawn("--around", "layer_norm"))

    @needs_engine
    def test_a_part_of_a_stage_is_the_operations_of_a_node(self):
        stage = ("--to", "linalg-on-tensors", "--stage", "linalg-on-tensors")
        part = [tip.split(" = ")[0] for tip in tips(self.check("render", SAMPLES / "masked_attention.pt2", *stage, "--around", "layer_norm:0"))]
        self.assertIn("linalg.generic", part)
        self.assertNotIn("linalg.matmul", part)

    def test_wrong_queries_and_parts_are_named(self):
        sample = SAMPLES / "masked_attention.pt2"
        self.refuses("render", sample, "--query", "op~/(/", code=2, message="query: 'op~/(/': not a regular expression: missing ): (")
        self.refuses("render", sample, "--query", " ", code=2, message="--query: expected a query such as op=aten.add or name~proj")
        self.refuses("render", sample, "--around", "layer_nrm", code=2, message="there is no node 'layer_nrm'; did you mean 'layer_norm'?")
        self.refuses("render", sample, "--around", "layer_norm:x", code=2,
                     message="--around: expected a node, or a node and a number of steps such as add_3:2, got 'layer_norm:x'")
        self.refuses("render", sample, "--between", "layer_norm", code=2,
                     message="--between: expected two nodes such as add_3,relu_1, got 'layer_norm'")
        self.refuses("render", sample, "--between", "linear,layer_norm", code=2, message="no path leads from 'linear' to 'layer_norm'")
        self.refuses("render", sample, "--between", "a,b", "--around", "a", code=2, message="--around and --between exclude each other")

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
    def test_operations_keep_their_place_from_pass_to_pass(self):
        def places(number):
            drawn = self.check("render", SAMPLES / "masked_attention.pt2", "--to", "linalg-on-tensors", "--pass", number, "--expand", "all")
            found = {}
            for group in xml.fromstring(drawn).iter(f"{SVG}g"):
                tip, box = group.find(f"{SVG}title"), group.find(f"{SVG}rect")
                if tip is not None and box is not None:
                    x, y, width, height = (float(box.get(name)) for name in ("x", "y", "width", "height"))
                    found.setdefault(tip.text, []).append((x + width / 2, y + height / 2))
            return {tip: at[0] for tip, at in found.items() if len(at) == 1}

        before, after = places("2"), places("3")
        kept = before.keys() & after.keys()
        self.assertGreaterEqual(len(kept), 3)
        for tip in kept:
            for a, b in zip(before[tip], after[tip]):
                self.assertAlmostEqual(a, b, delta=0.11, msg=tip)  # rounded

    @needs_engine
    def test_what_cannot_be_drawn_is_named(self):
        to = ("--to", "linalg-on-tensors")
        self.refuses("render", SAMPLES / "addmm.pt2", *to, "--stage", "lower", code=2,
                     message="no stage 'lower'; expected one of raw, torch, linalg-on-tensors")
        self.refuses("render", SAMPLES / "addmm.pt2", "--stage", "raw", code=2, message="--stage requires an output type; add --to TYPE")
        self.refuses("render", SAMPLES / "addmm.pt2", *to, "--stage", "raw", "--pass", "1", code=2, message="--stage and --pass exclude each other")
        self.assertEqual(self.run_cli("render", SAMPLES / "addmm.pt2", *to, "--pass", "999")[0], 2)

    @needs_raster
    def test_a_png_is_the_svg_in_pixels(self):
        for theme, background in (("light", 0xf7f8fa), ("dark", 0x15181e)):
            out = self.work / f"{theme}.png"
            args = ("render", SAMPLES / "addmm.pt2", "--theme", theme)
            root = xml.fromstring(self.check(*args))
            for scale in ("1", "2", "0.5"):
                with self.subTest(theme=theme, scale=scale):
                    self.check(*args, "-o", out, *(() if scale == "1" else ("--scale", scale)))
                    width, height, rows = decoded(out.read_bytes())
                    factor = float(scale)
                    for pixels, side in ((width, "width"), (height, "height")):
                        self.assertLessEqual(abs(pixels - factor * float(root.get(side))), 0.5)
                    self.assertEqual(rows[0][:3], background.to_bytes(3, "big"))
                    # Every box has its own colour inside its border, a little below its top.
                    for group in root.iter(f"{SVG}g"):
                        box = group.find(f"{SVG}rect")
                        if box is None or float(box.get("rx")) != 5:
                            continue
                        x, y = (int(factor * (float(box.get(axis)) + by)) for axis, by in (("x", float(box.get("width")) / 2), ("y", 4)))
                        self.assertEqual(rows[y][3 * x:3 * x + 3].hex(), box.get("fill").strip("#"))
                    self.assertGreater(len({row[at:at + 3] for row in rows for at in range(0, 3 * width, 3)}), 30, "letters have smooth edges")

    @needs_raster
    def test_a_png_that_cannot_be_is_named(self):
        out = self.work / "out.png"
        render = ("render", SAMPLES / "addmm.pt2")
        root = xml.fromstring(self.check(*render))
        width, height = (float(root.get(side)) for side in ("width", "height"))
        most = int(1000 * min(32767 / width, 32767 / height, (2 ** 28 / width / height) ** 0.5)) / 1000
        self.refuses(*render, "-o", out, "--scale", "500", code=2,
                     message=f"a PNG of {500 * width:.0f} x {500 * height:.0f} pixels is too large (at most 32767 a side, 268435456 in all); "
                             f"use --scale {most:g} or less, collapse modules with --expand, or write an .svg")
        self.refuses(*render, "-o", out, "--scale", "0.0001", code=2,
                     message="a PNG of 0 x 0 pixels shows nothing; use a larger --scale")
        for word in ("0", "-1", "two", "inf", "nan", "2x", ""):
            self.refuses(*render, "-o", out, "--scale", word, code=2,
                         message=f"--scale: expected a positive number such as 2 or 0.5, got '{word}'")
        self.refuses(*render, "--scale", "2", code=2, message="--scale is for a PNG; add -o OUT.png")
        self.assertFalse(out.exists())

    def test_without_its_worker_a_png_is_refused(self):
        for name in ("fxscope-cli", "fxscope-layout"):
            shutil.copy(pathlib.Path(CLI).with_name(name), self.work)
        done = subprocess.run([self.work / "fxscope-cli", "render", SAMPLES / "addmm.pt2", "-o", self.work / "out.png"], capture_output=True,
                              text=True, env=self.environment(None))
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (3, "", f"fxscope-cli: this build draws no PNG: {self.work}/fxscope-raster is missing, which is built where librsvg is "
                                 "installed (Debian's librsvg2-dev); write an .svg\n"))


if __name__ == "__main__":
    unittest.main()
