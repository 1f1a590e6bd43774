// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <mutex>

#include "window_fixture.h"

namespace fxs::ui {
namespace {

class BundleTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
  }
  void openDiagnosed(const QString& sample) {
    openSettled(samplePath(sample));
    waitUntil(
        [&] {
          return bench_->get<DiagnosisPresenter>().diagnosis() &&
                 !bench_->get<DiagnosisPresenter>().state().running;
        },
        "diagnosed");
  }
  BundleDialog* dialog() const { return part<BundleDialog>(); }
  /// A folder of its own for what is exported.
  QString exports() {
    QDir(folder_.path()).mkdir("exports");
    return folder_.filePath("exports");
  }
};

TEST_F(BundleTest, FromTheOpenFileToAReproducerOnDisk) {
  openDiagnosed("masked_attention.pt2");
  window_->actions()["next-problem"]->trigger();
  ASSERT_TRUE(window_->actions()["export-bundle"]->isEnabled());
  QTest::keyClick(window_.get(), Qt::Key_E, Qt::ControlModifier);
  ASSERT_TRUE(dialog()->isVisible());
  EXPECT_EQ(dialog()->operationBox()->currentData().toString(),
            "aten.scaled_dot_product_attention.default");
  dialog()->folderEdit()->setText(exports());
  EXPECT_EQ(dialog()->status(),
            "The file name is derived from the content, so bundles never overwrite each other.");
  QTest::mouseClick(dialog()->exportButton(), Qt::LeftButton);
  EXPECT_TRUE(bench_->get<BundlePresenter>().state().running);
  waitUntil([&] { return !bench_->get<BundlePresenter>().state().running; }, "exported");
  ASSERT_TRUE(bench_->get<BundlePresenter>().state().result) << dialog()->status().toStdString();
  const QStringList files = QDir(exports()).entryList(QDir::Files);
  ASSERT_EQ(files.size(), 1) << files.join(' ').toStdString();
  EXPECT_TRUE(files.front().endsWith(".zip"));
  EXPECT_TRUE(dialog()->status().startsWith(files.front())) << dialog()->status().toStdString();
  EXPECT_TRUE(dialog()->status().contains("Replayed after unpacking: fails in the same way"))
      << dialog()->status().toStdString();
  for (QToolButton* button : dialog()->findChildren<QToolButton*>())
    if (button->text() == "Copy path") QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_EQ(QApplication::clipboard()->text(), exports() + '/' + files.front());
  EXPECT_TRUE(bench_->get<LogPresenter>().lines().join('\n').contains("bundle " + exports() + '/' +
                                                                      files.front()));
  // What was exported is known to reproduce, by the door that replays bundles made anywhere.
  session::Environment environment = around_.environment;
  environment.runner = runner_;
  const auto replayed =
      bundle::replayBundle(QApplication::clipboard()->text().toStdString(), {}, environment, {});
  ASSERT_TRUE(replayed) << toString(replayed.error());
  EXPECT_EQ(replayed->outcome, bundle::ReplayOutcome::SameFailure);
  QTest::mouseClick(dialog()->closeButton(), Qt::LeftButton);
  EXPECT_FALSE(dialog()->isVisible());
  // The folder is remembered.
  remake();
  openDiagnosed("masked_attention.pt2");
  window_->actions()["export-bundle"]->trigger();
  EXPECT_EQ(dialog()->folder(), exports());
}

TEST_F(BundleTest, AProgramThatLowersHasNothingToExport) {
  openSettled(samplePath("addmm.pt2"));
  EXPECT_FALSE(window_->actions()["export-bundle"]->isEnabled());
  EXPECT_EQ(window_->actions()["export-bundle"]->toolTip(),
            "The program lowers to tosa: there is no failure");
}

TEST_F(BundleTest, AFolderThatIsNotThereIsSaidBeforeAnythingRuns) {
  openDiagnosed("masked_attention.pt2");
  window_->actions()["export-bundle"]->trigger();
  dialog()->folderEdit()->setText(folder_.filePath("nowhere"));
  EXPECT_EQ(dialog()->status(), "No such folder");
  EXPECT_FALSE(dialog()->exportButton()->isEnabled());
}

