// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Actions of the window: names, menus and keys.
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>

#include "features/arrangement/arrangement_presenter.h"
#include "features/captures/folder_presenter.h"
#include "features/graph/graphs_presenter.h"
#include "features/stages/stage_presenter.h"
#include "session/colourings.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "text/words.h"
#include "window/main_window.h"

namespace fxs::ui {
namespace {

/// The key that lowers to the output type at `place`; empty if there are none left.
QString targetKeys(std::size_t place) {
  if (place < 9) return QString("Ctrl+Alt+%1").arg(place + 1);
  return place < 18 ? QString("Ctrl+Alt+Shift+%1").arg(place - 8) : QString();
}

}  // namespace

void MainWindow::buildActions() {
  buildFileActions();
  buildEditActions();
  buildViewActions();
  buildGoActions();
  actions_.add({"run", "Run", "Run every stage", "F5", "run",
                [this] { services_.get<SessionPresenter>().run(); }});
  actions_.add({"as-torch-mlir",
                "Run",
                "Lower as torch-mlir does, and no more",
                "Ctrl+Alt+M",
                {},
                [this] {
                  services_.get<SessionPresenter>().setAsTorchMlir(
                      actions_["as-torch-mlir"]->isChecked());
                },
                true});
  actions_.add({"stop", "Run", "Cancel", "Esc", "stop", [this] { stopWork(); }, false, true});
  actions_.addKeys({"Graph",
                    {{"Zoom at the cursor", "Wheel"},
                     {"Move", "Drag"},
                     {"Expand or collapse a group", "Enter, double click"},
                     {"Follow edges", "Arrows"}}});
  actions_.addKeys({"Text",
                    {{"Text size", "Ctrl+Wheel"},
                     {"Select the line's node", "Click, Enter"},
                     {"Go to the definition", "Ctrl+Click"}}});
  buildPages();
  actions_.separator("Run");
  for (const lower::OutputType& type : services_.get<SessionPresenter>().outputTypes().all()) {
    const QString name = text(lower::name(type));
    actions_.add(
        {"target-" + name, "Run", "Lower to " + name, targetKeys(type->place), {}, [this, type] {
           services_.get<SessionPresenter>().setTarget(type);
         }});
  }
  actions_.add(
      {"keys", "Help", "All keys", "?", "keys", [this] { keys_->showKeys(actions_.keys()); }});
  actions_.add({"palette", "Help", "Find a node or run an action …", "Ctrl+K", "search",
                [this] { showPalette(); }});
}

void MainWindow::buildFileActions() {
  actions_.add({"open", "File", "Open …", "Ctrl+O", "open", [this] { openDialog(); }});
  actions_.add({"open-folder", "File", "Open a folder of captures …", "Ctrl+Alt+O", {}, [this] {
                  openFolderDialog();
                }});
  recentMenu_ = actions_.submenu("File", "Open recent");
  actions_.add({"reload", "File", "Reload", "Ctrl+R", "reload",
                [this] { services_.get<SessionPresenter>().reload(); }});
  actions_.separator("File");
  actions_.add({"save-stage", "File", "Save the stage in the current pane …", "Ctrl+S", "save",
                [this] { saveStage(); }});
  actions_.add({"save-graph", "File", "Save the graph as SVG or PNG …", "Ctrl+Shift+S", {}, [this] {
                  saveGraph();
                }});
  actions_.add(
      {"export-bundle", "File", "Export bundle …", "Ctrl+E", "bundle", [this] { exportBundle(); }});
  actions_
      .add({"export-fixed", "File", "Export fixed program …", "Ctrl+Shift+E", "proved",
            [this] { fixDialog_->start(); }})
      ->setIconText("Apply fixes …");
  actions_.separator("File");
  actions_.add({"quit", "File", "Quit", "Ctrl+Q", {}, [this] { close(); }});
}

void MainWindow::buildEditActions() {
  actions_.add({"copy", "Edit", "Copy", "Ctrl+C", "copy", [this] { copySelection(); }});
  actions_.add({"copy-markdown", "Edit", "Copy as Markdown", "Ctrl+Shift+C", {}, [this] {
                  copyMarkdown();
                }});
  actions_.add({"select-all", "Edit", "Select all text", "Ctrl+A", {}, [this] {
                  strip_->current()->view()->selectAll();
                }});
  actions_.separator("Edit");
  actions_.add({"find", "Edit", "Find in this text …", "Ctrl+F", "search", [this] {
                  for (FilteredView* view : {navigator_->modules(), navigator_->nodes()})
                    if (view->isAncestorOf(focusWidget())) return view->filter()->setFocus();
                  strip_->current()->findBar()->start();
                }});
  actions_.add({"find-next", "Edit", "Next match", "F3", {}, [this] { stepMatch(1); }});
  actions_.add(
      {"find-previous", "Edit", "Previous match", "Shift+F3", {}, [this] { stepMatch(-1); }});
  actions_.add({"find-everywhere", "Edit", "Find everywhere …", "Ctrl+Shift+F", {}, [this] {
                  findEverywhere();
                }});
}

void MainWindow::buildViewActions() {
  const auto dock = [this](const QString& id, const QString& name, const QString& keys,
                           DockFrame* frame) {
    actions_.add({id, "View", name, keys, {}, [this, frame] { area_->toggle(frame); }});
  };
  buildArrangementActions();
  dock("show-navigator", "Show or hide the navigator", "Ctrl+1", docks().navigator);
  dock("show-inspector", "Show or hide the inspector", "Ctrl+2", docks().inspector);
  dock("show-texts", "Show or hide the texts", "Ctrl+3", docks().texts);
  dock("show-results", "Show or hide stages, problems and log", "Ctrl+4", docks().results);
  actions_.add({"maximize", "View", "Maximize or restore the pane", "F11", "maximize",
                [this] { area_->toggleMaximized(area_->focused()); }});
  actions_.add({"next-pane", "View", "Next pane", "F6", {}, [this] { area_->focusPane(1); }});
  actions_.add(
      {"previous-pane", "View", "Previous pane", "Shift+F6", {}, [this] { area_->focusPane(-1); }});
  actions_.add({"reset-layout", "View", "Reset the arrangement", "Ctrl+Shift+0", {}, [this] {
                  resetLayout();
                }});
  actions_.separator("View");
  actions_.add({"fit", "View", "Fit the graph", "Space", "fit",
                [this] { graphs_->current()->pane()->fit(); }, false, true});
  actions_.add({"open-groups", "View", "Expand all groups", "Ctrl+Alt+E", "expand",
                [this] { graphs_->current()->shown().openAll(); }});
  actions_.add({"close-groups", "View", "Collapse all groups", "Ctrl+Alt+C", "collapse",
                [this] { graphs_->current()->shown().closeAll(); }});
  actions_.add({"reveal", "View", "Show the node in the graph", "Ctrl+J", {}, [this] {
                  graphs_->current()->reveal();
                }});
  actions_.add({"show-around",
                "View",
                "Show only the neighbourhood of the node; again: one step more",
                "Ctrl+Alt+N",
                {},
                [this] { graphs_->current()->showAround(); }});
  actions_.add({"show-between",
                "View",
                "Show only the paths between the last two selected nodes",
                "Ctrl+Alt+J",
                {},
                [this] {
                  graphs_->current()->showBetween(
                      services_.get<SelectionPresenter>().previousNodes());
                }});
  actions_.add({"show-all", "View", "Show the whole graph again", "Ctrl+Alt+Home", {}, [this] {
                  graphs_->current()->shown().showAll();
                }});
  buildColourActions();
  actions_.add({"graph-of-text",
                "View",
                "Show the operations of the current text as a graph, or the program again",
                "Ctrl+Alt+G",
                {},
                [this] {
                  const CodePane* pane = strip_->current();
                  graphs_->current()->operations().toggle(pane ? pane->stageId()
                                                               : ShownText(LastStage{}));
                }});
  QAction* beside = actions_.add(
      {"graph-beside", "View", "Show two graphs side by side", "Ctrl+Alt+\\", "panes", {}, true});
  connect(beside, &QAction::toggled, &services_.get<Graphs>().pair, &GraphPairPresenter::setShown);
  connect(&services_.get<Graphs>().pair, &GraphPairPresenter::shownChanged, this,
          [this] { actions_["graph-beside"]->setChecked(services_.get<Graphs>().pair.shown()); });
  actions_.separator("View");
  actions_.add({"add-pane", "View", "Show another stage side by side", "Ctrl+\\", "panes",
                [this] { services_.get<StagePresenter>().addPane(); }});
  actions_.add({"remove-pane", "View", "Show one stage fewer", "Ctrl+Shift+\\", {}, [this] {
                  services_.get<StagePresenter>().removePane(
                      static_cast<int>(services_.get<StagePresenter>().panes().size()) - 1);
                }});
  actions_.add({"wrap", "View", "Wrap long lines", "Alt+Z", "wrap",
                [this] { strip_->setWrap(actions_["wrap"]->isChecked()); }, true});
  actions_.add({"fold", "View", "Fold or unfold", "Ctrl+.", {}, [this] { foldHere(); }});
  actions_.add(
      {"fold-all", "View", "Fold all regions", "Ctrl+Shift+[", {}, [this] { foldAll(true); }});
  actions_.add(
      {"unfold-all", "View", "Unfold everything", "Ctrl+Shift+]", {}, [this] { foldAll(false); }});
  actions_.add({"text-larger", "View", "Larger text", "Ctrl+=", {}, [this] {
                  strip_->setZoom(strip_->zoom() + 1);
                }});
  actions_.add({"text-smaller", "View", "Smaller text", "Ctrl+-", {}, [this] {
                  strip_->setZoom(strip_->zoom() - 1);
                }});
  actions_.add({"text-normal", "View", "Normal text size", "Ctrl+0", {}, [this] {
                  strip_->setZoom(CodeView::kDefaultZoom);
                }});
  actions_.separator("View");
  actions_.add({"theme", "View", "Switch between light and dark", "Ctrl+Shift+L", "moon", [this] {
                  appearance_.setMode(appearance_.theme().dark ? ThemeMode::Light
                                                               : ThemeMode::Dark);
                }});
  actions_.add(
      {"theme-system", "View", "Use the system's light or dark theme", "Ctrl+Alt+L", {}, [this] {
         appearance_.setMode(ThemeMode::System);
       }});
}

void MainWindow::buildArrangementActions() {
  auto* corner = new QWidget(menuBar());
  auto* row = makeBox<QHBoxLayout>(kGrid / 2);
  row->setContentsMargins(0, 2, kGrid, 0);
  auto* group = new QActionGroup(this);
  std::vector<QAction*> choices;
  for (const Arrangement each : kArrangements) {
    QAction* choice = actions_.add({"arrange-" + name(each),
                                    "View/Arrangement",
                                    "Arrangement: " + title(each),
                                    QString("Alt+%1").arg(choices.size() + 1),
                                    {},
                                    {},
                                    true});
    choice->setIconText(title(each));
    connect(choice, &QAction::triggered, this,
            [this, each] { services_.get<ArrangementPresenter>().choose(each); });
    group->addAction(choice);
    auto* button = new QToolButton(corner);
    button->setDefaultAction(choice);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setProperty("low", true);
    button->setAccessibleName(choice->text());
    row->addWidget(button);
    choices.push_back(choice);
  }
  corner->setLayout(row);
  menuBar()->setCornerWidget(corner);
  const auto check = [this, choices] {
    choices[static_cast<std::size_t>(services_.get<ArrangementPresenter>().current())]->setChecked(
        true);
  };
  connect(&services_.get<ArrangementPresenter>(), &ArrangementPresenter::changed, this, check);
  check();
}

void MainWindow::buildColourActions() {
  auto* group = new QActionGroup(this);
  const auto check = [this] {
    actions_["colour-" + services_.get<Graphs>().colours.by()]->setChecked(true);
  };
  int count = 0;
  for (const Colouring& each : services_.get<Colourings>().all()) {
    QAction* choice = actions_.add({"colour-" + each.id,
                                    "View/Colour the graph by",
                                    "Colour the graph by: " + each.title.toLower(),
                                    QString("Alt+F%1").arg(count + 5),
                                    {},
                                    {},
                                    true});
    choice->setIconText(each.title);
    group->addAction(choice);
    ++count;
    connect(choice, &QAction::triggered, this, [this, id = each.id, check] {
      const QString obstacle = services_.get<Graphs>().colours.obstacle(id);
      if (obstacle.isEmpty()) return services_.get<Graphs>().colours.choose(id);
      showMessage(obstacle);
      check();
    });
  }
  connect(&services_.get<Graphs>().colours, &ColourPresenter::changed, this, check);
  check();
}

void MainWindow::buildGoActions() {
  actions_
      .add({"back", "Go", "Back", "Alt+Left", "back",
            [this] { services_.get<SelectionPresenter>().back(); }})
      ->setEnabled(false);
  actions_
      .add({"forward", "Go", "Forward", "Alt+Right", "forward",
            [this] { services_.get<SelectionPresenter>().forward(); }})
      ->setEnabled(false);
  QAction* follow = actions_.add(
      {"follow", "Go", "Synchronize panes with the selection", "Ctrl+L", "chain",
       [this] {
         services_.get<SelectionPresenter>().setFollowing(actions_["follow"]->isChecked());
         actions_["follow"]->setIcon(
             appearance_.icon(actions_["follow"]->isChecked() ? "chain" : "chain-off"));
       },
       true});
  follow->setChecked(true);
  actions_.separator("Go");
  actions_.add({"previous-stage", "Go", "Previous stage in this pane", "Alt+[", {}, [this] {
                  strip_->stepStage(-1);
                }});
  actions_.add({"next-stage", "Go", "Next stage in this pane", "Alt+]", {}, [this] {
                  strip_->stepStage(1);
                }});
  for (int i = 1; i <= 6; ++i)
    actions_.add({QString("stage-%1").arg(i),
                  "Go",
                  QString("Stage %1 in this pane").arg(i),
                  QString::number(i),
                  {},
                  [this, i] {
                    const std::vector<Stage>& stages = services_.get<StagePresenter>().stages();
                    if (i <= static_cast<int>(stages.size()))
                      strip_->showStage(stages[static_cast<std::size_t>(i - 1)].id);
                  }});
  actions_.add(
      {"previous-capture", "Go", "Previous capture of the folder", "Ctrl+PgUp", {}, [this] {
         services_.get<FolderPresenter>().step(-1);
       }});
  actions_.add({"next-capture", "Go", "Next capture of the folder", "Ctrl+PgDown", {}, [this] {
                  services_.get<FolderPresenter>().step(1);
                }});
  actions_.separator("Go");
  actions_.add({"definition", "Go", "Go to the definition of the value", "F12", {}, [this] {
                  if (!strip_->current()->goToDefinition())
                    showMessage("Place the cursor on a value such as %5 first");
                }});
  actions_.add({"uses", "Go", "Uses of the value …", "Shift+F12", {}, [this] { showUses(); }});
  actions_.add({"go-to-line", "Go", "Go to line …", "Ctrl+G", {}, [this] { goToLine(); }});
  actions_.add(
      {"open-python", "Go", "Open the Python line in the editor", "Ctrl+Shift+O", {}, [this] {
         openPython();
       }});
}

}  // namespace fxs::ui
