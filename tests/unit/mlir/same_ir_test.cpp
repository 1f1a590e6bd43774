// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/compare/same_ir.h"

#include <gtest/gtest.h>

namespace fxs::mlir {
namespace {

constexpr std::string_view kText =
    "#loc1 = loc(\"fx\":1:0)\n"
    "#map = affine_map<(d0) -> (d0)>\n"
    "module {\n"
    "  func.func @main(%arg0: f32 loc(\"x\"(#loc1))) -> f32 {\n"
    "    return %arg0 : f32 loc(#loc)\n"
    "  } loc(#loc)\n"
    "} loc(#loc)\n"
    "#loc = loc(unknown)\n";

TEST(SameIr, LocationsAndTheirAliasesDoNotCount) {
  EXPECT_TRUE(sameButLocations(kText,
                               "// -----// IR Dump After CSEPass: cse //----- //\n"
                               "#map = affine_map<(d0) -> (d0)>\n"
                               "module {\n"
                               "  func.func @main(%arg0: f32) -> f32 {\n"
                               "    return %arg0 : f32\n"
                               "  }\n"
                               "}\n\n"));
}

TEST(SameIr, OtherAliasesNamesAndStringsCount) {
  const auto with = [](std::string_view from, std::string_view to) {
    std::string text(kText);
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_FALSE(sameButLocations(kText, with("(d0)>", "(-d0)>")));
  EXPECT_FALSE(sameButLocations(kText, with("return %arg0 : f32", "return %arg0 : f64")));
  EXPECT_FALSE(sameButLocations(
      kText, with("  } loc(#loc)\n", "  } loc(#loc)\n  func.func private @f()\n")));
  EXPECT_FALSE(sameButLocations("\"a.b\"() {s = \" loc(x)\"} : () -> ()\n",
                                "\"a.b\"() {s = \" loc(y)\"} : () -> ()\n"));
}

TEST(SameIr, CutOffLocationEndsTheText) {
  EXPECT_TRUE(sameButLocations("module {\n} loc(\"a\"(", "module {\n}"));
  EXPECT_FALSE(sameButLocations("module {\n} loc(\"a\"(", "module {\n"));
  EXPECT_TRUE(sameButLocations("", ""));
}

TEST(SameIr, BodyBeginsAfterAliasesAndComments) {
  EXPECT_EQ(bodyLine(kText), 2u);
  EXPECT_EQ(bodyLine("// -----// IR Dump //----- //\n\nmodule {\n}\n"), 2u);
  EXPECT_EQ(bodyLine("module {\n}\n"), 0u);
}

}  // namespace
}  // namespace fxs::mlir
