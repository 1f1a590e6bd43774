// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A node's metadata: key, value as read, normalized value, and the rule that changed it, with its
// reason as tool tip.
#include "features/inspector/node_presenter.h"
#include "text/titled_model.h"

namespace fxs::ui {

class MetadataModel final : public TitledModel<QAbstractTableModel> {
  Q_OBJECT
 public:
  enum Column { Key, Before, After, RuleColumn, ColumnCount };
  /// bool: a rule changed this row.
  static constexpr int kChangedRole = Qt::UserRole;
  explicit MetadataModel(QObject* parent = nullptr)
      : TitledModel({"Key", "As read", "Normalized", "Rule"}, parent) {}

  void setRows(std::vector<MetadataRow> rows);
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  std::vector<MetadataRow> rows_;
};

}  // namespace fxs::ui
