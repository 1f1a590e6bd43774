// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/support/measured_presenter.h"

#include <algorithm>

#include "support/support.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

using support::Cell;
using support::Sizes;

QString cellText(const Cell& cell) {
  if (cell.forms == 0) return "not measured";
  if (cell.all()) return "lowers";
  if (cell.none()) return "blocked";
  return QString("%1 of %2 forms").arg(cell.lower).arg(cell.forms);
}

QString bothTexts(const Cell& fixed, const Cell& dynamic) {
  if (dynamic.forms == 0) return cellText(fixed);
  if (fixed.forms == 0) return cellText(dynamic) + ", dynamic sizes";
  if (cellText(fixed) == cellText(dynamic)) return cellText(fixed);
  if (fixed.all() && dynamic.none()) return "only static sizes";
  return QString("static: %1, dynamic: %2").arg(cellText(fixed), cellText(dynamic));
}

/// Of the forms with static and with dynamic sizes.
MeasuredModel::Standing measuredStanding(const Cell& fixed, const Cell& dynamic) {
  const std::size_t forms = fixed.forms + dynamic.forms, lower = fixed.lower + dynamic.lower;
  if (forms == 0) return MeasuredModel::Standing::Unknown;
  if (lower == 0) return MeasuredModel::Standing::Blocked;
  return lower == forms ? MeasuredModel::Standing::Lowers : MeasuredModel::Standing::Part;
}

}  // namespace

MatrixReader sessionMatrices(session::Environment environment) {
  return [environment = std::move(environment)] {
    std::vector<std::string> problems;
    return support::knownSupport(environment, problems);
  };
}

void MeasuredModel::show(MatrixPtr matrix, const support::Operator* op) {
  beginResetModel();
  matrix_ = op != nullptr ? std::move(matrix) : nullptr;
  op_ = op;
  dtypes_ = op != nullptr ? support::dtypesOf(*op) : std::vector<DType>();
  endResetModel();
}

int MeasuredModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(dtypes_.size());
}
int MeasuredModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !matrix_ ? 0 : 1 + static_cast<int>(matrix_->targets().size());
}

QVariant MeasuredModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount()) return {};
  const DType dtype = dtypes_[static_cast<std::size_t>(index.row())];
  if (index.column() == 0)
    return role == Qt::DisplayRole ? QVariant(text(facts(dtype).shortName)) : QVariant();
  const auto target = static_cast<std::size_t>(index.column() - 1);
  const Cell fixed = support::cellOf(*matrix_, *op_, target, dtype, Sizes::Static);
  const Cell dynamic = support::cellOf(*matrix_, *op_, target, dtype, Sizes::Dynamic);
  switch (role) {
    case Qt::DisplayRole: return bothTexts(fixed, dynamic);
    case Qt::AccessibleTextRole:
    case Qt::ToolTipRole:
      return QString("%1, %2: %3 of %4 forms lower with static sizes, %5 of %6 with dynamic ones")
          .arg(text(matrix_->targets()[target]), text(facts(dtype).shortName))
          .arg(fixed.lower)
          .arg(fixed.forms)
          .arg(dynamic.lower)
          .arg(dynamic.forms);
    case kStandingRole: return static_cast<int>(measuredStanding(fixed, dynamic));
    default: return {};
  }
}

QVariant MeasuredModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const bool isText = role == Qt::DisplayRole || role == Qt::ToolTipRole;
  if (orientation != Qt::Horizontal || !isText || section >= columnCount()) return {};
  return section == 0 ? QString("Element type")
                      : text(matrix_->targets()[static_cast<std::size_t>(section - 1)]);
}

MeasuredPresenter::MeasuredPresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      reader_(services.chosen(sessionMatrices(services.environment))),
      reading_(services) {
  connect(&services.get<SelectionPresenter>(), &SelectionPresenter::changed, this,
          [this](const Selection& selected) { show(selected.inspected()); });
  connect(&session_, &SessionPresenter::programChanged, this, [this] { show({}); });
}

void MeasuredPresenter::show(fx::NodeId node) {
  node_ = node;
  if (node.valid() && !asked_) {
    asked_ = true;
    reading_.start([read = reader_](const RunContext&) { return read(); },
                   [this](std::vector<MatrixPtr> matrices) {
                     matrices_ = std::move(matrices);
                     refresh();
                   });
  }
  refresh();
}

void MeasuredPresenter::refresh() {
  const fx::ProgramPtr program = session_.program();
  const bool known = program && node_.valid() && node_.index() < program->nodes.size();
  const bool isCall = known && program->dialect != fx::kMlirDialect &&
                      program->node(node_).op == fx::NodeOp::CallFunction;
  const fx::Node* node = isCall ? &program->node(node_) : nullptr;
  const session::SnapshotPtr snapshot = session_.snapshot();
  const MatrixPtr matrix =
      support::matrixFor(matrices_, snapshot && snapshot->engine ? snapshot->engine->sha256 : "");
  const support::Operator* op =
      node != nullptr && matrix ? matrix->calls().find(node->target) : nullptr;
  model_.show(matrix, op);
  statement_.clear();
  if (op != nullptr) {
    QStringList verdicts;
    for (std::size_t t = 0; t < matrix->targets().size(); ++t)
      verdicts << text(matrix->targets()[t]) + ": " +
                      text(support::verdictOf(*matrix, *op, t).message);
    statement_ = QString("%1, measured with engine %2  ·  %3")
                     .arg(text(op->name), text(matrix->engine().title()), verdicts.join("  ·  "));
  } else if (node != nullptr && asked_ && !reading_.running()) {
    statement_ = matrix ? text(node->target) + " is not among the measured operators"
                        : QString("No engine was measured");
  }
  Q_EMIT changed();
}

}  // namespace fxs::ui
