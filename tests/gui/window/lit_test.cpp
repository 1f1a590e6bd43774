// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lit tests, their parts, and logs of passes in the window.
#include <QFile>

#include "../presenters/made_lit_test.h"
#include "features/lit/lit_page.h"
#include "features/parts/part_tabs.h"
#include "features/passes/pass_presenter.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class LitWindowTest : public WindowTest {
 protected:
  void SetUp() override {
    litLoader_ = [](const QString& file, const auto&, const auto&) -> Result<LoadedTestPtr> {
      return madeLitTest(file, file.endsWith(".mlir") ? kLitText : std::string());
    };
    litRunner_ = [](const lit::Plan& plan, const auto&, const auto&,
                    const auto&) -> Result<lit::TestRun> { return madeLitRun(plan); };
    WindowTest::SetUp();
  }
  QString fileWith(const QString& name, const QByteArray& text) {
    QFile file(folder_.filePath(name));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
    return file.fileName();
  }
  LitPresenter& lit() { return bench_->get<LitPresenter>(); }
};

TEST_F(LitWindowTest, AFailedCheckIsMarkedBesideTheOutput) {
  window_->openFile(fileWith("x.mlir", "func.func @f(\n"));
  waitUntil([&] { return lit().hasTest(); }, "the test is read");
  EXPECT_FALSE(window_->showsWelcome()) << "a test is there although its module is not";
  EXPECT_EQ(part<GraphPair>()->current()->pane()->message(), "") << "it is no longer being read";
  window_->actions()["run-test"]->trigger();
  waitUntil([&] { return lit().rows()[0].mark == LitMark::Failed; }, "the test ran");
  const auto* page = part<LitPage>();
  EXPECT_TRUE(page->isVisible());
  EXPECT_EQ(page->message(), "");
  EXPECT_EQ(page->summary(), "3 RUN lines  ·  2 failed  ·  1 not run");
  LitDetail* detail = page->detail();
  EXPECT_EQ(detail->checks()->currentIndex().row(), 1);
  EXPECT_EQ(detail->model().check(1).outcome, CheckRow::Outcome::Failed);
  EXPECT_EQ(detail->output()->cursorPosition().line, 2U);
  EXPECT_TRUE(detail->message()->isVisible());
  EXPECT_NE(detail->message()->code()->all().find("expected string not found in input"),
            std::string_view::npos);
  // The other way round.
  CodeView* output = detail->output();
  QTest::mouseClick(output->viewport(), Qt::LeftButton, {}, output->lineRect(1).center());
  EXPECT_EQ(detail->checks()->currentIndex().row(), 0);
  EXPECT_EQ(output->cursorPosition().line, 1U);
}

TEST_F(LitWindowTest, ALogOpensInPasses) {
  const auto dump = [](const char* pass, const char* op) {
    return QByteArray("// -----// IR Dump After P (") + pass +
           ") //----- //\nmodule {\n  func.func @f(%arg0: i32) -> i32 {\n    %0 = " + op +
           " %arg0, %arg0 : i32 loc(\"x.mlir\":3:8)\n    return %0 : i32\n  }\n}\n\n";
  };
  openSettled(
      fileWith("x.log", dump("canonicalize", "arith.muli") + dump("to-addi", "arith.addi")));
  auto& passes = bench_->get<PassPresenter>();
  waitUntil([&] { return passes.pass() == 1; }, "the pass with a change is chosen");
  EXPECT_EQ(passes.passes().size(), 2U);
  EXPECT_TRUE(bench_->get<StagePresenter>().showsHandles());
  waitUntil([&] { return part<DockFrame>("results")->currentPage() == "passes"; }, "shown");
  EXPECT_TRUE(bench_->get<SessionPresenter>().showsTraceFile());
  EXPECT_EQ(bench_->get<SessionPresenter>().state().stepProblem, "");
  const fx::NodeId mul = node("muli");
  bench_->get<SelectionPresenter>().selectNode(mul, Origin::Graph);
  waitUntil([&] { return passes.textOf(1) != nullptr; }, "the text is read");
  EXPECT_EQ(bench_->get<StagePresenter>().linesOf(PassSnapshot{1}, {mul}),
            std::vector<std::uint32_t>{2});
}

TEST_F(LitWindowTest, PartsAreTabs) {
  if (!hasEngine()) GTEST_SKIP() << "no engine";
  EXPECT_FALSE(part<PartTabs>()->isVisible());
  openSettled(fileWith("parts.mlir",
                       "func.func @f() {\n  return\n}\n// -----\nfunc.func @g() {\n  return\n}\n"));
  QTabBar* tabs = part<PartTabs>()->tabs();
  EXPECT_TRUE(part<PartTabs>()->isVisible());
  ASSERT_EQ(tabs->count(), 2);
  EXPECT_EQ(tabs->tabText(1), "Part 2");
  QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
  waitUntil(
      [&] {
        return bench_->get<SessionPresenter>().snapshot()->request.read.model == "2" &&
               settled(*bench_);
      },
      "the second part is open");
  EXPECT_EQ(tabs->currentIndex(), 1);
  window_->actions()["previous-part"]->trigger();
  waitUntil([&] { return bench_->get<SessionPresenter>().snapshot()->request.read.model == "1"; },
            "the first part is open");
}

}  // namespace
}  // namespace fxs::ui
