// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The modules of a program as rows, or its operators: how much each is of the program.
#include <memory>

#include "report/summary.h"
#include "text/titled_model.h"

namespace fxs::ui {

enum class SummaryRows : std::uint8_t { Modules, Operators };

class SummaryModel final : public TitledModel<QAbstractTableModel> {
  Q_OBJECT
 public:
  enum Column { Name, Class, Calls, Parameters, Bytes, Flops, Share, ColumnCount };
  enum { kSortRole = Qt::UserRole, kFilterRole };
  explicit SummaryModel(QObject* parent = nullptr)
      : TitledModel({"Name", "Class", "Calls", "Parameters", "Bytes", "FLOPs", "Share"}, parent) {}

  /// Null clears the rows.
  void show(std::shared_ptr<const report::SummaryReport> report, SummaryRows rows);
  SummaryRows rows() const { return rows_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  const std::optional<summary::FlopTotal>& flopsAt(std::size_t row) const;
  QString cell(std::size_t row, int column) const;
  QVariant sortKey(std::size_t row, int column) const;
  std::shared_ptr<const report::SummaryReport> report_;
  SummaryRows rows_ = SummaryRows::Modules;
};

}  // namespace fxs::ui
