// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The stages page: status of every step and stage, and the command line and output of the engine.
#include <QTreeView>
#include <QWidget>

#include "features/stages/stage_presenter.h"
#include "features/stages/stages_model.h"
#include "widgets/code_view.h"

namespace fxs::ui {

class StagesPage final : public QWidget {
  Q_OBJECT
 public:
  StagesPage(Appearance& appearance, StagePresenter& stages, QWidget* parent = nullptr);
  QTreeView* view() const { return view_; }
  const StagesModel& model() const { return model_; }

 Q_SIGNALS:
  void stageActivated(const fxs::ui::ShownText& id);

 private:
  void refresh();
  void showDetail();
  StagePresenter& stages_;
  StagesModel model_;
  QTreeView* view_;
  CodeView* detail_;
  QString detailText_;
};

}  // namespace fxs::ui
