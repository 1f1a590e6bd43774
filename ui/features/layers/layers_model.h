// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The nodes that a layer has a value for, as a table with a column for each layer.
#include <QAbstractTableModel>
#include <vector>

#include "features/layers/layers_presenter.h"

namespace fxs::ui {

class LayersModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Node, Operator, FirstLayer };
  /// kShade: of a cell of a layer, the Shade as a number.
  enum { kFilterText = Qt::UserRole, kSortValue, kShade };
  explicit LayersModel(const LayersPresenter& layers, QObject* parent = nullptr)
      : QAbstractTableModel(parent), layers_(layers) {}

  /// `program`: null if none is open.
  void setProgram(fx::ProgramPtr program);
  fx::NodeId nodeAt(int row) const { return rows_[static_cast<std::size_t>(row)]; }
  /// Invalid if there is none.
  QModelIndex indexOf(fx::NodeId node) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  const layer::Entry* entryAt(const QModelIndex& index) const;
  QString cell(const QModelIndex& index) const;
  QString tip(const QModelIndex& index) const;
  QVariant sortValue(const QModelIndex& index) const;
  const LayersPresenter& layers_;
  fx::ProgramPtr program_;
  std::vector<fx::NodeId> rows_;
};

}  // namespace fxs::ui
