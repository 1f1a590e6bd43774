// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/calls.h"

#include <gtest/gtest.h>

#include "fx/text.h"

namespace fxs::support {
namespace {

constexpr std::string_view kText =
    "# made\n"
    "operator aten.relu.default\n"
    "f32 i64\tstatic\t1\ta: T[2, 3]\tr: T[2, 3] = aten.relu.default(a)\treturn r\n"
    "f32\tdynamic\t1\ta: T[s0, 3]\tr: T[s0, 3] = aten.relu.default(a)\treturn r\n"
    "operator aten.where.self\n"
    "f32\tstatic\t1\ta: b8[2]\tb: T[2]\tc: T[2]\tr: T[2] = aten.where.self(a, b, c)\treturn r\n";

TEST(Calls, ProgramHasTheElementTypeInPlaceOfT) {
  const auto calls = Calls::parse(kText);
  ASSERT_TRUE(calls) << calls.error().message;
  const Operator* relu = calls->find("aten.relu.default");
  ASSERT_NE(relu, nullptr);
  EXPECT_EQ(relu->programs(), 3U);
  const auto program = programOf(relu->calls[0], DType::Int64);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(fx::dump(**program),
            "graph():\n"
            "    %a : i64[2, 3] [num_users=1] = placeholder[target=a]\n"
            "    %r : i64[2, 3] [num_users=1] = "
            "call_function[target=torch.ops.aten.relu.default](args = (%a,), kwargs = {})\n"
            "    return (r,)\n");
}

TEST(Calls, AConditionDoesNotSayTheElementType) {
  const auto calls = Calls::parse(kText);
  ASSERT_TRUE(calls);
  const auto program = programOf(calls->find("aten.where.self")->calls[0], DType::Float32);
  ASSERT_TRUE(program);
  const fx::Node& call = (*program)->nodes[3];
  EXPECT_EQ(dtypeOf(**program, call), DType::Float32);
  EXPECT_EQ(sizesOf(**program, call), Sizes::Static);
}

TEST(Calls, ErrorsNameTheLine) {
  const auto message = [](std::string_view text) { return Calls::parse(text).error().message; };
  EXPECT_EQ(message("f32\tstatic\t1\treturn a\n"),
            "calls of the support matrix: line 1: expected an operator");
  EXPECT_EQ(message("operator b\noperator a\n"),
            "calls of the support matrix: line 2: operators are not sorted");
  EXPECT_EQ(message("operator a\nf33\tstatic\t1\treturn a\n"),
            "calls of the support matrix: line 2: 'f33' is not an element type");
  EXPECT_EQ(message("operator a\nf32\tfixed\t1\treturn a\n"),
            "calls of the support matrix: line 2: expected static or dynamic");
  EXPECT_EQ(message("operator a\nf32\tstatic\tone\treturn a\n"),
            "calls of the support matrix: line 2: expected the number of a form");
}

TEST(Calls, APartOfANameFindsThePacketFirst) {
  const auto calls = Calls::parse(kText);
  ASSERT_TRUE(calls);
  EXPECT_EQ(calls->matching("relu")->front()->name, "aten.relu.default");
  EXPECT_EQ(calls->matching("whe")->front()->name, "aten.where.self");
  EXPECT_EQ(calls->matching("relo").error().message,
            "no measured operator has 'relo' in its name; did you mean 'relu'?");
}

TEST(Calls, EveryBuiltInCallIsAProgramOfItsOperatorAndCell) {
  const Calls& calls = Calls::builtin();
  EXPECT_GE(calls.operators().size(), 400U);
  for (const Operator& op : calls.operators())
    for (const Call& call : op.calls)
      for (const DType dtype : call.dtypes) {
        const auto program = programOf(call, dtype);
        ASSERT_TRUE(program) << op.name << ": " << program.error().message;
        int found = 0;
        for (const fx::Node& node : (*program)->nodes) {
          if (node.target != op.name) continue;
          ++found;
          EXPECT_EQ(dtypeOf(**program, node), dtype) << op.name << ": " << call.statements;
          EXPECT_EQ(sizesOf(**program, node), call.sizes) << op.name << ": " << call.statements;
        }
        EXPECT_GE(found, 1) << op.name;
      }
}

}  // namespace
}  // namespace fxs::support
