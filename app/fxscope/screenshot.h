// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Screenshots of the window: for the README and tests, also without a display.
#include <QString>
#include <QStringList>

namespace fxs::ui {

class MainWindow;
class Services;

struct ScreenshotRequest {
  QString file;          ///< PNG to write
  QString select;        ///< name of the node to select; "" for none
  bool openAll = false;  ///< expand every group of the graph
  int pass = -1;         ///< 0-based index of the pass to show, before and after; -1 for none
  int from = -1,
      to = -1;  ///< if `compare`: 0-based passes after which to compare; -1 for before the first
  bool compare = false;
  QStringList actions;  ///< ids of actions to trigger first, in order: "keys", "next-problem"
};

/// Returns at once. When the program is lowered and laid out, writes the file and quits the
/// application with exit code 0; on failure with 1, and the reason in `problem`, which must outlive
/// the event loop.
void takeScreenshot(MainWindow& window, Services& services, const ScreenshotRequest& request,
                    QString& problem);

}  // namespace fxs::ui
