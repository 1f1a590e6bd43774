// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The coverage table: which registry lowers which node, and why others are not lowered. Clicking a
// row selects its node.
#include <QComboBox>

#include "features/coverage/coverage_model.h"
#include "session/selection_presenter.h"
#include "widgets/table_page.h"

namespace fxs::ui {

class CoveragePage final : public TablePage {
  Q_OBJECT
 public:
  CoveragePage(Appearance& appearance, SessionPresenter& session,
               AlternativesPresenter& alternatives, SelectionPresenter& selection,
               QWidget* parent = nullptr);
  const CoverageModel& model() const { return model_; }
  /// Shows the emitted module.
  QToolButton* textButton() const { return text_; }
  /// The functions that main calls, and the form of the weights.
  QComboBox* groupsBox() const { return groups_; }
  QComboBox* argumentsBox() const { return arguments_; }

 private:
  void refresh();
  void select(const QModelIndex& index);
  void followSelection();
  void chooseForm();
  SessionPresenter& session_;
  AlternativesPresenter& alternatives_;
  SelectionPresenter& selection_;
  CoverageModel model_;
  QToolButton* text_;
  QComboBox *groups_, *arguments_;
};

}  // namespace fxs::ui
