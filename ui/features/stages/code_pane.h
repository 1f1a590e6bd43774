// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One text pane of the stage strip: a header with the stage chooser and status, a find bar, and the
// text, or why there is none.
#include <QComboBox>
#include <QStackedWidget>

#include "features/stages/stage_presenter.h"
#include "session/op_commands.h"
#include "session/op_tips.h"
#include "session/selection_presenter.h"
#include "text/code_structure.h"
#include "widgets/code_view.h"
#include "widgets/find_bar.h"

namespace fxs::ui {

class CodePane final : public QWidget {
  Q_OBJECT
 public:
  CodePane(Appearance& appearance, Services& services, StagePresenter& stages,
           SelectionPresenter& selection, QWidget* parent = nullptr);

  /// An element of StagePresenter::panes(); stageId() is what it resolves to.
  void setPane(const ShownText& pane);
  const ShownText& pane() const { return pane_; }
  ShownText stageId() const { return stages_.resolved(pane_); }
  CodeView* view() const { return view_; }
  /// That of the widget in place of the text, if it has one.
  FindBar* findBar() const;
  QComboBox* chooser() const { return chooser_; }
  /// The message shown instead of the text; "" if the text is shown.
  QString message() const;
  void setClosable(bool on);
  /// Shows a widget in place of a text while the pane shows that text; null: the text again, and
  /// the widget before is deleted.
  void replaceText(const ShownText& id, QWidget* widget);
  const ShownText* replacedText() const { return replacement_ ? &replaced_ : nullptr; }
  /// Null if there is none.
  std::shared_ptr<const StageText> stageText() const { return stages_.textOf(stageId()); }
  /// The value under the cursor; nullopt if there is none, or if the text is not MLIR.
  std::optional<ValuePositions> valueUnderCursor() const;
  /// Goes to the definition of the value under the cursor; false if there is none.
  bool goToDefinition();

 Q_SIGNALS:
  void paneChosen(const fxs::ui::ShownText& shown);
  void closeRequested();

 private:
  void refreshChooser();
  void refreshText();
  void refreshMarks();
  void refreshNodeMarks();
  void refreshSelection(bool scroll);
  void bringIntoView();
  /// `selectedLines`: how many lines originate from the selection.
  void refreshStatus(std::size_t selectedLines);
  QString selectedText(std::size_t lines) const;
  /// That a side of a difference has none, and from what; "" otherwise.
  QString differenceText() const;
  enum class Section : std::uint8_t { Stages, Others, Passes };
  struct Choice {
    Section section;
    QString title;
    ShownText id;
    QString stage = {};  ///< of a snapshot
  };
  std::vector<Choice> choices() const;
  void fillChooser(const std::vector<Choice>& choices);
  /// Why there is no text to show.
  QString noTextMessage() const;
  void lineClicked(std::uint32_t line);
  void showMenu(CodePosition at, const QPoint& globalPosition);
  void cursorMoved();
  QString originTip(std::uint32_t line) const;
  QString tip(CodePosition at) const;

  Appearance& appearance_;
  const OpCommands& commands_;
  OpTips& opTips_;
  SessionPresenter& session_;
  StagePresenter& stages_;
  Marks& nodeMarks_;
  SelectionPresenter& selection_;
  ShownText pane_;
  QComboBox* chooser_;
  QLabel* mark_;
  ElidedLabel* note_;
  IconButton* closeButton_;
  FindBar* find_;
  QStackedWidget* body_;
  QWidget* textPage_;
  CodeView* view_;
  QLabel* message_;
  ShownText replaced_;  ///< the text that `replacement_` stands for
  QWidget* replacement_ = nullptr;
  bool shown_ = false;  ///< the view holds the stage's text
};

}  // namespace fxs::ui
