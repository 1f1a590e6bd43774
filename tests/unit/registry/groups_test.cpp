// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that main calls, and the files of Buddy's GraphDriver.
#include "lowered_text.h"
#include "registry/graph_driver.h"

namespace fxs::registry {
namespace {

using test::lowered;
using test::verify;
using test::withoutLocations;

constexpr std::string_view kTwoLayers = R"(p_w: f32[2, 3] = parameter "w"
p_s: f32[] = parameter "s"
x: f32[2, 3] = placeholder
mul: f32[2, 3] = aten.mul.Tensor(x, p_w)
topk: (f32[2, 2], i64[2, 2]) = aten.topk.default(mul, 2)
values: f32[2, 2] = getitem(topk, 0)
indices: i64[2, 2] = getitem(topk, 1)
scaled: f32[2, 2] = aten.mul.Tensor(values, p_s)
sum: f32[2, 2] = aten.add.Tensor(scaled, indices)
return (sum, mul, x)
)";

DirectOptions grouping(GroupBy by, std::vector<std::string> from = {}) {
  DirectOptions out;
  out.arguments = Arguments::Packed;
  out.grouping = {by, std::move(from)};
  return out;
}

std::vector<std::string> namesOf(const std::vector<GroupValue>& values) {
  std::vector<std::string> out;
  for (const GroupValue& value : values) out.push_back(value.type);
  return out;
}

/// "subgraph0 mul (tensor<2x3xf32>) -> (tensor<2x3xf32>)", a line for each group.
std::string summaryOf(const DirectLowering& lowering) {
  const auto program = fx::graphFrom(kTwoLayers);
  const auto list = [](const std::vector<GroupValue>& values) {
    std::string out;
    for (const std::string& type : namesOf(values)) out += (out.empty() ? "" : ", ") + type;
    return "(" + out + ")";
  };
  std::string out;
  for (const Group& group : lowering.grouped.groups)
    out += group.function + " " + (*program)->node(group.first).name + " " + list(group.arguments) +
           " -> " + list(group.results) + "\n";
  return out;
}

TEST(Groups, OneHasEverythingButWhatCutsUpThePackedArguments) {
  const DirectLowering lowering = lowered(kTwoLayers, grouping(GroupBy::All));
  verify(lowering.text);
  EXPECT_EQ(summaryOf(lowering),
            "subgraph0 mul (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>) -> "
            "(tensor<2x3xf32>, tensor<2x2xf32>)\n");
  EXPECT_TRUE(lowering.grouped.isOnlyCalls);
  const std::string text = withoutLocations(lowering.text);
  const std::string main = text.substr(text.find("sym_name = \"main\""));
  EXPECT_NE(main.find("\"tensor.extract_slice\"(%arg0)"), std::string::npos) << main;
  EXPECT_EQ(main.find("tosa."), std::string::npos) << main;
}

TEST(Groups, EachNodeIsCalledInProgramOrder) {
  const DirectLowering lowering = lowered(kTwoLayers, grouping(GroupBy::Node));
  verify(lowering.text);
  EXPECT_EQ(lowering.grouped.groups.size(), 4u) << lowering.text;
  std::size_t at = 0;
  for (const Group& group : lowering.grouped.groups) {
    const std::size_t call = lowering.text.find("<{callee = @" + group.function + "}>");
    ASSERT_NE(call, std::string::npos);
    EXPECT_GT(call, at);
    at = call;
  }
}

TEST(Groups, AGroupBeginsAtANamedNode) {
  const DirectLowering lowering = lowered(kTwoLayers, grouping(GroupBy::From, {"scaled"}));
  verify(lowering.text);
  EXPECT_EQ(lowering.grouped.groups.size(), 2u);
  EXPECT_EQ(lowering.grouped.groups.back().arguments.size(), 3u);  // two results of one, a weight
}

TEST(Groups, ANodeThatThereIsNotIsRefusedWithTheNearestName) {
  const auto program = fx::graphFrom(kTwoLayers);
  const auto lowering =
      lowerByRegistries(**program, grouping(GroupBy::From, {"scale"}), RunContext{});
  ASSERT_FALSE(lowering);
  EXPECT_EQ(lowering.error().code, ErrorCode::Usage);
  EXPECT_NE(lowering.error().message.find("did you mean 'scaled'?"), std::string::npos);
}

TEST(Groups, ASymbolicSizeIsPassedAsAnIndex) {
  constexpr std::string_view kDynamic = R"(x: f32[s0, 3] = placeholder
n: Sym(s0) = aten.sym_size.int(x, 0)
zeros: f32[s0] = aten.full.default([n], 0.0)
sum: f32[s0] = aten.sum.dim_IntList(x, [1])
add: f32[s0] = aten.add.Tensor(sum, zeros)
return add
)";
  const DirectLowering lowering = lowered(kDynamic, grouping(GroupBy::Node));
  ASSERT_TRUE(lowering.complete) << lowering.text;
  verify(lowering.text);
  const auto texts = driverTexts(lowering, "main");
  ASSERT_FALSE(texts);
  EXPECT_NE(texts.error().message.find("symbolic sizes"), std::string::npos);
}

