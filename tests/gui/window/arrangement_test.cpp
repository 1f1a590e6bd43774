// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/problems/problems_page.h"
#include "widgets/reading_order.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class ArrangementTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
    window_->resize(1280, 800);
    bench_->get<ArrangementPresenter>().reset();
    openSettled(samplePath("masked_attention.pt2"));
  }
  void arrange(Arrangement arrangement) {
    window_->actions()["arrange-" + name(arrangement)]->trigger();
    EXPECT_EQ(bench_->get<ArrangementPresenter>().current(), arrangement);
    // Sizes are set in the event loop.
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  DockArea* area() const { return part<DockArea>(); }
  DockFrame* dock(const QString& id) const { return area()->dock(id); }
  /// Those that are in every arrangement.
  std::vector<DockFrame*> docks() const {
    return {dock("navigator"), dock("inspector"), dock("texts"), dock("results")};
  }
  /// The height of what an arrangement is for, in pixels.
  int heightOfMain(Arrangement arrangement) const {
    switch (arrangement) {
      case Arrangement::Graph: return part<GraphPane>()->height();
      case Arrangement::Stages:
      case Arrangement::Passes: return part<StageStrip>()->panes().front()->view()->height();
      case Arrangement::Diagnosis: return part<InspectorPane>()->height();
      case Arrangement::Numbers: return dock("results")->page("numbers")->height();
    }
    return 0;
  }
  void expectRoom(Arrangement arrangement, int heightOfMainAtLeast, int heightOfDockAtLeast) {
    EXPECT_EQ(window_->size(), QSize(1280, 800));
    EXPECT_GE(heightOfMain(arrangement), heightOfMainAtLeast);
    EXPECT_GE(part<GraphPane>()->height(), 14 * kGrid);
    EXPECT_GE(part<GraphPane>()->width(), 30 * kGrid);
    for (const DockFrame* dock : docks()) {
      const std::string id = dock->objectName().toStdString();
      EXPECT_TRUE(dock->isVisible()) << id;
      EXPECT_GE(dock->width(), 22 * kGrid) << id;
      EXPECT_TRUE(dock->isStrip() || dock->widget()->height() >= heightOfDockAtLeast)
          << id << ' ' << dock->widget()->height();
    }
  }
};

TEST_F(ArrangementTest, EachShowsFourHundredPixelsOfWhatItIsForAndNoPaneIsTooSmall) {
  for (const Arrangement each : kArrangements) {
    SCOPED_TRACE(name(each).toStdString());
    arrange(each);
    // Texts have the whole width.
    const bool isWide = each == Arrangement::Stages || each == Arrangement::Passes;
    expectRoom(each, isWide ? 350 : 400, 9 * kGrid);
    for (const CodePane* pane : part<StageStrip>()->panes()) EXPECT_GE(pane->width(), 20 * kGrid);
  }
}

TEST_F(ArrangementTest, EachOfTwoTextsShowsEightyCharacters) {
  for (const Arrangement each : {Arrangement::Stages, Arrangement::Passes}) {
    SCOPED_TRACE(name(each).toStdString());
    arrange(each);
    ASSERT_EQ(part<StageStrip>()->panes().size(), 2U);
    for (const CodePane* pane : part<StageStrip>()->panes())
      EXPECT_GE(pane->view()->columnsInView(), 80);
  }
}

TEST_F(ArrangementTest, WithTextOfTwoHundredPercentNoPaneIsTooSmall) {
  textScale_ = 2;
  remake();
  window_->resize(1280, 800);
  bench_->get<ArrangementPresenter>().reset();
  openSettled(samplePath("masked_attention.pt2"));
  EXPECT_NEAR(part<GraphPane>()->graphStyle().textScale, 2, 1e-9)
      << "the graph's text is scaled, too";
  for (const Arrangement each : kArrangements) {
    SCOPED_TRACE(name(each).toStdString());
    arrange(each);
    const bool isWide = each == Arrangement::Stages || each == Arrangement::Passes;
    expectRoom(each, isWide ? 180 : 200, 7 * kGrid);
  }
}

