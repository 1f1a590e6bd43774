#include "features/numbers/numbers_model.h"

namespace fxs::ui {
namespace {

int idOf(fx::NodeId node) { return node.valid() ? static_cast<int>(node.index()) : -1; }

QString runText(const compare::Run& run) {
  QStringList out{text(run.executor)};
  for (const auto& [symbol, size] : run.sizes) out << text(symbol) + "=" + QString::number(size);
  if (run.set != compare::InputSetKind::Ordinary) out << text(compare::name(run.set));
  return out.join(" ");
}

/// What each set of inputs found, and for what the verdict holds.
QString scopeText(const compare::TargetComparison& target) {
  if (target.scope.sets.empty()) return {};
  QStringList out{"compared for " + text(target.scope.words())};
  for (const auto& [inputs, runs] : compare::runsByInputs(target)) {
    const compare::SetVerdict verdict = compare::judgeSet(runs);
    out << QString("%1: %2%3")
               .arg(text(compare::name(runs.front()->set)), words(verdict.verdict),
                    verdict.why.empty() ? QString() : ": " + text(verdict.why));
  }
  return out.join('\n');
}

/// What is never said without the inputs for which it holds.
QString agreementText(const compare::TargetComparison& target) {
  return target.scope.sets.empty() ? QString("every result agrees") : "every result agrees for " + text(target.scope.words());
}

}  // namespace

void ResultsModel::refresh() {
  beginResetModel();
  targets_ = numbers_.targets();
  rows_.clear();
  for (const ComparedTarget& each : targets_) {
    std::vector<Row>& rows = rows_.emplace_back();
    for (const compare::Run& run : each.target->runs) {
      if (run.results.empty()) rows.push_back({&run, nullptr});
      for (const compare::ResultComparison& result : run.results) rows.push_back({&run, &result});
    }
  }
  endResetModel();
}

// The internal id is 0 for an output type, else 1 + the row of the output type above.
QModelIndex ResultsModel::index(int row, int column, const QModelIndex& parent) const {
  if (row < 0 || row >= rowCount(parent) || column < 0 || column >= ColumnCount) return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : 0);
}

QModelIndex ResultsModel::parent(const QModelIndex& index) const {
  return index.isValid() && index.internalId() ? createIndex(static_cast<int>(index.internalId()) - 1, 0, quintptr{0}) : QModelIndex();
}

int ResultsModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(targets_.size());
  if (parent.internalId() || parent.column() > 0) return 0;
  return static_cast<int>(rows_[static_cast<std::size_t>(parent.row())].size());
}

const ComparedTarget* ResultsModel::targetAt(const QModelIndex& index) const {
  if (!index.isValid()) return nullptr;
  const auto row = index.internalId() ? static_cast<std::size_t>(index.internalId()) - 1 : static_cast<std::size_t>(index.row());
  return row < targets_.size() ? &targets_[row] : nullptr;
}

QVariant ResultsModel::data(const QModelIndex& index, int role) const {
  const ComparedTarget* target = targetAt(index);
  if (!target) return {};
  if (!index.internalId()) return targetData(*target, index.column(), role);
  return resultData(rows_[index.internalId() - 1][static_cast<std::size_t>(index.row())], index.column(), role);
}

QVariant ResultsModel::targetData(const ComparedTarget& each, int column, int role) const {
  const compare::TargetComparison& target = *each.target;
  QString why = text(target.why);
  if (target.first)
    why = QString("first at %1 in %2%3: %4")
              .arg(numbers_.nameOf(target.first->node), text(target.first->stage),
                   target.first->pass.empty() ? QString() : ", pass " + text(target.first->pass), text(target.first->how));
  switch (role) {
    case Qt::DisplayRole:
      return column == Name         ? text(lower::name(target.to))
             : column == Verdict    ? words(target.verdict)
             : column == Difference ? (why.isEmpty() ? agreementText(target) : why)
                                    : QString();
    case Qt::ToolTipRole: return QStringList{words(target.verdict), text(target.why), why, scopeText(target)}.join('\n').trimmed();
    case kVerdictRole: return static_cast<int>(severity(target.verdict));
    case kComparedRole: return target.verdict != compare::TargetVerdict::NotCompared;
    case kNumbersNodeRole: return target.first ? idOf(target.first->node) : -1;
    default: return {};
  }
}

QVariant ResultsModel::resultData(const Row& row, int column, int role) const {
  const compare::ResultComparison* result = row.result;
  const bool compared = result && result->compared;
  const bool crashed = !result && row.run->outcome != execute::Outcome::Ran && row.run->outcome != execute::Outcome::NotSupported;
  const QString outcome = text(execute::name(row.run->outcome)).replace('-', ' ');
  const QString why = !result ? text(row.run->why) : compared ? text(result->difference.words) : text(result->whyNot);
  switch (role) {
    case Qt::DisplayRole:
      switch (column) {
        case Name: return runText(*row.run) + (result ? "  ·  " + text(result->name) : QString());
        case Verdict: return compared ? words(result->difference.verdict) : result ? QString("not compared") : outcome;
        case Type: return result ? text(result->type) : QString();
        case Error: return compared ? errorText(result->difference) : QString();
        case Difference: return why;
        default: return {};
      }
    case Qt::ToolTipRole: return why;
    case kVerdictRole:
      return static_cast<int>(compared ? result->difference.verdict : crashed ? tensor::Verdict::Differs : tensor::Verdict::Same);
    case kComparedRole: return compared || crashed;
    case kErrorRole: return compared ? errorFraction(result->difference) : -1.0;
    case kNumbersNodeRole: return idOf(result ? result->node : row.run->node);
    default: return {};
  }
}

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

QVariant ComparedNodesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const compare::NodeComparison& row = target_->nodes[static_cast<std::size_t>(index.row())];
  const bool first = target_->first && target_->first->node == row.node;
  const QString difference = (first ? "first difference  ·  " : "") + text(row.difference.words);
  switch (role) {
    case Qt::DisplayRole:
      switch (index.column()) {
        case Node: return numbers_.nameOf(row.node);
        case Operator: return numbers_.operatorOf(row.node);
        case Verdict: return words(row.difference.verdict);
        case Error: return errorText(row.difference);
        case Operands: return row.inputUnits > 0 ? QString::number(row.inputUnits, 'g', 3) + " eps" : QString("–");
        case Difference: return difference;
        default: return {};
      }
    case Qt::ToolTipRole: return QStringList{numbers_.nameOf(row.node) + "  " + numbers_.operatorOf(row.node), difference}.join('\n');
    case kVerdictRole: return static_cast<int>(row.difference.verdict);
    case kComparedRole: return true;
    case kErrorRole: return errorFraction(row.difference);
    case kNumbersNodeRole: return idOf(row.node);
    case kFirstRole: return first;
    case kSortRole:
      switch (index.column()) {
        case Verdict: return static_cast<int>(row.difference.verdict);
        case Error: return errorFraction(row.difference);
        case Operands: return row.inputUnits;
        default: return data(index, Qt::DisplayRole);
      }
    case kNumbersFilterRole: return QStringList{numbers_.nameOf(row.node), numbers_.operatorOf(row.node), difference}.join('\n');
    default: return {};
  }
}

}  // namespace fxs::ui
