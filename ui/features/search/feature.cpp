// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The palette, and search in nodes, modules and texts.
#include "window/feature.h"

#include <QMainWindow>
#include <QToolBar>
#include <algorithm>

#include "features/search/search_presenter.h"
#include "session/colourings.h"
#include "session/finders.h"
#include "text/words.h"
#include "widgets/controls.h"
#include "widgets/palette_sources.h"
#include "window/text_panes.h"

namespace fxs::ui {
namespace {

constexpr std::size_t kMaxPaletteRows = 60;
constexpr int kSearchTool = 300;  ///< place in the tool bar

struct RankedRow {
  int score;
  PopupRow row;
};

/// Actions; once something is typed also what features have names for.
std::vector<RankedRow> rankedRows(Host& host, const QString& typed) {
  std::vector<RankedRow> ranked;
  for (const Actions::Entry& entry : host.actions().all()) {
    if (!entry.action->isEnabled()) continue;
    if (const int score = rank(typed, entry.spec.name))
      ranked.push_back({score,
                        {entry.spec.icon.isEmpty() ? QString("run") : entry.spec.icon,
                         entry.spec.name, entry.spec.menu.title, entry.spec.keys,
                         [action = entry.action] { action->trigger(); }}});
  }
  if (typed.isEmpty()) return ranked;
  host.services().get<PaletteSources>().visit([&](const QString& name, const auto& row) {
    if (const int score = rank(typed, name)) ranked.push_back({score, row()});
  });
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const RankedRow& a, const RankedRow& b) { return a.score > b.score; });
  return ranked;
}

void showPalette(Host& host) {
  host.popup().start(
      "Type the name of a node, a module, a stage or an action", {}, [&host](const QString& typed) {
        std::vector<RankedRow> ranked = rankedRows(host, typed);
        std::vector<PopupRow> rows;
        for (std::size_t i = 0; i < std::min(ranked.size(), kMaxPaletteRows); ++i)
          rows.push_back(std::move(ranked[i].row));
        host.popup().setRows(
            std::move(rows),
            ranked.empty() ? QString("No match; Ctrl+Shift+F searches every text") : QString());
      });
}

/// In the graph and the node list; selects the first.
void markHits(Services& services) {
  const auto& search = services.get<SearchPresenter>();
  Q_EMIT services.get<Colourings>().markRequested(search.query());
  for (const Hit& hit : search.hits())
    if (hit.node.valid() && !hit.stage)
      return services.get<SelectionPresenter>().selectNode(hit.node, Origin::Command);
}

void goToHit(Host& host, const Hit& hit) {
  if (hit.stage) host.texts().showStage(*hit.stage);
  if (hit.node.valid())
    host.services().get<SelectionPresenter>().selectNode(hit.node, Origin::Command);
  if (hit.stage) host.texts().showLine(*hit.stage, hit.line);
}

void showHits(Host& host) {
  Services& services = host.services();
  const auto& search = services.get<SearchPresenter>();
  std::vector<PopupRow> rows;
  if (const std::size_t count = search.nodeCount())
    rows.push_back({"search",
                    "Mark " + counted(count, "matching node") + " in the graph and the node list",
                    {},
                    {},
                    [&services] { markHits(services); }});
  for (const Hit& hit : search.hits())
    rows.push_back({hit.stage ? QString("file") : QString("node"), hit.title, hit.detail, hit.kind,
                    [&host, hit] { goToHit(host, hit); }});
  host.popup().setRows(std::move(rows), search.summary());
}

void findEverywhere(Host& host) {
  const QString selected = host.texts().selectedText();
  host.popup().start(
      "Find in nodes, modules and texts; or a query such as op=aten.linear dtype=f16",
      selected.contains('\n') ? QString() : selected,
      [&host](const QString& typed) { host.services().get<SearchPresenter>().search(typed); });
}

void addSearch(Host& host) {
  Actions& actions = host.actions();
  auto& finders = host.services().get<Finders>();
  actions.add({"find", {"Edit", 100}, "Find in this text …", "Ctrl+F", "search", [&finders] {
                 finders.start();
               }});
  actions.add(
      {"find-next", {"Edit", 110}, "Next match", "F3", {}, [&finders] { finders.step(1); }});
  actions.add({"find-previous", {"Edit", 120}, "Previous match", "Shift+F3", {}, [&finders] {
                 finders.step(-1);
               }});
  actions.add({"find-everywhere", {"Edit", 130}, "Find everywhere …", "Ctrl+Shift+F", {}, [&host] {
                 findEverywhere(host);
               }});
  actions.add(
      {"palette", {"Help", 20}, "Find a node or run an action …", "Ctrl+K", "search", [&host] {
         showPalette(host);
       }});
  actions.needProgram({"find", "find-everywhere"});
  QObject::connect(&host.services().get<SearchPresenter>(), &SearchPresenter::found,
                   &host.mainWindow(), [&host] { showHits(host); });
}

void addSearchTool(Host& host, QToolBar& bar) {
  auto* search =
      new FittedButton({"  Find a node or run an action    Ctrl+K", "  Find    Ctrl+K", "  Find"},
                       "Find a node or run an action", &bar);
  search->setObjectName("search");
  Appearance& appearance = host.appearance();
  search->setIcon(appearance.icon("search"));
  QObject::connect(search, &QToolButton::clicked, host.actions()["palette"], &QAction::trigger);
  QObject::connect(&appearance, &Appearance::changed, search,
                   [&appearance, search] { search->setIcon(appearance.icon("search")); });
  bar.addWidget(search);
}

}  // namespace

void registerSearch(Features& features) {
  features.parts.push_back(addSearch);
  features.tools.push_back({kSearchTool, addSearchTool});
}

}  // namespace fxs::ui
