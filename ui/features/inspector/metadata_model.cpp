// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/inspector/metadata_model.h"

namespace fxs::ui {

void MetadataModel::setRows(std::vector<MetadataRow> rows) {
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

int MetadataModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant MetadataModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const MetadataRow& row = rows_[static_cast<std::size_t>(index.row())];
  const QString* const cells[] = {&row.key, &row.before, &row.after, &row.rule};
  if (role == Qt::DisplayRole)
    return index.column() == RuleColumn && row.rule.isEmpty() ? QString("–")
                                                              : *cells[index.column()];
  if (role == Qt::ToolTipRole)
    return index.column() == RuleColumn && !row.reason.isEmpty() ? row.rule + ": " + row.reason
                                                                 : *cells[index.column()];
  if (role == kChangedRole) return row.changed;
  return {};
}

}  // namespace fxs::ui
