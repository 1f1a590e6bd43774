# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR modules as programs: what works on them, what is refused, and errors of reading them."""
import json
import re
import shutil
import subprocess
import unittest
import zipfile

from support import ENGINE, SAMPLES, CliTest, needs_engine

MODULE = SAMPLES / "matmul_relu.mlir"
TORCH = """\
func.func @main(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %none = torch.constant.none
  %dim = torch.constant.int 0
  %product = torch.aten.cumprod %x, %dim, %none : !torch.vtensor<[4],f32>, !torch.int, !torch.none -> !torch.vtensor<[4],f32>
  return %product : !torch.vtensor<[4],f32>
}
"""
HAS_MLIR_OPT = shutil.which("mlir-opt-22") is not None
needs_mlir_opt = unittest.skipUnless(HAS_MLIR_OPT, "no LLVM 22 here: ./run --numbers installs it")


class ModuleTest(CliTest):
    def write(self, text, name="m.mlir"):
        path = self.work / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def without_times(self, text):
        return re.sub(r" +\d+\.\d+ s", " T", text)


@needs_engine
class Works(ModuleTest):
    def test_inspect(self):
        self.assertEqual(self.check("inspect", MODULE), f"""\
{MODULE}: MLIR module
6 nodes in 1 graph, 0 weights; file {MODULE.stat().st_size} bytes, stored weights 0 bytes

operators
       1  linalg.matmul  operation
       1  linalg.max     operation

inputs
  x       user_input  f32[4, 8]
  weight  user_input  f32[8, 16]

outputs
  relu  user_output  f32[4, 16]
""")
        self.assertEqual(self.check("inspect", MODULE, "--graph"), """\
graph():
    %x : f32[4, 8] [num_users=1] = placeholder[target=x]
    %weight : f32[8, 16] [num_users=1] = placeholder[target=weight]
    %zeros : f32[4, 16] [num_users=2] = get_attr[target='fill 0']
    %product : f32[4, 16] [num_users=1] = call_function[target=linalg.matmul](args = (%x, %weight, %zeros), kwargs = {})
    %relu : f32[4, 16] [num_users=1] = call_function[target=linalg.max](args = (%product, %zeros), kwargs = {})
    return (relu,)
""")
        self.assertEqual(self.check_json("inspect", self.check("inspect", MODULE, "--json"))["locations"], [])

    def test_locations_of_the_file(self):
        folder = self.work.resolve()
        path = self.write(TORCH.replace("!torch.vtensor<[4],f32>\n  return", '!torch.vtensor<[4],f32> loc(callsite("torch/nn.py":7:1 at '
                                        f'"{folder}/net.py":24:8))\n  return').replace("torch.constant.none", 'torch.constant.none loc("nothing"("fx":3:0))'))
        self.assertEqual(self.check_json("inspect", self.check("inspect", path, "--json"))["locations"],
                         [{"node": "nothing", "name": "nothing", "lines": []},
                          {"node": "cumprod", "name": None, "lines": [{"file": "net.py", "line": 24}, {"file": "torch/nn.py", "line": 7}]}])
        value = json.loads(self.check("inspect", path, "--json", "--full-paths"))
        self.assertEqual(value["locations"][1]["lines"][0]["file"], f"{folder}/net.py")

    def test_standard_input_bytecode_and_any_name_are_read(self):
        self.assertEqual(self.check("inspect", "-", stdin=MODULE.read_bytes()).splitlines()[0], "-: MLIR module")
        code = self.work / "code.pt2"
        subprocess.run([ENGINE, MODULE, "--emit-bytecode", "-o", code], check=True)
        self.assertEqual(self.check("inspect", code).splitlines()[0], f"{code}: MLIR bytecode")

    def test_passes_of_the_users_choice(self):
        pipeline = "builtin.module(func.func(linalg-generalize-named-ops),cse)"
        if HAS_MLIR_OPT:
            text = self.check("lower", MODULE, "--pass-pipeline", pipeline, "--tool", "mlir-opt-22", "-o", "-")
            self.assertEqual((text.count("linalg.generic"), text.count("linalg.matmul")), (3, 0))
        self.assertEqual(self.without_times(self.check("lower", MODULE, "--pass-pipeline", "builtin.module(canonicalize,cse)")).split("\n\n", 1)[1], """\
stage     status     time  ops
raw       ok T    8
pipeline  ok T    8
""")
        self.refuses("lower", MODULE, "--pass-pipeline", "builtin.module(nonsense)", code=4,
                     message="output type pipeline: the engine has no pass 'nonsense'")
        self.refuses("lower", MODULE, "--to", "raw", "--tool", "mlir-opt-22", code=2, message="--tool requires --pass-pipeline")

    @needs_mlir_opt
    def test_lower_and_trace_start_from_the_dialects_of_the_module(self):
        value = self.check_json("lower", self.check("lower", MODULE, "--to", "loops", "--json"))
        self.assertEqual([(stage["name"], stage["title"], stage["status"], stage["coverage"]) for stage in value["stages"]],
                         [("raw", "Module", "ok", 1), ("loops", "Loops over buffers", "ok", 1)])
        self.assertEqual((value["findings"], value["rewritten_beyond_torch_mlir"]), ([], None))
        history = self.check("trace", MODULE, "--to", "loops", "--node", "relu").splitlines()
        self.assertEqual((history[0], history[2], history[3]),
                         (f"{MODULE.name}: relu to loops", "    raw                                 starts as linalg.max",
                          " 3  loops  linalg-generalize-named-ops  linalg.max became linalg.generic, arith.maximumf, linalg.yield"))
        self.check_json("trace", self.check("trace", MODULE, "--to", "loops", "--json"))

    def test_a_failure_is_at_its_line_and_offers_nothing_of_pytorch(self):
        path = self.write(TORCH)
        status, out, err = self.run_cli("lower", path, "--to", "tosa")
        self.assertEqual((status, err), (1, ""))
        self.assertEqual(out.split("\n\n")[2] + "\n", """\
error at tosa: torch.aten.cumprod: no pattern of TOSA lowers torch.aten.cumprod in this form; rewrite it in the model, or choose another output type
    product  m.mlir:4  %product = torch.aten.cumprod %x, %dim, %none : !torch.vtensor<[4],f32>, !torch.int, !torch.none -> !torch.vtensor<[4],f32>
""")
        self.assertNotIn("beyond torch-mlir", self.check("lower", path, "--to", "linalg-on-tensors"))

    def test_an_output_type_that_cannot_be_reached(self):
        self.refuses("lower", MODULE, "--to", "tosa", code=2,
                     message="output type 'tosa' cannot start from a module of arith, func, linalg, tensor; those that can: loops and iree-input")

    def test_parts(self):
        path = self.write("func.func @f() {\n  return\n}\n// -----\nfunc.func @g() {\n  retrun\n}\n")
        self.assertEqual(self.check("inspect", path), f"""\
{path}: MLIR module
1 node in 1 graph, 0 weights; file 65 bytes, stored weights 0 bytes

notes
  part 1 of 2; --model opens another
""")
        self.refuses("inspect", path, "--model", "2", code=3, message=f"{path}:6:3: custom op 'retrun' is unknown (tried 'func.retrun' as well)")
        for part in ("0", "3", "x"):
            self.refuses("inspect", path, "--model", part, code=2, message=f"{path}: there is no part '{part}'; it has 2")

    def test_notes_render_and_sweep(self):
        path = self.work / MODULE.name
        shutil.copy(MODULE, path)
        self.assertEqual(self.check("notes", path), f"{path}.fxscope.json: no notes\n")
        self.assertEqual(self.check("render", path, "--query", "op=linalg.matmul", "-o", self.work / "m.svg").splitlines()[1], "1 of 6 nodes match")
        status, out, _ = self.run_cli("sweep", path, self.write(TORCH), "--to", "raw,tosa", "-o", "-")
        self.assertEqual(status, 1)
        lines = [self.check_json("sweep", line) for line in out.splitlines()]
        self.assertEqual([(line["program"], line["to"], line["status"], line["stage"], line["blockers"]) for line in lines],
                         [("m.mlir", "raw", "ok", None, []),
                          ("m.mlir", "tosa", "failed", "tosa",
                           [{"operator": "torch.aten.cumprod", "class": "no-pattern", "nodes": 1, "operations": 1, "fix": None}]),
                          ("matmul_relu.mlir", "raw", "ok", None, []), ("matmul_relu.mlir", "tosa", "failed", "lower", [])])
        self.assertIn("cannot start from a module of arith", lines[3]["message"])


