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
      out += std::to_string(i) + ("?+-~mM"[static_cast<int>(marks.lines[i])]) + std::string(" ");
  return out;
}
std::string folds(const std::vector<Fold>& folds) {
  std::string out;
  for (const Fold& fold : folds)
    out += std::to_string(fold.first) + ".." + std::to_string(fold.last) + ' ' +
           fold.label.toStdString() + '\n';
  return out;
}

TEST(DiffView, MarksFoldsAndTheLineBeside) {
  const auto a = textOf(function(chain(0, 40)));
  const auto b = textOf(function(chain(0, 20) + "    %x = t.new %arg0 : f32\n" + chain(20, 40)));
  const auto view = diffView(a, b);
  EXPECT_EQ(marks(*view->marksA), "");
  EXPECT_EQ(marks(*view->marksB), "22+ ");
  EXPECT_EQ(view->changes, (std::vector<DiffChange>{{22, 22, 22, 23}}));
  EXPECT_EQ(folds(view->foldsA),
            "0..18 ⋯  19 unchanged operations\n25..44 ⋯  18 unchanged operations\n");
  EXPECT_EQ(folds(view->foldsB),
            "0..18 ⋯  19 unchanged operations\n26..45 ⋯  18 unchanged operations\n");
  EXPECT_EQ(view->toB[21], 21U);
  EXPECT_EQ(view->toB[22], 23U);
  EXPECT_EQ(view->toA[23], 22U);
  EXPECT_EQ(view->toB.back(), 45U);
}

TEST(DiffView, ChangedWordsAreMarkedOnBothSides) {
  const auto a = textOf(function("    %0 = t.pad %arg0 {value = 1 : i64} : f32\n"));
  const auto b = textOf(function("    %9 = t.pad %arg0 {value = 25 : i64} : f32\n"));
  const auto view = diffView(a, b);
  EXPECT_EQ(marks(*view->marksA), "2~ ");
  EXPECT_EQ(marks(*view->marksB), "2~ ");
  ASSERT_EQ(view->marksB->words.size(), 1U);
  const FindMatch word = view->marksB->words.front();
  EXPECT_EQ(b->code->line(word.line).substr(word.begin, word.end - word.begin), "25");
}

TEST(DiffView, TheSameModuleFoldsNothing) {
  const auto a = textOf(function(chain(0, 40)));
  const auto view = diffView(a, textOf(function(chain(0, 40))));
  EXPECT_EQ(summary(view->diff), "no difference");
  EXPECT_TRUE(view->changes.empty());
  EXPECT_TRUE(view->foldsA.empty());
}

}  // namespace
}  // namespace fxs::ui
