// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <mutex>

#include "../presenters/made_diagnosis.h"
#include "features/problems/problems_page.h"
#include "features/support/support_page.h"
#include "fx/text.h"
#include "output_type.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

/// Hands out a survey at once, then waits for a word or a stop before the experiments.
class ScriptedDiagnosis {
 public:
  Diagnoser diagnoser() {
    return [this](const session::SnapshotPtr&, const std::vector<lower::OutputType>& targets,
                  const PythonUse& python, const std::function<void(const DiagnosisPtr&)>& onPart,
                  const RunContext& context) -> Result<DiagnosisPtr> {
      {
        const std::lock_guard lock(mutex_);
        asked_.push_back(targets);
        python_.push_back(python.path.empty() ? python.unused : "ran " + python.path);
      }
      auto survey = madeDiagnosis();
      for (diagnose::Blocked& blocked : survey->blocked) blocked.experiments.clear();
      survey->complete = false;
      context.report({"trying static sizes", 0.5});
      onPart(survey);
      std::unique_lock lock(mutex_);
      goOn_.wait(lock, context.stop, [this] { return goes_; });
      return context.stop.stop_requested() ? DiagnosisPtr(survey) : DiagnosisPtr(madeDiagnosis());
    };
  }
  void goOn() {
    {
      const std::lock_guard lock(mutex_);
      goes_ = true;
    }
    goOn_.notify_all();
  }
  std::vector<std::vector<lower::OutputType>> asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  /// What each diagnosis did with Python.
  std::vector<std::string> python() {
    const std::lock_guard lock(mutex_);
    return python_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any goOn_;
  bool goes_ = false;
  std::vector<std::vector<lower::OutputType>> asked_;
  std::vector<std::string> python_;
};

class DiagnosisTest : public WindowTest {
 protected:
  void SetUp() override {
    diagnoser_ = script_.diagnoser();
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
  }
  void TearDown() override {
    script_.goOn();
    WindowTest::TearDown();
  }
  /// A program that TOSA does not take, with the nodes that the made diagnosis names.
  void open() {
    const auto program = fx::graphFrom(
        "x: f32[1, 1, 2, 2] = placeholder\n"
        "first: f32[1, 1, 2, 2] = aten.scaled_dot_product_attention.default(x, x, x, x)\n"
        "second: f32[1, 1, 2, 2] = aten.scaled_dot_product_attention.default(first, x, x, x)\n"
        "third: f32[1, 1, 2, 2] = aten.scaled_dot_product_attention.default(second, x, x, x)\n"
        "return third\n");
    ASSERT_TRUE(program) << toString(program.error());
    openSettled(fileOf(**program, "stopped.pt2"));
    waitUntil([&] { return bench_->get<DiagnosisPresenter>().diagnosis() != nullptr; },
              "the survey is there");
  }
  QStringList operations() const {
    QStringList all;
    for (const Problem& problem : bench_->get<ProblemsPresenter>().problems())
      all << problem.operation;
    return all;
  }
  QString inspected() const { return part<InspectorPane>()->plainText(); }

  ScriptedDiagnosis script_;
};

TEST_F(DiagnosisTest, ItRunsByItselfAndGrowsBeforeOnesEyes) {
  open();
  EXPECT_EQ(script_.asked(),
            (std::vector<std::vector<lower::OutputType>>{{test::outputType("tosa")}}));
  EXPECT_EQ(part<DockFrame>("results")->currentPage(), "problems");
  EXPECT_EQ(operations(), (QStringList{"aten.erf.default", "aten.sort.default"}));
  EXPECT_EQ(part<ProblemsPage>()->summary(),
            "2 operations (3 nodes) stop tosa  ·  trying static sizes …");
  EXPECT_EQ(part<ProblemsPage>()->diagnoseButton()->text(), "Cancel");
  EXPECT_TRUE(window_->actions()["stop"]->isEnabled());
  window_->actions()["next-problem"]->trigger();
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().nodes,
            (std::vector{fx::NodeId::of(1), fx::NodeId::of(3)}));
  EXPECT_TRUE(inspected().contains("tosa: no pattern")) << inspected().toStdString();
  EXPECT_TRUE(inspected().contains("trying static sizes …")) << inspected().toStdString();
  EXPECT_FALSE(inspected().contains("whole program lowers with it"));
  script_.goOn();
  waitUntil([&] { return !bench_->get<DiagnosisPresenter>().state().running; }, "diagnosed");
  EXPECT_TRUE(inspected().contains("decompose aten.erf.default")) << inspected().toStdString();
  EXPECT_TRUE(inspected().contains("whole program lowers with it")) << inspected().toStdString();
  EXPECT_EQ(part<ProblemsPage>()->summary(),
            "2 operations (3 nodes) stop tosa  ·  3 operations lowered by themselves");
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().problem, "aten.erf.default");
  EXPECT_EQ(part<ProblemsPage>()->view()->currentIndex().row(), 0);
}

