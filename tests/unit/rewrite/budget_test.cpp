// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A node may ask for more nodes than there can be: the rewrite ends in an error that names it,
// before it has made them.
#include <gtest/gtest.h>

#include "rewritten.h"

namespace fxs::rewrite {
namespace {

std::string outcome(std::string_view text, std::uint64_t nodes = 1000) {
  const auto program = fx::graphFrom(text);
  if (!program) return program.error().message;
  BudgetLimits limits;
  limits[Resource::Nodes] = nodes;
  RunContext context;
  context.budget = std::make_shared<const Budget>(limits);
  try {
    const auto done = rewrite(*program, {}, context);
    return done ? "rewritten" : done.error().message;
  } catch (const Abandoned& abandoned) {
    return abandoned.error.message;
  }
}

std::string refusal(const char* node) {
  return std::string("node '") + node +
         "': exceeds the limit of 1,000 nodes for one input; if you trust it, raise the limit with "
         "--limit nodes=..";
}

TEST(RewriteBudget, PartsWithoutEndAreRefusedBeforeTheyAreMade) {
  for (const char* call : {"aten.unbind.int(x, 0)", "aten.unsafe_split.Tensor(x, 1, 0)",
                           "aten.unsafe_chunk.default(x, 10000000000, 0)"})
    EXPECT_EQ(
        outcome(std::string("x: f32[10000000000] = placeholder\ny: ? = ") + call + "\nreturn x"),
        refusal("y"))
        << call;
}

TEST(RewriteBudget, SectionsArePaidFor) {
  EXPECT_EQ(
      outcome(
          "x: f32[5000] = placeholder\ny: ? = aten.tensor_split.sections(x, 2000, 0)\nreturn x"),
      refusal("y"));
}

TEST(RewriteBudget, WhatIsWithinTheBudgetIsRewritten) {
  EXPECT_EQ(outcome("x: f32[10] = placeholder\ny: ? = aten.unbind.int(x, 0)\nreturn x"),
            "rewritten");
}

TEST(RewriteBudget, ACutPastTheLastNumberIsNoCut) {
  EXPECT_EQ(outcome("x: f32[4] = placeholder\ny: ? = aten.unsafe_split.Tensor(x, "
                    "9223372036854775807, 0)\nreturn x"),
            "rewritten");
  EXPECT_EQ(outcome("x: f32[4] = placeholder\ny: ? = aten.unsafe_chunk.default(x, "
                    "9223372036854775807, 0)\nreturn x"),
            "rewritten");
}

}  // namespace
}  // namespace fxs::rewrite
