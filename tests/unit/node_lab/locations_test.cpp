// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/locations.h"

#include <gtest/gtest.h>

namespace fxs::node_lab {
namespace {

TEST(Locations, TextsThatDifferInThemOnlyHaveOnePattern) {
  const auto raw = [](const std::string& a, const std::string& b) {
    return "f(%arg0: T loc(" + a + ")) {\n  \"d.op\"() {n = \" loc(\"} : () -> () loc(" + b +
           ")\n  d.end loc(" + b + ")\n}";
  };
  const std::string a = R"("a"("fx":1:0))", b = R"_("b )"("fx":2:0))_", c = R"("c"("fx":3:0))";
  const LocationPattern ab = locationPattern(raw(a, b));
  EXPECT_EQ(
      ab.key,
      "f(%arg0: T loc(0)) {\n  \"d.op\"() {n = \" loc(\"} : () -> () loc(1)\n  d.end loc(1)\n}");
  EXPECT_EQ(ab.bodies, (std::vector<std::string>{a, b}));
  EXPECT_EQ(locationPattern(raw(b, c)).key, ab.key);
  // Where one node is listed twice, another may not be two.
  EXPECT_NE(locationPattern(raw(a, a)).key, ab.key);
  EXPECT_EQ(relocated(raw(a, b), relocation(ab, locationPattern(raw(b, a)))), raw(b, a));
}

TEST(Locations, FusedOnesAreReplacedInTheirPlace) {
  const Relocation change{{R"("a"("fx":1:0))", R"("x"("fx":9:0))"}};
  EXPECT_EQ(
      relocated(
          R"(op {s = "a"} loc(fused["a"("fx":1:0), "b"("fx":2:0), callsite("a"("fx":1:0) at "a"("fx":11:0))]))",
          change),
      R"(op {s = "a"} loc(fused["x"("fx":9:0), "b"("fx":2:0), callsite("x"("fx":9:0) at "a"("fx":11:0))]))");
}

}  // namespace
}  // namespace fxs::node_lab
