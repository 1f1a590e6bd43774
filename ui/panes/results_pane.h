#pragma once
// Bottom: stages with how they stand, and the log.
#include <QTreeView>
#include <QWidget>

#include "models/stages_model.h"
#include "panes/code_view.h"
#include "presenters/log_presenter.h"
#include "presenters/stage_presenter.h"

namespace fxs::ui {

class StagesPage final : public QWidget {
  Q_OBJECT
 public:
  StagesPage(Appearance& appearance, StagePresenter& stages, QWidget* parent = nullptr);
  QTreeView* view() const { return view_; }
  const StagesModel& model() const { return model_; }

 Q_SIGNALS:
  void stageActivated(const QString& id);

 private:
  void refresh();
  void showDetail();
  StagePresenter& stages_;
  StagesModel model_;
  QTreeView* view_;
  CodeView* detail_;
  QString detailText_;
};

class LogPage final : public QWidget {
  Q_OBJECT
 public:
  LogPage(Appearance& appearance, LogPresenter& log, QWidget* parent = nullptr);
  CodeView* view() const { return view_; }

 private:
  void refresh();
  LogPresenter& log_;
  CodeView* view_;
  bool stale_ = false;
};

}  // namespace fxs::ui
