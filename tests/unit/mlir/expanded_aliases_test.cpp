// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/expanded_aliases.h"

#include <gtest/gtest.h>

namespace fxs::mlir {
namespace {

TEST(ExpandedAliases, StandWhereTheyWereUsed) {
  EXPECT_EQ(withAliasesExpanded("#map = affine_map<(d0) -> (d0)>\n"
                                "#map1 = affine_map<(d0) -> (0)>\n"
                                "!t = tensor<4xf32, #map>\n"
                                "module {\n"
                                "  x.y {maps = [#map, #map1], s = \"#map\"} : !t loc(#loc1)\n"
                                "  x.z : !x.t, #x.a<1>\n"
                                "}\n"
                                "#loc1 = loc(\"a\")\n"),
            "module {\n"
            "  x.y {maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0)>], s = \"#map\"} : "
            "tensor<4xf32, affine_map<(d0) -> (d0)>> "
            "loc(#loc1)\n"
            "  x.z : !x.t, #x.a<1>\n"
            "}\n"
            "#loc1 = loc(\"a\")\n");
}

TEST(ExpandedAliases, ThatWouldGrowWithoutBoundStay) {
  std::string text = "#a0 = \"0123456789\"\n";
  for (int i = 1; i < 40; ++i)
    text += "#a" + std::to_string(i) + " = [#a" + std::to_string(i - 1) + ", #a" +
            std::to_string(i - 1) + "]\n";
  text += "x.y #a39\n";
  EXPECT_EQ(withAliasesExpanded(text), text);
}

TEST(ExpandedAliases, OfThemselvesAreLeft) {
  EXPECT_EQ(withAliasesExpanded("#a = #a\nx.y #a\n"), "x.y #a\n");
}

TEST(ExpandedAliases, NestAndAreAHashWhereTheyAreTooLong) {
  const std::string text =
      "#a = [1, \"#b\"]\n#b = [#a, #a]\n#loc1 = loc(\"n\")\n#loc2 = loc(fused[#loc1])\nx.y #b "
      "loc(#loc2)\n";
  const Module module(text);
  const ExpandedAliases plain(module);
  EXPECT_EQ(plain.text("#b"), "[[1, \"#b\"], [1, \"#b\"]]");
  EXPECT_EQ(plain.text("#loc2"), "");
  EXPECT_EQ(plain.find("#c"), nullptr);
  EXPECT_EQ(ExpandedAliases(module, {4, 1024, 100}).text("#loc2"), "fused[\"n\"]");
  const ExpandedAliases tight(module, {4, 12, 0});
  EXPECT_TRUE(tight.find("#b")->tooLong);
  EXPECT_TRUE(tight.text("#b").starts_with('#'));
  EXPECT_EQ(tight.text("#b").size(), 17u);
  EXPECT_EQ(tight.text("#a"), "[1, \"#b\"]");
}

}  // namespace
}  // namespace fxs::mlir
