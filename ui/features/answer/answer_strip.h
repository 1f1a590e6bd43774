// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The answer above all panes, in two rows: the verdict with the next steps as buttons; the stages
// with their times, and the other output types with their verdicts, which choose what is shown.
#include <QAction>
#include <functional>

#include "features/answer/answer_presenter.h"
#include "features/answer/fitted_row.h"
#include "features/stages/stage_presenter.h"
#include "widgets/controls.h"

namespace fxs::ui {

class AnswerStrip final : public QWidget {
  Q_OBJECT
 public:
  /// `actionOf`: an action by its id; null if there is none yet.
  AnswerStrip(Appearance& appearance, AnswerPresenter& answer, StagePresenter& stages,
              std::function<QAction*(const QString&)> actionOf, QWidget* parent = nullptr);
  QString message() const { return message_->fullText(); }
  /// The buttons of the next steps, the first first.
  const std::vector<QToolButton*>& steps() const { return steps_; }
  FittedRow* stages() const { return stageRow_; }
  FittedRow* types() const { return typeRow_; }

 Q_SIGNALS:
  void stageChosen(const fxs::ui::ShownText& stage);
  void typeChosen(const QString& action);

 private:
  void refresh();
  void refreshSteps();
  void refreshStages();
  void refreshTypes();
  Appearance& appearance_;
  AnswerPresenter& answer_;
  StagePresenter& stagePresenter_;
  std::function<QAction*(const QString&)> actionOf_;
  QLabel *sign_, *also_;
  ElidedLabel* message_;
  QHBoxLayout* buttons_;
  std::vector<QToolButton*> steps_;
  std::vector<AnswerStep> shownSteps_;
  FittedRow *stageRow_, *typeRow_;
};

}  // namespace fxs::ui
