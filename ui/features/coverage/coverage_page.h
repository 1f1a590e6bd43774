// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The coverage table: which registry lowers which node, and why others are not lowered. Clicking a
// row selects its node.
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
  /// Its menu has what the registries write.
  QToolButton* optionsButton() const { return options_; }

 private:
  void refresh();
  void select(const QModelIndex& index);
  void followSelection();
  template <class Choice>
  void addChoices(std::initializer_list<std::pair<const char*, Choice>> choices,
                  Choice RegistryForm::* part);
  SessionPresenter& session_;
  AlternativesPresenter& alternatives_;
  SelectionPresenter& selection_;
  CoverageModel model_;
  QToolButton *options_, *text_;
};

}  // namespace fxs::ui