@needs_engine
class MadeFrom(ModuleTest):
    """The program that a module was made from, whose nodes its locations name."""
    FAILS = TORCH.replace("!torch.vtensor<[4],f32>\n  return", '!torch.vtensor<[4],f32> loc("addmm"("fx":3:0))\n  return')

    def lowered(self):
        self.check("lower", SAMPLES / "addmm.pt2", "--to", "torch", "-o", self.work / "out")
        return shutil.copy(self.work / "out" / "01-torch.mlir", self.work / "m.mlir")

    def test_a_given_program_or_the_one_beside_it(self):
        path, note = self.lowered(), "modules and lines of Python are those of "
        self.assertNotIn(note, self.check("inspect", path))
        self.assertIn(note + str(SAMPLES / "addmm.pt2"), self.check("inspect", path, "--program", SAMPLES / "addmm.pt2"))
        beside = self.work / "m.pt2"
        shutil.copy(SAMPLES / "addmm.pt2", beside)
        self.assertIn(note + str(beside), self.check("inspect", path))
        beside.write_bytes(b"nothing")
        self.assertNotIn(note, self.check("inspect", path))

    def test_texts_of_fxscope_keep_the_names_of_nodes(self):
        self.assertIn("%addmm : f32[3, 4]", self.check("inspect", self.lowered(), "--graph"))

    def test_findings_have_its_lines_of_python(self):
        path = self.write(self.FAILS)
        self.assertIn("\n    addmm\n", self.check("lower", path, "--to", "tosa", code=1))
        self.assertIn("addmm.py:15  return torch.addmm(self.b,", self.check("lower", path, "--to", "tosa", "--program", SAMPLES / "addmm.pt2", code=1))

    def test_programs_that_are_not_of_it(self):
        self.assertIn("no location names a node or a line of", self.check("inspect", MODULE, "--program", SAMPLES / "addmm.pt2"))
        self.refuses("inspect", SAMPLES / "addmm.pt2", "--program", SAMPLES / "addmm.pt2", code=2,
                     message=f"{SAMPLES / 'addmm.pt2'}: is not an MLIR module; --program names the program of one")
        status, out, _ = self.run_cli("inspect", MODULE, "--program", self.work / "none.pt2")
        self.assertEqual((status, out), (3, ""))


