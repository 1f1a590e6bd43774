// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Variants as a tree: what was made from one is below it.
#include <vector>

#include "features/variants/variants_presenter.h"
#include "text/titled_model.h"

namespace fxs::ui {

class VariantsModel final : public TitledModel<QAbstractItemModel> {
  Q_OBJECT
 public:
  enum Column { Name, Change, Result, ColumnCount };
  static constexpr int kIdRole = Qt::UserRole;        ///< int: VariantState::id
  static constexpr int kMarkRole = Qt::UserRole + 1;  ///< int of StageMark
  explicit VariantsModel(QObject* parent = nullptr)
      : TitledModel({"Variant", "Changed", "Result"}, parent) {}

  void setVariants(std::vector<VariantState> variants);
  /// Invalid if there is none.
  QModelIndex indexOf(int id) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;
  bool setData(const QModelIndex&, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex&) const override;

 Q_SIGNALS:
  /// A name was typed.
  void renamed(int id, const QString& name);

 private:
  /// Indices into all_ of those below one; of -1, of those made from the program.
  const std::vector<int>& below(int at) const {
    return at < 0 ? below_.front() : below_[static_cast<std::size_t>(at) + 1];
  }
  int at(const QModelIndex& index) const {
    return index.isValid() ? static_cast<int>(index.internalId()) : -1;
  }
  std::vector<VariantState> all_;
  std::vector<int> parents_;             ///< by index in all_; -1 for the program
  std::vector<std::vector<int>> below_;  ///< by index + 1
};

}  // namespace fxs::ui
