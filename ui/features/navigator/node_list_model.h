// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Every node of the program as a row: name, target, result. The accessible alternative to the
// graph.
#include <vector>

#include "features/notes/note_state.h"
#include "features/problems/problems_presenter.h"
#include "text/titled_model.h"

namespace fxs::ui {

/// Roles shared by models that list nodes.
enum NodeRole {
  kNodeIdRole = Qt::UserRole,
  kStandingRole,
  kGroupIdRole,
  kIconRole,
  kFilterRole,
  kMatchRole,
  kNoteRole
};

class NodeListModel final : public TitledModel<QAbstractTableModel> {
  Q_OBJECT
 public:
  enum Column { Name, Target, Result, ColumnCount };
  explicit NodeListModel(QObject* parent = nullptr)
      : TitledModel({"Node", "Target", "Result"}, parent) {}

  void setProgram(fx::ProgramPtr program);
  void setStandings(std::vector<Standing> standings);
  /// By NodeId: whether a query finds the node; empty without one. kMatchRole has it, and nothing
  /// without a query.
  void setMatches(std::vector<bool> matches);
  /// By NodeId; kNoteRole has it, as an int.
  void setNotes(std::vector<NoteSign> notes);
  QModelIndex indexOf(fx::NodeId) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  fx::ProgramPtr program_;
  std::vector<Standing> standings_;
  std::vector<bool> matches_;
  std::vector<NoteSign> notes_;
};

/// "input", "output", "parameter", "node": the icon of a node.
QString iconOf(const fx::Program&, const fx::Node&);
/// "f32[2, 4]"; "" if unknown.
QString resultText(const fx::Node&);

}  // namespace fxs::ui
