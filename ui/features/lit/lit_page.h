// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The RUN lines of a lit test, and what the chosen one did.
#include "features/lit/lit_detail.h"
#include "features/lit/lit_presenter.h"
#include "features/lit/lit_runs_model.h"
#include "widgets/table_page.h"

namespace fxs::ui {

class LitPage final : public TablePage {
  Q_OBJECT
 public:
  LitPage(Appearance& appearance, LitPresenter& lit, QWidget* parent);
  LitDetail* detail() const { return detail_; }
  const LitRunsModel& model() const { return model_; }
  QToolButton* runAllButton() const { return all_; }
  QToolButton* runButton() const { return one_; }
  QToolButton* lowerButton() const { return lower_; }

 private:
  void refresh();
  void refreshBar();
  LitPresenter& lit_;
  LitRunsModel model_;
  LitDetail* detail_;
  QProgressBar* progress_;
  QToolButton *all_, *one_, *lower_;
};

}  // namespace fxs::ui