@needs_engine
class Diagnosed(ModuleTest):
    TWO = TORCH.replace("  return %product", """\
  %sin = torch.aten.sin %product : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  %again = torch.aten.cumprod %sin, %dim, %none : !torch.vtensor<[4],f32>, !torch.int, !torch.none -> !torch.vtensor<[4],f32>
  %erf = torch.aten.erfinv %again : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>
  return %erf""")

    def test_each_operation_by_itself(self):
        path = self.write(self.TWO)
        value = self.check_json("diagnose", self.check("diagnose", path, "--to", "tosa,linalg-on-tensors", "--json", code=1))
        self.assertEqual([(each["to"], each["target"], each["kind"], each["agreement"], [node["name"] for node in each["nodes"]])
                          for each in value["findings"]],
                         [("tosa", "torch.aten.cumprod", "no-pattern", "confirmed", ["product", "again"]),
                          ("tosa", "torch.aten.erfinv", "no-pattern", "confirmed", ["erf"]),
                          ("linalg-on-tensors", "torch.aten.erfinv", value["findings"][2]["kind"], "confirmed", ["erf"])])
        self.assertEqual([each["experiments"] for each in value["findings"]], [[], [], []])
        text = self.check("diagnose", path, "--to", "tosa", code=1)
        self.assertIn("2 operations block it, at 3 nodes; the list is complete", text)
        self.assertIn("product and 1 other node   m.mlir:4   %product = torch.aten.cumprod", text)
        for word in ("python", "Python", "decompose it"):
            self.assertNotIn(word, text)

    def test_operations_in_generic_form_and_with_regions(self):
        path = self.write("""\
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "f"}> ({
  ^bb0(%a: tensor<4xf32>):
    %c = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %0 = "math.exp"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "tosa.abs"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%1) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
""")
        if HAS_MLIR_OPT:
            tool = ("--pass-pipeline", "builtin.module(func.func(tosa-to-linalg),one-shot-bufferize{bufferize-function-boundaries=1})", "--tool",
                    "mlir-opt-22")
            value = self.check_json("diagnose", self.check("diagnose", path, *tool, "--json", code=1))
            self.assertEqual([(each["target"], each["engine_message"]) for each in value["findings"]], [("math.exp", "op was not bufferized")])
            value = self.check_json("diagnose", self.check("diagnose", MODULE, "--to", "loops", "--json"))
            self.assertEqual((value["findings"], [each["op"] for each in value["support"]]), ([], ["linalg.matmul", "linalg.max"]))

    def test_patterns_of_a_node(self):
        path = self.write(TORCH)
        _, out, err = self.run_cli("trace", path, "--to", "tosa", "--node", "product", "--patterns")
        self.assertIn("the whole module was run", out, err)


