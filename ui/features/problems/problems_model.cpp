// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/problems/problems_model.h"

#include <algorithm>

#include "text/words.h"

namespace fxs::ui {
namespace {

QString tipOf(const Problem& problem, const ProblemPart& part, bool isPart, int column) {
  if (!isPart && problem.isForSizes) return problem.tip;
  if (column == ProblemsModel::Help && !problem.help.isEmpty())
    return problem.help + '\n' + text(diagnose::title(problem.verified));
  QString tip = part.operation + "\n" + part.message;
  if (!part.types.isEmpty()) tip += "\n" + part.types;
  if (!part.pass.isEmpty()) tip += "\npass " + part.pass;
  return tip;
}

}  // namespace

void ProblemsModel::setProblems(std::vector<Problem> problems) {
  beginResetModel();
  problems_ = std::move(problems);
  endResetModel();
}

QModelIndex ProblemsModel::indexOf(const QString& operation, int part) const {
  for (std::size_t i = 0; i < problems_.size(); ++i) {
    if (problems_[i].operation != operation) continue;
    const QModelIndex own = index(static_cast<int>(i), 0);
    return part >= 0 && part < rowCount(own) ? index(part, 0, own) : own;
  }
  return {};
}

const std::vector<fx::NodeId>& ProblemsModel::nodesOf(const QModelIndex& index) const {
  static const std::vector<fx::NodeId> none;
  if (!index.isValid()) return none;
  return above(index) ? partAt(index).nodes : problemAt(index).nodes;
}

const Problem& ProblemsModel::problemAt(const QModelIndex& index) const {
  return problems_[above(index) ? above(index) - 1 : static_cast<std::size_t>(index.row())];
}

const ProblemPart& ProblemsModel::partAt(const QModelIndex& index) const {
  const std::vector<ProblemPart>& parts = problemAt(index).parts;
  return above(index) ? parts[static_cast<std::size_t>(index.row())] : parts.front();
}

QModelIndex ProblemsModel::index(int row, int column, const QModelIndex& parent) const {
  if (row < 0 || column < 0 || column >= ColumnCount || row >= rowCount(parent)) return {};
  return createIndex(row, column,
                     parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : quintptr{0});
}

QModelIndex ProblemsModel::parent(const QModelIndex& child) const {
  return child.isValid() && above(child)
             ? createIndex(static_cast<int>(above(child) - 1), 0, quintptr{0})
             : QModelIndex();
}

int ProblemsModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(problems_.size());
  if (above(parent) || parent.column() > 0) return 0;
  const std::size_t parts = problems_[static_cast<std::size_t>(parent.row())].parts.size();
  return parts > 1 ? static_cast<int>(parts) : 0;
}

QString ProblemsModel::cell(const Problem& problem, const ProblemPart& part, bool isPart,
                            int column) const {
  const std::size_t count = isPart ? part.count : problem.count;
  switch (column) {
    case Operation:
      if (!isPart) return problem.operation;
      if (problem.isForSizes) return part.operation + ' ' + part.types;
      return part.types.isEmpty() ? part.message : part.types;
    case Class: return isPart ? part.className : problem.className;
    case Count: return count ? QString::number(count) : QString("–");
    case Targets:
      if (!isPart && !problem.targets.isEmpty()) return problem.targets.join(", ");
      return part.target.isEmpty() ? part.stage : part.target;
    case Help: return isPart ? QString() : problem.help;
    default: return {};
  }
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const bool isPart = above(index) != 0;
  const Problem& problem = problemAt(index);
  const ProblemPart& part = partAt(index);
  switch (role) {
    case kSeverityRole: return static_cast<int>(part.severity);
    case kClassIconRole: return isPart ? part.icon : problem.icon;
    case kVerifiedRole: return !isPart && problem.verified > diagnose::Verified::Nothing;
    case kOperationRole: return problem.operation;
    case kPartRole: return isPart ? index.row() : kNoPart;
    case kProvedRole: return !isPart && problem.verified > diagnose::Verified::ByItself;
    case Qt::DisplayRole: return cell(problem, part, isPart, index.column());
    case Qt::AccessibleTextRole:
      if (index.column() != Operation) return {};
      return QString("%1: %2, %3, %4")
          .arg(text(fx::name(part.severity)), cell(problem, part, isPart, Operation),
               cell(problem, part, isPart, Class),
               counted(isPart ? part.count : problem.count, "node"));
    case Qt::ToolTipRole: return tipOf(problem, part, isPart, index.column());
    default: return {};
  }
}

}  // namespace fxs::ui
