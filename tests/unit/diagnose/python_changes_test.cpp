// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/python_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program_from.h"

namespace fxs::diagnose {
namespace {

using test::programFrom;
using testing::HasSubstr;
using testing::Not;

lower::OutputType typeOf(std::string_view name) {
  return *lower::OutputTypes::builtin().from(name);
}

TEST(PythonChanges, WhatRewritingDoesIsAFunctionForEachOperator) {
  const fx::ProgramPtr program = programFrom(
      "x: f32[2, 4] = placeholder\n"
      "d: f32[2, 3] = aten.diff.default(x)\n"
      "r: f32[2, 3] = aten.relu.default(d)\n"
      "d2: f32[2, 2] = aten.diff.default(r)\n"
      "return d2");
  PythonChanges python({program, {}});
  const auto all = python.with({}, RunContext{});
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 1U);
  EXPECT_EQ(all->front().target, "aten.diff.default");
  EXPECT_EQ(all->front().nodes,
            (std::vector<fx::NodeId>{program->findNode("d")->id, program->findNode("d2")->id}));
  EXPECT_THAT(all->front().function, HasSubstr("return aten.sub.Tensor("));
  EXPECT_EQ(decompositionsOf(*all, {program->findNode("r")->id}).size(), 0U);
  EXPECT_EQ(decompositionsOf(*all, {program->findNode("d2")->id}).size(), 1U);
}

TEST(PythonChanges, AViewOfWhatIsLaidOutOtherwiseIsOfACopy) {
  const std::string attention =
      "q: f32[2, 3, 5, 4] = placeholder\n"
      "a: f32[2, 3, 5, 4] stride=[60, 4, 12, 1] = aten.scaled_dot_product_attention.default(q, q, "
      "q)\n"
      "t: f32[2, 5, 3, 4] stride=[60, 12, 4, 1] = aten.transpose.int(a, 1, 2)\n";
  rewrite::RewriteOptions options;
  options.decompose = {"aten.scaled_dot_product_attention"};
  const auto functionsOf = [&](const std::string& text) {
    const auto all = PythonChanges({programFrom(text), options}).with({}, RunContext{});
    return all ? *all : std::vector<PythonDecomposition>();
  };
  const auto viewed =
      functionsOf(attention + "v: f32[2, 5, 12] = aten.view.default(t, [2, 5, 12])\nreturn v");
  ASSERT_EQ(viewed.size(), 2U);
  EXPECT_THAT(viewed[0].function, HasSubstr("    return scores.softmax(-1) @ value\n"));
  EXPECT_EQ(viewed[1].function,
            "def aten_view(self, size):\n"
            "    return NotImplemented if self.is_contiguous() else aten.view(self.contiguous(), "
            "size)\n");
  EXPECT_EQ(decompositionsOf(viewed, viewed[0].nodes).size(), 2U);
  EXPECT_EQ(functionsOf(attention + "v: f32[2, 5, 3, 4] = aten.relu.default(t)\nreturn v").size(),
            1U);
  // What is written to a copy would be lost, so that the script keeps attention.
  PythonChanges written(
      {programFrom(attention + "v: f32[2, 5, 12] = aten.view.default(t, [2, 5, 12])\n"
                               "w: f32[2, 5, 12] = aten.add_.Tensor(v, 1)\nreturn (w, a)"),
       options});
  const auto kept = written.with({}, RunContext{});
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_THAT(*kept, testing::Each(testing::Field(&PythonDecomposition::isOfViews, true)));
  EXPECT_THAT(written.leftOut(), testing::Contains("aten.scaled_dot_product_attention.default"));
}

TEST(PythonChanges, AScriptMendsWhatPyTorchCannotDecompose) {
  fx::Program program = *programFrom(
      "x: f32[s0, 4] stride=[s7, 1] = placeholder\n"
      "return x\n");
  program.guards = {"L['x'].size()[0] <= 8", "L['x']._base.size()[1] != 4"};
  PythonScript script{typeOf("tosa")};
  EXPECT_TRUE(script.isEmpty());
  script.mends = mendsOf(program);
  EXPECT_FALSE(script.isEmpty());
  EXPECT_THAT(script.text(), HasSubstr("if \"._base.\" not in guard]\n"));
  EXPECT_THAT(script.text(), HasSubstr("sizes.constrain_symbol_range(symbol, 2, int_oo)\n"));
  script.exportAgain = true;
  EXPECT_THAT(script.text(), Not(HasSubstr("constrain_symbol_range")));
  EXPECT_THAT(script.text(), HasSubstr("if \"._base.\" not in guard]\n"));
}

TEST(PythonChanges, AFunctionOfPyTorchsTableIsNamedWhereSizesAreStatic) {
  const auto scriptOf = [&](const std::string& batches) {
    const fx::ProgramPtr program =
        programFrom("x: f32[" + batches + ", 2, 4] = placeholder\ny: f32[" + batches +
                    ", 2, 7] = aten.upsample_nearest1d.vec(x, [7], None)\nreturn y");
    const auto script = PythonChanges({program, {}}).scriptFor(typeOf("tosa"), {}, RunContext{});
    return script ? *script : script.error().message;
  };
  EXPECT_EQ(scriptOf("1"),
            "import torch\nfrom torch._decomp import get_decompositions\n"
            "from torch_mlir import fx\n"
            "from torch_mlir.extras.fx_decomp_util import get_decomposition_table\n\n"
            "decomposition_table = get_decomposition_table() | "
            "get_decompositions([torch.ops.aten.upsample_nearest1d.vec])\n\n\n"
            "def lower(program, output_type=\"tosa\"):\n"
            "    return fx.export_and_import(program, output_type=output_type, "
            "decomposition_table=decomposition_table)\n");
  EXPECT_THAT(scriptOf("s0"), HasSubstr("def aten_upsample_nearest1d_vec(input, output_size, "));
}

TEST(PythonChanges, AChangeIsForItsNodesAlone) {
  const fx::ProgramPtr program = programFrom(
      "x: f32[2, 4] = placeholder\n"
      "g: f32[2, 4] = aten.gelu.default(x)\n"
      "return g");
  PythonChanges python({program, {}});
  const auto without = python.with({}, RunContext{});
  ASSERT_TRUE(without && without->empty());
  Change change;
  change.decompose = {"aten.gelu.default"};
  const auto script = python.scriptFor(typeOf("tosa"), {change}, RunContext{});
  ASSERT_TRUE(script) << script.error().message;
  EXPECT_THAT(*script, HasSubstr("decomposition_table = get_decomposition_table() | "
                                 "{aten.gelu.default: aten_gelu}\n"));
  EXPECT_THAT(*script,
              HasSubstr("def lower(program, output_type=\"tosa\"):\n"
                        "    return fx.export_and_import(program, output_type=output_type, "
                        "decomposition_table=decomposition_table)\n"));
}

TEST(PythonScript, ImportsWhatItUses) {
  PythonScript script{typeOf("stablehlo")};
  EXPECT_TRUE(script.isEmpty());
  EXPECT_EQ(script.text(),
            "from torch_mlir import fx\n\n\ndef lower(program, output_type=\"stablehlo\"):\n"
            "    return fx.export_and_import(program, output_type=output_type)\n");
  script.exportAgain = true;
  script.backendLegal = {"aten.diff"};
  EXPECT_EQ(script.text(),
            "import torch\nfrom torch_mlir import fx\n\n\ndef lower(program, "
            "output_type=\"stablehlo\"):\n"
            "    program = torch.export.export(program.module(), *program.example_inputs)  # "
            "without dynamic_shapes\n"
            "    return fx.export_and_import(program, output_type=output_type, "
            "backend_legal_ops=['aten.diff'])\n");
  script.mends.detached = true;
  EXPECT_THAT(script.text(), HasSubstr("target=torch.ops.aten.detach_.default):\n"
                                       "        node.target = torch.ops.aten.detach.default\n"
                                       "    program = torch.export.export("));
  script.exportAgain = false;
  EXPECT_THAT(script.text(), Not(HasSubstr("detach_")));
  script.byTable = {"aten.float_power.Tensor_Scalar"};
  EXPECT_THAT(script.text(),
              HasSubstr("decomposition_table = get_decomposition_table() | "
                        "get_decompositions([torch.ops.aten.float_power.Tensor_Scalar])\n"));
  EXPECT_THAT(script.text(), Not(HasSubstr("default_decompositions")));
}

}  // namespace
}  // namespace fxs::diagnose