@needs_engine
class Alone(ModuleTest):
    def test_one_operation_is_a_function(self):
        path = self.write(TORCH)
        value = self.check_json("node", self.check("node", path, "product", "--to", "linalg-on-tensors", "--json"))
        self.assertEqual((value["op_target"], value["operands"], [each["status"] for each in value["stages"]]),
                         ("torch.aten.cumprod", ["x", "dim", "none"], ["ok", "ok", "ok"]))
        self.assertIn("torch.aten.cumprod", value["raw"])
        self.assertEqual(value["program"].count("call_function"), 1)
        text = self.check("node", path, "product", "--to", "tosa", code=1)
        self.assertIn("error at tosa: torch.aten.cumprod: no pattern of TOSA lowers torch.aten.cumprod in this form", text)
        self.assertIn("product  m.mlir:4", text)
        self.refuses("node", path, "output", "--to", "raw", code=1,
                     message="node 'output' is no operation in the block of a function that can be a function by itself")


@needs_engine
class Bundles(ModuleTest):
    LINALG = """\
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %power = math.exp %a : tensor<4xf32>
  %s = tosa.abs %power : (tensor<4xf32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}
"""

    def members(self, path):
        with zipfile.ZipFile(path) as archive:
            return {info.filename.split("/", 1)[1]: archive.read(info).decode() for info in archive.infolist()}

    def test_a_module_is_bundled_with_its_text_and_replayed(self):
        path, out = self.write(TORCH), self.work / "b.zip"
        self.assertEqual(self.check("bundle", path, "--to", "tosa", "-o", out).splitlines()[1:], [
            "failure: illegal-op of torch.aten.cumprod (torch.aten.cumprod) in tosa, pass convert-torch-to-tosa",
            "replayed after unpacking: fails in the same way"])
        files = self.members(out)
        self.assertEqual(files["program.mlir"], TORCH)
        manifest = self.check_json("bundle", files["manifest.json"])
        self.assertEqual((manifest["target"], manifest["module"]["program"]), ("tosa", "engine"))
        value = self.check_json("replay", self.check("replay", out, "--json"))
        self.assertEqual((value["outcome"], value["files"]["unchecked"]), ("same-failure", []))
        self.assertEqual(self.check("inspect", out).splitlines()[0], f"{out}: reproducer bundle of fxscope: MLIR module")
        self.assertIn("product", self.check("lower", out, "--to", "tosa", code=1))

    def test_it_is_reduced(self):
        sin = "  %sin = torch.aten.sin %product : !torch.vtensor<[4],f32> -> !torch.vtensor<[4],f32>\n"
        path, out = self.write(TORCH.replace("  return %product", sin + "  return %sin")), self.work / "b.zip"
        self.assertIn(", 1 of 2 operations\n", self.check("bundle", path, "--to", "tosa", "--reduce", "-o", out))
        self.assertNotIn("aten.sin", self.members(out)["program.mlir"])
        self.assertTrue(self.check("replay", out).endswith("fails in the same way\n"))

    def test_nothing_private_of_it_is_handed_on(self):
        path, out = self.write("// of /home/ada/secret/net.py\n" + TORCH), self.work / "b.zip"
        self.assertIn("1 path under a home folder", self.check("bundle", path, "--to", "tosa", "-o", out))
        for name, text in self.members(out).items():
            self.assertNotIn("ada", text, name)
        self.assertTrue(self.check("replay", out).endswith("fails in the same way\n"))

    @needs_mlir_opt
    def test_passes_of_another_tool(self):
        path, out, types = self.write(self.LINALG), self.work / "b.zip", self.work / "output_types.json"
        self.check("bundle", path, "--pass-pipeline", "builtin.module(one-shot-bufferize{bufferize-function-boundaries=1})", "--tool", "mlir-opt-22",
                   "-o", out)
        files = self.members(out)
        self.assertEqual(self.check_json("bundle", files["manifest.json"])["module"]["program"], "mlir-opt-22")
        self.assertIn("${ENGINE:-mlir-opt-22}", files["run.sh"])
        types.write_text(files["output_types.json"])
        self.assertTrue(self.check("replay", out, "--output-types", types).endswith("fails in the same way\n"))

    def test_only_known_tools_and_only_failures(self):
        out = self.work / "b.zip"
        tool = ("--pass-pipeline", "builtin.module(cse)", "--tool", ENGINE)
        self.refuses("bundle", MODULE, *tool, "-o", out, code=2,
                     message="a bundle replays stages of the engine, but torch-mlir-opt runs pipeline; choose an output type before it, such as raw")
        self.refuses("bundle", MODULE, "--to", "raw", "-o", out, code=2, message=f"{MODULE}: reaches raw: there is no failure to bundle")
        self.assertFalse(out.exists())


