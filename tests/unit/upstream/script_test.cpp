// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "upstream/script.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "output_type.h"
#include "program_from.h"

namespace fxs::upstream {
namespace {

using testing::HasSubstr;
using testing::Not;

PythonModel modelOf(const char* program) {
  auto model = pythonModel(*test::programFrom(program), nullptr, {});
  EXPECT_TRUE(model) << (model ? "" : model.error().message);
  return model.value_or(PythonModel());
}

lower::LowerOptions loweringTo(const char* type) {
  lower::LowerOptions options;
  options.target = test::outputType(type);
  return options;
}

TEST(Script, IsPlainPyTorch) {
  EXPECT_EQ(scriptText(modelOf("x: f32[2, 3] = placeholder\n"
                               "i: i64[2] = placeholder\n"
                               "s: (f32[2, 3], i64[2, 3]) = aten.sort.default(x)\n"
                               "v: f32[2, 3] = getitem(s, 0)\n"
                               "y: f32[2, 3] = aten.index_select.default(v, 0, i)\n"
                               "return y"),
                       loweringTo("tosa")),
            "import torch\n"
            "from torch_mlir import fx\n"
            "\n"
            "aten = torch.ops.aten\n"
            "\n"
            "\n"
            "class Repro(torch.nn.Module):\n"
            "    def forward(self, x, i):\n"
            "        sort = aten.sort.default(x)\n"
            "        return aten.index_select.default(sort[0], 0, i)\n"
            "\n"
            "\n"
            "fx.export_and_import(Repro(), torch.ones(2, 3), torch.zeros(2, dtype=torch.int64), "
            "output_type=\"tosa\")\n");
}

TEST(Script, ExecutesAndComparesWhatIsComputedWrong) {
  PythonModel model = modelOf(
      "x: f32[2] = placeholder\n"
      "y: f32[2] = aten.softshrink.default(x, 0.5)\n"
      "return y");
  model.inputs.front().value = "torch.tensor([-1.0, 2.0])";
  const std::string text =
      valueScriptText(model, loweringTo("tosa"), {{"cse", "canonicalize"}, 1e-3, 1e-7, 1});
  EXPECT_EQ(
      text,
      "import ctypes\n"
      "import torch\n"
      "from torch_mlir import execution_engine, fx, passmanager, runtime\n"
      "aten = torch.ops.aten\n"
      "\n"
      "class Repro(torch.nn.Module):\n"
      "    def forward(self, x):\n"
      "        return aten.softshrink.default(x, 0.5)\n"
      "\n"
      "inputs = [torch.tensor([-1.0, 2.0])]\n"
      "expected = [Repro()(*inputs)]\n"
      "found = [torch.zeros_like(each).contiguous() for each in expected]\n"
      "lowered = fx.export_and_import(Repro(), *inputs, output_type=\"tosa\")\n"
      "passes = \"\"\"cse,canonicalize\"\"\"\n"
      "passmanager.PassManager.parse(f\"builtin.module({passes})\", "
      "lowered.context).run(lowered.operation)\n"
      "pointers = [ctypes.pointer(ctypes.pointer(runtime.get_ranked_memref_descriptor("
      "t.numpy()))) for t in inputs + found]\n"
      "execution_engine.ExecutionEngine(lowered).invoke(\"main\", *pointers)\n"
      "print(\"expected\", expected, \"\\nfound\", found)\n"
      "torch.testing.assert_close(found, expected, rtol=0.001, atol=1e-07, equal_nan=True)\n");
  EXPECT_THAT(e2eTestText(model, "aten.softshrink.default"),
              HasSubstr("    module.forward(torch.tensor([-1.0, 2.0]))\n"));
}

TEST(Script, PassesThatExecuteAreThoseOfTheText) {
  const auto passes = executionPasses(test::outputType("linalg-on-tensors"), "func.func @main");
  ASSERT_FALSE(passes.empty());
  EXPECT_THAT(passes.front(), testing::StartsWith("one-shot-bufferize"));
  const auto scans = executionPasses(test::outputType("linalg-on-tensors"),
                                     "func.func @main .. tm_tensor.scan .. bf16");
  EXPECT_THAT(scans, testing::Contains("func.func(tm-tensor-bufferize)"));
  EXPECT_THAT(scans, testing::Contains("arith-expand{include-bf16=true}"));
  EXPECT_THAT(executionPasses(test::outputType("tosa"), "func.func").front(),
              HasSubstr("tosa-to-linalg"));
  EXPECT_THAT(executionPasses(test::outputType("llvm-dialect"), "func.func"), testing::IsEmpty());
}

TEST(Script, ElementsReadBackAsTheyWere) {
  using tensor::tensorFrom;
  EXPECT_EQ(tensorText(tensorFrom(DType::Float32, {2, 2}, {0.1, -2, 1e-30, 3})),
            "torch.tensor([[0.1, -2.0], [1e-30, 3.0]])");
  EXPECT_EQ(tensorText(tensorFrom(DType::Float64, {1}, {0.1})),
            "torch.tensor([0.1], dtype=torch.float64)");
  EXPECT_EQ(tensorText(tensorFrom(DType::Float32, {2}, {std::nan(""), HUGE_VAL})),
            "torch.tensor([float(\"nan\"), float(\"inf\")])");
  EXPECT_EQ(tensorText(tensorFrom(DType::Bool, {2}, {1, 0})), "torch.tensor([True, False])");
  EXPECT_EQ(tensorText(tensorFrom(DType::Int8, {}, {-3})), "torch.tensor(-3, dtype=torch.int8)");
  tensor::Tensor large{DType::Int64, {1}, std::string(8, '\xff')};
  large.bytes.back() = '\x7f';
  EXPECT_EQ(tensorText(large), "torch.tensor([9223372036854775807])");
}

TEST(Script, ManyParametersAreAList) {
  std::string program, list;
  for (int i = 0; i < 8; ++i) {
    program += fmt::format("w{0}: f32[{0}, 2] = parameter \"cell.w{0}\"\n", i + 1);
    list += fmt::format("{}w{}", i == 0 ? "" : ", ", i + 1);
  }
  const std::string text =
      scriptText(modelOf((program +
                          "x: f32[1, 2] = placeholder\n"
                          "y: f32[37, 2] = aten.cat.default([" +
                          list + "])\nz: f32[37, 2] = aten.add.Tensor(y, w8)\nreturn z")
                             .c_str()),
                 loweringTo("tosa"));
  EXPECT_THAT(text, HasSubstr("        self.weights = torch.nn.ParameterList("));
  EXPECT_THAT(text, HasSubstr("(8, 2)"));
  EXPECT_THAT(text, HasSubstr("        cat = aten.cat.default(list(self.weights))\n"
                              "        return aten.add.Tensor(cat, self.weights[7])\n"));
}

TEST(Script, KeepsDynamicSizes) {
  const std::string text = scriptText(modelOf("x: f32[s0, 3] = placeholder\n"
                                              "n: Sym(s0) = aten.sym_size.int(x, 0)\n"
                                              "m: Sym(3*s0) = _operator.mul(n, 3)\n"
                                              "y: f32[3*s0] = aten.view.default(x, [m])\n"
                                              "return y"),
                                      loweringTo("stablehlo"));
  EXPECT_THAT(text, HasSubstr("import operator\n"));
  EXPECT_THAT(text, HasSubstr("        mul = operator.mul(x.shape[0], 3)\n"
                              "        return aten.view.default(x, [mul])\n"));
  EXPECT_THAT(text, HasSubstr("dynamic = torch.export.Dim.DYNAMIC\n"));
  EXPECT_THAT(text, HasSubstr("dynamic_shapes={\"x\": {0: dynamic}}"));
}

TEST(Script, OfWhatLoadedProgramsMeetLoadsOne) {
  fx::Program program = *test::programFrom(
      "x: f32[2*s0, 3] = placeholder\n"
      "w: f32[s1] = placeholder\n"
      "y: f32[s0, 2, 3] = aten.view.default(x, [-1, 2, 3])\n"
      "return y");
  program.ranges = {{"2*s0", 4, 64}, {"s0", 2, 32}};
  const auto model = pythonModel(program, nullptr, {});
  ASSERT_TRUE(model);
  const std::string text = scriptText(*model, loweringTo("tosa"), Given::Loaded);
  EXPECT_EQ(text.substr(text.find("dynamic =")),
            "dynamic = torch.export.Dim.DYNAMIC\n"
            "s0 = torch.export.Dim(\"s0\", max=32)\n"
            "program = torch.export.export(\n"
            "    Repro(), (torch.ones(10, 3), torch.ones(7)), dynamic_shapes={\"x\": {0: 2*s0}, "
            "\"w\": {0: dynamic}}\n"
            ")\n"
            "saved = io.BytesIO()\n"
            "torch.export.save(program, saved)\n"
            "saved.seek(0)\n"
            "fx.export_and_import(torch.export.load(saved), output_type=\"tosa\")\n");
}

TEST(Script, SizesThatAreKnownAtRunTimeOnlyMayBeEqualToOthers) {
  const std::string text = scriptText(modelOf("i: i64[16] = placeholder\n"
                                              "x: f32[4*u0, 2] = placeholder\n"
                                              "z: f32[8, 2] = placeholder\n"
                                              "y: f32[8, 2] = aten.index_add.default(z, 0, i, x)\n"
                                              "return y"),
                                      loweringTo("tosa"));
  EXPECT_THAT(text, HasSubstr("dynamic = torch.export.Dim.AUTO\n"));
  EXPECT_THAT(text, HasSubstr("torch.ones(16, 2)"));
}

TEST(Script, DeclaresOperatorsOfOtherLibraries) {
  const std::string text = scriptText(modelOf("x: f32[2, 3] = placeholder\n"
                                              "y: f32[2, 3] = acme.swiglu.default(x, 2, [1, 2])\n"
                                              "z: f16[3] = acme.row.into(y)\n"
                                              "return z"),
                                      loweringTo("tosa"));
  EXPECT_THAT(text, HasSubstr("torch.library.define(\"acme::swiglu\", "
                              "\"(Tensor x0, int x1, int[] x2) -> Tensor\")\n"));
  EXPECT_THAT(text, HasSubstr("@torch.library.register_fake(\"acme::swiglu\")\n"
                              "def swiglu(x0, x1, x2):\n"
                              "    return torch.empty_like(x0)\n"));
  EXPECT_THAT(text, HasSubstr("def row(x0):\n"
                              "    return x0.new_empty((3,), dtype=torch.float16)\n"));
  EXPECT_THAT(text, HasSubstr("swiglu = torch.ops.acme.swiglu.default(x, 2, [1, 2])\n"));
  EXPECT_THAT(text, HasSubstr("return torch.ops.acme.row.into(swiglu)\n"));
  EXPECT_THAT(text, Not(HasSubstr("aten = ")));
}

TEST(Script, DeclaresOperatorsOfListsAndThoseThatWrite) {
  const std::string text = scriptText(modelOf("x: f32[2] = placeholder\n"
                                              "y: f32[2] = acme.joined.default([x, x])\n"
                                              "n: None = acme.bump.default(y, x)\n"
                                              "return y"),
                                      loweringTo("tosa"));
  EXPECT_THAT(text, HasSubstr("\"(Tensor[] x0) -> Tensor\")\n"));
  EXPECT_THAT(text, HasSubstr("    return torch.empty_like(x0[0])\n"));
  EXPECT_THAT(text, HasSubstr("\"(Tensor(a!) x0, Tensor x1) -> ()\")\n"));
  EXPECT_THAT(text, HasSubstr("def bump(x0, x1):\n    return None\n"));
}

TEST(Script, LowersToTheLastTypeThatTorchMlirHas) {
  EXPECT_EQ(lower::name(torchMlirType(test::outputType("llvm-ir"))), "linalg-on-tensors");
  EXPECT_EQ(lower::name(torchMlirType(test::outputType("tosa"))), "tosa");
}

TEST(Script, SaysWhatPythonCannotHave) {
  const auto model = pythonModel(*test::programFrom("x: f32[2] = placeholder\n"
                                                    "y: f32[u0] = acme.pick.default(x)\n"
                                                    "return y"),
                                 nullptr, {});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(model.error().message, "an operator of another library that computes sizes");
}

TEST(E2eTest, HasTheFormOfTheSuite) {
  EXPECT_EQ(e2eTestText(modelOf("x: f32[s0, 3] = placeholder\n"
                                "m: b8[3] = placeholder\n"
                                "i: i32[3] = placeholder\n"
                                "n: i64[] = placeholder\n"
                                "y: f32[s0, 3] = aten.special_erfcx.default(x)\n"
                                "return y"),
                        "aten.special_erfcx.default"),
            "import torch\n"
            "\n"
            "from torch_mlir_e2e_test.annotations import annotate_args, export\n"
            "from torch_mlir_e2e_test.framework import TestUtils\n"
            "from torch_mlir_e2e_test.registry import register_test_case\n"
            "\n"
            "aten = torch.ops.aten\n"
            "\n"
            "\n"
            "class SpecialErfcxModule(torch.nn.Module):\n"
            "    def __init__(self):\n"
            "        super().__init__()\n"
            "\n"
            "    @export\n"
            "    @annotate_args([\n"
            "        None,\n"
            "        ([-1, 3], torch.float32, True),\n"
            "        ([3], torch.bool, True),\n"
            "        ([3], torch.int32, True),\n"
            "        ([], torch.int64, True),\n"
            "    ])\n"
            "    def forward(self, x, m, i, n):\n"
            "        return aten.special_erfcx.default(x)\n"
            "\n"
            "\n"
            "@register_test_case(module_factory=lambda: SpecialErfcxModule())\n"
            "def SpecialErfcxModule_basic(module, tu: TestUtils):\n"
            "    module.forward(tu.rand(5, 3), tu.rand(3) > 0.5, tu.randint(3, "
            "high=2).to(torch.int32), tu.randint(high=2))\n");
}

TEST(E2eTest, DrawsPermutedInputs) {
  const auto draws = [](DType dtype, std::vector<std::int64_t> strides) {
    PythonModel model = modelOf(
        "x: f32[2, 3, 4] = placeholder\n"
        "y: f32[24] = aten.reshape.default(x, [24])\n"
        "return y");
    model.inputs.front().dtype = dtype;
    model.inputs.front().strides = std::move(strides);
    const std::string text = e2eTestText(model, "aten.reshape.default");
    return text.substr(std::min(text.rfind("module.forward("), text.size()));
  };
  EXPECT_EQ(draws(DType::Float32, {1, 8, 2}),
            "module.forward(tu.rand(3, 4, 2).permute(2, 0, 1))\n");
  EXPECT_EQ(draws(DType::Bool, {12, 1, 3}),
            "module.forward((tu.rand(2, 4, 3) > 0.5).permute(0, 2, 1))\n");
  EXPECT_EQ(draws(DType::Float32, {24, 4, 1}), "");
}

TEST(LitTest, FailsUntilTheOperationIsLowered) {
  EXPECT_EQ(litTestText({"torch-mlir-opt", "builtin.module(func.func(convert-torch-to-tosa))",
                         "func.func @main() {\n  return\n}\n", "torch.aten.erfinv",
                         "failed to legalize operation 'torch.aten.erfinv'"}),
            "// RUN: torch-mlir-opt %s "
            "-pass-pipeline='builtin.module(func.func(convert-torch-to-tosa))' | FileCheck %s\n"
            "\n"
            "// It ends with: failed to legalize operation 'torch.aten.erfinv'\n"
            "\n"
            "// CHECK-LABEL: func.func @main\n"
            "// CHECK-NOT: torch.aten.erfinv\n"
            "func.func @main() {\n  return\n}\n");
}

}  // namespace
}  // namespace fxs::upstream
