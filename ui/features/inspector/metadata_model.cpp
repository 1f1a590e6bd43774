#include "features/inspector/metadata_model.h"

namespace fxs::ui {

void MetadataModel::setRows(std::vector<MetadataRow> rows) {
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

int MetadataModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(rows_.size()); }
int MetadataModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant MetadataModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const MetadataRow& row = rows_[static_cast<std::size_t>(index.row())];
  const QString* const cells[] = {&row.key, &row.before, &row.after, &row.rule};
  if (role == Qt::DisplayRole) return index.column() == RuleColumn && row.rule.isEmpty() ? QString("–") : *cells[index.column()];
  if (role == Qt::ToolTipRole)
    return index.column() == RuleColumn && !row.reason.isEmpty() ? row.rule + ": " + row.reason : *cells[index.column()];
  if (role == kChangedRole) return row.changed;
  return {};
}

QVariant MetadataModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  constexpr const char* kTitles[] = {"Key", "As found", "Normalized", "Rule"};
  return section < ColumnCount ? QString(kTitles[section]) : QVariant();
}

}  // namespace fxs::ui
