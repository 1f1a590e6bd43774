// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Menus by keyboard: mnemonics of every menu.
#include <QMenuBar>
#include <map>

#include "text/mnemonics.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class MenusTest : public WindowTest {
 protected:
  /// Every entry has one, and no two the same, in the submenus, too.
  static void expectMnemonics(const QWidget& menu, const QString& path) {
    std::map<QChar, QString> owners;
    for (const QAction* each : menu.actions()) {
      if (each->isSeparator()) continue;
      const QString where = path + " > " + each->text();
      const QChar letter = mnemonicOf(each->text());
      EXPECT_FALSE(letter.isNull()) << where.toStdString();
      EXPECT_TRUE(owners.emplace(letter, each->text()).second)
          << where.toStdString() << " has that of " << owners[letter].toStdString();
      if (!each->menu()) continue;
      each->menu()->popup({});  // some are made when they are shown
      each->menu()->close();
      expectMnemonics(*each->menu(), where);
    }
  }
};

TEST_F(MenusTest, EveryEntryHasItsOwnMnemonic) {
  expectMnemonics(*window_->menuBar(), "menu bar");
}

TEST_F(MenusTest, MnemonicsOfTheMenuBarAreNoShortcuts) {
  for (const QAction* menu : window_->menuBar()->actions())
    for (const Actions::Entry& entry : window_->actions().all())
      for (const QKeySequence& keys : entry.action->shortcuts())
        EXPECT_NE(keys.toString().toLower(), "alt+" + QString(mnemonicOf(menu->text())))
            << entry.spec.id.toStdString() << ", " << menu->text().toStdString();
}

TEST_F(MenusTest, MnemonicsStayWhereTheyAreWhenAMenuOpensAgain) {
  QMenu* edit = window_->menuBar()->actions().at(1)->menu();
  const auto texts = [edit] {
    QStringList all;
    for (const QAction* each : edit->actions()) all << each->text();
    return all;
  };
  const QStringList before = texts();
  EXPECT_EQ(before.front(), "&Copy");
  edit->popup({});
  EXPECT_EQ(texts(), before);
  edit->close();
}

}  // namespace
}  // namespace fxs::ui
