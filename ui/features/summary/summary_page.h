// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The open program in numbers: its modules or operators as a table that sorts by each column, and
// beside it what holds for all of it. Clicking a row selects the module, or the nodes of the
// operator.
#include <QScrollArea>

#include "features/summary/summary_model.h"
#include "features/summary/summary_presenter.h"
#include "widgets/table_page.h"

namespace fxs::ui {

class SummaryPage final : public TablePage {
  Q_OBJECT
 public:
  SummaryPage(Appearance& appearance, SummaryPresenter& summary, SessionPresenter& session,
              SelectionPresenter& selection, QWidget* parent = nullptr);
  const SummaryModel& model() const { return model_; }
  /// Chooses between modules and operators.
  QComboBox* rowsBox() const { return rows_; }
  /// "Parameters\n124,439,808 (124.4 M) ..".
  QString factsText() const;

 private:
  void refresh();
  void showRows();
  void showFacts();
  void select(const QModelIndex& shown);
  void follow();

  Appearance& appearance_;
  SummaryPresenter& summary_;
  SessionPresenter& session_;
  SelectionPresenter& selection_;
  SummaryModel model_;
  QComboBox* rows_;
  QScrollArea* facts_;
  std::shared_ptr<const report::SummaryReport> shown_;
};

}  // namespace fxs::ui
