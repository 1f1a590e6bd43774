// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The open program in numbers: what holds for all of it, or its modules or operators as a table
// that sorts by each column, beside which the former is where the page is wide. Clicking a row
// selects the module, or the nodes of the operator.
#include <QScrollArea>
#include <array>

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
  enum Shown : std::uint8_t { Program, Modules, Operators };
  QComboBox* shownBox() const { return box_; }
  Shown shown() const { return static_cast<Shown>(box_->currentIndex()); }
  /// "Parameters\n124,439,808 (124.4 M) ..".
  QString factsText() const;
  int heightForWidth(int width) const override;

 protected:
  void resizeEvent(QResizeEvent*) override;

 private:
  void refresh();
  void showRows();
  void showFacts();
  void arrange();
  void showColumns(int space);
  void select(const QModelIndex& shown);
  void follow();

  Appearance& appearance_;
  SummaryPresenter& summary_;
  SessionPresenter& session_;
  SelectionPresenter& selection_;
  SummaryModel model_;
  QComboBox* box_;
  QScrollArea* facts_;
  std::shared_ptr<const report::SummaryReport> report_;
  std::array<bool, 4> columns_{};  ///< as showColumns() chose them
};

}  // namespace fxs::ui
