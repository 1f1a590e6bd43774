// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether PyTorch's own decompositions are a change to try.
#include <gtest/gtest.h>

#include "diagnose/change.h"
#include "fx/text.h"

namespace fxs::diagnose {
namespace {

std::optional<Change> proposed(std::string_view text, RewriteBase base = {}) {
  const auto program = fx::graphFrom(text);
  EXPECT_TRUE(program.has_value()) << text;
  if (!program) return std::nullopt;
  base.user = *program;
  const auto change = runDecompositions(base, RunContext{});
  EXPECT_TRUE(change.has_value()) << text;
  return change ? *change : std::nullopt;
}

constexpr std::string_view kLinear =
    "x: f32[2, 4] = placeholder\nw: f32[5, 4] = placeholder\n"
    "y: f32[2, 5] = aten.linear.default(x, w)\nreturn y\n";

TEST(RunDecompositions, AreTriedWhereTheirFormIsKnown) {
  const auto change = proposed(kLinear);
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->snippet, "program = program.run_decompositions()");
  EXPECT_TRUE(change->cost.empty());
  EXPECT_FALSE(
      proposed("i: i64[3] = placeholder\ny: i64[3, 4] = aten.one_hot.default(i, 4)\n"
               "return y\n"));
  // PyTorch keeps no call of it, and nothing here takes it apart.
  EXPECT_FALSE(
      proposed("x: f32[4] = placeholder\ny: f32[2] = "
               "aten.tensor_split.tensor_indices_or_sections(x, x)\nreturn y\n"));
}

TEST(RunDecompositions, AreNotTriedOfAProgramThatIsImportedAsRead) {
  RewriteBase base;
  base.parity = true;
  EXPECT_FALSE(proposed(kLinear, base));
}

TEST(RunDecompositions, AreNotTriedInPlaceOfWhatCorrectsTheEngine) {
  EXPECT_FALSE(
      proposed("x: f32[1, 2, 4, 4, 4] = placeholder\n"
               "y: (f32[1, 2, 2, 2, 2], i64[1, 2, 2, 2, 2]) = aten.adaptive_max_pool3d.default(x, "
               "[2, 2, 2])\n"
               "z: f32[1, 2, 2, 2, 2] = _operator.getitem(y, 0)\nreturn z\n"));
}

}  // namespace
}  // namespace fxs::diagnose
