// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "variant/variants.h"

#include <gtest/gtest.h>

namespace fxs::variant {
namespace {

Variants tree() {
  auto edit = std::make_shared<lower::Edit>(lower::Edit{"torch", 3, "module {\n}\n"});
  return {{"first", "", "torch, after pass 4: 1 changed", "tosa", edit, {}, {}},
          {"second", "first", "without pass 9", "tosa", edit, {{"tosa", 1}}, {}},
          {"third", "", "other passes", "tosa", nullptr, {}, {{"tosa", "builtin.module(cse)"}}}};
}

std::string textOf(const Result<Variants>& variants) {
  return variants ? print(*variants) : variants.error().message;
}

TEST(Variants, WhatIsWrittenIsRead) {
  const std::string text = print(tree());
  EXPECT_EQ(textOf(parse(text, "model.pt2.variants.json")), text);
  EXPECT_EQ(textOf(parse(print({}), "x")), print({}));
}

TEST(Variants, RemovingOneRemovesThoseMadeFromIt) {
  const Variants left = without(tree(), "first");
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left.front().name, "third");
  EXPECT_EQ(freeName(tree(), "first"), "first 2");
  EXPECT_EQ(freeName(tree(), "new"), "new");
}

TEST(Variants, OptionsAreThoseOfTheVariant) {
  const Variants all = tree();
  const lower::LowerOptions options = optionsOf(all[1], {});
  EXPECT_EQ(options.edit, all[1].edit);
  EXPECT_EQ(options.skipped, all[1].skipped);
  EXPECT_FALSE(options == lower::LowerOptions{});
}

TEST(Variants, ErrorsNameTheMember) {
  const auto error = [](std::string_view members) {
    return textOf(parse(
        "{\"schema\": \"fxscope-variants/1\", \"variants\": [" + std::string(members) + "]}", "f"));
  };
  const std::string rest = R"("change": "", "target": "tosa")";
  EXPECT_EQ(error("{\"name\": \"a\", \"parent\": \"b\", " + rest + "}"),
            "f: variants[0].parent: expected the name of a variant before this one, got 'b'");
  EXPECT_EQ(error("{\"name\": \"\", " + rest + "}"),
            "f: variants[0].name: expected a name that no other variant has, got ''");
  EXPECT_EQ(error("{\"name\": \"a\", \"other\": 1, " + rest + "}"),
            "f: variants[0].other: unknown member; a newer fxscope may have written it");
  EXPECT_EQ(
      error("{\"name\": \"a\", \"edit\": {\"stage\": \"raw\", \"pass\": -1, \"text\": \"\"}, " +
            rest + "}"),
      "f: variants[0].edit.pass: expected the index of a pass");
}

}  // namespace
}  // namespace fxs::variant
