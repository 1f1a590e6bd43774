// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The page with the tree of variants. A row is shown beside the original; Enter names it, Del drops
// it.
#include "features/variants/variants_model.h"
#include "widgets/table_page.h"

namespace fxs::ui {

class VariantsPage final : public TablePage {
  Q_OBJECT
 public:
  VariantsPage(Appearance& appearance, VariantsPresenter& variants, QWidget* parent = nullptr);
  const VariantsModel& model() const { return model_; }
  QToolButton* passesButton() const { return passes_; }
  QToolButton* exportButton() const { return export_; }
  QToolButton* dropButton() const { return drop_; }
  /// Of the current row; -1 for none.
  int currentId() const;
  void renameCurrent();
  void dropCurrent();

 Q_SIGNALS:
  void nameRefused(const QString& name);

 private:
  void refresh();
  void refreshState();
  VariantsPresenter& variants_;
  VariantsModel model_;
  QToolButton *passes_, *export_, *rename_, *drop_;
};

}  // namespace fxs::ui
