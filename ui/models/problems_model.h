#pragma once
// The findings as rows: where, at which stage, what.
#include <QAbstractTableModel>
#include <vector>

#include "fx/finding.h"

namespace fxs::ui {

class ProblemsModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Message, NodeColumn, StageColumn, Count, ColumnCount };
  static constexpr int kSeverityRole = Qt::UserRole;  ///< int of fx::Severity
  using QAbstractTableModel::QAbstractTableModel;

  void setFindings(std::vector<fx::Finding> findings);
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;
  QVariant headerData(int section, Qt::Orientation, int role) const override;

 private:
  std::vector<fx::Finding> findings_;
};

}  // namespace fxs::ui
