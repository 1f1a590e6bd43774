// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/token_ends.h"

#include <gtest/gtest.h>

#include <string>

namespace fxs::mlir {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

TEST(TokenEnds, AStringEndsWithItsLine) {
  EXPECT_EQ(afterQuoted(R"("a \" b" c)", 0), 8u);
  // MLIR has no string over lines: an unfinished one ends with its line, whatever reads it.
  EXPECT_EQ(afterQuoted("\"ab\ncd\" e", 0), 3u);
  EXPECT_EQ(afterQuoted("\"ab\\\ncd\"", 0), 4u);
  EXPECT_EQ(afterQuoted("\"ab", 0), 3u);
  EXPECT_EQ(afterBracket("(\"a )\n)", 0), 7u);
}

TEST(TokenEnds, EveryKindOfBracketHasItsPartner) {
  EXPECT_EQ(afterBracket("(a [b) c", 0), 6u);
  EXPECT_EQ(afterBracket("[a, [b], \"]\"] c", 0), 13u);
  EXPECT_EQ(afterBracket("{a = {b = \"}\"}} c", 0), 15u);
  EXPECT_EQ(afterBracket("<a<b>> c", 0), 6u);
  EXPECT_EQ(afterBracket("(((", 0), kNone);
  EXPECT_EQ(afterBracket("<a", 0), kNone);
}

TEST(TokenEnds, ArrowsAndComparisonsAreNoBrackets) {
  EXPECT_EQ(afterBracket("<(d0) -> (d0)> x", 0), 14u);
  EXPECT_EQ(afterBracket("<(d0) : (d0 - 1 >= 0, d0 <= 3)> x", 0), 31u);
}

TEST(TokenEnds, ALocationStandsOnOneLine) {
  EXPECT_EQ(afterLocation("(\"n\"(\"fx\":1:0)) x", 0), 15u);
  EXPECT_EQ(afterLocation("(\"n\"\n)", 0), kNone);
  EXPECT_EQ(afterBracket("(\"n\"\n)", 0), 6u);
}

TEST(TokenEnds, NamesEndBeforeArrowsAndNumbersWithTheirDigits) {
  EXPECT_EQ(afterName("%a-b->c", 0), 4u);
  EXPECT_EQ(afterName("%5#1", 0), 2u);
  EXPECT_EQ(afterName("#map.x$y", 0), 8u);
}

TEST(TokenEnds, TheTopLevelIsOutsideOfStringsAndBrackets) {
  const auto commas = [](std::string_view text) {
    std::string out;
    const std::size_t end = walkTopLevel(text, 0, text.size(), [&](std::size_t at) {
      if (text[at] == ',') out += std::to_string(at) + " ";
      return false;
    });
    return out + "to " + std::to_string(end);
  };
  EXPECT_EQ(commas("a<1, 2>, \"b, c\", (d, e) -> f"), "7 15 to 28");
  EXPECT_EQ(commas("a, b) c, d"), "1 to 4");
  EXPECT_EQ(commas("a, (b, c"), "1 to 8");
}

TEST(TokenEnds, TrimmedHasNoSpaceAtItsEnds) {
  EXPECT_EQ(trimmed(" \t\na b\r\n "), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
}

}  // namespace
}  // namespace fxs::mlir
