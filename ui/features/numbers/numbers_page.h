#pragma once
// The numbers page: output types with what was computed for each result, and beside them the inner nodes of the chosen output type, if any
// were compared. Clicking a row selects its node.
#include "features/numbers/numbers_model.h"
#include "session/selection_presenter.h"
#include "widgets/table_page.h"

namespace fxs::ui {

class NumbersPage final : public TablePage {
  Q_OBJECT
 public:
  NumbersPage(Appearance& appearance, NumbersPresenter& numbers, SelectionPresenter& selection, QWidget* parent = nullptr);
  QToolButton* compareButton() const { return compare_; }
  QToolButton* allButton() const { return all_; }
  /// Shown for a wrong result.
  QToolButton* bundleButton() const { return bundle_; }
  /// What to compare with: other lowering paths, PyTorch, or another Python.
  QComboBox* reference() const { return reference_; }
  /// The inner nodes; hidden if none were compared.
  QTreeView* nodes() const { return nodes_; }
  const ResultsModel& results() const { return results_; }
  /// Shows the nodes of an output type.
  void showTarget(const lower::OutputType&);

 private:
  void refresh();
  void refreshBar();
  void refreshReference();
  void chooseReference(int index);
  void showNodes();
  void select(const QModelIndex&);
  void followSelection();
  NumbersPresenter& numbers_;
  SelectionPresenter& selection_;
  ResultsModel results_;
  ComparedNodesModel inner_;
  QTreeView* nodes_;
  QComboBox* reference_;
  QProgressBar* progress_;
  QToolButton *compare_, *all_, *bundle_;
};

}  // namespace fxs::ui
