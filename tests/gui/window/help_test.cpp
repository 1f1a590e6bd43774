// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>

#include "features/help/about_state.h"
#include "features/help/help_dialog.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

using HelpTest = WindowTest;

TEST_F(HelpTest, AboutHasVersionsThatCanBeCopied) {
  openSettled(samplePath("addmm.pt2"));
  window_->actions()["about"]->trigger();
  auto* about = part<HelpDialog>("about");
  EXPECT_TRUE(about->isVisible());
  const QString text = about->text();
  EXPECT_TRUE(text.startsWith("fxscope "));
  for (const char* line : {"\nQt 6", "\nEngine: ", "\nIREE: ", "\nPython: ", "\nLicense: Apache"})
    EXPECT_TRUE(text.contains(line)) << line;
  if (hasEngine()) {
    EXPECT_TRUE(text.contains("Engine: LLVM")) << text.toStdString();
  }
  about->copyButton()->click();
  EXPECT_EQ(QApplication::clipboard()->text(), text);
  QTest::keyClick(about, Qt::Key_Escape);
  EXPECT_FALSE(about->isVisible());
}

TEST_F(HelpTest, AReportSaysWhereAndLeadsToTheBundle) {
  openSettled(samplePath("addmm.pt2"));
  window_->actions()["report-problem"]->trigger();
  auto* report = part<HelpDialog>("report-problem");
  EXPECT_TRUE(report->text().contains("https://github.com/llvm/torch-mlir/issues"));
  for (const QPushButton* each : report->findChildren<QPushButton*>())
    if (each->text() == "&Export bundle …") {
      EXPECT_EQ(each->isEnabled(), window_->actions()["export-bundle"]->isEnabled());
    }
  report->close();
}

TEST_F(HelpTest, DocumentationIsFoundBesideTheProgram) {
  QDir folder(folder_.path());
  EXPECT_TRUE(folder.mkpath("a/bin"));
  EXPECT_EQ(documentation("tour.md", folder.filePath("a/bin")), "");
  EXPECT_TRUE(folder.mkpath("a/share/doc/fxscope/docs"));
  const QString tour = folder.filePath("a/share/doc/fxscope/docs/tour.md");
  QFile file(tour);
  EXPECT_TRUE(file.open(QIODevice::WriteOnly));
  EXPECT_EQ(QFileInfo(documentation("tour.md", folder.filePath("a/bin"))), QFileInfo(tour));
  for (const char* each : {"tour.md", "glossary.md"})
    EXPECT_TRUE(QFileInfo::exists(QString(FXS_SOURCE_DIR) + "/docs/" + each));
}

}  // namespace
}  // namespace fxs::ui
