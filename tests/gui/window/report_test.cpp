// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <QClipboard>
#include <QGuiApplication>

#include "features/report/report_dialog.h"
#include "output_type.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class ReportTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
  }
  ReportDialog* dialog() const { return part<ReportDialog>(); }
  bool running() const { return bench_->get<ReportPresenter>().state().running; }
};

TEST_F(ReportTest, AnIssueIsWrittenAndCopied) {
  openSettled(samplePath("masked_attention.pt2"));
  ASSERT_TRUE(window_->actions()["report"]->isEnabled());
  window_->actions()["report"]->trigger();
  ASSERT_TRUE(dialog()->isVisible());
  EXPECT_TRUE(running());
  EXPECT_EQ(dialog()->closeButton()->text(), "Cancel");
  waitUntil([&] { return !running(); }, "reported");
  EXPECT_EQ(
      dialog()->title(),
      "[tosa] torch.aten.scaled_dot_product_attention is not lowered by convert-torch-to-tosa");
  EXPECT_TRUE(dialog()->issue().contains("class Repro(torch.nn.Module):\n"));
  EXPECT_TRUE(dialog()->status().startsWith("The script was not run"))
      << dialog()->status().toStdString();
  QTest::mouseClick(dialog()->copyTextButton(), Qt::LeftButton);
  EXPECT_EQ(QGuiApplication::clipboard()->text(), dialog()->issue());
  EXPECT_EQ(bench_->get<ReportPresenter>().saveTo(folder_.path()), "");
  EXPECT_EQ(QDir(folder_.path()).entryList({"*.py", "*.mlir", "*.md"}, QDir::Files, QDir::Name),
            QStringList({"e2e_test.py", "issue.md", "minimal.mlir", "repro.py", "test.mlir"}));
  EXPECT_FALSE(bench_->get<ReportPresenter>().saveTo(folder_.filePath("none")).isEmpty());
}

TEST_F(ReportTest, CancellingLeavesNothing) {
  openSettled(samplePath("masked_attention.pt2"));
  window_->actions()["report"]->trigger();
  QTest::mouseClick(dialog()->closeButton(), Qt::LeftButton);
  waitUntil([&] { return !running(); }, "cancelled");
  EXPECT_EQ(dialog()->status(), "Cancelled");
  EXPECT_EQ(dialog()->issue(), "");
  QTest::mouseClick(dialog()->closeButton(), Qt::LeftButton);
  EXPECT_FALSE(dialog()->isVisible());
}

TEST_F(ReportTest, SmallErrorsAreNotReportedWithoutPyTorch) {
  openSettled(samplePath("tanh_gelu.pt2"));
  bench_->get<SessionPresenter>().setTarget(test::outputType("linalg-on-tensors"));
  waitUntil([&] { return settled(*bench_); }, "lowered to linalg");
  window_->actions()["report"]->trigger();
  waitUntil([&] { return !running(); }, "ended");
  if (dialog()->status().contains("no executor is installed")) GTEST_SKIP() << "no executor";
  EXPECT_TRUE(dialog()->status().contains("it is not certain that a result is wrong"))
      << dialog()->title().toStdString() << dialog()->status().toStdString();
  EXPECT_TRUE(dialog()->status().contains("--python compares with PyTorch"));
  EXPECT_EQ(dialog()->issue(), "");
}

TEST_F(ReportTest, AProgramThatTorchMlirLowersHasNothingToReport) {
  openSettled(samplePath("addmm.pt2"));
  window_->actions()["report"]->trigger();
  waitUntil([&] { return !running(); }, "ended");
  EXPECT_TRUE(dialog()->status().contains("there is no failure to report"))
      << dialog()->status().toStdString();
}

}  // namespace
}  // namespace fxs::ui
