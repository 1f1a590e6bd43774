// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The models of the open file as tabs above the panes; hidden if there is only one. Of very many,
// those around the open one.
#include <QTabBar>

#include "features/parts/parts_presenter.h"
#include "widgets/controls.h"

namespace fxs::ui {

class PartTabs final : public QWidget {
  Q_OBJECT
 public:
  PartTabs(Appearance& appearance, PartsPresenter& parts, QWidget* parent = nullptr);
  QTabBar* tabs() const { return tabs_; }

 private:
  void refresh();
  PartsPresenter& parts_;
  QTabBar* tabs_;
  QLabel* position_;
  int first_ = 0;  ///< the model of the first tab
};

}  // namespace fxs::ui
