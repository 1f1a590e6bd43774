// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of stages and passes as a graph: selected as anywhere else, and kept in place from
// pass to pass.
#include "output_type.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class OpGraphTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
    bench_->get<SessionPresenter>().setTarget(test::outputType("linalg-on-tensors"));
    openSettled(samplePath("masked_attention.pt2"));
  }
  GraphArea* area() const { return part<GraphArea>(); }
  void showLinalg() {
    bench_->get<Graphs>().first.choose(StageId("linalg-on-tensors"));
    waitUntil(
        [&] {
          return !bench_->get<Graphs>().first.busy() &&
                 area()->pane()->picture().program == bench_->get<Graphs>().first.graph().program();
        },
        "the operations are drawn");
  }
  bool drawn() const {
    return !bench_->get<Graphs>().first.busy() && settled(*bench_) &&
           area()->pane()->picture().program == bench_->get<Graphs>().first.graph().program();
  }
  void showFirstPass() {
    bench_->get<SessionPresenter>().trace();
    waitUntil([&] { return bench_->get<PassPresenter>().trace() && settled(*bench_); },
              "the passes are traced");
    ASSERT_TRUE(bench_->get<PassPresenter>().step(1));
    bench_->get<Graphs>().first.choose(Handle::To);
    waitUntil([&] { return drawn(); }, "the operations are drawn");
  }
  /// The first drawn operation of a node.
  fx::NodeId operationOf(const char* name) const {
    for (const fx::NodeId id : bench_->get<Graphs>().first.shownFor({node(name)}))
      if (area()->pane()->nodeRect(id)) return id;
    return {};
  }
};

TEST_F(OpGraphTest, ItsChoicesAreTheStagesWithOperations) {
  QStringList choices;
  for (int i = 0; i < area()->chooser()->count(); ++i) choices << area()->chooser()->itemText(i);
  EXPECT_EQ(choices.mid(0, 4),
            (QStringList{"Program", "RAW torch dialect", "Torch backend IR", "Linalg on tensors"}));
  showLinalg();
  EXPECT_EQ(area()->chooser()->currentText(), "Linalg on tensors");
}

TEST_F(OpGraphTest, AClickOnAnOperationSelectsItsNodeEverywhere) {
  showLinalg();
  bench_->get<Graphs>().first.graph().openAll();
  waitUntil([&] { return !bench_->get<Graphs>().first.busy(); }, "all groups are expanded");
  const fx::NodeId operation = operationOf("layer_norm");
  ASSERT_TRUE(operation.valid());
  area()->pane()->centreOn(operation);
  QTest::mouseClick(area()->pane()->focusProxy(), Qt::LeftButton, {},
                    area()->pane()->nodeRect(operation)->center().toPoint());
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), node("layer_norm"));
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().stage,
            ShownText(StageId("linalg-on-tensors")));
  EXPECT_EQ(area()->pathText(), "model › layers.0 › norm1");
}

TEST_F(OpGraphTest, ASelectionElsewhereMarksItsOperations) {
  showLinalg();
  bench_->get<SelectionPresenter>().selectNode(node("layer_norm_4"), Origin::List);
  const fx::NodeId operation = bench_->get<Graphs>().first.shownFor({node("layer_norm_4")}).front();
  EXPECT_TRUE(area()->pane()->nodeRect(operation));
  EXPECT_EQ(area()->pathText(), "model › norm");
}

TEST_F(OpGraphTest, ASteppedPassIsDrawnInTheSamePlace) {
  ASSERT_NO_FATAL_FAILURE(showFirstPass());
  bench_->get<SelectionPresenter>().selectNode(node("add"), Origin::List);
  const fx::ProgramPtr before = bench_->get<Graphs>().first.graph().program();
  const QPointF position = area()->pane()->nodeRect(operationOf("add"))->center();
  ASSERT_TRUE(bench_->get<PassPresenter>().step(1));
  waitUntil([&] { return drawn() && bench_->get<Graphs>().first.graph().program() != before; },
            "the next pass is drawn");
  const QPointF now = area()->pane()->nodeRect(operationOf("add"))->center();
  EXPECT_LT((now - position).manhattanLength(), 1.0);
}

TEST_F(OpGraphTest, SteppingThroughAllPassesMovesNothingThatStays) {
  ASSERT_NO_FATAL_FAILURE(showFirstPass());
  bench_->get<Graphs>().first.graph().openAll();
  waitUntil([&] { return drawn(); }, "all groups are expanded");
  std::size_t compared = 0, newLayouts = 0;
  for (;;) {
    const trace::OpGraph before = bench_->get<Graphs>().first.operations();
    const auto module = bench_->get<Graphs>().first.text()->module;
    const auto full = area()->pane()->picture().full;
    std::vector<std::optional<QRectF>> positions;
    for (const fx::Node& node : before.program->nodes)
      positions.push_back(area()->pane()->nodeRect(node.id));
    window_->actions()["next-pass"]->trigger();
    waitUntil([&] { return settled(*bench_); }, "stepped");
    if (bench_->get<Graphs>().first.text()->module == module) break;  // the last one
    waitUntil([&] { return drawn(); }, "the next pass is drawn");
    if (area()->pane()->picture().full != full) {
      ++newLayouts;
      continue;
    }
    const trace::OpGraph& after = bench_->get<Graphs>().first.operations();
    const mlir::Diff diff = mlir::diff(*module, *bench_->get<Graphs>().first.text()->module);
    for (const mlir::OpPair& pair : diff.pairs) {
      if (pair.change != mlir::OpChange::Same) continue;
      const fx::NodeId was = before.nodeOf[pair.a.index()], is = after.nodeOf[pair.b.index()];
      // What is folded into another operation is drawn where that is.
      if (!was.valid() || !is.valid() || before.opsOf[was.index()].front() != pair.a ||
          after.opsOf[is.index()].front() != pair.b)
        continue;
      const auto now = area()->pane()->nodeRect(is);
      if (!positions[was.index()] || !now) continue;
      ++compared;
      EXPECT_NEAR(now->center().x(), positions[was.index()]->center().x(), 0.01)
          << after.program->node(is).name;
      EXPECT_NEAR(now->center().y(), positions[was.index()]->center().y(), 0.01)
          << after.program->node(is).name;
    }
  }
  EXPECT_GT(compared, 500u);
  EXPECT_LE(newLayouts, 3u) << "only where a conversion replaces most operations";
}

TEST_F(OpGraphTest, AnActionShowsTheProgramAgain) {
  window_->actions()["graph-of-text"]->trigger();
  ASSERT_TRUE(bench_->get<Graphs>().first.chosen());
  window_->actions()["graph-of-text"]->trigger();
  EXPECT_FALSE(bench_->get<Graphs>().first.chosen());
  EXPECT_EQ(area()->pane()->picture().program, bench_->get<SessionPresenter>().program());
}

}  // namespace
}  // namespace fxs::ui
