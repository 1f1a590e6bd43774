// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/support/support_model.h"

#include <algorithm>

#include "text/words.h"

namespace fxs::ui {
namespace {

using SupportCell = diagnose::SupportRow::Cell;

SupportModel::Support standingOf(const SupportCell& cell) {
  if (cell.blocked) return SupportModel::Support::Blocked;
  return cell.known ? SupportModel::Support::Taken : SupportModel::Support::Unknown;
}

bool blocks(const diagnose::SupportRow& row) {
  return std::any_of(row.cells.begin(), row.cells.end(),
                     [](const SupportCell& cell) { return cell.blocked > 0; });
}

std::size_t countOf(const diagnose::SupportRow& row) {
  std::size_t count = 0;
  for (const SupportCell& cell : row.cells) count = std::max(count, cell.count);
  return count;
}

QString cellText(const SupportCell& cell) {
  if (cell.blocked == 0) return cell.known ? "supported" : "unknown";
  const QString which = cell.blocked == cell.count
                            ? QString("blocked")
                            : QString("%1 of %2 blocked").arg(cell.blocked).arg(cell.count);
  return cell.known ? which : which + ", rest unknown";
}

}  // namespace

void SupportModel::setDiagnosis(std::shared_ptr<const diagnose::Diagnosis> diagnosis) {
  beginResetModel();
  diagnosis_ = std::move(diagnosis);
  rows_.clear();
  if (diagnosis_) {
    for (const diagnose::SupportRow& row : diagnosis_->support)
      if (row.cells.size() >= diagnosis_->targets.size()) rows_.push_back(&row);
    std::stable_partition(rows_.begin(), rows_.end(),
                          [](const diagnose::SupportRow* row) { return blocks(*row); });
  }
  endResetModel();
}

QStringList SupportModel::sums() const {
  QStringList lines;
  if (!diagnosis_) return lines;
  for (std::size_t i = 0; i < diagnosis_->targets.size(); ++i) {
    const auto count = [&](Support standing) {
      return std::count_if(rows_.begin(), rows_.end(), [&](const diagnose::SupportRow* row) {
        return standingOf(row->cells[i]) == standing;
      });
    };
    QString line = QString("%1 supports %2 of %3")
                       .arg(text(lower::name(diagnosis_->targets[i].target)))
                       .arg(count(Support::Taken))
                       .arg(counted(rows_.size(), "operator"));
    if (const auto unknown = count(Support::Unknown)) line += QString(", %1 unknown").arg(unknown);
    lines << line;
  }
  return lines;
}

int SupportModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int SupportModel::columnCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  return FirstTarget + (diagnosis_ ? static_cast<int>(diagnosis_->targets.size()) : 0);
}

QVariant SupportModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const diagnose::SupportRow& row = supportRow(index.row());
  if (role == kOperatorRole) return text(row.fxTarget);
  if (index.column() < FirstTarget) {
    if (role == Qt::DisplayRole)
      return index.column() == Operator ? text(row.fxTarget) : QString::number(countOf(row));
    if (role == Qt::ToolTipRole) return text(row.fxTarget);
    if (role == kSupportRole)
      return static_cast<int>(blocks(row) ? Support::Blocked : Support::Taken);
    return {};
  }
  const auto at = static_cast<std::size_t>(index.column() - FirstTarget);
  const QString target = text(lower::name(diagnosis_->targets[at].target));
  switch (role) {
    case Qt::DisplayRole: return cellText(row.cells[at]);
    case kSupportRole: return static_cast<int>(standingOf(row.cells[at]));
    case kTargetRole: return target;
    case Qt::AccessibleTextRole:
    case Qt::ToolTipRole:
      return QString("%1, %2: %3; %4")
          .arg(text(row.fxTarget), target, cellText(row.cells[at]),
               counted(row.cells[at].count, "node"));
    default: return {};
  }
}

QVariant SupportModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const bool isText = role == Qt::DisplayRole || role == Qt::ToolTipRole;
  if (orientation != Qt::Horizontal || !isText || section >= columnCount()) return {};
  if (section == Operator) return QString("Operator");
  if (section == Nodes) return QString("Nodes");
  return text(
      lower::name(diagnosis_->targets[static_cast<std::size_t>(section - FirstTarget)].target));
}

}  // namespace fxs::ui
