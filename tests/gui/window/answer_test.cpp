// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a person sees first: the answer above the panes, and the failing operation in all of them.
#include "features/answer/answer_strip.h"
#include "output_type.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class AnswerStripTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
    window_->resize(1280, 800);
  }
  AnswerStrip* strip() const { return part<AnswerStrip>(); }
  void openDiagnosed(const QString& sample) {
    openSettled(samplePath(sample));
    waitUntil([&] { return !bench_->get<WorkList>().running(WorkFor::Answer); }, "diagnosed");
    waitUntil([&] { return !bench_->get<Graphs>().program.busy(); }, "laid out");
  }
};

TEST_F(AnswerStripTest, AtASmallWindowTheVerdictAndItsStepsAreComplete) {
  EXPECT_FALSE(strip()->isVisible());
  openDiagnosed("masked_attention.pt2");
  ASSERT_TRUE(strip()->isVisible());
  EXPECT_EQ(strip()->message().toStdString(),
            "tosa: 1 operation blocks it, at 2 nodes. Fix verified: the whole program lowers.");
  auto* message = strip()->findChild<ElidedLabel*>();
  EXPECT_GE(message->width(), message->sizeHint().width());
  ASSERT_EQ(strip()->steps().size(), 2U);
  EXPECT_EQ(strip()->steps()[0]->text(), "Apply fixes …");
  EXPECT_EQ(strip()->steps()[1]->text(), "Export bundle …");
  for (const QToolButton* step : strip()->steps())
    EXPECT_GE(step->width(), step->sizeHint().width()) << step->text().toStdString();
  for (const FittedRow* row : {strip()->stages(), strip()->types()})
    for (const QToolButton* button : row->buttons())
      EXPECT_TRUE(button->isVisible()) << button->text().toStdString();
  QTest::mouseClick(strip()->steps()[0], Qt::LeftButton);
  EXPECT_TRUE(part<FixDialog>()->isVisible());
}

TEST_F(AnswerStripTest, StagesAndOutputTypesAreChosenInIt) {
  openDiagnosed("addmm.pt2");
  FittedRow* stages = strip()->stages();
  const auto buttonOf = [](const FittedRow* row, const QString& name) -> QToolButton* {
    for (QToolButton* button : row->buttons())
      if (button->text().startsWith(name)) return button;
    return nullptr;
  };
  ASSERT_NE(buttonOf(stages, "torch"), nullptr);
  QTest::mouseClick(buttonOf(stages, "torch"), Qt::LeftButton);
  EXPECT_TRUE(bench_->get<StagePresenter>().shows("torch"));
  ASSERT_NE(buttonOf(strip()->types(), "stablehlo"), nullptr);
  QTest::mouseClick(buttonOf(strip()->types(), "stablehlo"), Qt::LeftButton);
  waitUntil([&] { return settled(*bench_); }, "lowered");
  EXPECT_EQ(strip()->message(), "stablehlo: lowers");
  EXPECT_EQ(buttonOf(strip()->types(), "tosa")->toolTip(), "tosa: lowers");
}

TEST_F(AnswerStripTest, AProgramWithoutAFailureSaysWhyThereIsNoBundle) {
  openDiagnosed("addmm.pt2");
  EXPECT_FALSE(window_->actions()["export-bundle"]->isEnabled());
  EXPECT_EQ(window_->actions()["export-bundle"]->toolTip(),
            "The program lowers to tosa: there is no failure");
}

TEST_F(AnswerStripTest, TheFailingOperationIsOpenAndItsPythonLineIsFirst) {
  openDiagnosed("masked_attention.pt2");
  const fx::NodeId failing = node("scaled_dot_product_attention");
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), failing);
  const auto box = part<GraphArea>()->pane()->nodeRect(failing);
  ASSERT_TRUE(box);
  EXPECT_TRUE(part<GraphArea>()->pane()->rect().contains(box->center().toPoint()));
  const QString text = part<InspectorPane>()->plainText();
  const auto python = text.indexOf("masked_attention.py:24"), reason = text.indexOf("no pattern"),
             fix = text.indexOf("Verified fixes");
  EXPECT_GE(python, 0);
  EXPECT_LT(python, reason) << text.toStdString();
  EXPECT_LT(reason, fix);
}

}  // namespace
}  // namespace fxs::ui
