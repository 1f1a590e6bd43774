// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How each pass changed the operations of the selected node. Computed from the trace in a job
// whenever the selection changes.
#include <QObject>
#include <QString>
#include <vector>

#include "features/passes/pass_presenter.h"
#include "session/selection_presenter.h"
#include "trace/history.h"

namespace fxs::ui {

struct HistoryRow {
  int pass = -1;  ///< -1: the import
  QString title;  ///< "12 · canonicalize"
  QString name;   ///< "canonicalize"
  QString stage;
  QString change;  ///< "torch.aten.softmax.int became linalg.generic x4, tensor.empty"
};

class HistoryPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit HistoryPresenter(Services& services);
  void show(fx::NodeId node);
  const std::vector<HistoryRow>& rows() const { return rows_; }
  /// Why rows() is empty; "" if it is not.
  QString emptyText() const;
  bool busy() const { return searching_.running(); }

 Q_SIGNALS:
  void changed();

 private:
  void refresh();
  void take(const std::vector<trace::HistoryEntry>& entries);
  PassPresenter& passes_;
  fx::NodeId node_;
  trace::TracePtr trace_;  ///< source of rows_
  std::vector<HistoryRow> rows_;
  Task<Result<std::vector<trace::HistoryEntry>>> searching_;
};

}  // namespace fxs::ui