TEST_F(ArrangementTest, KeysGoFromPaneToPane) {
  for (const Arrangement each : kArrangements) {
    SCOPED_TRACE(name(each).toStdString());
    arrange(each);
    std::set<QWidget*> expected{part<GraphArea>()}, seen;
    for (DockFrame* dock : docks())
      if (!dock->isStrip()) expected.insert(dock);
    part<GraphPane>()->setFocus();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      seen.insert(area()->focused());
      QTest::keyClick(window_.get(), Qt::Key_F6);
    }
    EXPECT_EQ(seen, expected);
    EXPECT_EQ(area()->focused(), part<GraphArea>()) << "once around";
    QTest::keyClick(window_.get(), Qt::Key_F6, Qt::ShiftModifier);
    QTest::keyClick(window_.get(), Qt::Key_F6);
    EXPECT_EQ(area()->focused(), part<GraphArea>());
    EXPECT_GT(tabOrder(window_.get()).size(), 30U);
  }
}

TEST_F(ArrangementTest, KeysSwitchAndKeepTheSelectionAndTheTextsOfEach) {
  EXPECT_EQ(bench_->get<StagePresenter>().panes(), ShownTexts{LastStage{}});
  const fx::NodeId node = aCall();
  bench_->get<SelectionPresenter>().selectNode(node, Origin::List);
  QTest::keyClick(window_.get(), Qt::Key_2, Qt::AltModifier);
  ASSERT_EQ(bench_->get<ArrangementPresenter>().current(), Arrangement::Stages);
  EXPECT_EQ(bench_->get<StagePresenter>().panes(), (ShownTexts{"fx", LastStage{}}));
  bench_->get<StagePresenter>().setPanes({"fx", "torch"});
  QTest::keyClick(window_.get(), Qt::Key_3, Qt::AltModifier);
  ASSERT_EQ(bench_->get<ArrangementPresenter>().current(), Arrangement::Passes);
  EXPECT_EQ(bench_->get<StagePresenter>().panes(), (ShownTexts{Handle::From, Handle::To}));
  EXPECT_EQ(dock("results")->currentPage(), "passes");
  EXPECT_GE(bench_->get<PassPresenter>().to(), 0);
  QTest::keyClick(window_.get(), Qt::Key_4, Qt::AltModifier);
  EXPECT_EQ(dock("results")->currentPage(), "problems");
  QTest::keyClick(window_.get(), Qt::Key_5, Qt::AltModifier);
  EXPECT_EQ(dock("results")->currentPage(), "numbers");
  QTest::keyClick(window_.get(), Qt::Key_2, Qt::AltModifier);
  EXPECT_EQ(bench_->get<StagePresenter>().panes(), (ShownTexts{"fx", "torch"}));
  EXPECT_EQ(dock("results")->currentPage(), "problems");
  QTest::keyClick(window_.get(), Qt::Key_1, Qt::AltModifier);
  EXPECT_EQ(bench_->get<ArrangementPresenter>().current(), Arrangement::Graph);
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), node);
}

TEST_F(ArrangementTest, EachIsRememberedWithWhatWasClosed) {
  arrange(Arrangement::Stages);
  bench_->get<StagePresenter>().setPanes({"fx", "torch"});
  window_->actions()["show-inspector"]->trigger();
  EXPECT_FALSE(dock("inspector")->isVisible());
  arrange(Arrangement::Graph);
  EXPECT_TRUE(dock("inspector")->isVisible());
  arrange(Arrangement::Stages);
  EXPECT_FALSE(dock("inspector")->isVisible());
  remake();
  EXPECT_EQ(bench_->get<ArrangementPresenter>().current(), Arrangement::Stages);
  EXPECT_TRUE(window_->actions()["arrange-stages"]->isChecked());
  openSettled(samplePath("masked_attention.pt2"));
  EXPECT_EQ(bench_->get<StagePresenter>().panes(), (ShownTexts{"fx", "torch"}));
  EXPECT_FALSE(dock("inspector")->isVisible());
  arrange(Arrangement::Graph);
  EXPECT_TRUE(dock("inspector")->isVisible());
  arrange(Arrangement::Stages);
  window_->actions()["reset-layout"]->trigger();
  EXPECT_TRUE(dock("inspector")->isVisible());
  EXPECT_EQ(bench_->get<StagePresenter>().panes(), (ShownTexts{"fx", LastStage{}}));
}

