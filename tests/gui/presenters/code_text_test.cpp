// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/code_text.h"

#include <gtest/gtest.h>

#include "features/search/search_presenter.h"
#include "fx/text.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

TEST(CodeText, CountsLinesAsAnEditorDoes) {
  EXPECT_EQ(CodeText::of("")->lineCount(), 1U);
  EXPECT_EQ(CodeText::of("a")->lineCount(), 1U);
  EXPECT_EQ(CodeText::of("a\n")->lineCount(), 1U);
  EXPECT_EQ(CodeText::of("a\n\nb\n")->lineCount(), 3U);
  EXPECT_EQ(CodeText::of("a\n\nb\n")->line(1), "");
  EXPECT_EQ(CodeText::of("a\n\nb\n")->line(2), "b");
  EXPECT_EQ(CodeText::of("a\nlonger\nb")->longestLine(), 6U);
}

TEST(CodeText, TenMegabytesAreReadInOnePass) {
  std::string text;
  while (text.size() < 10'000'000)
    text += "    %81 = torch.aten.add.Tensor %79, %80, %int1 : !torch.vtensor<[1,16,96],f32>\n";
  const CodeTextPtr code = CodeText::of(text);
  EXPECT_EQ(code->lineCount(),
            static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
}

TEST(Find, PlainIgnoresCaseUnlessAsked) {
  const CodeTextPtr code = CodeText::of("Add add\nADD");
  EXPECT_EQ(find(*code, {"add", false, false}, {}).matches,
            (std::vector<FindMatch>{{0, 0, 3}, {0, 4, 7}, {1, 0, 3}}));
  EXPECT_EQ(find(*code, {"add", false, true}, {}).matches, (std::vector<FindMatch>{{0, 4, 7}}));
  EXPECT_TRUE(find(*code, {"", false, false}, {}).matches.empty());
}

TEST(Find, RegularExpressionCountsBytes) {
  const CodeTextPtr code = CodeText::of("\xC3\xA9 %12 %3");
  EXPECT_EQ(find(*code, {"%\\d+", true, false}, {}).matches,
            (std::vector<FindMatch>{{0, 3, 6}, {0, 7, 9}}));
}

TEST(Find, BadPatternSaysWhere) {
  EXPECT_EQ(find(*CodeText::of("x"), {"(", true, false}, {}).error,
            "not a regular expression: missing closing parenthesis at 1");
}

TEST(Find, StopsAtTheLimit) {
  const Found found =
      find(*CodeText::of(std::string(kMaxMatches + 5, 'x')), {"x", false, false}, {});
  EXPECT_EQ(found.matches.size(), kMaxMatches);
  EXPECT_TRUE(found.more);
}

TEST(FxStageText, EachLineKnowsItsNode) {
  const auto program =
      fx::graphFrom("x: f32[2] = placeholder\ny: f32[2] = aten.relu.default(x)\nreturn y");
  ASSERT_TRUE(program) << toString(program.error());
  const auto text = fxStageText(**program);
  for (const fx::Node& node : (*program)->nodes) {
    const auto& lines = text->origins.linesByNode[node.id.index()];
    ASSERT_EQ(lines.size(), 1U) << node.name;
    EXPECT_EQ(text->origins.lines[lines.front()].nodes, std::vector<fx::NodeId>{node.id});
    if (node.op == fx::NodeOp::CallFunction) {
      EXPECT_NE(text->code->line(lines.front()).find("%" + node.name), std::string_view::npos);
    }
  }
}

TEST(Rank, PrefersWholeWordsAndRuns) {
  EXPECT_GT(rank("add", "add"), rank("add", "add_1"));
  EXPECT_GT(rank("add", "add_1"), rank("add", "padded"));
  EXPECT_GT(rank("add", "padded"), rank("add", "a_long_detour_d"));
  EXPECT_EQ(rank("add", "relu"), 0);
}

TEST(Words, ReadAsPeopleSayThem) {
  EXPECT_EQ(counted(1, "node"), "1 node");
  EXPECT_EQ(counted(2369, "node"), "2,369 nodes");
  EXPECT_EQ(bytesText(812), "812 B");
  EXPECT_EQ(bytesText(16'060'000'000), "16.1 GB");
  EXPECT_EQ(text(std::chrono::duration<double>(0.0004)), "0.4 ms");
  EXPECT_EQ(text(std::chrono::duration<double>(0.0314)), "31 ms");
  EXPECT_EQ(text(std::chrono::duration<double>(125)), "2 min 5 s");
}

}  // namespace
}  // namespace fxs::ui