TEST_F(DiagnosisTest, EscapeStopsItAndKeepsWhatIsThere) {
  open();
  QTest::keyClick(window_.get(), Qt::Key_Escape);
  waitUntil([&] { return !bench_->get<DiagnosisPresenter>().state().running; }, "stopped");
  EXPECT_TRUE(bench_->get<DiagnosisPresenter>().state().cancelled);
  EXPECT_EQ(operations(), (QStringList{"aten.erf.default", "aten.sort.default"}));
  EXPECT_EQ(part<ProblemsPage>()->summary(),
            "2 operations (3 nodes) stop tosa  ·  diagnosis cancelled; these results are valid");
  EXPECT_EQ(part<ProblemsPage>()->diagnoseButton()->text(), "Diagnose again");
  script_.goOn();
  part<ProblemsPage>()->diagnoseButton()->click();
  waitUntil([&] { return !bench_->get<DiagnosisPresenter>().state().running; }, "diagnosed");
  EXPECT_TRUE(bench_->get<DiagnosisPresenter>().diagnosis()->complete);
  EXPECT_FALSE(bench_->get<DiagnosisPresenter>().state().cancelled);
}

TEST_F(DiagnosisTest, AnotherOutputTypeKeepsADiagnosisThatCoversItAndARunDropsIt) {
  script_.goOn();
  open();
  waitUntil([&] { return !bench_->get<DiagnosisPresenter>().state().running; }, "diagnosed");
  const DiagnosisPtr before = bench_->get<DiagnosisPresenter>().diagnosis();
  // StableHLO was surveyed too.
  bench_->get<SessionPresenter>().setTarget(test::outputType("stablehlo"));
  waitUntil([&] { return settled(*bench_); }, "lowered to stablehlo");
  EXPECT_EQ(bench_->get<DiagnosisPresenter>().diagnosis(), before);
  EXPECT_EQ(operations().front(), "aten.sort.default");
  ASSERT_NE(bench_->get<ProblemsPresenter>().problem("aten.erf.default"), nullptr);
  EXPECT_EQ(bench_->get<ProblemsPresenter>().problem("aten.erf.default")->severity(),
            fx::Severity::Note);
  // linalg-on-tensors was not.
  bench_->get<SessionPresenter>().setTarget(test::outputType("linalg-on-tensors"));
  EXPECT_EQ(bench_->get<DiagnosisPresenter>().diagnosis(), nullptr);
  bench_->get<SessionPresenter>().setTarget(test::outputType("tosa"));
  waitUntil(
      [&] {
        return settled(*bench_) && bench_->get<DiagnosisPresenter>().diagnosis() &&
               !bench_->get<DiagnosisPresenter>().state().running;
      },
      "diagnosed anew");
  bench_->get<SessionPresenter>().run();
  EXPECT_EQ(bench_->get<DiagnosisPresenter>().diagnosis(), nullptr);
  EXPECT_EQ(part<SupportPage>()->model().rowCount(), 0);
}

