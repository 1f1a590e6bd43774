#include "mlir/aliases.h"

#include <gtest/gtest.h>

namespace fxs::mlir {
namespace {

TEST(Aliases, AreSpelledOutWhereTheyAreUsed) {
  EXPECT_EQ(withAliasesSpelledOut("#map = affine_map<(d0) -> (d0)>\n"
                                  "#map1 = affine_map<(d0) -> (0)>\n"
                                  "!t = tensor<4xf32, #map>\n"
                                  "module {\n"
                                  "  x.y {maps = [#map, #map1], s = \"#map\"} : !t loc(#loc1)\n"
                                  "  x.z : !x.t, #x.a<1>\n"
                                  "}\n"
                                  "#loc1 = loc(\"a\")\n"),
            "module {\n"
            "  x.y {maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0)>], s = \"#map\"} : tensor<4xf32, affine_map<(d0) -> (d0)>> "
            "loc(#loc1)\n"
            "  x.z : !x.t, #x.a<1>\n"
            "}\n"
            "#loc1 = loc(\"a\")\n");
}

TEST(Aliases, ThatWouldGrowWithoutBoundStay) {
  std::string text = "#a0 = \"0123456789\"\n";
  for (int i = 1; i < 40; ++i) text += "#a" + std::to_string(i) + " = [#a" + std::to_string(i - 1) + ", #a" + std::to_string(i - 1) + "]\n";
  text += "x.y #a39\n";
  EXPECT_EQ(withAliasesSpelledOut(text), text);
}

TEST(Aliases, OfThemselvesAreLeft) { EXPECT_EQ(withAliasesSpelledOut("#a = #a\nx.y #a\n"), "x.y #a\n"); }

}  // namespace
}  // namespace fxs::mlir
