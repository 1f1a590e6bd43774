# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`diff`: what really differs between two modules, as text and as JSON, and what the exit code says of it."""
import unittest
import zipfile

from support import SAMPLES, CliTest, needs_engine

A = """module {
  func.func @main(%arg0: !torch.vtensor<[4],f32> loc("x"("fx":0:0))) -> !torch.vtensor<[4],f32> {
    %0 = torch_c.to_builtin_tensor %arg0 : !torch.vtensor<[4],f32> -> tensor<4xf32> loc(#loc1)
    %1 = tensor.empty() : tensor<4xf32> loc(#loc1)
    %2 = linalg.generic {indexing_maps = [#map, #map]} ins(%0 : tensor<4xf32>) outs(%1 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = arith.addf %in, %in : f32 loc(#loc1)
      linalg.yield %4 : f32 loc(#loc1)
    } -> tensor<4xf32> loc(#loc1)
    %3 = torch_c.from_builtin_tensor %2 : tensor<4xf32> -> !torch.vtensor<[4],f32> loc(#loc1)
    return %3 : !torch.vtensor<[4],f32> loc(unknown)
  } loc(unknown)
} loc(unknown)
#loc1 = loc("relu"("fx":1:0))
"""
ALIAS = "#map = affine_map<(d0) -> (d0)>\n"
B = """module {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %empty = tensor.empty() : tensor<4xf32>
    %sum = linalg.generic {indexing_maps = [#map2, #map2]} ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = arith.addf %in, %cst : f32
      linalg.yield %4 : f32
    } -> tensor<4xf32>
    return %sum : tensor<4xf32>
  }
}
"""


