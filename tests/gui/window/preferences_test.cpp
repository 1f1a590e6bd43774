// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <QCheckBox>
#include <QFontDatabase>
#include <QScrollArea>

#include "features/preferences/preferences_dialog.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class PreferencesTest : public WindowTest {
 protected:
  PreferencesDialog* open() {
    window_->actions()["preferences"]->trigger();
    return part<PreferencesDialog>();
  }
  template <class T>
  T* control(const QString& key) {
    return qobject_cast<T*>(part<PreferencesDialog>()->control(key));
  }
  void type(const QString& key, const QString& typed) {
    control<QLineEdit>(key)->setFocus();
    QTest::keyClicks(control<QLineEdit>(key), typed);
    QTest::keyClick(control<QLineEdit>(key), Qt::Key_Tab);
    Q_EMIT control<QLineEdit>(key)->editingFinished();
  }
};

TEST_F(PreferencesTest, WhatIsSeenChangesAtOnce) {
  open();
  auto* theme = control<QComboBox>("theme");
  theme->setCurrentIndex(theme->findData("dark"));
  Q_EMIT theme->activated(theme->currentIndex());
  EXPECT_EQ(appearance_->mode(), ThemeMode::Dark);
  control<QCheckBox>("wrap")->click();
  EXPECT_TRUE(window_->actions()["wrap"]->isChecked());
  control<QCheckBox>("wrap")->click();
  EXPECT_FALSE(window_->actions()["wrap"]->isChecked());
  theme->setCurrentIndex(theme->findData("light"));
  Q_EMIT theme->activated(theme->currentIndex());
  EXPECT_EQ(appearance_->mode(), ThemeMode::Light);
}

TEST_F(PreferencesTest, WhatIsUsedAtAStartIsKept) {
  open();
  type("engine", "/opt/torch-mlir-opt");
  type("registries", "a.fxreg; b.fxreg");
  type("editor", "true {file}");
  remake();
  open();
  EXPECT_EQ(control<QLineEdit>("engine")->text(), "/opt/torch-mlir-opt");
  EXPECT_EQ(control<QLineEdit>("registries")->text(), "a.fxreg; b.fxreg");
  EXPECT_EQ(control<QLineEdit>("editor")->text(), "true {file}");
  part<PreferencesDialog>()->restoreButton()->click();
  EXPECT_EQ(control<QLineEdit>("engine")->text(), "");
  remake();
  open();
  EXPECT_EQ(control<QLineEdit>("engine")->text(), "");
}

TEST_F(PreferencesTest, NoControlIsCutWhereTheTextIsLarge) {
  textScale_ = 2;
  remake();
  PreferencesDialog* dialog = open();
  dialog->resize(1180, 700);
  for (int page = 0; page < dialog->pages()->count(); ++page) {
    dialog->pages()->setCurrentRow(page);
    QTest::qWait(50);
    for (const QScrollArea* scroll : dialog->findChildren<QScrollArea*>()) {
      if (!scroll->isVisible()) continue;
      EXPECT_LE(scroll->widget()->minimumSizeHint().width(), scroll->viewport()->width());
      for (const QWidget* each : scroll->widget()->findChildren<QWidget*>())
        if (each->focusPolicy() & Qt::TabFocus) {
          EXPECT_LE(each->mapTo(dialog, each->rect().bottomRight()).x(), dialog->width());
        }
    }
  }
}

TEST_F(PreferencesTest, TextsAreInAFontOfTheUsersChoice) {
  auto* fonts = qobject_cast<QComboBox*>(open()->control(kMonoFont));
  ASSERT_NE(fonts, nullptr);
  ASSERT_GT(fonts->count(), 1);
  for (int i = 1; i < fonts->count(); ++i)
    EXPECT_TRUE(QFontDatabase::isFixedPitch(fonts->itemData(i).toString()));
  Appearance other(ThemeMode::Light);
  const QFont standard = other.mono();
  other.setMonoFamily(fonts->itemData(1).toString());
  EXPECT_EQ(other.mono().families().front(), fonts->itemData(1).toString());
  EXPECT_EQ(other.mono().pixelSize(), standard.pixelSize());
}

TEST_F(PreferencesTest, OptionsOfLoweringAreUsedByTheNextRunAndKept) {
  openSettled(samplePath("tanh_gelu.pt2"));
  const auto decomposed = [&] {
    const session::SnapshotPtr& now = bench_->get<SessionPresenter>().snapshot();
    return now->request.rewrite.decompose.contains("aten.gelu") && !now->rewritten->applied.empty();
  };
  PreferencesDialog* dialog = open();
  auto* line = qobject_cast<QLineEdit*>(dialog->control("decompose"));
  ASSERT_NE(line, nullptr);
  line->setText("aten.gelu");
  line->setModified(true);
  Q_EMIT line->editingFinished();
  EXPECT_FALSE(decomposed());
  window_->actions()["run"]->trigger();
  waitUntil([&] { return settled(*bench_); }, "lowered again");
  EXPECT_TRUE(decomposed());
  remake();
  openSettled(samplePath("tanh_gelu.pt2"));
  EXPECT_TRUE(decomposed());
}

/// What is wrong with an option is no failure of the program.
TEST_F(PreferencesTest, AnExtraLibraryThatIsNotThereIsSaid) {
  auto& session = bench_->get<SessionPresenter>();
  LoweringChoices choices = session.choices();
  choices.extraLibrary = folder_.filePath("none.mlir").toStdString();
  session.setChoices(choices);
  session.open(samplePath("addmm.pt2"));
  waitUntil([&] { return settled(*bench_); }, "it ended");
  EXPECT_TRUE(session.state().engineProblem.startsWith("extra library '"))
      << session.state().engineProblem.toStdString();
  EXPECT_TRUE(session.state().engineProblem.endsWith("none.mlir': no such file"));
  EXPECT_EQ(session.snapshot()->lowering, nullptr);
}

}  // namespace
}  // namespace fxs::ui
