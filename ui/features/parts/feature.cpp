// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a file, each a tab above the panes.
#include "window/feature.h"

#include <QMainWindow>

#include "features/parts/part_tabs.h"

namespace fxs::ui {
namespace {

void addParts(Host& host) {
  auto& parts = host.services().get<PartsPresenter>();
  host.addAbove(new PartTabs(host.appearance(), parts, &host.mainWindow()));
  Actions& actions = host.actions();
  actions.add(
      {"previous-part", {"Go", 160}, "Previous part of the file", "Ctrl+Alt+PgUp", {}, [&parts] {
         parts.step(-1);
       }});
  actions.add({"next-part", {"Go", 170}, "Next part of the file", "Ctrl+Alt+PgDown", {}, [&parts] {
                 parts.step(1);
               }});
}

}  // namespace

void registerParts(Features& features) { features.parts.push_back(addParts); }

}  // namespace fxs::ui
