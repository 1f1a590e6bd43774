// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Bookmarks and notes as a table.
#include <vector>

#include "notes/notes.h"
#include "text/titled_model.h"

namespace fxs::ui {

class NotesModel final : public TitledModel<QAbstractTableModel> {
  Q_OBJECT
 public:
  enum Column { Node, Version, Note, ColumnCount };
  enum { kFilterText = Qt::UserRole, kIsInProgram, kHasText };
  explicit NotesModel(QObject* parent = nullptr)
      : TitledModel({"Node", "Version", "Note"}, parent) {}

  void setNotes(std::vector<notes::Placed> notes);
  const notes::Placed& noteAt(int row) const { return notes_[static_cast<std::size_t>(row)]; }
  /// Invalid if there is none.
  QModelIndex indexOf(const notes::NodeName&) const;
  QModelIndex indexOf(fx::NodeId) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;

 private:
  static QVariant cell(const notes::Placed&, int column);
  static QVariant tip(const notes::Placed&, int column);
  std::vector<notes::Placed> notes_;
};

}  // namespace fxs::ui
