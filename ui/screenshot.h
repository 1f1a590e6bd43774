#pragma once
// A picture of the window once nothing is going on any more: for machines without a display, the README and tests.
#include <QString>
#include <QStringList>

namespace fxs::ui {

class MainWindow;
struct Workbench;

struct ScreenshotRequest {
  QString file;          ///< PNG to write
  QString select;        ///< node to select; "" for none
  bool openAll = false;  ///< every group of the graph open
  QStringList actions;   ///< ids of actions to run, in order, before the picture is taken: "keys", "next-problem"
};

/// Waits, in the event loop, until the program is lowered and laid out, writes the file and quits the application: with 0, or 1
/// and the reason on `problem`.
void takeScreenshot(MainWindow& window, Workbench& workbench, const ScreenshotRequest& request, QString& problem);

}  // namespace fxs::ui
