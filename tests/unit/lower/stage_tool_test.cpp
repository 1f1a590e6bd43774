// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/stage_tool.h"

#include <gtest/gtest.h>

#include "lower/output_types.h"
#include "lower/tool_run.h"

namespace fxs::lower {
namespace {

OutputTypes with(const std::string& members) {
  auto types = OutputTypes::builtin().with(
      R"({"schema": "fxscope-output-types/1", "types": [{"id": "mine", "title": "Mine", "after": "llvm-ir", )" +
          members + "}]}",
      "/d/f.json", {});
  EXPECT_TRUE(types.has_value()) << types.error().message;
  return *std::move(types);
}

TEST(StageTool, APathIsRelativeToTheFileThatNamesIt) {
  const OutputType mine =
      *with(
           R"("tool": {"program": "./bin/x", "arguments": ["-", "${input}"], "output": "*.s"}, "writes": "assembly")")
           .from("mine");
  EXPECT_EQ(mine->stage.tool, (StageTool{"/d/bin/x", {"-", "${input}"}, "*.s"}));
  EXPECT_TRUE(mine->stage.tool.isPath());
  EXPECT_EQ(mine->stage.tool.title(), "x");
  EXPECT_FALSE(keepsFunction(*mine.operator->()));
  EXPECT_EQ(name(*firstOfOtherTools(mine)), "loops");
  // What is written of it is read as the same again.
  const auto again = OutputTypes::builtin().with(userDefinitionsFor(mine), "again", {});
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ((*again->from("mine"))->stage.tool, mine->stage.tool);
  EXPECT_EQ((*again->from("mine"))->stage.writes, mlir::TextForm::Assembly);
}

TEST(StageTool, WhatAStageWritesMustLookLikeIt) {
  EXPECT_EQ(unlike("#map = 1\nmodule {\n}\n", mlir::TextForm::Mlir), "");
  EXPECT_EQ(unlike("modul", mlir::TextForm::Mlir), "printed no MLIR module");
  EXPECT_EQ(unlike("\n", mlir::TextForm::Plain), "printed nothing");
  EXPECT_EQ(unlike(std::string_view("a\0b", 3), mlir::TextForm::Plain),
            "printed bytes that are not text");
  EXPECT_EQ(unlike("; x\ndefine void @f()", mlir::TextForm::LlvmIr), "");
  EXPECT_EQ(unlike("module {}", mlir::TextForm::LlvmIr), "printed no LLVM IR");
  EXPECT_EQ(unlike("\t.text\n", mlir::TextForm::Assembly), "");
  EXPECT_EQ(unlike("text", mlir::TextForm::Assembly), "printed no assembly");
  EXPECT_EQ(unlike("//\n.version 7.6\n", mlir::TextForm::Ptx), "");
  EXPECT_EQ(unlike("\t.text\n", mlir::TextForm::Ptx), "printed no PTX");
}

TEST(StageTool, AToolThatWasNotSetUpIsNamed) {
  StageSpec stage;
  stage.tool.program = "mlir-opt-22";
  EXPECT_EQ(engineOfStage(stage, {}).error().message,
            "mlir-opt-22: no other tools than the engine were set up");
  Engine engine;
  engine.tools = std::make_shared<const Toolbox>(
      Toolbox{[](std::string_view) { return FoundTool{"/bin/opt", {}, false}; }, ""});
  EXPECT_EQ(engineOfStage(stage, engine)->path, "/bin/opt");
}

TEST(StageTool, SurveysOfAllOutputTypesIncludeNone) {
  for (const OutputType& type : OutputTypes::builtin().backends())
    EXPECT_FALSE(firstOfOtherTools(type)) << name(type);
}

}  // namespace
}  // namespace fxs::lower
