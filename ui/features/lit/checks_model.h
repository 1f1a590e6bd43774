// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The CHECK and expected-* lines of a RUN line as rows: each with the line of the output that it
// matched.
#include "features/lit/lit_state.h"
#include "text/titled_model.h"

namespace fxs::ui {

class ChecksModel final : public TitledModel<QAbstractTableModel> {
  Q_OBJECT
 public:
  enum Column { Line, Check, Output, ColumnCount };
  static constexpr int kOutcomeRole = Qt::UserRole;  ///< int of CheckRow::Outcome
  explicit ChecksModel(QObject* parent = nullptr)
      : TitledModel({"Line", "Check", "Matches"}, parent) {}

  void setResult(const LitResult& result);
  const CheckRow& check(int row) const { return rows_[static_cast<std::size_t>(row)]; }
  /// The row that matched a line of the output, 0-based; -1 if none did.
  int rowOfOutput(std::uint32_t line) const;
  /// The first that failed; -1 if none did.
  int failedRow() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  QString cell(const CheckRow& row, int column) const;
  QString outputText(const CheckRow& row) const;
  std::vector<CheckRow> rows_;
  CodeTextPtr output_;
};

}  // namespace fxs::ui