TEST_F(ArrangementTest, AMaximizedPaneComesBack) {
  arrange(Arrangement::Diagnosis);
  std::vector<QRect> before;
  for (const DockFrame* dock : docks()) before.push_back(dock->geometry());
  QWidget* title = dock("texts")->titleBarWidget();
  QTest::mouseDClick(title, Qt::LeftButton);
  waitUntil([&] { return dock("texts")->height() > 650; }, "the texts fill the window");
  EXPECT_EQ(dock("texts")->width(), 1280);
  EXPECT_FALSE(part<GraphArea>()->isVisible());
  EXPECT_FALSE(dock("inspector")->isVisible());
  QTest::mouseDClick(title, Qt::LeftButton);
  waitUntil([&] { return dock("texts")->geometry() == before[2]; }, "restored");
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(docks()[i]->geometry(), before[i]);
  // By key, the pane with the focus; another arrangement restores it, too.
  part<GraphPane>()->setFocus();
  QTest::keyClick(window_.get(), Qt::Key_F11);
  EXPECT_EQ(area()->maximized(), part<GraphPair>());
  EXPECT_FALSE(dock("results")->isVisible());
  arrange(Arrangement::Graph);
  EXPECT_EQ(area()->maximized(), nullptr);
  for (const DockFrame* dock : docks()) EXPECT_TRUE(dock->isVisible());
}

TEST_F(ArrangementTest, APageIsAsHighAsWhatItHolds) {
  arrange(Arrangement::Diagnosis);
  const int one = dock("results")->height();
  EXPECT_LE(one, 180) << "a list of one problem";
  dock("results")->setCurrentPage("passes");
  waitUntil([&] { return dock("results")->height() > one; }, "many passes take more");
  EXPECT_LE(dock("results")->height(), area()->height() / 2);
  dock("results")->setCurrentPage("problems");
  waitUntil([&] { return dock("results")->height() == one; }, "and back");
}

TEST_F(ArrangementTest, AStripOpensWhenItsTitleIsClicked) {
  arrange(Arrangement::Diagnosis);
  ASSERT_TRUE(dock("navigator")->isStrip());
  QTest::mouseClick(dock("navigator")->titleBarWidget(), Qt::LeftButton);
  waitUntil([&] { return dock("navigator")->height() > 15 * kGrid; }, "opened");
}

TEST_F(ArrangementTest, AProgramOpensAtItsFirstProblemUnlessSomethingIsSelected) {
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().problem,
            bench_->get<ProblemsPresenter>().problems().front().operation);
  EXPECT_TRUE(bench_->get<ProblemsPresenter>().blocks(bench_->get<NodePresenter>().state()->node));
  fx::NodeId chosen;
  QObject::connect(&bench_->get<SessionPresenter>(), &SessionPresenter::programChanged,
                   &bench_->get<Graphs>().program, [&] {
                     chosen = bench_->get<SessionPresenter>().program()->main().nodes.back();
                     bench_->get<SelectionPresenter>().selectNode(chosen, Origin::List);
                   });
  openSettled(samplePath("control_flow.pt2"));
  EXPECT_GT(bench_->get<ProblemsPresenter>().errors(), 0U);
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), chosen);
}

TEST_F(ArrangementTest, VerifiedFixesAreAppliedFromBesideThem) {
  waitUntil(
      [&] {
        return !bench_->get<DiagnosisPresenter>().state().running &&
               bench_->get<DiagnosisPresenter>().diagnosis();
      },
      "diagnosed");
  QToolButton* apply = nullptr;
  for (QToolButton* button : part<InspectorPane>()->findChildren<QToolButton*>())
    if (button->text() == "Apply fixes …") apply = button;
  ASSERT_NE(apply, nullptr);
  QTest::mouseClick(apply, Qt::LeftButton);
  EXPECT_TRUE(part<FixDialog>()->isVisible());
  part<FixDialog>()->reject();
}

}  // namespace
}  // namespace fxs::ui
