// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/origins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/byte_source.h"
#include "trace/provenance.h"

namespace fxs::trace {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string lineAt(const OpenText& text, std::uint32_t line) {
  const LineOrigins origins = lineOrigins(text);
  std::string out(1, "-xlpuds"[static_cast<int>(origins.lines.at(line).link)]);
  for (const fx::NodeId node : origins.lines[line].nodes) out += " " + std::to_string(node.value);
  return out;
}
std::vector<std::string> linesOf(const OpenText& text) {
  std::vector<std::string> out;
  for (std::uint32_t i = 0; i < lineOrigins(text).lines.size(); ++i) out.push_back(lineAt(text, i));
  return out;
}

/// The same text as the only snapshot of a trace.
std::vector<std::string> tracedLinesOf(const std::string& text) {
  const std::filesystem::path directory =
      std::filesystem::path(testing::TempDir()) / "fxscope-origins";
  std::filesystem::create_directories(directory);
  EXPECT_TRUE(writeWholeFile((directory / "raw.mlir").string(), text).has_value());
  auto passes = std::make_shared<lower::PassTrace>();
  passes->directory = directory.string();
  passes->snapshots.push_back({"raw", -1, "raw.mlir", false});
  const auto trace = SnapshotLinker().finish(passes, {}, nullptr, {});
  EXPECT_TRUE(trace.has_value()) << trace.error().message;
  const auto open = (*trace)->open(0);
  EXPECT_TRUE(open.has_value()) << open.error().message;
  std::filesystem::remove_all(directory);
  return linesOf(**open);
}

constexpr std::string_view kLinalg =
    "module {\n"
    "  func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {\n"
    "    %cst = arith.constant 0.0 : f32 loc(unknown)\n"
    "    %0 = tensor.empty() : tensor<2xf32> loc(\"relu\"(\"fx\":1:0))\n"
    "    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2xf32>) -> tensor<2xf32> "
    "loc(\"relu\"(\"fx\":1:0))\n"
    "    %2 = linalg.generic {} ins(%1 : tensor<2xf32>) outs(%0 : tensor<2xf32>) {\n"
    "    ^bb0(%in: f32, %out: f32):\n"
    "      %3 = arith.maximumf %in, %cst : f32 loc(\"gelu\"(\"fx\":2:0))\n"
    "      linalg.yield %3 : f32 loc(unknown)\n"
    "    } -> tensor<2xf32> loc(\"gelu\"(\"fx\":2:0))\n"
    "    return %2 : tensor<2xf32> loc(unknown)\n"
    "  } loc(unknown)\n"
    "} loc(unknown)\n";

TEST(Origins, AreOfLocationsThenOfParentsThenOfUsers) {
  const auto text = openText(kLinalg);
  EXPECT_THAT(linesOf(*text), ElementsAre("-", "-", "u 1 2", "x 1", "x 1", "x 2", "x 2", "x 2",
                                          "p 2", "x 2", "-", "-", "-"));
  // constant, empty, fill, generic, maximumf, yield of seven: the return is not known.
  EXPECT_EQ(text->origins->counts(),
            (Counts{.ops = 9, .counted = 7, .exact = 4, .inherited = 1, .users = 1}));
  EXPECT_NEAR(text->origins->counts().coverage(), 6.0 / 7, 1e-9);
  EXPECT_THAT(lineOrigins(*text).linesByNode[1], ElementsAre(2, 3, 4));
}

TEST(Origins, OfAnInstructionAreTheNodeOfItsDebugLine) {
  const auto ir = openText(
      "define float @main(ptr %0) !dbg !1 {\n  %2 = load float, ptr %0, !dbg !4\n  ret float "
      "%2\n}\n"
      "!1 = distinct !DISubprogram(name: \"main\", file: !2)\n!2 = !DIFile(filename: \"fx\", "
      "directory: \"\")\n"
      "!4 = !DILocation(line: 3, scope: !1)\n",
      nullptr, mlir::TextForm::LlvmIr);
  EXPECT_THAT(linesOf(*ir), ElementsAre("-", "l 3", "-", "-", "-", "-", "-"));
  EXPECT_EQ(ir->origins->counts(), (Counts{.ops = 3, .counted = 2, .debugLine = 1}));
  EXPECT_EQ(ir->text.substr(0, 6), "define");
}

TEST(Origins, OfUnlocatedOperationsOfADispatchAreAllNodesThatItComputes) {
  const auto text = openText(
      "llvm.func @main_dispatch_0_matmul(%a: f32) {\n"
      "  llvm.store %a, %a loc(\"n\"(\"fx\":1:0))\n"
      "  llvm.fence loc(unknown)\n"
      "  llvm.store %a, %a loc(callsite(\"m\"(\"fx\":2:0) at \"p\"(\"fx\":0:0)))\n"
      "}\n"
      "llvm.func @other(%a: f32) {\n"
      "  llvm.store %a, %a loc(\"n\"(\"fx\":1:0))\n"
      "  llvm.fence loc(unknown)\n"
      "}\n");
  EXPECT_THAT(linesOf(*text), ElementsAre("-", "x 1", "d 1 2", "x 2", "-", "-", "x 1", "-", "-"));
  EXPECT_EQ(text->origins->counts().coverage(), 3.0 / 5);
}

TEST(Origins, AConstantOfTheWholeProgramIsKnownByTheFirstOfItsUsers) {
  std::string text = "%c = arith.constant 0 : i64\n";
  for (int i = 0; i < 100; ++i)
    text += "%" + std::to_string(i) + " = a.b %c loc(\"fx\":" + std::to_string(i) + ":0)\n";
  const auto open = openText(text);
  EXPECT_EQ(open->origins->of(mlir::OpId{0}).link, Link::Users);
  EXPECT_EQ(open->origins->of(mlir::OpId{0}).nodes.size(), 64u);
}

TEST(Origins, ChainsOfUsersAreFollowed) {
  EXPECT_THAT(linesOf(*openText("%0 = arith.constant 0 : i64\n"
                                "%1 = arith.index_cast %0 : i64 to index\n"
                                "%2 = tensor.splat %1 : tensor<2xindex>\n"
                                "a.b %2 loc(\"fx\":7:0)\n")),
              ElementsAre("u 7", "u 7", "u 7", "x 7"));
}

TEST(Origins, StagesAndPassesSayTheSame) {
  std::string shared = "%c = arith.constant 0 : i64\n%d = arith.index_cast %c : i64 to index\n";
  for (int i = 0; i < 40; ++i)
    shared += "%" + std::to_string(i) + " = a.b %d loc(\"fx\":" + std::to_string(i) + ":0)\n";
  for (const std::string& text : {std::string(kLinalg), shared})
    EXPECT_EQ(linesOf(*openText(text)), tracedLinesOf(text));
}

TEST(Origins, ALineBelongsToTheInnermostOperationThatSpansIt) {
  EXPECT_THAT(linesOf(*openText("%0 = \"torch.prim.If\"(%c) ({\n"
                                "  \"torch.prim.If.yield\"(%a) : (f32) -> () loc(\"fx\":2:0)\n"
                                "}, {\n"
                                "  \"torch.prim.If.yield\"(%b) : (f32) -> () loc(\"fx\":3:0)\n"
                                "}) : (!torch.bool) -> f32 loc(\"cond\"(\"fx\":1:0))\n"
                                "#loc = loc(unknown)\n")),
              ElementsAre("x 1", "x 2", "x 1", "x 3", "x 1"));
}

TEST(Origins, EmptyTextHasNoLines) {
  const auto text = openText("");
  EXPECT_THAT(lineOrigins(*text).lines, IsEmpty());
  EXPECT_EQ(text->origins->counts().ops, 0u);
}

TEST(Origins, DeepNestingIsLinear) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "scf.execute_region {\n";
  const auto open = openText(text);
  EXPECT_EQ(lineOrigins(*open).lines.size(), 100'000u);
}

}  // namespace
}  // namespace fxs::trace
