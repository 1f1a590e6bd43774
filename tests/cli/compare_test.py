# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fxscope-cli run and compare: what a program was lowered to is executed, and its results are compared among lowering paths."""
import functools
import json
import struct
import unittest

import bundle_test
from support import ALL, ENGINE, SAMPLES, CliTest, needs_engine


def safetensors(names_and_rows):
    """A safetensors file of f32 matrices."""
    header, data = {}, b""
    for name, rows in names_and_rows.items():
        bytes_ = b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)
        header[name] = {"dtype": "F32", "shape": [len(rows), len(rows[0])], "data_offsets": [len(data), len(data) + len(bytes_)]}
        data += bytes_
    head = json.dumps(header).encode()
    return struct.pack("<Q", len(head)) + head + data


class Usage(CliTest):
    def test_usage(self):
        addmm = SAMPLES / "addmm.pt2"
        self.refuses("compare", addmm, "--to", "linalg", code=2, message="unknown output type 'linalg'; did you mean 'linalg-on-tensors'?")
        self.refuses("run", addmm, "--to", "tosa", "--size", "s0", code=2, message="option '--size': 's0' is not a size such as s0=4")
        for options, message in ((("--inputs", "seed:1"), "option '--inputs' requires --wrong"),
                                 (("--wrong", "--node", "addmm"), "option '--node' cannot be used with --wrong"),
                                 (("--wrong", "--weights", "none"), "a bundle of a wrong result requires the weights")):
            code, _, err = self.run_cli("bundle", addmm, "--to", "tosa", "-o", self.work / "b.zip", *options)
            self.assertEqual(code, 2, err)
            self.assertIn(message, err)
        self.refuses("run", addmm, "--to", "tosa", "--inputs", "seed:x", code=2,
                     message="option '--inputs': 'seed:x' is not a seed such as seed:7")
        self.refuses("run", addmm, "--to", "tosa", "--inputs", "set:corners", code=2,
                     message="option '--inputs': 'set:corners' is not a set such as set:edges; the sets are example, ordinary, steps, range, "
                             "edges, nonfinite and shifted")


def inputs_of_reshape(batch):
    """The inputs of merge_heads' reshape: relu f32[s77, s27, 4, 8] and the product of the two sizes."""
    count = batch * 4 * 8
    header = json.dumps({"relu": {"dtype": "F32", "shape": [batch, 1, 4, 8], "data_offsets": [0, 4 * count]},
                         "mul": {"dtype": "I64", "shape": [], "data_offsets": [4 * count, 4 * count + 8]}}).encode()
    return struct.pack("<Q", len(header)) + header + struct.pack(f"<{count}f", *range(count)) + struct.pack("<q", batch)


