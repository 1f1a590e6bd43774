// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Roles of the models of the numbers page, and the inner nodes of an output type that were
// compared, as rows.
#include "session/numbers_presenter.h"
#include "text/titled_model.h"

namespace fxs::ui {

enum NumbersRole {
  kVerdictRole = Qt::UserRole,
  kComparedRole,
  kErrorRole,
  kNumbersNodeRole,
  kSortRole,
  kFirstRole,
  kNumbersFilterRole
};

/// A node as the value of kNumbersNodeRole; -1 for an invalid one.
inline int idOf(fx::NodeId node) { return node.valid() ? static_cast<int>(node.index()) : -1; }

/// The inner nodes that were compared, in program order.
class ComparedNodesModel final : public TitledModel<QAbstractTableModel> {
  Q_OBJECT
 public:
  enum Column { Node, Operator, Verdict, Error, Operands, Difference, ColumnCount };
  explicit ComparedNodesModel(const NumbersPresenter& numbers, QObject* parent = nullptr)
      : TitledModel({"Node", "Operator", "Verdict", "Error", "Of operands", "Difference"}, parent),
        numbers_(numbers) {}

  void setTarget(const ComparedTarget*);
  QModelIndex indexOf(fx::NodeId node) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  bool isFirst(const compare::NodeComparison&) const;
  QString differenceText(const compare::NodeComparison&) const;
  QVariant cell(const compare::NodeComparison&, int column) const;
  QVariant sortKey(const compare::NodeComparison&, int column) const;
  const NumbersPresenter& numbers_;
  compare::ComparisonPtr comparison_;
  const compare::TargetComparison* target_ = nullptr;  ///< in comparison_
};

}  // namespace fxs::ui
