// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding things in a graph: queries that mark nodes, colours with a legend, a part of the graph
// shown by itself.
#include "output_type.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class QueryTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    openSettled(samplePath("masked_attention.pt2"));
  }
  GraphArea* area() const { return part<GraphArea>(); }
  void type(const QString& query) {
    window_->actions()["find-everywhere"]->trigger();
    QSignalSpy found(&bench_->get<SearchPresenter>(), &SearchPresenter::found);
    part<SearchPopup>()->edit()->setText(query);
    waitUntil(
        [&] {
          return found.count() > 0 &&
                 bench_->get<SearchPresenter>().query().text == query.toStdString();
        },
        "searched");
  }
  void mark(const QString& query) {
    type(query);
    part<SearchPopup>()->choose(0);
    waitUntil(
        [&] {
          return !bench_->get<Graphs>().colours.busy() &&
                 bench_->get<Graphs>().colours.query() == query;
        },
        "marked");
  }
  std::size_t shownNodes() const {
    const auto& boxes = area()->pane()->picture().view->boxes;
    return static_cast<std::size_t>(std::count_if(
        boxes.begin(), boxes.end(), [](const layout::Box& box) { return box.node.valid(); }));
  }
  void waitForGraph() {
    waitUntil([&] { return settled(*bench_); }, "laid out");
  }
};

TEST_F(QueryTest, AQueryIsMarkedInTheGraphAndTheNodeListAndCounted) {
  mark("op=aten.linear module=layers.1");
  EXPECT_EQ(area()->legend()->fullText(), "6 of 78 nodes match op=aten.linear module=layers.1");
  const Navigator* navigator = part<Navigator>();
  const auto isMatch = [&](const char* name) {
    return navigator->listModel().indexOf(node(name)).data(kMatchRole).toBool();
  };
  EXPECT_TRUE(isMatch("linear_6"));
  EXPECT_FALSE(isMatch("linear"));
  EXPECT_EQ(bench_->get<Graphs>().colours.shades()[node("linear_6").index()], Shade::Match);
  EXPECT_EQ(bench_->get<Graphs>().colours.shades()[node("linear").index()], Shade::Dimmed);
}

TEST_F(QueryTest, TheModuleTreeMarksMatchesAndCountsThem) {
  const ModuleTreeModel& tree = part<Navigator>()->treeModel();
  const QModelIndex match = tree.indexOf(node("linear_6")), other = tree.indexOf(node("gelu"));
  EXPECT_FALSE(match.data(kMatchRole).isValid()) << "no query";
  mark("op=aten.linear module=layers.1");
  EXPECT_TRUE(match.data(kMatchRole).toBool());
  EXPECT_EQ(other.data(kMatchRole), QVariant(false));
  EXPECT_FALSE(other.parent().data(kMatchRole).toBool()) << "a module without a match is dimmed";
  QModelIndex module = match;
  while (module.parent().isValid()) module = module.parent();
  EXPECT_FALSE(module.data(kMatchRole).isValid())
      << "a module around matches is neither marked nor dimmed";
  EXPECT_TRUE(module.data().toString().contains("  6 matches"))
      << module.data().toString().toStdString();
  window_->actions()["colour-kind"]->trigger();
  waitForGraph();
  EXPECT_FALSE(other.data(kMatchRole).isValid());
}

TEST_F(QueryTest, TheLegendTakesOneRow) {
  window_->resize(1280, 800);
  window_->actions()["colour-size"]->trigger();
  waitForGraph();
  for (const Arrangement each : kArrangements) {
    bench_->get<ArrangementPresenter>().choose(each);
    waitUntil([&] { return area()->legend()->height() <= 5 * kGrid; }, "one row");
    const bool isWide = each == Arrangement::Diagnosis;
    const auto saysIt = [&] {
      const auto labels = area()->legend()->findChildren<QLabel*>();
      return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->isVisible() && label->text() == "580 B";
      });
    };
    waitUntil([&] { return saysIt() == isWide; },
              "the text where it fits, else tool tips of the colours");
  }
}

TEST_F(QueryTest, F3GoesFromMatchToMatchAndRound) {
  mark("op=aten.layer_norm");
  const std::vector<fx::NodeId> all = bench_->get<Graphs>().colours.matches();
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), all[0]);
  area()->pane()->setFocus();
  for (std::size_t i = 1; i <= all.size(); ++i) {
    window_->actions()["find-next"]->trigger();
    EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), all[i % all.size()]);
  }
  window_->actions()["find-previous"]->trigger();
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), all.back());
}

