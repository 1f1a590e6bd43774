// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of modules that an engine printed, recorded here.
#include "module/module_program.h"

#include <gtest/gtest.h>

#include <array>

#include "fx/text.h"
#include "module/described_program.h"
#include "module/own_location.h"

namespace fxs::module {
namespace {

struct Opened {
  fx::ProgramPtr program;
  read::SourceModule module;
};
Opened opened(const std::string& printed, std::string_view text, std::uint32_t firstLine = 0,
              Locating locating = Locating::ByLocations) {
  Opened out;
  out.program =
      programOf(printed, {text, firstLine}, mlir::Module(text), locating, "m.mlir", out.module, {});
  return out;
}

constexpr std::string_view kText = R"(func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  %power = math.exp %a : tensor<2xf32>
  %0 = math.sqrt %power : tensor<2xf32>
  return %0 : tensor<2xf32>
}
)";
const std::string kPrinted = R"(#loc1 = loc("<stdin>":1:14)
module {
  func.func @f(%arg0: tensor<2xf32> loc("<stdin>":1:14)) -> tensor<2xf32> {
    %0 = math.exp %arg0 : tensor<2xf32> loc(#loc3)
    %1 = math.sqrt %0 : tensor<2xf32> loc(#loc4)
    return %1 : tensor<2xf32> loc(#loc5)
  } loc(#loc2)
} loc(#loc)
#loc = loc("<stdin>":0:0)
#loc2 = loc("<stdin>":1:1)
#loc3 = loc("<stdin>":2:12)
#loc4 = loc("<stdin>":3:8)
#loc5 = loc("<stdin>":4:3)
)";

TEST(ModuleProgram, OperationsAreNodesWithTheNamesOfTheText) {
  const Opened f = opened(kPrinted, kText);
  EXPECT_EQ(f.program->dialect, fx::kMlirDialect);
  EXPECT_EQ(fx::dump(*f.program), R"(graph():
    %a : f32[2] [num_users=1] = placeholder[target=a]
    %power : f32[2] [num_users=1] = call_function[target=math.exp](args = (%a,), kwargs = {})
    %sqrt : f32[2] [num_users=1] = call_function[target=math.sqrt](args = (%power,), kwargs = {})
    return (sqrt,)
)");
  EXPECT_EQ(f.module.dialects, (std::vector<std::string>{"func", "math"}));
  EXPECT_EQ(f.module.function, "f");
}

TEST(ModuleProgram, EveryOperationIsLocatedAtItsNodeAFunctionAtItsFirst) {
  EXPECT_EQ(opened(kPrinted, kText).module.text, R"(#loc1 = loc("<stdin>":1:14)
module {
  func.func @f(%arg0: tensor<2xf32> loc("a"("fx":0:0))) -> tensor<2xf32> {
    %0 = math.exp %arg0 : tensor<2xf32> loc("power"("fx":1:0))
    %1 = math.sqrt %0 : tensor<2xf32> loc("sqrt"("fx":2:0))
    return %1 : tensor<2xf32> loc("output"("fx":3:0))
  } loc("a"("fx":0:0))
} loc(#loc)
#loc = loc("<stdin>":0:0)
#loc2 = loc("<stdin>":1:1)
#loc3 = loc("<stdin>":2:12)
#loc4 = loc("<stdin>":3:8)
#loc5 = loc("<stdin>":4:3)
)");
}

const std::string kPlain = R"(module {
  func.func @f(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = math.exp %arg0 : tensor<2xf32>
    %1 = math.sqrt %0 : tensor<2xf32>
    return %1 : tensor<2xf32>
  }
}
)";
const std::string kPlainLocated = R"(module {
  func.func @f(%arg0: tensor<2xf32> loc("a"("fx":0:0))) -> tensor<2xf32> {
    %0 = math.exp %arg0 : tensor<2xf32> loc("power"("fx":1:0))
    %1 = math.sqrt %0 : tensor<2xf32> loc("sqrt"("fx":2:0))
    return %1 : tensor<2xf32> loc("output"("fx":3:0))
  } loc("a"("fx":0:0))
}
)";

TEST(ModuleProgram, WithoutLocationsOperationsAreFoundByTheirOrder) {
  const Opened f = opened(kPlain, kText, 10, Locating::ByOrder), g = opened(kPrinted, kText, 10);
  ASSERT_NE(f.program, nullptr);
  EXPECT_EQ(fx::dump(*f.program), fx::dump(*g.program));
  for (std::size_t i = 0; i < f.program->nodes.size(); ++i)
    EXPECT_EQ(f.program->meta(f.program->nodes[i], "stack_trace"),
              g.program->meta(g.program->nodes[i], "stack_trace"));
  EXPECT_EQ(f.module.text, kPlainLocated);
  EXPECT_EQ(f.module.ops, g.module.ops);
  EXPECT_EQ(f.module.own.size(), f.program->nodes.size());
}

TEST(ModuleProgram, ATextThatAToolPrintedIsReadOnce) {
  const Opened f = opened(kPlain, kPlain + "\n", 0, Locating::ByOrder);
  ASSERT_NE(f.program, nullptr);
  EXPECT_EQ(f.module.text, kPlainLocated + "\n");
  EXPECT_EQ(f.program->nodes[0].name, "arg0");
}

TEST(ModuleProgram, AnotherOrderIsNotTaken) {
  for (const std::string_view text :
       {"module {\n}\n",
        "func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = math.sqrt %a : tensor<2xf32>\n"
        "  %1 = math.exp %0 : tensor<2xf32>\n  return %1 : tensor<2xf32>\n}\n"})
    EXPECT_EQ(opened(kPlain, text, 0, Locating::ByOrder).program, nullptr) << text;
}

TEST(ModuleProgram, AttributesOfAnArgumentPrecedeItsLocation) {
  const std::string text =
      "func.func @f(%arg0: i32 {a.b = {c}}, %arg1: i32) {\n  cf.br ^bb1(%arg0 : i32)\n"
      "^bb1(%0: i32):\n  return\n}\n";
  EXPECT_TRUE(isLocatedByOrder(mlir::Module(text)));
  const Opened f = opened(text, text, 0, Locating::ByOrder);
  ASSERT_NE(f.program, nullptr);
  EXPECT_NE(f.module.text.find("(%arg0: i32 {a.b = {c}} loc(\"arg0\"(\"fx\":0:0)), %arg1: i32 "
                               "loc(\"arg1\"(\"fx\":1:0))) {\n"),
            std::string::npos)
      << f.module.text;
  EXPECT_NE(f.module.text.find("^bb1(%0: i32 loc(\""), std::string::npos) << f.module.text;
}

TEST(ModuleProgram, LocationsAndArgumentsOfOtherOperationsArePrinted) {
  EXPECT_TRUE(
      isLocatedByOrder(mlir::Module("module {\n  %0 = memref.alloc() : memref<2xi8>\n}\n")));
  EXPECT_FALSE(isLocatedByOrder(mlir::Module("module {\n} loc(unknown)\n")));
  EXPECT_FALSE(isLocatedByOrder(
      mlir::Module("scf.for %i = %a to %b step %c {\n  test.use %i : index\n}\n")));
}

TEST(ModuleProgram, ANodeHasItsLineOfTheFile) {
  const Opened f = opened(kPrinted, kText, 10);
  const fx::Node* node = f.program->findNode("power");
  ASSERT_NE(node, nullptr);
  ASSERT_EQ(node->meta.size(), 1U);
  EXPECT_EQ(f.program->text(node->meta[0].text),
            "  File \"m.mlir\", line 12, in main\n    %power = math.exp %a : tensor<2xf32>");
}

const std::string kLocated = R"(#loc3 = loc("fx":3:0)
#loc4 = loc("/m/net.py":3:0)
module {
  func.func @f(%arg0: tensor<2xf32> loc("x"("fx":0:0))) -> tensor<2xf32> {
    %0 = math.exp %arg0 : tensor<2xf32> loc("gelu"(#loc3))
    %1 = math.sqrt %0 : tensor<2xf32> loc(callsite(#loc4 at "/m/run.py":9:0))
    %2 = math.sqrt %1 : tensor<2xf32> loc(fused["jit(f)/a", "gelu"("fx":3:0), "b"(unknown)])
    return %2 : tensor<2xf32> loc(unknown)
  } loc(unknown)
} loc(#loc)
#loc = loc("<stdin>":0:0)
)";

TEST(ModuleProgram, TheFilesOwnLocationsNameNodesAndLines) {
  const Opened f = opened(kLocated, kLocated);
  EXPECT_EQ(fx::dump(*f.program), R"(graph():
    %x : f32[2] [num_users=1] = placeholder[target=x]
    %gelu : f32[2] [num_users=1] = call_function[target=math.exp](args = (%x,), kwargs = {})
    %sqrt : f32[2] [num_users=1] = call_function[target=math.sqrt](args = (%gelu,), kwargs = {})
    %gelu_1 : f32[2] [num_users=1] = call_function[target=math.sqrt](args = (%sqrt,), kwargs = {})
    return (gelu_1,)
)");
  EXPECT_EQ(f.program->meta(*f.program->findNode("sqrt"), "stack_trace"),
            "  File \"/m/run.py\", line 9\n  File \"/m/net.py\", line 3\n");
  EXPECT_TRUE(hasOwnLocations(f.module));
  EXPECT_FALSE(hasOwnLocations(opened(kPrinted, kText).module));
}

/// A program with a node for each: its name, lines, and modules.
fx::Program programWith(const std::vector<std::array<std::string, 3>>& nodes) {
  fx::Program out;
  out.strings = {"stack_trace", "nn_module_stack"};
  for (const auto& [name, stack, modules] : nodes) {
    fx::Node& node = out.nodes.emplace_back();
    node.id = fx::NodeId::of(out.nodes.size() - 1);
    node.name = name;
    for (const std::string& text : {stack, modules}) {
      node.meta.push_back(
          {fx::StringId::of(node.meta.size()), fx::StringId::of(out.strings.size())});
      out.strings.push_back(text);
    }
  }
  return out;
}

TEST(DescribedProgram, NodesHaveTheModulesAndLinesOfThoseThatTheirLocationsName) {
  const Opened f = opened(kLocated, kLocated);
  const std::string stack =
      "  File \"/m/run.py\", line 9, in f\n    x\n  File \"/m/net.py\", line 3, in g\n    y";
  const fx::Program source = programWith(
      {{"gelu", "  File \"gelu.py\", line 1, in g", "A"}, {"s", stack, "B"}, {"t", stack, "B"}});
  const fx::ProgramPtr described = describedBy(source, *f.program, f.module);
  ASSERT_TRUE(described);
  const auto meta = [&](const char* node, const char* key) {
    return described->meta(*described->findNode(node), key).value_or("-");
  };
  EXPECT_EQ(meta("gelu", "stack_trace"), "  File \"gelu.py\", line 1, in g");
  EXPECT_EQ(meta("gelu", "nn_module_stack"), "A");
  EXPECT_EQ(meta("gelu_1", "nn_module_stack"), "A");
  EXPECT_EQ(meta("sqrt", "nn_module_stack"), "B");
  EXPECT_EQ(meta("sqrt", "stack_trace"),
            "  File \"/m/run.py\", line 9\n  File \"/m/net.py\", line 3\n");
  EXPECT_EQ(meta("x", "nn_module_stack"), "-");
}

TEST(DescribedProgram, LinesOfSeveralModulesAndOtherProgramsGiveNothing) {
  const Opened f = opened(kLocated, kLocated);
  const std::string stack = "  File \"/m/run.py\", line 9\n  File \"/m/net.py\", line 3";
  EXPECT_FALSE(describedBy(programWith({{"s", stack, "A"}, {"t", stack, "B"}, {"u", stack, "A"}}),
                           *f.program, f.module));
  EXPECT_FALSE(describedBy(programWith({{"other", "", "A"}}), *f.program, f.module));
}

TEST(OwnLocation, HostileOnesAreReadInPartOrNotAtAll) {
  std::string text = "#loc = loc(fused[#loc, #loc])\n";
  text += "#loc1 = loc(callsite(#loc2 at #loc2))\n#loc2 = loc(callsite(#loc1 at #loc1))\n";
  const mlir::Module module(text);
  const std::string deep(5000, '(');
  for (const std::string& body :
       {std::string("#loc"), std::string("#loc1"), std::string("#none"), std::string("\""),
        std::string("\"a"), std::string("callsite("), std::string("fused["), std::string("fused[,"),
        std::string("\"a b\"(\"x\ty\"(unknown))"), "\"a\"" + deep, std::string("\"fx\":1:0"),
        std::string("\"f\":0:0"), std::string("callsite(unknown)"), std::string()}) {
    const read::OwnLocation own = ownLocation(module, body);
    EXPECT_EQ(own.name + own.stack, "") << body.substr(0, 20);
  }
  EXPECT_EQ(ownLocation(module, "\"f\":99999999999999999999:0").name, "");
}

TEST(ModuleProgram, AnEmptyModuleIsAnEmptyProgram) {
  const Opened empty =
      opened("module {\n} loc(#loc)\n#loc = loc(\"<stdin>\":0:0)\n", "module {\n}\n");
  EXPECT_EQ(fx::dump(*empty.program), "graph():\n    return ()\n");
  EXPECT_TRUE(empty.module.dialects.empty());
}

}  // namespace
}  // namespace fxs::module
