// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/diff_view.h"

#include <gtest/gtest.h>

#include "text/code_structure.h"

namespace fxs::ui {
namespace {

std::shared_ptr<const StageText> textOf(const std::string& text) {
  auto open = std::make_shared<trace::OpenText>();
  open->text = text;
  open->module = std::make_unique<const mlir::Module>(mlir::readModule(open->text));
  open->origins = std::make_shared<const trace::SnapshotOrigins>();
  return stageText(open);
}

std::string chain(int from, int to) {
  std::string lines;
  for (int i = from; i < to; ++i)
    lines += "    %" + std::to_string(i) + " = t.f" + std::to_string(i) + " %arg0 : f32\n";
  return lines;
}
std::string function(const std::string& lines) {
  return "module {\n  func.func @main(%arg0: f32) {\n" + lines + "    return\n  }\n}\n";
}

/// Marks by line: "5+ 9~".
std::string marks(const LineMarks& marks) {
  std::string out;
  for (std::size_t i = 0; i < marks.lines.size(); ++i)
    if (marks.lines[i] != LineMark::None)
      out += std::to_string(i) + ("?+-~mM%"[static_cast<int>(marks.lines[i])]) + std::string(" ");
  return out;
}
std::string folds(const std::vector<Fold>& folds) {
  std::string out;
  for (const Fold& fold : folds)
    if (fold.folded)
      out += std::to_string(fold.first) + ".." + std::to_string(fold.last) + ' ' +
             fold.label.toStdString() + '\n';
  return out;
}

/// The rows from one to another: "21|21 -|22".
std::string rows(const DiffView& view, std::size_t from = 0, std::size_t end = 100) {
  const auto line = [](std::uint32_t at) { return at == kNoLine ? "-" : std::to_string(at); };
  std::string out;
  for (std::size_t i = from; i < std::min(end, view.rows.size()); ++i)
    out += (i > from ? " " : "") + line(view.rows[i].a) + '|' + line(view.rows[i].b);
  return out;
}
std::string words(const StageText& text, const LineMarks& marks) {
  std::string out;
  for (const FindMatch& word : marks.words)
    out += std::string(text.code->line(word.line).substr(word.begin, word.end - word.begin)) + ' ';
  return out;
}
std::string summaryOf(const DiffView& view) { return summary(view).toStdString(); }

TEST(DiffView, MarksFoldsAndTheLineBeside) {
  const auto a = textOf(function(chain(0, 40)));
  const auto b = textOf(function(chain(0, 20) + "    %x = t.new %arg0 : f32\n" + chain(20, 40)));
  const auto view = diffView(a, b);
  EXPECT_EQ(marks(*view->marksA), "");
  EXPECT_EQ(marks(*view->marksB), "22+ ");
  EXPECT_EQ(view->changes, (std::vector<DiffChange>{{22, 22, 22, 23, 22}}));
  EXPECT_EQ(folds(view->foldsA),
            "0..18 ⋯  19 unchanged operations\n25..44 ⋯  18 unchanged operations\n");
  EXPECT_EQ(folds(view->foldsB),
            "0..18 ⋯  19 unchanged operations\n26..45 ⋯  18 unchanged operations\n");
  EXPECT_EQ(rows(*view, 20, 25), "20|20 21|21 -|22 22|23 23|24");
  EXPECT_EQ(view->rows.size(), 46U);
  EXPECT_EQ(view->rows.back(), (FacingLines{44, 45}));
}

TEST(DiffView, ChangedWordsAreMarkedOnBothSides) {
  const auto a = textOf(function("    %0 = t.pad %arg0 {value = 1 : i64} : f32\n"));
  const auto b = textOf(function("    %9 = t.pad %arg0 {value = 25 : i64} : f32\n"));
  const auto view = diffView(a, b);
  EXPECT_EQ(marks(*view->marksA), "2~ ");
  EXPECT_EQ(marks(*view->marksB), "2~ ");
  EXPECT_EQ(words(*a, *view->marksA), "1 ");
  EXPECT_EQ(words(*b, *view->marksB), "25 ");
}

TEST(DiffView, EveryLineHasOneRow) {
  const auto a =
      textOf(function("    cf.br ^bb1\n  ^bb1:\n" + chain(0, 2) + "    scf.if %arg0 {\n" +
                      chain(2, 3) + "    } else {\n" + chain(3, 6) + "    }\n"));
  const auto b = textOf(
      function("    cf.br ^bb7\n  ^bb7:\n" + chain(1, 2) + "    scf.if %arg0 {\n" + chain(2, 3) +
               "    %x = t.new %arg0 : f32\n    } else {\n" + chain(5, 6) + "    }\n"));
  const auto view = diffView(a, b);
  EXPECT_EQ(rows(*view),
            "0|0 1|1 2|2 3|3 4|- 5|4 6|5 7|6 -|7 8|8 9|- 10|- 11|9 12|10 13|11 14|12 15|13");
  EXPECT_EQ(marks(*view->marksA), "4- 9- 10- ");
  EXPECT_EQ(marks(*view->marksB), "7+ ");
}

TEST(DiffView, EveryLineOfAnAddedOperationIsMarked) {
  const std::string branch =
      "    scf.if %arg0 {\n" + chain(3, 4) + "    } else {\n" + chain(4, 5) + "    }\n";
  const auto view = diffView(textOf(function("")), textOf(function(branch)));
  EXPECT_EQ(marks(*view->marksB), "2+ 3+ 4+ 5+ 6+ ");
  EXPECT_EQ(view->changes, (std::vector<DiffChange>{{2, 2, 2, 7, 2}}));
}

TEST(DiffView, WhatMovedFacesNothingAndSaysWhere) {
  const auto a = textOf(function(chain(0, 6)));
  const auto b = textOf(function(chain(1, 6) + chain(0, 1)));
  const auto view = diffView(a, b);
  EXPECT_EQ(rows(*view), "0|0 1|1 2|- 3|2 4|3 5|4 6|5 7|6 -|7 8|8 9|9 10|10");
  EXPECT_EQ(marks(*view->marksA), "2m ");
  EXPECT_EQ(marks(*view->marksB), "7m ");
  EXPECT_EQ(view->changes, (std::vector<DiffChange>{{2, 3, 2, 2, 2}, {8, 8, 7, 8, 8}}));
  EXPECT_EQ(movedText(*view, true, 2), "Moved to line 8 of B");
  EXPECT_EQ(movedText(*view, false, 7), "Moved from line 3 of A");
  EXPECT_EQ(movedText(*view, false, 6), "");
}

TEST(DiffView, ConstantsAreHidden) {
  const std::string constants =
      "    %c = arith.constant 1 : i64\n    %d = arith.constant 2 : i64\n";
  const auto a = textOf(function(chain(0, 20)));
  const auto b = textOf(function(constants + chain(0, 18) + chain(19, 20)));
  EXPECT_EQ(summaryOf(*diffView(a, b)), "+ 2  − 1");
  const auto view = diffView(a, b, {.hideConstants = true});
  EXPECT_EQ(summaryOf(*view), "− 1  (2 constants hidden)");
  EXPECT_EQ(marks(*view->marksB), "");
  EXPECT_EQ(folds(view->foldsA), "0..16 ⋯  17 unchanged operations\n");
  EXPECT_EQ(folds(view->foldsB), "0..18 ⋯  17 unchanged operations, 2 hidden constants\n");
  const auto all = diffView(a, textOf(function(constants + chain(0, 20))), {.hideConstants = true});
  EXPECT_EQ(summaryOf(*all), "no difference  (2 constants hidden)");
  EXPECT_TRUE(all->changes.empty());
}

TEST(DiffView, RenumberingIsShownIfWanted) {
  const auto a = textOf(function("    %0 = t.a %arg0 : f32\n    %1 = t.b %0 : f32\n"));
  const auto b = textOf(function("    %0 = t.a %arg0 : f32\n    %3 = t.b %0 : f32\n"));
  EXPECT_EQ(summaryOf(*diffView(a, b)), "no difference");
  const auto view = diffView(a, b, {.hideRenumbering = false});
  EXPECT_EQ(summaryOf(*view), "% 1");
  EXPECT_EQ(marks(*view->marksB), "3% ");
  EXPECT_EQ(words(*a, *view->marksA), "%1 ");
  EXPECT_EQ(words(*b, *view->marksB), "%3 ");
}

TEST(DiffView, AnEmptySideFacesNothing) {
  const auto view = diffView(textOf(""), textOf(function(chain(0, 2))));
  EXPECT_EQ(rows(*view), "0|0 -|1 -|2 -|3 -|4 -|5 -|6");
  EXPECT_EQ(marks(*view->marksB), "0+ 1+ 2+ 3+ 4+ 5+ 6+ ");
  EXPECT_EQ(summaryOf(*view), "+ 5");
}

/// The fillers of both sides: "0 1 0 | 0 0 0".
std::string fillers(const DiffView& view, const FoldedLines& a, const FoldedLines& b) {
  const std::vector<std::uint32_t> onesA(a.rowCount(), 1), onesB(b.rowCount(), 1);
  const auto [inA, inB] = fillersOf(view.rows, {a, onesA}, {b, onesB});
  std::string out;
  for (const std::uint32_t rows : inA) out += std::to_string(rows) + ' ';
  out += '|';
  for (const std::uint32_t rows : inB) out += ' ' + std::to_string(rows);
  return out;
}

TEST(DiffView, FillersMakeLinesFaceEachOtherWhateverIsFolded) {
  const auto a = textOf(function(chain(0, 3) + "    scf.if %arg0 {\n" + chain(3, 5) + "    }\n"));
  const auto b = textOf(function("    scf.if %arg0 {\n" + chain(3, 5) + "    }\n"));
  const auto view = diffView(a, b);
  FoldedLines inA, inB;
  inA.set(a->code->lineCount(), view->foldsA);
  inB.set(b->code->lineCount(), view->foldsB);
  EXPECT_EQ(fillers(*view, inA, inB), "0 0 0 0 0 0 0 0 0 0 0 0 0 | 0 0 3 0 0 0 0 0 0 0");
  inA.setFolded(inA.foldAt(5), true);
  EXPECT_EQ(fillers(*view, inA, inB), "0 0 0 0 0 0 3 0 0 0 | 0 0 3 0 0 0 0 0 0 0");
  EXPECT_TRUE(inB.follow(inA));
  EXPECT_FALSE(inB.follow(inA));
  EXPECT_EQ(fillers(*view, inA, inB), "0 0 0 0 0 0 0 0 0 0 | 0 0 3 0 0 0 0");
}

TEST(DiffView, FoldsOfUnchangedLinesFoldOnBothSides) {
  const auto a = textOf(function(chain(0, 40)));
  const auto b = textOf(function(chain(0, 20) + "    %x = t.new %arg0 : f32\n" + chain(20, 40)));
  const auto view = diffView(a, b);
  FoldedLines inA, inB;
  inA.set(a->code->lineCount(), view->foldsA);
  inB.set(b->code->lineCount(), view->foldsB);
  EXPECT_EQ(inA.rowCount(), 8U);
  EXPECT_EQ(inB.rowCount(), 9U);
  EXPECT_TRUE(inA.reveal(30));
  EXPECT_TRUE(inB.follow(inA));
  EXPECT_FALSE(inB.isHidden(31));
  EXPECT_TRUE(inB.isHidden(10));
}

TEST(DiffView, TheSameModuleFoldsNothing) {
  const auto a = textOf(function(chain(0, 40)));
  const auto view = diffView(a, textOf(function(chain(0, 40))));
  EXPECT_EQ(summary(view->diff), "no difference");
  EXPECT_TRUE(view->changes.empty());
  EXPECT_EQ(folds(view->foldsA), "");
}

}  // namespace
}  // namespace fxs::ui