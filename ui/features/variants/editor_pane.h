// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The editor in place of the text of a pane: its bar, with what the tool says of the text, and the
// text.
#include "features/variants/code_editor.h"
#include "widgets/controls.h"
#include "widgets/find_bar.h"

namespace fxs::ui {

class EditorPane final : public QWidget {
  Q_OBJECT
 public:
  EditorPane(Appearance& appearance, Services& services, QWidget* parent = nullptr);
  CodeEditor* editor() const { return editor_; }
  FindBar* findBar() const { return find_; }
  QToolButton* continueButton() const { return continue_; }
  QToolButton* discardButton() const { return discard_; }
  /// The first error, or what the tool says otherwise.
  QString summary() const { return problem_->fullText(); }
  /// Goes to the problem after the cursor, or to the first one.
  void goToProblem();

 Q_SIGNALS:
  void continueRequested();
  void discardRequested();

 private:
  void refresh();
  EditPresenter& edit_;
  QToolButton *continue_, *discard_;
  QLabel* sign_;
  ElidedLabel* problem_;
  IconButton* next_;
  Appearance& appearance_;
  CodeEditor* editor_;
  FindBar* find_;
};

}  // namespace fxs::ui
