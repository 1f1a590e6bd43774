// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/lit/lit_runs_model.h"

namespace fxs::ui {
namespace {

QString cellOf(const LitRow& row, int column) {
  switch (column) {
    case LitRunsModel::Line: return QString::number(row.line);
    case LitRunsModel::Outcome:
      return row.message.isEmpty() ? statusText(row.mark)
                                   : statusText(row.mark) + ": " + row.message;
    case LitRunsModel::Command: return row.text;
    default: return {};
  }
}

}  // namespace

void LitRunsModel::setRows(const std::vector<LitRow>& rows) {
  // Outcomes come one by one: the selection stays.
  if (rows.size() == rows_.size() && !rows.empty()) {
    rows_ = rows;
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    return;
  }
  beginResetModel();
  rows_ = rows;
  endResetModel();
}

int LitRunsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant LitRunsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const LitRow& row = rows_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: return cellOf(row, index.column());
    case Qt::ToolTipRole:
      return QStringList{row.text, "Programs: " + row.programs, cellOf(row, Outcome)}.join('\n');
    case kMarkRole: return static_cast<int>(row.mark);
    default: return {};
  }
}

}  // namespace fxs::ui
