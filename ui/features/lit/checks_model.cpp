// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/lit/checks_model.h"

#include <algorithm>

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr std::size_t kCellBytes = 200;

QString outcomeText(CheckRow::Outcome outcome) {
  switch (outcome) {
    case CheckRow::Outcome::Waiting: return {};
    case CheckRow::Outcome::Found: return "found";
    case CheckRow::Outcome::Absent: return "not found, as it should be";
    case CheckRow::Outcome::Failed: return "FAILED";
  }
  return {};
}

}  // namespace

void ChecksModel::setResult(const LitResult& result) {
  beginResetModel();
  rows_ = result.checks;
  output_ = result.output;
  endResetModel();
}

int ChecksModel::rowOfOutput(std::uint32_t line) const {
  const auto at = std::find_if(rows_.begin(), rows_.end(), [line](const CheckRow& row) {
    return row.output && row.output->line == line;
  });
  return at == rows_.end() ? -1 : static_cast<int>(at - rows_.begin());
}

int ChecksModel::failedRow() const {
  const auto at = std::find_if(rows_.begin(), rows_.end(), [](const CheckRow& row) {
    return row.outcome == CheckRow::Outcome::Failed;
  });
  return at == rows_.end() ? -1 : static_cast<int>(at - rows_.begin());
}

int ChecksModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QString ChecksModel::outputText(const CheckRow& row) const {
  if (!row.output || !output_ || row.output->line >= output_->lineCount()) return {};
  return QString("%1  %2")
      .arg(row.output->line + 1)
      .arg(text(output_->line(row.output->line).substr(0, kCellBytes)).trimmed());
}

QString ChecksModel::cell(const CheckRow& row, int column) const {
  const bool failed = row.outcome == CheckRow::Outcome::Failed;
  switch (column) {
    case Line: return QString::number(row.line);
    case Check: return row.directive + ": " + row.pattern;
    case Output: {
      const QString output = outputText(row);
      if (output.isEmpty()) return outcomeText(row.outcome);
      return failed ? "FAILED; see " + output : output;
    }
    default: return {};
  }
}

QVariant ChecksModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const CheckRow& row = check(index.row());
  switch (role) {
    case Qt::DisplayRole: return cell(row, index.column());
    case Qt::AccessibleTextRole:
      return index.column() == Check ? cell(row, Check) + ", " + outcomeText(row.outcome)
                                     : cell(row, index.column());
    case Qt::ToolTipRole: return row.message.isEmpty() ? cell(row, index.column()) : row.message;
    case kOutcomeRole: return static_cast<int>(row.outcome);
    default: return {};
  }
}

}  // namespace fxs::ui
