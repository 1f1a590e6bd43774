// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports a problem to the project whose tool fails.
#include "window/feature.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMainWindow>
#include <algorithm>

#include "features/report/report_dialog.h"
#include "session/selection_presenter.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

/// The selected node if something is wrong with it; else invalid.
fx::NodeId chosenNode(Services& services) {
  const fx::NodeId selected = services.get<SelectionPresenter>().current().node();
  const auto& snapshot = services.get<SessionPresenter>().snapshot();
  if (!snapshot || !selected.valid()) return {};
  const std::vector<fx::Finding> findings = snapshot->findings();
  const bool stops = std::any_of(findings.begin(), findings.end(), [&](const fx::Finding& found) {
    return found.severity == fx::Severity::Error && found.node == selected;
  });
  return stops ? selected : fx::NodeId();
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
    start->setToolTip(
        obstacle.isEmpty()
            ? QString(
                  "Write an issue for torch-mlir, of a failure or of wrong values (Ctrl+Shift+P)")
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
