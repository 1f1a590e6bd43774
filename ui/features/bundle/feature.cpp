// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exports a failure as a bundle.
#include "window/feature.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMainWindow>
#include <QUrl>
#include <memory>

#include "features/bundle/bundle_dialog.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "text/words.h"
#include "widgets/banner_bar.h"

namespace fxs::ui {
namespace {

/// For the selected problem, or that of the selected node, with `remembered` as the folder while it
/// is one.
void startExport(Services& services, BundleDialog* dialog, const QString& remembered) {
  const Selection& selected = services.get<SelectionPresenter>().current();
  const auto& problems = services.get<ProblemsPresenter>();
  QString operation = selected.problem;
  if (const int at = operation.isEmpty() ? problems.indexAt(selected.node()) : -1; at >= 0)
    operation = problems.problems()[static_cast<std::size_t>(at)].operation;
  const QFileInfo open(services.get<SessionPresenter>().state().file);
  dialog->start(operation, QFileInfo(remembered).isDir() ? remembered : open.absolutePath());
}

void addBundle(Host& host) {
  Services& services = host.services();
  auto& bundle = services.get<BundlePresenter>();
  auto* dialog = new BundleDialog(host.appearance(), bundle, services.get<ProblemsPresenter>(),
                                  &host.mainWindow());
  auto folder = std::make_shared<QString>();
  host.addSetting({"bundleFolder",
                   [dialog] { return dialog->folder().isEmpty() ? QVariant() : dialog->folder(); },
                   [folder](const QVariant& kept) { *folder = kept.toString(); }});
  QAction* start =
      host.actions().add({"export-bundle",
                          {"File", 120},
                          "Export bundle …",
                          "Ctrl+E",
                          "bundle",
                          [&services, dialog, folder] { startExport(services, dialog, *folder); }});
  services.get<OpCommands>().addRow(host.actions().rowCommand(310, "export-bundle", "problems"));
  const auto refresh = [start, &bundle] {
    const QString obstacle = bundle.obstacle();
    start->setEnabled(obstacle.isEmpty());
    start->setToolTip(obstacle.isEmpty() ? QString("Export a reproducer bundle (Ctrl+E)")
                                         : obstacle);
  };
  QObject::connect(&bundle, &BundlePresenter::changed, start, refresh);
  refresh();
  const auto showReplayed = [&host, &bundle] {
    host.banners().show("bundle", BannerKind::Info, bundle.replayed());
  };
  QObject::connect(&services.get<SessionPresenter>(), &SessionPresenter::stateChanged, start,
                   showReplayed);
  QObject::connect(dialog, &BundleDialog::copyRequested, dialog, [&host](const QString& path) {
    QGuiApplication::clipboard()->setText(path);
    host.showMessage("Copied " + shown(path));
  });
  QObject::connect(dialog, &BundleDialog::openFolderRequested, dialog,
                   [&host](const QString& file) {
                     if (!QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(file).path())))
                       host.showMessage("Cannot start a file manager");
                   });
}

}  // namespace

void registerBundle(Features& features) { features.parts.push_back(addBundle); }

}  // namespace fxs::ui
