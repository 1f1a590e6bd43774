// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two graphs side by side: one selection, modules expanded in both, and what differs between two
// lowerings to one output type.
#include <QToolButton>

#include "output_type.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class GraphPairTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
    bench_->get<SessionPresenter>().setTarget(test::outputType("tosa"));
    openSettled(samplePath("transformer_block.pt2"));
  }
  GraphPair* graphs() const { return part<GraphPair>(); }
  GraphPane* first() const { return graphs()->first()->pane(); }
  GraphPane* second() const { return graphs()->second()->pane(); }
  void showBeside() { window_->actions()["graph-beside"]->trigger(); }
  void drawn(const ShownText& a, const ShownText& b) {
    waitUntil(
        [&] {
          return settled(*bench_) && bench_->get<Graphs>().first.chosen() == a &&
                 bench_->get<Graphs>().second.chosen() == b &&
                 first()->picture().program == bench_->get<Graphs>().first.graph().program() &&
                 second()->picture().program == bench_->get<Graphs>().second.graph().program() &&
                 second()->picture().program;
        },
        "both are drawn");
  }
  /// How many nodes of a graph differ.
  static std::size_t differing(const OpGraphPresenter& graph) {
    std::size_t out = 0;
    for (const mlir::OpChange change : graph.changes()) out += change != mlir::OpChange::Same;
    return out;
  }
};

TEST_F(GraphPairTest, TheProgramStandsBesideWhatItBecomes) {
  EXPECT_FALSE(second()->isVisible());
  showBeside();
  waitUntil([&] { return settled(*bench_) && second()->picture().program; },
            "the second graph is drawn");
  EXPECT_TRUE(second()->isVisible());
  EXPECT_EQ(bench_->get<Graphs>().second.chosen(), ShownText(StageId("tosa")));
  EXPECT_EQ(first()->picture().program, bench_->get<SessionPresenter>().program());
  EXPECT_NEAR(first()->width(), second()->width(), 8);
  // A click in one selects, and scrolls to it in the other.
  bench_->get<Graphs>().second.graph().openAll();
  waitUntil([&] { return settled(*bench_); }, "everything is expanded");
  window_->actions()["fit"]->trigger();
  const fx::NodeId last = node("linear_7");
  first()->centreOn(last);
  ASSERT_TRUE(first()->nodeRect(last));
  QTest::mouseClick(first()->focusProxy(), Qt::LeftButton, {},
                    first()->nodeRect(last)->center().toPoint());
  ASSERT_EQ(bench_->get<SelectionPresenter>().current().node(), last);
  const std::vector<fx::NodeId> shown = bench_->get<Graphs>().second.shownFor({last});
  ASSERT_FALSE(shown.empty());
  EXPECT_TRUE(second()->nodeRect(shown.front())->intersects(second()->rect()));
}

TEST_F(GraphPairTest, TwoWaysOfLoweringMarkWhatDiffers) {
  bench_->get<Graphs>().first.choose(StageId("tosa"));
  bench_->get<StagePresenter>().setPanes({"tosa", Alternative::Registries});
  showBeside();
  drawn(StageId("tosa"), Alternative::Registries);
  const std::size_t operations = bench_->get<Graphs>().first.graph().program()->nodes.size();
  EXPECT_GT(differing(bench_->get<Graphs>().first), 0u);
  EXPECT_LT(differing(bench_->get<Graphs>().first), operations) << "what is equal is not marked";
  EXPECT_GT(differing(bench_->get<Graphs>().second), 0u);
  // Another stage is another dialect: nothing is marked.
  bench_->get<Graphs>().second.choose(StageId("torch"));
  drawn(StageId("tosa"), StageId("torch"));
  EXPECT_EQ(differing(bench_->get<Graphs>().first), 0u);
  EXPECT_EQ(differing(bench_->get<Graphs>().second), 0u);
}

TEST_F(GraphPairTest, AnotherOutputTypeIsLoweredWhenItIsChosen) {
  bench_->get<Graphs>().first.choose(StageId("tosa"));
  showBeside();
  bench_->get<Graphs>().second.choose(Alternative::Type);
  EXPECT_FALSE(bench_->get<Graphs>().second.message().isEmpty()) << "it says what it waits for";
  drawn(StageId("tosa"), Alternative::Type);
  EXPECT_TRUE(bench_->get<Graphs>().second.message().isEmpty());
  const AlternativeState& other = bench_->get<AlternativesPresenter>().state(Alternative::Type);
  ASSERT_TRUE(other.lowering);
  EXPECT_TRUE(other.lowering->complete) << other.lowering->note.toStdString();
  EXPECT_NE(bench_->get<AlternativesPresenter>().type(), bench_->get<SessionPresenter>().target());
  EXPECT_EQ(graphs()->second()->chooser()->currentText(),
            bench_->get<StagePresenter>().stage(Alternative::Type)->title);
  EXPECT_EQ(differing(bench_->get<Graphs>().first), 0u);
  // The next one is another; the output type of the program is never among them.
  const lower::OutputType before = bench_->get<AlternativesPresenter>().type();
  bench_->get<AlternativesPresenter>().chooseNextType();
  EXPECT_NE(bench_->get<AlternativesPresenter>().type(), before);
  EXPECT_NE(bench_->get<AlternativesPresenter>().type(), bench_->get<SessionPresenter>().target());
  drawn(StageId("tosa"), Alternative::Type);
}

TEST_F(GraphPairTest, AModuleIsExpandedInBoth) {
  bench_->get<Graphs>().first.choose(StageId("tosa"));
  showBeside();
  drawn(StageId("tosa"), StageId("torch"));
  const auto& a = bench_->get<Graphs>().first.graph();
  const auto& b = bench_->get<Graphs>().second.graph();
  const auto isOpen = [](const GraphPresenter& graph, const char* path) {
    const layout::GroupId group = graph.tree()->find(path);
    return std::any_of(graph.graph().view->frames.begin(), graph.graph().view->frames.end(),
                       [&](const auto& frame) { return frame.group == group; });
  };
  ASSERT_FALSE(isOpen(a, "blocks.0.mlp"));
  ASSERT_FALSE(isOpen(b, "blocks.0.mlp"));
  bench_->get<Graphs>().first.graph().toggle(a.tree()->find("blocks.0.mlp"));
  waitUntil([&] { return settled(*bench_); }, "expanded");
  EXPECT_TRUE(isOpen(a, "blocks.0.mlp"));
  EXPECT_TRUE(isOpen(b, "blocks.0.mlp"));
  bench_->get<Graphs>().second.graph().closeAll();
  waitUntil([&] { return settled(*bench_); }, "collapsed");
  EXPECT_FALSE(isOpen(a, "blocks.0.mlp"));
}

TEST_F(GraphPairTest, ActionsActOnTheGraphThatHasTheFocus) {
  showBeside();
  waitUntil([&] { return settled(*bench_) && second()->picture().program; },
            "the second graph is drawn");
  second()->setFocus();
  EXPECT_EQ(graphs()->current(), graphs()->second());
  window_->actions()["graph-of-text"]->trigger();
  EXPECT_FALSE(bench_->get<Graphs>().second.chosen());
  showBeside();
  EXPECT_FALSE(second()->isVisible());
  EXPECT_EQ(graphs()->current(), graphs()->first());
  EXPECT_TRUE(first()->hasFocus() || first()->focusProxy()->hasFocus());
}

}  // namespace
}  // namespace fxs::ui
