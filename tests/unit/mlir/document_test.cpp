// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "mlir/text/shown_text.h"

namespace fxs::mlir {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The nodes that the n-th operation's location names.
std::vector<std::uint32_t> nodesOf(const Document& document, std::uint32_t op) {
  std::vector<std::uint32_t> out;
  for (const fx::NodeId id : document.nodesOf(OpId{op})) out.push_back(id.value);
  return out;
}

TEST(Document, AliasesAreTakenOutAndLeadToNodes) {
  const std::string text =
      "#loc = loc(unknown)\n"
      "#loc2 = loc(\"fx\":0:0)\n"
      "#loc5 = loc(\"x\"(#loc2))\n"
      "module {\n"
      "  func.func @main(%arg0: !torch.vtensor<[2],f32> loc(\"x\"(#loc2))) -> "
      "!torch.vtensor<[2],f32> {\n"
      "    %0 = torch.aten.relu %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32> "
      "loc(#loc6)\n"
      "    return %0 : !torch.vtensor<[2],f32> loc(#loc7)\n"
      "  } loc(#loc5)\n"
      "} loc(#loc)\n"
      "#loc3 = loc(\"fx\":3:0)\n"
      "#loc4 = loc(\"fx\":4:0)\n"
      "#loc6 = loc(\"relu\"(#loc3))\n"
      "#loc7 = loc(\"output\"(#loc4))\n";
  EXPECT_EQ(shownText(text),
            "module {\n"
            "  func.func @main(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {\n"
            "    %0 = torch.aten.relu %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>\n"
            "    return %0 : !torch.vtensor<[2],f32>\n"
            "  }\n"
            "}\n");
  const Document t(text);
  ASSERT_EQ(t.module.ops.size(), 4u);
  EXPECT_THAT(nodesOf(t, 0), IsEmpty());
  EXPECT_THAT(nodesOf(t, 1), ElementsAre(0));
  EXPECT_THAT(nodesOf(t, 2), ElementsAre(3));
  EXPECT_THAT(nodesOf(t, 3), ElementsAre(4));
}

TEST(Document, RegionOperationTakesTheLocationBehindItsRegion) {
  const std::string text =
      "%1 = linalg.generic {indexing_maps = [#map]} ins(%0 : tensor<2xf32>) outs(%0 : "
      "tensor<2xf32>) {\n"
      "^bb0(%in: f32 loc(\"fx\":7:0), %out: f32 loc(unknown)):\n"
      "  %2 = arith.addf %in, %out : f32 loc(\"add\"(\"fx\":8:0))\n"
      "  linalg.yield %2 : f32 loc(unknown)\n"
      "} -> tensor<2xf32> loc(\"sum\"(\"fx\":7:0))\n";
  EXPECT_EQ(shownText(text),
            "%1 = linalg.generic {indexing_maps = [#map]} ins(%0 : tensor<2xf32>) outs(%0 : "
            "tensor<2xf32>) {\n"
            "^bb0(%in: f32, %out: f32):\n"
            "  %2 = arith.addf %in, %out : f32\n"
            "  linalg.yield %2 : f32\n"
            "} -> tensor<2xf32>\n");
  const Document t(text);
  EXPECT_THAT(nodesOf(t, 0), ElementsAre(7));
  EXPECT_THAT(nodesOf(t, 1), ElementsAre(8));
}

TEST(Document, GenericFormAndSeveralRegions) {
  const Document t(
      "%0 = \"torch.prim.If\"(%c) ({\n"
      "  \"torch.prim.If.yield\"(%a) : (!torch.vtensor<[2],f32>) -> () loc(\"fx\":2:0)\n"
      "}, {\n"
      "  \"torch.prim.If.yield\"(%b) : (!torch.vtensor<[2],f32>) -> () loc(\"fx\":3:0)\n"
      "}) : (!torch.bool) -> !torch.vtensor<[2],f32> loc(\"cond\"(\"fx\":1:0))\n");
  ASSERT_EQ(t.module.ops.size(), 3u);
  EXPECT_THAT(nodesOf(t, 0), ElementsAre(1));
  EXPECT_THAT(nodesOf(t, 1), ElementsAre(2));
  EXPECT_THAT(nodesOf(t, 2), ElementsAre(3));
}

TEST(Document, FusedGivesAllNodesAndCallsiteTheCallee) {
  const Document t(
      "%0 = a.b loc(fused[\"x\"(\"fx\":1:0), \"y\"(\"fx\":2:0), \"fx\":1:0])\n"
      "%1 = a.b loc(callsite(\"inner\"(\"fx\":5:0) at \"call\"(\"fx\":6:0)))\n"
      "%2 = a.b loc(callsite(\"inner\" at \"call\"(\"fx\":6:0)))\n"
      "%3 = a.b loc(fused[callsite(\"at \"(\"fx\":7:0) at callsite(\"fx\":8:0 at \"fx\":9:0)), "
      "\"fx\":10:0])\n"
      "%4 = a.b loc(\"model.py\":10:2)\n");
  EXPECT_THAT(nodesOf(t, 0), ElementsAre(1, 2));
  EXPECT_THAT(nodesOf(t, 1), ElementsAre(5));
  EXPECT_THAT(nodesOf(t, 2), ElementsAre(6));
  EXPECT_THAT(nodesOf(t, 3), ElementsAre(7, 10));
  EXPECT_THAT(nodesOf(t, 4), IsEmpty());
}

TEST(Document, StringsThatLookLikeLocationsStay) {
  const std::string text =
      "\"a.b\"() {s = \"x loc(\\\"fx\\\":1:0) {\"} : () -> () loc(\"n loc(\"(\"fx\":4:0))\n";
  const Document t(text);
  EXPECT_EQ(shownText(text), "\"a.b\"() {s = \"x loc(\\\"fx\\\":1:0) {\"} : () -> ()\n");
  EXPECT_THAT(nodesOf(t, 0), ElementsAre(4));
}

TEST(Document, AliasCyclesAndAbsurdNodesLeadNowhere) {
  const Document t(
      "#loc1 = loc(\"a\"(#loc2))\n#loc2 = loc(\"b\"(#loc1))\n"
      "%0 = a.b loc(#loc1)\n%1 = a.b loc(\"fx\":99999999999999:0)\n%2 = a.b "
      "loc(\"fx\":4294967295:0)\n%3 = a.b loc(#loc77)\n");
  ASSERT_EQ(t.module.ops.size(), 4u);
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_THAT(nodesOf(t, i), IsEmpty());
}

TEST(Document, DeepAliasChainResolves) {
  std::string text;
  for (int i = 0; i < 100'000; ++i)
    text += "#loc" + std::to_string(i) + " = loc(\"n\"(#loc" + std::to_string(i + 1) + "))\n";
  text += "#loc100000 = loc(\"fx\":12:0)\n%0 = a.b loc(#loc0)\n";
  EXPECT_THAT(nodesOf(Document(text), 0), ElementsAre(12));
}

TEST(Document, ResourcesAndConstantsShowTheirSizes) {
  const std::string hex(2000, 'A');
  std::string list = "[";
  for (int i = 0; i < 1000; ++i) list += (i ? ", " : "") + std::to_string(i);
  list += "]";
  const std::string text = "%0 = a.c {v = dense<\"0x" + hex +
                           "\"> : tensor<250xf32>} loc(\"fx\":1:0)\n%1 = a.c {v = dense<" + list +
                           "> : tensor<1000xi64>} loc(\"fx\":2:0)\n{-#\n  dialect_resources: {\n   "
                           " builtin: {\n      w: \"0x04000000" +
                           hex + "\"\n    }\n  }\n#-}\n";
  EXPECT_EQ(shownText(text),
            "%0 = a.c {v = dense<\"0x…\" (1000 bytes)> : tensor<250xf32>}\n"
            "%1 = a.c {v = dense<… 1000 values> : tensor<1000xi64>}\n"
            "{-#\n  dialect_resources: {\n    builtin: {\n      w: \"0x…\" (1000 bytes)\n    }\n  "
            "}\n#-}\n");
  const Document t(text);
  EXPECT_THAT(nodesOf(t, 0), ElementsAre(1));
  EXPECT_THAT(nodesOf(t, 1), ElementsAre(2));
}

TEST(Document, AnyTextStaysAsItIs) {
  for (const std::string text : {"", "\n", "}", "hello\n", "%", "loc(", "%0 = a.b loc(\n", "}}}{{{",
                                 "\"", "#loc = loc(\n"}) {
    const std::string shown = shownText(text);
    EXPECT_LE(std::count(shown.begin(), shown.end(), '\n'),
              std::count(text.begin(), text.end(), '\n') + 1)
        << text;
    const Document document(text);
    for (std::uint32_t i = 0; i < document.module.ops.size(); ++i)
      EXPECT_THAT(nodesOf(document, i), IsEmpty()) << text;
  }
}

TEST(Document, TenMegabytesTakeAFractionOfASecond) {
  std::string text = "module {\n";
  std::size_t i = 0;
  for (; text.size() < 10'000'000; ++i)
    text += "    %" + std::to_string(i) +
            " = torch.aten.add.Tensor %a, %b, %int1 : !torch.vtensor<[1,12,16],f32>, "
            "!torch.vtensor<[1,12,16],f32>, !torch.int -> "
            "!torch.vtensor<[1,12,16],f32> loc(#loc" +
            std::to_string(i) + ")\n";
  text += "}\n";
  for (std::size_t j = 0; j < i; ++j)
    text += "#loc" + std::to_string(j) + " = loc(\"add\"(\"fx\":" + std::to_string(j) + ":0))\n";
  const auto begin = std::chrono::steady_clock::now();
  const Document t(text);
  const std::string shown = shownText(text);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(t.module.ops.size(), i + 1);
  EXPECT_LT(shown.size(), text.size());
  EXPECT_LT(took.count(), 3.0) << "0.3 s on a quiet machine in a release build";
  RecordProperty("milliseconds", static_cast<int>(took.count() * 1000));
}

TEST(Document, NamesOfLinesByThemselves) {
  EXPECT_EQ(opNameOf("  %0:2 = \"torch.aten.max.dim\"(%1) : () -> ()"), "torch.aten.max.dim");
  EXPECT_EQ(opNameOf("module attributes {a} {"), "builtin.module");
  EXPECT_EQ(opNameOf("    return %0 : i1"), "func.return");
  EXPECT_EQ(opNameOf("#map = affine_map<(d0) -> (d0)>"), "");
  EXPECT_EQ(opNameOf("^bb0(%a: i1):"), "");
  EXPECT_EQ(operatorNameOf("%8 = torch.operator \"torch.aten.fft_irfft\"(%2) : () -> ()"),
            "torch.aten.fft_irfft");
  EXPECT_EQ(operatorNameOf("%8 = \"torch.operator\"(%2) <{name = \"torch.aten.diff\"}> : () -> ()"),
            "torch.aten.diff");
  EXPECT_EQ(operatorNameOf("%8 = torch.aten.relu %2"), "");
}

}  // namespace
}  // namespace fxs::mlir
