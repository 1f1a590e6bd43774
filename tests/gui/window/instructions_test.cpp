// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a node to its dispatch and its instructions, and back, by clicks.
#include <algorithm>
#include <random>

#include "window_fixture.h"

namespace fxs::ui {
namespace {

class InstructionsTest : public WindowTest {
 protected:
  /// Calls of the program that have lines in every pane, in a random order that is the same in
  /// every run.
  std::vector<fx::NodeId> followed(const ShownTexts& stages) const {
    std::vector<fx::NodeId> out;
    for (const fx::Node& each : bench_->get<SessionPresenter>().program()->nodes)
      if (each.op == fx::NodeOp::CallFunction &&
          std::all_of(stages.begin(), stages.end(), [&](const ShownText& s) {
            return !bench_->get<StagePresenter>().linesOf(s, {each.id}).empty();
          }))
        out.push_back(each.id);
    std::shuffle(out.begin(), out.end(), std::mt19937(7));
    return out;
  }
  /// The click and everything that is painted for it.
  template <class Click>
  double timeOf(const Click& click) {
    QElapsedTimer clock;
    clock.start();
    click();
    for (CodePane* pane : part<StageStrip>()->panes()) pane->view()->viewport()->repaint();
    return static_cast<double>(clock.nsecsElapsed()) / 1e6;
  }
  /// Clicks nodes in the first pane, and then their lines in the others.
  void follow(const ShownTexts& shown, std::size_t count) {
    openSettled(samplePath("decoder_dynamic.pt2"));
    if (!hasEngine()) GTEST_SKIP() << "no engine";
    const ShownText last = shown.back();
    Q_EMIT part<QComboBox>("target")->activated(part<QComboBox>("target")->findText(name(last)));
    bench_->get<StagePresenter>().setPanes(shown);
    waitUntil([&] { return settled(*bench_); }, "compiled");
    if (!bench_->get<StagePresenter>().textOf(last)) GTEST_SKIP() << "no IREE";
    std::vector<fx::NodeId> nodes = followed(shown);
    ASSERT_GE(nodes.size(), count);
    nodes.resize(count);
    double longest = 0;
    for (const fx::NodeId id : nodes) {
      longest = std::max(longest, timeOf([&] { clickInStage("raw", id); }));
      expectEverythingShows(id);
      // A line of assembly may compute several nodes; a click selects them all.
      for (const ShownText& stage : {last, shown[1]}) {
        longest = std::max(longest, timeOf([&] { clickInStage(stage, id); }));
        const std::vector<fx::NodeId> selected = bench_->get<SelectionPresenter>().current().nodes;
        EXPECT_NE(std::find(selected.begin(), selected.end(), id), selected.end());
        for (const CodePane* pane : part<StageStrip>()->panes())
          EXPECT_EQ(pane->view()->related(),
                    bench_->get<StagePresenter>().linesOf(pane->stageId(), selected));
      }
    }
    measured("from a node to its instructions, or back", longest, 100);
  }
};

TEST_F(InstructionsTest, ANodeIsFollowedToItsDispatchAndAssemblyAndBack) {
  follow({"raw", "iree-flow", "iree-assembly"}, 20);
}

TEST_F(InstructionsTest, ANodeIsFollowedToItsDispatchAndPtxAndBack) {
  follow({"raw", "iree-cuda-dispatches", "iree-ptx"}, 10);
}

}  // namespace
}  // namespace fxs::ui
