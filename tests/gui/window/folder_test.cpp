// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <QDir>
#include <QFile>

#include "window_fixture.h"

namespace fxs::ui {
namespace {

class FolderTest : public WindowTest {
 protected:
  /// A folder with two programs and a file that is none.
  QString folder() {
    QDir(folder_.path()).mkdir("captures");
    const QString path = folder_.filePath("captures");
    EXPECT_TRUE(QFile::copy(samplePath("addmm.pt2"), path + "/a_addmm.pt2"));
    EXPECT_TRUE(QFile::copy(samplePath("custom_op.pt2"), path + "/b_custom.pt2"));
    QFile broken(path + "/c_broken.json");
    EXPECT_TRUE(broken.open(QIODevice::WriteOnly));
    broken.write("{\"schema\": \"fxscope-fx/1\", \"graphs\": 3}");
    return path;
  }
  void waitFor(const QString& file) {
    waitUntil(
        [&] {
          return bench_->get<SessionPresenter>().state().file.endsWith(file) && settled(*bench_);
        },
        file.toUtf8().constData());
  }
};

TEST_F(FolderTest, EachCaptureIsATab) {
  CaptureTabs* tabs = part<CaptureTabs>();
  EXPECT_FALSE(tabs->isVisible());
  window_->openFile(folder());
  waitFor("a_addmm.pt2");
  ASSERT_EQ(tabs->count(), 3);
  EXPECT_TRUE(tabs->isVisible());
  EXPECT_EQ(tabs->currentIndex(), 0);
  EXPECT_TRUE(tabs->tabText(0).contains("addmm")) << tabs->tabText(0).toStdString();
  EXPECT_FALSE(tabs->isTabEnabled(2));
  EXPECT_FALSE(tabs->tabToolTip(2).isEmpty());
  QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
  waitFor("b_custom.pt2");
  EXPECT_EQ(tabs->currentIndex(), 1);
  // The broken one is passed over.
  window_->actions()["next-capture"]->trigger();
  EXPECT_TRUE(bench_->get<SessionPresenter>().state().file.endsWith("b_custom.pt2"));
  window_->actions()["previous-capture"]->trigger();
  waitFor("a_addmm.pt2");
  EXPECT_EQ(tabs->currentIndex(), 0);
  // Another file ends it.
  openSettled(samplePath("custom_op.pt2"));
  EXPECT_FALSE(tabs->isVisible());
  EXPECT_EQ(tabs->count(), 0);
}

TEST_F(FolderTest, AFolderWithoutCapturesSaysSoAndNothingIsLost) {
  openSettled(samplePath("addmm.pt2"));
  const fx::ProgramPtr before = bench_->get<SessionPresenter>().program();
  QDir(folder_.path()).mkdir("empty");
  window_->openFile(folder_.filePath("empty"));
  waitUntil([&] { return !part<BannerBar>()->text("open").isEmpty(); }, "refused");
  EXPECT_EQ(part<BannerBar>()->text("open"),
            "Could not open empty: it contains no captures (.pt2 and .json files)");
  EXPECT_EQ(bench_->get<SessionPresenter>().program(), before);
  EXPECT_FALSE(part<CaptureTabs>()->isVisible());
}

TEST_F(FolderTest, WhyDynamoEndedAGraphIsSaid) {
  openSettled(QString(FXS_SOURCE_DIR) + "/tests/unit/read/captures/breaks/00_aten.json");
  EXPECT_EQ(part<BannerBar>()->text("break"),
            "Dynamo broke the graph here; graph break: Failed to trace builtin operator "
            "(captures/make.py:33 in forward)");
  openSettled(samplePath("addmm.pt2"));
  EXPECT_EQ(part<BannerBar>()->text("break"), "");
}

TEST_F(FolderTest, AFolderThatCannotBeReadSaysWhy) {
  lister_ = [](const QString&, const RunContext&) -> Result<std::vector<CaptureTab>> {
    return fail(ErrorCode::Io, "the disk is not there any more");
  };
  remake();
  window_->openFile(folder_.path());
  waitUntil([&] { return !part<BannerBar>()->text("open").isEmpty(); }, "refused");
  EXPECT_TRUE(part<BannerBar>()->text("open").endsWith("the disk is not there any more"));
  EXPECT_TRUE(window_->showsWelcome());
}

}  // namespace
}  // namespace fxs::ui
