// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Inspector section for what a node becomes: how many lines each stage has of it.
#include <QWidget>

#include "features/stages/stage_presenter.h"
#include "theme/appearance.h"

namespace fxs::ui {

class BecomesSection final : public QWidget {
  Q_OBJECT
 public:
  BecomesSection(Appearance& appearance, StagePresenter& stages, fx::NodeId node, QWidget* parent);

 Q_SIGNALS:
  void stageRequested(const fxs::ui::ShownText& stage);

 private:
  void rebuild();
  Appearance& appearance_;
  StagePresenter& stages_;
  fx::NodeId node_;
};

}  // namespace fxs::ui
