// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/folded_lines.h"

#include <gtest/gtest.h>

namespace fxs::ui {
namespace {

std::vector<std::uint32_t> shown(const FoldedLines& lines) {
  std::vector<std::uint32_t> all;
  for (std::size_t row = 0; row < lines.rowCount(); ++row) all.push_back(lines.lineOfRow(row));
  return all;
}
using Lines = std::vector<std::uint32_t>;

TEST(FoldedLines, WithoutFoldsEveryLineIsItsRow) {
  FoldedLines lines;
  lines.set(4, {});
  EXPECT_EQ(shown(lines), (Lines{0, 1, 2, 3}));
  EXPECT_EQ(lines.rowOfLine(9), 3U);
}

TEST(FoldedLines, TheOutermostFoldHidesThoseInIt) {
  FoldedLines lines;
  lines.set(10, {{5, 6, FoldKind::Region, "inner", true}, {2, 8, FoldKind::Region, "outer", true}});
  EXPECT_EQ(shown(lines), (Lines{0, 1, 2, 9}));
  EXPECT_EQ(lines.rowOfLine(7), 2U);
  EXPECT_TRUE(lines.isHidden(5));
  EXPECT_FALSE(lines.isHidden(2));
  lines.setFolded(lines.foldAt(2), false);
  EXPECT_EQ(shown(lines), (Lines{0, 1, 2, 3, 4, 5, 7, 8, 9}));
}

TEST(FoldedLines, ALineIsRevealedThroughAllThatHideIt) {
  FoldedLines lines;
  lines.set(10, {{2, 8, FoldKind::Region, {}, true},
                 {5, 6, FoldKind::Block, {}, true},
                 {9, 9, FoldKind::Block, {}, true}});
  EXPECT_TRUE(lines.reveal(5));
  EXPECT_EQ(shown(lines).size(), 10U);
  EXPECT_EQ(lines.foldedAt(9), 2);
  EXPECT_FALSE(lines.reveal(5));
}

TEST(FoldedLines, ASignBelongsToTheFoldOnShow) {
  FoldedLines lines;
  lines.set(10, {{2, 4, FoldKind::Region, {}, false}, {2, 6, FoldKind::Block, {}, false}});
  EXPECT_EQ(lines.folds()[static_cast<std::size_t>(lines.foldAt(2))].kind, FoldKind::Region);
  lines.setAllFolded(FoldKind::Block, true);
  EXPECT_EQ(lines.folds()[static_cast<std::size_t>(lines.foldAt(2))].kind, FoldKind::Block);
  EXPECT_EQ(lines.foldAt(3), -1);
  EXPECT_EQ(shown(lines), (Lines{0, 1, 2, 7, 8, 9}));
}

TEST(FoldedLines, WhatCannotFoldIsLeftOut) {
  FoldedLines lines;
  lines.set(3, {{1, 1, FoldKind::Region, {}, true}, {2, 5, FoldKind::Region, {}, true}});
  EXPECT_TRUE(lines.folds().empty());
  EXPECT_EQ(lines.rowCount(), 3U);
}

}  // namespace
}  // namespace fxs::ui