class Diff(CliTest):
    def files(self, *texts):
        out = []
        for name, text in zip("ab", texts):
            out.append(self.work / f"{name}.mlir")
            out[-1].write_text(text)
        return out

    def test_operations_that_differ_with_their_lines_and_words(self):
        a, b = self.files(ALIAS + A, ALIAS.replace("#map", "#map2") + B)
        self.assertEqual(self.check("diff", a, b, "--context", 0, code=1), """\
           .. 1 the same
~-      3    func.func @main(%arg0: [-!torch.vtensor<[4],f32-]>) -> [-!torch.vtensor<[4],f32-]> {..}
~+      3    func.func @main(%x: {+tensor<4xf32+}>) -> {+tensor<4xf32+}> {..}
-       4      %0 = torch_c.to_builtin_tensor %arg0 : !torch.vtensor<[4],f32> -> tensor<4xf32>
+       4      %cst = arith.constant 1.000000e+00 : f32
           .. 4 the same
-      11      %3 = torch_c.from_builtin_tensor %2 : tensor<4xf32> -> !torch.vtensor<[4],f32>
~-     12      return %3 : [-!torch.vtensor<[4],f32-]>
~+     11      return %sum : {+tensor<4xf32+}>
1 added, 2 removed, 2 changed, 0 moved, 5 the same
""")

    def test_json_follows_its_schema(self):
        a, b = self.files(ALIAS + A, ALIAS.replace("#map", "#map2") + B)
        value = self.check_json("diff", self.check("diff", a, b, "--json", code=1))
        self.assertEqual([value[k] for k in ("same", "added", "removed", "changed", "moved")], [False, 1, 2, 2, 0])
        self.assertEqual(value["differences"][0]["words_b"], ["tensor<4xf32", "tensor<4xf32"])
        self.assertEqual([d["change"] for d in value["differences"]], ["changed", "removed", "added", "removed", "changed"])
        self.assertEqual(value["differences"][1]["a"],
                         {"op": "torch_c.to_builtin_tensor", "line": 4,
                          "text": "%0 = torch_c.to_builtin_tensor %arg0 : !torch.vtensor<[4],f32> -> tensor<4xf32>"})

    def test_names_locations_and_aliases_are_no_difference(self):
        other = A.replace("%0", "%first").replace("#loc1", "#loc7").replace("relu", "gelu").replace("#map", "#m").replace("%in", "%i")
        a, b = self.files(ALIAS + A, ALIAS.replace("#map", "#m") + other)
        self.assertEqual(self.check("diff", a, b), f"no differences between {a} and {b}: 9 the same\n")
        self.assertTrue(self.check_json("diff", self.check("diff", a, b, "--json"))["same"])

    def test_moved_and_rewired_operations(self):
        a, b = self.files("%0 = a.x : i1\n%1 = a.y : i1\n%2 = a.z : i1\n%3 = a.sub %1, %2 : i1\na.end %0, %3\n",
                          "%1 = a.y : i1\n%2 = a.z : i1\n%3 = a.sub %2, %1 : i1\n%0 = a.x : i1\na.end %0, %3\n")
        self.assertEqual(self.check("diff", a, b, "--context", 0, code=1), """\
           .. 2 the same
~-      4  %3 = a.sub %1, %2 : i1
~+      3  %3 = a.sub %2, %1 : i1  (other operands)
>       4  %0 = a.x : i1  (was at 1)
           .. 1 the same
0 added, 0 removed, 1 changed, 1 moved, 3 the same
""")

    def test_constants_can_be_left_out(self):
        a, b = self.files("%0 = arith.constant 1 : i64\na.b %0\na.c\n", "%0 = arith.constant 2 : i64\na.b %0\n")
        self.assertEqual(self.check("diff", a, b, "--hide-constants", code=1), """\
        2  a.b %0
-       3  a.c
0 added, 1 removed, 0 changed, 0 moved, 1 the same, 1 constant hidden
""")
        _, b = self.files(a.read_text(), "%0 = arith.constant 2 : i64\na.b %0\na.c\n")
        self.assertEqual(self.check("diff", a, b, "--hide-constants"),
                         f"no differences between {a} and {b}: 2 the same, 1 constant hidden\n")
        value = self.check_json("diff", self.check("diff", a, b, "--hide-constants", "--json"))
        self.assertEqual((value["same"], value["hidden_constants"], value["differences"]), (True, 1, []))
        self.check("diff", a, b, code=1)

    def test_context_and_standard_input(self):
        (a,) = self.files("a.b\na.c\na.d\na.e\na.f\n")
        out = self.check("diff", a, "-", "--context", "1", code=1, stdin=b"a.b\na.c\na.d\na.f\n")
        self.assertEqual(out, "           .. 2 the same\n        3  a.d\n-       4  a.e\n        4  a.f\n0 added, 1 removed, 0 changed, 0 moved, 4 the same\n")

    def test_what_cannot_be_read(self):
        a, b = self.files("a.b\n", "no operation here\n")
        self.refuses("diff", a, self.work / "none", code=3, message=f"{self.work}/none: no such file")
        self.refuses("diff", a, b, code=3, message=f"{b}: contains no MLIR operation")
        self.refuses("diff", a, code=2, message="'diff' needs B (program or module to compare with)")
        self.refuses("diff", a, a, "--context", "few", code=2, message="--context: expected a number of operations, got 'few'")

    @needs_engine
    def test_type_conversions_are_their_casts_and_the_signature(self):
        """They renumber nearly every value; what they do to the program is little."""
        for target, func, finalizing in (("linalg-on-tensors", "torch-func-backend-type-conversion", "torch-finalizing-backend-type-conversion"),
                                         ("stablehlo", "torch-func-backend-type-conversion-for-stablehlo",
                                          "torch-finalizing-backend-type-conversion-for-stablehlo")):
            directory = self.work / target
            self.check("trace", SAMPLES / "transformer_block.pt2", "--to", target, "-o", directory)
            snapshots = sorted(directory.glob("*.mlir"))
            named = {path.stem.split("-", 1)[1]: (before, path) for before, path in zip(snapshots, snapshots[1:])}
            for name in (func, finalizing):
                with self.subTest(target=target, name=name):
                    value = self.check_json("diff", self.check("diff", *named[name], "--json", code=1))
                    self.assertLessEqual(value["changed"], 2)
                    self.assertEqual(value["moved"], 0)
                    for difference in value["differences"]:
                        side = difference["b"] or difference["a"]
                        casts = ("torch_c.to_builtin_tensor", "torch_c.from_builtin_tensor")
                        self.assertIn(side["op"], ("func.func", "func.return") if difference["change"] == "changed" else casts)
            self.assertGreater(value["removed"], 1)


