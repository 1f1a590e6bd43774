// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <QDir>

#include "features/fix/fix_dialog.h"
#include "output_type.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class FixTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
  }
  FixDialog* dialog() const { return part<FixDialog>(); }
  /// Opens the dialog for a sample, to write to a file of this name.
  void openFor(const QString& sample, const QString& file) {
    openSettled(samplePath(sample));
    ASSERT_TRUE(window_->actions()["export-fixed"]->isEnabled());
    window_->actions()["export-fixed"]->trigger();
    ASSERT_TRUE(dialog()->isVisible());
    dialog()->fileEdit()->setText(folder_.filePath(file));
  }
};

TEST_F(FixTest, FromABlockedProgramToOneThatLowers) {
  openFor("masked_attention.pt2", "fixed.pt2");
  EXPECT_EQ(bench_->get<SessionPresenter>().snapshot()->lowering->ok(), false);
  dialog()->pythonBox()->setChecked(true);
  QTest::mouseClick(dialog()->exportButton(), Qt::LeftButton);
  EXPECT_TRUE(bench_->get<FixPresenter>().state().running);
  waitUntil([&] { return !bench_->get<FixPresenter>().state().running; }, "fixed");
  ASSERT_TRUE(bench_->get<FixPresenter>().state().result) << dialog()->status().toStdString();
  EXPECT_TRUE(dialog()->status().startsWith(
      "fixed.pt2\ntosa: lowers\ncall program.run_decompositions() first"))
      << dialog()->status().toStdString();
  EXPECT_EQ(QDir(folder_.path()).entryList({"fixed.*"}, QDir::Files, QDir::Name),
            QStringList({"fixed.pt2", "fixed.py"}));
  EXPECT_TRUE(bench_->get<LogPresenter>().lines().join('\n').contains("fixed program "));
  QTest::mouseClick(dialog()->openButton(), Qt::LeftButton);
  EXPECT_FALSE(dialog()->isVisible());
  waitUntil(
      [&] {
        return bench_->get<SessionPresenter>().state().file == folder_.filePath("fixed.pt2") &&
               settled(*bench_);
      },
      "opened");
  EXPECT_TRUE(bench_->get<SessionPresenter>().snapshot()->lowering->ok());
}

TEST_F(FixTest, WhatIsWrongWithTheFileIsSaidBeforeAnythingRuns) {
  openFor("addmm.pt2", "fixed.txt");
  EXPECT_EQ(dialog()->status(), "The name of an exported program ends with .pt2");
  EXPECT_FALSE(dialog()->exportButton()->isEnabled());
  dialog()->fileEdit()->setText(samplePath("addmm.pt2"));
  EXPECT_EQ(dialog()->status(), "This is the open program: write to another file");
  dialog()->fileEdit()->setText(folder_.filePath("none/fixed.pt2"));
  EXPECT_EQ(dialog()->status(), "No such folder");
  for (QCheckBox* box : dialog()->targetBoxes()) box->setChecked(false);
  EXPECT_EQ(dialog()->status(), "Choose an output type");
  EXPECT_FALSE(dialog()->exportButton()->isEnabled());
}

TEST_F(FixTest, AProgramThatCannotBeFixedIsWrittenAndSaysWhatStopsIt) {
  openFor("custom_op.pt2", "fixed.pt2");
  dialog()->exportButton()->click();
  waitUntil([&] { return !bench_->get<FixPresenter>().state().running; }, "fixed");
  EXPECT_TRUE(dialog()->status().contains("tosa: does not lower: "))
      << dialog()->status().toStdString();
  EXPECT_TRUE(QFile::exists(folder_.filePath("fixed.pt2")));
}

TEST_F(FixTest, AsTorchMlirIsAWayOfLoweringThatTheBannerNames) {
  openSettled(samplePath("control_flow.pt2"));
  bench_->get<SessionPresenter>().setTarget(test::outputType("linalg-on-tensors"));
  waitUntil([&] { return settled(*bench_); }, "lowered");
  EXPECT_TRUE(bench_->get<SessionPresenter>().snapshot()->lowersRight());
  window_->actions()["as-torch-mlir"]->trigger();
  waitUntil([&] { return settled(*bench_); }, "lowered as torch-mlir");
  EXPECT_TRUE(bench_->get<SessionPresenter>().asTorchMlir());
  const auto findings = bench_->get<SessionPresenter>().snapshot()->findings();
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(
      findings.front().message,
      "torch-mlir's importer does not implement the higher-order operation higher_order.cond");
  EXPECT_FALSE(window_->actions()["export-fixed"]->isEnabled());
  window_->actions()["as-torch-mlir"]->trigger();
  waitUntil([&] { return settled(*bench_); }, "lowered again");
  EXPECT_TRUE(bench_->get<SessionPresenter>().snapshot()->lowersRight());
  EXPECT_TRUE(window_->actions()["export-fixed"]->isEnabled());
}

}  // namespace
}  // namespace fxs::ui
