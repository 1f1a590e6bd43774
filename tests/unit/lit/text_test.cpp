// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a test expects, checks and consists of.
#include <gtest/gtest.h>

#include "lit/checks.h"
#include "lit/expectations.h"
#include "lit/parts.h"
#include "lit/reproducer.h"

namespace fxs::lit {
namespace {

/// "3>4 error 1 [text]" a line, with "re" for a regular expression.
std::string expectations(std::string_view text) {
  std::string out;
  for (const Expectation& e : expectationsOf(text))
    out += std::to_string(e.line) + ">" + std::to_string(e.target) + " " +
           std::string(name(e.severity)) + (e.match == Expectation::Match::Regex ? " re " : " ") +
           std::to_string(e.count) + " [" + std::string(e.text.of(text)) + "]\n";
  return out;
}

TEST(Expectations, AreReadWithTheirLines) {
  EXPECT_EQ(expectations(R"(// expected-error @+1 {{an {{a}} b}}
x // expected-warning {{here}}
// expected-remark-re@-2 {{[0-9]+}}
// expected-note @unknown 2 {{gone}}
)"),
            "1>2 error 1 [an {{a}} b]\n2>2 warning 1 [here]\n3>1 remark re 1 [[0-9]+]\n"
            "4>0 note 2 [gone]\n");
}

TEST(Expectations, AboveAndBelowSkipOtherExpectations) {
  EXPECT_EQ(expectations(R"(x
// expected-error@above {{a}}
// expected-note @above {{b}}
// expected-error@below {{c}}
// expected-note @below {{d}}
y
// expected-error@below {{e}}
)"),
            "2>1 error 1 [a]\n3>1 note 1 [b]\n4>6 error 1 [c]\n5>6 note 1 [d]\n7>7 error 1 [e]\n");
}

TEST(Expectations, OtherTextIsNone) {
  EXPECT_EQ(expectations("// expected-error\n// expected-fun {{a}}\n// expected-error @x {{a}}\n"
                         "// expected-error @-9 {{a}}\n// expected-error @+99999999999 {{a}}\n"
                         "// expected-error {{a\n// expected-error }} {{\n"),
            "");
}

/// "2 CHECK-NEXT [text]" a line.
std::string checks(std::string_view text, const std::vector<std::string>& prefixes = {"CHECK"}) {
  std::string out;
  for (const Check& c : checksOf(text, prefixes)) {
    EXPECT_TRUE(c.directive.of(text).starts_with(std::string(c.prefix.of(text)) +
                                                 std::string(suffix(c.kind))));
    out += std::to_string(c.line) + " " + std::string(c.directive.of(text)) +
           (c.isLiteral ? " literal" : "") + (c.count != 1 ? " x" + std::to_string(c.count) : "") +
           " [" + std::string(c.pattern.of(text)) + "]\n";
  }
  return out;
}

TEST(Checks, AreReadWithTheirKinds) {
  EXPECT_EQ(checks(R"(// CHECK-LABEL: @f
// CHECK-SAME:   (
//      CHECK: a
// CHECK-NEXT: b
// CHECK-DAG: c // CHECK: d
// CHECK-NOT: e
// CHECK-EMPTY:
// CHECK-COUNT-12: f
// CHECK{LITERAL}: [[g]]
)"),
            "1 CHECK-LABEL [@f]\n2 CHECK-SAME [(]\n3 CHECK [a]\n4 CHECK-NEXT [b]\n"
            "5 CHECK-DAG [c // CHECK: d]\n6 CHECK-NOT [e]\n7 CHECK-EMPTY []\n"
            "8 CHECK-COUNT-12 x12 [f]\n9 CHECK literal [[[g]]]\n");
}

TEST(Checks, OnlyWholePrefixesCount) {
  EXPECT_EQ(checks("// MY-CHECK: a\n// XCHECK: b\n// CHECKS: c\n// CHECK-FOO: d\n// CHECK : e\n"
                   "// COM: CHECK: f\n// RUN: x 'CHECK: g'\n// CHECK-COUNT-: h\n"),
            "");
  EXPECT_EQ(checks("// A: x\n// CHECK-A-NEXT: y\n// B: z\n", {"A", "CHECK-A"}),
            "1 A [x]\n2 CHECK-A-NEXT [y]\n");
}

TEST(Parts, BeginAfterMarkers) {
  const std::string_view text = "a\n// -----\nb\nc\n  // -------\n// -----// IR Dump\nd";
  const std::vector<Part> parts = partsOf(text);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].text.of(text), "a\n");
  EXPECT_EQ(parts[1].text.of(text), "b\nc\n");
  EXPECT_EQ(parts[1].line, 3U);
  EXPECT_EQ(parts[2].text.of(text), "// -----// IR Dump\nd");
  EXPECT_EQ(parts[2].line, 6U);
}

TEST(Parts, ATextMayEndWithAMarkerOrHaveNone) {
  EXPECT_EQ(partsOf("").size(), 1U);
  EXPECT_EQ(partsOf("a\n").size(), 1U);
  const std::vector<Part> parts = partsOf("a\n// CUT", "// CUT");
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_TRUE(parts[1].text.empty());
}

TEST(Reproducer, IsReadFromResources) {
  const auto found = reproducerOf(R"x(module {
}

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(func.func(x{a=\"b\\c\"}),\0Acse)",
      disable_threading: true,
      verify_each: false
    }
  }
#-}
)x");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->pipeline, "builtin.module(func.func(x{a=\"b\\c\"}),\ncse)");
  EXPECT_EQ(found->line, 7U);
  EXPECT_TRUE(found->disableThreading);
  EXPECT_FALSE(found->verifyEach);
}

TEST(Reproducer, OlderOnesHaveAComment) {
  const auto found = reproducerOf(
      "// configuration: -pass-pipeline='func.func(cse, canonicalize)' -mlir-disable-threading\n"
      "// note: verifyPasses=true\nmodule {}\n");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->pipeline, "func.func(cse, canonicalize)");
  EXPECT_TRUE(found->disableThreading);
  EXPECT_TRUE(found->verifyEach);
}

TEST(Reproducer, OtherTextsAreNone) {
  EXPECT_FALSE(reproducerOf("module {}\n"));
  EXPECT_FALSE(reproducerOf("{-# external_resources: { other: { pipeline: \"x\" } } #-}"));
  EXPECT_FALSE(reproducerOf("{-# mlir_reproducer: { pipeline: 3 } #-}"));
  EXPECT_FALSE(reproducerOf("{-# mlir_reproducer:"));
}

}  // namespace
}  // namespace fxs::lit
