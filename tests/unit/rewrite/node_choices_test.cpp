// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What rewriting does to single nodes: other arguments, and decompositions on or off.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rewrite/rewrite.h"
#include "rewritten.h"

namespace fxs::rewrite {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kTwoGelus =
    "x: f32[2, 4] = placeholder\n"
    "gelu: f32[2, 4] = aten.gelu.default(x)\n"
    "gelu_1: f32[2, 4] = aten.gelu.default(gelu)\n"
    "return gelu_1\n";

std::string withArgument(const std::string& node, const std::string& name,
                         const std::string& value) {
  RewriteOptions options = withoutDecompositions();
  options.arguments = {{{node, name}, value}};
  return rewritten(kTwoGelus, options);
}

TEST(NodeChoices, ArgumentHasTheGivenValue) {
  const std::string out = withArgument("gelu", "approximate", "'tanh'");
  EXPECT_THAT(out, HasSubstr("%gelu : f32[2, 4] [num_users=1] = "
                             "call_function[target=torch.ops.aten.gelu.default](args = (%x,), "
                             "kwargs = {approximate: 'tanh'})"));
  EXPECT_THAT(out, HasSubstr("(args = (%gelu,), kwargs = {})"));
  EXPECT_THAT(withArgument("gelu_1", "self", "%x"), Not(HasSubstr("%gelu : ")));
}

TEST(NodeChoices, OriginsAreNodesOfTheProgram) {
  const auto program = fx::graphFrom(kTwoGelus);
  RewriteOptions options;
  options.arguments = {{{"gelu_1", "approximate"}, "'tanh'"}};
  const auto done = rewrite(*program, options, RunContext{});
  ASSERT_TRUE(done.has_value());
  EXPECT_EQ((*done)->program->original, *program);
  ASSERT_EQ((*done)->applied.size(), 1u);
  EXPECT_EQ((*done)->applied[0].rule, "set-argument:approximate");
  EXPECT_EQ((*done)->applied[0].origin, (*program)->findNode("gelu_1")->id);
}

TEST(NodeChoices, WrongArgumentsAreRefusedWithTheWayOut) {
  EXPECT_EQ(withArgument("gelo", "self", "%x"),
            "error: the program has no node 'gelo'; did you mean 'gelu'?");
  EXPECT_EQ(withArgument("gelu", "aproximate", "'tanh'"),
            "error: node 'gelu' (aten.gelu.default) has no argument 'aproximate'; did you mean "
            "'approximate'?");
  const std::string way = "; values are written as `inspect --graph` prints them";
  EXPECT_EQ(withArgument("gelu", "approximate", "tanh"),
            "error: argument 'approximate' of node 'gelu': expected str, got tanh" + way);
  EXPECT_EQ(withArgument("gelu", "self", "%gelu_1"),  // which comes later
            "error: argument 'self' of node 'gelu': expected a value, got %gelu_1" + way);
  EXPECT_EQ(withArgument("gelu", "self", "%x, 1"),
            "error: argument 'self' of node 'gelu': expected a value, got %x, 1" + way);
}

TEST(NodeChoices, OneNodeIsDecomposedOrKept) {
  RewriteOptions options;
  options.decomposeNodes = {"gelu_1"};
  const std::string one = rewritten(kTwoGelus, options);
  EXPECT_THAT(one, HasSubstr("%gelu : f32[2, 4]"));
  EXPECT_THAT(one, Not(HasSubstr("%gelu_1 : ")));
  options = {};
  options.decompose = {"aten.gelu"};
  options.keepNodes = {"gelu_1"};
  const std::string other = rewritten(kTwoGelus, options);
  EXPECT_THAT(other, Not(HasSubstr("%gelu : ")));
  EXPECT_THAT(other, HasSubstr("%gelu_1 : f32[2, 4]"));
}

TEST(NodeChoices, WhatCannotBeDoneIsRefused) {
  RewriteOptions options;
  options.decomposeNodes = {"x"};
  EXPECT_EQ(rewritten(kTwoGelus, options),
            "error: node 'x': there is no decomposition of x in this form");
  options.decomposeNodes = {"gelu"};
  options.keepNodes = {"gelu"};
  EXPECT_EQ(rewritten(kTwoGelus, options), "error: node 'gelu' is to be decomposed and kept");
  options = {};
  options.keepNodes = {"gelu_2"};
  EXPECT_EQ(rewritten(kTwoGelus, options),
            "error: the program has no node 'gelu_2'; did you mean 'gelu_1'?");
}

}  // namespace
}  // namespace fxs::rewrite
