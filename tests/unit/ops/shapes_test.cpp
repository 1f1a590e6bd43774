// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ops/shapes.h"

#include <gtest/gtest.h>

#include "fx/sym_expr.h"

namespace fxs::ops {
namespace {

using Shape = std::vector<std::int64_t>;

TEST(Shapes, BroadcastAlignsTheLastDimensions) {
  EXPECT_EQ(broadcastShapes(Shape{2, 1, 4}, Shape{3, 1}), (Shape{2, 3, 4}));
  EXPECT_EQ(broadcastShapes(Shape{3, 1}, Shape{2, 1, 4}), (Shape{2, 3, 4}));
  EXPECT_EQ(broadcastShapes(Shape{}, Shape{5}), (Shape{5}));
  EXPECT_EQ(broadcastShapes(Shape{}, Shape{}), (Shape{}));
  EXPECT_EQ(broadcastShapes(Shape{1}, Shape{0}), (Shape{0}));
}

TEST(Shapes, SizesThatDifferDoNotBroadcast) {
  EXPECT_EQ(broadcastShapes(Shape{2}, Shape{3}), std::nullopt);
  EXPECT_EQ(broadcastShapes(Shape{0}, Shape{3}), std::nullopt);
  EXPECT_EQ(broadcastShapes(Shape{4, 2}, Shape{3, 3, 2}), std::nullopt);
}

TEST(Shapes, SymbolsBroadcastWhereTheyAreTheSame) {
  const fx::SymInt s0(fx::SymExpr::symbol("s0")), s1(fx::SymExpr::symbol("s1"));
  using Symbols = std::vector<fx::SymInt>;
  EXPECT_EQ(broadcastShapes(Symbols{s0, 1}, Symbols{s0, s1}), (Symbols{s0, s1}));
  EXPECT_EQ(broadcastShapes(Symbols{s0}, Symbols{s1}), std::nullopt);
  EXPECT_EQ(broadcastShapes(Symbols{s0}, Symbols{4}), std::nullopt);
  const auto first = [](const fx::SymInt& size, const fx::SymInt&) { return std::optional(size); };
  EXPECT_EQ(broadcastShapes(Symbols{s1}, Symbols{4, s0}, first), (Symbols{4, s0}))
      << "the shape of more dimensions comes first";
}

TEST(Shapes, NegativeIndicesCountFromTheEnd) {
  EXPECT_EQ(wrapIndex(-1, 3), 2u);
  EXPECT_EQ(wrapIndex(-3, 3), 0u);
  EXPECT_EQ(wrapIndex(2, 3), 2u);
  for (const std::int64_t beyond : {std::int64_t{3}, std::int64_t{-4}, INT64_MIN, INT64_MAX})
    EXPECT_EQ(wrapIndex(beyond, 3), std::nullopt);
  EXPECT_EQ(wrapIndex(0, 0), std::nullopt);
}

TEST(Shapes, ATensorWithoutDimensionsHasOneToName) {
  EXPECT_EQ(wrapDim(0, 0), 0u);
  EXPECT_EQ(wrapDim(-1, 0), 0u);
  EXPECT_EQ(wrapDim(1, 0), std::nullopt);
  EXPECT_EQ(wrapDim(-2, 2), 0u);
  EXPECT_EQ(wrapDim(-3, 2), std::nullopt);
}

TEST(Shapes, SliceBoundsAreCutToTheSize) {
  EXPECT_EQ(sliceBound(-2, 5), 3);
  EXPECT_EQ(sliceBound(-9, 5), 0);
  EXPECT_EQ(sliceBound(INT64_MAX, 5), 5);
  EXPECT_EQ(sliceBound(INT64_MIN, 5), 0);
  EXPECT_EQ(sliceBound(3, -1), 0) << "what a file says of a size need not be one";
}

}  // namespace
}  // namespace fxs::ops
