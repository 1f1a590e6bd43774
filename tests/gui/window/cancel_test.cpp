// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whenever one cancels: what the window says is what there is, nothing starts by itself, what was
// there is still there, and F5 runs it again.
#include <QToolBar>
#include <random>
#include <thread>

#include "../presenters/made_comparison.h"
#include "features/answer/answer_strip.h"
#include "features/numbers/numbers_page.h"
#include "features/passes/passes_page.h"
#include "features/problems/problems_page.h"
#include "lower/stopped.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

constexpr int kQuietMs = 60;  ///< in which something would have started
constexpr const char* kCancelled = "cancelled; F5 runs it again";

/// Of each of five kinds of work.
int moments() { return qEnvironmentVariableIsSet("FXSCOPE_ALL") ? 6 : 3; }

class CancelTest : public WindowTest {
 protected:
  void SetUp() override {
    comparer_ = [](const session::SnapshotPtr&, const std::vector<lower::OutputType>&,
                   const std::string&, const std::function<void(const compare::ComparisonPtr&)>&,
                   const RunContext& context) -> Result<compare::ComparisonPtr> {
      for (int i = 0; i < 50; ++i) {
        if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
      return madeComparison("tosa", false);
    };
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
    openSettled(samplePath("masked_attention.pt2"));
    settle();
  }
  SessionPresenter& session() const { return bench_->get<SessionPresenter>(); }
  const DiagnosisPresenter& diagnosis() const { return bench_->get<DiagnosisPresenter>(); }
  bool isWorking() const {
    const auto& work = bench_->get<WorkList>();
    return session().state().activity != Activity::Idle || work.running(WorkFor::View) ||
           work.running(WorkFor::Answer);
  }
  /// What is not only drawing what there is.
  bool hasStarted() const {
    return session().state().activity != Activity::Idle || session().tracing().running ||
           bench_->get<WorkList>().running(WorkFor::Answer);
  }
  void settle() {
    waitUntil([&] { return !isWorking(); }, "settled");
  }
  void wait(int most) {
    QTest::qWait(static_cast<int>(random_() % static_cast<unsigned>(most + 1)));
  }
  void press(Qt::Key key) { QTest::keyClick(window_.get(), key); }
  QString toolBarMessage() const {
    return window_->findChild<QToolBar*>("tools")->findChild<ElidedLabel*>()->fullText();
  }

  void expectStages() const {
    const session::SnapshotPtr& snapshot = session().snapshot();
    for (const Stage& stage : bench_->get<StagePresenter>().stages()) {
      EXPECT_NE(stage.mark, StageMark::Running) << stage.title.toStdString();
      EXPECT_NE(stage.mark, StageMark::Waiting) << stage.title.toStdString();
      const bool isCancelled = stage.note.contains("cancelled");
      EXPECT_FALSE(isCancelled && stage.mark != StageMark::Skipped) << stage.title.toStdString();
      EXPECT_FALSE(isCancelled && !session().state().cancelled) << stage.title.toStdString();
      if (stage.mark == StageMark::Skipped && !snapshot->lowering) {
        EXPECT_EQ(stage.note, "not run: cancelled") << stage.title.toStdString();
      }
    }
  }
  void expectProblems() const {
    const QString message = part<ProblemsPage>()->message();
    const auto& lowering = session().snapshot()->lowering;
    const bool isPart = !lowering || lower::wasStopped(*lowering);
    if (message.startsWith("No problems")) {
      EXPECT_FALSE(isPart) << message.toStdString();
    }
    if (message.contains("cancelled")) {
      EXPECT_TRUE(isPart);
    }
    const QString summary = part<ProblemsPage>()->summary();
    const bool isComplete = diagnosis().diagnosis() && diagnosis().diagnosis()->complete;
    EXPECT_FALSE(summary.contains("diagnosis cancelled") && isComplete) << summary.toStdString();
    EXPECT_FALSE(summary.contains("lowered by themselves") && !isComplete) << summary.toStdString();
  }
  /// What the window says of what there is.
  void expectTruth() const {
    EXPECT_EQ(toolBarMessage(), session().state().cancelled ? QString(kCancelled) : QString());
    expectStages();
    expectProblems();
    const QString passes = part<PassesPage>()->message();
    EXPECT_EQ(passes.isEmpty(), session().snapshot()->trace != nullptr) << passes.toStdString();
    for (const QString& said : {passes, part<ProblemsPage>()->message(),
                                part<ProblemsPage>()->summary(), part<NumbersPage>()->message()})
      EXPECT_FALSE(said.endsWith("…") || said.contains("stopped")) << said.toStdString();
    EXPECT_FALSE(part<AnswerStrip>()->message().contains(" …"))
        << part<AnswerStrip>()->message().toStdString();
    EXPECT_TRUE(window_->actions()["run"]->isEnabled());
    EXPECT_FALSE(window_->actions()["stop"]->isEnabled());
  }
  void cancelNow() {
    const bool isRunning = session().state().activity != Activity::Idle;
    const bool isReading = session().state().activity == Activity::Reading;
    const auto before = session().snapshot();
    const bool wasTraced = before->trace != nullptr;
    const bool wasDiagnosed = diagnosis().diagnosis() != nullptr;
    press(Qt::Key_Escape);
    settle();
    bool starts = false;
    const auto watch = QObject::connect(&bench_->get<WorkList>(), &WorkList::changed, window_.get(),
                                        [&] { starts = starts || hasStarted(); });
    QTest::qWait(kQuietMs);
    QObject::disconnect(watch);
    EXPECT_FALSE(starts) << "something started by itself";
    if (isRunning && !isReading) {
      EXPECT_TRUE(session().state().cancelled);
      EXPECT_EQ(session().program(), before->capture->program);
      EXPECT_EQ(session().snapshot()->trace != nullptr, wasTraced) << "traced by itself";
      EXPECT_EQ(diagnosis().diagnosis() != nullptr, wasDiagnosed) << "diagnosed by itself";
    }
    if (before->lowering && !isRunning) {
      EXPECT_EQ(session().snapshot()->lowering, before->lowering);
    }
    expectTruth();
  }
  /// F5, and all that follows from it.
  void runAgain() {
    press(Qt::Key_F5);
    settle();
    EXPECT_FALSE(session().state().cancelled);
    ASSERT_TRUE(session().snapshot()->lowering && session().snapshot()->trace);
    EXPECT_FALSE(lower::wasStopped(*session().snapshot()->lowering));
    ASSERT_TRUE(diagnosis().diagnosis());
    EXPECT_TRUE(diagnosis().diagnosis()->complete);
    expectTruth();
  }

  std::minstd_rand random_{11};
};

TEST_F(CancelTest, Reading) {
  for (int i = 0; i < moments() && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const fx::ProgramPtr before = session().program();
    if (i % 2 == 1) {  // the run that it interrupts does not go on either
      press(Qt::Key_F5);
      wait(20);
    }
    QSignalSpy opened(&session(), &SessionPresenter::programChanged);
    window_->openFile(samplePath("masked_attention.pt2"));
    wait(4);
    cancelNow();
    EXPECT_TRUE(opened.count() == 1 || session().program() == before);
  }
  runAgain();
}

TEST_F(CancelTest, Lowering) {
  for (int i = 0; i < moments() && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    press(Qt::Key_F5);
    wait(100);
    cancelNow();
  }
  runAgain();
}

TEST_F(CancelTest, Tracing) {
  for (int i = 0; i < moments() && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    press(Qt::Key_F5);
    waitUntil([&] { return session().state().activity == Activity::Idle; }, "lowered");
    wait(40);
    cancelNow();
  }
  runAgain();
}

TEST_F(CancelTest, Diagnosing) {
  for (int i = 0; i < moments() && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    press(Qt::Key_F5);
    waitUntil([&] { return diagnosis().state().running || diagnosis().diagnosis(); }, "diagnosing");
    wait(200);
    cancelNow();
  }
  runAgain();
}

TEST_F(CancelTest, Comparing) {
  for (int i = 0; i < moments() && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    press(Qt::Key_F9);
    wait(120);
    const bool runs = bench_->get<NumbersPresenter>().state().running;
    cancelNow();
    if (runs && bench_->get<NumbersPresenter>().targets().empty()) {
      EXPECT_EQ(part<NumbersPage>()->message(), "The comparison was cancelled");
    }
  }
  runAgain();
}

}  // namespace
}  // namespace fxs::ui
