// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens a folder of captures, each a tab above the panes.
#include "window/feature.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>

#include "features/captures/capture_tabs.h"
#include "session/session_presenter.h"
#include "widgets/banner_bar.h"

namespace fxs::ui {
namespace {

void addCaptures(Host& host) {
  auto& folder = host.services().get<FolderPresenter>();
  auto* tabs = new CaptureTabs(host.appearance(), folder, &host.mainWindow());
  host.addAbove(tabs);
  QObject::connect(&folder, &FolderPresenter::failed, tabs,
                   [&host](const QString& path, const QString& message) {
                     host.banners().show(
                         "open", BannerKind::Error,
                         QString("Could not open %1: %2").arg(QFileInfo(path).fileName(), message));
                   });
  Actions& actions = host.actions();
  actions.add(
      {"open-folder", {"File", 20}, "Open a folder of captures …", "Ctrl+Alt+O", {}, [&host] {
         const QFileInfo open(host.services().get<SessionPresenter>().state().file);
         const QString chosen = QFileDialog::getExistingDirectory(
             &host.mainWindow(), "Open a folder of captures", open.path());
         if (!chosen.isEmpty()) host.openFile(chosen);
       }});
  actions.add({"previous-capture",
               {"Go", 140},
               "Previous capture of the folder",
               "Ctrl+PgUp",
               {},
               [&folder] { folder.step(-1); }});
  actions.add(
      {"next-capture", {"Go", 150}, "Next capture of the folder", "Ctrl+PgDown", {}, [&folder] {
         folder.step(1);
       }});
}

bool openFolder(Services& services, const QString& file) {
  const bool isFolder = QFileInfo(file).isDir();
  if (isFolder) services.get<FolderPresenter>().open(file);
  return isFolder;
}

}  // namespace

void registerCaptures(Features& features) {
  features.parts.push_back(addCaptures);
  features.openers.push_back(openFolder);
}

}  // namespace fxs::ui
