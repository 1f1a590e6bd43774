# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is said of an output type does not depend on the others that are asked with it; and what JSON says of success is the exit code.
FXSCOPE_TYPES_OF names other programs or folders of them, separated as in PATH, to hold to the same."""
import json
import os
import pathlib
import unittest

from support import SAMPLES, CliTest, needs_engine

TYPES = ("linalg-on-tensors", "tosa", "stablehlo")
TOGETHER = ",".join(TYPES)


def tensor(dtype, *shape):
    strides = [1]
    for size in reversed(shape[1:]):
        strides.insert(0, strides[0] * size)
    return {"kind": "FakeTensor", "shape": list(shape), "dtype": dtype, "stride": strides[:len(shape)], "storage_offset": 0, "device": "cpu",
            "requires_grad": False}


def node(op, name, target, args=(), val=None):
    return {"op": op, "name": name, "target": target, "args": list(args), "meta": {} if val is None else {"val": val}}


def graph(*nodes):
    return {"schema": "fxscope-fx/1", "kind": "aten graph", "torch": "2.13.0+cpu", "title": "graph", "attributes": [],
            "graphs": [{"name": "main", "nodes": list(nodes)}]}


def at(name):
    return {"node": name}


def const(value):
    return {"list": [const(each) for each in value]} if isinstance(value, list) else {"const": value}


def programs():
    """Small ones that the decompositions of one type change, and not those of another; one with warnings; one that no type takes; one that
    every engine takes, and whose write may change what is read after it."""
    x = node("placeholder", "x", "x", val=tensor("float32", 1, 2, 8, 8))
    pool = node("call_function", "pool", "aten.max_pool2d_with_indices.default", [at("x"), const([2, 2])],
                {"kind": "tuple", "elements": [tensor("float32", 1, 2, 4, 4), tensor("int64", 1, 2, 4, 4)]})
    values = node("call_function", "values", "_operator.getitem", [at("pool"), const(0)], tensor("float32", 1, 2, 4, 4))
    indices = node("call_function", "indices", "_operator.getitem", [at("pool"), const(1)], tensor("int64", 1, 2, 4, 4))
    y = node("placeholder", "y", "y", val=tensor("float32", 4, 6))

    def output(*names):
        return node("output", "output", "output", [{"tuple": [at(name) for name in names]}])

    return {
        "pool_indices": graph(x, pool, values, indices, output("values", "indices")),
        "sorted": graph(y, node("call_function", "sort", "aten.sort.default", [at("y"), const(1), const(True)],
                                {"kind": "tuple", "elements": [tensor("float32", 4, 6), tensor("int64", 4, 6)]}),
                        node("call_function", "values", "_operator.getitem", [at("sort"), const(0)], tensor("float32", 4, 6)),
                        node("call_function", "indices", "_operator.getitem", [at("sort"), const(1)], tensor("int64", 4, 6)),
                        output("values", "indices")),
        "two_scans": graph(y, node("call_function", "first", "aten.cumsum.default", [at("y"), const(0)], tensor("float32", 4, 6)),
                           node("call_function", "second", "aten.cumsum.default", [at("first"), const(1)], tensor("float32", 4, 6)),
                           output("second")),
        "perhaps_shared": graph(y, node("call_function", "einsum", "aten.einsum.default", [const("ij->ij"), {"list": [at("y")]}],
                                        tensor("float32", 4, 6)),
                                node("call_function", "add_", "aten.add_.Tensor", [at("einsum"), const(1)], tensor("float32", 4, 6)),
                                output("add_", "y")),
        "not_lowered": graph(y, node("call_function", "erfinv", "aten.erfinv.default", [at("y")], tensor("float32", 4, 6)),
                             output("erfinv")),
    }


class Types(CliTest):
    def files(self):
        """Those to hold to it: small ones that decompositions change, and samples; or those that were named."""
        if given := os.environ.get("FXSCOPE_TYPES_OF"):
            named = [pathlib.Path(place) for place in given.split(os.pathsep)]
            return [file for place in named for file in (sorted(place.rglob("*.pt2")) if place.is_dir() else [place])]
        return [*self.written(), *(SAMPLES / f"{name}.pt2" for name in ("tanh_gelu", "residual_block", "buffer_mutation"))]

    def written(self):
        for name, program in programs().items():
            (self.work / f"{name}.json").write_text(json.dumps(program))
        return [self.work / f"{name}.json" for name in programs()]

    def answer(self, schema, *args):
        """(exit code, the JSON or what was said instead)"""
        status, out, err = self.run_cli(*args)
        return status, self.check_json(schema, out) if out else err


def without_time(value, *more):
    """Without what differs from run to run."""
    if isinstance(value, dict):
        return {key: without_time(each, *more) for key, each in value.items() if key not in ("seconds", "peak_memory", *more)}
    return [without_time(each, *more) for each in value] if isinstance(value, list) else value


def of_type(diagnosis, to):
    """What a diagnosis says of an output type, also if it is one of several."""
    beyond = diagnosis["rewritten_beyond_torch_mlir"] or {"operators": [], "outcomes": []}
    theirs = [dict(each, operators=each.get("operators", beyond["operators"])) for each in beyond["outcomes"] if each["to"] == to]
    return without_time({"target": [each for each in diagnosis["targets"] if each["to"] == to],
                         "findings": [each for each in diagnosis["findings"] if each["to"] == to],
                         "support": [each for each in diagnosis["support"] if each["target"] == to], "beyond": theirs})


@needs_engine
class AloneAndTogether(Types):
    def test_a_diagnosis_says_of_each_what_it_says_alone(self):
        for file in self.files():
            code, together = self.answer("diagnose", "diagnose", file, "--to", TOGETHER, "--json")
            alone = {to: self.answer("diagnose", "diagnose", file, "--to", to, "--json") for to in TYPES}
            with self.subTest(file.name):
                self.assertEqual(code, max(code for code, _ in alone.values()))
            for to, (_, said) in alone.items():
                with self.subTest(file.name, to=to):
                    self.assertEqual(of_type(together, to) if isinstance(together, dict) else together,
                                     of_type(said, to) if isinstance(said, dict) else said)

    def test_each_has_a_budget_of_its_own(self):
        """With the smallest limit that suffices for a type alone, it suffices for that type together with the others."""
        self.written()
        file = self.work / "sorted.json"

        def said(to, limit):
            return self.answer("diagnose", "diagnose", file, "--to", to, "--no-experiments", "--json", "--limit", f"nodes={limit}")

        def smallest(to):
            low, high = 1, 4096  # not enough, enough
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if said(to, middle)[0] == 3 else (low, middle)
            return high

        limits = sorted({smallest(to) for to in TYPES})
        for limit in (limits[-1], limits[0], limits[0] - 1):
            alone = {to: said(to, limit) for to in TYPES}
            code, together = said(TOGETHER, limit)
            for to, (code_alone, one) in alone.items():
                with self.subTest(limit=limit, to=to):
                    if isinstance(together, str):  # which exceeds it for each
                        self.assertEqual((code, code_alone), (3, 3))
                    elif isinstance(one, str):
                        target = next(each for each in together["targets"] if each["to"] == to)
                        self.assertEqual((target["lowers"], target["stopped_at"]), (None, None))
                        self.assertIn(target["rest_message"], one)
                    else:
                        self.assertEqual(of_type(together, to), of_type(one, to))
            # A sweep counts the lowering, too.
            _, lines, _ = self.run_cli("sweep", file, "--to", TOGETHER, "--no-experiments", "-o", "-", "--limit", f"nodes={limit}")
            for line in map(json.loads, lines.splitlines()):
                _, one, _ = self.run_cli("sweep", file, "--to", line["to"], "--no-experiments", "-o", "-", "--limit", f"nodes={limit}")
                self.assertEqual(without_time(line), without_time(json.loads(one)))

    def test_a_sweep_says_of_each_what_it_says_alone(self):
        files = [str(file) for file in self.files()]

        def lines(to):
            _, out, err = self.run_cli("sweep", *files, "--to", to, "-o", "-", timeout=7200)
            said = [without_time(json.loads(line)) for line in out.splitlines()]
            self.assertEqual(len(said), len(files) * len(to.split(",")), err)
            return {(line["program"], line["to"]): line for line in said}

        together = lines(TOGETHER)
        for to in TYPES:
            for key, line in lines(to).items():
                with self.subTest(program=key[0], to=to):
                    self.assertEqual(together[key], line)
            if "FXSCOPE_TYPES_OF" not in os.environ:
                break  # the diagnoses above hold the others to it

    def test_a_sweep_and_a_lowering_agree(self):
        """A sweep lowers programs and types together; `lower` one to one."""
        for file in self.written():
            _, out, _ = self.run_cli("sweep", file, "--to", TOGETHER, "--no-experiments", "-o", "-")
            for line in map(json.loads, out.splitlines()):
                with self.subTest(file.name, to=line["to"]):
                    code, _ = self.answer("lower", "lower", file, "--to", line["to"], "--json")
                    self.assertEqual(line["status"] == "ok", code == 0)

    def test_what_another_type_decomposes_is_not_decomposed(self):
        self.written()
        _, said = self.answer("diagnose", "diagnose", self.work / "pool_indices.json", "--to", "tosa,stablehlo", "--no-experiments", "--json")
        self.assertEqual([(each["to"], each["lowers"]) for each in said["targets"]], [("tosa", True), ("stablehlo", False)])

    def test_another_type_is_tried_as_it_is_lowered(self):
        """`lower to X instead` holds for what `lower --to X` does."""
        for file in self.written():
            for to in TYPES:
                _, said = self.answer("diagnose", "diagnose", file, "--to", to, "--json")
                for each in (each for finding in said["findings"] for each in finding["experiments"] if each["id"].startswith("target:")):
                    with self.subTest(file.name, to=to, instead=each["id"]):
                        code, _ = self.answer("lower", "lower", file, "--to", each["id"].removeprefix("target:"), "--json")
                        if each["proof"] != "not-tried":
                            self.assertEqual(each["proof"] == "proved", code == 0)


@needs_engine
class OneValue(Types):
    def test_a_fix_that_is_enough_is_not_called_not_enough(self):
        for file in self.files():
            _, out, _ = self.run_cli("diagnose", file, "--to", TOGETHER)
            with self.subTest(file.name):
                if "the whole program lowers with fix 1\n" in out and "\n  2. " not in out:
                    self.assertNotIn("not enough by itself", out)

    def test_json_says_ok_where_the_exit_code_is_0(self):
        for file in self.files():
            for options in ((), ("--as", "torch-mlir"), ("--via", "nodes")):
                for to in TYPES:
                    with self.subTest(file.name, to=to, options=options):
                        code, said = self.answer("lower", "lower", file, "--to", to, "--json", *options)
                        if isinstance(said, dict):
                            self.assertEqual(said["ok"], code == 0)
            for to in TYPES:
                with self.subTest(file.name, to=to):
                    code, said = self.answer("diagnose", "diagnose", file, "--to", to, "--json", "--no-experiments")
                    if isinstance(said, dict):
                        self.assertEqual([each["lowers"] for each in said["targets"]], [code == 0])
                    code, said = self.answer("fix", "fix", file, "--to", to, "--json", "-o", self.work / "fixed.pt2")
                    if isinstance(said, dict):
                        self.assertEqual(said["lowers"], {to: {0: True, 1: False, 4: None}[code]})

    def test_one_file_is_judged_for_each_type(self):
        """Of a type that the file cannot serve with the others, it says so, and that one of its own can."""
        left = ["func", "linalg", "tensor", "arith"]

        def own(name, op, **more):
            return {"id": name, "title": name, "after": "linalg-on-tensors", "pipeline": "builtin.module(canonicalize)",
                    "contract": {"left": [*left, op]}, **more}

        types, file, fixed = self.work / "types.json", self.work / "elu.json", self.work / "fixed.pt2"
        types.write_text(json.dumps({"schema": "fxscope-output-types/1", "types": [
            own("with-exp", "math.exp"), own("with-expm1", "math.expm1", decompose=["aten.elu.default"])]}))
        x = node("placeholder", "x", "x", val=tensor("float32", 4, 6))
        file.write_text(json.dumps(graph(x, node("call_function", "elu", "aten.elu.default", [at("x")], tensor("float32", 4, 6)),
                                         node("output", "output", "output", [{"tuple": [at("elu")]}]))))

        def fix(to):
            code, said = self.answer("fix", "fix", file, "--output-types", types, "--to", to, "-o", fixed, "--json")
            for name, lowers in said["lowers"].items():
                with self.subTest(to=to, name=name):
                    lowered, text = self.answer("lower", "lower", fixed, "--output-types", types, "--to", name, "--as", "torch-mlir", "--json")
                    self.assertEqual(lowered == 0 and not any("is left in" in each["message"] for each in text["findings"]), lowers)
            return code, said["lowers"], said["stops"].get("with-exp")

        self.assertEqual(fix("with-exp"), (0, {"with-exp": True}, None))
        self.assertEqual(fix("with-expm1"), (0, {"with-expm1": True}, None))
        why = ("not in one file with with-expm1: its changes keep the program from with-expm1; it lowers in a file of its own: "
               "fix --to with-exp")
        for to in ("with-exp,with-expm1", "with-expm1,with-exp"):
            self.assertEqual(fix(to), (1, {"with-exp": False, "with-expm1": True}, why))

    def test_what_only_the_rewriting_refuses_does_not_lower(self):
        """The engine ends well with what is left of it."""
        self.written()
        file, why = self.work / "perhaps_shared.json", "it may write to y, which output reads later; the file does not record whether the two share memory"
        for to in TYPES:
            code, said = self.answer("fix", "fix", file, "--to", to, "--json", "-o", self.work / "fixed.pt2")
            self.assertEqual((code, said["lowers"], said["stops"]), (1, {to: False}, {to: why}))
            self.assertEqual([(each["class"], each["nodes"]) for each in said["blocked"]], [("not-functionalized", ["add_"])])
            code, out, _ = self.run_cli("sweep", file, "--to", to, "-o", "-")
            line = json.loads(out)
            self.assertEqual((code, line["status"], line["stage"], line["message"]), (1, "failed", "rewrite", why))
            self.assertEqual(self.answer("diagnose", "diagnose", file, "--to", to, "--json")[1]["targets"][0]["fixed_lowers"], None)
        for to in ("linalg-on-tensors", "tosa"):
            code, said = self.answer("registry", "registry", file, "--json", "--primary", to.split("-")[0])
            self.assertEqual((code, said["complete"]), (1, False))

    def test_a_warning_is_at_every_node_in_every_form(self):
        self.written()
        file = self.work / "two_scans.json"
        words = "tm_tensor.scan is left in linalg-on-tensors"

        def nodes(findings):
            return [each["node"] for each in findings if each["severity"] == "warning" and words in each["message"]]

        _, lowered = self.answer("lower", "lower", file, "--to", "linalg-on-tensors", "--json")
        self.assertEqual(nodes(lowered["findings"]), ["first", "second"])
        for to in ("linalg-on-tensors", TOGETHER):
            _, said = self.answer("diagnose", "diagnose", file, "--to", to, "--no-experiments", "--json")
            self.assertEqual(nodes(said["targets"][0]["warnings"]), ["first", "second"])
            out = {form: self.run_cli("diagnose", file, "--to", to, "--no-experiments", "--format", form)[1]
                   for form in ("text", "sarif", "html", "markdown")}
            self.assertEqual(out["text"].count(words), 1)
            self.assertIn("\n    first\n    second\n", out["text"])
            results = [each for each in json.loads(out["sarif"])["runs"][0]["results"] if words in each["message"]["text"]]
            self.assertEqual([[place["name"] for spot in each["locations"] for place in spot["logicalLocations"]] for each in results],
                             [["first", "second"]])
            self.assertEqual(results[0]["level"], "warning")
            self.assertRegex(out["html"], "(?s)is left in linalg-on-tensors.*>first</button>.*>second</button>")
            self.assertEqual(out["markdown"].count("is left in linalg-on-tensors"), 1)
            self.assertIn("\n  - `first`\n  - `second`\n", out["markdown"])


if __name__ == "__main__":
    unittest.main()
