// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Operators of the program as rows, output types as columns: which output type supports which
// operator. Blocked operators come first.
#include <QAbstractTableModel>
#include <vector>

#include "diagnose/diagnosis.h"

namespace fxs::ui {

class SupportModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Operator, Nodes, FirstTarget };
  enum class Support : std::uint8_t { Taken, Blocked, Unknown };
  enum { kSupportRole = Qt::UserRole, kOperatorRole, kTargetRole };
  using QAbstractTableModel::QAbstractTableModel;

  /// Null clears the rows.
  void setDiagnosis(std::shared_ptr<const diagnose::Diagnosis> diagnosis);
  const diagnose::SupportRow& supportRow(int row) const {
    return *rows_[static_cast<std::size_t>(row)];
  }
  /// "tosa supports 27 of 28 operators"; one line per output type.
  QStringList sums() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;
  QVariant headerData(int section, Qt::Orientation, int role) const override;

 private:
  std::shared_ptr<const diagnose::Diagnosis> diagnosis_;
  std::vector<const diagnose::SupportRow*> rows_;
};

}  // namespace fxs::ui