TEST(GraphDriver, MainCutsParametersOutOfMemrefsAndCallsTheGroups) {
  const DirectLowering lowering = lowered(kTwoLayers, grouping(GroupBy::From, {"scaled"}));
  const auto texts = driverTexts(lowering, "forward");
  ASSERT_TRUE(texts) << toString(texts.error());
  ASSERT_EQ(texts->size(), 3u);
  EXPECT_EQ(texts->front().file, "forward.mlir");
  EXPECT_EQ(texts->back().file, "subgraph1.mlir");
  for (const NamedText& each : *texts) verify(each.text);
  EXPECT_EQ(texts->front().text, R"(module {
  func.func private @subgraph0(memref<2x3xf32, strided<[3, 1], offset: ?>>, memref<2x3xf32, strided<[3, 1], offset: ?>>) -> (memref<2x3xf32>, memref<2x2xf32>, memref<2x2xi64>)
  func.func private @subgraph1(memref<f32, strided<[], offset: ?>>, memref<2x2xf32, strided<[2, 1], offset: ?>>, memref<2x2xi64, strided<[2, 1], offset: ?>>) -> (memref<2x2xf32>)
  func.func @forward(%arg0: memref<7xf32>, %arg1: memref<2x3xf32>) -> (memref<2x2xf32>, memref<2x3xf32>, memref<2x3xf32>) {
    %0 = memref.subview %arg0[0] [6] [1] : memref<7xf32> to memref<6xf32>
    %1 = memref.expand_shape %0 [[0, 1]] output_shape [2, 3] : memref<6xf32> into memref<2x3xf32>
    %2 = memref.subview %arg0[6] [1] [1] : memref<7xf32> to memref<f32, strided<[], offset: 6>>
    %3 = memref.cast %arg1 : memref<2x3xf32> to memref<2x3xf32, strided<[3, 1], offset: ?>>
    %4 = memref.cast %1 : memref<2x3xf32> to memref<2x3xf32, strided<[3, 1], offset: ?>>
    %5:3 = call @subgraph0(%3, %4) : (memref<2x3xf32, strided<[3, 1], offset: ?>>, memref<2x3xf32, strided<[3, 1], offset: ?>>) -> (memref<2x3xf32>, memref<2x2xf32>, memref<2x2xi64>)
    %6 = memref.cast %2 : memref<f32, strided<[], offset: 6>> to memref<f32, strided<[], offset: ?>>
    %7 = memref.cast %5#1 : memref<2x2xf32> to memref<2x2xf32, strided<[2, 1], offset: ?>>
    %8 = memref.cast %5#2 : memref<2x2xi64> to memref<2x2xi64, strided<[2, 1], offset: ?>>
    %9 = call @subgraph1(%6, %7, %8) : (memref<f32, strided<[], offset: ?>>, memref<2x2xf32, strided<[2, 1], offset: ?>>, memref<2x2xi64, strided<[2, 1], offset: ?>>) -> (memref<2x2xf32>)
    return %9, %5#0, %arg1 : memref<2x2xf32>, memref<2x3xf32>, memref<2x3xf32>
  }
}
)");
}

TEST(GraphDriver, WhatIsNotLoweredHasNone) {
  const DirectLowering lowering =
      lowered("x: f32[2] = placeholder\ny: f32[2] = acme.swiglu.default(x)\nreturn y",
              grouping(GroupBy::All));
  EXPECT_EQ(driverTexts(lowering, "forward").error().code, ErrorCode::Unsupported);
}

}  // namespace
}  // namespace fxs::registry