/// An export that goes on until it is told to stop, or refuses.
class HangingBundler {
 public:
  Bundler bundler() {
    return [this](const session::SnapshotPtr&, const bundle::BundleOptions& options,
                  const RunContext& context) -> Result<bundle::BundleResult> {
      asked = options;
      context.report({"replaying the bundle", 0.7});
      std::unique_lock lock(mutex_);
      if (refusal.empty()) goOn_.wait(lock, context.stop, [] { return false; });
      return context.stop.stop_requested() ? fail(ErrorCode::Cancelled, "stopped")
                                           : fail(ErrorCode::Io, refusal);
    };
  }
  bundle::BundleOptions asked;
  std::string refusal;

 private:
  std::mutex mutex_;
  std::condition_variable_any goOn_;
};

TEST_F(BundleTest, WhatWasLeftOutIsSaid) {
  bundler_ = [](const session::SnapshotPtr&, const bundle::BundleOptions&,
                const RunContext&) -> Result<bundle::BundleResult> {
    bundle::BundleResult made;
    made.path = "/exports/fxscope-x.zip";
    made.reproduces = true;
    made.statement = "fails in the same way";
    made.removed = {"2 paths under a home folder (now net.py)",
                    "metadata 'custom' of 3 operations"};
    return made;
  };
  remake();
  openDiagnosed("masked_attention.pt2");
  window_->actions()["export-bundle"]->trigger();
  dialog()->folderEdit()->setText(exports());
  QTest::mouseClick(dialog()->exportButton(), Qt::LeftButton);
  waitUntil([&] { return !bench_->get<BundlePresenter>().state().running; }, "exported");
  EXPECT_TRUE(dialog()->status().endsWith(
      "\nRemoved as private or unneeded: 2 paths under a home folder (now net.py); "
      "metadata 'custom' of 3 operations"))
      << dialog()->status().toStdString();
  close();
}

TEST_F(BundleTest, AnExportIsCancelledAndNothingStays) {
  HangingBundler hanging;
  bundler_ = hanging.bundler();
  remake();
  openDiagnosed("masked_attention.pt2");
  window_->actions()["export-bundle"]->trigger();
  dialog()->folderEdit()->setText(exports());
  dialog()->reduceBox()->setChecked(false);
  dialog()->weightsBox()->setCurrentIndex(2);
  QTest::mouseClick(dialog()->exportButton(), Qt::LeftButton);
  waitUntil([&] { return dialog()->status() == "replaying the bundle …"; }, "it goes on");
  EXPECT_FALSE(dialog()->exportButton()->isEnabled());
  EXPECT_EQ(dialog()->closeButton()->text(), "Cancel");
  QTest::mouseClick(dialog()->closeButton(), Qt::LeftButton);
  waitUntil([&] { return !bench_->get<BundlePresenter>().state().running; }, "cancelled");
  EXPECT_EQ(dialog()->status(), "Cancelled; nothing was written");
  EXPECT_TRUE(dialog()->isVisible());
  EXPECT_FALSE(hanging.asked.reduce);
  EXPECT_EQ(hanging.asked.weights, bundle::BundleWeights::All);
  EXPECT_TRUE(hanging.asked.node.valid());
  EXPECT_TRUE(QDir(exports()).isEmpty());
  close();
}

TEST_F(BundleTest, WhyNothingWasWrittenIsSaid) {
  HangingBundler refusing;
  refusing.refusal = "/exports/fxscope-x.zip: cannot be written: No space left on device";
  bundler_ = refusing.bundler();
  remake();
  openDiagnosed("masked_attention.pt2");
  window_->actions()["export-bundle"]->trigger();
  dialog()->folderEdit()->setText(exports());
  QTest::mouseClick(dialog()->exportButton(), Qt::LeftButton);
  waitUntil([&] { return !bench_->get<BundlePresenter>().state().running; }, "refused");
  EXPECT_EQ(dialog()->status(),
            "/exports/fxscope-x.zip: cannot be written: No space left on device");
  EXPECT_EQ(dialog()->exportButton()->text(), "Export");
  close();
}

}  // namespace
}  // namespace fxs::ui
