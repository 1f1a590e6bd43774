// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The problems page: blocked operations and findings, with class, node count, output types and
// fixes. The bar above shows the state of the diagnosis and its buttons; without problems, the page
// shows what was checked.
#include "features/problems/problems_model.h"
#include "features/problems/problems_presenter.h"
#include "session/selection_presenter.h"
#include "widgets/table_page.h"

namespace fxs::ui {

class ProblemsPage final : public TablePage {
  Q_OBJECT
 public:
  ProblemsPage(Appearance& appearance, ProblemsPresenter& problems, DiagnosisPresenter& diagnosis,
               SelectionPresenter& selection, QWidget* parent = nullptr);
  const ProblemsModel& model() const { return model_; }
  QToolButton* diagnoseButton() const { return diagnose_; }
  QToolButton* surveyButton() const { return survey_; }
  /// Selects the next (1) or previous (-1) operation, wrapping around.
  void step(int direction);
  /// Selects the nodes of a row.
  void select(const QModelIndex& index);
  /// Adds a button for the action at the right end of the bar.
  QToolButton* addToBar(QAction* action);

 private:
  void refresh();
  void refreshText();
  void follow(const Selection& selection);
  ProblemsPresenter& problems_;
  DiagnosisPresenter& diagnosis_;
  SelectionPresenter& selection_;
  ProblemsModel model_;
  QProgressBar* progress_;
  QToolButton *diagnose_, *survey_;
};

}  // namespace fxs::ui
