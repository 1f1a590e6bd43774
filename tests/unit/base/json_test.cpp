// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace fxs {
namespace {

std::shared_ptr<const JsonDocument> parsed(std::string_view text) {
  auto document = JsonDocument::parse(text, "t.json");
  if (!document) throw std::runtime_error(toString(document.error()));
  return *document;
}
std::string errorOf(std::string_view text, JsonLimits limits = {}) {
  auto document = JsonDocument::parse(text, "t.json", limits);
  return document ? "it parses" : toString(document.error());
}
template <class T>
std::string errorOf(const Result<T>& result) {
  return result ? "no error" : toString(result.error());
}

TEST(Json, IntegersAreExact) {
  auto document = parsed("[9223372036854775807, -9223372036854775808, 18446744073709551615, 0]");
  std::vector<Json> items;
  for (Json item : document->root()) items.push_back(item);
  EXPECT_EQ(*items[0].asInt(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(*items[1].asInt(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(errorOf(items[2].asInt()),
            "t.json: [2]: integer 18446744073709551615 does not fit into a signed 64-bit integer");
  EXPECT_EQ(*items[2].asFloat(), 18446744073709551615.0);
}

TEST(Json, FloatsMayBeWordsAndIntegers) {
  auto document = parsed(R"(["Infinity", "-Infinity", "NaN", 3, 0.1, "nan"])");
  std::vector<Json> items;
  for (Json item : document->root()) items.push_back(item);
  EXPECT_EQ(*items[0].asFloat(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(*items[1].asFloat(), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(*items[2].asFloat()));
  EXPECT_EQ(*items[3].asFloat(), 3.0);
  EXPECT_EQ(*items[4].asFloat(), 0.1);
  EXPECT_EQ(errorOf(items[5].asFloat()), "t.json: [5]: expected a number, got a string");
}

TEST(Json, MembersKeepTheirOrderAndTheLastOfANameWins) {
  auto document = parsed(R"({"b": 1, "a": [2, {"x": null}], "b": 3})");
  Json root = document->root();
  std::string keys;
  for (Json member : root) keys += std::string(member.key()) + " ";
  EXPECT_EQ(keys, "b a b ");
  EXPECT_EQ(root.size(), 3u);
  EXPECT_EQ(*root.find("b")->asInt(), 3);
  EXPECT_FALSE(root.find("c"));
  EXPECT_FALSE(root.find("a")->find("x")) << "an array has no named members";
}

TEST(Json, ErrorsNameThePath) {
  auto document = parsed(
      R"({"graph": {"nodes": [{"target": "a"}, {"target": null}]}, "n": 1.5, "odd key": {"": true}})");
  Json root = document->root();
  EXPECT_EQ((*root.find("graph")->find("nodes")->begin()).path(), "graph.nodes[0]");
  std::string targets;
  const Json nodes = *root.find("graph")->find("nodes");
  for (Json n : nodes) targets += errorOf(n.at("target")->asString()) + "\n";
  EXPECT_EQ(targets, "no error\nt.json: graph.nodes[1].target: expected a string, got null\n");
  EXPECT_EQ(errorOf(root.at("nodes")), "t.json: member 'nodes' is missing");
  EXPECT_EQ(errorOf(root.at("n")->asInt()), "t.json: n: expected an integer, got a number");
  EXPECT_EQ(errorOf(root.at("n")->at("x")), "t.json: n: expected an object, got a number");
  EXPECT_EQ(errorOf(root.at("graph")->asArray()),
            "t.json: graph: expected an array, got an object");
  EXPECT_EQ(errorOf(root.find("odd key")->find("")->asString()),
            "t.json: odd key.: expected a string, got a bool");
  EXPECT_EQ(errorOf(root.asBool()), "t.json: expected a bool, got an object");
}

TEST(Json, ALongPathLosesItsMiddle) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "{\"member\":";
  text += "1" + std::string(100, '}');
  auto document = parsed(text);
  Json value = document->root();
  while (value.isObject()) value = *value.begin();
  EXPECT_EQ(value.path().size(), 404u);
  EXPECT_TRUE(value.path().starts_with("member.member."));
  EXPECT_TRUE(value.path().ends_with(".member.member"));
}

TEST(Json, StringsAreUnescaped) {
  auto document = parsed(R"({"k\u00e9y": "a\"b\\c\n\ud83d\ude00\u0000d"})");
  Json member = *document->root().begin();
  EXPECT_EQ(member.key(), "k\xc3\xa9y");
  EXPECT_EQ(*member.asString(), std::string_view("a\"b\\c\n\xf0\x9f\x98\x80\0d", 12));
}

TEST(Json, WhatIsNotJsonSaysWhereAndWhy) {
  EXPECT_EQ(errorOf(""),
            "t.json: line 1, column 1: not valid JSON: while parsing value - unexpected end of "
            "input; expected '[', '{', or a literal");
  EXPECT_EQ(errorOf("{\n  \"a\": 1,\n  \"b\" 2}"),
            "t.json: line 3, column 7: not valid JSON: while parsing object separator - unexpected "
            "number literal; expected ':'");
  EXPECT_EQ(errorOf("[1, 2"),
            "t.json: line 1, column 5: not valid JSON: while parsing array - unexpected end of "
            "input; expected ']'");
  EXPECT_EQ(errorOf("{} x"),
            "t.json: line 1, column 4: not valid JSON: while parsing value - invalid literal; "
            "expected end of input");
  EXPECT_EQ(errorOf("[1e999]"),
            "t.json: line 1, column 6: not valid JSON: number overflow parsing '1e999'");
  EXPECT_EQ(errorOf("[\"\xff\"]"),
            "t.json: line 1, column 3: not valid JSON: while parsing value - invalid string: "
            "ill-formed UTF-8 byte");
  EXPECT_EQ(errorOf("[NaN]"),
            "t.json: line 1, column 2: not valid JSON: while parsing value - invalid literal");
  EXPECT_EQ(errorOf("// no"),
            "t.json: line 1, column 1: not valid JSON: while parsing value - invalid literal");
}

/// Every value with its path and kind.
std::string described(const JsonDocument& document) {
  std::string out;
  std::vector<Json> pending{document.root()};
  while (!pending.empty()) {
    const Json value = pending.back();
    pending.pop_back();
    out +=
        value.path() + " " + std::string(name(value.kind())) + " " + std::to_string(value.size());
    if (auto text = value.asString()) out += " '" + std::string(*text) + "'";
    if (auto integer = value.asInt()) out += " " + std::to_string(*integer);
    if (auto real = value.asFloat()) out += " " + std::to_string(*real);
    if (auto truth = value.asBool()) out += *truth ? " true" : " false";
    out += "\n";
    std::vector<Json> members;
    for (Json member : value) members.push_back(member);
    pending.insert(pending.end(), members.rbegin(), members.rend());
  }
  return out;
}

TEST(Json, TheScannerAndTheFullParserAgree) {
  for (const char* value :
       {"[]", "{}", " [ 1 , -2 ,\t0, -0 ] ", "[0.5, -1e3, 1E-2, 12.25e+1, 1e-400]",
        "[true,false,null]", R"("a\"b\\c\/\b\f\n\r\td")", R"("")",
        "[[[]], [{}], {\"a\": [{\"b\": {}}]}]",
        "[9223372036854775807, -9223372036854775808, 9223372036854775808, 18446744073709551616]",
        R"({"x": 1, "x": [2, {"y": "z"}], "": ""})"}) {
    // An escaped letter is what the scanner leaves to the full parser.
    const std::string scanned = "{\"k\": " + std::string(value) + "}",
                      parsedInFull = "{\"\\u006b\": " + std::string(value) + "}";
    EXPECT_EQ(described(*parsed(scanned)), described(*parsed(parsedInFull))) << value;
  }
  for (const char* wrong :
       {"",        "[",        "]",          "{",         "[1,]", "[,1]", "{,}",
        "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "[1 2]",     "[01]", "[1.]", "[.5]",
        "[-]",     "[1e]",     "[tru]",      "[nulll]",   "\"a",  "\"\\", "\"\\x\"",
        "\"\n\"",  "1 2",      "[1]]",       "{\"a\":1]", "[+1]"})
    EXPECT_NE(errorOf(wrong), "it parses") << wrong;
}

TEST(Json, TheScannerSeesWhatIsSpecialAtEachPlaceOfAString) {
  for (std::size_t length = 0; length < 20; ++length)
    for (std::size_t at = 0; at <= length; ++at) {
      const std::string before(at, '~'), after(length - at, ' ');
      for (const auto& [spelt, meant] : {std::pair{"\\\"", "\""},
                                         {"\\\\", "\\"},
                                         {"\\n", "\n"},
                                         {"\x7f", "\x7f"},
                                         {"\u00e9", "\u00e9"}}) {
        const auto document = parsed("[\"" + before + spelt + after + "\"]");
        EXPECT_EQ(*(*document->root().begin()).asString(), before + meant + after)
            << at << " of " << length;
      }
      for (const char wrong : {'\n', '\x1f', '\x80', '\xff'})
        EXPECT_NE(errorOf("[\"" + before + wrong + after + "\"]"), "it parses")
            << at << " of " << length;
    }
}

TEST(Json, DepthAndSizeAreBounded) {
  EXPECT_EQ(errorOf(std::string(513, '[') + std::string(513, ']')),
            "t.json: nested deeper than 512 levels");
  EXPECT_EQ(errorOf(std::string(512, '[') + std::string(512, ']')), "it parses");
  EXPECT_EQ(errorOf(std::string(10'000'000, '[')), "t.json: nested deeper than 512 levels");
  EXPECT_EQ(errorOf("[1, 2, 3]", {.maxBytes = 8, .maxDepth = 4}),
            "t.json: 9 bytes of JSON, more than the limit of 8");
}

TEST(JsonWriter, LaysOutOneMemberALineAndScalarsInOne) {
  JsonWriter json;
  json.beginObject()
      .member("name", "a\"b")
      .member("count", 3)
      .member("ratio", 1.0)
      .member("huge", std::uint64_t{18446744073709551615u});
  json.key("sizes").beginArray().value(1).value("s0").null().value(true).endArray();
  json.key("nodes")
      .beginArray()
      .beginObject()
      .member("x", -0.5)
      .endObject()
      .beginObject()
      .endObject()
      .endArray();
  json.key("none")
      .beginArray()
      .endArray()
      .memberOrNull("complete", std::optional(false))
      .memberOrNull("why", std::optional<std::string>())
      .textOrNull("fault", "")
      .member("names", std::vector<std::string>{"a", "b"})
      .member("inf", std::numeric_limits<double>::infinity())
      .endObject();
  EXPECT_EQ(json.take(),
            "{\n"
            "  \"name\": \"a\\\"b\",\n"
            "  \"count\": 3,\n"
            "  \"ratio\": 1.0,\n"
            "  \"huge\": 18446744073709551615,\n"
            "  \"sizes\": [1, \"s0\", null, true],\n"
            "  \"nodes\": [\n"
            "    {\n"
            "      \"x\": -0.5\n"
            "    },\n"
            "    {}\n"
            "  ],\n"
            "  \"none\": [],\n"
            "  \"complete\": false,\n"
            "  \"why\": null,\n"
            "  \"fault\": null,\n"
            "  \"names\": [\"a\", \"b\"],\n"
            "  \"inf\": \"Infinity\"\n"
            "}\n");
}

TEST(JsonWriter, WhatIsWrittenParses) {
  JsonWriter json;
  const std::string odd =
      std::string("tab\t quote\" slash\\ nul") + '\0' + " bad \xff\xc3 good \xc3\xa9";
  json.beginArray().value(odd).beginArray().value(0.1).value(1e300).endArray().value(2).endArray();
  auto document = parsed(json.take());
  std::vector<Json> items;
  for (Json item : document->root()) items.push_back(item);
  EXPECT_EQ(*items[0].asString(), std::string("tab\t quote\" slash\\ nul") + '\0' +
                                      " bad \xef\xbf\xbd\xef\xbf\xbd good \xc3\xa9");
  EXPECT_EQ(*(*items[1].begin()).asFloat(), 0.1);
  EXPECT_EQ(*items[2].asInt(), 2);
}

TEST(JsonQuote, CharactersThatDeceiveAreEscaped) {
  EXPECT_EQ(jsonQuote("a\x1b\n\x7f\xc2\x9b\xe2\x80\xae\xf3\xa0\x80\x81z"),
            R"("a\u001b\n\u007f\u009b\u202e\udb40\udc01z")");
  EXPECT_EQ(jsonQuote("gr\xc3\xb6\xc3\x9f\xff"), "\"gr\xc3\xb6\xc3\x9f\xef\xbf\xbd\"");
  const auto read = JsonDocument::parse(jsonQuote("\xe2\x80\xae\xf3\xa0\x80\x81"), "x");
  ASSERT_TRUE(read);
  EXPECT_EQ(*(*read)->root().asString(), "\xe2\x80\xae\xf3\xa0\x80\x81");
}

}  // namespace
}  // namespace fxs
