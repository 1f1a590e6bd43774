#pragma once
// What became of the selected node, pass by pass: asked of the trace by a job whenever another node is selected.
#include <QObject>
#include <QString>
#include <vector>

#include "features/passes/pass_presenter.h"

namespace fxs::ui {

struct HistoryRow {
  int pass = -1;  ///< -1: the import
  QString title;  ///< "12 · canonicalize"
  QString name;   ///< of the pass
  QString stage;
  QString what;  ///< "torch.aten.softmax.int became linalg.generic x4, tensor.empty"
};

class HistoryPresenter final : public QObject {
  Q_OBJECT
 public:
  HistoryPresenter(PassPresenter& passes, JobQueue& jobs, QObject* parent = nullptr);
  void show(fx::NodeId node);
  const std::vector<HistoryRow>& rows() const { return rows_; }
  /// Why there are no rows; "" when there are.
  QString emptyText() const;
  bool busy() const { return busy_; }

 Q_SIGNALS:
  void changed();

 private:
  void refresh();
  PassPresenter& passes_;
  JobQueue& jobs_;
  fx::NodeId node_;
  trace::TracePtr trace_;  ///< that rows_ are of
  std::vector<HistoryRow> rows_;
  QString problem_;
  bool busy_ = false;
};

}  // namespace fxs::ui
