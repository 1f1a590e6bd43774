# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Output types are data: those of resources/output_types.json, and files of the user's own, lower, trace and diagnose in the same way."""
import json
import re
import unittest
import zipfile

import json_schema
from support import OUTPUT_TYPES, SAMPLES, SOURCE, CliTest, listed, needs_engine

ADDMM = SAMPLES / "addmm.pt2"
ATTENTION = SAMPLES / "masked_attention.pt2"
BUILT_IN = json.loads((SOURCE / "resources/output_types.json").read_text())["types"]
IDS = OUTPUT_TYPES
# Of passes that the engine registers and no other output type uses.
MINE = {"id": "linalg-via-stablehlo", "title": "Linalg by way of StableHLO", "after": "stablehlo",
        "pipeline": "builtin.module(stablehlo-legalize-to-linalg,canonicalize,cse)", "quiet": ["cse"], "backend": True}
# Its stage refuses what came out of MINE.
STRICT = {"id": "strict", "title": "Strict", "after": "linalg-via-stablehlo", "pipeline": "builtin.module(torch-verify-tosa-backend-contract)"}
ALL = listed("or", "linalg-via-stablehlo")


class Data(CliTest):
    def test_the_data_is_as_its_schema_says(self):
        self.check_json("output_types", (SOURCE / "resources/output_types.json").read_text())

    def test_no_schema_lists_output_types_and_each_takes_all(self):
        taking = set()

        def walk(name, schema):
            if isinstance(schema, list):
                for part in schema:
                    walk(name, part)
            if not isinstance(schema, dict):
                return
            for values in (schema.get("enum", []), [schema.get("const")]):
                self.assertFalse(set(IDS[1:]) & {v for v in values if isinstance(v, str)}, f"{name} lists output types")
            if "a-z0-9-" in schema.get("pattern", ""):
                taking.add(name)
                for type_id in [*IDS, MINE["id"]]:
                    self.assertEqual(list(json_schema.errors(type_id, schema)), [], name)
                self.assertNotEqual(list(json_schema.errors("No such/type", schema)), [], name)
            for part in schema.values():
                walk(name, part)

        for path in (SOURCE / "resources/schemas").glob("*.json"):
            walk(path.name.split(".")[0], json.loads(path.read_text()))
        self.assertEqual(taking, {"bundle", "diagnose", "lower", "lower_nodes", "node", "output_types", "patterns", "split", "stop", "support", "trace",
                                  "trace_node"})

    def test_no_source_lists_output_types(self):
        """One says which is the first to be chosen; comments may speak of them, and StableHLO is a dialect too: of a text that is run, or
        that has sizes of a kind."""
        dialects = ("core/diagnose/diagnosis.cpp", "core/execute/llvm.cpp", "core/execute/lowered_input.cpp")
        named = []
        for folder in ("core", "app", "ui"):
            for path in sorted((SOURCE / folder).rglob("*")):
                if path.suffix in (".cpp", ".h"):
                    code = re.sub(r"//.*", "", path.read_text())
                    named += [path.relative_to(SOURCE).as_posix() for _ in re.findall(r"linalg-on-tensors|\"stablehlo\"", code)]
        self.assertEqual([name for name in named if name not in dialects], ["core/lower/output_types.h"])


