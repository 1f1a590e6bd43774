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
  const std::size_t nodes = bench_->get<SessionPresenter>().program()->nodes.size();
  ASSERT_TRUE(window_->actions()["reduce"]->isEnabled());
  QSignalSpy opened(&bench_->get<SessionPresenter>(), &SessionPresenter::programChanged);
  window_->actions()["reduce"]->trigger();
  EXPECT_TRUE(bench_->get<ReducePresenter>().state().running);
  EXPECT_FALSE(window_->actions()["reduce"]->isEnabled());
  waitUntil([&] { return opened.count() == 1 && settled(*bench_); }, "the reduced program is open");
  EXPECT_TRUE(bench_->get<ReducePresenter>().showsReduced());
  EXPECT_LT(bench_->get<SessionPresenter>().program()->nodes.size(), nodes);
  EXPECT_TRUE(window_->windowTitle().startsWith("masked_attention-reduced.pt2"));
  const QString banner = part<BannerBar>()->text("reduced");
  EXPECT_TRUE(banner.startsWith("masked_attention.pt2: reduced from ")) << banner.toStdString();
  // It stops at the same operation.
  EXPECT_NE(bench_->get<ProblemsPresenter>().problem("aten.scaled_dot_product_attention.default"),
            nullptr);
  // A file of the window's own is not one to remember.
  EXPECT_EQ(window_->recentFiles(), QStringList{sample});
  const QString file = bench_->get<SessionPresenter>().state().file;
  EXPECT_TRUE(QFile::exists(file));
  bench_->get<ReducePresenter>().back();
  waitUntil([&] { return opened.count() == 2 && settled(*bench_); }, "back");
  EXPECT_EQ(bench_->get<SessionPresenter>().state().file, sample);
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
  const fx::ProgramPtr before = bench_->get<SessionPresenter>().program();
  window_->actions()["reduce"]->trigger();
  waitUntil(
      [&] {
        return bench_->get<ReducePresenter>().state().step ==
               "reducing: 12 of 1984 operations left";
      },
      "it goes on");
  QTest::keyClick(window_.get(), Qt::Key_Escape);
  waitUntil([&] { return !bench_->get<ReducePresenter>().state().running; }, "stopped");
  EXPECT_EQ(bench_->get<SessionPresenter>().program(), before);
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
  waitUntil([&] { return !bench_->get<ReducePresenter>().state().running; }, "refused");
  EXPECT_EQ(part<BannerBar>()->text("reduce"), "Not reduced: nothing fails at 'add'");
}

TEST_F(ReduceTest, TheWholeDiagnosisIsCopiedAsMarkdown) {
  openSettled(samplePath("masked_attention.pt2"));
  waitUntil(
      [&] {
        return bench_->get<DiagnosisPresenter>().diagnosis() &&
               !bench_->get<DiagnosisPresenter>().state().running;
      },
      "diagnosed");
  bench_->get<SelectionPresenter>().clear();  // it opened at the first problem
  window_->actions()["copy-markdown"]->trigger();
  EXPECT_EQ(QApplication::clipboard()->text(), bench_->get<ProblemsPresenter>().markdown());
  EXPECT_TRUE(QApplication::clipboard()->text().contains("scaled_dot_product_attention"));
}

}  // namespace
}  // namespace fxs::ui
