// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graphs as the centre of the window; the modules of the program are in the palette.
#include "window/feature.h"

#include <QAbstractButton>
#include <QMainWindow>

#include "features/graph/graph_accessible.h"
#include "features/graph/graph_actions.h"
#include "features/graph/graph_pair.h"
#include "session/finders.h"
#include "session/session_presenter.h"
#include "text/words.h"
#include "widgets/palette_sources.h"

namespace fxs::ui {
namespace {

constexpr int kModuleNames = 20, kGraphFinder = 20;  ///< places in the palette, among finders

/// The graph of another program gets the focus, so that arrows and Space work, unless a text or a
/// filter has it.
void focusNewGraphs(Host& host) {
  const QMainWindow& window = host.mainWindow();
  auto* graphs = window.findChild<GraphPair*>();
  // After the docks, which may drop what has the focus.
  QObject::connect(&host.services().get<SessionPresenter>(), &SessionPresenter::programChanged,
                   graphs, [graphs, &window] {
                     if (!window.isVisible()) return;
                     const QWidget* focus = window.focusWidget();
                     if (!focus || qobject_cast<const QAbstractButton*>(focus) ||
                         focus == graphs->current()->chooser() || focus == &window)
                       graphs->current()->pane()->setFocus();
                   });
}

void addModuleNames(Services& services) {
  services.get<PaletteSources>().add(
      kModuleNames,
      [&services, &graph = services.get<Graphs>().program](const PaletteSources::Visit& visit) {
        if (!graph.tree()) return;
        for (const layout::Group& group : graph.tree()->groups)
          if (!group.path.empty())
            visit(text(group.path), [&] {
              return PopupRow{"module", text(group.path), text(group.type), "module",
                              [&services, &graph, id = group.id] {
                                services.get<SelectionPresenter>().selectGroup(
                                    id, graph.nodesIn(id), Origin::Command);
                              }};
            });
      });
}

Centre makeGraphs(Host& host, QWidget* parent) {
  installAccessibleGraph();
  Services& services = host.services();
  auto* graphs = new GraphPair(host.appearance(), services, parent);
  auto& session = services.get<SessionPresenter>();
  QObject::connect(graphs, &GraphPair::maximizeRequested, graphs,
                   [&host] { host.maximizeCentre(); });
  QObject::connect(graphs, &GraphPair::messageShown, graphs,
                   [&host](const QString& message) { host.showMessage(message); });
  QObject::connect(&session, &SessionPresenter::stateChanged, graphs, [graphs, &session] {
    if (session.hasProgram()) return;
    const SessionState& state = session.state();
    const bool isReading = state.activity == Activity::Reading;
    graphs->current()->pane()->setMessage(isReading ? state.step + " …" : QString());
  });
  services.get<Finders>().add({kGraphFinder, {}, [graphs, &services](int direction) {
                                 const bool isMarked =
                                     services.get<Graphs>().colours.by() == kByQuery;
                                 if (isMarked) graphs->current()->stepMatch(direction);
                                 return isMarked;
                               }});
  addModuleNames(services);
  addGraphActions(host, graphs);
  return {graphs, [graphs] { return std::vector<QWidget*>{graphs->first(), graphs->second()}; }};
}

}  // namespace

void registerGraph(Features& features) {
  features.centre = makeGraphs;
  features.parts.push_back(focusNewGraphs);
}

}  // namespace fxs::ui
