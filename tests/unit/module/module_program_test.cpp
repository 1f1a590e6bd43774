// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of modules that an engine printed, recorded here.
#include "module/module_program.h"

#include <gtest/gtest.h>

#include "fx/text.h"

namespace fxs::module {
namespace {

struct Opened {
  fx::ProgramPtr program;
  read::SourceModule module;
};
Opened opened(const std::string& printed, std::string_view text, std::uint32_t firstLine = 0) {
  Opened out;
  out.program = programOf(printed, {text, firstLine}, "m.mlir", out.module, {});
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
    %arg0 : f32[2] [num_users=1] = placeholder[target=arg0]
    %power : f32[2] [num_users=1] = call_function[target=math.exp](args = (%arg0,), kwargs = {})
    %sqrt : f32[2] [num_users=1] = call_function[target=math.sqrt](args = (%power,), kwargs = {})
    return (sqrt,)
)");
  EXPECT_EQ(f.module.dialects, (std::vector<std::string>{"func", "math"}));
  EXPECT_EQ(f.module.function, "f");
}

TEST(ModuleProgram, EveryOperationIsLocatedAtItsNodeAFunctionAtItsFirst) {
  EXPECT_EQ(opened(kPrinted, kText).module.text, R"(#loc1 = loc("<stdin>":1:14)
module {
  func.func @f(%arg0: tensor<2xf32> loc("arg0"("fx":0:0))) -> tensor<2xf32> {
    %0 = math.exp %arg0 : tensor<2xf32> loc("power"("fx":1:0))
    %1 = math.sqrt %0 : tensor<2xf32> loc("sqrt"("fx":2:0))
    return %1 : tensor<2xf32> loc("output"("fx":3:0))
  } loc("arg0"("fx":0:0))
} loc(#loc)
#loc = loc("<stdin>":0:0)
#loc2 = loc("<stdin>":1:1)
#loc3 = loc("<stdin>":2:12)
#loc4 = loc("<stdin>":3:8)
#loc5 = loc("<stdin>":4:3)
)");
}

TEST(ModuleProgram, ANodeHasItsLineOfTheFile) {
  const Opened f = opened(kPrinted, kText, 10);
  const fx::Node* node = f.program->findNode("power");
  ASSERT_NE(node, nullptr);
  ASSERT_EQ(node->meta.size(), 1U);
  EXPECT_EQ(f.program->text(node->meta[0].text),
            "  File \"m.mlir\", line 12, in main\n    %power = math.exp %a : tensor<2xf32>");
}

TEST(ModuleProgram, AnEmptyModuleIsAnEmptyProgram) {
  const Opened empty =
      opened("module {\n} loc(#loc)\n#loc = loc(\"<stdin>\":0:0)\n", "module {\n}\n");
  EXPECT_EQ(fx::dump(*empty.program), "graph():\n    return ()\n");
  EXPECT_TRUE(empty.module.dialects.empty());
}

}  // namespace
}  // namespace fxs::module
