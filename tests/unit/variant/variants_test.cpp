// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "variant/variants.h"

#include <gtest/gtest.h>

#include "base/byte_source.h"
#include "fake_engine.h"

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

TEST(Variants, FileIsThatOfTheSchema) {  // which tests/cli/variant_test.py holds against it
  const std::string file = FXS_SOURCE_DIR "/tests/fuzz/corpus/variants/tree";
  const auto stored = readWholeFile(file, 1 << 20);
  ASSERT_TRUE(stored);
  EXPECT_EQ(*stored, print(tree()));
}

TEST(Variants, FileThatCannotBeReadIsLeftAsItIs) {
  const test::TemporaryDirectory dir;
  const std::string program = dir.file("model.pt2"), file = fileBeside(program);
  ASSERT_TRUE(mergeBeside(program, {}, tree()));
  EXPECT_EQ(textOf(readBeside(program)), print(tree()));
  const std::string broken = R"({"schema": "fxscope-variants/2", "variants": []})";
  ASSERT_TRUE(writeWholeFile(file, broken));
  const std::string message =
      file +
      ": schema: expected fxscope-variants/1, got 'fxscope-variants/2'; correct the file, or move "
      "it away: until then it is left as it is";
  EXPECT_EQ(textOf(readBeside(program)), message);
  for (const Variants& variants : {tree(), Variants()}) {
    const Result<Merged> written = mergeBeside(program, {}, variants);
    ASSERT_FALSE(written.has_value());
    EXPECT_EQ(written.error().message, message);
    EXPECT_EQ(*readWholeFile(file, 1 << 20), broken);
  }
  ASSERT_TRUE(writeWholeFile(file, print(tree())));
  ASSERT_TRUE(mergeBeside(program, tree(), {}));
  EXPECT_EQ(readWholeFile(file, 1).error().code, ErrorCode::NotFound);
}

Variant made(const std::string& name, const std::string& parent = "",
             const std::string& text = "module {\n}\n") {
  return {name, parent, "", "tosa", std::make_shared<lower::Edit>(lower::Edit{"torch", {}, text}),
          {},   {}};
}

/// "name < parent: text", a line each.
std::string listed(const Variants& variants) {
  std::string out;
  for (const Variant& each : variants)
    out += each.name + (each.parent.empty() ? "" : " < " + each.parent) + ": " + each.edit->text +
           "\n";
  return out;
}

TEST(Variants, OfTwoWindowsAreBothKept) {
  const test::TemporaryDirectory dir;
  const std::string program = dir.file("model.pt2");
  ASSERT_TRUE(writeWholeFile(program, "a program"));
  const Variants read = {made("shared", "", "0")};
  ASSERT_TRUE(mergeBeside(program, {}, read));
  Variants first = read, second = read;
  first.push_back(made("edited torch", "", "1"));
  first.push_back(made("below", "edited torch", "1a"));
  second.push_back(made("edited torch", "", "2"));
  second.push_back(made("deeper", "edited torch", "2a"));
  const auto ofFirst = mergeBeside(program, read, first);
  ASSERT_TRUE(ofFirst);
  EXPECT_EQ(listed(ofFirst->all), listed(first));
  // The names of the second are taken meanwhile.
  const auto ofSecond = mergeBeside(program, read, second);
  ASSERT_TRUE(ofSecond);
  EXPECT_EQ(ofSecond->renamed,
            (std::map<std::string, std::string>{{"edited torch", "edited torch 2"}}));
  const std::string both =
      "shared: 0\nedited torch 2: 2\ndeeper < edited torch 2: 2a\nedited torch: 1\n"
      "below < edited torch: 1a\n";
  EXPECT_EQ(listed(ofSecond->all), both);
  // The first drops what both read, and learns what the second made.
  first.erase(first.begin());
  const auto again = mergeBeside(program, ofFirst->all, first);
  ASSERT_TRUE(again);
  EXPECT_EQ(listed(again->all), both.substr(both.find('\n') + 1));
  EXPECT_EQ(textOf(readBeside(program)), print(again->all));
}

TEST(Variants, MergeKeepsWhatTheOtherChangedOrMadeOthersFrom) {
  const Variants base = {made("a", "", "0"), made("b", "a", "0"), made("c", "", "0")};
  const auto all = [&](const Variants& mine, const Variants& theirs) {
    return listed(merged(base, mine, theirs).all);
  };
  EXPECT_EQ(all(base, base), listed(base));
  EXPECT_EQ(all({}, base), "");
  EXPECT_EQ(all(base, {}), "");
  // One drops, the other changes.
  const Variants changed = {made("a", "", "0"), made("b", "a", "1"), made("c", "", "0")};
  EXPECT_EQ(all({}, changed), "a: 0\nb < a: 1\n");
  EXPECT_EQ(all(changed, {}), "a: 0\nb < a: 1\n");
  // One drops, the other makes one from it.
  Variants more = base;
  more.push_back(made("d", "b", "1"));
  EXPECT_EQ(all({}, more), "a: 0\nb < a: 0\nd < b: 1\n");
  EXPECT_EQ(all(more, {}), "a: 0\nb < a: 0\nd < b: 1\n");
  // One renames: what the other made from it stays below what it was.
  const Variants renamed = {made("A", "", "0"), made("b", "A", "0"), made("c", "", "0")};
  EXPECT_EQ(all(renamed, base), listed(renamed));
  EXPECT_EQ(all(base, renamed), listed(renamed));
  more.push_back(made("e", "a", "1"));
  EXPECT_EQ(all(renamed, more), "A: 0\na: 0\nb < A: 0\nc: 0\nd < b: 1\ne < a: 1\n");
  // Both change one: both are kept. Both make the same change: it is one.
  const Variants other = {made("a", "", "0"), made("b", "a", "2"), made("c", "", "0")};
  EXPECT_EQ(all(other, changed), "a: 0\nb 2 < a: 2\nb < a: 1\nc: 0\n");
  EXPECT_EQ(all(changed, changed), listed(changed));
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
  EXPECT_EQ(error("{\"name\": \"a\", \"skipped\": {}, " + rest + "}"),
            "f: variants[0].skipped: expected an array, got an object");
  EXPECT_EQ(error("{\"name\": \"a\", \"pipelines\": {\"torch\": 1}, " + rest + "}"),
            "f: variants[0].pipelines.torch: expected a string, got an integer");
  EXPECT_EQ(error("{\"name\": \"a\", \"target\": \"tosa\"}"),
            "f: variants[0]: member 'change' is missing");
}

}  // namespace
}  // namespace fxs::variant
