// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/prepared_input.h"

#include <gtest/gtest.h>

namespace fxs::lower {
namespace {

TEST(PreparedInput, WeightsWithoutDataBecomeDeclarations) {
  EXPECT_EQ(preparedInput("module {\n"
                          "  llvm.mlir.global private constant @w(dense_resource<a.weight> : "
                          "tensor<4xf32>) {addr_space = 0 : i32} : "
                          "!llvm.array<4 x f32> loc(#loc1)\n"
                          "  llvm.mlir.global private constant @c(dense<1.0> : tensor<4xf32>) : "
                          "!llvm.array<4 x f32>\n}\n",
                          {Preparation::ExternalWeights}),
            "module {\n"
            "  llvm.mlir.global external constant @w() {addr_space = 0 : i32} : !llvm.array<4 x "
            "f32> loc(#loc1)\n"
            "  llvm.mlir.global private constant @c(dense<1.0> : tensor<4xf32>) : !llvm.array<4 x "
            "f32>\n}\n");
}

TEST(PreparedInput, WeightsWithoutDataBecomeParametersAndOthersStay) {
  EXPECT_EQ(
      preparedInput("module {\n"
                    "  func.func @main() {\n"
                    "    %w = arith.constant dense_resource<\"a.w\"> : tensor<4xf32> loc(#loc1)\n"
                    "    %d = arith.constant dense_resource<d> : tensor<1xf32>\n"
                    "    return\n  }\n}\n\n{-#\n  dialect_resources: {\n    builtin: {\n      d: "
                    "\"0x0400000000000000\"\n    }\n  }\n#-}\n",
                    {Preparation::ParameterWeights}),
      "module {\n"
      "  func.func @main() {\n"
      "    %w = flow.tensor.constant #flow.parameter.named<\"model\"::\"a.w\"> : tensor<4xf32> "
      "loc(#loc1)\n"
      "    %d = arith.constant dense_resource<d> : tensor<1xf32>\n"
      "    return\n  }\n}\n\n{-#\n  dialect_resources: {\n    builtin: {\n      d: "
      "\"0x0400000000000000\"\n    }\n  }\n#-}\n");
}

TEST(PreparedInput, LocationsAreReducedToNodes) {
  const auto prepared = [](const std::string& location) {
    const std::string text =
        preparedInput("  x.op loc(" + location + ")\n", {Preparation::NodeLocations});
    return text.substr(11, text.size() - 13);
  };
  EXPECT_EQ(prepared(R"("relu"("fx":3:0))"), R"("relu"("fx":3:0))");
  EXPECT_EQ(prepared(R"(callsite("relu"("fx":3:0) at "p_w"("fx":0:0)))"), R"("relu"("fx":3:0))");
  EXPECT_EQ(prepared(R"(callsite(callsite("a at b"("fx":3:0) at unknown) at "input.mlir":7:1))"),
            R"("a at b"("fx":3:0))");
  EXPECT_EQ(prepared(R"("input.mlir":7:1)"), "unknown");
  EXPECT_EQ(prepared(R"(fused["input.mlir":7:1, "fx":2:0])"), R"(fused[unknown, "fx":2:0])");
  EXPECT_EQ(prepared("#loc3"), "#loc3");
  EXPECT_EQ(
      prepared(
          R"(fused<#llvm.di_subprogram<file = <"-" in "">, line = 1, scopeLine = 1, x = <file = <"a.h" in "">>>[callsite("fx":2:0 at "fx":0:0)])"),
      R"(fused<#llvm.di_subprogram<file = <"fx" in "">, line = 0, scopeLine = 0, x = <file = <"a.h" in "">>>["fx":2:0])");
}

TEST(PreparedInput, FunctionsWithoutDebugScopeGetOne) {
  const auto prepared = [](const std::string& location) {
    return preparedInput(
        "llvm.func @e(f32) loc(unknown)\nllvm.func @f() {\n  llvm.return loc(\"fx\":2:0)\n} loc(" +
            location + ")\n",
        {Preparation::NodeLocations});
  };
  EXPECT_EQ(
      prepared("#loc3"),
      "llvm.func @e(f32) loc(unknown)\nllvm.func @f() {\n  llvm.return loc(\"fx\":2:0)\n} "
      "loc(fused<#llvm.di_subprogram<id = distinct[1048577]<>, compileUnit = <id = "
      "distinct[1048576]<>, sourceLanguage = DW_LANG_C, file = <\"fx\" in \"\">, isOptimized = "
      "true, emissionKind = DebugDirectivesOnly>, scope = #llvm.di_file<\"fx\" in \"\">, name = "
      "\"f\", file = <\"fx\" in \"\">, subprogramFlags = \"Definition|Optimized\", type = "
      "<>>>[unknown])\n");
  const std::string scoped = R"(fused<#llvm.di_subprogram<file = <"fx" in "">>["fx":2:0])";
  EXPECT_NE(prepared(scoped).find("} loc(" + scoped + ")\n"), std::string::npos);
}

TEST(PreparedInput, UnterminatedTextsStayAsTheyAre) {
  for (const char* text : {"loc(", " loc(callsite(", " loc(callsite(\"a",
                           "llvm.mlir.global @a(dense_resource<", " loc(\"a\":1"})
    EXPECT_EQ(preparedInput(text, {Preparation::ExternalWeights, Preparation::ParameterWeights,
                                   Preparation::NodeLocations}),
              text);
}

}  // namespace
}  // namespace fxs::lower
