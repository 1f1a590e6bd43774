// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/markdown.h"

#include <gtest/gtest.h>

namespace fxs::report {
namespace {

TEST(Markdown, CodeCannotBeEnded) {
  EXPECT_EQ(markdownCode("aten.add.Tensor"), "`aten.add.Tensor`");
  EXPECT_EQ(markdownCode("a`b"), "`` a`b ``");
  EXPECT_EQ(markdownCode("`` @octocat"), "``` `` @octocat ```");
  EXPECT_EQ(markdownCode("a\nb\x1b"), "`a b\\x1b`");
  EXPECT_EQ(markdownCode(""), "` `");
}

TEST(Markdown, TextIsNoMarkup) {
  EXPECT_EQ(markdownText("a_b *c* [d](https://e.f) <img src=x> `g` | h"),
            "a\\_b \\*c\\* \\[d\\](https:<!-- -->//e.f) \\<img src=x\\> \\`g\\` \\| h");
  EXPECT_EQ(markdownText("\xe2\x80\xaex\n# y"),
            "\\\\u\\{202e\\}x \\# y");  // drawn as \u{202e}x # y
}

TEST(Markdown, TextNamesNobodyAndLinksNothing) {
  EXPECT_EQ(markdownText("@octocat, #12, www.evil.example, ssh://x"),
            "@<!-- -->octocat, \\#<!-- -->12, www.<!-- -->evil.example, ssh:<!-- -->//x");
  EXPECT_EQ(markdownText("a @ b, 3.14, x:y"), "a @ b, 3.14, x:y");
}

TEST(Markdown, TextBeginsNoListAndNoHeading) {
  EXPECT_EQ(markdownText("- a"), "\\- a");
  EXPECT_EQ(markdownText("=== "), "\\=== ");
  EXPECT_EQ(markdownText("12. a"), "12\\. a");
  EXPECT_EQ(markdownText("2.13.0 and (1) - 2"), "2.13.0 and (1) - 2");
}

TEST(Markdown, ABlockCannotBeClosed) {
  EXPECT_EQ(markdownBlock("a\n```\n# b\n\n", "text"), "````text\na\n```\n# b\n````\n");
  EXPECT_EQ(markdownBlock("\x1b[2J\tx", "mlir"), "```mlir\n\\x1b[2J\tx\n```\n");
}

}  // namespace
}  // namespace fxs::report
