// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many keys or clicks the answers take that a person looks for, from the opened file. An answer
// is what can be read in the window.
#include <QDir>

#include "../presenters/made_comparison.h"
#include "features/answer/answer_strip.h"
#include "features/numbers/numbers_page.h"
#include "visible_text.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class StepsTest : public WindowTest {
 protected:
  void SetUp() override {
    comparer_ = [](const session::SnapshotPtr& from, const std::vector<lower::OutputType>&,
                   const std::string&, const std::function<void(const compare::ComparisonPtr&)>&,
                   const RunContext&) -> Result<compare::ComparisonPtr> {
      const auto made = std::make_shared<compare::Comparison>(*madeComparison("tosa", true));
      const fx::Program& program = *from->capture->program;
      compare::TargetComparison& target = made->targets.front();
      target.nodes[1].node = program.findNode("linear_1")->id;
      target.nodes[2].node = program.findNode("linear_2")->id;
      target.first->node = target.nodes[1].node;
      return compare::ComparisonPtr(made);
    };
    bundler_ = [](const session::SnapshotPtr&, const bundle::BundleOptions&,
                  const RunContext&) -> Result<bundle::BundleResult> {
      bundle::BundleResult made;
      made.path = "/exports/fxscope-x.zip";
      made.reproduces = true;
      made.statement = "fails in the same way";
      return made;
    };
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
    window_->resize(1280, 800);
    bench_->get<ArrangementPresenter>().reset();
    bench_->get<StagePresenter>().setPanes({LastStage{}});  // as at a first start
    openSettled(samplePath("masked_attention.pt2"));
    settle();
  }
  void settle() {
    waitUntil(
        [&] {
          const auto& work = bench_->get<WorkList>();
          return !work.running(WorkFor::View) && !work.running(WorkFor::Answer);
        },
        "settled");
    QTest::qWait(50);  // what is laid out anew
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(window_.get(), key, modifiers);
    ++steps_;
    settle();
  }
  void click(QWidget* widget) {
    ASSERT_NE(widget, nullptr);
    ASSERT_TRUE(widget->isVisible());
    QTest::mouseClick(widget, Qt::LeftButton);
    ++steps_;
    settle();
  }
  /// In the answer above the panes.
  QToolButton* stageButton(const QString& name) const {
    for (QToolButton* button : part<AnswerStrip>()->stages()->buttons())
      if (button->text().startsWith(name)) return button;
    return nullptr;
  }
  void expectAnswer(const QWidget& where, const QString& answer, int most) {
    EXPECT_TRUE(QTest::qWaitFor([&] { return shows(where, answer); }, 2000))
        << answer.toStdString() << " is not among\n"
        << visibleTexts(where).join('\n').toStdString();
    EXPECT_LE(steps_, most) << answer.toStdString();
  }

  int steps_ = 0;
};

TEST_F(StepsTest, WhatTheFirstPictureAnswers) {
  const QWidget& inspector = *part<InspectorPane>();
  // Which op, and why?
  expectAnswer(*part<AnswerStrip>(), "1 operation blocks it, at 2 nodes", 0);
  expectAnswer(inspector, "aten.scaled_dot_product_attention.default", 0);
  expectAnswer(*part<GraphArea>(), "scaled_dot_product_attention", 0);
  expectAnswer(inspector, "no pattern of TOSA lowers", 0);
  // Which Python line?
  expectAnswer(inspector, "samples/masked_attention.py:24", 0);
  expectAnswer(inspector, "out = F.scaled_dot_product_attention(", 0);
  // What fixes it?
  expectAnswer(inspector, "call program.run_decompositions() first", 1);
  expectAnswer(inspector, "whole program lowers with it", 1);
  // In which pass?
  expectAnswer(inspector, "pass convert-torch-to-tosa", 1);
}

TEST_F(StepsTest, WhatTheOperationBecame) {
  click(stageButton("torch"));
  expectAnswer(*part<StageStrip>(), "= torch.aten.scaled_dot_product_attention", 2);
}

TEST_F(StepsTest, WhichLayersDifferAndWhetherItIsRight) {
  press(Qt::Key_F9);
  const auto* page = part<NumbersPage>();
  expectAnswer(*page, "differs", 1);
  expectAnswer(*page, "linear_1", 1);
  expectAnswer(*page, "linear_2", 1);
}

TEST_F(StepsTest, HowToReportIt) {
  click(part<QToolButton>("step-export-bundle"));
  auto* dialog = part<BundleDialog>();
  ASSERT_TRUE(dialog->isVisible());
  EXPECT_EQ(dialog->folder(), QDir(FXS_SOURCE_DIR "/samples").absolutePath());
  EXPECT_TRUE(dialog->exportButton()->isDefault());
  QTest::keyClick(dialog, Qt::Key_Return);
  ++steps_;
  settle();
  expectAnswer(*dialog, "Replayed after unpacking: fails in the same way", 2);
}

}  // namespace
}  // namespace fxs::ui
