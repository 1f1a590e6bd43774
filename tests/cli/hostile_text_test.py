# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every command with files of a stranger: nothing that a file, an engine or a manifest named moves the cursor, forges a line of ours or
hides in one. The commands and their forms are those of --help: a command that is not walked here fails the test."""
import json
import os
import re
import subprocess
import unittest

from bundle_test import repack
from hostile import FORGED, NAME, WORD, hostile_capture, hostile_pt2, is_raw, lies
from support import ALL, CLI, ENGINE, SAMPLES, SOURCE, CliTest, needs_engine

CAPTURES = SOURCE / "tests/unit/read/captures"
SWIGLU = "acme.swiglu.default"
# What a folder or a file can be called: no slash, and no more than 255 bytes.
FILE = "octopus\x1b[2J\r" + FORGED + "\n" + FORGED + "\n\x9b\u202e<img src=x>`|&"


class HostileText(CliTest):
    def setUp(self):
        super().setUp()
        self.seen = set()
        self.program = hostile_pt2(SAMPLES / "custom_op.pt2", self.work / (FILE + ".pt2"))
        self.attention = hostile_pt2(SAMPLES / "masked_attention.pt2", self.work / "attention.pt2")
        self.named = hostile_capture(CAPTURES / "decoder_dynamic.json", self.work / "named.json", ["aten.silu.default"])

    def say(self, *args, engine=None):
        """What a run says on both streams; it ends in its own time and in one of its own ways."""
        environment = self.environment(engine) if engine else self.environment(os.environ.get("FXSCOPE_ENGINE") or SOURCE / ".cache/engine/torch-mlir-opt")
        done = subprocess.run([CLI, *args], stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=300)
        self.assertIn(done.returncode, (0, 1, 2, 3, 4), (args, done.stderr))
        return done.returncode, done.stdout.decode(), done.stderr.decode()  # strict: no byte that is no UTF-8

    def walk(self, command, *args, engine=None):
        """The command in every form that its help names."""
        help_text = self.forms.setdefault(command, self.check(*command.split(), "--help"))
        forms = [[]]
        if "  --json " in help_text:
            forms.append(["--json"])
        if listed := re.search(r"  --format FORM +(.*)", help_text):
            forms += [["--format", form] for form in re.findall(r"text|json|sarif|html|markdown", listed[1])]
            self.assertIn(["--format", "markdown"], forms)
        if "--graph" in args:
            forms = [[]]
        shown = False
        for form in forms:
            _, out, err = self.say(*command.split(), *args, *form, engine=engine)
            for text in (out, err):
                self.assertEqual(lies(text)[:3], [], (command, args, form))
            if out.startswith("{"):
                json.loads(out)
            shown = shown or WORD in out + err
        if shown:
            self.seen.add(command)

    forms = {}

    def noted(self, program):
        """The program, with a note beside it."""
        note = {"graph": NAME, "node": NAME, "target": "aten." + NAME, "text": NAME, "time": "2026-11-25T15:00:12Z", "program": "1" * 64}
        program.with_name(program.name + ".fxscope.json").write_text(json.dumps({"schema": "fxscope-notes/1", "notes": [note]}))
        return program

    def layer(self):
        """Values of nodes, with names and texts of others."""
        path = self.work / f"{FILE}.json"
        operators = {name: {"value": i, "text": NAME} for i, name in enumerate(("aten.linear", "aten.add", "aten.relu", "aten.scaled_dot_product_attention"))}
        path.write_text(json.dumps({"schema": "fxscope-layer/1", "title": NAME, "unit": NAME, "nodes": {NAME: 1, WORD: NAME}, "operators": operators}))
        return path

    def log(self):
        """What a tool of MLIR printed after each pass."""
        module = 'module {\n  func.func @f(%a: f32) -> f32 {\n    %0 = "x.y"(%a) {n = "' + NAME.replace("\n", " ").replace('"', "") + '"} : (f32) -> f32\n    return %0 : f32\n  }\n}\n'
        path = self.work / "log.mlir"
        path.write_text("".join(f"// -----// IR Dump After {p} ({p}) //----- //\n{module.replace('x.y', 'x.y' + str(i))}"
                                for i, p in enumerate(("canonicalize", f"{WORD}\x1b[2J\r\u202e"))))
        return path

    def module(self, name, op):
        path = self.work / name
        path.write_text('module {\n  "' + op + '"() {n = "' + NAME.replace("\n", " ").replace('"', "") + '"} : () -> () // ' + NAME + "\n}\n")
        return path

    def capture(self, folder):
        """A folder of captures, one of them of no kind that is known."""
        folder.mkdir()
        value = json.loads((CAPTURES / "breaks/00_aten.json").read_text())

        def infect(each, key=None):
            if isinstance(each, dict):
                return {k: infect(v, k) for k, v in each.items()}
            if isinstance(each, list):
                return [infect(v, key) for v in each]
            return each + NAME if isinstance(each, str) and key in ("title", "graph_break", "reason", "stack_trace", "torch_version", "name", "node") else each

        (folder / (FILE + ".json")).write_text(json.dumps(infect(value)))
        (folder / "broken.json").write_text(json.dumps({**value, NAME: NAME, "graphs": {NAME: [NAME]}}))
        return folder

    @needs_engine
    def test_every_command_in_every_form(self):
        listed = self.check("--help").split("Commands:\n")[1].split("\n\n")[0]
        commands = re.findall(r"^  (\S+(?: \S+)*)  ", listed, re.M)
        for program in (self.program, self.attention, self.named):
            with self.subTest(program=program):
                for command in ("inspect", "import", "normalize", "registry", "render"):
                    self.walk(command, program)
                self.walk("notes", self.noted(program))
                self.walk("inspect", program, "--graph")
                self.walk("inspect", program, "--graph", "--rewritten")
                self.walk("normalize", program, "--node", "5")
                self.walk("registry", program, "--coverage")
                self.walk("render", program, "--to", "tosa", "--expand", "all")
                self.walk("lower", program, "--to", "tosa")
                self.walk("lower", program, "--to", "tosa", "--nodes")
                self.walk("lower", program, "--to", "linalg-on-tensors", "--via", "nodes")
                self.walk("lower", program, "--to", "tosa", "--via", "registry")
                self.walk("trace", program, "--to", "tosa")
                self.walk("trace", program, "--to", "tosa", "--node", "8", "-o", self.work / FILE)
                self.walk("trace", program, "--to", "tosa", "--until", "node=* changes")
                self.walk("node", program, "8", "--to", "tosa")
                self.walk("diagnose", program, "--to", "tosa")
                self.walk("render", program, "--layer", self.layer(), "--layer", "bytes")
                self.walk("diagnose", program, "--to", "tosa", "--no-experiments", "--layer", self.layer())
                page = self.work / "layers.html"
                _, out, err = self.say("render", program, "--layer", self.layer(), "--layer", "bytes", "-o", page)
                self.assertEqual([lies(text)[:3] for text in (out, err, page.read_text())], [[], [], []])
                self.walk("support", "--of", program)
                self.walk("fix", program, "--to", "tosa", "-o", self.work / (FILE + ".fixed.pt2"))
        node = self.nodes(self.program, SWIGLU)[0]
        self.walk("node", self.program, node, "--to", "tosa", "--inline")
        self.walk("trace", self.program, "--to", "tosa", "--node", node, "--patterns")
        self.walk("trace", self.work / FILE)
        self.walk("trace", self.log())
        self.walk("inspect", self.capture(self.work / (FILE + " folder")))
        self.walk("inspect", self.work / (FILE + " folder") / (FILE + ".json"))
        self.walk("diff", self.module("a.mlir", "a.b"), self.module("b.mlir", "a.c"))
        self.walk("lit", self.lit_test())
        self.walk("lit", self.lit_test(), "--matches", "--tool", f"{WORD}={self.lying_engine()}")
        for program in (self.program, self.attention, self.named) if ALL else (self.program,):  # each is reduced in every form
            self.walk("report", program, "--to", "tosa")
        self.walk("bundle", self.program, "--to", "tosa", "-o", self.work / (FILE + ".zip"))
        self.walk("replay", self.work / (FILE + ".zip"))
        self.walk("replay", repack(self.work / (FILE + ".zip"), self.forged_manifest))
        self.walk("run", self.named, "--to", "linalg-on-tensors")
        self.walk("split", self.named, "--to", "linalg-on-tensors", "-o", self.work / (FILE + " split"))
        self.walk("compare", self.named, "--to", "linalg-on-tensors")
        self.walk("sweep", self.program, "--to", "tosa", "-o", "-")
        results = self.work / (FILE + ".jsonl")
        self.check("sweep", self.program, "--to", "tosa", "-o", results, code=1)
        self.walk("sweep report", results)
        self.walk("engine", engine=self.lying_engine())
        self.walk("engine", engine=self.lying_engine(f"{WORD} \x1b[2J\r\u202e"))
        liar = self.lying_engine()
        self.walk("engine add", "mine", liar)
        self.walk("engine list")
        self.walk("engine fetch", NAME)
        self.walk("engine remove", NAME)
        self.walk("completion", NAME)
        self.walk("explain", NAME)
        self.walk("man", NAME)
        self.walk("passes", NAME)
        self.walk("serve", "--mcp", "--folder", NAME)
        self.walk("serve", "--lsp", "--program", NAME)
        self.walk("compare", self.program, "--to", "tosa", "--engine", "mine", "--engine", ENGINE)
        self.walk("compare", self.program, "--to", "tosa", "--engine", liar, "--engine", ENGINE)
        other = self.work / (FILE + " other engine")
        other.write_text(f'#!/bin/sh\nexec {ENGINE} "$@"\n')
        other.chmod(0o755)
        self.walk("engine bisect", self.program, "--to", "tosa", "--engine", other, "--engine", ENGINE)
        self.walk("sweep report", results, results, "--by-engine")
        self.assertEqual(sorted(self.seen), sorted(commands), "a command that this test does not walk, or that showed no hostile name in any form")

    def lit_test(self):
        """A test whose name, lines, program and CHECK lines are hostile."""
        hostile = NAME.replace("\n", " ")
        path = self.work / (FILE + ".mlir")
        path.write_text(f"// RUN: {WORD} %s | FileCheck %s\n// RUN: '{hostile}' %s\n// REQUIRES: {hostile}\n// DEFINE: {hostile}\n// CHECK: {hostile}\n"
                        f"// RUN: mlir-opt '--{hostile}' | FileCheck %s\n")
        return path

    def nodes(self, program, target):
        """Indices of the program's calls of `target`."""
        rows = json.loads(self.say("normalize", program, "--json")[1])["nodes"]
        return [str(row["index"]) for row in rows if row["target"] == target]

    def forged_manifest(self, manifest, files):
        """All that a manifest may call something."""
        def infect(value):
            if isinstance(value, dict):
                return {key: infect(each) for key, each in value.items()}
            if isinstance(value, list):
                return [infect(each) for each in value]
            return value + NAME if isinstance(value, str) else value
        for key in ("program", "statement", "signature", "torch_version", "weights"):
            manifest[key] = infect(manifest[key])
        manifest["engine"]["version"] += NAME

    def lying_engine(self, version="99.0.0"):
        path = self.work / (FILE + " engine " + version)
        self.fake_engine("exit 1").rename(path)
        path.write_text(path.read_text().replace("LLVM version 99.0.0fake", version if WORD in version else "LLVM version " + version))
        return path

    @needs_engine
    def test_what_cannot_be_read_is_named_on_one_line(self):
        """A file that is called so, a member of an archive that is, keys of JSON on the way to what is wrong."""
        missing = self.work / ("no such " + FILE)
        broken = self.work / (FILE + ".json")
        broken.write_text(json.dumps({"format": "fxscope-fx/1", "schema": NAME, NAME: {NAME: 1}}))
        for file in (missing, broken, self.registry(), self.work):
            for command, *options in (["inspect"], ["import"], ["normalize"], ["render"], ["registry"], ["lower", "--to", "tosa"], ["node", "3", "--to", "tosa"],
                                      ["diagnose", "--to", "tosa"], ["trace", "--to", "tosa"], ["bundle", "--to", "tosa", "-o", self.work], ["replay"]):
                _, out, err = self.say(command, file, *options)
                self.assertEqual(lies(out) + lies(err), [], (command, file))
        _, out, err = self.say("registry", self.program, "--registry", self.registry())
        self.assertEqual((lies(out), lies(err)), ([], []))
        self.assertIn(WORD, err)

    def registry(self):
        path = self.work / (FILE + ".fxreg")
        path.write_text(f"registry acme\ntitle {NAME}\nop acme.swiglu.default (x, y, beta)\n  when {NAME}(x)\n  body\n  return %x\n  end\n")
        return path

    def test_the_command_line_itself(self):
        for args in ([FILE], ["--" + FILE], ["inspect", "--" + FILE], ["inspect", "a", FILE], ["lower", "a", "--to", FILE], ["inspect", "a", "--limit", FILE],
                     ["inspect", os.fsencode("a") + b"\xff\xfe\x1b"]):
            _, out, err = self.say(*args)
            self.assertEqual((out, lies(err)), ("", []), args)

    @needs_engine
    def test_what_an_engine_says_is_shown_not_done(self):
        engine = self.fake_engine("printf 'loc(\"x\"): error: octopus \\033[2J\\r\\302\\233 \\342\\200\\256 \\377\\n%s\\n' '" + FORGED + "' >&2; exit 1")
        for command, *options in (["lower", "--to", "tosa"], ["trace", "--to", "tosa"], ["node", "8", "--to", "tosa"], ["diagnose", "--to", "tosa"]):
            for form in ([], ["--json"]):
                status, out, err = self.say(command, SAMPLES / "addmm.pt2" if command != "node" else self.named, *options, *form, engine=engine)
                self.assertEqual([raw for raw in map(is_raw, out + err) if raw], [], (command, form, out, err))

    def test_a_forged_name_stays_where_it_stands(self):
        """The whole of what one name becomes."""
        program = hostile_capture(CAPTURES / "breaks/00_aten.json", self.work / "a.json")
        shown = [line for line in self.check("inspect", program).splitlines() if WORD in line]
        self.assertIn("\\x1b]0;title\\x07\\x1b[2J\\r" + FORGED + "\\n" + FORGED + "\\n\\tx\\x7f\\u{009b}2J\\u{0085}\\u{202e}gnp.\\u{2066}\\u{200b}\\u{2028}\\u{feff}"
                      '<img src="file:///dev/zero">&amp;`|@octocat](https://evil.example) <!-- \\n```\\n# heading\\n', shown[0])

    def test_bytes_of_a_file_of_o_stay_what_they_are(self):
        out = self.work / "out.mlir"
        self.say("import", self.named, "-o", out)
        self.assertEqual(out.read_text(), self.say("import", self.named)[1])


if __name__ == "__main__":
    unittest.main()
