// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The open programs as tabs above the panes; hidden while there is only one.
#include <QTabBar>

#include "session/open_programs.h"
#include "theme/appearance.h"

namespace fxs::ui {

class ProgramTabs final : public QTabBar {
  Q_OBJECT
 public:
  /// `reopen`: the action that reopens a closed program, for the menu of a tab.
  ProgramTabs(Appearance& appearance, OpenPrograms& programs, QAction* reopen,
              QWidget* parent = nullptr);

 protected:
  void mouseReleaseEvent(QMouseEvent*) override;
  void contextMenuEvent(QContextMenuEvent*) override;

 private:
  void refresh();
  void setButton(int tab);
  Appearance& appearance_;
  OpenPrograms& programs_;
  QAction* reopen_;
  std::vector<int> shown_;  ///< ids of the tabs
};

}  // namespace fxs::ui
