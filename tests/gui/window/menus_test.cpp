// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Menus by keyboard: mnemonics of every menu, and the context menu of every view.
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenuBar>
#include <map>

#include "features/passes/passes_page.h"
#include "text/mnemonics.h"
#include "text/words.h"
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
  /// As the menu key opens it; null if there is none.
  static QMenu* contextMenu(QWidget* view) {
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, {});
    QApplication::sendEvent(view, &event);
    return qobject_cast<QMenu*>(QApplication::activePopupWidget());
  }
  static QStringList enabledIn(const QMenu& menu) {
    QStringList names;
    for (const QAction* each : menu.actions())
      if (!each->isSeparator() && each->isEnabled())
        names << each->text().section('\t', 0, 0).remove('&');
    return names;
  }
  static void choose(QMenu& menu, const QString& name) {
    for (QAction* each : menu.actions())
      if (each->text().section('\t', 0, 0).remove('&') == name) {
        each->trigger();
        menu.close();
        return;
      }
    FAIL() << name.toStdString();
  }
};

TEST_F(MenusTest, EveryEntryHasItsOwnMnemonic) { expectMnemonics(*window_->menuBar(), "menu bar"); }

/// Qt runs neither of two actions that share a key.
TEST_F(MenusTest, EveryKeyIsOfOneAction) {
  std::map<QString, QString> ids;
  for (const Actions::Entry& entry : window_->actions().all())
    for (const QKeySequence& keys : entry.action->shortcuts()) {
      const auto [at, isNew] = ids.emplace(keys.toString(), entry.spec.id);
      EXPECT_TRUE(isNew) << keys.toString().toStdString() << ": " << at->second.toStdString()
                         << " and " << entry.spec.id.toStdString();
    }
  EXPECT_GT(ids.size(), 100U);
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

TEST_F(MenusTest, RowsOfEveryListHaveTheCommandsOfTheirNode) {
  openSettled(samplePath("addmm.pt2"));
  auto* navigator = part<Navigator>();
  const fx::NodeId addmm = node("addmm");
  const std::pair<FilteredView*, QModelIndex> rows[] = {
      {navigator->modules(), navigator->treeModel().indexOf(addmm)},
      {navigator->nodes(), navigator->listModel().indexOf(addmm)}};
  for (const auto& [list, source] : rows) {
    QTreeView* view = list->view();
    view->setCurrentIndex(list->proxy()->mapFromSource(source));
    QMenu* menu = contextMenu(view);
    ASSERT_NE(menu, nullptr) << view->accessibleName().toStdString();
    const QStringList names = enabledIn(*menu);
    EXPECT_EQ(names.front(), "Copy the row");
    for (const char* each : {"Copy the name", "Copy as Markdown", "Toggle the bookmark of the node",
                             "Write a note on the node", "History of the node, pass by pass"})
      EXPECT_TRUE(names.contains(each)) << each << " in " << view->accessibleName().toStdString();
    expectMnemonics(*menu, view->accessibleName());
    choose(*menu, "Copy the name");
    EXPECT_EQ(QApplication::clipboard()->text(), "addmm");
  }
}

TEST_F(MenusTest, PassesHaveTheirOwnCommandsToo) {
  if (!hasEngine()) GTEST_SKIP() << "no engine";
  openSettled(samplePath("addmm.pt2"));
  window_->actions()["show-passes"]->trigger();
  window_->actions()["next-pass"]->trigger();
  QMenu* menu = contextMenu(part<PassesPage>()->view());
  ASSERT_NE(menu, nullptr);
  EXPECT_TRUE(enabledIn(*menu).contains("Set A after the selected pass"));
  EXPECT_TRUE(enabledIn(*menu).contains("Lower without the selected pass"));
  expectMnemonics(*menu, "passes");
  menu->close();
}

TEST_F(MenusTest, ATextCopiesItsLineAndTheGraphHasTheCommandsOfTheNode) {
  openSettled(samplePath("addmm.pt2"));
  bench_->get<SelectionPresenter>().selectNode(node("addmm"), Origin::List);
  CodePane* pane = part<StageStrip>()->currentPane();
  QMenu* menu = contextMenu(pane->view());
  ASSERT_NE(menu, nullptr);
  EXPECT_TRUE(enabledIn(*menu).contains("Go to the definition of the value"));
  expectMnemonics(*menu, "text");
  const auto line = pane->view()->code()->line(pane->view()->cursorPosition().line);
  choose(*menu, "Copy line");
  EXPECT_EQ(QApplication::clipboard()->text(), exact(line).trimmed());
  bench_->get<SelectionPresenter>().selectNode(node("addmm"), Origin::List);
  part<GraphPair>()->current()->pane()->setFocus();
  QTest::keyClick(window_.get(), Qt::Key_F10, Qt::ShiftModifier);
  menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  ASSERT_NE(menu, nullptr);
  EXPECT_TRUE(enabledIn(*menu).contains("Copy as Markdown"));
  expectMnemonics(*menu, "graph");
  menu->close();
}

}  // namespace
}  // namespace fxs::ui
