// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a page contributes is in every place, though no file but its own names it: see
// tests/gui/features/example.
#include <QMenuBar>

#include "window_fixture.h"

namespace fxs::ui {
namespace {

using PageTest = WindowTest;

TEST_F(PageTest, APageOfOneFolderIsATabBetweenTheOthers) {
  openSettled(samplePath("addmm.pt2"));
  auto* dock = part<DockFrame>("results");
  EXPECT_EQ(dock->pages(),
            (QStringList{"stages", "passes", "example", "problems", "numbers", "support",
                         "coverage", "variants", "notes", "layers", "test", "summary", "log"}));
  auto* tab = [&]() -> QToolButton* {
    for (auto* button : dock->titleBarWidget()->findChildren<QToolButton*>())
      if (button->text() == "Example") return button;
    return nullptr;
  }();
  ASSERT_NE(tab, nullptr);
  QTest::mouseClick(tab, Qt::LeftButton);
  EXPECT_EQ(dock->currentPage(), "example");
  EXPECT_TRUE(part<QLabel>("example")->isVisible());
}

TEST_F(PageTest, ItsActionsAreInTheMenuAndWork) {
  openSettled(samplePath("addmm.pt2"));
  QStringList menus, names;
  for (const QAction* menu : window_->menuBar()->actions()) {
    menus << menu->menu()->objectName();
    if (menus.back() != "Examples") continue;
    for (QAction* entry : menu->menu()->actions()) {
      names << entry->text().remove('&');
      entry->trigger();
    }
  }
  EXPECT_EQ(menus,
            (QStringList{"File", "Edit", "View", "Go", "Passes", "Run", "Examples", "Help"}));
  EXPECT_EQ(names, (QStringList{"An example", "Say something in the example", "",
                                "Show or hide the example"}));
  EXPECT_TRUE(part<QLabel>("example")->hasFocus());
  EXPECT_EQ(part<QLabel>("example")->text(), "something");
}

TEST_F(PageTest, ItsActionsHaveTheirKeysAndAreOnTheSheetOfKeys) {
  openSettled(samplePath("addmm.pt2"));
  QTest::keyClick(window_.get(), Qt::Key_F11, Qt::ControlModifier | Qt::AltModifier);
  EXPECT_EQ(part<DockFrame>("results")->currentPage(), "example");
  QTest::keyClick(window_.get(), Qt::Key_F12, Qt::ControlModifier | Qt::AltModifier);
  EXPECT_EQ(part<QLabel>("example")->text(), "something");
  QTest::keyClick(window_.get(), Qt::Key_Question, Qt::ShiftModifier);
  waitUntil([&] { return part<KeysOverlay>()->isVisible(); }, "the keys show");
  std::vector<std::pair<QString, QString>> keys;
  for (const KeyGroup& group : part<KeysOverlay>()->groups())
    if (group.title == "Examples") keys = group.keys;
  EXPECT_EQ(keys, (std::vector<std::pair<QString, QString>>{
                      {"An example", "Ctrl+Alt+F11"},
                      {"Say something in the example", "Ctrl+Alt+F12"},
                      {"Show or hide the example", "Ctrl+Alt+F10"}}));
}

TEST_F(PageTest, ItsDockOpensAndIsRemembered) {
  openSettled(samplePath("addmm.pt2"));
  EXPECT_FALSE(part<DockFrame>("example-dock")->isVisible());
  QTest::keyClick(window_.get(), Qt::Key_F10, Qt::ControlModifier | Qt::AltModifier);
  EXPECT_TRUE(part<DockFrame>("example-dock")->isVisible());
  EXPECT_EQ(part<QLabel>("example-text")->text(), "in a dock");
  EXPECT_EQ(part<DockArea>()->dockWidgetArea(part<DockFrame>("example-dock")),
            Qt::RightDockWidgetArea);
  remake();
  openSettled(samplePath("addmm.pt2"));
  EXPECT_TRUE(part<DockFrame>("example-dock")->isVisible());
  window_->actions()["reset-layout"]->trigger();
  EXPECT_FALSE(part<DockFrame>("example-dock")->isVisible());
  EXPECT_TRUE(part<DockFrame>("inspector")->isVisible());
}

TEST_F(PageTest, MenusAreInOneOrderWhoeverAddsTheirActions) {
  QStringList menus;
  for (const QAction* menu : window_->menuBar()->actions()) {
    QString ids = menu->menu()->objectName() + ':';
    for (const QAction* each : menu->menu()->actions()) {
      if (each->isSeparator()) ids += " |";
      else
        ids +=
            ' ' + (each->menu() ? each->menu() : static_cast<const QObject*>(each))->objectName();
    }
    menus << ids;
  }
  EXPECT_EQ(
      menus.join('\n').toStdString(),
      (QStringList{
           "File: open open-folder Open recent reload watch open-layer close-layer | save-stage "
           "save-graph export-variant export-bundle report export-fixed | quit",
           "Edit: copy copy-markdown select-all context-menu | find find-next find-previous "
           "find-everywhere | "
           "toggle-bookmark remove-note restore-note edit-note | edit-text continue discard-edit "
           "next-edit-error set-argument decompose-node keep-node | preferences",
           "View: Arrangement show-navigator show-inspector show-texts show-results maximize "
           "next-pane previous-pane reset-layout | Graph Colour the graph by | Text | theme "
           "theme-system",
           "Go: back forward follow | previous-stage next-stage stage-1 stage-2 stage-3 stage-4 "
           "stage-5 stage-6 previous-capture next-capture previous-part next-part | definition "
           "uses "
           "go-to-line open-python Results next-problem previous-problem first-difference | "
           "next-bookmark previous-bookmark what-helps",
           "Passes: show-passes next-pass previous-pass next-change previous-change Stops | "
           "show-diff hide-constants hide-renumbering handle-a handle-b "
           "show-stages | hide-unchanged time-widths "
           "filter-passes rewrites all-passes "
           "history patterns | skip-pass edit-passes",
           "Run: run as-torch-mlir stop trace cancel-trace | diagnose reduce | compare compare-all "
           "fetch-executors survey-all choose-python | lower-registries lower-nodes lower-engine "
           "lower-type lower-alone "
           "alone-inlined | run-test run-test-line lower-with-run-line | Lower to",
           "Examples: show-example run-example | toggle-example",
           "Help: documentation glossary keys palette | report-problem | about"})
          .join('\n')
          .toStdString());
}

TEST_F(PageTest, ItsActionsAreInThePalette) {
  openSettled(samplePath("addmm.pt2"));
  const auto choose = [&](const QString& typed) {
    QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(part<SearchPopup>()->edit(), typed);
    EXPECT_EQ(part<SearchPopup>()->rowTitle(0), typed);
    QTest::keyClick(part<SearchPopup>()->edit(), Qt::Key_Return);
  };
  choose("An example");
  EXPECT_TRUE(part<QLabel>("example")->isVisible());
  choose("Say something in the example");
  EXPECT_EQ(part<QLabel>("example")->text(), "something");
}

TEST_F(PageTest, ItsJobMarksANodeInListTreeTextsAndInspector) {
  openSettled(samplePath("addmm.pt2"));
  const fx::NodeId last = bench_->get<SessionPresenter>().program()->nodes.back().id;
  window_->actions()["run-example"]->trigger();
  EXPECT_TRUE(bench_->get<WorkList>().running(WorkFor::Answer));
  waitUntil([&] { return !bench_->get<WorkList>().running(WorkFor::Answer); }, "it has looked");
  EXPECT_EQ(bench_->get<Marks>().at(last).flag.icon, "search");
  const Navigator* navigator = part<Navigator>();
  for (const QModelIndex& row :
       {navigator->listModel().indexOf(last), navigator->treeModel().indexOf(last)}) {
    EXPECT_EQ(row.data(kMarksRole).value<const NodeMarks*>()->flag.icon, "search");
    EXPECT_TRUE(row.data(Qt::ToolTipRole).toString().endsWith("\nthe last"));
  }
  for (const CodePane* pane : part<StageStrip>()->panes()) {
    const auto lines = bench_->get<StagePresenter>().linesOf(pane->stageId(), {last});
    const MarksByLine& marks = pane->view()->nodeMarks();
    ASSERT_EQ(marks.empty(), lines.empty()) << name(pane->stageId()).toStdString();
    if (marks.empty()) continue;
    EXPECT_EQ(marks.front().first, lines.front());
    EXPECT_EQ(marks.front().second.flag.icon, "search");
  }
  bench_->get<SelectionPresenter>().selectNode(last, Origin::Command);
  QStringList tips;
  for (const QLabel* each : part<InspectorPane>()->findChildren<QLabel*>())
    if (!each->pixmap().isNull()) tips << each->toolTip();
  EXPECT_TRUE(tips.contains("the last")) << tips.join(", ").toStdString();
}

TEST_F(PageTest, ItsSectionIsInTheInspector) {
  openSettled(samplePath("addmm.pt2"));
  EXPECT_FALSE(part<InspectorPane>()->plainText().contains("Example"));
  bench_->get<SelectionPresenter>().selectNode(aCall(), Origin::Command);
  EXPECT_TRUE(part<InspectorPane>()->plainText().contains("of a test"));
}

}  // namespace
}  // namespace fxs::ui