@needs_engine
class Executors(CliTest):
    ran = None  # of all tests: compiling takes seconds

    def setUp(self):
        super().setUp()
        if Executors.ran is None:
            Executors.ran = self.run_cli("run", SAMPLES / "addmm.pt2", "--to", "linalg-on-tensors", "--json")
        code, out, err = Executors.ran
        if code == 2 and "no executor is installed" in err:
            self.skipTest(err.strip())
        self.assertEqual(code, 0, err)
        self.executors = self.check_json("run", out)["executors"]

    def test_each_type_has_a_budget_of_its_own(self):
        """With a small limit that suffices for each type alone, it suffices for both together."""
        @functools.cache
        def targets(to, limit):
            code, out, err = self.run_cli("compare", SAMPLES / "addmm.pt2", "--to", to, "--inputs", "seed:1", "--json", "--limit", f"nodes={limit}")
            return json.loads(out)["targets"] if out and code != 3 else err

        def smallest(to):
            limit = 8
            while isinstance(targets(to, limit), str):  # which takes no time
                limit += 1 + limit // 6
            return limit

        limits = {to: smallest(to) for to in ("tosa", "linalg-on-tensors")}
        for limit in limits.values():
            said = targets("tosa,linalg-on-tensors", limit)
            for target in said:
                with self.subTest(limit=limit, to=target["to"]):
                    if limit >= limits[target["to"]]:
                        self.assertEqual(target["verdict"], targets(target["to"], limit)[0]["verdict"])
                    else:
                        self.assertIn(f"exceeds the limit of {limit} nodes", target["message"])

    def needs_both(self):
        if len(self.executors) < 2:
            self.skipTest("a single executor proves nothing: " + ", ".join(self.executors))

    def test_results_are_written_and_read_again_as_inputs(self):
        out = self.check("run", SAMPLES / "tanh_gelu.pt2", "--to", "linalg-on-tensors", "-o", self.work / "values")
        self.assertIn("linalg-on-tensors with", out)
        again = self.check("run", SAMPLES / "tanh_gelu.pt2", "--to", "linalg-on-tensors", "--inputs", self.work / "values/inputs.safetensors",
                           "-o", self.work / "again")
        self.assertIn("f32[4, 16]", again)
        for file in sorted((self.work / "values").glob("*.safetensors")):
            self.assertEqual(file.read_bytes(), (self.work / "again" / file.name).read_bytes(), file.name)

    def test_a_text_that_breaks_its_contract_is_said_so(self):
        """The text is right for the size that is run, 1 of s27, and for no other one."""
        answer = self.check_json("run", self.check("run", SAMPLES / "merge_heads.pt2", "--to", "linalg-on-tensors", "--json", code=1))
        self.assertRegex(" ".join(answer["notes"]), "linalg-on-tensors: breach: the size s27 .* became 1")

    def test_an_input_of_another_size_is_refused(self):
        (self.work / "x.safetensors").write_bytes(safetensors({"x": [[1.0, 2.0]]}))
        code, _, err = self.run_cli("run", SAMPLES / "tanh_gelu.pt2", "--to", "tosa", "--inputs", self.work / "x.safetensors")
        self.assertEqual(code, 2)
        self.assertIn("x.safetensors", err)

    def test_what_lowers_right_is_the_same_in_every_output_type(self):
        self.needs_both()
        answer = self.check_json("compare", self.check("compare", SAMPLES / "residual_block.pt2", "--to", "linalg-on-tensors,tosa,stablehlo",
                                                       "--json"))
        self.assertEqual([t["verdict"] for t in answer["targets"]], ["same", "same", "same"])
        self.assertEqual([t["first"] for t in answer["targets"]], [None, None, None])

    def module(self, text):
        path = self.work / "m.mlir"
        path.write_text(text)
        return path

    def test_a_module_is_compared_with_what_it_computes_at_its_first_stage(self):
        self.needs_both()
        torch = self.module("""\
func.func @f(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %abs = torch.aten.abs %x : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %abs : !torch.vtensor<[4],f32>
}
""")
        answer = self.check_json("compare", self.check("compare", torch, "--to", "linalg-on-tensors,tosa,stablehlo", "--json"))
        self.assertRegex(answer["reference"], "^the module in IREE ")
        self.assertEqual([t["verdict"] for t in answer["targets"]], ["same", "same", "same"])
        out = self.check("compare", torch, "--to", "tosa")
        self.assertIn("tosa: same for ", out)
        self.assertIn("inputs: f32[4]: ordinary, steps\n", out)

    def test_modules_of_tosa_and_stablehlo_by_passes_of_the_users_choice(self):
        self.needs_both()
        for text in ("""\
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %s = tosa.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}
""", """\
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %s = "stablehlo.add"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}
"""):
            out = self.check("compare", self.module(text), "--pass-pipeline", "builtin.module(canonicalize,cse)")
            self.assertIn("pipeline: same for ", out)
            self.assertRegex(out, "compared with the module in (IREE|LLVM) ")

    def test_a_module_that_nothing_runs(self):
        memory = self.module("func.func @f(%m: memref<4xf32>) {\n  return\n}\n")
        for command in ("run", "compare"):
            self.refuses(command, memory, "--to", "raw", code=2, message=f"{memory}: only functions over tensors are run; 'f' has memref<4xf32>")
        self.refuses("compare", SAMPLES / "matmul_relu.mlir", "--to", "raw", "--python", "auto", code=2,
                     message=f"{SAMPLES / 'matmul_relu.mlir'}: is an MLIR module; --python needs an exported PyTorch program (.pt2)")

    def test_texts_of_other_routes_run_too(self):
        self.needs_both()
        for route, sample in (("nodes", "residual_block.pt2"), ("registry", "addmm.pt2")):
            with self.subTest(route=route):
                answer = self.check_json("compare", self.check("compare", SAMPLES / sample, "--to", "tosa", "--via", route, "--json"))
                self.assertEqual((answer["via"], [t["verdict"] for t in answer["targets"]]), (route, ["same"]))
                if not ALL:
                    continue
                ran = self.check_json("run", self.check("run", SAMPLES / "addmm.pt2", "--to", "tosa", "--via", route, "--json"))
                self.assertEqual((ran["via"], ran["stages"][-1]["stage"]), (route, "tosa" if route == "nodes" else "registry"))
        self.refuses("compare", SAMPLES / "addmm.pt2", "--to", "tosa", "--via", "fixed", code=2,
                     message="--via fixed lowers another program, whose values are not compared; see fix --numbers")

    def test_a_verdict_says_for_which_inputs_it_holds(self):
        self.needs_both()
        answer = self.check_json("compare", self.check("compare", SAMPLES / "addmm.pt2", "--to", "tosa", "--json"))
        self.assertEqual([i["set"] for i in answer["inputs"]], ["ordinary", "example", "steps", "range", "edges"] + ["nonfinite"] * 3)
        scope = answer["targets"][0]["scope"]
        self.assertEqual(scope["message"], "8 input sets, infinity not tried in x (addmm)")
        self.assertEqual([(s["inputs"], s["verdict"]) for s in scope["sets"]], [(i, "same") for i in range(8)])
        # Each text is compiled once for all sets.
        for executor in ("iree", "llvm"):
            compiled = [r["compile_seconds"] > 0 for r in answer["targets"][0]["runs"] if r["executor"] == executor]
            self.assertEqual(compiled, [True] + [False] * 7)
        # One set by itself: the sentence has no other.
        one = self.check("compare", SAMPLES / "addmm.pt2", "--to", "tosa", "--inputs", "set:steps")
        self.assertIn("\ntosa: same for 1 input set, NaN not tried in x, infinity not tried in x (addmm)", one)
        self.assertIn(": steps\n", one)
        example = self.check_json("run", self.check("run", SAMPLES / "addmm.pt2", "--to", "tosa", "--inputs", "set:example", "--json"))
        self.assertEqual(example["inputs"]["set"], "example")

    def test_what_stands_alone_is_suspicious_down_to_the_node_and_the_pass(self):
        self.needs_both()
        linalg, = self.check_json("compare", self.check("compare", SAMPLES / "tanh_gelu.pt2", "--to", "linalg-on-tensors", "--json"))["targets"]
        self.assertEqual(linalg["verdict"], "suspicious")
        self.assertEqual({k: linalg["first"][k] for k in ("node", "stage", "pass", "by_itself")},
                         {"node": "gelu", "stage": "linalg-on-tensors", "pass": "convert-torch-to-linalg", "by_itself": True})

    def test_a_python_that_fails_is_said_to_have_failed(self):
        python = self.work / "python"
        python.write_text("#!/bin/sh\nexit 3\n")
        python.chmod(0o755)
        compare = ("compare", SAMPLES / "control_flow.pt2", "--to", "linalg-on-tensors")
        advice = "no other lowering path computes it; give a Python with PyTorch to compare with"
        self.assertIn(advice, self.check(*compare))
        out = self.check(*compare, "--python", python)
        self.assertNotIn("give a Python", out)
        self.assertRegex(out, "no other lowering path computes it; not compared with PyTorch: .*it printed no values")

    def test_a_size_that_became_a_number_is_found_by_running(self):
        self.needs_both()
        answer = self.check_json("compare", self.check("compare", SAMPLES / "merge_heads.pt2", "--to", "linalg-on-tensors", "--json", code=1))
        target = answer["targets"][0]
        self.assertEqual(target["verdict"], "differs")
        self.assertIn("size mismatch", target["message"])
        self.assertEqual((target["first"]["stage"], target["first"]["pass"]), ("linalg-on-tensors", "convert-torch-to-linalg"))

    def test_sizes_are_those_given(self):
        answer = self.check_json("run", self.check("run", SAMPLES / "decoder_dynamic.pt2", "--to", "linalg-on-tensors", "--json",
                                                   "--size", self.symbol() + "=9"))
        self.assertEqual(list(answer["inputs"]["sizes"].values()), [9])

    def test_a_wrong_result_is_bundled_as_the_operation_that_computes_it(self):
        self.needs_both()
        path = self.work / "wrong.zip"
        said = self.check("bundle", SAMPLES / "merge_heads.pt2", "--to", "linalg-on-tensors", "--wrong", "-o", path)
        self.assertRegex(said, r"bytes, 1 of [0-9]+ operations\nfailure: wrong-result at aten.reshape.default in linalg-on-tensors, "
                               r"pass convert-torch-to-linalg\nreplayed after unpacking: fails in the same way\n")
        self.assertLess(path.stat().st_size, 50_000)
        names = [name.split("/", 1)[1] for name in bundle_test.members(path)]
        for name in ("manifest.json", "program.pt2", "inputs.safetensors", "raw.mlir", "lowered.mlir", "issue.md"):
            self.assertIn(name, names)
        content = bundle_test.members(path)
        self.check_json("bundle", next(text for name, text in content.items() if name.endswith("manifest.json")).decode())
        value = self.check_json("replay", self.check("replay", path, "--json"))
        self.assertEqual((value["outcome"], value["same_engine"], value["vouched"]), ("same-failure", True, True))
        self.assertIn("lowered.mlir", value["files"]["checked"])
        self.assertIn("inputs.safetensors", value["files"]["unchecked"])

        # With an engine that lowers the reshape right nothing crashes, and the registries compute the same.
        fixed = self.work / "fixed-engine"
        fixed.write_text(f"""#!/bin/sh
{ENGINE} "$@" | sed -e 's/tensor<?x1x4x8xf32>/tensor<?x?x4x8xf32>/g' -e 's/\\[\\[0\\], \\[1, 2, 3\\]\\]/[[0, 1], [2, 3]]/'
""")
        fixed.chmod(0o755)
        value = self.check_json("replay", self.check("replay", path, "--json", "--engine", fixed, code=1))
        self.assertEqual((value["outcome"], value["found"], value["same_engine"]), ("fixed", None, False))

        # What the program does not allow, or the engine did not write, is not believed.
        def one_batch(manifest, files):
            files["inputs.safetensors"] = inputs_of_reshape(1)
        def other_text(manifest, files):
            files["lowered.mlir"] += b"\n"
        def no_inputs(manifest, files):
            files["inputs.safetensors"] = b"no tensors"
        for change, message in ((one_batch, "size s27=1: the program allows 2 to 16"), (no_inputs, "inputs.safetensors"),
                                (other_text, "lowered.mlir does not match what fxscope writes for its manifest and program")):
            code, _, err = self.run_cli("replay", bundle_test.repack(path, change))
            self.assertEqual(code, 3, err)
            self.assertIn(message, err)

    def test_what_is_not_certainly_wrong_is_not_bundled(self):
        self.needs_both()
        for sample, message in (("addmm", "it computes what is expected by agreement of"),
                                ("tanh_gelu", "it is not certain that a result is wrong: add: small errors")):
            code, _, err = self.run_cli("bundle", SAMPLES / (sample + ".pt2"), "--to", "linalg-on-tensors", "--wrong", "-o", self.work / "no.zip")
            self.assertEqual(code, 2, err)
            self.assertIn(message, err)
            self.assertFalse((self.work / "no.zip").exists())

    def test_a_diagnosis_says_what_the_program_computes(self):
        self.needs_both()
        gelu = ["diagnose", SAMPLES / "tanh_gelu.pt2", "--numbers", "--to"]
        answer = self.check_json("diagnose", self.check(*gelu, "linalg-on-tensors,tosa", "--json"))
        self.assertEqual([t["computed"]["verdict"] for t in answer["targets"]], ["suspicious", "same"])
        self.assertEqual(answer["findings"], [])  # PyTorch alone knows which operation is wrong
        page = self.check(*gelu, "linalg-on-tensors", "--format", "html")
        self.assertIn('<section id="numbers">', page)
        self.assertIn("suspicious", page)
        # A fix is verified by what the whole program computes with it.
        answer = self.check_json("diagnose", self.check("diagnose", SAMPLES / "masked_attention.pt2", "--to", "tosa", "--numbers", "--json",
                                                        code=1))
        target = answer["targets"][0]
        self.assertEqual((target["computed"], target["fixed_lowers"], target["fixed_computed"]["verdict"]), (None, True, "same"))

    def symbol(self):
        return json.loads(self.check("inspect", SAMPLES / "decoder_dynamic.pt2", "--json"))["symbols"][0]["name"]


if __name__ == "__main__":
    unittest.main()
