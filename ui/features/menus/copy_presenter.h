// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the context menus copy of the selection; "" where there is nothing to copy.
#include <QString>

#include "features/graph/graphs_presenter.h"
#include "features/inspector/node_presenter.h"
#include "features/stages/stage_presenter.h"
#include "session/selection_presenter.h"

namespace fxs::ui {

class CopyPresenter {
 public:
  explicit CopyPresenter(Services& services);

  /// Of the node, or the path of the module.
  QString name() const;
  /// "model.py:12"
  QString pythonLocation() const;
  /// The lines of the node or module in the text that was clicked, else in the RAW import.
  QString mlir() const;

 private:
  SelectionPresenter& selection_;
  NodePresenter& node_;
  GraphPresenter& graph_;
  StagePresenter& stages_;
};

}  // namespace fxs::ui
