// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Output types, and below each the sets of inputs that it was run with: what each executor found,
// the sizes, and the values of the inputs.
#include <QAbstractItemModel>
#include <map>
#include <optional>
#include <vector>

#include "compare/finding.h"
#include "session/numbers_presenter.h"

namespace fxs::ui {

class SetsModel final : public QAbstractItemModel {
  Q_OBJECT
 public:
  explicit SetsModel(const NumbersPresenter& numbers, QObject* parent = nullptr)
      : QAbstractItemModel(parent), numbers_(numbers) {}

  void refresh();
  /// The output type of a row or of the row above it; null for an invalid index.
  const ComparedTarget* targetAt(const QModelIndex&) const;
  /// The set of a row, as index in Comparison::inputs; of an output type the one that differs most.
  /// std::nullopt if nothing was run.
  std::optional<std::size_t> inputsAt(const QModelIndex&) const;
  /// The row of an output type, or of one of its sets; an invalid index if there is none.
  QModelIndex indexOf(const lower::OutputType&, std::optional<std::size_t> inputs = {}) const;
  /// The columns after the name: one for each executor, one for sizes if there are any, and the
  /// values.
  int executors() const { return static_cast<int>(executors_.size()); }
  bool hasSizes() const { return hasSizes_; }

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex&) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant headerData(int section, Qt::Orientation, int role) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  struct Row {
    std::size_t inputs;
    compare::SetVerdict verdict;
    std::map<std::string, compare::Finding> found;  ///< by executor
    mutable std::optional<QString> values;          ///< made when it is shown first
  };
  QVariant targetData(const ComparedTarget&, int column, int role) const;
  QVariant setData(const ComparedTarget&, const Row&, int column, int role) const;
  QString valuesText(const ComparedTarget&, const Row&) const;

  const NumbersPresenter& numbers_;
  std::vector<ComparedTarget> targets_;
  std::vector<std::vector<Row>> rows_;  ///< by target
  std::vector<std::string> executors_;
  bool hasSizes_ = false;
};

}  // namespace fxs::ui
