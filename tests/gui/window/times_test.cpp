// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph coloured by the time that its nodes take, measured on request.
#include <condition_variable>
#include <mutex>

#include "output_type.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

compare::Dispatch dispatch(const char* name, double microseconds, std::vector<std::string> nodes) {
  return {{name, 1, std::chrono::duration<double>(microseconds / 1e6)}, std::move(nodes)};
}

class TimesTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
  }
  void openMeasuredBy(Measurer measurer) {
    measurer_ = std::move(measurer);
    remake();
    openSettled(samplePath("transformer_block.pt2"));
  }
  void colourByTime() {
    window_->actions()["colour-time"]->trigger();
    waitUntil([&] { return !bench_->get<TimesPresenter>().state().running && settled(*bench_); },
              "measured");
  }
  QString legend() const { return part<GraphPair>()->first()->legend()->fullText(); }
  void waitForLegend(const QString& wanted) {
    waitUntil([&] { return legend() == wanted; }, wanted.toUtf8().constData());
  }
};

TEST_F(TimesTest, TheGraphIsColouredByMeasuredTime) {
  int measured = 0;
  openMeasuredBy([&measured](const session::SnapshotPtr& snapshot,
                             const RunContext&) -> Result<DispatchTimesPtr> {
    ++measured;
    numbers::DispatchTimes times{snapshot->request.lower.target, "IREE 3.13.0", {}};
    times.dispatches = {dispatch("main_dispatch_1", 30, {"layer_norm", "linear"}),
                        dispatch("main_dispatch_0", 8, {"linear"}),
                        dispatch("main_dispatch_2", 2, {"gelu"})};
    return std::make_shared<const numbers::DispatchTimes>(std::move(times));
  });
  EXPECT_EQ(measured, 0) << "nothing runs until it is asked for";
  bench_->get<SelectionPresenter>().selectNode(node("linear"), Origin::List);
  colourByTime();
  EXPECT_EQ(measured, 1);
  EXPECT_TRUE(legend().startsWith("Time, 40 µs with IREE 3.13.0, up to: | "))
      << legend().toStdString();
  EXPECT_TRUE(legend().endsWith("| 95 %")) << legend().toStdString();
  EXPECT_EQ(bench_->get<Graphs>().colours.shades()[node("linear").index()], Shade::Level5)
      << "of both dispatches";
  EXPECT_EQ(bench_->get<Graphs>().colours.shades()[node("gelu").index()], Shade::Level1);
  EXPECT_EQ(bench_->get<Graphs>().colours.shades()[node("add").index()], Shade::None)
      << "nothing is known";
  EXPECT_EQ(bench_->get<TimesPresenter>().textOf(node("linear")),
            "75 % of 40 µs: main_dispatch_1, with layer_norm\n20 % of 40 µs: main_dispatch_0");
  // The operations of a node have its colour.
  bench_->get<Graphs>().first.choose(StageId("tosa"));
  waitUntil([&] { return settled(*bench_); }, "the operations are coloured");
  for (const fx::NodeId operation : bench_->get<Graphs>().first.shownFor({node("gelu")})) {
    const bool isFolded = bench_->get<Graphs>().first.graph().program()->node(operation).op !=
                          fx::NodeOp::CallFunction;
    if (isFolded || bench_->get<Graphs>().first.usersNodes(operation).size() > 1) continue;
    EXPECT_EQ(bench_->get<Graphs>().colours.shades()[operation.index()], Shade::Level1);
  }
  // Not again, until the program is lowered again.
  colourByTime();
  EXPECT_EQ(measured, 1);
  window_->actions()["run"]->trigger();
  waitUntil([&] { return settled(*bench_); }, "lowered again");
  waitForLegend("Time, not measured; Alt+F9 measures it");
}

TEST_F(TimesTest, WhatCannotBeMeasuredIsSaidAndEscapeStops) {
  std::mutex mutex;
  std::condition_variable_any never;
  bool waits = false;
  openMeasuredBy(
      [&](const session::SnapshotPtr&, const RunContext& context) -> Result<DispatchTimesPtr> {
        if (!waits) return fail(ErrorCode::Usage, "no executor that measures is installed");
        std::unique_lock lock(mutex);
        never.wait(lock, context.stop, [] { return false; });
        return fail(ErrorCode::Cancelled, "stopped");
      });
  colourByTime();
  waitForLegend("Time, not measured: no executor that measures is installed");
  waits = true;
  window_->actions()["colour-time"]->trigger();
  waitForLegend("Time, measuring …");
  EXPECT_TRUE(window_->actions()["stop"]->isEnabled());
  window_->actions()["stop"]->trigger();
  waitUntil([&] { return !bench_->get<TimesPresenter>().state().running; }, "stopped");
  waitForLegend("Time, not measured: cancelled");
}

TEST_F(TimesTest, IreeMeasuresARealProgram) {
  session::Environment environment = around_.environment;
  environment.runner = runner_;
  openMeasuredBy(sessionMeasurer(environment));
  colourByTime();
  if (!bench_->get<TimesPresenter>().known() &&
      bench_->get<TimesPresenter>().state().message.contains("executor"))
    GTEST_SKIP() << bench_->get<TimesPresenter>().state().message.toStdString();
  ASSERT_TRUE(bench_->get<TimesPresenter>().known())
      << bench_->get<TimesPresenter>().state().message.toStdString();
  std::size_t known = 0;
  for (const double share : bench_->get<TimesPresenter>().shares()) {
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
    known += share > 0;
  }
  EXPECT_GE(known, 15u);
  EXPECT_FALSE(bench_->get<TimesPresenter>().textOf(node("linear")).isEmpty());
}

}  // namespace
}  // namespace fxs::ui
