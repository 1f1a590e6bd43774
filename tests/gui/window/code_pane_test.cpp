// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a pane does with the structure of the MLIR it shows.
#include <algorithm>

#include "window_fixture.h"

namespace fxs::ui {
namespace {

class CodePaneTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    openSettled(samplePath("transformer_block.pt2"));
    pane_ = paneOf("raw");
    view_ = pane_->view();
    pane_->view()->setFocus();
  }
  /// Puts the cursor where a text stands for the nth time.
  void putCursorOn(std::string_view text, int nth = 0) {
    std::size_t at = view_->code()->all().find(text);
    for (; nth > 0 && at != std::string_view::npos; --nth)
      at = view_->code()->all().find(text, at + 1);
    ASSERT_NE(at, std::string_view::npos) << text;
    view_->goTo(view_->positionOf(at));
  }
  CodePane* pane_ = nullptr;
  CodeView* view_ = nullptr;
};

TEST_F(CodePaneTest, AValueUnderTheCursorIsMarkedWhereverItStands) {
  const auto stageText = bench_->get<StagePresenter>().textOf("raw");
  // The first call's operand, at its use.
  const mlir::Module& module = *stageText->module;
  const auto used = std::find_if(module.operands.begin(), module.operands.end(),
                                 [](const mlir::Operand& o) { return o.value.valid(); });
  ASSERT_NE(used, module.operands.end());
  view_->goTo(view_->positionOf(used->text.begin));
  const auto positions = valueAt(module, *stageText->code, used->text.begin);
  ASSERT_TRUE(positions);
  EXPECT_EQ(view_->occurrences(), positions->all());
  EXPECT_GE(positions->all().size(), 2U);
  window_->actions()["definition"]->trigger();
  EXPECT_EQ(view_->cursorPosition().line, positions->definition.line);
  EXPECT_EQ(view_->occurrences(), positions->all());
  window_->actions()["uses"]->trigger();
  EXPECT_EQ(part<SearchPopup>()->rowCount(), static_cast<int>(positions->uses.size()) + 1);
  part<SearchPopup>()->choose(1);
  EXPECT_EQ(view_->cursorPosition().line, positions->uses.front().position.line);
}

TEST_F(CodePaneTest, AFoldedRegionOpensForWhatIsSelectedInIt) {
  putCursorOn("func.func");
  const std::size_t rows = view_->folded().rowCount();
  window_->actions()["fold"]->trigger();
  EXPECT_LT(view_->folded().rowCount(), rows);
  EXPECT_EQ(view_->cursorPosition().line,
            view_->positionOf(view_->code()->all().find("func.func")).line);
  bench_->get<SelectionPresenter>().selectNode(aCall(), Origin::List);
  EXPECT_EQ(view_->folded().rowCount(), rows);
  expectEverythingShows(aCall());
}

TEST_F(CodePaneTest, AliasesAreFoldedAndSayHowMany) {
  if (!hasEngine()) GTEST_SKIP() << "no engine";
  bench_->get<StagePresenter>().setPanes({"fx", "raw", "tosa"});
  Q_EMIT part<QComboBox>("target")->activated(
      part<QComboBox>("target")->findText("linalg-on-tensors"));
  bench_->get<StagePresenter>().setPanes({"linalg-on-tensors", "raw"});
  waitUntil(
      [&] { return settled(*bench_) && bench_->get<StagePresenter>().textOf("linalg-on-tensors"); },
      "lowered to linalg");
  const CodeView* view = paneOf("linalg-on-tensors")->view();
  ASSERT_FALSE(view->folded().folds().empty());
  const Fold& head = view->folded().folds().front();
  EXPECT_TRUE(head.folded);
  EXPECT_EQ(head.label, QString("%1 aliases").arg(head.last + 1));
  EXPECT_TRUE(view->code()->line(head.last).starts_with("#map"));
  EXPECT_FALSE(view->code()->line(head.last + 1).starts_with("#map"));
  part<StageStrip>()->panes().front()->view()->setFocus();
  window_->actions()["unfold-all"]->trigger();
  EXPECT_EQ(view->folded().rowCount(), view->code()->lineCount());
  window_->actions()["fold-all"]->trigger();
  EXPECT_LT(view->folded().rowCount(), view->code()->lineCount());
}

}  // namespace
}  // namespace fxs::ui
