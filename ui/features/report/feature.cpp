// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports a problem to the project whose tool fails.
#include "window/feature.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMainWindow>

#include "features/problems/problems_presenter.h"
#include "features/report/report_dialog.h"
#include "session/selection_presenter.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

/// The first node of the selected problem, or the selected node if it has one; else invalid.
fx::NodeId chosenNode(Services& services) {
  const Selection& selected = services.get<SelectionPresenter>().current();
  const auto& problems = services.get<ProblemsPresenter>();
  const Problem* problem = problems.problem(selected.problem);
  if (problem && !problem->parts.front().nodes.empty()) return problem->parts.front().nodes.front();
  return problems.indexAt(selected.node()) >= 0 ? selected.node() : fx::NodeId();
}

void addReport(Host& host) {
  Services& services = host.services();
  auto& report = services.get<ReportPresenter>();
  auto* dialog = new ReportDialog(host.appearance(), report, &host.mainWindow());
  QAction* start = host.actions().add(
      {"report", {"File", 125}, "Report a problem …", "Ctrl+Shift+P", "copy", [&services, dialog] {
         dialog->start(chosenNode(services));
       }});
  services.get<OpCommands>().addRow(host.actions().rowCommand(305, "report", "problems"));
  const auto refresh = [start, &report] {
    const QString obstacle = report.obstacle();
    start->setEnabled(obstacle.isEmpty());
    start->setToolTip(obstacle.isEmpty() ? QString("Write an issue for torch-mlir (Ctrl+Shift+P)")
                                         : obstacle);
  };
  QObject::connect(&report, &ReportPresenter::changed, start, refresh);
  refresh();
  QObject::connect(dialog, &ReportDialog::copyRequested, dialog,
                   [&host](const QString& text, const QString& what) {
                     QGuiApplication::clipboard()->setText(text);
                     host.showMessage("Copied " + what);
                   });
  QObject::connect(dialog, &ReportDialog::saved, dialog, [&host](const QString& folder) {
    host.showMessage("Saved to " + shown(folder));
  });
}

}  // namespace

void registerReport(Features& features) { features.parts.push_back(addReport); }

}  // namespace fxs::ui
