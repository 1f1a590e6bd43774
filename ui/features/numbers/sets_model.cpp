// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/numbers/sets_model.h"

#include <algorithm>

#include "compare/scope.h"
#include "features/numbers/numbers_model.h"

namespace fxs::ui {
namespace {

/// Kinds of values that the limits of a set do not show.
constexpr compare::Values kBesideLimits{compare::Value::Half, compare::Value::Denormal,
                                        compare::Value::Nan, compare::Value::Infinity,
                                        compare::Value::Equal};

QString descriptionOf(compare::InputSetKind set) {
  switch (set) {
    case compare::InputSetKind::Given: return "the inputs of a file";
    case compare::InputSetKind::Example: return "the example inputs of the program";
    case compare::InputSetKind::Ordinary:
      return "a bell curve with zeros and both signs, small integers, masks with both values";
    case compare::InputSetKind::Steps:
      return "whole numbers and halves with equal elements, masks with rows of one value";
    case compare::InputSetKind::Range:
      return "floats of very different sizes, integers over all of their type, all indices";
    case compare::InputSetKind::Edges:
      return "limits of types and operators, ties of rounding, both ends of indices";
    case compare::InputSetKind::Nonfinite: return "ordinary values with NaN and infinities";
    case compare::InputSetKind::Shifted:
      return "ordinary values, moved so that branches and trips change";
  }
  return {};
}

QString numberText(double value) { return QString::number(value, 'g', 4); }

QString valuesOfInput(const compare::Scope::Tried& tried) {
  QStringList out;
  if (tried.isFullRange) out << "over its range";
  else if (tried.min)
    out << (*tried.min == *tried.max ? numberText(*tried.min)
                                     : numberText(*tried.min) + " to " + numberText(*tried.max));
  if (isFloating(tried.dtype))
    for (const compare::Value value : (tried.values & kBesideLimits).list())
      out << text(compare::title(value));
  return text(tried.input) + " " + out.join(", ");
}

/// Of an output type: never "same" without the inputs for which it holds.
QString reasonOf(const compare::TargetComparison& target, const NumbersPresenter& numbers) {
  if (target.verdict == compare::TargetVerdict::Same && !target.scope.sets.empty())
    return "for " + text(target.scope.message());
  if (!target.fault.empty()) return text(target.fault);
  if (!target.first) return text(target.message);
  const compare::First& first = *target.first;
  const QString pass = first.pass.empty() ? QString() : ", pass " + text(first.pass);
  return QString("first at %1 in %2%3: %4")
      .arg(numbers.nameOf(first.node), text(first.stage), pass, text(first.message));
}

/// The name of a set of inputs, and its verdict.
QVariant inputsRole(const compare::Inputs& inputs, const compare::SetVerdict& judged, int role) {
  switch (role) {
    case Qt::DisplayRole: return text(compare::label(inputs));
    case Qt::ToolTipRole: {
      QStringList lines{text(compare::label(inputs)) + ": " + descriptionOf(inputs.set),
                        title(judged.verdict) +
                            (judged.message.empty() ? QString() : ": " + text(judged.message))};
      for (const std::string& note : inputs.notes) lines << text(note);
      return lines.join('\n');
    }
    case kVerdictRole: return static_cast<int>(severity(judged.verdict));
    case kComparedRole: return judged.verdict != compare::TargetVerdict::NotCompared;
    default: return {};
  }
}

/// What one executor found.
QVariant findingRole(const compare::Finding& finding, int role) {
  switch (role) {
    case Qt::DisplayRole: return text(finding.title);
    case Qt::ToolTipRole:
      return finding.message.empty() ? text(finding.title)
                                     : text(finding.title) + "\n" + text(finding.message);
    case kVerdictRole: return static_cast<int>(finding.verdict.value_or(tensor::Verdict::Same));
    case kComparedRole: return finding.verdict.has_value();
    default: return {};
  }
}

}  // namespace

void SetsModel::refresh() {
  beginResetModel();
  targets_ = numbers_.targets();
  rows_.clear();
  executors_.clear();
  hasSizes_ = false;
  for (const ComparedTarget& each : targets_) {
    std::vector<Row>& rows = rows_.emplace_back();
    for (const auto& [inputs, runs] : compare::runsByInputs(*each.target)) {
      Row& row = rows.emplace_back();
      row.inputs = inputs;
      row.verdict = compare::judgeSet(runs);
      hasSizes_ = hasSizes_ || !runs.front()->sizes.empty();
      for (const compare::Run* run : runs) {
        // A run with checks comes after the one without, and says more.
        row.found[run->executor] = compare::findingOf(*run);
        if (std::find(executors_.begin(), executors_.end(), run->executor) == executors_.end())
          executors_.push_back(run->executor);
      }
    }
  }
  endResetModel();
}

// The internal id is 0 for an output type, else 1 + the row of the output type above.
QModelIndex SetsModel::index(int row, int column, const QModelIndex& parent) const {
  if (row < 0 || row >= rowCount(parent) || column < 0 || column >= columnCount(parent)) return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : 0);
}

