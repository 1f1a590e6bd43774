// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The page with the layers: which one colours the graph, and the values of all of them. A row
// selects its node.
#include <QComboBox>

#include "features/layers/layers_model.h"
#include "features/layers/layers_presenter.h"
#include "session/selection_presenter.h"
#include "widgets/table_page.h"

namespace fxs::ui {

class LayersPage final : public TablePage {
  Q_OBJECT
 public:
  LayersPage(Appearance& appearance, LayersPresenter& layers, SessionPresenter& session,
             SelectionPresenter& selection, QWidget* parent = nullptr);
  const LayersModel& model() const { return model_; }
  QComboBox* choice() const { return choice_; }
  QToolButton* openButton() const { return open_; }
  QToolButton* closeButton() const { return close_; }

 Q_SIGNALS:
  /// The user chose the layer that colours the graph.
  void colourRequested();

 private:
  void refresh();
  void refreshState();
  LayersPresenter& layers_;
  SessionPresenter& session_;
  LayersModel model_;
  QComboBox* choice_;
  QToolButton *open_, *close_;
};

}  // namespace fxs::ui