TEST_F(DiagnosisTest, ASurveyOfAllTargetsFillsTheSupportTable) {
  script_.goOn();
  open();
  waitUntil([&] { return !bench_->get<DiagnosisPresenter>().state().running; }, "diagnosed");
  window_->actions()["survey-all"]->trigger();
  waitUntil([&] { return !bench_->get<DiagnosisPresenter>().state().running; }, "surveyed");
  EXPECT_EQ(script_.asked().back(),
            (std::vector{test::outputType("tosa"), test::outputType("linalg-on-tensors"),
                         test::outputType("stablehlo")}));
  window_->actions()["show-support"]->trigger();
  SupportPage* page = part<SupportPage>();
  EXPECT_EQ(page->message(), "");
  EXPECT_EQ(page->summary(),
            "tosa supports 1 of 3 operators  ·  stablehlo supports 1 of 3 operators, 1 unknown");
  QTest::mouseClick(page->view()->viewport(), Qt::LeftButton, {},
                    page->view()
                        ->visualRect(page->view()->model()->index(0, SupportModel::FirstTarget))
                        .center());
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().nodes,
            (std::vector{fx::NodeId::of(1), fx::NodeId::of(3)}));
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().problem, "aten.erf.default");
  page->filter()->setText("sort");
  EXPECT_EQ(page->view()->model()->rowCount(), 1);
  page->filter()->setText("nowhere");
  EXPECT_EQ(page->message(), "No operator matches");
}

TEST_F(DiagnosisTest, ASnippetIsCopiedAndTheOtherNodesAreOneClickAway) {
  script_.goOn();
  open();
  waitUntil([&] { return !bench_->get<DiagnosisPresenter>().state().running; }, "diagnosed");
  bench_->get<SelectionPresenter>().selectNode(fx::NodeId::of(1), Origin::List);
  const auto button = [&](const QString& name) -> QToolButton* {
    for (QToolButton* each : part<InspectorPane>()->findChildren<QToolButton*>())
      if (each->accessibleName() == name && each->isVisibleTo(part<InspectorPane>())) return each;
    return nullptr;
  };
  QToolButton* copy = button("Copy this snippet");
  ASSERT_NE(copy, nullptr);
  copy->click();
  EXPECT_EQ(QApplication::clipboard()->text(), "table = {}\nprint(table)");
  QToolButton* next = button("Next node with the same outcome");
  ASSERT_NE(next, nullptr);
  next->click();
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), fx::NodeId::of(3));
  window_->actions()["copy-markdown"]->trigger();
  EXPECT_TRUE(QApplication::clipboard()->text().contains(
      "| whole program lowers with it | decompose aten.erf.default | "))
      << QApplication::clipboard()->text().toStdString();
}

TEST_F(DiagnosisTest, AnotherFileDropsItWhileItRuns) {
  open();
  EXPECT_TRUE(bench_->get<DiagnosisPresenter>().state().running);
  openSettled(samplePath("addmm.pt2"));
  EXPECT_EQ(bench_->get<DiagnosisPresenter>().diagnosis(), nullptr);
  EXPECT_FALSE(bench_->get<DiagnosisPresenter>().state().running);
  EXPECT_EQ(
      part<ProblemsPage>()->message(),
      "No problems. Checked: reading, normalizing, rewriting, importing, and 3 stages up to tosa");
  EXPECT_EQ(script_.asked().size(), 1U);
  EXPECT_TRUE(part<SupportPage>()->messageButton()->isEnabled());
}

/// With a Python named on the command line.
class PythonDiagnosisTest : public DiagnosisTest {
 protected:
  void SetUp() override {
    python_ = "/opt/env/bin/python3";
    DiagnosisTest::SetUp();
  }
  QPushButton* button(const QString& text) const {
    for (QPushButton* each : part<BannerBar>()->findChildren<QPushButton*>())
      if (each->text() == text && each->isVisibleTo(window_.get())) return each;
    return nullptr;
  }
  void waitForDiagnoses(std::size_t count) {
    waitUntil(
        [&] {
          return script_.python().size() == count &&
                 !bench_->get<DiagnosisPresenter>().state().running;
        },
        "diagnosed");
  }
};

constexpr const char* kUnanswered = "not run: Python requires your permission for this file";

