#pragma once
// Comparisons as rows: output types with what each executor computed for each result, and the inner nodes of one output type.
#include "features/numbers/numbers_presenter.h"
#include "text/titled_model.h"

namespace fxs::ui {

enum NumbersRole { kVerdictRole = Qt::UserRole, kComparedRole, kErrorRole, kNumbersNodeRole, kSortRole, kFirstRole, kNumbersFilterRole };

/// Output types, and below each the results of its runs.
class ResultsModel final : public TitledModel<QAbstractItemModel> {
  Q_OBJECT
 public:
  enum Column { Name, Verdict, Type, Error, Difference, ColumnCount };
  explicit ResultsModel(const NumbersPresenter& numbers, QObject* parent = nullptr)
      : TitledModel({"Output type and results", "Verdict", "Type", "Error", "Difference"}, parent), numbers_(numbers) {}

  void refresh();
  /// The output type of a row or of the row above it; null for an invalid index.
  const ComparedTarget* targetAt(const QModelIndex&) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex&) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  struct Row {
    const compare::Run* run;
    const compare::ResultComparison* result;  ///< null if it did not run
  };
  QVariant targetData(const ComparedTarget&, int column, int role) const;
  QVariant resultData(const Row&, int column, int role) const;
  const NumbersPresenter& numbers_;
  std::vector<ComparedTarget> targets_;
  std::vector<std::vector<Row>> rows_;  ///< by target
};

/// The inner nodes that were compared, in program order.
class ComparedNodesModel final : public TitledModel<QAbstractTableModel> {
  Q_OBJECT
 public:
  enum Column { Node, Operator, Verdict, Error, Operands, Difference, ColumnCount };
  explicit ComparedNodesModel(const NumbersPresenter& numbers, QObject* parent = nullptr)
      : TitledModel({"Node", "Operator", "Verdict", "Error", "Of operands", "Difference"}, parent), numbers_(numbers) {}

  void setTarget(const ComparedTarget*);
  QModelIndex indexOf(fx::NodeId node) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  const NumbersPresenter& numbers_;
  compare::ComparisonPtr comparison_;
  const compare::TargetComparison* target_ = nullptr;  ///< in comparison_
};

}  // namespace fxs::ui
