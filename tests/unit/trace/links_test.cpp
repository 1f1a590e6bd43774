#include "trace/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fxs::trace {
namespace {

using testing::ElementsAre;

TEST(StageLinks, ConstantsWithoutALocationBelongToTheirUsers) {
  const auto links = linkStage("linalg",
                               "module {\n"
                               "  func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {\n"
                               "    %cst = arith.constant 0.0 : f32 loc(unknown)\n"
                               "    %0 = tensor.empty() : tensor<2xf32> loc(\"relu\"(\"fx\":1:0))\n"
                               "    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2xf32>) -> tensor<2xf32> loc(\"relu\"(\"fx\":1:0))\n"
                               "    %2 = linalg.generic {} ins(%1 : tensor<2xf32>) outs(%0 : tensor<2xf32>) {\n"
                               "    ^bb0(%in: f32, %out: f32):\n"
                               "      %3 = arith.maximumf %in, %cst : f32 loc(\"gelu\"(\"fx\":2:0))\n"
                               "      linalg.yield %3 : f32 loc(unknown)\n"
                               "    } -> tensor<2xf32> loc(\"gelu\"(\"fx\":2:0))\n"
                               "    return %2 : tensor<2xf32> loc(unknown)\n"
                               "  } loc(unknown)\n"
                               "} loc(unknown)\n");
  const auto& lines = links->text.lines;
  EXPECT_EQ(lines[2].link, mlir::Link::Users);
  EXPECT_THAT(lines[2].nodes, ElementsAre(fx::NodeId{1}, fx::NodeId{2}));
  EXPECT_EQ(lines[8].link, mlir::Link::Parent);
  EXPECT_THAT(lines[8].nodes, ElementsAre(fx::NodeId{2}));
  EXPECT_EQ(lines[10].link, mlir::Link::None);
  EXPECT_THAT(links->text.linesOf(fx::NodeId{1}), ElementsAre(2, 3, 4));
  // constant, empty, fill, generic, maximumf, yield of seven: the return is not known.
  EXPECT_NEAR(links->coverage, 6.0 / 7, 1e-9);
}

TEST(StageLinks, ConstantOfTheWholeProgramBelongsToNobody) {
  std::string text = "%c = arith.constant 0 : i64\n";
  for (int i = 0; i < 40; ++i) text += "%" + std::to_string(i) + " = a.b %c loc(\"fx\":" + std::to_string(i) + ":0)\n";
  const auto links = linkStage("x", text);
  EXPECT_EQ(links->text.lines[0].link, mlir::Link::None);
  EXPECT_TRUE(links->text.lines[0].nodes.empty());
}

TEST(StageLinks, EmptyTextHasNoLines) {
  const auto links = linkStage("x", "");
  EXPECT_TRUE(links->text.lines.empty());
  EXPECT_EQ(links->coverage, 0);
}

}  // namespace
}  // namespace fxs::trace
