// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The part of the inspector with the bookmark and the note of a node. The note is written when the
// user pauses, or goes elsewhere.
#include <QTextEdit>
#include <QTimer>

#include "features/notes/notes_presenter.h"
#include "widgets/controls.h"

namespace fxs::ui {

class NoteSection final : public QWidget {
  Q_OBJECT
 public:
  NoteSection(Appearance& appearance, NotesPresenter& notes, QWidget* parent);

  /// Writes what was typed, then shows the note of another node, or of none.
  void setNode(fx::NodeId);
  QTextEdit* field() const { return field_; }
  QToolButton* button() const { return button_; }

 Q_SIGNALS:
  void toggled();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void refresh();
  void commit();
  void fitField();
  Appearance& appearance_;
  NotesPresenter& notes_;
  fx::NodeId node_;
  std::optional<NoteDraft> draft_;  ///< of the text in the field
  QToolButton* button_;
  QTextEdit* field_;
  ElidedLabel* state_;  ///< what became of the node
  QTimer pause_;
};

}  // namespace fxs::ui
