// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The menu Help, besides the keys and the palette.
#include "window/feature.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QMainWindow>
#include <QUrl>

#include "features/help/about_state.h"
#include "features/help/help_dialog.h"

namespace fxs::ui {
namespace {

constexpr const char* kReport =
    "A failure of a lowering: export a bundle, which has all that replays it, and attach it to an "
    "issue of torch-mlir: https://github.com/llvm/torch-mlir/issues\n\n"
    "A fault of fxscope: report it where you got fxscope from, with what you did and with these "
    "versions:\n\n";

void openDocumentation(Host& host, const QString& name) {
  const QString file = documentation(name, QCoreApplication::applicationDirPath());
  if (file.isEmpty()) return host.showMessage("The documentation is not installed");
  if (!QDesktopServices::openUrl(QUrl::fromLocalFile(file)))
    host.showMessage("Cannot start a program that shows " + file);
}

void addHelp(Host& host) {
  Actions& actions = host.actions();
  actions.add({"documentation", {"Help", 5}, "Documentation", "F1", {}, [&host] {
                 openDocumentation(host, "tour.md");
               }});
  actions.add({"glossary", {"Help", 6}, "Glossary", "Ctrl+F1", {}, [&host] {
                 openDocumentation(host, "glossary.md");
               }});
  auto* about = new HelpDialog(host.appearance(), "About fxscope", &host.mainWindow());
  about->setObjectName("about");
  actions.add({"about", {"Help", 200}, "About fxscope", "Shift+F1", {}, [&host, about] {
                 const QString versions = aboutText(host.services());
                 about->start(versions, versions);
               }});
  auto* report = new HelpDialog(host.appearance(), "Report a problem", &host.mainWindow());
  report->setObjectName("report-problem");
  QPushButton* bundle = report->addButton("&Export bundle …");
  QObject::connect(bundle, &QPushButton::clicked, report, [&host, report] {
    report->accept();
    host.actions()["export-bundle"]->trigger();
  });
  actions.add({"report-problem",
               {"Help", 100},
               "Report a problem …",
               "Ctrl+Shift+F1",
               {},
               [&host, report, bundle] {
                 const QAction* start = host.actions()["export-bundle"];
                 bundle->setEnabled(start->isEnabled());
                 bundle->setToolTip(start->toolTip());
                 const QString versions = aboutText(host.services());
                 report->start(kReport + versions, versions);
               }});
}

}  // namespace

void registerHelp(Features& features) { features.parts.push_back(addHelp); }

}  // namespace fxs::ui
