// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Nodes as rows: which registry lowered each, or why none did. Nodes that are not lowered come
// first.
#include "features/coverage/alternatives_presenter.h"
#include "text/titled_model.h"

namespace fxs::ui {

class CoverageModel final : public TitledModel<QAbstractTableModel> {
  Q_OBJECT
 public:
  enum Column { Node, Target, OpClass, Registry, Operations, Reason, ColumnCount };
  enum { kStatusRole = Qt::UserRole, kNodeRole, kFilterRole };
  explicit CoverageModel(QObject* parent = nullptr)
      : TitledModel({"Node", "Operator", "Op class", "Registry", "MLIR ops", "Reason"}, parent) {}

  /// Null clears the rows.
  void setLowering(const AlternativeLoweringPtr& lowering);
  const CoverageRow& coverage(int row) const { return *rows_[static_cast<std::size_t>(row)]; }
  QStringList sums() const { return lowering_ ? lowering_->sums : QStringList(); }
  QModelIndex indexOf(fx::NodeId node) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  static QString cell(const CoverageRow&, int column);
  AlternativeLoweringPtr lowering_;
  std::vector<const CoverageRow*> rows_;
};

}  // namespace fxs::ui
