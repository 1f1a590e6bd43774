// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/graph_actions.h"

#include <QActionGroup>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>

#include "session/colourings.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "text/words.h"
#include "widgets/banner_bar.h"
#include "window/text_panes.h"

namespace fxs::ui {
namespace {

void saveGraph(Host& host, GraphPair* graphs) {
  const QString& open = host.services().get<SessionPresenter>().state().file;
  const QString file = QFileDialog::getSaveFileName(&host.mainWindow(), "Save the graph",
                                                    QFileInfo(open).completeBaseName() + ".svg",
                                                    "Scalable picture (*.svg);;Picture (*.png)");
  if (file.isEmpty()) return;
  QString reason;
  const bool saved = file.endsWith(".png", Qt::CaseInsensitive)
                         ? graphs->current()->pane()->savePng(file, 2, &reason)
                         : graphs->current()->pane()->saveSvg(file, &reason);
  if (saved) host.showMessage("Saved " + shown(file));
  else host.banners().show("save", BannerKind::Error, "Could not save " + shown(reason));
}

void addPartActions(Host& host, GraphPair* graphs) {
  Actions& actions = host.actions();
  actions.add({"fit",
               {"View/Graph", 100},
               "Fit the graph",
               "Space",
               "fit",
               [graphs] { graphs->current()->pane()->fit(); },
               false,
               true});
  actions.add(
      {"open-groups", {"View/Graph", 110}, "Expand all groups", "Ctrl+Alt+E", "expand", [graphs] {
         graphs->current()->shown().openAll();
       }});
  actions.add({"close-groups",
               {"View/Graph", 120},
               "Collapse all groups",
               "Ctrl+Alt+C",
               "collapse",
               [graphs] { graphs->current()->shown().closeAll(); }});
  actions.add({"reveal", {"View/Graph", 130}, "Show the node in the graph", "Ctrl+J", {}, [graphs] {
                 graphs->current()->reveal();
               }});
  actions.add({"show-around",
               {"View/Graph", 140},
               "Show only the neighbourhood of the node; again: one step more",
               "Ctrl+Alt+N",
               {},
               [graphs] { graphs->current()->showAround(); }});
  actions.add({"show-between",
               {"View/Graph", 150},
               "Show only the paths between the last two selected nodes",
               "Ctrl+Alt+J",
               {},
               [&host, graphs] {
                 graphs->current()->showBetween(
                     host.services().get<SelectionPresenter>().previousNodes());
               }});
  actions.add({"show-all",
               {"View/Graph", 160},
               "Show the whole graph again",
               "Ctrl+Alt+Home",
               {},
               [graphs] { graphs->current()->shown().showAll(); }});
}

void addColourActions(Host& host) {
  Actions& actions = host.actions();
  ColourPresenter& colours = host.services().get<Graphs>().colours;
  auto* group = new QActionGroup(&host.mainWindow());
  const auto check = [&actions, &colours] { actions["colour-" + colours.by()]->setChecked(true); };
  int count = 0;
  for (const Colouring& each : colours.colourings().all()) {
    QAction* choice = actions.add({"colour-" + each.id,
                                   {"View/Colour the graph by", 195},
                                   "Colour the graph by: " + each.title.toLower(),
                                   QString("Alt+F%1").arg(count + 5),
                                   {},
                                   {},
                                   true});
    choice->setIconText(each.title);
    group->addAction(choice);
    ++count;
    QObject::connect(choice, &QAction::triggered, group, [&host, &colours, id = each.id, check] {
      const QString obstacle = colours.obstacle(id);
      if (obstacle.isEmpty()) return colours.choose(id);
      host.showMessage(obstacle);
      check();
    });
  }
  QObject::connect(&colours, &ColourPresenter::changed, group, check);
  check();
}

}  // namespace

void addGraphActions(Host& host, GraphPair* graphs) {
  Actions& actions = host.actions();
  actions.add({"save-graph",
               {"File", 110},
               "Save the graph as SVG or PNG …",
               "Ctrl+Shift+S",
               {},
               [&host, graphs] { saveGraph(host, graphs); }});
  addPartActions(host, graphs);
  addColourActions(host);
  actions.add(
      {"graph-of-text",
       {"View/Graph", 180},
       "Show the operations of the current text as a graph, or the program again",
       "Ctrl+Alt+G",
       {},
       [&host, graphs] { graphs->current()->operations().toggle(host.texts().current()); }});
  QAction* beside = actions.add({"graph-beside",
                                 {"View/Graph", 190},
                                 "Show two graphs side by side",
                                 "Ctrl+Alt+\\",
                                 "panes",
                                 {},
                                 true});
  GraphPairPresenter& pair = host.services().get<Graphs>().pair;
  QObject::connect(beside, &QAction::toggled, &pair, &GraphPairPresenter::setShown);
  QObject::connect(&pair, &GraphPairPresenter::shownChanged, beside,
                   [beside, &pair] { beside->setChecked(pair.shown()); });
  for (const char* view : {"navigator", "inspector", "results"})
    host.services().get<OpCommands>().addRow(actions.rowCommand(210, "reveal", view));
  actions.needProgram({"save-graph", "show-around", "show-between", "show-all", "open-groups",
                       "close-groups", "fit"});
  actions.addKeys({"Graph",
                   {{"Zoom at the cursor", "Wheel"},
                    {"Move", "Drag"},
                    {"Expand or collapse a group", "Enter, double click"},
                    {"Follow edges", "Arrows"}}});
}

}  // namespace fxs::ui
