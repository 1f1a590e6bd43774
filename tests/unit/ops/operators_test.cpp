// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ops/operators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "ops/schema.h"

namespace fxs::ops {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Operators, EmbeddedTableHasNoMistakes) {
  EXPECT_THAT(OperatorTable::builtin().problems, IsEmpty());
}

TEST(Operators, EachIsOneOfPyTorch) {
  std::set<std::string, std::less<>> names;  // packets and overloads
  for (const std::string& target : SchemaTable::builtin().names()) {
    if (!target.starts_with("aten.") && !target.starts_with("prims.")) continue;
    const std::string overload = target.substr(target.find('.') + 1);
    names.insert(overload.substr(0, overload.find('.')));
    names.insert(overload);
  }
  std::vector<std::string_view> unknown;
  for (const auto& [name, row] : OperatorTable::builtin().rows)
    if (!name.starts_with("_operator.") && !names.contains(name)) unknown.push_back(name);
  EXPECT_THAT(unknown, IsEmpty());
}

TEST(Operators, MistakesAreNamed) {
  const OperatorTable table(
      "# comment\n"
      "add : bounds=sum\n"
      "abs : bounds=magnitude\n"
      "sub : bounds=sum bounds=product bound=sum\n"
      "sub : bounds=\n");
  EXPECT_THAT(table.problems, ElementsAre("abs is repeated, or not in order",
                                          "sub: 'bounds=product' is repeated, or is not a word",
                                          "sub: 'bound=sum' is repeated, or is not a word",
                                          "sub is repeated, or not in order",
                                          "sub: 'bounds=' is repeated, or is not a word"));
  EXPECT_EQ(table.rows.at("add").rule(Rule::Bounds), "sum");
  EXPECT_EQ(table.rows.at("add").rule(Rule::Domain), "");
}

TEST(Operators, NothingIsKnownWithoutARow) {
  EXPECT_EQ(operatorNamed("nonesuch").rule(Rule::Bounds), "");
}

}  // namespace
}  // namespace fxs::ops
