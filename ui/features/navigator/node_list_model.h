// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Every node of the program as a row: name, target, result. The accessible alternative to the
// graph.
#include <vector>

#include "fx/program.h"
#include "session/marks.h"
#include "text/titled_model.h"

namespace fxs::ui {

/// Roles shared by models that list nodes.
enum NodeRole {
  kNodeIdRole = Qt::UserRole,
  kGroupIdRole,
  kIconRole,
  kFilterRole,
  kMatchRole,
  kMarksRole,  ///< const NodeMarks*, valid until the model changes
  kBadgeRole,  ///< text at the right end: how many problems a module contains; nothing without any
};

class NodeListModel final : public TitledModel<QAbstractTableModel> {
  Q_OBJECT
 public:
  enum Column { Name, Target, Result, ColumnCount };
  explicit NodeListModel(QObject* parent = nullptr)
      : TitledModel({"Node", "Target", "Result"}, parent) {}

  void setProgram(fx::ProgramPtr program);
  void setMarks(MarksByNode marks);
  /// By NodeId: whether a query finds the node; empty without one. kMatchRole has it, and nothing
  /// without a query.
  void setMatches(std::vector<bool> matches);
  QModelIndex indexOf(fx::NodeId) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  const NodeMarks& marksOf(fx::NodeId) const;
  fx::ProgramPtr program_;
  MarksByNode marks_;
  std::vector<bool> matches_;
};

/// "input", "output", "parameter", "node": the icon of a node.
QString iconOf(const fx::Program&, const fx::Node&);
/// `text`, and below it the tips of the marks.
QString tipOf(const QString& text, const NodeMarks& marks);
/// "f32[2, 4]"; "" if unknown.
QString resultText(const fx::Node&);

}  // namespace fxs::ui
