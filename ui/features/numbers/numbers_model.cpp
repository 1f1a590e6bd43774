// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/numbers/numbers_model.h"

namespace fxs::ui {
void ComparedNodesModel::setTarget(const ComparedTarget* target) {
  const compare::TargetComparison* to = target ? target->target : nullptr;
  if (to == target_) return;
  beginResetModel();
  target_ = to;
  comparison_ = target ? target->comparison : nullptr;
  endResetModel();
}

QModelIndex ComparedNodesModel::indexOf(fx::NodeId node) const {
  for (int row = 0; row < rowCount(); ++row)
    if (target_->nodes[static_cast<std::size_t>(row)].node == node) return index(row, 0);
  return {};
}

int ComparedNodesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !target_ ? 0 : static_cast<int>(target_->nodes.size());
}

bool ComparedNodesModel::isFirst(const compare::NodeComparison& row) const {
  return target_->first && target_->first->node == row.node;
}

QString ComparedNodesModel::differenceText(const compare::NodeComparison& row) const {
  return (isFirst(row) ? "first difference  ·  " : "") + text(row.difference.message);
}

QVariant ComparedNodesModel::cell(const compare::NodeComparison& row, int column) const {
  switch (column) {
    case Node: return numbers_.nameOf(row.node);
    case Operator: return numbers_.operatorOf(row.node);
    case Verdict: return title(row.difference.verdict);
    case Error: return errorText(row.difference);
    case Operands:
      return row.inputUnits > 0 ? QString::number(row.inputUnits, 'g', 3) + " eps" : QString("–");
    case Difference: return differenceText(row);
    default: return {};
  }
}

QVariant ComparedNodesModel::sortKey(const compare::NodeComparison& row, int column) const {
  switch (column) {
    case Verdict: return static_cast<int>(row.difference.verdict);
    case Error: return errorFraction(row.difference);
    case Operands: return row.inputUnits;
    default: return cell(row, column);
  }
}

QVariant ComparedNodesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const compare::NodeComparison& row = target_->nodes[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole: return cell(row, index.column());
    case Qt::ToolTipRole:
      return QStringList{numbers_.nameOf(row.node) + "  " + numbers_.operatorOf(row.node),
                         differenceText(row)}
          .join('\n');
    case kVerdictRole: return static_cast<int>(row.difference.verdict);
    case kComparedRole: return true;
    case kErrorRole: return errorFraction(row.difference);
    case kNumbersNodeRole: return idOf(row.node);
    case kFirstRole: return isFirst(row);
    case kSortRole: return sortKey(row, index.column());
    case kNumbersFilterRole:
      return QStringList{numbers_.nameOf(row.node), numbers_.operatorOf(row.node),
                         differenceText(row)}
          .join('\n');
    default: return {};
  }
}

}  // namespace fxs::ui
