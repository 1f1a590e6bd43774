// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The RUN lines of a lit test as rows: its line, the command, and how it ended or why it is not
// run.
#include "features/lit/lit_state.h"
#include "text/titled_model.h"

namespace fxs::ui {

class LitRunsModel final : public TitledModel<QAbstractTableModel> {
  Q_OBJECT
 public:
  enum Column { Line, Outcome, Command, ColumnCount };
  static constexpr int kMarkRole = Qt::UserRole;  ///< int of LitMark
  explicit LitRunsModel(QObject* parent = nullptr)
      : TitledModel({"Line", "Outcome", "Command"}, parent) {}

  void setRows(const std::vector<LitRow>& rows);
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  std::vector<LitRow> rows_;
};

}  // namespace fxs::ui
