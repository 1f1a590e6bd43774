// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The support table: which operators of the program each output type supports. Clicking a cell
// selects its nodes. Below it, what was measured of the selected node's operator with all element
// types.
#include "features/problems/problems_presenter.h"
#include "features/support/measured_presenter.h"
#include "features/support/support_model.h"
#include "session/selection_presenter.h"
#include "widgets/table_page.h"

namespace fxs::ui {

class SupportPage final : public TablePage {
  Q_OBJECT
 public:
  SupportPage(Appearance& appearance, SessionPresenter& session, ProblemsPresenter& problems,
              DiagnosisPresenter& diagnosis, SelectionPresenter& selection,
              MeasuredPresenter& measured, QWidget* parent = nullptr);
  const SupportModel& model() const { return model_; }
  /// In the bar; hidden while the table is empty.
  QToolButton* surveyButton() const { return survey_; }
  QString measuredStatement() const { return statement_->fullText(); }
  QTreeView* measuredView() const { return measuredView_; }

 private:
  void refresh();
  void refreshState();
  void refreshMeasured();
  void select(const QModelIndex& index);
  SessionPresenter& session_;
  ProblemsPresenter& problems_;
  DiagnosisPresenter& diagnosis_;
  SelectionPresenter& selection_;
  MeasuredPresenter& measured_;
  SupportModel model_;
  QToolButton* survey_;
  QWidget* beside_;  ///< statement and table of the selected operator
  ElidedLabel* statement_;
  QTreeView* measuredView_;
};

}  // namespace fxs::ui
