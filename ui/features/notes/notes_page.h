// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The page with the bookmarks and notes of the program. A row selects its node.
#include "features/notes/notes_model.h"
#include "features/notes/notes_presenter.h"
#include "session/selection_presenter.h"
#include "widgets/table_page.h"

namespace fxs::ui {

class NotesPage final : public TablePage {
  Q_OBJECT
 public:
  NotesPage(Appearance& appearance, NotesPresenter& notes, SelectionPresenter& selection,
            QWidget* parent = nullptr);
  const NotesModel& model() const { return model_; }
  QToolButton* removeButton() const { return remove_; }
  /// Removes the current row's, if one is selected.
  void removeCurrent();

 Q_SIGNALS:
  void editRequested();

 private:
  void refresh();
  void refreshState();
  void follow(const Selection& selection);
  QModelIndex current() const;
  NotesPresenter& notes_;
  SelectionPresenter& selection_;
  NotesModel model_;
  QToolButton* remove_;
};

}  // namespace fxs::ui
