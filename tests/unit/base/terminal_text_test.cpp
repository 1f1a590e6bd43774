// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/terminal_text.h"

#include <gtest/gtest.h>

namespace fxs {
namespace {

constexpr TextLayout kNarrow{20};

TEST(TerminalText, WithoutATerminalLinesAreAsTheyAre) {
  EXPECT_EQ(laidOut({{"a long line of words  ", Tone::Bad}}, 2, {}), "a long line of words\n");
  EXPECT_EQ(codeLaidOut("%0 = torch.aten.add", {}), "%0 = torch.aten.add");
  EXPECT_EQ(textLaidOut("a  b\n", {}), "a  b\n");
}

TEST(TerminalText, LinesBreakAtBlanksWithAHangingIndentation) {
  EXPECT_EQ(laidOut({{"fix  decompose aten.gelu.default now"}}, 5, kNarrow),
            "fix  decompose\n     aten.gelu.defau\n     lt now\n");
  EXPECT_EQ(textLaidOut("  -o OUT  write the module to OUT\n", kNarrow),
            "  -o OUT  write the\n          module to\n          OUT\n");
}

TEST(TerminalText, WideCharactersTakeTwoColumns) {
  EXPECT_EQ(columnsOf("漢字e\u0301"), 5u);
  EXPECT_EQ(codeLaidOut("漢字漢字漢字漢字漢字漢字\n", kNarrow), "漢字漢字漢字漢字漢…\n");
}

TEST(TerminalText, ColoursEndWithTheirLine) {
  const TextLayout colours{20, true};
  EXPECT_EQ(laidOut({{"ok ", Tone::Good}, {"a longer text that breaks", Tone::Code}}, 2, colours),
            "\x1b[32mok \x1b[0m\x1b[36ma longer text\x1b[0m\n  \x1b[36mthat breaks\x1b[0m\n");
}

TEST(TerminalText, CodeIsCutUnlessItIsWide) {
  EXPECT_EQ(codeLaidOut("short\n%0 = torch.aten.add.Tensor\n", kNarrow),
            "short\n%0 = torch.aten.add…\n");
  EXPECT_EQ(codeLaidOut("%0 = torch.aten.add.Tensor\n", {20, false, true}),
            "%0 = torch.aten.add.Tensor\n");
}

TEST(TerminalText, ACommandThatIsBrokenIsStillOne) {
  EXPECT_EQ(commandLaidOut("  fxscope-cli fix m.pt2 --to tosa", kNarrow),
            "  fxscope-cli fix \\\n    m.pt2 --to \\\n    tosa\n");
  EXPECT_EQ(commandLaidOut("cat 'a long name of a file'", kNarrow),
            "cat \\\n  'a long name of '\\\n'a file'\n");
}

}  // namespace
}  // namespace fxs
