// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// For what the verdict of an output type holds, as rows: of each input, operator, condition and
// loop what was seen and what was not, and results and sets that were not compared.
#include <vector>

#include "session/numbers_presenter.h"
#include "text/titled_model.h"

namespace fxs::ui {

class ScopeModel final : public TitledModel<QAbstractTableModel> {
  Q_OBJECT
 public:
  enum Column { Of, Seen, NotSeen, Reason, ColumnCount };
  explicit ScopeModel(QObject* parent = nullptr)
      : TitledModel({"Of", "Seen", "Not seen", "Why not"}, parent) {}

  void show(const ComparedTarget*);
  /// Rows with something that was not seen.
  std::size_t gaps() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  struct Row {
    QString of, seen, notSeen, reason;
  };
  void addInputs(const compare::Scope&);
  void addOperators(const compare::Scope&);
  void addControl(const compare::Scope&);
  std::vector<Row> rows_;
};

}  // namespace fxs::ui