TEST_F(QueryTest, WhatDoesNotParseIsSaidInThePopup) {
  window_->actions()["find-everywhere"]->trigger();
  part<SearchPopup>()->edit()->setText("op~/(/");
  EXPECT_EQ(bench_->get<SearchPresenter>().summary(),
            "query: 'op~/(/': not a regular expression: missing ): (");
  EXPECT_EQ(part<SearchPopup>()->rowCount(), 0);
}

TEST_F(QueryTest, AQueryFindsTheOperationsOfAStage) {
  if (!hasEngine()) GTEST_SKIP() << "no engine";
  bench_->get<SessionPresenter>().setTarget(test::outputType("linalg-on-tensors"));
  waitForGraph();
  bench_->get<Graphs>().first.choose(StageId("linalg-on-tensors"));
  waitForGraph();
  bench_->get<Graphs>().colours.mark(*query::parse("op=linalg.matmul"));
  bench_->get<Graphs>().colours.mark(*query::parse("op~/^linalg.*matmul$/"));
  waitForGraph();
  const fx::ProgramPtr shown = bench_->get<Graphs>().first.graph().program();
  ASSERT_FALSE(bench_->get<Graphs>().colours.matches().empty());
  for (const fx::NodeId id : bench_->get<Graphs>().colours.matches())
    EXPECT_TRUE(text(shown->node(id).name).endsWith("matmul"));
}

TEST_F(QueryTest, ColoursHaveALegend) {
  window_->actions()["colour-size"]->trigger();
  waitForGraph();
  EXPECT_EQ(area()->legend()->fullText(),
            "Size of the result, up to: | 580 B | 840 B | 1.2 kB | 1.8 kB | 2.6 kB");
  EXPECT_EQ(bench_->get<Graphs>().colours.shades()[node("mask").index()], Shade::Level1);
  EXPECT_EQ(bench_->get<Graphs>().colours.shades()[node("linear_4").index()], Shade::Level5);
  EXPECT_EQ(bench_->get<Graphs>().colours.shades()[node("p_norm_weight").index()], Shade::None)
      << "a parameter is no result";
  window_->actions()["colour-error"]->trigger();
  EXPECT_EQ(bench_->get<Graphs>().colours.by(), kBySize) << "nothing was compared";
  EXPECT_TRUE(window_->actions()["colour-size"]->isChecked());
  window_->actions()["colour-kind"]->trigger();
  EXPECT_FALSE(area()->legend()->isVisible());
}

TEST_F(QueryTest, ANeighbourhoodIsShownByItselfAndGrows) {
  bench_->get<SelectionPresenter>().selectNode(node("layer_norm_1"), Origin::List);
  window_->actions()["show-around"]->trigger();
  waitForGraph();
  EXPECT_TRUE(area()->legend()->fullText().endsWith("of 78 nodes: 2 steps around layer_norm_1"))
      << area()->legend()->fullText().toStdString();
  const std::size_t before = shownNodes();
  EXPECT_TRUE(area()->pane()->nodeRect(node("linear_4")));
  EXPECT_FALSE(area()->pane()->nodeRect(node("linear_6")));
  window_->actions()["show-around"]->trigger();
  waitForGraph();
  EXPECT_GT(shownNodes(), before);
  window_->actions()["show-all"]->trigger();
  waitForGraph();
  EXPECT_TRUE(area()->pane()->nodeRect(node("linear_6")));
  EXPECT_FALSE(area()->legend()->isVisible());
}

TEST_F(QueryTest, PathsBetweenTheLastTwoSelectedNodesAreShown) {
  bench_->get<SelectionPresenter>().selectNode(node("linear"), Origin::List);
  bench_->get<SelectionPresenter>().selectNode(node("layer_norm"), Origin::List);
  window_->actions()["show-between"]->trigger();
  waitForGraph();
  EXPECT_EQ(area()->legend()->fullText(), "2 of 78 nodes: on paths from layer_norm to linear");
  EXPECT_EQ(shownNodes(), 2u);
}

}  // namespace
}  // namespace fxs::ui
