// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Problems as a tree: operations, or sources of sizes known only at run time, and below one with
// several parts, its parts.
#include <vector>

#include "features/problems/problem_state.h"
#include "text/titled_model.h"

namespace fxs::ui {

class ProblemsModel final : public TitledModel<QAbstractItemModel> {
  Q_OBJECT
 public:
  enum Column { Operation, Class, Count, Targets, Help, ColumnCount };
  enum {
    kSeverityRole = Qt::UserRole,
    kClassIconRole,
    kOperationRole,
    kPartRole,
    kProvedRole,
    kVerifiedRole  ///< whether what Help names is a fix
  };
  static constexpr int kNoPart = -1;  ///< kPartRole of an operation's row
  explicit ProblemsModel(QObject* parent = nullptr)
      : TitledModel({"Operation", "Class", "Nodes", "Stops", "Verified fixes"}, parent) {}

  void setProblems(std::vector<Problem> problems);
  const std::vector<Problem>& problems() const { return problems_; }
  /// The row of an operation, or of one of its parts, if parts have rows; invalid if there is none.
  QModelIndex indexOf(const QString& operation, int part = kNoPart) const;
  /// The nodes of a row's operation or part.
  const std::vector<fx::NodeId>& nodesOf(const QModelIndex&) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex&) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  /// 0 for an operation's row; for a part's row, 1 + the row of its operation.
  static quintptr above(const QModelIndex& index) { return index.internalId(); }
  const Problem& problemAt(const QModelIndex&) const;
  /// The part of a part's row; for an operation's row, its first part.
  const ProblemPart& partAt(const QModelIndex&) const;
  QString cell(const Problem& problem, const ProblemPart& part, bool isPart, int column) const;
  std::vector<Problem> problems_;
};

}  // namespace fxs::ui
