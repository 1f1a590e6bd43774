// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "features/inspector/node_presenter.h"
#include "fx/text.h"

namespace fxs::ui {
namespace {

QString argumentLines(const NodeState& state) {
  QStringList lines;
  for (const ArgumentRow& row : state.arguments)
    lines << row.name + " = " + row.value + (row.type.isEmpty() ? QString() : " : " + row.type) +
                 (row.isDefault ? " (default)" : "");
  return lines.join('\n');
}

TEST(NodeState, ArgumentsGoBySchemaNameWithDefaultsMarked) {
  const auto program = fx::graphFrom(
      "x: f32[2, 4] = placeholder\ny: f32[2, 4] = placeholder\nz: f32[2, 4] = aten.add.Tensor(x, "
      "y)\nreturn z");
  ASSERT_TRUE(program) << toString(program.error());
  const fx::Node& add = *(*program)->findNode("z");
  const NodeState state = nodeState(**program, nullptr, add.id, {});
  EXPECT_EQ(argumentLines(state),
            "self = %x : f32[2, 4]\nother = %y : f32[2, 4]\nalpha = 1 (default)");
  EXPECT_EQ(state.result, "f32[2, 4]");
  EXPECT_EQ(state.schema,
            "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
}

TEST(NodeState, UsersAreNamed) {
  const auto program =
      fx::graphFrom("x: f32[2] = placeholder\ny: f32[2] = aten.relu.default(x)\nreturn y");
  ASSERT_TRUE(program) << toString(program.error());
  const auto users = fx::usersOf(**program);
  const fx::NodeId x = (*program)->findNode("x")->id;
  const NodeState state = nodeState(**program, nullptr, x, users[x.index()]);
  ASSERT_EQ(state.users.size(), 1U);
  EXPECT_EQ(state.users[0].name, "y");
  EXPECT_EQ(state.users[0].target, "aten.relu.default");
}

}  // namespace
}  // namespace fxs::ui
