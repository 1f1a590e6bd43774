// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/numbers/set_results_model.h"

#include <algorithm>
#include <tuple>

#include "compare/finding.h"
#include "features/numbers/numbers_model.h"

namespace fxs::ui {
namespace {

constexpr int kExact = 9;  ///< digits that distinguish any two numbers of float32
constexpr int kShort = 3;
constexpr int kRight = Qt::AlignRight | Qt::AlignVCenter;

/// The difference of a result; null if it was not compared.
const tensor::Difference* differenceOf(const compare::ResultComparison* result) {
  return result && result->compared ? &result->difference : nullptr;
}

}  // namespace

void SetResultsModel::show(const ComparedTarget* target, std::optional<std::size_t> inputs) {
  beginResetModel();
  comparison_ = target ? target->comparison : nullptr;
  rows_.clear();
  if (target && inputs)
    for (const compare::Run& run : target->target->runs) {
      if (run.inputs != *inputs) continue;
      if (run.results.empty()) rows_.push_back({&run, nullptr});
      for (const compare::ResultComparison& result : run.results) rows_.push_back({&run, &result});
    }
  // By result, so that what the executors say of it stands together.
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
    const auto position = [](const Row& row) {
      return row.result ? row.result - row.run->results.data() : -1;
    };
    return position(a) < position(b);
  });
  endResetModel();
}

QModelIndex SetResultsModel::worst() const {
  const auto badness = [](const Row& row) {
    const bool compared = row.result && row.result->compared;
    return std::tuple(compared ? static_cast<int>(row.result->difference.verdict) : -1,
                      compared ? row.result->difference.units : 0.0);
  };
  const auto found = std::max_element(rows_.begin(), rows_.end(), [&](const Row& a, const Row& b) {
    return badness(a) < badness(b);
  });
  return found == rows_.end() ? QModelIndex() : index(static_cast<int>(found - rows_.begin()), 0);
}

const compare::ResultComparison* SetResultsModel::resultAt(const QModelIndex& index) const {
  return index.isValid() && index.row() < rowCount()
             ? rows_[static_cast<std::size_t>(index.row())].result
             : nullptr;
}

QString SetResultsModel::titleOf(const QModelIndex& index) const {
  const compare::ResultComparison* result = resultAt(index);
  if (!result) return {};
  return QString("%1 by %2: %3")
      .arg(text(result->name), text(rows_[static_cast<std::size_t>(index.row())].run->executor),
           text(result->type));
}

int SetResultsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

std::optional<tensor::Verdict> SetResultsModel::verdictOf(const Row& row) {
  if (!row.result) return compare::findingOf(*row.run).verdict;
  const tensor::Difference* difference = differenceOf(row.result);
  return difference ? std::optional(difference->verdict) : std::nullopt;
}

QString SetResultsModel::verdictText(const Row& row) {
  if (!row.result) return text(compare::findingOf(*row.run).title);
  const tensor::Difference* difference = differenceOf(row.result);
  return difference ? title(difference->verdict) : QString("not compared");
}

QString SetResultsModel::messageOf(const Row& row) {
  if (!row.result) return text(compare::findingOf(*row.run).message);
  const tensor::Difference* difference = differenceOf(row.result);
  return text(difference ? difference->message : row.result->reason);
}

QVariant SetResultsModel::cell(const Row& row, int column) {
  const tensor::Difference* difference = differenceOf(row.result);
  switch (column) {
    case Name: return row.result ? text(row.result->name) : QString("–");
    case Executor: return text(row.run->executor);
    case Verdict: return verdictText(row);
    case Error: return difference ? errorText(*difference) : QString();
    case Difference: return messageOf(row);
    default: return {};
  }
}

QVariant SetResultsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  const tensor::Difference* difference = differenceOf(row.result);
  switch (role) {
    case Qt::DisplayRole: return cell(row, index.column());
    case Qt::ToolTipRole: return QStringList{titleOf(index), messageOf(row)}.join('\n').trimmed();
    case kVerdictRole: return static_cast<int>(verdictOf(row).value_or(tensor::Verdict::Same));
    case kComparedRole: return verdictOf(row).has_value();
    case kErrorRole: return difference ? errorFraction(*difference) : -1.0;
    case kNumbersNodeRole: return idOf(row.result ? row.result->node : row.run->node);
    default: return {};
  }
}

void ElementsModel::show(std::vector<tensor::Element> elements) {
  beginResetModel();
  elements_ = std::move(elements);
  endResetModel();
}

int ElementsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(elements_.size());
}

QVariant ElementsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  return role == Qt::TextAlignmentRole && section != Index
             ? QVariant(kRight)
             : TitledModel::headerData(section, orientation, role);
}

QVariant ElementsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  if (role == Qt::TextAlignmentRole && index.column() != Index) return kRight;
  if (role != Qt::DisplayRole) return {};
  const tensor::Element& element = elements_[static_cast<std::size_t>(index.row())];
  switch (index.column()) {
    case Index: {
      QStringList position;
      for (const std::int64_t each : element.index) position << QString::number(each);
      return "[" + position.join(", ") + "]";
    }
    case Found: return QString::number(element.found, 'g', kExact);
    case Expected: return QString::number(element.expected, 'g', kExact);
    case Error: return QString::number(element.found - element.expected, 'g', kShort);
    default: return {};
  }
}

}  // namespace fxs::ui
