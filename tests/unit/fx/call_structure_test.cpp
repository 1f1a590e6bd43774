// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/call_structure.h"

#include <gtest/gtest.h>

#include <string>

namespace fxs::fx {
namespace {

const std::string kLeaf = R"({"type": null, "context": null, "children_spec": []})";

std::string node(const std::string& type, const std::string& context, const std::string& children) {
  return R"({"type": ")" + type + R"(", "context": )" + context + R"(, "children_spec": [)" +
         children + "]}";
}
std::string tree(const std::string& root) { return "[1, " + root + "]"; }

TEST(CallStructure, CountsLeavesAndArguments) {
  const std::string dict = node("builtins.dict", R"("[\"a\", 7]")", kLeaf + ", " + kLeaf);
  const std::string call =
      tree(node("builtins.tuple", R"("null")",
                node("builtins.tuple", R"("null")", kLeaf + ", " + dict) + ", " +
                    node("builtins.dict", R"("[\"k\"]")", node("model.State", "null", kLeaf))));
  const auto leaves = leavesOf(call);
  ASSERT_TRUE(leaves);
  EXPECT_EQ(leaves->count, 4U);
  EXPECT_EQ(leaves->arguments, 3U);
  EXPECT_EQ(leavesOf(tree(kLeaf))->count, 1U);
}

/// What torch.export.load would import by the name in the text.
TEST(CallStructure, RefusesWhatWouldImportAModule) {
  const auto factory = [](const std::string& module, const std::string& name) {
    return tree(node("collections.defaultdict",
                     R"({"default_factory_module": ")" + module +
                         R"(", "default_factory_name": ")" + name + R"(", "dict_context": ["a"]})",
                     kLeaf));
  };
  EXPECT_TRUE(leavesOf(factory("builtins", "list")));
  EXPECT_FALSE(leavesOf(factory("builtins", "eval")));
  EXPECT_FALSE(leavesOf(factory("os", "system")));
  EXPECT_FALSE(leavesOf(tree(node("collections.defaultdict", R"("null")", kLeaf))));
  const std::string enumeration = R"("[{\"__enum__\": true, \"fqn\": \"os:X\", \"name\": \"Y\"}]")";
  EXPECT_FALSE(leavesOf(tree(node("builtins.dict", enumeration, kLeaf))));
  EXPECT_FALSE(leavesOf(tree(node("builtins.dict", R"("[\"\\u005f_enum__\"]")", kLeaf))));
}

TEST(CallStructure, RefusesOtherTexts) {
  for (const std::string& text :
       {std::string(), std::string("null"), std::string("[]"), tree("7"), "[2, " + kLeaf + "]",
        tree(R"({"type": null, "context": null})"), tree(node("a'b", "null", kLeaf)),
        tree(R"({"type": null, "context": null, "children_spec": [)" + kLeaf + "]}")})
    EXPECT_FALSE(leavesOf(text)) << text;
  std::string deep = kLeaf;
  for (int i = 0; i < 200; ++i) deep = node("builtins.list", R"("null")", deep);
  EXPECT_FALSE(leavesOf(tree(deep)));
}

}  // namespace
}  // namespace fxs::fx
