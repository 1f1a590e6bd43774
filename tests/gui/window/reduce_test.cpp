// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <mutex>

#include "window_fixture.h"

namespace fxs::ui {
namespace {

class ReduceTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
  }
};

TEST_F(ReduceTest, TheSmallestProgramOpensAndLeadsBack) {
  const QString sample = samplePath("masked_attention.pt2");
  openSettled(sample);
  const std::size_t nodes = bench_->session.program()->nodes.size();
  ASSERT_TRUE(window_->actions()["reduce"]->isEnabled());
  QSignalSpy opened(&bench_->session, &SessionPresenter::programChanged);
  window_->actions()["reduce"]->trigger();
  EXPECT_TRUE(bench_->reduce.state().running);
  EXPECT_FALSE(window_->actions()["reduce"]->isEnabled());
  waitUntil([&] { return opened.count() == 1 && bench_->settled(); },
            "the reduced program is open");
  EXPECT_TRUE(bench_->reduce.showsReduced());
  EXPECT_LT(bench_->session.program()->nodes.size(), nodes);
  EXPECT_TRUE(window_->windowTitle().startsWith("masked_attention-reduced.pt2"));
  const QString banner = part<BannerBar>()->text("reduced");
  EXPECT_TRUE(banner.startsWith("masked_attention.pt2: reduced from ")) << banner.toStdString();
  // It stops at the same operation.
  EXPECT_NE(bench_->problems.problem("aten.scaled_dot_product_attention.default"), nullptr);
  // A file of the window's own is not one to remember.
  EXPECT_EQ(window_->recentFiles(), QStringList{sample});
  const QString file = bench_->session.state().file;
  EXPECT_TRUE(QFile::exists(file));
  bench_->reduce.back();
  waitUntil([&] { return opened.count() == 2 && bench_->settled(); }, "back");
  EXPECT_EQ(bench_->session.state().file, sample);
  EXPECT_EQ(part<BannerBar>()->text("reduced"), "");
  EXPECT_FALSE(QFile::exists(file));
}

TEST_F(ReduceTest, AProgramThatLowersHasNothingToReduce) {
  openSettled(samplePath("addmm.pt2"));
  EXPECT_FALSE(window_->actions()["reduce"]->isEnabled());
  EXPECT_EQ(window_->actions()["reduce"]->toolTip(),
            "The program lowers to tosa: there is no failure");
}

TEST_F(ReduceTest, EscapeStopsItAndTheProgramStays) {
  std::mutex mutex;
  std::condition_variable_any never;
  reducer_ = [&](const session::SnapshotPtr&, fx::NodeId,
                 const RunContext& context) -> Result<ReducedProgram> {
    context.report({"reducing: 12 of 1984 operations left", -1});
    std::unique_lock lock(mutex);
    never.wait(lock, context.stop, [] { return false; });
    return fail(ErrorCode::Cancelled, "stopped");
  };
  remake();
  openSettled(samplePath("masked_attention.pt2"));
  const fx::ProgramPtr before = bench_->session.program();
  window_->actions()["reduce"]->trigger();
  waitUntil([&] { return bench_->reduce.state().what == "reducing: 12 of 1984 operations left"; },
            "it goes on");
  QTest::keyClick(window_.get(), Qt::Key_Escape);
  waitUntil([&] { return !bench_->reduce.state().running; }, "stopped");
  EXPECT_EQ(bench_->session.program(), before);
  EXPECT_EQ(part<BannerBar>()->text("reduce"), "");
  close();
}

TEST_F(ReduceTest, WhyThereIsNoSmallerProgramIsSaid) {
  reducer_ = [](const session::SnapshotPtr&, fx::NodeId,
                const RunContext&) -> Result<ReducedProgram> {
    return fail(ErrorCode::InvalidInput, "nothing fails at 'add'");
  };
  remake();
  openSettled(samplePath("masked_attention.pt2"));
  window_->actions()["reduce"]->trigger();
  waitUntil([&] { return !bench_->reduce.state().running; }, "refused");
  EXPECT_EQ(part<BannerBar>()->text("reduce"), "Not reduced: nothing fails at 'add'");
}

TEST_F(ReduceTest, TheWholeDiagnosisIsCopiedAsMarkdown) {
  openSettled(samplePath("masked_attention.pt2"));
  waitUntil([&] { return bench_->diagnosis.diagnosis() && !bench_->diagnosis.state().running; },
            "diagnosed");
  bench_->selection.clear();  // it opened at the first problem
  window_->actions()["copy-markdown"]->trigger();
  EXPECT_EQ(QApplication::clipboard()->text(), bench_->problems.markdown());
  EXPECT_TRUE(QApplication::clipboard()->text().contains("scaled_dot_product_attention"));
}

}  // namespace
}  // namespace fxs::ui
