// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The captures of an open folder as tabs above the graph; hidden when no folder is open.
#include <QTabBar>

#include "features/captures/folder_presenter.h"
#include "theme/appearance.h"

namespace fxs::ui {

class CaptureTabs final : public QTabBar {
  Q_OBJECT
 public:
  CaptureTabs(Appearance& appearance, FolderPresenter& folder, QWidget* parent = nullptr);

 private:
  void refresh();
  Appearance& appearance_;
  FolderPresenter& folder_;
  QStringList shown_;  ///< files of the tabs
};

}  // namespace fxs::ui
