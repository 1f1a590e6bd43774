// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/reduce_module.h"

#include <gtest/gtest.h>

namespace fxs::diagnose {
namespace {

const FailureSignature kWantedOfModule{"tosa", "p", "illegal-op", "torch.aten.bad",
                                       "aten.bad.default"};

/// As the importer writes it: three constants, two of them an operand's list; bad takes a computed
/// value.
constexpr const char* kModule = R"(module {
  func.func @main(%arg0: !torch.vtensor<[2,4],f32> loc("x"("fx":0:0)), %arg1: !torch.vtensor<[4],f32> loc("w,\22("("fx":1:0))) -> (!torch.vtensor<[2,4],f32>, !torch.vtensor<[2],f32>) attributes {torch.assume_strict_symbolic_shapes} {
    %0 = "torch.aten.mul.Tensor"(%arg0, %arg1) : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32> loc("mul"("fx":2:0))
    %1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int loc("bad"("fx":3:0))
    %2 = "torch.prim.ListConstruct"(%1) : (!torch.int) -> !torch.list<int> loc("bad"("fx":3:0))
    %3 = "torch.aten.bad"(%0, %2) : (!torch.vtensor<[2,4],f32>, !torch.list<int>) -> !torch.vtensor<[2],f32> loc("bad"("fx":3:0))
    %4 = "torch.aten.relu"(%0) : (!torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> loc("relu"("fx":4:0))
    "func.return"(%4, %3) : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[2],f32>) -> () loc("output"("fx":5:0))
  } loc("x"("fx":0:0))
}
)";

struct Asked {
  Result<std::string> result;
  std::vector<std::string> texts;
};

Asked reduced(const std::string& raw, const std::function<bool(const std::string&)>& fails) {
  std::vector<std::string> texts;
  const ModuleProbe probe = [&](const std::vector<std::string>& modules,
                                const RunContext&) -> Result<std::vector<std::vector<Failure>>> {
    std::vector<std::vector<Failure>> out;
    for (const std::string& text : modules) {
      texts.push_back(text);
      out.push_back(fails(text) ? std::vector<Failure>{{kWantedOfModule, {}}}
                                : std::vector<Failure>{});
    }
    return out;
  };
  auto result = reduceModule(raw, kWantedOfModule, probe, std::chrono::milliseconds(10'000), {});
  return {std::move(result), std::move(texts)};
}

TEST(ReduceModule, KeepsTheOperationAndWhatCannotComeFromOutside) {
  const Asked asked = reduced(
      kModule, [](const std::string& text) { return text.find("aten.bad") != std::string::npos; });
  ASSERT_TRUE(asked.result.has_value());
  EXPECT_EQ(*asked.result, R"(module {
  func.func @main(%0: !torch.vtensor<[2,4],f32> loc("mul"("fx":2:0))) -> (!torch.vtensor<[2],f32>) attributes {torch.assume_strict_symbolic_shapes} {
    %1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int loc("bad"("fx":3:0))
    %2 = "torch.prim.ListConstruct"(%1) : (!torch.int) -> !torch.list<int> loc("bad"("fx":3:0))
    %3 = "torch.aten.bad"(%0, %2) : (!torch.vtensor<[2,4],f32>, !torch.list<int>) -> !torch.vtensor<[2],f32> loc("bad"("fx":3:0))
    "func.return"(%3) : (!torch.vtensor<[2],f32>) -> () loc("output"("fx":5:0))
  } loc("x"("fx":0:0))
}
)");
}

TEST(ReduceModule, SomethingIsReturned) {
  const std::string raw = R"(module {
  func.func @main(%arg0: !torch.vtensor<[4],f32> loc("x"("fx":0:0))) -> (!torch.vtensor<[4],f32>, !torch.vtensor<[4],si64>) attributes {torch.assume_strict_symbolic_shapes} {
    %0:2 = "torch.aten.bad"(%arg0) : (!torch.vtensor<[4],f32>) -> (!torch.vtensor<[4],f32>, !torch.vtensor<[4],si64>) loc("bad"("fx":1:0))
    "func.return"(%0#0, %0#1) : (!torch.vtensor<[4],f32>, !torch.vtensor<[4],si64>) -> () loc("output"("fx":2:0))
  } loc("x"("fx":0:0))
}
)";
  const Asked asked = reduced(
      raw, [](const std::string& text) { return text.find("aten.bad") != std::string::npos; });
  ASSERT_TRUE(asked.result.has_value());
  EXPECT_EQ(*asked.result, R"(module {
  func.func @main(%arg0: !torch.vtensor<[4],f32> loc("x"("fx":0:0))) -> (!torch.vtensor<[4],si64>) attributes {torch.assume_strict_symbolic_shapes} {
    %0:2 = "torch.aten.bad"(%arg0) : (!torch.vtensor<[4],f32>) -> (!torch.vtensor<[4],f32>, !torch.vtensor<[4],si64>) loc("bad"("fx":1:0))
    "func.return"(%0#1) : (!torch.vtensor<[4],si64>) -> () loc("output"("fx":2:0))
  } loc("x"("fx":0:0))
}
)");
}

TEST(ReduceModule, AllItemsTogetherAreTheModuleItself) {
  const Asked asked = reduced(kModule, [](const std::string&) { return false; });
  ASSERT_TRUE(asked.result.has_value());
  EXPECT_EQ(*asked.result, kModule);
  ASSERT_EQ(asked.texts.size(), 1U);
  EXPECT_EQ(asked.texts.front(), kModule);
}

TEST(ReduceModule, WhatNeedsEverythingStaysAsItIs) {
  const Asked asked = reduced(kModule, [](const std::string& text) { return text == kModule; });
  EXPECT_EQ(asked.result.value(), kModule);
}

TEST(ReduceModule, FunctionsOfAnyModuleBecomeSmaller) {
  const std::string raw = R"(#map = affine_map<(d0) -> (d0)>
module {
  func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = math.exp %arg0 : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : tensor<4xf32>) outs(%arg0 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = test.bad %in : f32
      linalg.yield %3 : f32
    } -> tensor<4xf32>
    %2 = math.sqrt %1 : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  func.func @g(%arg0: tensor<4xf32>) {
    %0 = math.exp %arg0 : tensor<4xf32>
    return
  }
}
)";
  const Asked asked = reduced(
      raw, [](const std::string& text) { return text.find("test.bad") != std::string::npos; });
  ASSERT_TRUE(asked.result.has_value());
  EXPECT_EQ(*asked.result, R"(#map = affine_map<(d0) -> (d0)>
module {
  func.func @f(%arg0: tensor<4xf32>, %0: tensor<4xf32>) -> (tensor<4xf32>) {
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : tensor<4xf32>) outs(%arg0 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = test.bad %in : f32
      linalg.yield %3 : f32
    } -> tensor<4xf32>
    "func.return"(%1) : (tensor<4xf32>) -> ()
  }
}
)");
}

TEST(ReduceModule, WhatIsNotOfTheImportersFormIsLeftAlone) {
  for (const char* text : {"", "module {\n}\n", "func.func @main() {\n  return\n}\n",
                           "func.func @main(%a: f32) -> f32 {\n  %0 = scf.if %c -> f32 {\n  }\n",
                           "module {\n  func.func @main(%a: f32"}) {
    const Asked asked = reduced(text, [](const std::string&) { return true; });
    ASSERT_TRUE(asked.result.has_value()) << text;
    EXPECT_EQ(*asked.result, text);
  }
}

}  // namespace
}  // namespace fxs::diagnose