class DiffOfPrograms(CliTest):
    def changed(self, sample, *replaced):
        """The sample with texts of its model replaced."""
        out = self.work / f"{sample}.pt2"
        with zipfile.ZipFile(SAMPLES / f"{sample}.pt2") as old, zipfile.ZipFile(out, "w") as new:
            for entry in old.infolist():
                data = old.read(entry)
                if entry.filename.endswith("models/model.json"):
                    for before, after in replaced:
                        self.assertTrue(before in data, before)
                        data = data.replace(before, after)
                new.writestr(entry, data)
        return out

    def test_a_program_is_itself_whatever_its_nodes_are_called(self):
        for sample in sorted(SAMPLES.glob("*.pt2")):
            value = self.check_json("graph_diff", self.check("diff", sample, sample, "--json"))
            self.assertEqual((value["same"], value["differences"], value["sizes"]), (True, [], []), sample)
        renamed = self.changed("tanh_gelu", (b'"linear_1"', b'"down"'), (b'"layer_norm"', b'"normal"'))
        text = self.check("diff", SAMPLES / "tanh_gelu.pt2", renamed)
        self.assertRegex(text, "^no differences between the graphs of .*: [0-9]+ nodes the same\n$")

    def test_what_changed_is_said(self):
        changed = self.changed("tanh_gelu", (b'"as_string": "tanh"', b'"as_string": "none"'), (b"torch.ops.aten.add.Tensor", b"torch.ops.aten.sub.Tensor"))
        text = self.check("diff", SAMPLES / "tanh_gelu.pt2", changed, code=1)
        self.assertEqual(text, """\
~ gelu  tanh_gelu.py:17
    arguments: %, approximate='tanh' -> %, approximate='none'
- add = aten.add.Tensor(%, %)  f32[4, 16]  tanh_gelu.py:17
+ add = aten.sub.Tensor(%, %)  f32[4, 16]  tanh_gelu.py:17
1 node added, 1 removed, 1 changed, 0 moved, 11 the same; 0 symbolic sizes changed
""")
        value = self.check_json("graph_diff", self.check("diff", SAMPLES / "tanh_gelu.pt2", changed, "--json", code=1))
        self.assertEqual([(each["change"], each["differs"], (each["b"] or each["a"])["target"]) for each in value["differences"]],
                         [("changed", ["arguments"], "aten.gelu.default"), ("removed", [], "aten.add.Tensor"), ("added", [], "aten.sub.Tensor")])

    @needs_engine
    def test_what_blocks_one_of_them_is_said(self):
        other = self.changed("tanh_gelu", (b"torch.ops.aten.add.Tensor", b"torch.ops.aten.nextafter.default"))
        text = self.check("diff", SAMPLES / "tanh_gelu.pt2", other, "--to", "tosa,linalg-on-tensors", code=1)
        self.assertIn(f"tosa: {SAMPLES}/tanh_gelu.pt2 lowers, {other} does not lower (stops at torch)\n  {other}  add (added): aten.nextafter.default: ", text)
        value = self.check_json("graph_diff", self.check("diff", SAMPLES / "tanh_gelu.pt2", other, "--to", "tosa", "--json", code=1))
        tosa, = value["lowering"]
        self.assertEqual((tosa["to"], tosa["a"], tosa["b"], tosa["stage_a"], tosa["stage_b"]), ("tosa", True, False, None, "torch"))
        self.assertEqual([(each["program"], each["operator"], each["node"], each["change"]) for each in tosa["blockers"]],
                         [("b", "aten.nextafter.default", "add", "added")])
        same = self.check_json("graph_diff", self.check("diff", SAMPLES / "masked_attention.pt2", SAMPLES / "masked_attention.pt2", "--to", "tosa", "--json"))
        self.assertEqual({each["change"] for each in same["lowering"][0]["blockers"]}, {"the same in both"})
        self.refuses("diff", SAMPLES / "matmul_relu.mlir", SAMPLES / "matmul_relu.mlir", "--to", "tosa", code=2, message="--to is for programs, not for modules")

    def test_a_program_and_a_module_are_not_compared(self):
        self.refuses("diff", SAMPLES / "addmm.pt2", SAMPLES / "matmul_relu.mlir", code=2,
                     message="diff: one is a program, the other MLIR; pass two of a kind, such as what 'fxscope-cli import' or 'lower' writes of "
                             "the program")
        self.refuses("diff", SAMPLES / "addmm.pt2", SAMPLES / "addmm.pt2", "--context", "3", code=2,
                     message="--context is for modules, not for programs")


@needs_engine
class DiffOfTraces(CliTest):
    def test_modules_after_two_passes_of_a_stored_trace(self):
        trace = self.work / "t"
        self.check("trace", SAMPLES / "addmm.pt2", "--to", "linalg-on-tensors", "-o", trace)
        self.check("diff", f"{trace}#1", f"{trace}/trace.json#1")
        out = self.check("diff", f"{trace}#0", f"{trace}#26", code=1)
        self.assertRegex(out, r"(?m)^\+ .*linalg\.matmul")
        self.refuses("diff", f"{trace}#0", f"{trace}#27", code=2, message=f"{trace}#27: the trace has 26 passes")
        self.refuses("diff", "none#0", f"{trace}#1", code=3, message="none: no such file")


if __name__ == "__main__":
    unittest.main()
