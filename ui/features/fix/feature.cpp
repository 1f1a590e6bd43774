// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exports the program with its verified fixes.
#include "window/feature.h"

#include <QMainWindow>

#include "features/fix/fix_dialog.h"
#include "session/session_presenter.h"

namespace fxs::ui {
namespace {

void addFix(Host& host) {
  auto& fix = host.services().get<FixPresenter>();
  auto* dialog = new FixDialog(host.appearance(), fix, host.services().get<SessionPresenter>(),
                               &host.mainWindow());
  QAction* start = host.actions().add(
      {"export-fixed", {"File", 130}, "Export fixed program …", "Ctrl+Shift+E", "proved", [dialog] {
         dialog->start();
       }});
  start->setIconText("Apply fixes …");
  host.services().get<OpCommands>().addRow(
      host.actions().rowCommand(300, "export-fixed", "problems"));
  const auto refresh = [start, &fix] {
    const QString obstacle = fix.obstacle();
    start->setEnabled(obstacle.isEmpty());
    start->setToolTip(
        obstacle.isEmpty()
            ? QString("Apply the verified fixes, and export the program (Ctrl+Shift+E)")
            : obstacle);
  };
  QObject::connect(&fix, &FixPresenter::changed, start, refresh);
  refresh();
  QObject::connect(dialog, &FixDialog::openRequested, dialog,
                   [&host](const QString& file) { host.openFile(file); });
}

}  // namespace

void registerFix(Features& features) { features.parts.push_back(addFix); }

}  // namespace fxs::ui
