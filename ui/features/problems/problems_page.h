#pragma once
// What is wrong, by operation: why, how many nodes, which output types, what helps. Above the list what the diagnosis says of the
// program and does, and what can be done about it; with nothing wrong, what was checked.
#include "features/problems/problems_model.h"
#include "features/problems/problems_presenter.h"
#include "session/selection_presenter.h"
#include "widgets/table_page.h"

namespace fxs::ui {

class ProblemsPage final : public TablePage {
  Q_OBJECT
 public:
  ProblemsPage(Appearance& appearance, ProblemsPresenter& problems, DiagnosisPresenter& diagnosis, SelectionPresenter& selection,
               QWidget* parent = nullptr);
  const ProblemsModel& model() const { return model_; }
  QToolButton* diagnoseButton() const { return diagnose_; }
  QToolButton* surveyButton() const { return survey_; }
  /// The next operation of the list after the one selected, or the one before; around the ends.
  void step(int direction);
  /// Its nodes everywhere.
  void select(const QModelIndex& index);
  /// A button for it at the right end of the line over the list.
  void addToBar(QAction* action);

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
  bool quiet_ = false;
};

}  // namespace fxs::ui
