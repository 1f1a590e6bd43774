#pragma once
// The support table: which operators of the program each output type supports. Clicking a cell selects its nodes.
#include "features/problems/problems_presenter.h"
#include "features/support/support_model.h"
#include "session/selection_presenter.h"
#include "widgets/table_page.h"

namespace fxs::ui {

class SupportPage final : public TablePage {
  Q_OBJECT
 public:
  SupportPage(Appearance& appearance, SessionPresenter& session, ProblemsPresenter& problems, DiagnosisPresenter& diagnosis,
              SelectionPresenter& selection, QWidget* parent = nullptr);
  const SupportModel& model() const { return model_; }
  /// In the bar; hidden while the table is empty.
  QToolButton* surveyButton() const { return survey_; }

 private:
  void refresh();
  void refreshState();
  void select(const QModelIndex& index);
  SessionPresenter& session_;
  ProblemsPresenter& problems_;
  DiagnosisPresenter& diagnosis_;
  SelectionPresenter& selection_;
  SupportModel model_;
  QToolButton* survey_;
};

}  // namespace fxs::ui
