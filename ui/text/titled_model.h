// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Base of item models with fixed columns: column count and header titles.
#include <QAbstractTableModel>
#include <QStringList>

namespace fxs::ui {

/// `Base`: QAbstractTableModel or QAbstractItemModel.
template <class Base>
class TitledModel : public Base {
 public:
  explicit TitledModel(QStringList titles, QObject* parent = nullptr)
      : Base(parent), titles_(std::move(titles)) {}
  int columnCount(const QModelIndex& parent = {}) const override {
    return std::is_same_v<Base, QAbstractTableModel> && parent.isValid()
               ? 0
               : static_cast<int>(titles_.size());
  }
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    const bool title = orientation == Qt::Horizontal &&
                       (role == Qt::DisplayRole || role == Qt::ToolTipRole) &&
                       section < titles_.size();
    return title ? titles_[section] : QVariant();
  }

 private:
  QStringList titles_;
};

}  // namespace fxs::ui