QModelIndex SetsModel::parent(const QModelIndex& index) const {
  return index.isValid() && index.internalId()
             ? createIndex(static_cast<int>(index.internalId()) - 1, 0, quintptr{0})
             : QModelIndex();
}

int SetsModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(targets_.size());
  if (parent.internalId() || parent.column() > 0) return 0;
  return static_cast<int>(rows_[static_cast<std::size_t>(parent.row())].size());
}

int SetsModel::columnCount(const QModelIndex&) const { return executors() + (hasSizes_ ? 3 : 2); }

QVariant SetsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole) ||
      section < 0)
    return {};
  if (section == 0) return QString("Inputs");
  if (section <= executors()) return text(executors_[static_cast<std::size_t>(section) - 1]);
  return section == columnCount() - 1 ? QString("Values") : QString("Sizes");
}

const ComparedTarget* SetsModel::targetAt(const QModelIndex& index) const {
  if (!index.isValid()) return nullptr;
  const auto row = index.internalId() ? static_cast<std::size_t>(index.internalId()) - 1
                                      : static_cast<std::size_t>(index.row());
  return row < targets_.size() ? &targets_[row] : nullptr;
}

std::optional<std::size_t> SetsModel::inputsAt(const QModelIndex& index) const {
  const ComparedTarget* target = targetAt(index);
  if (target == nullptr || target->target->runs.empty()) return std::nullopt;
  if (!index.internalId()) return compare::worstInputs(*target->target);
  return rows_[index.internalId() - 1][static_cast<std::size_t>(index.row())].inputs;
}

QModelIndex SetsModel::indexOf(const lower::OutputType& to,
                               std::optional<std::size_t> inputs) const {
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    if (targets_[t].target->to != to) continue;
    const QModelIndex above = index(static_cast<int>(t), 0);
    if (!inputs) return above;
    const auto found = std::find_if(rows_[t].begin(), rows_[t].end(),
                                    [&](const Row& row) { return row.inputs == *inputs; });
    return found == rows_[t].end() ? QModelIndex()
                                   : index(static_cast<int>(found - rows_[t].begin()), 0, above);
  }
  return {};
}

QVariant SetsModel::data(const QModelIndex& index, int role) const {
  const ComparedTarget* target = targetAt(index);
  if (!target) return {};
  if (!index.internalId()) return targetData(*target, index.column(), role);
  return setData(*target, rows_[index.internalId() - 1][static_cast<std::size_t>(index.row())],
                 index.column(), role);
}

QVariant SetsModel::targetData(const ComparedTarget& each, int column, int role) const {
  const compare::TargetComparison& target = *each.target;
  const QString reason = reasonOf(target, numbers_);
  switch (role) {
    case Qt::DisplayRole: {
      const QString between = target.verdict == compare::TargetVerdict::Same ? " " : ": ";
      const QString said =
          title(target.verdict) + (reason.isEmpty() ? QString() : between + reason);
      return column == 0 ? text(lower::name(target.to)) + "  ·  " + said : QString();
    }
    case Qt::ToolTipRole: {
      QStringList lines{title(target.verdict), text(target.message), reason};
      if (!target.scope.sets.empty()) lines << "compared for " + text(target.scope.message());
      lines.removeAll(QString());
      lines.removeDuplicates();
      return lines.join('\n');
    }
    case kVerdictRole:
      return column == 0 ? QVariant(static_cast<int>(severity(target.verdict))) : QVariant();
    case kComparedRole: return target.verdict != compare::TargetVerdict::NotCompared;
    case kNumbersNodeRole: return target.first ? idOf(target.first->node) : -1;
    default: return {};
  }
}

QVariant SetsModel::setData(const ComparedTarget& target, const Row& row, int column,
                            int role) const {
  if (column == 0) return inputsRole(target.comparison->inputs[row.inputs], row.verdict, role);
  if (column > executors()) {
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    const QString between = role == Qt::ToolTipRole ? "\n" : "; ";
    return column == columnCount() - 1 ? valuesText(target, row).replace('\n', between)
                                       : sizesText(target.comparison->inputs[row.inputs].sizes);
  }
  const auto found = row.found.find(executors_[static_cast<std::size_t>(column) - 1]);
  return found == row.found.end() ? QVariant() : findingRole(found->second, role);
}

/// One line for each input.
QString SetsModel::valuesText(const ComparedTarget& target, const Row& row) const {
  if (!row.values) {
    QStringList out;
    if (const fx::ProgramPtr program = numbers_.program())
      for (const compare::Scope::Tried& tried :
           compare::valuesOf(target.comparison->inputs[row.inputs], *program))
        out << valuesOfInput(tried);
    row.values = out.join('\n');
  }
  return *row.values;
}

}  // namespace fxs::ui