@needs_engine
class Refused(ModuleTest):
    def needs_program(self, *args, work):
        self.refuses(args[0], MODULE, *args[1:], code=2, message=f"{MODULE}: is an MLIR module; {work} needs an exported PyTorch program (.pt2)")

    def test_what_needs_operators_of_pytorch_says_so(self):
        out = self.work / "out"
        self.needs_program("diagnose", "--to", "raw", "--numbers", work="diagnose --numbers")
        for command in ("normalize", "import"):
            self.needs_program(command, work=command)
        self.needs_program("fix", "--to", "raw", "-o", out, work="fix")
        self.needs_program("bundle", "--to", "raw", "--wrong", "-o", out, work="bundle --wrong")
        self.needs_program("node", "relu", "--to", "raw", "--inline", work="--inline")
        self.needs_program("registry", work="--via registry")
        self.refuses("support", "--of", MODULE, code=2, message=f"{MODULE}: is an MLIR module; support --of needs an exported PyTorch program (.pt2)")
        self.assertFalse(out.exists())

    def test_paths_and_options_of_the_import_too(self):
        for via in ("nodes", "registry", "fixed"):
            self.needs_program("lower", "--to", "raw", "--via", via, work=f"--via {via}")
        for option, *value in (("--decompose", "aten.gelu"), ("--mode", "program"), ("--as", "torch-mlir"), ("--weights",), ("--symbolic-shapes",),
                               ("--func-name", "f")):
            self.needs_program("lower", "--to", "raw", option, *value, work=option)
        self.needs_program("inspect", "--graph", "--rewritten", work="--rewritten")


