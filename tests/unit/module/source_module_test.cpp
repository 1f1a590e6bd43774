// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/source_module.h"

#include <gtest/gtest.h>

#include "table_runner.h"

namespace fxs::module {
namespace {

TEST(SourceModule, TextAndBytecodeAreToldByTheirFirstBytes) {
  for (const std::string_view head : {
           "module {\n}\n",
           "module @model attributes {torch.debug_module_name = \"m\"} {\n",
           "module attributes {a} {\n",
           "builtin.module {\n}\n",
           "\n\n  func.func @main() {\n",
           "// RUN: mlir-opt %s -cse | FileCheck %s\n\n// A license.\nfunc.func private @g()\n",
           "#map = affine_map<(d0) -> (d0)>\nmodule {\n",
           "!t = tensor<4xf32>\nfunc.func @f(%a: !t)\n",
           "%0 = arith.constant 1 : i32\n",
           "%0:2 = \"test.two\"() : () -> (i32, i32)\n",
           "\"builtin.module\"() ({\n",
           "llvm.func @f()\n",
           "{-#\n  dialect_resources: {\n",
           "// -----\nmodule {\n",
           "// RUN: not mlir-opt --no-such-option %s\n",
           "ML\xefR\x0dMLIR22",
       })
    EXPECT_TRUE(isModule(head)) << head;
}

TEST(SourceModule, OtherFilesAreNot) {
  for (const std::string_view head : {
           "",
           " \n\t\n",
           "// A comment, and nothing else.\n",
           "// -----// IR Dump After CSE (cse) //----- //\nmodule {\n",
           "a line of a tool\n// -----// IR Dump Before Inliner (inline) //----- //\nmodule {\n",
           "{\"graph_module\": {\"graph\": {}}}",
           "[1, 2]",
           "import torch\n",
           "from torch import nn\n",
           "import torch.nn as nn\n",
           "torch.relu(x)\n",
           "self.x = 3\n",
           "# a comment of Python\n",
           "#!/bin/sh\n",
           "\"\"\"A module.\"\"\"\n",
           "\"a.b\" is quoted\n",
           "class M(nn.Module):\n",
           "graph():\n    %x : f32[2] = placeholder[target=x]\n",
           "PK\x03\x04",
           "%PDF-1.7\n",
           "; ModuleID = 'LLVMDialectModule'\n",
           "module = torch.nn.Linear(2, 2)\n",
       })
    EXPECT_FALSE(isModule(head)) << head;
}

std::string dumpOf(const std::vector<Part>& parts) {
  std::string out;
  for (const Part& part : parts)
    out += std::to_string(part.firstLine) + ":" + std::string(part.text) + "|";
  return out;
}

TEST(SourceModule, LinesDivideAFileIntoParts) {
  EXPECT_EQ(dumpOf(partsOf("")), "0:|");
  EXPECT_EQ(dumpOf(partsOf("a\nb // -----\n")), "0:a\nb // -----\n|");
  EXPECT_EQ(dumpOf(partsOf("a\n// -----\nb\n// ----- why\nc")), "0:a\n|2:b\n|4:c|");
  EXPECT_EQ(dumpOf(partsOf("// -----\na\n// -----")), "0:|1:a\n|3:|");
  EXPECT_EQ(dumpOf(partsOf("ML\xefR\n// -----\n")), "0:ML\xefR\n// -----\n|");
}

/// The output types through which a module of these dialects gets to another, or why it does not.
std::string started(std::vector<std::string> dialects, std::string_view to) {
  const lower::OutputTypes all = lower::OutputTypes::builtin();
  read::SourceModule module;
  module.tool = "engine";
  module.dialects = std::move(dialects);
  const auto type = startingFrom(module, *all.from(std::string(to)), all);
  if (!type) return type.error().message;
  std::string out;
  for (const lower::OutputType& each : lower::pathTo(*type))
    out += (out.empty() ? "" : " ") + std::string(lower::name(each));
  return out;
}

TEST(StartingFrom, StagesBeforeTheDialectsOfAModuleAreLeftOut) {
  EXPECT_EQ(started({"func", "torch"}, "tosa"), "raw torch tosa");
  EXPECT_EQ(started({"arith", "func", "linalg", "tensor"}, "loops"), "raw loops");
  EXPECT_EQ(started({"arith", "func", "linalg", "tensor"}, "llvm-dialect"),
            "raw loops llvm-dialect");
  EXPECT_EQ(started({"anything", "func"}, "raw"), "raw");
}

TEST(StartingFrom, AnOutputTypeThatAModuleCannotReachNamesThoseThatItCan) {
  EXPECT_EQ(started({"arith", "func", "linalg", "tensor"}, "tosa"),
            "output type 'tosa' cannot start from a module of arith, func, linalg, tensor; those "
            "that can: loops and iree-input");
  EXPECT_EQ(started({"anything"}, "loops"),
            "output type 'loops' cannot start from a module of anything; choose passes with "
            "--pass-pipeline");
}

TEST(StartingFrom, TheModuleTakesThePlaceOfTheImporter) {
  const lower::OutputTypes all = lower::OutputTypes::builtin();
  read::SourceModule module;
  module.tool = "mlir-opt-22";
  module.dialects = {"linalg"};
  const lower::OutputType first =
      lower::pathTo(*startingFrom(module, *all.from("loops"), all)).front();
  EXPECT_EQ(first->stage.title, "Module");
  EXPECT_EQ(first->stage.tool.program, "mlir-opt-22");
  EXPECT_FALSE(first->contract);
}

TEST(OpenModule, LocationsArePrintedOnlyWhereTheyAreNeeded) {
  const std::string text = "func.func @f(%a: i32) {\n  return\n}\n";
  const std::string plain = "module {\n  func.func @f(%arg0: i32) {\n    return\n  }\n}\n";
  const std::string located =
      "module {\n  func.func @f(%arg0: i32 loc(#loc1)) {\n    return loc(#loc2)\n  } loc(#loc)\n} "
      "loc(#loc)\n#loc = loc(unknown)\n#loc1 = loc(\"<stdin>\":1:14)\n#loc2 = "
      "loc(\"<stdin>\":2:3)\n";
  test::TableRunner runner;
  runner.on("--mlir-print-debuginfo", [&](const Command&) { return test::exited(0, located); });
  runner.on("-", [&](const Command&) { return test::exited(0, plain); });
  lower::Engine engine;
  engine.path = "/e/torch-mlir-opt";
  const auto asked = [&](const std::string& module) {
    const std::size_t before = runner.asked().size();
    const auto opened = openModule(module, "m.mlir", {}, engine, {}, runner, {});
    EXPECT_TRUE(opened) << opened.error().message;
    if (opened) {
      EXPECT_EQ(opened->program->nodes.front().name, "a");
    }
    return runner.asked().size() - before;
  };
  EXPECT_EQ(asked(text), 1U);
  EXPECT_EQ(runner.asked().back().argv, (std::vector<std::string>{engine.path, "-"}));
  EXPECT_EQ(asked(text + "// loc(\n"), 1U);
  EXPECT_EQ(runner.asked().back().argv.back(), "--mlir-print-debuginfo");
  // The text has another operation than the tool printed.
  EXPECT_EQ(asked("func.func @f(%a: i32) {\n  return\n}\n  test.other\n"), 2U);
}

}  // namespace
}  // namespace fxs::module
