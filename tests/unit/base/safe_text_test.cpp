// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/safe_text.h"

#include <gtest/gtest.h>

namespace fxs {
namespace {

TEST(SafeText, EscapeSequencesOfTerminalsAreShownNotDone) {
  EXPECT_EQ(printable("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(printable("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\u{009b}2J");  // CSI in one character
  EXPECT_EQ(printable("one\rtwo\x7f"), "one\\rtwo\\x7f");
}

TEST(SafeText, ALineEndCannotForgeALine) {
  EXPECT_EQ(printable("x\nreplay: fails in the same way\t!"),
            "x\\nreplay: fails in the same way\\t!");
  EXPECT_EQ(printableLines("a\n\tb\r\n"), "a\n\tb\\r\n");
}

TEST(SafeText, CharactersThatOrderOrHideTextAreShown) {
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b"),
            "a\\u{202e}b");
  EXPECT_EQ(printable("\xe2\x81\xa6\xe2\x80\x8b\xef\xbb\xbf\xe2\x80\xa8"),
            "\\u{2066}\\u{200b}\\u{feff}\\u{2028}");
}

TEST(SafeText, OrdinaryTextStays) {
  const std::string text =
      "gr\xc3\xb6\xc3\x9f"
      "e \xe6\xa8\xa1\xe5\x9e\x8b \xf0\x9f\x98\x80 \\ ~";
  EXPECT_EQ(printable(text), text);
  EXPECT_EQ(printable(""), "");
}

TEST(SafeText, BytesThatAreNoUtf8AreShownOneByOne) {
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
}

TEST(SafeText, RichTextHoldsNoMarkup) {
  EXPECT_EQ(richText("<img src=\"file:///dev/zero\">&'\x1b"),
            "&lt;img src=&quot;file:///dev/zero&quot;&gt;&amp;&#39;\\x1b");
}

TEST(SafeText, RichLinesKeepTheirLines) {
  EXPECT_EQ(richLines("a<\n\tb\r&"), "a&lt;\n\tb\\r&amp;");
}

TEST(SafeText, ANameInAMessageHasAnEnd) {
  EXPECT_EQ(printableName("a\nb"), "'a\\nb'");
  EXPECT_EQ(printableName(std::string(200, 'x')), "'" + std::string(120, 'x') + "..'");
  EXPECT_EQ(printableName(std::string(119, 'x') + "\xc3\xb6!"),
            "'" + std::string(119, 'x') + "..'");  // not inside a character
}

TEST(SafeText, AWordForAShellIsOneWord) {
  EXPECT_EQ(shellWord("samples/addmm.pt2"), "samples/addmm.pt2");
  EXPECT_EQ(shellWord("a b"), "'a b'");
  EXPECT_EQ(shellWord("x'; rm -rf ~ #"), "'x'\\''; rm -rf ~ #'");
  EXPECT_EQ(shellWord(""), "''");
}

TEST(SafeText, PlainLinesAreThoseThatNothingChanges) {
  for (int byte = 0; byte < 256; ++byte)
    for (const std::size_t at :
         {std::size_t{0}, std::size_t{255}, std::size_t{256}, std::size_t{999}}) {
      std::string text(1000, 'x');
      text[at] = static_cast<char>(byte);
      EXPECT_EQ(isPlainLines(text), printableLines(text) == text) << byte;
    }
  EXPECT_TRUE(isPlainLines(""));
}

}  // namespace
}  // namespace fxs
