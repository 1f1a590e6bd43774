#pragma once
// A picture of the window once nothing is going on any more: for machines without a display, the README and tests.
#include <QString>
#include <QStringList>

namespace fxs::ui {

class MainWindow;
struct Workbench;

struct ScreenshotRequest {
  QString file;            ///< PNG to write
  QString select;          ///< node to select; "" for none
  bool openAll = false;    ///< every group of the graph open
  int pass = -1;           ///< of the trace, from 0: its before and after are shown; -1 for none
  int from = -1, to = -1;  ///< passes, from 0, whose modules are compared; -1 for the module before the first, when `compare`
  bool compare = false;
  QStringList actions;  ///< ids of actions to run, in order, before the picture is taken: "keys", "next-problem"
};

/// Waits, in the event loop, until the program is lowered and laid out, writes the file and quits the application: with 0, or 1
/// and the reason on `problem`.
void takeScreenshot(MainWindow& window, Workbench& workbench, const ScreenshotRequest& request, QString& problem);

}  // namespace fxs::ui
