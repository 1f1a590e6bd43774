// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/coverage/coverage_model.h"

#include <algorithm>

#include "text/words.h"

namespace fxs::ui {
namespace {

QString standingBy(const CoverageRow& row) {
  return row.by.isEmpty() ? row.standing : row.standing + " by " + row.by;
}

}  // namespace

void CoverageModel::setLowering(const AlternativeLoweringPtr& lowering) {
  if (lowering == lowering_) return;
  beginResetModel();
  lowering_ = lowering;
  rows_.clear();
  if (lowering) {
    // Leave out placeholders, getitems and the output, which need no op class.
    for (const CoverageRow& row : lowering->rows)
      if (row.status != CoverageRow::Status::Structural) rows_.push_back(&row);
    std::stable_partition(rows_.begin(), rows_.end(), [](const CoverageRow* row) {
      return row->status == CoverageRow::Status::NotLowered;
    });
  }
  endResetModel();
}

QModelIndex CoverageModel::indexOf(fx::NodeId node) const {
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i]->node == node) return index(static_cast<int>(i), 0);
  return {};
}

int CoverageModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QString CoverageModel::cell(const CoverageRow& row, int column) {
  switch (column) {
    case Node: return row.name;
    case Target: return row.target;
    case OpClass: return row.opClass.isEmpty() ? QString("–") : row.opClass;
    case Registry: return row.by.isEmpty() ? row.standing : row.by;
    case Operations: return row.ops ? QString::number(row.ops) : QString();
    case Reason: return row.message;
    default: return {};
  }
}

QVariant CoverageModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const CoverageRow& row = coverage(index.row());
  switch (role) {
    case Qt::DisplayRole: return cell(row, index.column());
    case Qt::ToolTipRole:
      return QString("%1  %2\n%3%4")
          .arg(row.name, row.target, standingBy(row),
               row.message.isEmpty() ? QString() : "\n" + row.message);
    case Qt::AccessibleTextRole:
      return index.column() == Registry ? standingBy(row) : cell(row, index.column());
    case kStatusRole: return static_cast<int>(row.status);
    case kNodeRole: return row.node.valid() ? static_cast<int>(row.node.index()) : -1;
    case kFilterRole:
      return QStringList{row.name, row.target, row.opClass, row.by, row.standing, row.message}.join(
          '\n');
    default: return {};
  }
}

}  // namespace fxs::ui