class OwnOutputTypes(CliTest):
    def types(self, *types, name="mine.json"):
        path = self.work / name
        path.write_text(json.dumps({"schema": "fxscope-output-types/1", "types": types}))
        return path

    def setUp(self):
        super().setUp()
        self.mine = ("--output-types", self.types(MINE))
        self.to = ("--to", "linalg-via-stablehlo", *self.mine)

    def test_help_and_errors_name_them(self):
        self.assertRegex(self.check("lower", "--help", *self.mine), f"--to TYPE +{re.escape(ALL)}; case and -/_ do not matter\n")
        self.refuses("lower", ADDMM, *self.mine, code=2, message=f"'lower' needs --to TYPE: {ALL}")
        self.refuses("lower", ADDMM, "--to", "linalg-via", *self.mine, code=2,
                     message="unknown output type 'linalg-via'; did you mean 'linalg-via-stablehlo'?")
        self.refuses("lower", ADDMM, "--to", "linalg-via-stablehlo", code=2,
                     message=f"unknown output type 'linalg-via-stablehlo'; there are {listed('and')}")
        self.refuses("lower", ADDMM, "--via", "registry", *self.to, code=2,
                     message="--via registry supports linalg-on-tensors or tosa; choose one with --to")

    def test_malformed_files_are_one_error(self):
        for types, message in (
                ([{**MINE, "id": "TOSA"}], "types[0].id: expected lower-case letters, digits and '-', a letter first"),
                ([{**MINE, "id": "tosa"}], "types[0].id: 'tosa' is taken; choose another id"),
                ([{**MINE, "id": "rewrite"}], "types[0].id: 'rewrite' is taken; choose another id"),
                ([MINE, MINE], "types[1].id: 'linalg-via-stablehlo' is taken; choose another id"),
                ([STRICT], f"types[0].after: unknown output type 'linalg-via-stablehlo'; there are {listed('and')}"),
                ([{**MINE, "title": "x\x1b[2J\n"}], "types[0].title: contains line breaks or invisible characters"),
                ([{**MINE, "pipeline": "builtin.module(cse); rm -rf ~"}], "types[0].pipeline: trailing text after the last bracket"),
                ([{**MINE, "pipelin": "x"}],
                 "types[0].pipelin: unknown member; expected id, title, after, pipeline, survey, tool, prepare, writes, quiet, "
                 "backend, registries, contract, decompose, variants")):
            path = self.types(*types, name="bad.json")
            for command in (("lower", ADDMM, "--to", "raw"), ("engine",), ("lower", "--help")):
                self.refuses(*command, "--output-types", path, code=3, message=f"{path}: {message}")
        path.write_text("{")
        status, out, err = self.run_cli("lower", ADDMM, "--to", "raw", "--output-types", path)
        self.assertEqual((status, out), (3, ""))
        self.assertRegex(err, rf"^fxscope-cli: {path}: .*\n$")
        self.refuses("engine", "--output-types", self.work / "none.json", code=3, message=f"{self.work / 'none.json'}: no such file")

    @needs_engine
    def test_the_engine_answers_for_them(self):
        unknown = self.types({**STRICT, "id": "elsewhere", "after": "torch", "pipeline": "builtin.module(no-such-pass)"}, name="two.json")
        value = self.check_json("engine", self.check("engine", "--json", *self.mine, "--output-types", unknown))
        of_the_engine = [each["id"] for each in BUILT_IN if "tool" not in each]
        self.assertEqual(value["targets"], [*of_the_engine, "linalg-via-stablehlo"])
        self.assertEqual(value["pipelines"], self.check_json("engine", self.check("engine", "--json"))["pipelines"])

    @needs_engine
    def test_they_lower(self):
        value = self.check_json("lower", self.check("lower", ADDMM, *self.to, "--json", "-o", self.work / "out"))
        self.assertEqual([(s["name"], s["title"], s["status"], s["file"]) for s in value["stages"]],
                         [("raw", "RAW torch dialect", "ok", "00-raw.mlir"), ("torch", "Torch backend IR", "ok", "01-torch.mlir"),
                          ("stablehlo", "StableHLO", "ok", "02-stablehlo.mlir"),
                          ("linalg-via-stablehlo", "Linalg by way of StableHLO", "ok", "03-linalg-via-stablehlo.mlir")])
        self.assertIn(f"--pass-pipeline={MINE['pipeline']}", value["stages"][3]["argv"])
        self.assertEqual(value["stages"][3]["coverage"], 1.0)
        text = (self.work / "out/03-linalg-via-stablehlo.mlir").read_text()
        self.assertIn("linalg.matmul", text)
        self.assertNotIn("stablehlo.dot", text)
        nodes = self.check("lower", ADDMM, *self.to, "--via", "nodes", "-o", "-")
        self.assertIn("linalg.matmul", nodes)
        value = self.check_json("node", self.check("node", ADDMM, "addmm", *self.to, "--json"))
        self.assertEqual([stage["name"] for stage in value["stages"]], ["raw", "torch", "stablehlo", "linalg-via-stablehlo"])

    @needs_engine
    def test_they_are_traced(self):
        value = self.check_json("trace", self.check("trace", ADDMM, *self.to, "--json", "-o", self.work / "t"))
        self.assertEqual((value["target"], value["ok"], value["untraced"]), ("linalg-via-stablehlo", True, "same"))
        mine = [(p["pass"], p["changed"]) for p in value["passes"] if p["stage"] == "linalg-via-stablehlo"]
        self.assertEqual([name for name, _ in mine], ["stablehlo-legalize-to-linalg", "canonicalize", "cse"])
        self.assertTrue(mine[0][1])
        history = self.check_json("trace_node", self.check("trace", ADDMM, *self.to, "--node", "addmm", "--json"))
        self.assertIn("linalg-via-stablehlo", {entry["stage"] for entry in history["history"]})
        stored = self.work / "t" / "trace.json"
        shown = self.check("trace", stored, *self.mine)
        self.assertIn("to linalg-via-stablehlo,", shown)
        self.assertEqual(self.check("trace", stored), shown)  # its name is in the trace
        patterns = self.check("trace", ADDMM, *self.to, "--node", "addmm", "--patterns", "--json")
        self.assertIn("linalg-via-stablehlo", {p["stage"] for p in self.check_json("patterns", patterns)["passes"]})

    @needs_engine
    def test_they_are_diagnosed_and_tried_instead(self):
        answer = self.check("diagnose", ATTENTION, "--to", "linalg-via-stablehlo,stablehlo,tosa,torch", *self.mine, "--json", code=1)
        value = self.check_json("diagnose", answer)
        self.assertEqual([(t["to"], t["lowers"], t["stopped_at"]) for t in value["targets"]],
                         [("linalg-via-stablehlo", False, "stablehlo"), ("stablehlo", False, "stablehlo"), ("tosa", False, "tosa"), ("torch", True, None)])
        # What fails in a stage fails in the same way for all that lies behind it.
        mine, stablehlo, tosa = value["findings"]
        for member in ("target", "op", "stage", "pass", "kind", "engine_message", "nodes"):
            self.assertEqual(mine[member], stablehlo[member])
        self.assertEqual({e["id"] for e in tosa["experiments"] if e["id"].startswith("target:")},
                         {"target:linalg-on-tensors", "target:stablehlo", "target:linalg-via-stablehlo"})
        snippet = next(e["snippet"] for e in mine["experiments"] if e["id"] == "decompose")
        self.assertEqual(snippet, f"fxscope-cli lower {ATTENTION} --to linalg-via-stablehlo --output-types {self.mine[1]} "
                                  "--decompose aten.scaled_dot_product_attention.default")
        self.check(*snippet.split()[1:])
        support = {(row["op"], row["target"]): row["status"] for row in value["support"]}
        self.assertEqual(support["aten.gelu.default", "linalg-via-stablehlo"], "ok")
        self.assertEqual(support["aten.scaled_dot_product_attention.default", "linalg-via-stablehlo"], "failed")

    @needs_engine
    def test_bundles_carry_them_and_name_what_replays_them(self):
        strict = self.types(STRICT, name="strict.json")
        path = self.work / "b.zip"
        self.check("bundle", ADDMM, "--to", "strict", *self.mine, "--output-types", strict, "-o", path)
        with zipfile.ZipFile(path) as archive:
            files = {name.split("/")[1]: archive.read(name).decode(errors="replace") for name in archive.namelist()}
        self.assertEqual(self.check_json("bundle", files["manifest.json"])["target"], "strict")
        carried = self.work / "output_types.json"
        carried.write_text(files["output_types.json"])
        self.assertEqual(self.check_json("output_types", files["output_types.json"])["types"], [MINE, STRICT])
        self.assertIn("`fxscope-cli lower BUNDLE.zip --to strict --output-types output_types.json`", files["README.md"])
        self.assertIn(f"--pass-pipeline={STRICT['pipeline']}", files["run.sh"])
        # Elsewhere it is read first: a bundle does not say by itself what an engine runs here.
        self.refuses("replay", path, code=3,
                     message=f"{path}: manifest.json: target: unknown output type 'strict'; there are {listed('and')}"
                             "; one that the bundle has in output_types.json is named with --output-types, once you have read it")
        replayed = self.check_json("replay", self.check("replay", path, "--output-types", carried, "--json"))
        self.assertEqual((replayed["outcome"], replayed["vouched"]), ("same-failure", True))
        self.assertIn("output_types.json", replayed["files"]["checked"])
        other = self.types(MINE, {**STRICT, "pipeline": "builtin.module(cse)"}, name="other.json")
        self.refuses("replay", path, "--output-types", other, code=3,
                     message=f"{path}: it was made with another output type of the name 'strict': see its output_types.json")

    @needs_engine
    def test_bundles_hand_on_nothing_private_in_them(self):
        private = self.types({**STRICT, "title": "Strict, as in /home/ada/passes"}, name="private.json")
        self.refuses("bundle", ADDMM, "--to", "strict", *self.mine, "--output-types", private, "-o", self.work / "b.zip", code=2,
                     message="the definition of output type 'strict' goes into the bundle and contains a path, a name or a key of this "
                             "machine; remove it there")
        self.assertFalse((self.work / "b.zip").exists())


if __name__ == "__main__":
    unittest.main()
