// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a set of inputs gave: each result of the program by each executor, and the worst elements of
// one of them.
#include <vector>

#include "session/numbers_presenter.h"
#include "text/titled_model.h"

namespace fxs::ui {

class SetResultsModel final : public TitledModel<QAbstractTableModel> {
  Q_OBJECT
 public:
  enum Column { Name, Executor, Verdict, Error, Difference, ColumnCount };
  explicit SetResultsModel(QObject* parent = nullptr)
      : TitledModel({"Result", "Executor", "Verdict", "Error", "Difference"}, parent) {}

  /// `inputs`: an index in Comparison::inputs. Without a target or a set there are no rows.
  void show(const ComparedTarget*, std::optional<std::size_t> inputs);
  /// The row that differs most; an invalid index without rows.
  QModelIndex worst() const;
  /// The result of a row; null if the executor computed none.
  const compare::ResultComparison* resultAt(const QModelIndex&) const;
  /// "add by iree: f32[4, 16]"
  QString titleOf(const QModelIndex&) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  struct Row {
    const compare::Run* run;
    const compare::ResultComparison* result;  ///< null if it did not run
  };
  static std::optional<tensor::Verdict> verdictOf(const Row&);
  static QString verdictText(const Row&);
  static QString messageOf(const Row&);
  static QVariant cell(const Row&, int column);
  compare::ComparisonPtr comparison_;
  std::vector<Row> rows_;  ///< in comparison_
};

class ElementsModel final : public TitledModel<QAbstractTableModel> {
  Q_OBJECT
 public:
  enum Column { Index, Found, Expected, Error, ColumnCount };
  explicit ElementsModel(QObject* parent = nullptr)
      : TitledModel({"Element", "Found", "Expected", "Error"}, parent) {}

  void show(std::vector<tensor::Element> elements);
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant headerData(int section, Qt::Orientation, int role) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  std::vector<tensor::Element> elements_;
};

}  // namespace fxs::ui
