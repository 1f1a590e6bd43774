// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The numbers page: output types and the sets of inputs that each was run with, and beside them
// what the chosen one found (numbers_detail.h). Clicking a row selects its node.
#include "features/numbers/numbers_detail.h"
#include "features/numbers/sets_model.h"
#include "session/selection_presenter.h"
#include "widgets/table_page.h"

namespace fxs::ui {

class NumbersPage final : public TablePage {
  Q_OBJECT
 public:
  NumbersPage(Appearance& appearance, NumbersPresenter& numbers, SelectionPresenter& selection,
              QWidget* parent = nullptr);
  QToolButton* compareButton() const { return compare_; }
  QToolButton* allButton() const { return all_; }
  /// Shown for a wrong result.
  QToolButton* bundleButton() const { return bundle_; }
  /// What to compare with: other lowering paths, PyTorch, or another Python.
  QComboBox* reference() const { return reference_; }
  NumbersDetail* detail() const { return detail_; }
  const SetsModel& sets() const { return sets_; }
  /// Shows the inner nodes of an output type.
  void showTarget(const lower::OutputType&);
  /// Asks for the program of a Python with PyTorch to compare with.
  void choosePython();

 private:
  void refresh();
  void refreshBar();
  QString summaryText() const;
  void refreshReference();
  void chooseReference(int index);
  void chooseRow();
  void fitSets();
  bool hasFilter() const;
  void showDetail();
  void select(const QModelIndex&);
  void followSelection();
  NumbersPresenter& numbers_;
  SelectionPresenter& selection_;
  SetsModel sets_;
  NumbersDetail* detail_;
  bool differs_ = false;  ///< it is known where values begin to differ
  QComboBox* reference_;
  QProgressBar* progress_;
  QToolButton *compare_, *all_, *bundle_;
};

}  // namespace fxs::ui