@needs_engine
class Errors(ModuleTest):
    def fails(self, text, message, code=3):
        path = self.write(text)
        self.refuses("inspect", path, code=code, message=f"{path}{message}")

    def test_the_place_is_that_of_the_file(self):
        self.fails("// RUN: x\nfunc.func @f( {\n  return\n}\n", ":2:14: expected non-function type")
        self.fails('func.func @f() attributes {a = "abc} {\n  return\n}\n', ":1:39: expected '\"' in string literal")

    def test_an_unknown_dialect_is_named_with_the_tools_that_were_tried(self):
        tried = "the engine and mlir-opt-22" if HAS_MLIR_OPT else "the engine; mlir-opt-22 is not installed; Debian's package mlir-22-tools contains it"
        for text, place in (("func.func @f() {\n  foo.bar\n  return\n}\n", "2:3"), ('func.func @f() {\n  "foo.bar"() : () -> ()\n  return\n}\n', "2:12"),
                            ("func.func @f(%a: !foo.bar) {\n  return\n}\n", "1:23"),
                            ("func.func @f() attributes {a = #foo.bar} {\n  return\n}\n", "1:37")):
            with self.subTest(text=text):
                self.fails(text, f":{place}: dialect 'foo' is unknown to {tried}")

    def test_hostile_texts_end_with_one_error(self):
        deep, wide = "scf.if %c {\n" * 20000, "tuple<" * 100000
        no_answer = ": the engine ended with status 1, and did not read the module"
        self.fails("module {\n" * 200000, no_answer, code=4)
        self.fails(f"func.func @f(%c: i1) {{\n{deep}{'}' * 20000}\n return\n}}\n", no_answer, code=4)
        self.fails(f"func.func @f(%a: {wide}i32{'>' * 100000}) {{\n return\n}}\n", no_answer, code=4)
        self.fails(b"ML\xefRgarbage", ": bytecode version 51 is newer than the current version 6")
        self.fails("func.func @f() {" + " %c = arith.constant 0 : i32" * 300000 + " return }\n", ":1:46: redefinition of SSA value '%c'")
        for op in ("func.call @" + "a" * 3000000 + "()", '"' + "a" * 3000000 + '.b"()'):
            status, out, err = self.run_cli("inspect", self.write("func.func @f() {\n  " + op + " : () -> ()\n return\n}\n"))
            self.assertEqual((status, out), (3, ""))
            self.assertLess(len(err), 1000)

    def test_without_an_engine_the_way_to_get_one_is_said(self):
        status, _, err = self.run_cli("inspect", MODULE, engine=None)
        self.assertIn(status, (0, 4))
        if status == 4:
            self.assertIn("run 'fxscope-cli engine fetch' to install one", err)


@needs_engine
class Passes(CliTest):
    def test_passes_are_listed_with_their_options(self):
        self.assertIn("cse  ", self.check("passes", "--options"))
        self.assertEqual(self.check("passes", "cse"), "cse  Eliminate common sub-expressions\n")
        self.assertIn("\n  max-iterations=<long>\n", self.check("passes", "canonicalize"))
        self.refuses("passes", "canonicalise", code=2, message="no pass is named 'canonicalise'; did you mean 'canonicalize'?")
        self.refuses("passes", "--tool", "clang-22", code=2,
                     message="option '--tool': 'clang-22' is not engine, mlir-opt-22, iree-opt, or the path of a program")


if __name__ == "__main__":
    unittest.main()
