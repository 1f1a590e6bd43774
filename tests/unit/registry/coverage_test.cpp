// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <set>

#include "lowered_text.h"
#include "ops/schema.h"

namespace fxs::registry::test {
namespace {

std::set<std::string> loweredClasses() {
  std::set<std::string> out;
  for (const Registry& registry : builtinRegistries().all())
    for (const auto& [opClass, handler] : registry.handlers) out.insert(opClass);
  return out;
}

TEST(Registries, LowerAtLeast120OpClasses) { EXPECT_GE(loweredClasses().size(), 120U); }

TEST(Registries, LowerOnlyClassesThatThereAre) {
  for (const std::string& opClass : loweredClasses())
    EXPECT_TRUE(OpClasses::builtin().has(opClass)) << opClass;
}

TEST(Registries, EachClassStandsForAnOperator) {
  // A handler that no FX operator reaches would never be asked.
  std::set<std::string, std::less<>> reached;
  for (const std::string& target : ops::SchemaTable::builtin().names())
    if (const std::string_view opClass = OpClasses::builtin().of(target); !opClass.empty())
      reached.emplace(opClass);
  for (const std::string& opClass : loweredClasses())
    EXPECT_TRUE(reached.contains(opClass)) << opClass;
}

TEST(Registries, MathHasTheFunctionsOfBuddy) {
  EXPECT_EQ(builtinRegistries().find("math")->handlers.size(), 29U);
}

TEST(LinalgRegistry, LowersWhatTosaRefuses) {
  const std::string_view program =
      "x: f32[6] = placeholder\ny: f32[3] = aten.slice.Tensor(x, 0, 0, 6, 2)\nreturn y";
  DirectOptions linalg;
  linalg.primary = "linalg";
  EXPECT_EQ(coverage(program, linalg), "y: lowered linalg SliceOp 1\n");
}

TEST(LinalgRegistry, BroadcastsByIndexingMaps) {
  DirectOptions linalg;
  linalg.primary = "linalg";
  EXPECT_EQ(body("x: f32[2, 1] = placeholder\ny: f32[3] = placeholder\nz: f32[2, 3] = "
                 "aten.add.Tensor(x, y)\nreturn z",
                 linalg),
            "%0 = \"tensor.empty\"() : () -> tensor<2x3xf32>\n"
            "%1 = \"linalg.generic\"(%arg0, %arg1, %0) <{indexing_maps = [affine_map<(d0, d1) -> "
            "(d0, 0)>, affine_map<(d0, d1) -> (d1)>, "
            "affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, "
            "#linalg.iterator_type<parallel>], "
            "operandSegmentSizes = array<i32: 2, 1>}> ({\n"
            "^bb0(%b0: f32, %b1: f32, %b2: f32):\n"
            "  %2 = \"arith.addf\"(%b0, %b1) : (f32, f32) -> f32\n"
            "  \"linalg.yield\"(%2) : (f32) -> ()\n"
            "}) : (tensor<2x1xf32>, tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>\n"
            "\"func.return\"(%1) : (tensor<2x3xf32>) -> ()\n");
}

TEST(LinalgRegistry, AMaskAsAnIndexIsRefusedWithTheReason) {
  EXPECT_EQ(coverage("x: f32[4] = placeholder\nm: b8[4] = placeholder\ny: f32[2] = "
                     "aten.index.Tensor(x, [m])\nreturn y"),
            "y: refused IndexOp 1\n"
            "  linalg: a bool mask selects a data-dependent number of elements; registries support "
            "static sizes only\n");
}

TEST(LinalgRegistry, PartsWithoutElementsAreNotWritten) {
  // An empty slice at the end is out of bounds in MLIR.
  const std::string_view program =
      "x: f32[3, 4] = placeholder\ne: f32[3, 0] = aten.slice.Tensor(x, 1, 4)\ny: f32[3, 4] = "
      "aten.cat.default([x, e], -1)\nreturn y";
  for (const char* primary : {"tosa", "linalg"}) {
    DirectOptions options;
    options.primary = primary;
    const std::string text = body(program, options);  // which the engine verifies
    EXPECT_EQ(text.find("static_sizes = array<i64: 3, 0>"), std::string::npos) << text;
  }
}

TEST(LinalgRegistry, ASliceBeyondItsTensorIsRefusedAtItsNode) {
  DirectOptions linalg;
  linalg.primary = "linalg";
  linalg.fallbacks.clear();
  EXPECT_EQ(coverage("x: f32[4] = placeholder\ny: (f32[3], f32[2]) = "
                     "aten.split_with_sizes.default(x, [3, 2])\nz: f32[3] = "
                     "operator.getitem(y, 0)\nreturn z",
                     linalg),
            "y: refused SplitWithSizesOp 1\n  linalg: incompatible sizes: 2 elements from 3 on are "
            "out of range for size 4\n");
}

TEST(MathRegistry, ComputesTheHalfTypesInF32) {
  EXPECT_EQ(body("x: f16[2] = placeholder\ny: f16[2] = aten.sqrt.default(x)\nreturn y"),
            "%0 = \"arith.extf\"(%arg0) : (tensor<2xf16>) -> tensor<2xf32>\n"
            "%1 = \"math.sqrt\"(%0) : (tensor<2xf32>) -> tensor<2xf32>\n"
            "%2 = \"arith.truncf\"(%1) : (tensor<2xf32>) -> tensor<2xf16>\n"
            "\"func.return\"(%2) : (tensor<2xf16>) -> ()\n");
}

}  // namespace
}  // namespace fxs::registry::test
