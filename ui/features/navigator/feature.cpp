// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The navigator as a dock; its nodes are in the palette.
#include "window/feature.h"

#include <algorithm>

#include "features/navigator/navigator_pane.h"
#include "session/finders.h"
#include "session/session_presenter.h"
#include "text/words.h"
#include "widgets/dock_frame.h"
#include "widgets/palette_sources.h"

namespace fxs::ui {
namespace {

constexpr int kNodeNames = 30, kNavigatorFinder = 10;  ///< places in the palette, among finders

void makeNavigator(Host& host, DockFrame& dock) {
  Services& services = host.services();
  auto& session = services.get<SessionPresenter>();
  auto& selection = services.get<SelectionPresenter>();
  auto* navigator = new Navigator(host.appearance(), session, services.get<Graphs>().program,
                                  services.get<Graphs>().colours, services.get<Marks>(), selection,
                                  dock.parentOfPages());
  dock.addPage("modules", "Modules", navigator->modules());
  dock.addPage("nodes", "Nodes", navigator->nodes());
  services.get<Finders>().add({kNavigatorFinder, [navigator] {
                                 for (FilteredView* view :
                                      {navigator->modules(), navigator->nodes()}) {
                                   if (!view->isAncestorOf(view->window()->focusWidget())) continue;
                                   view->filter()->setFocus();
                                   return true;
                                 }
                                 return false;
                               }});
  services.get<PaletteSources>().add(kNodeNames, [&session,
                                                  &selection](const PaletteSources::Visit& visit) {
    const fx::ProgramPtr program = session.program();
    if (!program) return;
    for (const fx::Node& node : program->nodes)
      visit(text(node.name), [&] {
        return PopupRow{iconOf(*program, node), text(node.name), text(node.target), "node",
                        [&selection, id = node.id] { selection.selectNode(id, Origin::Command); }};
      });
  });
}

int titleOnly(const DockSpace& space) { return space.title; }

Dock navigatorDock() {
  Dock dock{"navigator",
            "Navigator",
            10,
            {"show-navigator", {"View", 20}, "Show or hide the navigator", "Ctrl+1"},
            makeNavigator};
  dock.positions = {
      {Arrangement::Graph,
       {Qt::LeftDockWidgetArea, 0,
        [](const DockSpace& space) { return std::min(space.width / 5, 34 * kGrid); }}},
      {Arrangement::Stages, {Qt::RightDockWidgetArea, 1, {}, titleOnly}},
      {Arrangement::Passes, {Qt::RightDockWidgetArea, 1, {}, titleOnly}},
      {Arrangement::Diagnosis, {Qt::LeftDockWidgetArea, 2, {}, titleOnly}},
      {Arrangement::Numbers, {Qt::LeftDockWidgetArea, 1, {}, titleOnly}}};
  return dock;
}

}  // namespace

void registerNavigator(Features& features) { features.docks.push_back(navigatorDock()); }

}  // namespace fxs::ui