TEST_F(PythonDiagnosisTest, TheWindowAsksAndTheDiagnosisGoesOnWithoutPython) {
  script_.goOn();
  open();
  waitForDiagnoses(1);
  EXPECT_EQ(script_.python(), (std::vector<std::string>{kUnanswered}));
  EXPECT_TRUE(part<BannerBar>()->text("python").startsWith("Run Python for stopped.pt2? "));
  EXPECT_TRUE(part<BannerBar>()->text("python").contains(
      "runs /opt/env/bin/python3 on it in isolated mode (-I)"));
  EXPECT_EQ(QApplication::activeModalWidget(), nullptr);
  part<ProblemsPage>()->diagnoseButton()->click();
  waitForDiagnoses(2);
  EXPECT_EQ(script_.python().back(), kUnanswered);
}

TEST_F(PythonDiagnosisTest, AgreeingDiagnosesAgainWithPythonEvenWhileItRuns) {
  open();
  ASSERT_TRUE(bench_->get<DiagnosisPresenter>().state().running);
  ASSERT_NE(button("Run Python for this file"), nullptr);
  button("Run Python for this file")->click();
  EXPECT_EQ(part<BannerBar>()->text("python"), "");
  script_.goOn();
  waitForDiagnoses(2);
  EXPECT_EQ(script_.python(), (std::vector<std::string>{kUnanswered, "ran /opt/env/bin/python3"}));
  EXPECT_EQ(script_.asked().front(), script_.asked().back());
  bench_->get<SessionPresenter>().reload();
  waitForDiagnoses(3);
  EXPECT_EQ(script_.python().back(), "ran /opt/env/bin/python3");
  EXPECT_EQ(part<BannerBar>()->text("python"), "") << "a file is asked about once";
}

TEST_F(PythonDiagnosisTest, DecliningRunsNothingAgain) {
  script_.goOn();
  open();
  waitForDiagnoses(1);
  ASSERT_NE(button("Do not run"), nullptr);
  button("Do not run")->click();
  EXPECT_EQ(part<BannerBar>()->text("python"), "");
  EXPECT_EQ(script_.python().size(), 1U);
  part<ProblemsPage>()->diagnoseButton()->click();
  waitForDiagnoses(2);
  EXPECT_EQ(script_.python().back(), "not run: you chose not to run Python for this file");
}

TEST_F(PythonDiagnosisTest, TheQuestionGoesWithItsFile) {
  open();
  EXPECT_NE(part<BannerBar>()->text("python"), "");
  openSettled(samplePath("addmm.pt2"));
  EXPECT_EQ(part<BannerBar>()->text("python"), "");
}

TEST_F(WindowTest, WithoutAnEngineThereIsNoDiagnosisAndTheTableSaysWhy) {
  around_.environment.enginePath.clear();
  around_.environment.installedEngines.clear();
  around_.environment.engineMissing = "no engine found; 'fxscope-cli engine fetch' installs one";
  remake();
  openSettled(samplePath("masked_attention.pt2"));
  EXPECT_FALSE(window_->actions()["diagnose"]->isEnabled());
  EXPECT_EQ(
      part<SupportPage>()->message(),
      "Operator support is unknown: no engine found; 'fxscope-cli engine fetch' installs one");
  EXPECT_FALSE(part<SupportPage>()->messageButton()->isEnabled());
}

TEST_F(WindowTest, WhatStopsASampleIsFoundByTheEngine) {
  if (!hasEngine()) GTEST_SKIP() << "no engine";
  openSettled(samplePath("masked_attention.pt2"));
  waitUntil(
      [&] {
        return bench_->get<DiagnosisPresenter>().diagnosis() &&
               !bench_->get<DiagnosisPresenter>().state().running;
      },
      "diagnosed");
  const Problem* problem =
      bench_->get<ProblemsPresenter>().problem("aten.scaled_dot_product_attention.default");
  ASSERT_NE(problem, nullptr);
  EXPECT_EQ(problem->parts.front().target, "tosa");
  EXPECT_GE(problem->parts.front().blocked, 0);
  bench_->get<SelectionPresenter>().selectNode(problem->nodes.front(), Origin::List);
  EXPECT_TRUE(
      part<InspectorPane>()->plainText().contains("tosa: " + problem->parts.front().className));
  EXPECT_GT(part<SupportPage>()->model().rowCount(), 0);
}

}  // namespace
}  // namespace fxs::ui
