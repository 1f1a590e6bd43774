#pragma once
// Nodes as rows: which registry lowered them, or why none did. Those that are not lowered stand first.
#include <QAbstractTableModel>

#include "features/coverage/ways_presenter.h"

namespace fxs::ui {

class CoverageModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Node, Target, OpClass, Registry, Operations, Why, ColumnCount };
  enum { kStatusRole = Qt::UserRole, kNodeRole, kSortRole, kFilterRole };
  using QAbstractTableModel::QAbstractTableModel;

  /// Null: there are no rows.
  void setLowering(const WayLoweringPtr& lowering);
  const CoverageRow& coverage(int row) const { return *rows_[static_cast<std::size_t>(row)]; }
  QStringList sums() const { return lowering_ ? lowering_->sums : QStringList(); }
  QModelIndex indexOf(fx::NodeId node) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;
  QVariant headerData(int section, Qt::Orientation, int role) const override;

 private:
  WayLoweringPtr lowering_;
  std::vector<const CoverageRow*> rows_;
};

}  // namespace fxs::ui
